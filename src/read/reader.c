/* Framing: cuts a trace into records by their size fields. The state is struct fxt_reader, with the
   invariant fxt_reader_ok. While `passing` is not 0, the reader still has to skip bytes of a record
   that the caller gave up. */
#include <fxt/read.h>

#include "src/read/cursor.h"
#include "src/wire/layout.h"

/* The magic number record of a big-endian trace, read as a little-endian word. */
#define SWAPPED_MAGIC UINT64_C(0x1000044678541600)

/*@ predicate same_reader{A,B}(struct fxt_reader *r) =
  @   \at(r->bytes,A) == \at(r->bytes,B) && \at(r->size,A) == \at(r->size,B) &&
  @   \at(r->position,A) == \at(r->position,B) && \at(r->base,A) == \at(r->base,B) &&
  @   \at(r->passing,A) == \at(r->passing,B) && \at(r->final,A) == \at(r->final,B);
  @*/

void fxt_reader_init(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size)
{
    fxt_reader_init_chunk(reader, bytes, size);
    reader->final = true;
}

void fxt_reader_init_chunk(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size)
{
    reader->bytes = bytes;
    reader->size = size;
    reader->position = 0;
    reader->base = 0;
    reader->passing = 0;
    reader->passed = 0;
    reader->final = false;
}

uint64_t fxt_reader_rest(const struct fxt_reader *reader)
{
    return reader->size - reader->position;
}

void fxt_reader_continue(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size, bool final)
{
    reader->base += reader->position;
    reader->bytes = bytes;
    reader->size = size;
    reader->position = 0;
    reader->final = final;
}

/* Prefetches memory that will be read soon. The sizes of records follow no pattern, so the
   processor cannot predict where a walk over headers goes next. This is a hint: any address is
   allowed. */
/*@ terminates \true;
  @ assigns \nothing;
  @*/
static inline void prefetch(const uint8_t *bytes)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __builtin_prefetch((const void *)((uintptr_t)bytes + 2048));
#else
    (void)bytes;
#endif
}

/*@ requires \valid(error) && \valid_read(reader) && fxt_reader_ok(reader);
  @ requires \separated(reader, error);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == status && error->status == status && error->rule == rule;
  @ ensures error->offset == \old(reader->base + reader->position);
  @ ensures same_reader{Pre,Post}(reader);
  @*/
static FXT_I_COLD enum fxt_status stop(const struct fxt_reader *reader, struct fxt_error *error,
                                       enum fxt_status status, enum fxt_rule rule)
{
    error->offset = reader->base + reader->position;
    error->status = status;
    error->rule = rule;
    return status;
}

/* Skips the rest of a record that was given up. */
/*@ requires \valid(reader) && fxt_reader_ok(reader);
  @ terminates \true;
  @ assigns reader->position, reader->passing;
  @ ensures fxt_reader_ok(reader);
  @ ensures reader->position == \old(l_reader_start(reader));
  @ ensures reader->passing
  @      == \old(reader->passing) - (reader->position - \old(reader->position));
  @*/
static FXT_I_COLD void pass_on(struct fxt_reader *reader)
{
    uint64_t left = reader->size - reader->position;
    uint64_t step = reader->passing < left ? reader->passing : left;
    reader->position += step;
    reader->passing -= step;
}

/* The result if fewer bytes are left than the record needs. */
/*@ requires \valid_read(reader) && fxt_reader_ok(reader) && \valid(record) && \valid(error);
  @ requires \separated(reader, record, error);
  @ terminates \true;
  @ assigns *record, *error;
  @ ensures \result == (reader->final ? FXT_TRUNCATED : FXT_MORE);
  @ ensures \result == FXT_MORE ==> record->offset == reader->base + reader->position
  @         && record->bytes == \null && record->type == l_record_header_type(header)
  @         && record->header == header && record->words == words;
  @ ensures \result != FXT_MORE ==> *record == \old(*record) && error->status == \result;
  @ ensures \result == FXT_MORE ==> *error == \old(*error);
  @ ensures same_reader{Pre,Post}(reader);
  @*/
static FXT_I_COLD enum fxt_status incomplete(const struct fxt_reader *reader,
                                             struct fxt_record *record, struct fxt_error *error,
                                             uint64_t header, uint32_t words)
{
    if (reader->final)
        return stop(reader, error, FXT_TRUNCATED, words > 0 ? FXT_RULE_REC_03 : FXT_RULE_REC_01);
    record->bytes = NULL;
    record->offset = reader->base + reader->position;
    record->header = header;
    record->words = words;
    record->type = fxt_record_header_type(header);
    return FXT_MORE;
}

/* The size in words from the header word; 0 is invalid. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_record_words(header);
  @*/
static inline uint32_t size_of(uint64_t header)
{
    if (fxt_record_header_type(header) == FXT_RECORD_LARGE)
        return fxt_large_header_size(header);
    return fxt_record_header_size(header);
}

