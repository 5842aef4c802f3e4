/* Strings and threads that a writer interns. */
#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size <= FUZZ_INPUT_MAX)
        fuzz_oracle_intern(bytes, size);
    return 0;
}
