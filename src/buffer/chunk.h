/* The words of a provider's buffer that are no records of a trace: the words of the header that
   change while tracing runs, heads of leases, and fillers. The engine writes them. The manager and
   `fxt salvage` read them. Only this file knows their bits; src/buffer/header.c knows the rest of
   the header. See spec/system.md, section 1. Implements BUF-09 and BUF-10. */
#ifndef FXT_BUFFER_CHUNK_H
#define FXT_BUFFER_CHUNK_H

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

/*@ // A record that a reader of a buffer passes over; no record of a trace begins like that. BUF-09
  @ predicate is_filler(integer w) =
  @   (l_record_header_type(w) == 0 && l_metadata_header_metadata_type(w) >= 14) ||
  @   (l_record_header_type(w) == 15 && l_large_header_large_type(w) == 15);
  @ // The size in bytes of a record, from its first word.
  @ logic integer l_record_bytes(integer w) =
  @   8 * (l_record_header_type(w) == 15 ? l_large_header_size(w) : l_record_header_size(w));
  @ // The head of a lease: a record of one word. BUF-10
  @ predicate is_lease_head(integer w) =
  @   l_record_header_type(w) == 0 && l_metadata_header_metadata_type(w) == 14 &&
  @   l_record_header_size(w) == 1;
  @*/

/* The second word. Its lowest 16 bits are the version, 0. */
/*@ requires mode <= 255 && flags <= 255;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == mode * 65536 + flags * 16777216 + wrapped * 4294967296;
  @*/
static inline uint64_t fxt_i_header_second(uint16_t mode, uint16_t flags, uint32_t wrapped)
{
    return mode * UINT64_C(65536) + flags * UINT64_C(16777216) + wrapped * UINT64_C(4294967296);
}

/*@ terminates \true; assigns \nothing; ensures \result == second / 4294967296; */
static inline uint32_t fxt_i_header_wrapped(uint64_t second)
{
    return (uint32_t)(second / UINT64_C(4294967296));
}

#define FXT_I_CHUNK 14  /* metadata type: the head of a lease */
#define FXT_I_FILLER 15 /* metadata type, and large type */

/* Returns the size in bytes of a record, from its first word. */
/*@ terminates \true; assigns \nothing; ensures \result == l_record_bytes(word); */
static inline uint64_t fxt_i_record_bytes(uint64_t word)
{
    uint64_t words = fxt_record_header_size(word);
    if (fxt_record_header_type(word) == FXT_RECORD_LARGE)
        words = fxt_large_header_size(word);
    return 8 * words;
}

/* Returns the first word of a filler of `bytes` bytes. */
/*@ requires 8 <= bytes <= 34359738360 && bytes % 8 == 0;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures filler: is_filler(\result) && !is_lease_head(\result);
  @ ensures covers: l_record_bytes(\result) == bytes;
  @*/
static inline uint64_t fxt_i_filler(uint64_t bytes)
{
    uint64_t words = bytes / 8;
    uint64_t large = fxt_pack_large_header((uint32_t)words, FXT_I_FILLER);
    uint64_t small = fxt_pack_metadata_header((uint16_t)(words % 4096), FXT_I_FILLER);
    return words <= FXT_RECORD_WORDS_MAX ? small : large;
}

/* Returns whether the word begins a filler or is the head of a lease. No record of a trace begins
   like that. */
/*@ terminates \true; assigns \nothing; ensures \result <==> is_filler(word); */
static inline bool fxt_i_is_filler(uint64_t word)
{
    if (fxt_record_header_type(word) == FXT_RECORD_METADATA)
        return fxt_metadata_header_metadata_type(word) >= FXT_I_CHUNK;
    return fxt_record_header_type(word) == FXT_RECORD_LARGE &&
           fxt_large_header_large_type(word) == FXT_I_FILLER;
}

/* The head of a lease is a record of one word. Bits 20 to 39 hold its number of chunks, less 1, and
   bits 40 to 63 the low bits of the wrapped count. */
#define FXT_I_LEASE_CHUNKS UINT64_C(1048576) /* the most that a lease may have */
#define FXT_I_LEASE_LAPS UINT32_C(16777216)  /* wrapped counts that a head tells apart */

/*@ requires 1 <= chunks <= 1048576;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures head: is_lease_head(\result) && is_filler(\result);
  @ ensures chunks: \result / 1048576 % 1048576 + 1 == chunks;
  @ ensures lap: \result / 1099511627776 == wrapped % 16777216;
  @*/
static inline uint64_t fxt_i_lease_head(uint32_t wrapped, uint32_t chunks)
{
    return fxt_pack_metadata_header(1, FXT_I_CHUNK) + (chunks - 1) * FXT_I_LEASE_CHUNKS +
           wrapped % FXT_I_LEASE_LAPS * UINT64_C(1099511627776);
}

/*@ terminates \true; assigns \nothing; ensures \result <==> is_lease_head(word); */
static inline bool fxt_i_is_lease_head(uint64_t word)
{
    return fxt_metadata_header_type(word) == FXT_RECORD_METADATA &&
           fxt_metadata_header_metadata_type(word) == FXT_I_CHUNK &&
           fxt_metadata_header_size(word) == 1;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == head / 1048576 % 1048576 + 1;
  @*/
static inline uint64_t fxt_i_lease_head_chunks(uint64_t head)
{
    return head / FXT_I_LEASE_CHUNKS % FXT_I_LEASE_CHUNKS + 1;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> head / 1099511627776 == wrapped % 16777216;
  @*/
static inline bool fxt_i_lease_head_is_of(uint64_t head, uint32_t wrapped)
{
    return head / UINT64_C(1099511627776) == wrapped % FXT_I_LEASE_LAPS;
}

#endif
