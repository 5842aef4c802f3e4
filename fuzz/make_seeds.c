/* Writes the generated part of fuzz/seeds/ into the directory that is named: small valid traces, and
   the same with something cut off, turned or overwritten. */
#include <stdio.h>

#include "fuzz/lib/generate.h"

static int save(const char *directory, const char *name, unsigned number, const uint8_t *bytes,
                size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%02u.fxt", directory, name, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[4096];
    int bad = argc != 2;

    for (unsigned i = 0; i < 24 && !bad; i++) {
        size_t size = fuzz_generate_trace(bytes, 512 + 96 * i, 1 + 2654435761u * i);
        bad |= save(argv[1], "generated", i, bytes, size);
        if (i % 3 != 0 || size < 64)
            continue;
        uint64_t random = i + 1;
        for (unsigned k = 0; k < 6; k++)
            bytes[8 + fuzz_random(&random) % (size - 8)] = (uint8_t)fuzz_random(&random);
        bad |= save(argv[1], "damaged", i, bytes, size - fuzz_random(&random) % 24);
    }
    return bad;
}
