/* Decodes every field of a record and every argument, and adds them all up, so that no load of them
   can be left out. Records that do not decode add nothing. */
#ifndef FXT_BENCH_DECODE_H
#define FXT_BENCH_DECODE_H

#include <fxt/read.h>

uint64_t bench_decode(const struct fxt_record *record);

#endif
