/* The program that the demo records: a walker and three compressors, each a process and a trace
   provider. It compresses the files of a directory tree in memory, and also works without a
   trace. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/tools/demo/providing.h"
#include "src/tools/demo/work.h"

#define COMPRESSOR "--compressor" /* arguments with which the program starts itself */

struct options {
    const char *directory;
    uint64_t files;
    uint64_t seconds;
};

static _Noreturn void usage(FILE *to, int code)
{
    fputs("usage: pipeline [OPTION]... [DIRECTORY]\n"
          "Compresses the files of DIRECTORY (/usr/share/doc) in memory.\n"
          "  -n N  at most N files (2000)\n"
          "  -s N  at most N seconds of walking (3)\n",
          to);
    exit(code);
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "pipeline: %s: %s\n", what, strerror(errno));
    exit(1);
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

static void parse(struct options *options, int argc, char **argv)
{
    int option;

    *options = (struct options){"/usr/share/doc", 2000, 3};
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        usage(stdout, 0);
    while ((option = getopt(argc, argv, "n:s:h")) != -1) {
        if (option == 'n')
            options->files = number(optarg);
        else if (option == 's')
            options->seconds = number(optarg);
        else
            usage(option == 'h' ? stdout : stderr, option == 'h' ? 0 : 2);
    }
    if (argc - optind > 1)
        usage(stderr, 2);
    if (optind < argc)
        options->directory = argv[optind];
}

/* The compressors. */

static int be_compressor(char **argv)
{
    struct providing self;

    providing_begin(&self, argv[0]);
    work_compress(atoi(argv[2]), atoi(argv[3]));
    providing_end(&self);
    return 0;
}

/* Starts a compressor under its name in the trace. */
static pid_t start_compressor(int which, int jobs, int results)
{
    char name[32];
    char in[16];
    char out[16];
    char *const arguments[] = {name, (char[]){COMPRESSOR}, in, out, NULL};

    snprintf(name, sizeof name, "compressor %d", which + 1);
    snprintf(in, sizeof in, "%d", jobs);
    snprintf(out, sizeof out, "%d", results);
    pid_t process = fork();
    if (process == 0) {
        execv("/proc/self/exe", arguments);
        _exit(127);
    }
    if (process < 0)
        fail("fork");
    return process;
}

static void make_pair(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
        fail("socketpair");
}

/* Collects the results until all compressors have ended. */
static struct done add_up(int results)
{
    struct done all = {0, 0};
    struct done one;

    while (recv(results, &one, sizeof one, 0) == (ssize_t)sizeof one) {
        all.bytes_in += one.bytes_in;
        all.bytes_out += one.bytes_out;
    }
    return all;
}

static bool wait_for(const pid_t *processes)
{
    bool good = true;

    for (int i = 0; i < WORK_COMPRESSORS; i++) {
        int status;
        good = waitpid(processes[i], &status, 0) == processes[i] && status == 0 && good;
    }
    return good;
}

static bool run(struct work *work)
{
    pid_t processes[WORK_COMPRESSORS];
    int jobs[2];
    int results[2];

    make_pair(jobs);
    make_pair(results);
    for (int i = 0; i < WORK_COMPRESSORS; i++)
        processes[i] = start_compressor(i, jobs[0], results[1]);
    close(jobs[0]);
    close(results[1]);
    work->jobs = jobs[1];
    work_walk(work);
    shutdown(jobs[1], SHUT_WR); /* the compressors have inherited this end */
    shutdown(results[0], SHUT_WR);
    struct done all = add_up(results[0]);
    printf(
        "pipeline: %llu files in %llu directories: %.1f MB compressed to %.1f MB by %d processes\n",
        (unsigned long long)work->files, (unsigned long long)work->directories,
        (double)all.bytes_in / 1e6, (double)all.bytes_out / 1e6, WORK_COMPRESSORS);
    return wait_for(processes) && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct providing self;
    struct work work = {0};

    if (argc == 4 && strcmp(argv[1], COMPRESSOR) == 0)
        return be_compressor(argv);
    parse(&options, argc, argv);
    work.directory = options.directory;
    work.file_max = options.files;
    providing_begin(&self, "walker");
    work.deadline = now_ns() + options.seconds * UINT64_C(1000000000);
    bool good = run(&work);
    if (work.directories == 0) {
        fprintf(stderr, "pipeline: cannot read %s\n", options.directory);
        good = false;
    }
    providing_end(&self);
    return good ? 0 : 1;
}
