/* The one path from input to records: read() pieces into a buffer that stays in the cache, and
   move the unread rest to its front. A larger record makes the buffer grow up to the limit. Every
   command that reads traces uses it.

   Invariant: the unread bytes are buffer[end - fxt_reader_rest … end - 1]. While `passing` is not
   0, there are no unread bytes. The buffer holds at least a word, so that a header always fits:
   only a record of known size can be too large. */
#include "src/cli/stream.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/buffer.h>

#include "src/cli/message.h"
#include "src/convert/kinds.h"
#include "src/cli/filetype.h"
#include "src/cli/image.h"
#include "src/cli/size.h"

#define PIECE_BYTES TOOL_SIZE((size_t)256 << 10)

static bool no_memory(struct stream *stream)
{
    message("%s: %s", stream->input.raw.name, strerror(ENOMEM));
    return false;
}

/* Reads the bytes that identify the input: for a trace only its first word, and no more than is
   available. */
static void read_first(struct stream *stream)
{
    while (stream->end < FILETYPE_BYTES && !stream->ended) {
        size_t got =
            input_read(&stream->input, stream->buffer + stream->end, FILETYPE_BYTES - stream->end);
        stream->ended = got == 0;
        stream->end += got;
        if (stream->end >= FXT_WORD_BYTES && filetype_of(stream->buffer, stream->end) == NULL)
            break;
    }
    stream->is_buffer = filetype_is_buffer(stream->buffer, stream->end);
    fxt_reader_init_chunk(&stream->reader, stream->buffer, stream->end);
}

static enum exit_code begin(struct stream *stream, const struct options *options)
{
    stream->capacity = stream->limit < PIECE_BYTES ? (size_t)stream->limit : PIECE_BYTES;
    stream->buffer = malloc(stream->capacity);
    if (stream->buffer == NULL) {
        no_memory(stream);
        input_close(&stream->input);
        return EXIT_IO;
    }
    read_first(stream);
    if (stream->end == 0 && stream_failed(stream)) {
        stream_close(stream);
        return EXIT_IO;
    }
    if (stream->end == 0 && !options->allow_empty) {
        message("%s: no record at all: the input is empty (--allow-empty takes it for a trace)",
                stream->input.raw.name);
        return exit_worse(stream_close(stream), EXIT_FINDINGS);
    }
    const char *type = options->raw ? NULL : filetype_of(stream->buffer, stream->end);
    if (type == NULL)
        return EXIT_CLEAN;
    message("%s: not an FXT trace (looks like %s)", stream->input.raw.name, type);
    return exit_worse(stream_close(stream), EXIT_FINDINGS);
}

static enum fxt_status more(struct stream *stream, const struct fxt_record *record,
                            struct fxt_error *error);

/* The first record, which stays unread; zero words before it are passed over. */
static enum fxt_status peek(struct stream *stream, struct fxt_record *record)
{
    struct fxt_error error;
    enum fxt_status status;
    do {
        struct fxt_reader reader = stream->reader;
        do
            status = fxt_reader_next(&reader, record, &error);
        while (status == FXT_ZERO_WORD && error.offset < FILETYPE_BYTES);
    } while (status == FXT_MORE && (uint64_t)record->words * FXT_WORD_BYTES <= stream->limit &&
             more(stream, record, &error) == FXT_OK);
    return status;
}

/* Whether a record that is too large to be looked at may be in the input. */
static bool may_hold(const struct stream *stream, const struct fxt_record *record)
{
    const struct input *input = &stream->input;
    return input->decoder.codec != CODEC_PLAIN || input->raw.size == 0 ||
           (uint64_t)record->words * FXT_WORD_BYTES <= input->raw.size;
}

/* Whether there is a record that the format defines, or no byte at all. */
static bool begins_with_record(struct stream *stream)
{
    union fxt_convert_any any;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status = peek(stream, &record);
    if (status == FXT_OK) {
        enum fxt_kind kind = fxt_kind_of(&record);
        return kind != FXT_KIND_UNKNOWN && fxt_kind_decode(kind, &record, &any, &error) == FXT_OK;
    }
    return status == FXT_MORE ? may_hold(stream, &record) : stream->end == 0;
}

/* Random bytes, for instance. A trace whose first record is malformed is one that --raw reads. */
static enum exit_code refuse_bytes(struct stream *stream, const struct options *options)
{
    if (options->raw || begins_with_record(stream) || stream_failed(stream))
        return EXIT_CLEAN;
    message("%s: not an FXT trace: it begins with no record of the format ('fxt check' says why; "
            "--raw reads it all the same)",
            stream->input.raw.name);
    stream_close(stream);
    return EXIT_FINDINGS;
}

