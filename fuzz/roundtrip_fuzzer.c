/* Reader, writer, canonical form, disassembler, assembler and formatter against each other. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    fuzz_oracle_roundtrip(bytes, size);
    fuzz_oracle_generated(bytes, size);
    fuzz_oracle_asm(bytes, size);
    fuzz_oracle_format(bytes, size);
    return 0;
}
