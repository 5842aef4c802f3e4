/* gzip and zstd: the decompressed bytes of a file. */
#ifndef FXT_CLI_DECODE_H
#define FXT_CLI_DECODE_H

#include "src/cli/raw.h"

enum codec { CODEC_PLAIN, CODEC_GZIP, CODEC_ZSTD };

struct decoder {
    void *state; /* z_stream or ZSTD_DStream; NULL for a plain file */
    enum codec codec;
    bool in_member; /* inside a compressed member */
};

/* Detects the compression by the first bytes. False after a message; then there is nothing to
   close. */
bool decoder_open(struct decoder *decoder, struct raw *raw);

/* Like input_read. Returns the bytes of a plain file unchanged. */
size_t decoder_read(struct decoder *decoder, struct raw *raw, uint8_t *to, size_t size);

void decoder_close(struct decoder *decoder);

#endif
