/* gzip and zstd. Only input.c calls this. While `in_member` is set, the file may not end. Members
   (gzip) and frames (zstd) may follow each other. Zero bytes after the last gzip member are the
   padding of tapes; they are ignored, as gzip does.

   An error is reported after everything before it has been delivered. */
#include "src/cli/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "src/cli/message.h"

/* The libraries are not instrumented: this tells the sanitizer what they have written. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(bytes, size) __msan_unpoison(bytes, size)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(bytes, size) ((void)(bytes), (void)(size))
#endif

static bool fail(struct raw *raw, const char *codec, const char *why)
{
    if (!raw->failed)
        message("%s: %s input: %s", raw->name, codec, why);
    raw->failed = raw->broken = true;
    return false;
}

static enum codec sniff(const uint8_t *bytes, size_t size)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08};
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skippable[] = {0x2a, 0x4d, 0x18}; /* after 0x50 … 0x5f */
    if (size >= 4 && memcmp(bytes, gzip, sizeof gzip) == 0 && (bytes[3] & 0xe0) == 0)
        return CODEC_GZIP;
    if (size >= 4 && memcmp(bytes, zstd, sizeof zstd) == 0)
        return CODEC_ZSTD;
    if (size >= 4 && (bytes[0] & 0xf0) == 0x50 &&
        memcmp(bytes + 1, skippable, sizeof skippable) == 0)
        return CODEC_ZSTD;
    return CODEC_PLAIN;
}

static bool make_state(struct decoder *decoder, struct raw *raw)
{
    if (decoder->codec == CODEC_ZSTD) {
        decoder->state = ZSTD_createDStream();
        return decoder->state != NULL || fail(raw, "zstd", strerror(ENOMEM));
    }
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || inflateInit2(stream, 15 + 16) != Z_OK) {
        free(stream);
        return fail(raw, "gzip", strerror(ENOMEM));
    }
    decoder->state = stream;
    decoder->in_member = true;
    return true;
}

bool decoder_open(struct decoder *decoder, struct raw *raw)
{
    while (raw->end < 4 && raw_fill(raw))
        ;
    decoder->codec = sniff(raw->bytes, raw->end);
    return decoder->codec == CODEC_PLAIN || make_state(decoder, raw);
}

void decoder_close(struct decoder *decoder)
{
    if (decoder->state == NULL)
        return;
    if (decoder->codec == CODEC_ZSTD) {
        ZSTD_freeDStream(decoder->state);
    } else {
        inflateEnd(decoder->state);
        free(decoder->state);
    }
    decoder->state = NULL;
}

/* Between members: true if another one begins. */
static bool next_member(struct decoder *decoder, struct raw *raw)
{
    for (;;) {
        while (raw->end - raw->begin < 2 && raw_fill(raw))
            ;
        size_t ready = raw->end - raw->begin;
        const uint8_t *at = raw->bytes + raw->begin;
        if (ready == 0)
            return false;
        if (ready >= 2 && at[0] == 0x1f && at[1] == 0x8b) {
            inflateReset(decoder->state);
            decoder->in_member = true;
            return true;
        }
        if (at[0] != 0)
            return fail(raw, "gzip", "the compressed data is followed by something else");
        raw->begin++;
    }
}

static size_t read_gzip(struct decoder *decoder, struct raw *raw, uint8_t *to, size_t size)
{
    z_stream *stream = decoder->state;
    for (;;) {
        if (!decoder->in_member && !next_member(decoder, raw))
            return 0;
        if (raw->begin == raw->end && !raw_fill(raw)) {
            if (!raw->broken)
                fail(raw, "gzip", "unexpected end of file");
            return 0;
        }
        stream->next_in = raw->bytes + raw->begin;
        stream->avail_in = (uInt)(raw->end - raw->begin);
        stream->next_out = to;
        stream->avail_out = size > UINT32_MAX ? UINT32_MAX : (uInt)size;
        int result = inflate(stream, Z_NO_FLUSH);
        raw->begin = raw->end - stream->avail_in;
        size_t got = (size_t)(stream->next_out - to);
        WRITTEN(to, got);
        if (result == Z_STREAM_END)
            decoder->in_member = false;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            fail(raw, "gzip", stream->msg != NULL ? stream->msg : zError(result));
        if (got > 0 || raw->broken)
            return got;
    }
}

static size_t read_zstd(struct decoder *decoder, struct raw *raw, uint8_t *to, size_t size)
{
    ZSTD_outBuffer out = {to, size, 0};
    for (;;) {
        ZSTD_inBuffer in = {raw->bytes, raw->end, raw->begin};
        size_t result = ZSTD_decompressStream(decoder->state, &out, &in);
        WRITTEN(to, out.pos);
        bool used = in.pos > raw->begin;
        raw->begin = in.pos;
        if (ZSTD_isError(result)) {
            fail(raw, "zstd", ZSTD_getErrorName(result));
            return out.pos;
        }
        if (used || out.pos > 0)
            decoder->in_member = result != 0;
        if (out.pos > 0)
            return out.pos;
        if (raw->begin == raw->end && !raw_fill(raw)) {
            if (decoder->in_member && !raw->broken)
                fail(raw, "zstd", "unexpected end of file");
            return 0;
        }
    }
}

size_t decoder_read(struct decoder *decoder, struct raw *raw, uint8_t *to, size_t size)
{
    if (decoder->codec == CODEC_PLAIN)
        return raw_read(raw, to, size);
    return decoder->codec == CODEC_GZIP ? read_gzip(decoder, raw, to, size)
                                        : read_zstd(decoder, raw, to, size);
}
