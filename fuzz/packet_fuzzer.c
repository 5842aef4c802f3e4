/* The packets that provider, manager and client send to each other. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    fuzz_oracle_packets(bytes, size);
    fuzz_oracle_padded_packets(bytes, size);
    fuzz_oracle_written_packet(bytes, size);
    fuzz_oracle_categories(bytes, size);
    return 0;
}
