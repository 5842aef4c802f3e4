/* The reader: frames records out of bytes, then decodes the ones that the caller asks for.

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

   A zero word is passed over (REC-09). FXT_END ends a trace, any other status is an error in it.

   Any bytes are safe to read. A function that returns anything but FXT_OK leaves its output alone
   and fills `error`; nothing is allocated and nothing outside the bytes given is read. Functions
   are reentrant: two threads may use two readers, or decode the same record, at the same time.

   Reading in chunks begins with fxt_reader_init_chunk. On FXT_MORE, call fxt_reader_rest, move so
   many bytes from the end of the buffer to its front, read more behind them, and call
   fxt_reader_continue. Records, errors and offsets are the same as those of one span, wherever the
   chunks are cut. fxt_reader_pass passes over a record that is larger than the buffer. */
#ifndef FXT_READ_H
#define FXT_READ_H

#include <fxt/record.h>
struct fxt_reader {
    const uint8_t *bytes;
    uint64_t size;     /* of bytes */
    uint64_t position; /* of the next record in bytes */
    uint64_t base;     /* offset in the trace of bytes[0] */
    uint64_t passing;  /* bytes still to pass over, beyond `size` */
    uint64_t passed;   /* offset in the trace of the record passed over last */
    bool final;        /* nothing follows bytes[size - 1] */
};

/* One span that holds the whole trace. */
FXT_API void fxt_reader_init(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/* The first bytes of a trace of which more may follow. */
FXT_API void fxt_reader_init_chunk(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size);

/* The unread bytes: the last fxt_reader_rest(reader) of the chunk. */
FXT_API uint64_t fxt_reader_rest(const struct fxt_reader *reader);

/* Goes on with `bytes`: the unread bytes of the chunk before, then new ones. `final` says that no
   more will come. `size` is at least fxt_reader_rest(reader). */
FXT_API void fxt_reader_continue(struct fxt_reader *reader, const uint8_t *bytes, uint64_t size,
                                 bool final);

/* Frames the record at the cursor and moves the cursor behind it. REC-01 … REC-03, REC-09, REC-10.

   FXT_OK          *record is filled in
   FXT_END         the trace ends here
   FXT_MORE        (chunks only) the record is not complete; the cursor stays. record->words and
                   record->offset tell its size once its header is there, else words is 0
   FXT_ZERO_WORD   an all-zero word was passed over; go on
   FXT_ZERO_SIZE, FXT_TRUNCATED, FXT_BYTE_ORDER
                   nothing more can be read; the cursor stays, and so does the answer */
FXT_API enum fxt_status fxt_reader_next(struct fxt_reader *reader, struct fxt_record *record,
                                        struct fxt_error *error);

/* After FXT_MORE with record->words > 0: gives that record up. Its bytes are passed over, those
   still to come too; when they do not all come, the answer is FXT_TRUNCATED at its offset. */
FXT_API void fxt_reader_pass(struct fxt_reader *reader, const struct fxt_record *record);

/* Decoders, one a kind of record. Each returns FXT_OK, FXT_WRONG_TYPE (the record is of another
   kind) or FXT_MALFORMED (error has offset and rule; the record's size is still right). Reserved
   bits, padding and words after the last field are not looked at: that is the checker's work.
   A decoder that delivers arguments has checked all of them: fxt_args_next will not fail on them. */
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

/* fxt_read_event and all arguments of the event at once, in one pass: args[0 … out->args.count - 1].
   The same answers as fxt_read_event and fxt_args_next, faster. On an error args holds nothing of
   use. */
FXT_API enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out,
                                            struct fxt_arg args[FXT_ARGS_MAX],
                                            struct fxt_error *error);

/* Takes the next argument off: FXT_OK, FXT_END when none is left, or FXT_MALFORMED (ARG-01 … 03,
   05, 08, STR-03; `args` stays). Arguments of unknown type are delivered too. */
FXT_API enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg,
                                      struct fxt_error *error);

/* The return address at `index` (below frame_count) of a decoded backtrace. */
FXT_API uint64_t fxt_backtrace_frame(const struct fxt_backtrace *backtrace, uint8_t index);

/* The word at `index` (below tail.words) of a tail. */
FXT_API uint64_t fxt_tail_word(const struct fxt_tail *tail, uint32_t index);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/read.h"
#endif

#endif
