/* main() for joint_fuzzer without a fuzzer, for as long as one likes.

     joint_simulate [--from N] [--count N] [--seconds N]   seeds from N on: so many, or for so long
     joint_simulate --from N --write FILE                  the input that is seed N, for joint_replay

   A seed is an input: its bytes are those of a pseudo-random sequence. Each tenth is run twice, and has
   to do the same. The last line says how many were run. A seed that goes wrong is named, and aborts. */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/lib/oracle.h"

enum { HEAD = 8, STEP_BYTES = 3, STEPS_MAX = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
uint64_t joint_digest(void);

static uint64_t seed;

static void on_abort(int number)
{
    (void)number;
    fflush(stdout);
    fprintf(stderr, "seed %" PRIu64 " goes wrong\n", seed);
}

static size_t make_input(uint8_t bytes[HEAD + STEPS_MAX * STEP_BYTES])
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    for (int i = 0; i < 8; i++) /* neighbours differ in few bits at first */
        fuzz_random(&state);
    size_t size = HEAD + STEP_BYTES * (1 + fuzz_random(&state) % STEPS_MAX);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(fuzz_random(&state) >> 24);
    bytes[5] >>= bytes[4] & 7; /* most runs are short */
    if ((bytes[4] & 8) != 0)   /* half of them live */
        memset(bytes + 4, 0, 2);
    bytes[0] &= bytes[0] >> 7 ? 0xff : 0xbf;
    return size;
}

static uint64_t run(void)
{
    uint8_t bytes[HEAD + STEPS_MAX * STEP_BYTES];
    LLVMFuzzerTestOneInput(bytes, make_input(bytes));
    return joint_digest();
}

static bool run_twice(void)
{
    uint64_t digest = run();
    if (run() == digest)
        return true;
    fprintf(stderr, "seed %" PRIu64 " does something else the second time\n", seed);
    return false;
}

static void write_input(const char *path)
{
    uint8_t bytes[HEAD + STEPS_MAX * STEP_BYTES];
    size_t size = make_input(bytes);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static _Noreturn void usage(void)
{
    fprintf(stderr, "usage: joint_simulate [--from N] [--count N] [--seconds N] [--write FILE]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = UINT64_MAX, seconds = UINT64_MAX, runs = 0;
    const char *path = NULL;
    bool equal = true;

    for (int i = 1; i < argc; i += 2) {
        uint64_t number = i + 1 < argc ? strtoull(argv[i + 1], NULL, 10) : 0;
        if (i + 1 == argc)
            usage();
        else if (strcmp(argv[i], "--from") == 0)
            first = number;
        else if (strcmp(argv[i], "--count") == 0)
            count = number;
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = number;
        else if (strcmp(argv[i], "--write") == 0)
            path = argv[i + 1];
        else
            usage();
    }
    seed = first;
    if (path != NULL) {
        write_input(path);
        return 0;
    }
    signal(SIGABRT, on_abort);
    time_t began = time(NULL);
    for (; equal && runs < count && (uint64_t)(time(NULL) - began) < seconds; seed++, runs++) {
        if (runs % 10 == 0)
            equal = run_twice();
        else
            run();
    }
    printf("%" PRIu64 " seeds from %" PRIu64 " in %.0f s of CPU time%s\n", runs, first,
           (double)clock() / CLOCKS_PER_SEC, equal ? "" : ": one does not repeat");
    return !equal;
}
