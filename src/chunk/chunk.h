/* The words of a provider's buffer that are no records of a trace: the words of the header that
   change while tracing runs, heads of leases, and fillers. The engine writes them. The manager and
   `fxt salvage` read them. Only this file knows their bits; src/buffer/header.c knows the rest of
   the header. See spec/system.md, section 1. Implements BUF-09 and BUF-10. */
#ifndef FXT_CHUNK_CHUNK_H
#define FXT_CHUNK_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/record.h>

#include "src/wire/layout.h"

/* Bytes of the header where these words begin. */
#define FXT_I_HEADER_SECOND 8 /* mode, flags, wrapped count */
#define FXT_I_HEADER_DURABLE_END 40
#define FXT_I_HEADER_ROLLING_END 48 /* of half 0; the next word is that of half 1 */
#define FXT_I_HEADER_DROPPED 64
#define FXT_I_HEADER_INLINED 72

/* The second word. Its lowest 16 bits are the version, 0. */
static inline uint64_t fxt_i_header_second(uint16_t mode, uint16_t flags, uint32_t wrapped)
{
    return (uint64_t)mode << 16 | (uint64_t)flags << 24 | (uint64_t)wrapped << 32;
}

static inline uint32_t fxt_i_header_wrapped(uint64_t second)
{
    return (uint32_t)(second >> 32);
}

#define FXT_I_CHUNK 14  /* metadata type: the head of a lease */
#define FXT_I_FILLER 15 /* metadata type, and large type */

/* Returns the size in bytes of a record, from its first word. */
static inline uint64_t fxt_i_record_bytes(uint64_t word)
{
    bool large = fxt_record_header_type(word) == FXT_RECORD_LARGE;
    return 8 *
           (large ? (uint64_t)fxt_large_header_size(word) : (uint64_t)fxt_record_header_size(word));
}

/* Returns the first word of a filler of `bytes` bytes. */
static inline uint64_t fxt_i_filler(uint64_t bytes)
{
    uint64_t words = bytes / 8;
    if (__builtin_expect(words <= FXT_RECORD_WORDS_MAX, 1))
        return fxt_pack_metadata_header((uint16_t)words, FXT_I_FILLER);
    return fxt_pack_large_header((uint32_t)words, FXT_I_FILLER);
}

/* Returns whether the word begins a filler or is the head of a lease. No record of a trace begins
   like that. */
static inline bool fxt_i_is_filler(uint64_t word)
{
    if (fxt_record_header_type(word) == FXT_RECORD_METADATA)
        return fxt_metadata_header_metadata_type(word) >= FXT_I_CHUNK;
    return fxt_record_header_type(word) == FXT_RECORD_LARGE &&
           fxt_large_header_large_type(word) == FXT_I_FILLER;
}

/* The head of a lease is a record of one word. Bits 20 to 39 hold its number of chunks, less 1, and
   bits 40 to 63 the low bits of the wrapped count. */
#define FXT_I_LEASE_CHUNKS_BITS UINT64_C(0xfffff)
#define FXT_I_LEASE_LAP_BITS UINT32_C(0xffffff) /* of a wrapped count */

static inline uint64_t fxt_i_lease_head(uint32_t wrapped, uint32_t chunks)
{
    return fxt_pack_metadata_header(1, FXT_I_CHUNK) | (uint64_t)(chunks - 1) << 20 |
           (uint64_t)(wrapped & FXT_I_LEASE_LAP_BITS) << 40;
}

static inline bool fxt_i_is_lease_head(uint64_t word)
{
    return fxt_metadata_header_type(word) == FXT_RECORD_METADATA &&
           fxt_metadata_header_metadata_type(word) == FXT_I_CHUNK &&
           fxt_metadata_header_size(word) == 1;
}

static inline uint64_t fxt_i_lease_head_chunks(uint64_t head)
{
    return (head >> 20 & FXT_I_LEASE_CHUNKS_BITS) + 1;
}

static inline bool fxt_i_lease_head_is_of(uint64_t head, uint32_t wrapped)
{
    return head >> 40 == (wrapped & FXT_I_LEASE_LAP_BITS);
}

#endif
