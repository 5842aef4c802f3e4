/* For the tests of the Chrome converter: a trace is written, then converted to text. */
#ifndef FXT_CONVERT_CHROME_TEST_H
#define FXT_CONVERT_CHROME_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include <fxt/read.h>
#include <fxt/write.h>

#include "src/convert/chrome.h"

struct chrome_test {
    struct fxt_writer writer;
    struct fxt_chrome chrome;
    struct fxt_tables tables;
    char *text; /* ends with a NUL */
    size_t size;
    size_t capacity;
    uint64_t malformed; /* records for which fxt_chrome_record said so */
};

static uint8_t chrome_test_trace[4 << 20];

static inline void chrome_test_init(struct chrome_test *test)
{
    memset(test, 0, sizeof *test);
    fxt_writer_init(&test->writer, chrome_test_trace, sizeof chrome_test_trace);
}

static inline bool chrome_test_keep(void *context, const char *bytes, size_t size)
{
    struct chrome_test *test = (struct chrome_test *)context;
    if (test->size + size + 1 > test->capacity) {
        test->capacity = 2 * (test->size + size + 1);
        test->text = (char *)realloc(test->text, test->capacity);
    }
    memcpy(test->text + test->size, bytes, size);
    test->size += size;
    test->text[test->size] = 0;
    return true;
}

/* Converts the bytes; test->text is the result. */
static inline void chrome_test_run_bytes(struct chrome_test *test, const uint8_t *bytes,
                                         uint64_t size, size_t capacity)
{
    static struct fxt_chrome_memory memory;
    static struct fxt_provider providers[4];
    static uint32_t provider_ids[4];
    static struct fxt_object objects[64];
    static uint8_t arena[1 << 22];
    static char buffer[1 << 16];
    struct fxt_tables_memory tables_memory = {.providers = providers,
                                              .provider_ids = provider_ids,
                                              .objects = objects,
                                              .arena = arena,
                                              .provider_max = 4,
                                              .object_max = 64,
                                              .arena_size = sizeof arena};
    struct fxt_out out = {buffer, capacity, 0, chrome_test_keep, test, false};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    test->size = 0;
    test->malformed = 0;
    fxt_tables_init(&test->tables, &tables_memory);
    fxt_chrome_init(&test->chrome, &out, &test->tables, &memory);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        fxt_chrome_before_record(&test->chrome, &record);
        fxt_tables_apply(&test->tables, &record, &error);
        if (fxt_chrome_record(&test->chrome, &record) != FXT_OK)
            test->malformed++;
    }
    fxt_chrome_end(&test->chrome);
    fxt_out_flush(&out);
}

/* Converts what was written. */
static inline void chrome_test_run(struct chrome_test *test)
{
    chrome_test_run_bytes(test, chrome_test_trace, test->writer.size, 1 << 16);
}

/* How often it stands in the text. No function of strings: under ASan each call of one walks all of
   the text. */
static inline size_t chrome_test_count(const struct chrome_test *test, const char *wanted)
{
    size_t length = strlen(wanted);
    size_t count = 0;
    for (size_t at = 0; at + length <= test->size; at++)
        count += test->text[at] == wanted[0] && memcmp(test->text + at, wanted, length) == 0;
    return count;
}

static inline struct fxt_string_ref chrome_test_string(const char *text)
{
    return fxt_string_inline(text, strlen(text));
}

static inline void chrome_test_register(struct chrome_test *test, uint16_t index, const char *text)
{
    struct fxt_string string = {.index = index, .value = {(const uint8_t *)text, strlen(text)}};
    fxt_write_string(&test->writer, &string);
}

/* An event of thread 8 in process 7. */
static inline struct fxt_event chrome_test_event(uint8_t type, uint64_t timestamp)
{
    struct fxt_event event = {.event_type = type,
                              .timestamp = timestamp,
                              .thread = fxt_thread_inline(7, 8),
                              .category = chrome_test_string("cat"),
                              .name = chrome_test_string("name")};
    return event;
}

#endif
