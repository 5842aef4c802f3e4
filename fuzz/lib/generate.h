/* Records out of nothing, by an encoder of the fuzzers' own: written from the tables of the format
   and not from src/write or src/wire, so that a mistake there does not hide itself. */
#ifndef FXT_FUZZ_GENERATE_H
#define FXT_FUZZ_GENERATE_H

#include "fuzz/lib/any.h"

/* Where choices come from: bytes, as long as there are some, then a sequence. */
struct fuzz_source {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    uint64_t random; /* not 0 */
    uint64_t clock;  /* of plain records: their times do not run backwards */
    bool plain; /* this record has references that fuzz_generate_trace registers, and no streams */
};

static inline bool fuzz_source_empty(const struct fuzz_source *source)
{
    return source->at == source->size;
}

/* Below `bound`, which is 1 … 2^32. Takes no byte for a bound of 1. */
uint64_t fuzz_pick(struct fuzz_source *source, uint64_t bound);

/* The fields of a record that the writer must take, unless it gets too long. References are to
   indices 1 … 7, threads 1 … 3. Strings and payloads lie in memory that stays.
   Half of the records are plain. */
void fuzz_generate(struct fuzz_record *out, struct fuzz_source *source);

/* One thing in the record that the writer must refuse, if its kind has such a thing: false if
   not. */
bool fuzz_generate_invalid(struct fuzz_record *record, struct fuzz_source *source);

/* Room for the longest record of which each part is in range. */
#define FUZZ_EMIT_MAX (1u << 21)

/* Encodes the fields. Returns the size in bytes. When the record, or an argument, is longer than its
   size field can say, *fits is false and the bytes are no record. */
size_t fuzz_emit(uint8_t *out, bool *fits, const struct fuzz_record *in);

/* A whole trace of at most `capacity` bytes: magic, providers, registrations, records. Returns its
   size. */
size_t fuzz_generate_trace(uint8_t *out, size_t capacity, uint64_t random);

#endif