/* The result if no whole word is left. */
/*@ requires \valid(reader) && fxt_reader_ok(reader) && \valid(record) && \valid(error);
  @ requires \separated(reader, record, error);
  @ terminates \true;
  @ assigns *record, *error;
  @ ensures \result == (reader->final && reader->passing == 0 && reader->position == reader->size
  @                     ? FXT_END : reader->final ? FXT_TRUNCATED : FXT_MORE);
  @ ensures \result == FXT_MORE ==> record->offset == reader->base + reader->position
  @         && record->bytes == \null && record->type == 0 && record->header == 0
  @         && record->words == 0;
  @ ensures \result != FXT_MORE ==> *record == \old(*record);
  @ ensures \result == FXT_TRUNCATED ==> error->status == \result;
  @ ensures \result \in {FXT_END, FXT_MORE} ==> *error == \old(*error);
  @ ensures same_reader{Pre,Post}(reader);
  @*/
static FXT_I_COLD enum fxt_status at_end(struct fxt_reader *reader, struct fxt_record *record,
                                         struct fxt_error *error)
{
    if (reader->final && reader->passing > 0) {
        stop(reader, error, FXT_TRUNCATED, FXT_RULE_REC_03);
        error->offset = reader->passed;
        return FXT_TRUNCATED;
    }
    if (reader->final && reader->position == reader->size)
        return FXT_END;
    return incomplete(reader, record, error, 0, 0);
}

/* The result for a header whose size is 0. */
/*@ requires \valid(reader) && fxt_reader_ok(reader) && \valid(error) && \separated(reader, error);
  @ requires reader->size - reader->position >= 8;
  @ terminates \true;
  @ assigns reader->position, *error;
  @ ensures fxt_reader_ok(reader);
  @ ensures \result == (header == 0 ? FXT_ZERO_WORD : FXT_ZERO_SIZE) && error->status == \result;
  @ ensures reader->position == \old(reader->position) + (header == 0 ? 8 : 0);
  @ ensures reader->passing == \old(reader->passing) && reader->bytes == \old(reader->bytes)
  @      && reader->base == \old(reader->base);
  @*/
static FXT_I_COLD enum fxt_status zero_size(struct fxt_reader *reader, struct fxt_error *error,
                                            uint64_t header)
{
    if (header != 0)
        return stop(reader, error, FXT_ZERO_SIZE, FXT_RULE_REC_02);
    stop(reader, error, FXT_ZERO_WORD, FXT_RULE_REC_09);
    reader->position += 8;
    return FXT_ZERO_WORD;
}

/* Delivers the record at the cursor. */
/*@ requires \valid(reader) && fxt_reader_ok(reader) && \valid(record);
  @ requires \separated(reader, record);
  @ requires words == l_record_words(header) && 1 <= words;
  @ requires 8 * words <= reader->size - reader->position;
  @ terminates \true;
  @ assigns reader->position, *record;
  @ ensures fxt_reader_ok(reader) && fxt_record_framed(record) && \result == FXT_OK;
  @ ensures reader->position == \old(reader->position) + 8 * words;
  @ ensures record->bytes == reader->bytes + \old(reader->position);
  @ ensures record->offset == reader->base + \old(reader->position);
  @ ensures record->header == header && record->words == words;
  @ ensures reader->passing == \old(reader->passing) && reader->bytes == \old(reader->bytes)
  @      && reader->base == \old(reader->base);
  @ ensures header: \old(header == l_word(reader->bytes + reader->position))
  @         && \separated(record, reader->bytes + (0 .. reader->size - 1)) ==>
  @         record->header == l_word(record->bytes);
  @*/
FXT_I_INLINE enum fxt_status deliver(struct fxt_reader *reader, struct fxt_record *record,
                                     uint64_t header, uint32_t words)
{
    const uint8_t *bytes = reader->bytes + reader->position;
    uint64_t offset = reader->base + reader->position;

    prefetch(bytes);
    reader->position += UINT64_C(8) * words;
    record->bytes = bytes;
    record->offset = offset;
    record->header = header;
    record->words = words;
    record->type = fxt_record_header_type(header);
    return FXT_OK;
}

/* Frames the record at the cursor. At least its header word is left. */
/*@ requires \valid(reader) && fxt_reader_ok(reader);
  @ requires \valid(record) && \valid(error);
  @ requires \separated(reader, record, error);
  @ requires reader->passing == 0 && left == reader->size - reader->position && left >= 8;
  @ terminates \true;
  @ assigns reader->position, *record, *error;
  @ ensures ok: fxt_reader_ok(reader);
  @ ensures status: \result
  @         == \old(l_reader_by_header(reader, l_word(reader->bytes + reader->position)));
  @ ensures passing: reader->passing == \old(reader->passing);
  @ ensures position: reader->position == \old(reader->position)
  @         + (\result == FXT_OK ? 8 * record->words : \result == FXT_ZERO_WORD ? 8 : 0);
  @ ensures record: \result == FXT_OK ==> fxt_record_framed(record)
  @         && record->bytes == reader->bytes + \old(reader->position)
  @         && record->offset == reader->base + \old(reader->position)
  @         && record->header == \old(l_word(reader->bytes + reader->position));
  @ ensures header: \result == FXT_OK ==> record->header == l_word(record->bytes);
  @ ensures more: \result == FXT_MORE ==>
  @         record->offset == reader->base + reader->position && record->bytes == \null
  @         && record->type == l_record_header_type(record->header)
  @         && record->header == \old(l_word(reader->bytes + reader->position))
  @         && record->words == l_record_words(record->header);
  @ ensures kept: \result != FXT_OK && \result != FXT_MORE ==> *record == \old(*record);
  @ ensures error: \result != FXT_OK && \result != FXT_MORE ==> error->status == \result;
  @ ensures quiet: \result \in {FXT_OK, FXT_MORE} ==> *error == \old(*error);
  @*/
