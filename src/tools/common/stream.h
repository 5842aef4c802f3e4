/* Records out of an input of any size and kind, in bounded memory. */
#ifndef FXT_TOOLS_COMMON_STREAM_H
#define FXT_TOOLS_COMMON_STREAM_H

#include <fxt/read.h>

#include "src/tools/common/input.h"
#include "src/tools/common/options.h"

struct stream {
    struct fxt_reader reader;
    struct input input;
    uint8_t *buffer; /* the chunk of `reader` ends at buffer + end */
    size_t capacity;
    size_t end;
    uint64_t limit;   /* the largest record that is kept in memory, a multiple of 8 */
    uint64_t passing; /* bytes that are still to come of a record that is passed over */
    bool ended;
    bool is_buffer; /* the image of a provider's raw buffer, not a trace */

    /* Gets the bytes of records that are passed over; NULL at first. */
    void (*passed)(void *context, const uint8_t *bytes, size_t size);
    void *passed_context;
};

/* EXIT_CLEAN; else a message has been given, and there is nothing to close: EXIT_FINDINGS for what is
   surely no trace (options->raw: it is taken for one all the same), EXIT_IO. */
enum exit_code stream_open(struct stream *stream, const char *path, const struct options *options);

/* Takes the image of a buffer, too: see is_buffer and stream_whole. */
enum exit_code stream_open_either(struct stream *stream, const char *path,
                                  const struct options *options);

/* All that is unread, in one piece that lives as long as the stream; but no more than is sure to be
   longer than any buffer. False after a message. */
bool stream_whole(struct stream *stream, const uint8_t **bytes, size_t *size);

/* The result of the input: EXIT_IO when reading failed, with a message long since given. */
enum exit_code stream_close(struct stream *stream);

/* After FXT_MORE: gets more bytes (FXT_OK), or passes over the record (FXT_FULL, LIM-02). */
enum fxt_status stream_more(struct stream *stream, const struct fxt_record *record,
                            struct fxt_error *error);

/* Like fxt_reader_next, but never FXT_MORE; FXT_FULL for a record that is passed over because of
   its size: error has LIM-02, and reading goes on. The bytes live until the next call. */
static inline enum fxt_status stream_next(struct stream *stream, struct fxt_record *record,
                                          struct fxt_error *error)
{
    for (;;) {
        enum fxt_status status = fxt_reader_next(&stream->reader, record, error);
        if (status != FXT_MORE)
            return status;
        if (stream_more(stream, record, error) != FXT_OK)
            return FXT_FULL;
    }
}

/* True when nothing more can be read, but for FXT_END. */
static inline bool stream_is_fatal(enum fxt_status status)
{
    return status == FXT_ZERO_SIZE || status == FXT_TRUNCATED || status == FXT_BYTE_ORDER;
}

/* After a fatal error: reads compressed input to its end, to see whether it is damage to the
   compressed data that broke the trace. */
void stream_drain(struct stream *stream);

/* After a fatal error: the bytes from the cursor on, piece by piece in multiples of 8 but for the
   last; false at the end. */
bool stream_rest(struct stream *stream, const uint8_t **bytes, size_t *size);

#endif
