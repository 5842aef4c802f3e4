/* The traces that the benchmarks run on, made by the writer. Each is canonical and passes the
   checker without a finding, in both editions.

     tiny      duration begins and ends of 2 words: nothing but indexed references
     typical   all event types, logs, objects and switches of three providers with four threads
               each, 0 to 3 arguments of mixed types, some inline strings, registrations in between
     args      events of 8 to 15 arguments: doubles, 64-bit numbers, strings, inline strings */
#ifndef FXT_BENCH_SHAPES_H
#define FXT_BENCH_SHAPES_H

#include <fxt/write.h>

enum shape { SHAPE_TINY, SHAPE_TYPICAL, SHAPE_ARGS, SHAPE_COUNT };

#define SHAPE_BYTES_MIN 65536u

const char *shape_name(enum shape shape);

/* Fills bytes[0 .. capacity - 1] (at least SHAPE_BYTES_MIN) with a whole trace that leaves at most
   64 KiB of it unused. The same shape and capacity give the same trace. Returns its size, and in
   *records how many records it has; 0 when the writer refused a record, which is a bug. */
uint64_t shape_fill(enum shape shape, uint8_t *bytes, uint64_t capacity, uint64_t *records);

#endif
