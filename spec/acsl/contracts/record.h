/* The contracts of <fxt/record.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_RECORD_H
#define FXT_ACSL_CONTRACTS_RECORD_H

#include "spec/acsl/layout.h"
#include "spec/acsl/utf8.h"

/*@ // The numbers from 0 to span - 1 as two's complement reads them, and back.
  @ logic integer l_signed(integer n, integer span) = n < span / 2 ? n : n - span;
  @ logic integer l_unsigned(integer n, integer span) = n < 0 ? n + span : n;
  @*/

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures string.ref < 32768 ==> \result == 0;
  @ ensures string.ref >= 32768 ==> \result == string.ref - 32768;
  @*/
static inline uint32_t fxt_string_ref_length(struct fxt_string_ref string);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures index <= 32767 ==> \result.ref == index && \result.bytes == \null;
  @ ensures index > 32767 ==> \result.ref > 32768 && \result.bytes == \null;
  @*/
static inline struct fxt_string_ref fxt_string_index(uint32_t index);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures length == 0 ==> \result.ref == 0 && \result.bytes == \null;
  @ ensures 0 < length <= 32767 ==> \result.ref == 32768 + length;
  @ ensures length > 32767 ==> \result.ref > 32768 && \result.bytes == \null;
  @*/
static inline struct fxt_string_ref fxt_string_inline(const void *bytes, size_t length);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result.process == 0 && \result.thread == 0;
  @ ensures 0 < index <= 255 ==> \result.ref == index;
  @ ensures !(0 < index <= 255) ==> \result.ref > 255;
  @*/
static inline struct fxt_thread_ref fxt_thread_index(uint32_t index);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result.ref == 0 && \result.process == process && \result.thread == thread;
  @*/
static inline struct fxt_thread_ref fxt_thread_inline(uint64_t process, uint64_t thread);

/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (record->header / 65536) % 16;
  @*/
uint8_t fxt_record_metadata_type(const struct fxt_record *record);

/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_scheduling_header_scheduling_type(record->header);
  @*/
uint8_t fxt_record_scheduling_type(const struct fxt_record *record);

/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_profiler_header_profiler_type(record->header);
  @*/
uint8_t fxt_record_profiler_type(const struct fxt_record *record);

/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_header_large_type(record->header);
  @*/
uint8_t fxt_record_large_type(const struct fxt_record *record);

/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_header_blob_format(record->header);
  @*/
uint8_t fxt_record_blob_format(const struct fxt_record *record);

/*@ requires \valid_read(arg);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arg->type == 1 ==> \result == l_signed(arg->value % 4294967296, 4294967296);
  @ ensures arg->type != 1 ==> \result == l_signed(arg->value, 18446744073709551616);
  @*/
static inline int64_t fxt_arg_int64(const struct fxt_arg *arg);

/*@ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> utf8_from(bytes, 0, size);
  @*/
bool fxt_utf8_valid(const uint8_t *bytes, uint64_t size);

#endif
