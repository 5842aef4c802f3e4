/* What the interner gives to a record, the tables find when they read the record. */
#include <criterion/criterion.h>
#include <fxt/intern.h>
#include <fxt/tables.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 16
#define RECORDS 300

static struct fxt_intern_slot slots[SLOTS];
static struct fxt_interner interner;
static struct fxt_writer writer;
static struct fxt_provider provider;
static uint8_t text[256];
static uint8_t arena[4096];
static uint8_t bytes[65536];

static struct fxt_string_ref intern(const char *name, unsigned number)
{
    static char string[16]; /* the text of an inline ref lives until its record is written */
    static char other[16];
    char *place = name[0] == 'f' ? string : other;
    struct fxt_string_ref ref;
    int length = snprintf(place, sizeof string, "%s %u", name, number);
    cr_assert_eq(
        fxt_intern_string(&interner, &writer, &ref, (const uint8_t *)place, (size_t)length),
        FXT_OK);
    return ref;
}

/* Two new strings and a new thread. */
static void write_event(unsigned number)
{
    struct fxt_event event = {.event_type = FXT_EVENT_INSTANT, .timestamp = number};
    fxt_intern_begin_record(&interner);
    cr_assert_eq(fxt_intern_thread(&interner, &writer, &event.thread, 1, number), FXT_OK);
    event.category = intern("first", number);
    event.name = intern("second", number);
    cr_assert_eq(fxt_write_event(&writer, &event, NULL, 0), FXT_OK);
}

static void expect_string(const struct fxt_tables *tables, struct fxt_string_ref ref,
                          const char *name, unsigned number)
{
    char expected[16];
    struct fxt_bytes found;
    size_t length = (size_t)snprintf(expected, sizeof expected, "%s %u", name, number);
    cr_assert(fxt_tables_string(tables, &found, ref));
    cr_assert(found.size == length && memcmp(found.bytes, expected, length) == 0, "%s: %.*s",
              expected, (int)found.size, (const char *)found.bytes);
}

static void expect_event(const struct fxt_tables *tables, const struct fxt_record *record,
                         unsigned number)
{
    struct fxt_event event;
    struct fxt_error error;
    struct fxt_thread_ref koids;
    cr_assert_eq(fxt_read_event(record, &event, &error), FXT_OK);
    cr_assert_eq(event.timestamp, number);
    cr_assert(fxt_tables_thread(tables, &koids, event.thread));
    cr_assert_eq(koids.thread, number);
    expect_string(tables, event.category, "first", number);
    expect_string(tables, event.name, "second", number);
}

Test(interned, each_record_says_what_was_interned_for_it_in_tables_that_start_again)
{
    uint32_t id;
    const struct fxt_tables_memory memory = {.providers = &provider,
                                             .provider_ids = &id,
                                             .arena = arena,
                                             .provider_max = 1,
                                             .arena_size = sizeof arena,
                                             .zeroed = 1};
    struct fxt_tables tables;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    unsigned found = 0;

    fxt_writer_init(&writer, bytes, sizeof bytes);
    cr_assert_eq(fxt_intern_init(&interner, slots, SLOTS, text, sizeof text, FXT_INTERN_EVICT),
                 FXT_OK);
    for (unsigned i = 1; i <= RECORDS; i++)
        write_event(i);
    fxt_reader_init(&reader, bytes, writer.size);
    fxt_tables_init(&tables, &memory);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        cr_assert_eq(fxt_tables_apply(&tables, &record, &error), FXT_OK);
        if (record.type == FXT_RECORD_EVENT)
            expect_event(&tables, &record, ++found);
    }
    cr_assert_eq(found, RECORDS);
}
