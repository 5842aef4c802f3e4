/* native: libfxtref as a program under test. It has nothing but the public headers, and prints with
   src/convert as fxt does.

   usage: native LEVEL [--edition=2020] FILE
          native LEVEL [--edition=2020] --pipe
   LEVEL: records, events, findings, exit, write. FILE: a trace; for write, a script of events.

   The input is held in memory whole, and so is the answer. Owned by main(): both, for one run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/native/native.h"

enum { INPUT_MAX = 64 << 20, EXIT_USAGE = 2, EXIT_IO = 3 };

struct answer {
    char *bytes;
    size_t size;
    size_t capacity;
};

static struct answer answer;
static char out_buffer[1 << 16];

static const struct {
    const char *name;
    int (*run)(const struct job *job);
} levels[] = {
    {"records", level_records}, {"events", level_events}, {"findings", level_findings},
    {"exit", level_exit},       {"write", level_write},
};

static bool keep(void *context, const char *bytes, size_t size)
{
    struct answer *to = context;
    if (to->capacity - to->size < size) {
        to->capacity = 2 * (to->capacity + size);
        to->bytes = realloc(to->bytes, to->capacity);
        if (to->bytes == NULL)
            abort();
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static int run(int (*level)(const struct job *job), enum fxt_edition edition, const uint8_t *bytes,
               size_t size)
{
    struct fxt_out out = {out_buffer, sizeof out_buffer, 0, keep, &answer, false};
    struct job job = {bytes, size, edition, &out};
    answer.size = 0;
    int code = level(&job);
    fxt_out_flush(&out);
    return code;
}

static void put32(uint8_t *to, size_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

static size_t get32(const uint8_t *from)
{
    return (size_t)from[0] | (size_t)from[1] << 8 | (size_t)from[2] << 16 | (size_t)from[3] << 24;
}

/* The pipe transport: input after input, until there is none. */
static int serve(int (*level)(const struct job *job), enum fxt_edition edition, uint8_t *input)
{
    uint8_t head[8];
    size_t got;
    while ((got = fread(head, 1, 4, stdin)) == 4) {
        size_t size = get32(head);
        if (size > INPUT_MAX || fread(input, 1, size, stdin) != size)
            return EXIT_IO;
        put32(head, (size_t)run(level, edition, input, size));
        put32(head + 4, answer.size);
        if (fwrite(head, 1, 8, stdout) != 8 ||
            fwrite(answer.bytes, 1, answer.size, stdout) != answer.size || fflush(stdout) != 0)
            return EXIT_IO;
    }
    return got == 0 ? 0 : EXIT_IO;
}

static int read_one(int (*level)(const struct job *job), enum fxt_edition edition, uint8_t *input,
                    const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return EXIT_IO;
    }
    size_t size = fread(input, 1, INPUT_MAX, file);
    bool failed = ferror(file) != 0 || fgetc(file) != EOF;
    fclose(file);
    if (failed) {
        fprintf(stderr, "native: %s cannot be read, or is larger than %d bytes\n", path, INPUT_MAX);
        return EXIT_IO;
    }
    int code = run(level, edition, input, size);
    if (fwrite(answer.bytes, 1, answer.size, stdout) != answer.size || fflush(stdout) != 0)
        return EXIT_IO;
    return code;
}

static int usage(void)
{
    fprintf(stderr, "usage: native LEVEL [--edition=2020|current] FILE|--pipe\n"
                    "LEVEL: records, events, findings, exit, write\n");
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    enum fxt_edition edition = FXT_EDITION_CURRENT;
    int at = 2;
    if (at < argc && strncmp(argv[at], "--edition=", 10) == 0) {
        if (strcmp(argv[at] + 10, "2020") == 0)
            edition = FXT_EDITION_2020;
        else if (strcmp(argv[at] + 10, "current") != 0)
            return usage();
        at++;
    }
    if (at + 1 != argc)
        return usage();
    size_t level = 0;
    while (level < sizeof levels / sizeof levels[0] && strcmp(argv[1], levels[level].name) != 0)
        level++;
    if (level == sizeof levels / sizeof levels[0])
        return usage();
    uint8_t *input = malloc(INPUT_MAX);
    answer.capacity = 1 << 16;
    answer.bytes = malloc(answer.capacity);
    int code = EXIT_IO;
    if (input != NULL && answer.bytes != NULL)
        code = strcmp(argv[at], "--pipe") == 0
                   ? serve(levels[level].run, edition, input)
                   : read_one(levels[level].run, edition, input, argv[at]);
    free(input);
    free(answer.bytes);
    return code;
}
