/* Records from an input of any size and kind, in bounded memory. */
#ifndef FXT_CLI_STREAM_H
#define FXT_CLI_STREAM_H

#include <fxt/read.h>

#include "src/cli/input.h"
#include "src/cli/tool_options.h"

struct stream {
    struct fxt_reader reader;
    struct input input;
    uint8_t *buffer; /* the chunk of `reader` ends at buffer + end */
    size_t capacity;
    size_t end;
    uint64_t limit;   /* the largest record that is kept in memory, a multiple of 8 */
    uint64_t passing; /* remaining bytes of a record that is being skipped */
    bool ended;
    bool stopped;      /* a fatal error was returned */
    bool is_buffer;    /* the image of a provider's raw buffer, not a trace */
    bool is_recording; /* a trace that was taken out of a file of FXT_TRACE_FILE */
    bool repeats;      /* the last error was a zero word right behind another */
    uint64_t zero_end; /* offset after the last zero word; 0: none so far */

    /* Receives the bytes of skipped records, and how many of the record follow; NULL at first. */
    void (*passed)(void *context, const uint8_t *bytes, size_t size, uint64_t left);
    void *passed_context;
};

/* Returns EXIT_CLEAN. Otherwise a message was printed, and there is nothing to close:
   EXIT_FINDINGS if the input is empty (unless options->allow_empty) or no trace (unless
   options->raw), or EXIT_IO. */
enum exit_code stream_open(struct stream *stream, const char *path, const struct options *options);

/* For a command that shows what is wrong: also accepts bytes that begin with no record of the
   format, unless they look like something else. */
enum exit_code stream_open_any(struct stream *stream, const char *path,
                               const struct options *options);

/* For a command that looks at the image of a buffer itself: see is_buffer and stream_whole. The other
   functions give the trace that is in one. So does this one of a file that is being recorded. */
enum exit_code stream_open_either(struct stream *stream, const char *path,
                                  const struct options *options);

/* Like stream_open, for a stream that stream_rewind takes back to its first record. Input that is no
   regular file is first copied to a temporary file. */
enum exit_code stream_open_kept(struct stream *stream, const char *path,
                                const struct options *options);

/* False after a message. */
bool stream_rewind(struct stream *stream);

/* All that is unread, in one piece that lives as long as the stream; but no more than is sure to be
   longer than any buffer. False after a message, also if the input cannot be read to its end. */
bool stream_whole(struct stream *stream, const uint8_t **bytes, size_t *size);

/* Whether reading failed, in this pass or an earlier one; a message has been printed. What the
   records say is then less than the trace says. */
static inline bool stream_failed(const struct stream *stream)
{
    return stream->input.raw.failed;
}

/* The result of the input: EXIT_IO if reading failed. */
enum exit_code stream_close(struct stream *stream);

/* The rest of stream_next, for any status but FXT_OK. */
enum fxt_status stream_next_odd(struct stream *stream, enum fxt_status status,
                                struct fxt_record *record, struct fxt_error *error);

/* Like fxt_reader_next, but never FXT_MORE. FXT_FULL for a record that is skipped because of its
   size: error has LIM-02, and reading goes on. After a fatal error comes FXT_END, so every other
   status but FXT_OK is an error of its own. A record that is cut because reading failed is no error
   of the trace: FXT_END. The bytes live until the next call. */
static inline enum fxt_status stream_next(struct stream *stream, struct fxt_record *record,
                                          struct fxt_error *error)
{
    enum fxt_status status = fxt_reader_next(&stream->reader, record, error);
    return status == FXT_OK ? FXT_OK : stream_next_odd(stream, status, record, error);
}

/* True if nothing more can be read after this status, which is not FXT_END. */
static inline bool stream_is_fatal(enum fxt_status status)
{
    return status == FXT_ZERO_SIZE || status == FXT_TRUNCATED || status == FXT_BYTE_ORDER;
}

/* After a fatal error: reads compressed input to its end, to find out whether damaged compressed
   data broke the trace. The next stream_next does it by itself. */
void stream_drain(struct stream *stream);

/* After a fatal error: returns the bytes from the cursor on in pieces, each a multiple of 8
   except the last. False at the end. */
bool stream_rest(struct stream *stream, const uint8_t **bytes, size_t *size);

#endif
