/* The reader on any bytes: framing, decoders, arguments, reading in pieces, and the loop over events. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    fuzz_oracle_read(bytes, size);
    fuzz_oracle_chunks(bytes, size);
    fuzz_oracle_events(bytes, size);
    return 0;
}
