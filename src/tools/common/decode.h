/* gzip and zstd: what was compressed, out of the bytes of a file. */
#ifndef FXT_TOOLS_COMMON_DECODE_H
#define FXT_TOOLS_COMMON_DECODE_H

#include "src/tools/common/raw.h"

enum codec { CODEC_PLAIN, CODEC_GZIP, CODEC_ZSTD };

struct decoder {
    void *state; /* z_stream or ZSTD_DStream; NULL for a plain file */
    enum codec codec;
    bool in_member; /* a compressed member has begun and not ended */
};

/* Finds out by its first bytes how the file is compressed. False after a message; then there is
   nothing to close. */
bool decoder_open(struct decoder *decoder, struct raw *raw);

/* As input_read. Of a plain file, the bytes as they are. */
size_t decoder_read(struct decoder *decoder, struct raw *raw, uint8_t *to, size_t size);

void decoder_close(struct decoder *decoder);

#endif
