/* The interner against a list that keeps each string and thread with its index, and both against
   tables that read what was written: a ref says what was given, until the next record begins.

   The input: byte 0 has the policy, byte 1 the size of the table, bytes 2 and 3 that of its texts,
   byte 4 the room of the writer. Then each byte is something to intern. */
#include <stdlib.h>
#include <string.h>

#include <fxt/intern.h>
#include <fxt/tables.h>

#include "fuzz/lib/oracle.h"

#define HEAD 5
#define STEPS_MAX 512
#define STRINGS_MAX 64 /* of a table */

/* What the interner should hold. Strings are bytes of `letters`, at `from`. */
static struct model {
    struct {
        const uint8_t *bytes;
        size_t length;
    } strings[STRINGS_MAX];
    struct fxt_interned_thread threads[FXT_THREAD_INDEX_MAX];
    uint32_t string_count, string_max, text_used, text_size;
    uint32_t thread_count;
    bool strings_full, threads_full;
    enum fxt_intern_policy policy;
} model;

static struct {
    struct fxt_interner interner;
    struct fxt_intern_slot slots[2 * STRINGS_MAX];
    struct fxt_writer writer;
    struct fxt_reader reader;
    struct fxt_tables tables;
    struct fxt_provider provider;
    uint32_t id;
    uint8_t arena[1 << 16];
} it;

static uint8_t letters[FXT_STRING_LENGTH_MAX + 2];

static void begin(const uint8_t *head, uint8_t *text, uint8_t *written, size_t room)
{
    const struct fxt_tables_memory memory = {.providers = &it.provider,
                                             .provider_ids = &it.id,
                                             .arena = it.arena,
                                             .provider_max = 1,
                                             .arena_size = sizeof it.arena};
    memset(&model, 0, sizeof model);
    model.policy = (head[0] & 1) != 0 ? FXT_INTERN_EVICT : FXT_INTERN_INLINE;
    model.string_max = 1u << head[1] % 6;
    model.text_size = head[2] + 256u * (head[3] % 8);
    FUZZ_CHECK(fxt_intern_init(&it.interner, it.slots, 2 * model.string_max, text, model.text_size,
                               model.policy) == FXT_OK);
    fxt_writer_init(&it.writer, written, room);
    fxt_reader_init(&it.reader, written, 0);
    fxt_tables_init(&it.tables, &memory);
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (uint8_t)('a' + i % 7);
}

/* The tables read what the writer has written since. Returns the bytes. */
static uint64_t read_on(void)
{
    struct fxt_record record;
    struct fxt_error error;
    uint64_t before = it.reader.size;

    it.reader.size = it.writer.size;
    while (fxt_reader_next(&it.reader, &record, &error) == FXT_OK)
        FUZZ_CHECK(fxt_tables_apply(&it.tables, &record, &error) == FXT_OK);
    FUZZ_CHECK(it.reader.position == it.writer.size);
    return it.writer.size - before;
}

static uint16_t find_string(const uint8_t *bytes, size_t length)
{
    for (uint32_t i = 0; i < model.string_count; i++)
        if (model.strings[i].length == length && memcmp(model.strings[i].bytes, bytes, length) == 0)
            return (uint16_t)(i + 1);
    return 0;
}

/* The index that a new string gets; 0: it is written inline. */
static uint16_t place_string(size_t length)
{
    if (model.string_count < model.string_max && length <= model.text_size - model.text_used)
        return (uint16_t)(model.string_count + 1);
    return 0;
}

static void put_string(uint16_t index, const uint8_t *bytes, size_t length)
{
    model.string_count = index;
    model.strings[index - 1].bytes = bytes;
    model.strings[index - 1].length = length;
    model.text_used += (uint32_t)length;
}

static void check_string(struct fxt_string_ref ref, const uint8_t *bytes, size_t length)
{
    struct fxt_bytes text;

    FUZZ_CHECK(fxt_tables_string(&it.tables, &text, ref));
    FUZZ_CHECK(text.size == length && (length == 0 || memcmp(text.bytes, bytes, length) == 0));
}

