/* The bytes of one input file: a path or "-", a file or a pipe, plain, gzip or zstd. */
#ifndef FXT_CLI_INPUT_H
#define FXT_CLI_INPUT_H

#include <fxt/record.h>

#include "src/cli/decode.h"

struct input {
    struct raw raw;
    struct decoder decoder;
    bool as_it_is;
};

/* Opens `path` and detects its compression by the first bytes; with as_it_is, reads it as plain.
   False after a message; then there is nothing to close. */
bool input_open(struct input *input, const char *path, bool as_it_is);

/* The same for an input that input_rewind takes back to its first byte. */
bool input_open_kept(struct input *input, const char *path, bool as_it_is);

/* False after a message. */
bool input_rewind(struct input *input);

/* Reads between 1 and `size` bytes, as many as one read returns. 0: the end, or an error, which
   has been reported and is in input->raw.failed. */
size_t input_read(struct input *input, uint8_t *to, size_t size);

/* Reads the plain file `fd` from its begin instead, under the same name. It belongs to the input. False
   after a message. */
bool input_replace(struct input *input, int fd);

void input_close(struct input *input);

/* The name of a file without its directory, for a provider: whole characters of it, at most `size`
   bytes; or `otherwise`, if it is not UTF-8. */
struct fxt_bytes input_title(const char *file, size_t size, const char *otherwise);

#endif
