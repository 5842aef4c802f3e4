/* gzip and zstd. Called by input.c only. The decoder belongs to the struct input; `in_member` says
   that the file may not end here. Members (gzip) and frames (zstd) may follow each other; zero
   bytes after the last gzip member are the padding of tapes and ignored, as gzip does.

   An error comes after everything that could be decompressed before it has been delivered. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "src/tools/common/input.h"
#include "src/cli/message.h"

/* The libraries are not instrumented: tell the sanitizer what they have written. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(bytes, size) __msan_unpoison(bytes, size)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(bytes, size) ((void)(bytes), (void)(size))
#endif

static bool fail(struct input *input, const char *codec, const char *why)
{
    message("%s: %s input: %s", input->name, codec, why);
    input->failed = true;
    return false;
}

bool input_decoder_open(struct input *input)
{
    if (input->codec == INPUT_ZSTD) {
        input->decoder = ZSTD_createDStream();
        return input->decoder != NULL || fail(input, "zstd", strerror(ENOMEM));
    }
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || inflateInit2(stream, 15 + 16) != Z_OK) {
        free(stream);
        return fail(input, "gzip", strerror(ENOMEM));
    }
    input->decoder = stream;
    input->in_member = true;
    return true;
}

void input_decoder_close(struct input *input)
{
    if (input->codec == INPUT_ZSTD) {
        ZSTD_freeDStream(input->decoder);
    } else {
        inflateEnd(input->decoder);
        free(input->decoder);
    }
    input->decoder = NULL;
}

/* Between members: true when another one begins. */
static bool next_member(struct input *input)
{
    for (;;) {
        while (input->raw_end - input->raw_begin < 2 && input_fill(input))
            ;
        size_t ready = input->raw_end - input->raw_begin;
        const uint8_t *at = input->raw + input->raw_begin;
        if (ready == 0)
            return false;
        if (ready >= 2 && at[0] == 0x1f && at[1] == 0x8b) {
            inflateReset(input->decoder);
            input->in_member = true;
            return true;
        }
        if (at[0] != 0)
            return fail(input, "gzip", "the compressed data is followed by something else");
        input->raw_begin++;
    }
}

size_t input_read_gzip(struct input *input, uint8_t *to, size_t size)
{
    z_stream *stream = input->decoder;
    for (;;) {
        if (!input->in_member && !next_member(input))
            return 0;
        if (input->raw_begin == input->raw_end && !input_fill(input)) {
            if (!input->failed)
                fail(input, "gzip", "unexpected end of file");
            return 0;
        }
        stream->next_in = input->raw + input->raw_begin;
        stream->avail_in = (uInt)(input->raw_end - input->raw_begin);
        stream->next_out = to;
        stream->avail_out = size > UINT32_MAX ? UINT32_MAX : (uInt)size;
        int result = inflate(stream, Z_NO_FLUSH);
        input->raw_begin = input->raw_end - stream->avail_in;
        size_t got = (size_t)(stream->next_out - to);
        WRITTEN(to, got);
        if (result == Z_STREAM_END)
            input->in_member = false;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            fail(input, "gzip", stream->msg != NULL ? stream->msg : zError(result));
        if (got > 0 || input->failed)
            return got;
    }
}

size_t input_read_zstd(struct input *input, uint8_t *to, size_t size)
{
    ZSTD_outBuffer out = {to, size, 0};
    for (;;) {
        ZSTD_inBuffer in = {input->raw, input->raw_end, input->raw_begin};
        size_t result = ZSTD_decompressStream(input->decoder, &out, &in);
        WRITTEN(to, out.pos);
        bool used = in.pos > input->raw_begin;
        input->raw_begin = in.pos;
        if (ZSTD_isError(result)) {
            fail(input, "zstd", ZSTD_getErrorName(result));
            return out.pos;
        }
        if (used || out.pos > 0)
            input->in_member = result != 0;
        if (out.pos > 0)
            return out.pos;
        if (input->raw_begin == input->raw_end && !input_fill(input)) {
            if (input->in_member && !input->failed)
                fail(input, "zstd", "unexpected end of file");
            return 0;
        }
    }
}
