/* The reader on any bytes: framing, decoders, arguments, and reading in pieces. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    fuzz_oracle_read(bytes, size);
    fuzz_oracle_chunks(bytes, size);
    return 0;
}
