/* The contracts of <fxt/read.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_READ_H
#define FXT_ACSL_CONTRACTS_READ_H

#include "spec/acsl/read.h"

/*@ predicate fxt_reader_ok(struct fxt_reader *r) =
  @   r->position <= r->size &&
  @   r->size <= 9223372036854775807 &&
  @   r->base <= 9223372036854775807 &&
  @   (r->size > 0 ==> \valid_read(r->bytes + (0 .. r->size - 1)));
  @ predicate fxt_record_ok(struct fxt_record *r) =
  @   1 <= r->words &&
  @   r->offset + 8 * r->words <= 18446744073709551615 &&
  @   \valid_read(r->bytes + (0 .. 8 * r->words - 1));
  @ // The type and the size are what the header says (REC-01, LRG-01).
  @ predicate fxt_record_framed(struct fxt_record *r) =
  @   fxt_record_ok(r) && r->type == l_record_header_type(r->header) &&
  @   r->words == l_record_words(r->header);
  @ predicate fxt_args_ok(struct fxt_args *a) =
  @   a->offset + 8 * a->words <= 18446744073709551615 &&
  @   readable(a->bytes, 8 * a->words);
  @*/

/*@ // Where the next record starts: behind what is left of a record that was given up.
  @ logic integer l_reader_start(struct fxt_reader *r) =
  @   r->passing < r->size - r->position ? r->position + r->passing : r->size;
  @ logic integer l_reader_left(struct fxt_reader *r) = r->size - l_reader_start(r);
  @ logic integer l_reader_word(struct fxt_reader *r) = l_word(r->bytes + l_reader_start(r));
  @ // What fxt_reader_next answers: when no whole word is left, by the header word there, and when
  @ // bytes are missing.
  @ logic integer l_reader_missing(struct fxt_reader *r) = r->final ? FXT_TRUNCATED : FXT_MORE;
  @ logic integer l_reader_at_end(struct fxt_reader *r) =
  @   r->final && l_reader_left(r) == 0 && r->position + r->passing <= r->size ? FXT_END :
  @   l_reader_missing(r);
  @ logic integer l_reader_by_header(struct fxt_reader *r, integer h) =
  @   h == 0 ? FXT_ZERO_WORD :
  @   l_record_words(h) == 0 ? FXT_ZERO_SIZE :
  @   h == 0x1000044678541600 && r->base + l_reader_start(r) == 0 ? FXT_BYTE_ORDER :
  @   8 * l_record_words(h) > l_reader_left(r) ? l_reader_missing(r) : FXT_OK;
  @ logic integer l_reader_next(struct fxt_reader *r) =
  @   l_reader_left(r) < 8 ? l_reader_at_end(r) : l_reader_by_header(r, l_reader_word(r));
  @*/

/*@ requires \valid(reader);
  @ requires size <= 9223372036854775807;
  @ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns *reader;
  @ ensures fxt_reader_ok(reader) && reader->position == 0 && reader->base == 0 && reader->final;
  @ ensures reader->bytes == bytes && reader->size == size && reader->passing == 0;
  @*/
