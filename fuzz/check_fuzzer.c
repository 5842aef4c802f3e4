/* The checker and the converters, which all follow a whole trace with little memory. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    fuzz_oracle_tables(bytes, size);
    fuzz_oracle_check(bytes, size);
    fuzz_oracle_json(bytes, size);
    fuzz_oracle_numbers(bytes, size);
    return 0;
}
