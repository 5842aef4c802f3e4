/* The reader: splits bytes into records, and decodes the records that the caller wants.

     uint64_t count_events(const uint8_t *bytes, uint64_t size)
     {
         struct fxt_reader reader;
         struct fxt_record record;
         struct fxt_event event;
         struct fxt_error error;
         enum fxt_status status;
         uint64_t events = 0;

         fxt_reader_init(&reader, bytes, size);
         while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
                status == FXT_ZERO_WORD)
             if (status == FXT_OK && fxt_read_event(&record, &event, &error) == FXT_OK)
                 events++;
         return events;
     }

   A zero word is skipped (REC-09). FXT_END means that the whole trace was read; any other status is
   an error in the trace.

   Any bytes are safe to read. The functions allocate nothing and read nothing outside the given
   bytes. A function that does not return FXT_OK fills `error` and leaves its output alone. There
   are three exceptions: FXT_END and FXT_MORE leave `error` alone, FXT_MORE fills in the record, and
   fxt_read_event_args may change `args`. Functions are reentrant: two threads may use two readers,
   or decode the same record, at the same time.

   The caller guarantees the following, which no function checks. No pointer is NULL, except a
   pointer to 0 bytes. A chunk, and the whole trace, have at most INT64_MAX bytes. A struct that a
   function takes as input is unchanged since a function of this header filled it in, and the bytes
   that it points to still exist. Outputs overlap neither each other, nor inputs, nor the bytes of
   the trace.

   To read in chunks, begin with fxt_reader_init_chunk. On FXT_MORE, move the last fxt_reader_rest
   bytes of the buffer to its front, read more bytes after them, and call fxt_reader_continue. The
   records, errors and offsets are the same as for one span, wherever the chunks are cut. If a
   record is larger than the buffer, fxt_reader_pass skips it. */
#ifndef FXT_READ_H
#define FXT_READ_H

#include <fxt/record.h>
struct fxt_reader {
    const uint8_t *bytes;
    uint64_t size;     /* of bytes */
    uint64_t position; /* of the next record in bytes */
    uint64_t base;     /* offset in the trace of bytes[0] */
    uint64_t passing;  /* bytes still to skip, beyond `size` */
    uint64_t passed;   /* offset in the trace of the last skipped record */
    bool final;        /* bytes[size - 1] is the last byte of the trace */
};

/* Begins to read one span that holds the whole trace. */
FXT_API void fxt_reader_init(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/* Begins to read a trace in chunks. `bytes` is the first chunk. */
FXT_API void fxt_reader_init_chunk(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/* Returns the number of unread bytes, at the end of the chunk. */
FXT_API uint64_t fxt_reader_rest(const struct fxt_reader *reader);

/* Continues with the next chunk: the unread bytes of the previous one, then new bytes. `size` is at
   least fxt_reader_rest(reader). `final`: this is the last chunk. */
FXT_API void fxt_reader_continue(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size,
                                 bool final);

/* Frames the next record and moves the cursor after it. Implements REC-01 to REC-03, REC-09,
   REC-10.

   FXT_OK          *record is filled in
   FXT_END         the trace ends here; *error is unchanged
   FXT_MORE        (chunks only) the record is not complete, and the cursor stays. record->words is
                   its size, at record->offset; 0 if its header is not complete either.
                   record->bytes is NULL, so the record cannot be decoded. *error is unchanged
   FXT_ZERO_WORD   an all-zero word was skipped; reading can go on
   FXT_ZERO_SIZE, FXT_TRUNCATED, FXT_BYTE_ORDER
                   nothing more can be read; the cursor stays, and later calls return the same */
FXT_API enum fxt_status fxt_reader_next(struct fxt_reader *reader, struct fxt_record *record,
                                        struct fxt_error *error);

/* Gives up the record of the last FXT_MORE, whose words must not be 0. The reader skips its bytes,
   also in later chunks. If the trace ends before all of them, the result is FXT_TRUNCATED at the
   offset of the record. */
FXT_API void fxt_reader_pass(struct fxt_reader *reader, const struct fxt_record *record);

/* Decoders, one for each kind of record. Each returns FXT_OK, FXT_WRONG_TYPE (the record is of
   another kind) or FXT_MALFORMED (`error` has the offset and the rule; the size of the record is
   still valid, so reading can go on). Decoders ignore reserved bits, padding and words after the
   last field: the checker judges these. If a decoder succeeds, fxt_args_next does not fail on its
   arguments. */
#define FXT_DECODER(name)                                                                          \
    FXT_API enum fxt_status fxt_read_##name(const struct fxt_record *record,                       \
                                            struct fxt_##name *out, struct fxt_error *error)

FXT_DECODER(provider_info); /* MET-02 */
FXT_DECODER(provider_section);
FXT_DECODER(provider_event);
FXT_DECODER(trace_info);
FXT_DECODER(initialization); /* INI-01 */
FXT_DECODER(string);         /* STT-01 */
FXT_DECODER(thread);         /* THT-01 */
FXT_DECODER(event); /* EVT-01, THR-03, STR-03, ARG-*, EVT-03; also events of unknown type */
FXT_DECODER(blob);  /* STR-03, BLB-01 */
FXT_DECODER(userspace_object); /* UOB-01, STR-03, ARG-* */
FXT_DECODER(kernel_object);    /* KOB-01, STR-03, ARG-* */
FXT_DECODER(legacy_switch);    /* SCH-01 */
FXT_DECODER(context_switch);   /* SCH-04, ARG-* */
FXT_DECODER(thread_wakeup);    /* SCH-05, ARG-* */
FXT_DECODER(log);              /* LOG-01, THR-03 */
FXT_DECODER(module);           /* PRF-02, THR-03 */
FXT_DECODER(mmap);             /* PRF-03, THR-03 */
FXT_DECODER(backtrace);        /* PRF-04, THR-03 */
FXT_DECODER(large_blob);       /* LRG-03, LRG-04, STR-03, ARG-*; formats 0 and 1 */

/* Decodes an event and all of its arguments, args[0 … out->args.count - 1], in one pass. Gives the
   same results as fxt_read_event and fxt_args_next, but faster. After an error, the contents of
   args are undefined. */
FXT_API enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out,
                                            struct fxt_arg args[FXT_ARGS_MAX],
                                            struct fxt_error *error);

/* Decodes the next argument and advances `args`. Returns FXT_OK; FXT_END if no argument is left,
   with *error unchanged; or FXT_MALFORMED (ARG-01 to ARG-03, ARG-05, ARG-08, STR-03) without
   advancing. Also delivers arguments of unknown type. */
FXT_API enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg,
                                      struct fxt_error *error);

/* Returns the return address at `index` (below frame_count) of a decoded backtrace. */
FXT_API uint64_t fxt_backtrace_frame(const struct fxt_backtrace *backtrace, uint8_t index);

/* Returns the word at `index` (below tail->words) of a tail. */
FXT_API uint64_t fxt_tail_word(const struct fxt_tail *tail, uint32_t index);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/read.h"
#endif

#endif