FXT_I_INLINE enum fxt_status frame_word(struct fxt_reader *reader, struct fxt_record *record,
                                        struct fxt_error *error, uint64_t left)
{
    /*@ assert start: l_reader_start(reader) == reader->position; */
    /*@ assert left: l_reader_left(reader) == left; */
    uint64_t header = fxt_load_word(reader->bytes + reader->position);
    uint32_t words = size_of(header);
    if (words == 0)
        return zero_size(reader, error, header);
    if (header == SWAPPED_MAGIC && reader->base + reader->position == 0)
        return stop(reader, error, FXT_BYTE_ORDER, FXT_RULE_REC_10);
    if (words > left / 8)
        return incomplete(reader, record, error, header, words);
    return deliver(reader, record, header, words);
}

/* Frames the next record, or finds out why there is none. */
/*@ requires \valid(reader) && fxt_reader_ok(reader);
  @ requires \valid(record) && \valid(error);
  @ requires \separated(reader, record, error);
  @ requires reader->passing == 0 || reader->position == reader->size;
  @ terminates \true;
  @ assigns reader->position, *record, *error;
  @ ensures ok: fxt_reader_ok(reader);
  @ ensures status: \result == \old(l_reader_next(reader));
  @ ensures passing: reader->passing == \old(reader->passing);
  @ ensures position: reader->position == \old(reader->position)
  @         + (\result == FXT_OK ? 8 * record->words : \result == FXT_ZERO_WORD ? 8 : 0);
  @ ensures record: \result == FXT_OK ==> fxt_record_framed(record)
  @         && record->bytes == reader->bytes + \old(reader->position)
  @         && record->offset == reader->base + \old(reader->position)
  @         && record->header == \old(l_reader_word(reader));
  @ ensures header: \result == FXT_OK
  @         && \separated(record, reader->bytes + (0 .. reader->size - 1)) ==>
  @         record->header == l_word(record->bytes);
  @ ensures more: \result == FXT_MORE ==>
  @         record->offset == reader->base + reader->position && record->bytes == \null
  @         && record->type == l_record_header_type(record->header)
  @         && record->header == \old(l_reader_left(reader) < 8 ? 0 : l_reader_word(reader))
  @         && record->words == \old(l_reader_left(reader) < 8 ? 0
  @                                  : l_record_words(l_reader_word(reader)));
  @ ensures kept: \result != FXT_OK && \result != FXT_MORE ==> *record == \old(*record);
  @ ensures error: \result != FXT_OK && \result != FXT_END && \result != FXT_MORE ==>
  @         error->status == \result;
  @ ensures quiet: \result \in {FXT_OK, FXT_END, FXT_MORE} ==> *error == \old(*error);
  @*/
FXT_I_INLINE enum fxt_status frame(struct fxt_reader *reader, struct fxt_record *record,
                                   struct fxt_error *error)
{
    uint64_t left = reader->size - reader->position;
    /*@ assert here: l_reader_start(reader) == reader->position; */
    /*@ assert left: l_reader_left(reader) == left; */
    if (left < 8)
        return at_end(reader, record, error);
    /*@ assert word: l_reader_word(reader) == l_word(reader->bytes + reader->position); */
    /*@ assert next: l_reader_next(reader)
      @     == l_reader_by_header(reader, l_word(reader->bytes + reader->position)); */
    return frame_word(reader, record, error, left);
}

enum fxt_status fxt_reader_next(struct fxt_reader *reader, struct fxt_record *record,
                                struct fxt_error *error)
{
    if (reader->passing > 0)
        pass_on(reader);
    /*@ assert passing: reader->passing == \at(reader->passing, Pre)
      @                 - (\at(l_reader_start(reader), Pre) - \at(reader->position, Pre)); */
    /*@ assert start: reader->position == \at(l_reader_start(reader), Pre); */
    /*@ assert there: l_reader_start(reader) == \at(l_reader_start(reader), Pre); */
    /*@ assert word: l_reader_word(reader) == \at(l_reader_word(reader), Pre); */
    /*@ assert left: l_reader_left(reader) == \at(l_reader_left(reader), Pre); */
    /*@ assert end: l_reader_at_end(reader) == \at(l_reader_at_end(reader), Pre); */
    /*@ assert next: l_reader_next(reader) == \at(l_reader_next(reader), Pre); */
    return frame(reader, record, error);
}

void fxt_reader_pass(struct fxt_reader *reader, const struct fxt_record *record)
{
    uint64_t offset = record->offset;

    reader->passing = UINT64_C(8) * record->words;
    reader->passed = offset;
    pass_on(reader);
}
