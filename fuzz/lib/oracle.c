/* What the oracles share. No state. */
#include "fuzz/lib/oracle.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_broken(const char *file, int line, const char *law)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, law);
    abort();
}

uint64_t fuzz_control(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size && i < 64; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash != 0 ? hash : 1;
}

uint64_t fuzz_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int fuzz_descriptors(void)
{
    DIR *listed = opendir("/proc/self/fd");
    int count = 0;

    FUZZ_CHECK(listed != NULL);
    while (readdir(listed) != NULL)
        count++;
    closedir(listed);
    return count;
}

void *fuzz_need(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    FUZZ_CHECK(memory != NULL);
    return memory;
}

struct fuzz_copy fuzz_copy(const uint8_t *bytes, size_t size, unsigned misalignment)
{
    struct fuzz_copy copy;
    copy.memory = malloc(size + misalignment % 8);
    FUZZ_CHECK(copy.memory != NULL || size + misalignment % 8 == 0);
    copy.bytes = copy.memory == NULL ? NULL : copy.memory + misalignment % 8;
    copy.size = size;
    if (size > 0)
        memcpy(copy.bytes, bytes, size);
    return copy;
}

void fuzz_release(struct fuzz_copy *copy)
{
    free(copy->memory);
}
