/* Clock, statistics, options and printing of the benchmarks. The state is `sink`, and the memory
   that is given out. */
#include "bench/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile uint64_t sink;

_Noreturn void bench_fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* What bench_memory has given and bench_free has not taken back. */
static void *blocks[64];

static void **place_of(const void *block)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (blocks[i] == block)
            return &blocks[i];
    bench_fail("no such block, or too many of them");
}

static void free_blocks(void)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
}

void bench_free(void *memory)
{
    *place_of(memory) = NULL;
    free(memory);
}

void *bench_memory(uint64_t size)
{
    static bool started;
    void *memory = aligned_alloc(64, (size_t)((size + 63) / 64 * 64));
    if (memory == NULL)
        bench_fail("out of memory");
    if (!started)
        atexit(free_blocks);
    started = true;
    memset(memory, 0, (size_t)size);
    *place_of(NULL) = memory;
    return memory;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double time_runs(bench_work *work, void *context, unsigned runs)
{
    double start = now();
    for (unsigned i = 0; i < runs; i++)
        sink += work(context);
    return (now() - start) / runs;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* How often the work must run to take the time that a measurement takes at least. */
static unsigned runs_of(const struct bench_task *task, const struct bench_options *options)
{
    double once = time_runs(task->work, task->context, 1); /* warms up, too */
    if (once >= options->min_seconds)
        return 1;
    return (unsigned)(options->min_seconds / (once > 1e-7 ? once : 1e-7)) + 1;
}

void bench_measure(const struct bench_task *tasks, size_t count,
                   const struct bench_options *options)
{
    static double times[BENCH_TASKS_MAX][BENCH_REPEATS_MAX];
    unsigned runs[BENCH_TASKS_MAX];

    if (count > BENCH_TASKS_MAX || options->repeats > BENCH_REPEATS_MAX)
        bench_fail("too many tasks");
    for (size_t i = 0; i < count; i++)
        runs[i] = runs_of(&tasks[i], options);
    for (unsigned turn = 0; turn < options->repeats; turn++)
        for (size_t i = 0; i < count; i++)
            times[i][turn] = time_runs(tasks[i].work, tasks[i].context, runs[i]);
    for (size_t i = 0; i < count; i++) {
        qsort(times[i], options->repeats, sizeof times[i][0], compare);
        tasks[i].row->best = times[i][0];
        tasks[i].row->median = times[i][options->repeats / 2];
    }
}

struct bench_row *bench_add(struct bench_report *report, const char *shape, const char *memory,
                            const char *name)
{
    if (report->count == BENCH_ROWS_MAX)
        bench_fail("too many rows");
    struct bench_row *row = &report->rows[report->count++];
    memset(row, 0, sizeof *row);
    row->shape = shape;
    row->memory = memory;
    row->name = name;
    return row;
}

double bench_gb_per_second(const struct bench_row *row)
{
    return row->best > 0 ? (double)row->bytes / row->best / 1e9 : 0;
}

double bench_ns_per_record(const struct bench_row *row)
{
    return row->records > 0 ? row->best * 1e9 / (double)row->records : 0;
}

/* The share of the floor's speed that the row reaches; 1 is as fast as the floor. */
static double ratio(double floor, const struct bench_row *row)
{
    return row->best > 0 ? floor / row->best : 0;
}

static void print_table(const struct bench_report *report)
{
    printf("%-8s %-7s %-14s %9s %10s %11s %8s %8s\n", "shape", "memory", "row", "GB/s", "ns/record",
           "GB/s median", "/memcpy", "/hop");
    for (size_t i = 0; i < report->count; i++) {
        const struct bench_row *row = &report->rows[i];
        printf("%-8s %-7s %-14s %9.2f %10.2f %11.2f", row->shape, row->memory, row->name,
               bench_gb_per_second(row), bench_ns_per_record(row),
               row->median > 0 ? (double)row->bytes / row->median / 1e9 : 0);
        printf(" %8.3f", ratio(row->floor_copy, row));
        if (row->floor_hop > 0)
            printf(" %8.3f", ratio(row->floor_hop, row));
        putchar('\n');
    }
}

static void print_json(const struct bench_report *report, const char *bench)
{
    printf("{\"bench\":\"%s\",\"rows\":[", bench);
    for (size_t i = 0; i < report->count; i++) {
        const struct bench_row *row = &report->rows[i];
        printf("%s\n{\"shape\":\"%s\",\"memory\":\"%s\",\"row\":\"%s\",\"bytes\":%llu,"
               "\"records\":%llu,\"seconds\":%.9g,\"median_seconds\":%.9g,"
               "\"gb_per_second\":%.6g,\"ns_per_record\":%.6g,\"of_memcpy\":%.6g,\"of_hop\":%.6g}",
               i == 0 ? "" : ",", row->shape, row->memory, row->name,
               (unsigned long long)row->bytes, (unsigned long long)row->records, row->best,
               row->median, bench_gb_per_second(row), bench_ns_per_record(row),
               ratio(row->floor_copy, row), ratio(row->floor_hop, row));
    }
    printf("\n]}\n");
}

void bench_print(const struct bench_report *report, const struct bench_options *options,
                 const char *bench)
{
    if (options->json)
        print_json(report, bench);
    else
        print_table(report);
}

static _Noreturn void usage(FILE *to, int code)
{
    fputs("usage: bench [--quick] [--json] [--repeats N] [--megabytes N] [--file F]\n"
          "  --quick        fewer and shorter measurements, 64 MiB instead of 256 MiB\n"
          "  --json         rows as JSON\n"
          "  --repeats N    measurements a row, 1 to 64 (9)\n"
          "  --megabytes N  size of the traces that are out of cache, 1 to 4096 (256)\n"
          "  --file F       read_bench: run on this trace\n"
          "Figures are of the best measurement. /memcpy and /hop are shares of the speed of the\n"
          "floors of the same run: copying the same bytes, hopping from header to header.\n",
          to);
    exit(code);
}

static unsigned long number(const char *text, unsigned long max)
{
    char *end;
    unsigned long value = text == NULL ? 0 : strtoul(text, &end, 10);
    if (value == 0 || value > max || *end != '\0')
        usage(stderr, 2);
    return value;
}

struct bench_options bench_options(int argc, char **argv)
{
    struct bench_options options = {
        .large = UINT64_C(256) << 20, .repeats = 9, .min_seconds = 0.02};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            options.large = UINT64_C(64) << 20;
            options.repeats = 3;
            options.min_seconds = 0.002;
        } else if (strcmp(argv[i], "--json") == 0) {
            options.json = true;
        } else if (strcmp(argv[i], "--repeats") == 0) {
            options.repeats = (unsigned)number(argv[++i], 64);
        } else if (strcmp(argv[i], "--megabytes") == 0) {
            options.large = (uint64_t)number(argv[++i], 4096) << 20;
        } else if (strcmp(argv[i], "--file") == 0 && i + 1 < argc) {
            options.file = argv[++i];
        } else {
            usage(strcmp(argv[i], "--help") == 0 ? stdout : stderr,
                  strcmp(argv[i], "--help") == 0 ? 0 : 2);
        }
    }
    return options;
}