void fxt_reader_init(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/*@ requires \valid(reader);
  @ requires size <= 9223372036854775807;
  @ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns *reader;
  @ ensures fxt_reader_ok(reader) && reader->position == 0 && reader->base == 0 && !reader->final;
  @ ensures reader->bytes == bytes && reader->size == size && reader->passing == 0;
  @*/
void fxt_reader_init_chunk(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/*@ requires \valid_read(reader) && fxt_reader_ok(reader);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == reader->size - reader->position;
  @*/
uint64_t fxt_reader_rest(const struct fxt_reader *reader);

/*@ requires \valid(reader) && fxt_reader_ok(reader);
  @ requires reader->base + reader->position <= 9223372036854775807;
  @ requires size <= 9223372036854775807;
  @ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns *reader;
  @ ensures ok: fxt_reader_ok(reader);
  @ ensures base: reader->base == \old(reader->base + reader->position) && reader->position == 0;
  @ ensures bytes: reader->bytes == bytes && reader->size == size && (reader->final <==> final);
  @ ensures passing: reader->passing == \old(reader->passing)
  @         && reader->passed == \old(reader->passed);
  @*/
void fxt_reader_continue(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size, bool final);

/*@ requires \valid(reader) && fxt_reader_ok(reader);
  @ requires \valid(record) && \valid(error);
  @ requires \separated(reader, record, error);
  @ terminates \true;
  @ assigns reader->position, reader->passing, *record, *error;
  @ ensures ok: fxt_reader_ok(reader);
  @ ensures status: \result == \old(l_reader_next(reader));
  @ ensures position: reader->position == \old(l_reader_start(reader))
  @         + (\result == FXT_OK ? 8 * record->words : \result == FXT_ZERO_WORD ? 8 : 0);
  @ ensures passing: reader->passing
  @         == \old(reader->passing) - (\old(l_reader_start(reader)) - \old(reader->position));
  @ ensures record: \result == FXT_OK ==> fxt_record_framed(record)
  @         && record->bytes == reader->bytes + \old(l_reader_start(reader))
  @         && record->offset == reader->base + \old(l_reader_start(reader))
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
enum fxt_status fxt_reader_next(struct fxt_reader *reader, struct fxt_record *record, struct fxt_error *error);

/*@ requires \valid(reader) && fxt_reader_ok(reader) && \valid_read(record);
  @ terminates \true;
  @ assigns reader->position, reader->passing, reader->passed;
  @ ensures ok: fxt_reader_ok(reader);
  @ ensures passed: reader->passed == \old(record->offset);
  @ ensures all: (reader->position - \old(reader->position)) + reader->passing == \old(8 * record->words);
  @ ensures here: reader->passing == 0 || reader->position == reader->size;
  @*/
void fxt_reader_pass(struct fxt_reader *reader, const struct fxt_record *record);

/* Generated by spec/generate.py from decoder.in of all. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_provider_info(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_provider_info(record));
  @ ensures says: \result == FXT_OK ==> says_provider_info{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(provider_info);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_provider_section(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_provider_section(record));
  @ ensures says: \result == FXT_OK ==> says_provider_section{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(provider_section);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_provider_event(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_provider_event(record));
  @ ensures says: \result == FXT_OK ==> says_provider_event{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(provider_event);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_trace_info(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_trace_info(record));
  @ ensures says: \result == FXT_OK ==> says_trace_info{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(trace_info);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_initialization(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_initialization(record));
  @ ensures says: \result == FXT_OK ==> says_initialization{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(initialization);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_string(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_string(record));
  @ ensures says: \result == FXT_OK ==> says_string_record{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(string);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_thread(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_thread(record));
  @ ensures says: \result == FXT_OK ==> says_thread_record{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(thread);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_event(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(event);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_blob(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_blob(record));
  @ ensures says: \result == FXT_OK ==> says_blob{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(blob);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_userspace_object(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_userspace_object(record));
  @ ensures says: \result == FXT_OK ==> says_userspace_object{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(userspace_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_kernel_object(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_kernel_object(record));
  @ ensures says: \result == FXT_OK ==> says_kernel_object{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(kernel_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_legacy_switch(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_legacy_switch(record));
  @ ensures says: \result == FXT_OK ==> says_legacy_switch{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(legacy_switch);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_context_switch(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_context_switch(record));
  @ ensures says: \result == FXT_OK ==> says_context_switch{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(context_switch);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_thread_wakeup(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_thread_wakeup(record));
  @ ensures says: \result == FXT_OK ==> says_thread_wakeup{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(thread_wakeup);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_log(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_log(record));
  @ ensures says: \result == FXT_OK ==> says_log{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(log);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_module(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_module(record));
  @ ensures says: \result == FXT_OK ==> says_module{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(module);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_mmap(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_mmap(record));
  @ ensures says: \result == FXT_OK ==> says_mmap{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(mmap);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_backtrace(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_backtrace(record));
  @ ensures says: \result == FXT_OK ==> says_backtrace{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(backtrace);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_large_blob(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_large_blob(record));
  @ ensures says: \result == FXT_OK ==> says_large_blob{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_DECODER(large_blob);
/* End of what is generated. */

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \valid(args + (0 .. 14));
  @ requires \separated(args + (0 .. 14), record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(args + (0 .. 14), record, out, error);
  @ terminates \true;
  @ assigns *out, *error, args[0 .. 14];
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_event(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out, struct fxt_arg args[FXT_ARGS_MAX], struct fxt_error *error);

/*@ requires \valid(args) && fxt_args_ok(args) && \valid(arg) && \valid(error);
  @ requires \separated(args, arg, error);
  @ requires \separated(arg, args->bytes + (0 .. 8 * args->words - 1));
  @ terminates \true;
  @ assigns *args, *arg, *error;
  @ ensures ok: fxt_args_ok(args);
  @ ensures end: \result == FXT_END <==> \old(args->count) == 0;
  @ ensures formed: \result == FXT_OK <==> \old(args->count > 0 && args->words > 0 &&
  @         l_arg_hop(l_word(args->bytes), args->words) > 0);
  @ ensures set: \result \in {FXT_OK, FXT_END, FXT_MALFORMED};
  @ ensures next: \result == FXT_OK ==> args->count == \old(args->count) - 1
  @         && args->words == \old(args->words - l_arg_header_size(l_word(args->bytes)))
  @         && args->bytes == \old(args->bytes + 8 * l_arg_header_size(l_word(args->bytes)))
  @         && args->offset == \old(args->offset + 8 * l_arg_header_size(l_word(args->bytes)));
  @ ensures says: \result == FXT_OK ==>
  @         says_arg{Pre,Post}(\old(args->bytes), \old(l_word(args->bytes)), arg);
  @ ensures checked: \old(fxt_args_checked(args)) ==>
  @         \result != FXT_MALFORMED && fxt_args_checked(args);
  @ ensures kept: \result != FXT_OK ==> *args == \old(*args) && *arg == \old(*arg);
  @ ensures quiet: \result != FXT_MALFORMED ==> *error == \old(*error);
  @*/
enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg, struct fxt_error *error);

/*@ requires \valid_read(backtrace) && index < backtrace->frame_count;
  @ requires \valid_read(backtrace->frames.bytes + (0 .. 8 * backtrace->frame_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_word(backtrace->frames.bytes + 8 * index);
  @*/
uint64_t fxt_backtrace_frame(const struct fxt_backtrace *backtrace, uint8_t index);

/*@ requires \valid_read(tail) && index < tail->words;
  @ requires \valid_read(tail->bytes + (0 .. 8 * tail->words - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_word(tail->bytes + 8 * index);
  @*/
uint64_t fxt_tail_word(const struct fxt_tail *tail, uint32_t index);

#endif
