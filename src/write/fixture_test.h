/* For the tests of the writer: short ways to give refs, and memory that shows what was written. */
#ifndef FXT_WRITE_FIXTURE_TEST_H
#define FXT_WRITE_FIXTURE_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/write.h>

#define PATTERN 0xa5
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static inline struct fxt_string_ref index_of(uint16_t index)
{
    return fxt_string_index(index);
}

static inline struct fxt_string_ref text(const char *bytes)
{
    return fxt_string_inline(bytes, strlen(bytes));
}

static inline struct fxt_bytes bytes_of(const char *bytes)
{
    return (struct fxt_bytes){strlen(bytes) > 0 ? (const uint8_t *)bytes : NULL, strlen(bytes)};
}

static inline bool all_pattern(const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (bytes[i] != PATTERN)
            return false;
    return true;
}

#endif
