/* libFuzzer and the kit: link this file and fxt_fuzz.c into the fuzz target. Half of the time, libFuzzer has
   the kit join two inputs. Half of the other mutations are libFuzzer's own, which know its dictionary and
   the values that the target compares with. */
#include "fxt_fuzz.h"

/* Weak: other engines link the target, too, and have none. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed)
{
    if (seed % 2 == 0 && LLVMFuzzerMutate != NULL)
        return LLVMFuzzerMutate(bytes, size, max);
    return fxt_fuzz_mutate(bytes, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max, unsigned seed)
{
    return fxt_fuzz_splice(out, max, a, a_size, b, b_size, seed);
}