static void begin_again(struct stream *stream)
{
    stream->end = 0;
    stream->passing = 0;
    stream->ended = false;
    stream->stopped = false;
    stream->zero_end = 0;
    read_first(stream);
}

static bool fill(struct stream *stream, uint64_t size);

/* The trace of a recording takes its place, and unless `takes_images`, that of any image of a buffer. */
static enum exit_code take_image(struct stream *stream, bool takes_images)
{
    bool good = fill(stream, image_bytes(stream->buffer, stream->end));
    bool is_recording = good && image_is_recording(stream->buffer, stream->end);
    if (good && takes_images && !is_recording) {
        fxt_reader_init_chunk(&stream->reader, stream->buffer, stream->end);
        return EXIT_CLEAN;
    }
    good = good && (is_recording || fill(stream, FXT_BUFFER_BYTES_MAX + 1));
    enum exit_code code = good ? image_take(&stream->input, stream->buffer, stream->end) : EXIT_IO;
    stream->is_recording = is_recording;
    if (code == EXIT_CLEAN)
        begin_again(stream);
    return code;
}

static enum exit_code begin_trace(struct stream *stream, const struct options *options,
                                  bool takes_images)
{
    enum exit_code code = begin(stream, options);
    if (code != EXIT_CLEAN || !stream->is_buffer || options->raw)
        return code;
    code = take_image(stream, takes_images);
    return code == EXIT_CLEAN ? code : exit_worse(stream_close(stream), code);
}

static enum exit_code open_stream(struct stream *stream, const char *path,
                                  const struct options *options, bool takes_images)
{
    *stream = (struct stream){.limit = options->max_record / 8 * 8};
    if (!input_open(&stream->input, path, options->raw))
        return EXIT_IO;
    return begin_trace(stream, options, takes_images);
}

enum exit_code stream_open_either(struct stream *stream, const char *path,
                                  const struct options *options)
{
    return open_stream(stream, path, options, true);
}

enum exit_code stream_open_any(struct stream *stream, const char *path,
                               const struct options *options)
{
    return open_stream(stream, path, options, false);
}

enum exit_code stream_open(struct stream *stream, const char *path, const struct options *options)
{
    enum exit_code code = stream_open_any(stream, path, options);
    return code == EXIT_CLEAN ? refuse_bytes(stream, options) : code;
}

enum exit_code stream_open_kept(struct stream *stream, const char *path,
                                const struct options *options)
{
    *stream = (struct stream){.limit = options->max_record / 8 * 8};
    if (!input_open_kept(&stream->input, path, options->raw))
        return EXIT_IO;
    enum exit_code code = begin_trace(stream, options, false);
    return code == EXIT_CLEAN ? refuse_bytes(stream, options) : code;
}

bool stream_rewind(struct stream *stream)
{
    if (!input_rewind(&stream->input))
        return false;
    begin_again(stream);
    return true;
}

enum exit_code stream_close(struct stream *stream)
{
    enum exit_code code = stream_failed(stream) ? EXIT_IO : EXIT_CLEAN;
    input_close(&stream->input);
    free(stream->buffer);
    stream->buffer = NULL;
    return code;
}

static enum fxt_status pass(struct stream *stream, const struct fxt_record *record,
                            struct fxt_error *error)
{
    size_t rest = (size_t)fxt_reader_rest(&stream->reader);
    stream->passing = (uint64_t)record->words * FXT_WORD_BYTES - rest;
    if (stream->passed != NULL)
        stream->passed(stream->passed_context, stream->buffer + stream->end - rest, rest,
                       stream->passing);
    error->offset = record->offset;
    error->status = FXT_FULL;
    error->rule = FXT_RULE_LIM_02;
    fxt_reader_pass(&stream->reader, record);
    return FXT_FULL;
}

static void move_to_front(struct stream *stream, size_t unread)
{
    memmove(stream->buffer, stream->buffer + stream->end - unread, unread);
    stream->end = unread;
}

/* Makes room for more of a record of `need` bytes. The buffer doubles when it is full, so a
   claimed size costs nothing until the bytes have arrived. False if there is no memory. */
static bool make_room(struct stream *stream, size_t unread, uint64_t need)
{
    if (stream->end < stream->capacity)
        return true;
    if (unread < stream->end) {
        move_to_front(stream, unread);
        return true;
    }
    uint64_t larger = (uint64_t)stream->capacity * 2;
    if (larger > need)
        larger = need;
    uint8_t *buffer = realloc(stream->buffer, (size_t)larger);
    if (buffer == NULL)
        return false;
    stream->buffer = buffer;
    stream->capacity = (size_t)larger;
    return true;
}

