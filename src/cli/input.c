/* One input file, decompressed. stream.c and the assembler command read from it. The only state
   is struct input, which owns everything. */
#include "src/cli/input.h"

#include <string.h>

#include <lib/trace-engine/types.h>

static bool start(struct input *input)
{
    input->decoder = (struct decoder){.codec = CODEC_PLAIN};
    if (input->as_it_is || decoder_open(&input->decoder, &input->raw))
        return true;
    input_close(input);
    return false;
}

bool input_open(struct input *input, const char *path, bool as_it_is)
{
    *input = (struct input){.as_it_is = as_it_is};
    return raw_open(&input->raw, path) && start(input);
}

bool input_open_kept(struct input *input, const char *path, bool as_it_is)
{
    *input = (struct input){.as_it_is = as_it_is};
    if (!raw_open(&input->raw, path))
        return false;
    if (raw_keep(&input->raw))
        return start(input);
    raw_close(&input->raw);
    return false;
}

bool input_rewind(struct input *input)
{
    decoder_close(&input->decoder);
    input->decoder = (struct decoder){.codec = CODEC_PLAIN};
    return raw_rewind(&input->raw) &&
           (input->as_it_is || decoder_open(&input->decoder, &input->raw));
}

size_t input_read(struct input *input, uint8_t *to, size_t size)
{
    if (size == 0 || input->raw.broken)
        return 0;
    return decoder_read(&input->decoder, &input->raw, to, size);
}

bool input_replace(struct input *input, int fd)
{
    decoder_close(&input->decoder);
    input->decoder = (struct decoder){.codec = CODEC_PLAIN};
    return raw_replace(&input->raw, fd);
}

void input_close(struct input *input)
{
    decoder_close(&input->decoder);
    raw_close(&input->raw);
}

struct fxt_bytes input_title(const char *file, size_t size, const char *otherwise)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    size_t length = trace_i_cut(name, strlen(name), size);
    if (length == 0 || !fxt_utf8_valid((const uint8_t *)name, length))
        return (struct fxt_bytes){(const uint8_t *)otherwise, strlen(otherwise)};
    return (struct fxt_bytes){(const uint8_t *)name, length};
}
