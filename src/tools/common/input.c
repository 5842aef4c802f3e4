/* One input file, decompressed. stream.c and the assembler command read from it. The only state
   is struct input, which owns everything. */
#include "src/tools/common/input.h"

bool input_open(struct input *input, const char *path, bool as_it_is)
{
    input->decoder = (struct decoder){.codec = CODEC_PLAIN};
    if (!raw_open(&input->raw, path))
        return false;
    if (as_it_is || decoder_open(&input->decoder, &input->raw))
        return true;
    input_close(input);
    return false;
}

size_t input_read(struct input *input, uint8_t *to, size_t size)
{
    if (size == 0 || (input->raw.failed && input->decoder.codec != CODEC_PLAIN))
        return 0;
    return decoder_read(&input->decoder, &input->raw, to, size);
}

void input_close(struct input *input)
{
    decoder_close(&input->decoder);
    raw_close(&input->raw);
}