/* The new bytes belong to a record that is being skipped, up to its end. */
static void pass_on(struct stream *stream, size_t got)
{
    size_t part = stream->passing < got ? (size_t)stream->passing : got;
    stream->passing -= part;
    if (part > 0 && stream->passed != NULL)
        stream->passed(stream->passed_context, stream->buffer + stream->end, part, stream->passing);
}

/* After FXT_MORE: reads more bytes (FXT_OK), or skips the record (FXT_FULL, LIM-02). */
static enum fxt_status more(struct stream *stream, const struct fxt_record *record,
                            struct fxt_error *error)
{
    size_t unread = (size_t)fxt_reader_rest(&stream->reader);
    uint64_t size = (uint64_t)record->words * FXT_WORD_BYTES;
    uint64_t need = size <= unread ? unread + 1 : size < stream->limit ? size : stream->limit;
    bool fits = true;
    if (unread < PIECE_BYTES / 64 || stream->capacity - stream->end < PIECE_BYTES / 2)
        move_to_front(stream, unread);
    /* A record over the limit is read up to the limit: perhaps its size is wrong, and the trace
       ends before. */
    while (unread < need && !stream->ended) {
        fits = make_room(stream, unread, need);
        if (!fits)
            break;
        size_t room = stream->capacity - stream->end;
        size_t got = input_read(&stream->input, stream->buffer + stream->end,
                                room < PIECE_BYTES ? room : PIECE_BYTES);
        stream->ended = got == 0;
        pass_on(stream, got);
        stream->end += got;
        unread += got;
    }
    fxt_reader_continue(&stream->reader, stream->buffer + stream->end - unread, unread,
                        stream->ended);
    if (stream->ended || (fits && size <= stream->limit))
        return FXT_OK;
    assert(record->words >
           0); /* otherwise nothing would be skipped, and reading would not advance */
    return pass(stream, record, error);
}

void stream_drain(struct stream *stream)
{
    uint8_t bytes[4096];
    while (stream->input.decoder.codec != CODEC_PLAIN && !stream->ended)
        stream->ended = input_read(&stream->input, bytes, sizeof bytes) == 0;
}

static void note_zero_word(struct stream *stream, enum fxt_status status,
                           const struct fxt_error *error)
{
    bool is_zero = status == FXT_ZERO_WORD;
    stream->repeats = is_zero && error->offset == stream->zero_end && stream->zero_end > 0;
    if (is_zero)
        stream->zero_end = error->offset + FXT_WORD_BYTES;
}

enum fxt_status stream_next_odd(struct stream *stream, enum fxt_status status,
                                struct fxt_record *record, struct fxt_error *error)
{
    if (stream->stopped) {
        stream_drain(stream);
        return FXT_END;
    }
    while (status == FXT_MORE) {
        status = more(stream, record, error);
        if (status == FXT_OK)
            status = fxt_reader_next(&stream->reader, record, error);
    }
    stream->stopped = stream_is_fatal(status);
    if (status == FXT_TRUNCATED && stream_failed(stream))
        return FXT_END;
    note_zero_word(stream, status, error);
    return status;
}

bool stream_rest(struct stream *stream, const uint8_t **bytes, size_t *size)
{
    size_t rest = (size_t)fxt_reader_rest(&stream->reader);
    move_to_front(stream, rest);
    while (rest < stream->capacity && !stream->ended) {
        size_t got = input_read(&stream->input, stream->buffer + rest, stream->capacity - rest);
        stream->ended = got == 0;
        rest += got;
    }
    *bytes = stream->buffer;
    *size = stream->ended ? rest : rest / 8 * 8;
    stream->end = rest;
    fxt_reader_init_chunk(&stream->reader, stream->buffer + *size, rest - *size);
    return *size > 0;
}

/* All of it stays in the buffer. False after a message. */
static bool fill(struct stream *stream, uint64_t size)
{
    while (!stream->ended && stream->end < size) {
        if (!make_room(stream, stream->end, UINT64_MAX))
            return no_memory(stream);
        size_t room = stream->capacity - stream->end;
        size_t got = input_read(&stream->input, stream->buffer + stream->end,
                                room < size - stream->end ? room : (size_t)(size - stream->end));
        stream->ended = got == 0;
        stream->end += got;
    }
    return !stream_failed(stream);
}

bool stream_whole(struct stream *stream, const uint8_t **bytes, size_t *size)
{
    move_to_front(stream, (size_t)fxt_reader_rest(&stream->reader));
    bool good = fill(stream, FXT_BUFFER_BYTES_MAX + 1);
    fxt_reader_init_chunk(&stream->reader, stream->buffer + stream->end, 0);
    *bytes = stream->buffer;
    *size = stream->end;
    return good;
}
