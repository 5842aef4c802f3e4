/* A hundred thousand generated records of every kind through the oracles of generated records, and
   traces of them through all oracles: what the fuzzers do, without a fuzzer and always the same. */
#include <stdio.h>
#include <string.h>

#include "fuzz/lib/generate.h"

static void run_traces(void)
{
    static uint8_t bytes[8192];
    for (uint64_t i = 0; i < 300; i++) {
        size_t size = fuzz_generate_trace(bytes, 256 + 24 * i, i * UINT64_C(0x9e3779b97f4a7c15));
        FUZZ_CHECK(size >= 8 && size <= 256 + 24 * i);
        if (i % 2 == 1)
            bytes[8 + i % (size - 8 > 0 ? size - 8 : 1)] ^= (uint8_t)(1 + i % 255);
        fuzz_oracle_read(bytes, size);
        fuzz_oracle_chunks(bytes, size);
        fuzz_oracle_roundtrip(bytes, size);
        fuzz_oracle_tables(bytes, size);
        fuzz_oracle_check(bytes, size);
        fuzz_oracle_json(bytes, size);
        fuzz_oracle_asm(bytes, size);
    }
}

int main(void)
{
    uint8_t choices[512];
    uint64_t random = 1;
    unsigned seen = 0;

    for (unsigned i = 0; i < 4000; i++) {
        for (size_t k = 0; k < sizeof choices; k++)
            choices[k] = (uint8_t)(fuzz_random(&random) >> 24);
        fuzz_oracle_generated(choices, sizeof choices);
        struct fuzz_source source = {.bytes = choices, .size = sizeof choices, .random = 1};
        struct fuzz_record record;
        fuzz_generate(&record, &source);
        seen |= 1u << record.kind;
    }
    run_traces();
    FUZZ_CHECK(seen == (1u << FUZZ_KIND_COUNT) - 1);
    return 0;
}
