/* What every benchmark does: time a piece of work several times, keep the best and the median, and
   print rows as a table or as JSON. Rows of one run are compared with each other only. */
#ifndef FXT_BENCH_HARNESS_H
#define FXT_BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_options {
    const char *file;   /* --file: a trace to run on instead of the shapes; NULL: none */
    uint64_t large;     /* bytes of a trace that is out of cache */
    unsigned repeats;   /* measurements a row */
    double min_seconds; /* that one measurement takes at least, by running the work again */
    bool json;
};

#define BENCH_CACHED_BYTES (256u << 10)
#define BENCH_ROWS_MAX 256

struct bench_row {
    const char *shape;
    const char *memory; /* "cache", "memory" */
    const char *name;
    uint64_t bytes; /* that one run of the work takes in, or gives out */
    uint64_t records;
    double best; /* seconds of one run */
    double median;
    double floor_copy; /* seconds of the floors of the same shape and memory; 0: none */
    double floor_hop;
};

struct bench_report {
    struct bench_row rows[BENCH_ROWS_MAX];
    size_t count;
};

/* The work: returns a number that depends on all that it did, so that nothing is optimized away. */
typedef uint64_t bench_work(void *context);

struct bench_task {
    struct bench_row *row;
    bench_work *work;
    void *context;
};

#define BENCH_TASKS_MAX 16
#define BENCH_REPEATS_MAX 64

/* Fills in best and median of each task's row. The tasks take turns, one measurement each, so that
   what disturbs the machine for a while disturbs floors and rows alike. */
void bench_measure(const struct bench_task *tasks, size_t count,
                   const struct bench_options *options);

/* Adds the row to the report and returns it; ends the program when there is no room. */
struct bench_row *bench_add(struct bench_report *report, const char *shape, const char *memory,
                            const char *name);

/* GB (10^9 bytes) a second and ns a record, of the best run. */
double bench_gb_per_second(const struct bench_row *row);
double bench_ns_per_record(const struct bench_row *row);

void bench_print(const struct bench_report *report, const struct bench_options *options,
                 const char *bench);

/* --quick, --json, --repeats N, --megabytes N, --file F; ends the program for --help and errors. */
struct bench_options bench_options(int argc, char **argv);

/* Memory that is there (its pages are written), or the end of the program, which frees what
   bench_free was not called for. */
void *bench_memory(uint64_t size);
void bench_free(void *memory);

/* Ends the program. */
_Noreturn void bench_fail(const char *what);

#endif
