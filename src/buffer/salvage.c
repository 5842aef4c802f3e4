/* Finds records in a part without a valid data end.

   Until a chunk of a rolling part is leased, it is empty and begins with a zero word. From then on,
   it is a row of whole records. So after a zero word, or a record that does not fit, the search
   goes on at the next chunk. In a part without chunks, the payload of a record might lie there. */
#include <fxt/buffer.h>

#include <fxt/record.h>

#include "src/base/word.h"
#include "src/wire/layout.h"

#define CHUNK_BYTES_MIN 64
#define CHUNK_BYTES_MAX 4096
#define CHUNKS_A_PART 8 /* the least, if the part has room for them */

uint32_t fxt_buffer_chunk_bytes(uint64_t part_size)
{
    uint32_t size = CHUNK_BYTES_MIN;

    /*@ loop invariant size: size \in {64, 128, 256, 512, 1024, 2048, 4096};
      @ loop invariant one: 64 <= part_size ==> size <= part_size;
      @ loop assigns size;
      @ loop variant 4096 - size;
      @*/
    while (size < CHUNK_BYTES_MAX && part_size / CHUNKS_A_PART >= 2 * size)
        size = 2 * size;
    return size;
}

/* The size in bytes of the record at `at`; 0 if no record begins there, or it does not fit. */
/*@ requires \valid_read(part + (0 .. part_size - 1)) && part_size <= 9223372036854775807;
  @ requires at <= part_size;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures exact: \result == l_size_at(part, part_size, at);
  @ ensures fits: at + \result <= part_size;
  @ ensures words: \result % 8 == 0;
  @*/
static uint64_t record_at(const uint8_t *part, uint64_t part_size, uint64_t at)
{
    if (part_size - at < 8)
        return 0;
    uint64_t header = fxt_load_word(part + at);
    uint64_t words = fxt_record_header_size(header);
    if (fxt_record_header_type(header) == FXT_RECORD_LARGE)
        words = fxt_large_header_size(header);
    return words <= (part_size - at) / 8 ? 8 * words : 0;
}

/* The offset of the first chunk after `at`; part_size if there is none. */
/*@ requires at <= part_size <= 9223372036854775807;
  @ requires chunk_bytes <= 4096 && chunk_bytes % 8 == 0;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures exact: \result == l_next_chunk(part_size, chunk_bytes, at);
  @ ensures behind: at < \result || \result == part_size;
  @ ensures inside: at <= \result <= part_size;
  @ ensures words: part_size % 8 == 0 ==> \result % 8 == 0;
  @*/
static uint64_t next_chunk(uint64_t part_size, uint32_t chunk_bytes, uint64_t at)
{
    if (chunk_bytes == 0)
        return part_size;
    uint64_t chunk = at / chunk_bytes + 1;
    if (chunk >= part_size / chunk_bytes)
        return part_size;
    uint64_t words = chunk_bytes / 8;
    /*@ assert bytes: chunk_bytes == 8 * words; */
    /*@ assert fits: chunk * chunk_bytes <= part_size; */
    /*@ assert behind: at < chunk * chunk_bytes; */
    return 8 * (chunk * words);
}

bool fxt_buffer_salvage(struct fxt_buffer_span *out, uint64_t *at, const uint8_t *part,
                        uint64_t part_size, uint32_t chunk_bytes)
{
    uint64_t first = *at;

    if (first >= part_size)
        return false;
    uint64_t size = record_at(part, part_size, first);
    /*@ ghost uint64_t steps = 0; */
    /*@ loop invariant steps: 0 <= steps <= first - \at(*at, Pre) && size == l_size_at(part, part_size, first);
      @ loop invariant found: l_salvage_first(part_size, part, part_size, chunk_bytes, \at(*at, Pre)) ==
      @   l_salvage_first(part_size - steps, part, part_size, chunk_bytes, first);
      @ loop invariant \at(*at, Pre) <= first <= part_size && first + size <= part_size;
      @ loop invariant first: \at(*at, Pre) % 8 == 0 && part_size % 8 == 0 ==> first % 8 == 0;
      @ loop invariant size: size % 8 == 0;
      @ loop assigns first, size, steps;
      @ loop variant part_size - first;
      @*/
    while (size == 0 && first < part_size) {
        first = next_chunk(part_size, chunk_bytes, first);
        size = record_at(part, part_size, first);
        /*@ ghost steps = steps + 1; */
    }
    /*@ assert first: first == l_salvage_first(part_size, part, part_size, chunk_bytes, \at(*at, Pre)); */
    uint64_t next = first;
    /*@ ghost uint64_t records = 0; */
    /*@ loop invariant records: 0 <= records <= next - first && size == l_size_at(part, part_size, next);
      @ loop invariant row: l_salvage_end(part_size, part, part_size, first) ==
      @   l_salvage_end(part_size - records, part, part_size, next);
      @ loop invariant first <= next <= part_size && next + size <= part_size;
      @ loop invariant size: size % 8 == 0;
      @ loop invariant next: first % 8 == 0 ==> next % 8 == 0;
      @ loop invariant one: next == first || first + 8 <= next;
      @ loop invariant none: next == first && size == 0 ==> first == part_size;
      @ loop assigns next, size, records;
      @ loop variant part_size - next;
      @*/
    while (size > 0) {
        next = next + size;
        size = record_at(part, part_size, next);
        /*@ ghost records = records + 1; */
    }
    *at = next;
    if (next == first)
        return false;
    out->offset = first;
    out->size = next - first;
    return true;
}
