#include "fuzz/tools/run.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/lib/oracle.h"
#include "src/cli/program.h"
#include "src/tools/fxt/commands.h"

#define ARGUMENTS_MAX 13

const struct program program = {.name = "fxt", .operands = "", .help_end = ""};

static const struct command *const commands[] = {
    &command_check,  &command_cut,    &command_diff,    &command_dump,   &command_export,
    &command_filter, &command_fmt,    &command_html,    &command_import, &command_json,
    &command_merge,  &command_report, &command_salvage, &command_stat,
};

bool tool_number(uint64_t *number, const char *line, const char *name)
{
    const char *at = memmem(line, strcspn(line, "\n"), name, strlen(name));
    return at != NULL && sscanf(at + strlen(name), "%*[\" :]%lu", number) == 1;
}

const char *tool_directory(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

static int new_file(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    return fd;
}

static int run_main(int argc, char **argv)
{
    optind = 0; /* a program parses one line: getopt forgets the one before */
    return program_main(commands, sizeof commands / sizeof *commands, argc, argv);
}

/* A command closes its stdout: the descriptor is taken again, so that no file gets its number. */
static void take_output(struct tool_result *result, int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    FUZZ_CHECK(size >= 0);
    result->size = (size_t)size;
    result->bytes = fuzz_need(result->size + 1, 1);
    FUZZ_CHECK(pread(fd, result->bytes, result->size, 0) == size);
    FUZZ_CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    close(fd);
}

static void check_said(const char *text)
{
    for (; *text != '\0'; text++)
        FUZZ_CHECK(((unsigned char)*text >= 0x20 && *text != 0x7f) || *text == '\n');
}

struct tool_result tool_run(const char *const *arguments)
{
    static char allow_empty[] = "--allow-empty";
    struct tool_result result = {0};
    char *argv[ARGUMENTS_MAX + 1] = {(char[]){"fxt"}};
    int argc = 1;
    size_t said_size;
    FILE *usual = stderr;
    int fd = new_file("stdout");

    for (; *arguments != NULL; arguments++)
        if (**arguments != '\0') {
            FUZZ_CHECK(argc < ARGUMENTS_MAX - 1);
            argv[argc++] = (char *)(uintptr_t)*arguments; /* getopt changes their order alone */
        }
    /* The laws hold for a trace without records, too. */
    if (strcmp(argv[1], "salvage") != 0 && strcmp(argv[1], "import") != 0)
        argv[argc++] = allow_empty;
    FUZZ_CHECK(setenv("TMPDIR", tool_directory(), 1) == 0);
    fflush(stdout); /* what AFL++'s driver has printed */
    FUZZ_CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    stderr = open_memstream(&result.said, &said_size);
    FUZZ_CHECK(stderr != NULL);
    result.code = run_main(argc, argv);
    fclose(stderr);
    stderr = usual;
    take_output(&result, fd);
    check_said(result.said);
    return result;
}

void tool_release(struct tool_result *result)
{
    free(result->bytes);
    free(result->said);
}

struct tool_file tool_file(const void *bytes, size_t size)
{
    struct tool_file file = {.fd = new_file("trace")};
    FUZZ_CHECK(write(file.fd, bytes, size) == (ssize_t)size);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

void tool_close(const struct tool_file *file)
{
    close(file->fd);
}
