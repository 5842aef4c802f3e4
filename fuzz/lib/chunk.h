/* A trace in pieces: each piece in memory of its own that ends where the piece ends. */
#ifndef FXT_FUZZ_CHUNK_H
#define FXT_FUZZ_CHUNK_H

#include <fxt/read.h>

struct fuzz_chunks {
    struct fxt_reader reader;
    const uint8_t *bytes; /* the whole trace */
    uint8_t *chunk;       /* unread bytes and new ones */
    uint64_t size;
    uint64_t given;
    uint64_t random;
    uint64_t step_max;
};

/* `random` chooses the sizes of the pieces. */
void fuzz_chunks_begin(struct fuzz_chunks *chunks, const uint8_t *bytes, uint64_t size,
                       uint64_t random);
void fuzz_chunks_end(struct fuzz_chunks *chunks);

/* fxt_reader_next, with more bytes whenever the reader asks: never FXT_MORE. Records of more than
   `words_max` words that are not there as a whole are given up: FXT_FULL. */
enum fxt_status fuzz_chunks_next(struct fuzz_chunks *chunks, struct fxt_record *record,
                                 struct fxt_error *error, uint64_t words_max);

#endif
