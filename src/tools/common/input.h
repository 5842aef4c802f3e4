/* Bytes of one input file: a path or "-", a file or a pipe, plain, gzip or zstd. */
#ifndef FXT_TOOLS_COMMON_INPUT_H
#define FXT_TOOLS_COMMON_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_RAW_BYTES 131072u

enum input_codec { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD };

struct input {
    const char *name; /* as messages call it */
    uint8_t *raw;     /* bytes of the file that have not been used: raw_begin … raw_end - 1 */
    size_t raw_begin;
    size_t raw_end;
    void *decoder; /* z_stream or ZSTD_DStream */
    uint64_t read; /* bytes of the file so far */
    int fd;
    enum input_codec codec;
    bool raw_ended; /* nothing follows raw_end */
    bool in_member; /* a compressed member has begun and not ended */
    bool failed;    /* a message has been printed: exit code 3 */
};

/* Opens `path` and finds out by its first bytes how it is compressed; as_it_is: takes it for plain.
   False after a message; then there is nothing to close. */
bool input_open(struct input *input, const char *path, bool as_it_is);

/* Between 1 and `size` bytes, as many as are there without waiting for more than one read. 0: the
   end, or an error, which has been reported and is in input->failed. */
size_t input_read(struct input *input, uint8_t *to, size_t size);

void input_close(struct input *input);

/* The next bytes of the file itself, behind those in `raw`; for input.c and input_decode.c. */
bool input_fill(struct input *input);

/* input_read for each codec; input_decode.c. */
bool input_decoder_open(struct input *input);
void input_decoder_close(struct input *input);
size_t input_read_gzip(struct input *input, uint8_t *to, size_t size);
size_t input_read_zstd(struct input *input, uint8_t *to, size_t size);

#endif
