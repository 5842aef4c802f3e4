/* A program that traces itself: it compresses the files of a directory tree with a few threads that
   say what they do by the macros of <trace/event.h>; then it checks the trace and converts it.
   Nothing is installed, started or connected to; both files open in ui.perfetto.dev. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <trace/file.h>
#include <unistd.h>

#include "src/tools/demo/result.h"
#include "src/tools/demo/work.h"

struct options {
    char directory[PATH_MAX];
    char trace[PATH_MAX];
    char json[PATH_MAX + 8];
    uint64_t files;
    uint64_t seconds;
};

static _Noreturn void usage(FILE *to, int code)
{
    fputs(
        "usage: demo [OPTION]... [DIRECTORY]\n"
        "Compresses the files of DIRECTORY (/usr/share/doc) in memory and traces itself doing so.\n"
        "  -o FILE  where the trace goes (demo.fxt); the JSON lies beside it\n"
        "  -n N     at most N files (2000)\n"
        "  -s N     at most N seconds of walking (3)\n"
        "Exit status: 0, 1 when anything failed or the trace has findings, 2 usage.\n",
        to);
    exit(code);
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value == 0 || value > 1000000)
        usage(stderr, 2);
    return value;
}

/* Relative paths mean those of whoever called `bazel run`. */
static void resolve(char *out, const char *path)
{
    const char *base = getenv("BUILD_WORKING_DIRECTORY");
    if (path[0] == '/' || base == NULL)
        snprintf(out, PATH_MAX, "%s", path);
    else
        snprintf(out, PATH_MAX, "%.2000s/%.2000s", base, path);
}

static void parse(struct options *options, int argc, char **argv)
{
    const char *trace = "demo.fxt";
    const char *directory = access("/usr/share/doc", R_OK | X_OK) == 0 ? "/usr/share/doc" : ".";
    int option;

    options->files = 2000;
    options->seconds = 3;
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        usage(stdout, 0);
    while ((option = getopt(argc, argv, "o:n:s:h")) != -1) {
        if (option == 'o')
            trace = optarg;
        else if (option == 'n')
            options->files = number(optarg);
        else if (option == 's')
            options->seconds = number(optarg);
        else
            usage(option == 'h' ? stdout : stderr, option == 'h' ? 0 : 2);
    }
    if (argc - optind > 1)
        usage(stderr, 2);
    if (optind < argc)
        directory = argv[optind];
    resolve(options->trace, trace);
    resolve(options->directory, directory);
    size_t length = strlen(options->trace);
    if (length > 4 && strcmp(options->trace + length - 4, ".fxt") == 0)
        length -= 4;
    snprintf(options->json, sizeof options->json, "%.*s.json", (int)length, options->trace);
}

/* Runs the threads; this one walks. */
static bool run(struct work *work, struct compressor *compressors)
{
    bool started = true;

    name_thread("walker");
    for (unsigned i = 0; i < WORK_COMPRESSORS; i++) {
        compressors[i].work = work;
        compressors[i].number = i;
        compressors[i].started =
            pthread_create(&compressors[i].thread, NULL, work_compress, &compressors[i]) == 0;
        started = started && compressors[i].started;
    }
    if (!started) {
        fprintf(stderr, "demo: no threads\n");
        work->file_max = 0;
    }
    work_walk(work);
    for (unsigned i = 0; i < WORK_COMPRESSORS; i++)
        if (compressors[i].started)
            pthread_join(compressors[i].thread, NULL);
    return started;
}

static void report(const struct options *options, const struct work *work,
                   const struct contents *contents, uint64_t size, uint64_t json_events)
{
    struct stat json;
    long long json_size = stat(options->json, &json) == 0 ? (long long)json.st_size : 0;

    printf("%llu files in %llu directories: %.1f MB compressed to %.1f MB by %d threads\n",
           (unsigned long long)work->files, (unsigned long long)work->directories,
           (double)work->bytes_in / 1e6, (double)work->bytes_out / 1e6, WORK_COMPRESSORS);
    printf("%s\n  %llu bytes, %llu records, %llu events, %llu flows, %llu threads, %.3f s; "
           "checked: no findings\n",
           options->trace, (unsigned long long)size, (unsigned long long)contents->records,
           (unsigned long long)contents->events, (unsigned long long)contents->flows,
           (unsigned long long)contents->threads,
           (double)(contents->last - contents->first) / (double)contents->ticks_per_second);
    printf("%s\n  %lld bytes, %llu events\n", options->json, json_size,
           (unsigned long long)json_events);
    printf("To look at either: open https://ui.perfetto.dev and drag the file into it.\n"
           "To read the trace here: fxt stat, fxt dump or fxt check, and the file.\n");
}

/* Traces the work into the file. */
static bool trace(const struct options *options, struct work *work, struct compressor *compressors)
{
    uint64_t dropped = 0;
    int error = fxt_trace_start(options->trace, NULL);
    bool good = error == 0 && run(work, compressors);

    if (error == 0)
        error = fxt_trace_stop(&dropped);
    if (error != 0)
        fprintf(stderr, "demo: %s: %s\n", options->trace, strerror(error));
    if (dropped != 0)
        fprintf(stderr, "demo: %llu records found no room\n", (unsigned long long)dropped);
    if (good && work->directories == 0) {
        fprintf(stderr, "demo: cannot read %s\n", options->directory);
        good = false;
    }
    return good && error == 0 && dropped == 0;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct work work = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .changed = PTHREAD_COND_INITIALIZER};
    static struct compressor compressors[WORK_COMPRESSORS];
    struct archive archive = {NULL, 0};
    struct contents contents;
    uint64_t json_events = 0;

    parse(&options, argc, argv);
    work.directory = options.directory;
    work.file_max = options.files;
    work.deadline = now_ns() + options.seconds * UINT64_C(1000000000);
    bool good = trace(&options, &work, compressors) && result_load(&archive, options.trace) &&
                result_check(&contents, &archive, 2 * work.files) &&
                result_save_json(&json_events, options.json, &archive);
    if (good)
        report(&options, &work, &contents, archive.size, json_events);
    free(archive.bytes);
    return good ? 0 : 1;
}