static void intern_string(const uint8_t *bytes, size_t length)
{
    struct fxt_string_ref ref = fxt_string_index(0);
    uint16_t known = find_string(bytes, length);
    uint16_t index = known != 0 ? known : place_string(length);
    uint64_t need = length > 0 && known == 0 && index != 0 ? 8 + (length + 7) / 8 * 8 : 0;
    enum fxt_status status = fxt_intern_string(&it.interner, &it.writer, &ref, bytes, length);

    if (length > FXT_STRING_LENGTH_MAX) {
        FUZZ_CHECK(status == FXT_INVALID && read_on() == 0);
        return;
    }
    if (need > it.writer.capacity - it.reader.size) {
        FUZZ_CHECK(status == FXT_FULL && read_on() == 0);
        return;
    }
    FUZZ_CHECK(status == FXT_OK && read_on() == need);
    if (length > 0 && index == 0) {
        FUZZ_CHECK(ref.bytes == bytes);
        model.strings_full = model.strings_full || length <= model.text_size;
    } else {
        FUZZ_CHECK(ref.bytes == NULL && ref.ref == (length > 0 ? index : 0));
    }
    if (need > 0)
        put_string(index, bytes, length);
    check_string(ref, bytes, length);
}

static uint8_t find_thread(uint64_t process, uint64_t thread)
{
    for (uint32_t i = 0; i < model.thread_count; i++)
        if (model.threads[i].process == process && model.threads[i].thread == thread)
            return (uint8_t)(i + 1);
    return 0;
}

static uint8_t place_thread(void)
{
    return (uint8_t)(model.thread_count < FXT_THREAD_INDEX_MAX ? model.thread_count + 1 : 0);
}

static void intern_thread(uint64_t process, uint64_t thread)
{
    struct fxt_thread_ref ref = {0, 0, 0};
    struct fxt_thread_ref koids;
    uint8_t known = find_thread(process, thread);
    uint8_t index = known != 0 ? known : place_thread();
    uint64_t need = known == 0 && index != 0 ? 24 : 0;
    enum fxt_status status = fxt_intern_thread(&it.interner, &it.writer, &ref, process, thread);

    if (need > it.writer.capacity - it.reader.size) {
        FUZZ_CHECK(status == FXT_FULL && read_on() == 0);
        return;
    }
    FUZZ_CHECK(status == FXT_OK && read_on() == need && ref.ref == index);
    model.threads_full = model.threads_full || index == 0;
    if (need > 0) {
        model.thread_count = index;
        model.threads[index - 1] = (struct fxt_interned_thread){process, thread};
    }
    FUZZ_CHECK(fxt_tables_thread(&it.tables, &koids, ref));
    FUZZ_CHECK(koids.process == process && koids.thread == thread);
}

/* What had no room makes its table start again, if the policy is so. */
static void begin_record(void)
{
    fxt_intern_begin_record(&it.interner);
    if (model.policy == FXT_INTERN_EVICT && model.strings_full) {
        model.string_count = model.text_used = 0;
        model.strings_full = false;
    }
    if (model.policy == FXT_INTERN_EVICT && model.threads_full) {
        model.thread_count = 0;
        model.threads_full = false;
    }
}

/* Few of many things, so that they come again; and lengths at the borders. */
static void step(uint8_t byte)
{
    static const size_t lengths[] = {0, 1, 7, 8, 9, 255, 32000, 32001};

    if (byte < 0x80)
        intern_string(letters + byte % 7, 1 + byte / 7u);
    else if (byte < 0x88)
        intern_string(letters, lengths[byte - 0x80]);
    else if (byte < 0x90) /* many new threads */
        for (uint64_t i = 0; i < 60; i++)
            intern_thread(byte, i);
    else
        intern_thread(1 + (byte & 3), byte);
}

void fuzz_oracle_intern(const uint8_t *bytes, size_t size)
{
    if (size < HEAD)
        return;
    size_t room = bytes[4] < 128 ? 8u * bytes[4] : 1u << 16;
    uint8_t *written = fuzz_need(room, 1);
    uint8_t *text = fuzz_need(bytes[2] + 256u * (bytes[3] % 8), 1);

    begin(bytes, text, written, room);
    for (size_t i = HEAD; i < size && i < STEPS_MAX; i++) {
        if (bytes[i] % 3 == 0)
            begin_record();
        step(bytes[i]);
    }
    free(text);
    free(written);
}
