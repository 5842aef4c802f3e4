/* The loop over the events of a trace against the reader and other tables of the same size: the same
   events, in the same order, and what they refer to, but nothing of an event that has passed. The state
   is the memory of both tables. */
#include <string.h>

#include <fxt/events.h>

#include "fuzz/lib/any.h"

enum { PROVIDERS = 2, ARENA = 1024 };

static struct side {
    struct fxt_tables tables;
    struct fxt_provider providers[PROVIDERS];
    uint32_t ids[PROVIDERS];
    uint8_t arena[ARENA];
} sides[2];

static struct fxt_tables *tables_of(struct side *side)
{
    const struct fxt_tables_memory memory = {.providers = side->providers,
                                             .provider_ids = side->ids,
                                             .arena = side->arena,
                                             .provider_max = PROVIDERS,
                                             .arena_size = ARENA,
                                             .zeroed = 1};
    if (side->tables.providers == NULL)
        fxt_tables_init(&side->tables, &memory);
    fxt_tables_reset(&side->tables);
    return &side->tables;
}

static void check_string(const struct fxt_events *events, const struct fxt_tables *tables,
                         const struct fxt_event *event, struct fxt_string_ref ref)
{
    struct fxt_bytes text, wanted;
    bool is_known = fxt_tables_string(tables, &wanted, ref);
    FUZZ_CHECK(fxt_events_string(events, &text, event, ref) == is_known);
    FUZZ_CHECK(!is_known || (text.size == wanted.size &&
                             (text.size == 0 || memcmp(text.bytes, wanted.bytes, text.size) == 0)));
}

static void check_references(const struct fxt_events *events, const struct fxt_tables *tables,
                             const struct fuzz_record *found)
{
    const struct fxt_event *event = &found->any.event;
    struct fxt_thread_ref koids, wanted;
    uint64_t ns;
    bool is_known = fxt_tables_thread(tables, &wanted, event->thread);
    check_string(events, tables, event, event->category);
    check_string(events, tables, event, event->name);
    for (uint8_t i = 0; i < found->arg_count; i++)
        check_string(events, tables, event, found->args[i].name);
    FUZZ_CHECK(fxt_events_thread(events, &koids, event) == is_known);
    FUZZ_CHECK(!is_known || (koids.process == wanted.process && koids.thread == wanted.thread));
    FUZZ_CHECK(fxt_events_ns(events, &ns, event));
    FUZZ_CHECK(ns ==
               fxt_ticks_to_ns(event->timestamp, fxt_tables_provider(tables)->ticks_per_second));
}

static void check_passed(const struct fxt_events *events, const struct fxt_event *event)
{
    struct fxt_bytes text;
    struct fxt_thread_ref koids;
    uint64_t ns;
    FUZZ_CHECK(!fxt_events_string(events, &text, event, event->name));
    FUZZ_CHECK(!fxt_events_thread(events, &koids, event) && !fxt_events_ns(events, &ns, event));
}

static bool next(struct fxt_events *events, struct fuzz_record *found)
{
    memset(found, 0, sizeof *found);
    found->kind = FUZZ_EVENT;
    if (!fxt_events_next(events, &found->any.event, found->args))
        return false;
    found->arg_count = (uint8_t)found->any.event.args.count;
    return true;
}

void fuzz_oracle_events(const uint8_t *bytes, size_t size)
{
    static struct fuzz_record found, decoded;
    struct fxt_tables *tables = tables_of(&sides[0]);
    struct fxt_event passed;
    struct fxt_events events;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint64_t skipped = 0, unregistered = 0;
    bool has_passed = false;

    fxt_events_init(&events, bytes, size, tables_of(&sides[1]));
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        enum fxt_status applied = fxt_tables_apply(tables, &record, &error);
        unregistered += applied == FXT_FULL;
        memset(&decoded, 0, sizeof decoded);
        bool is_event = fuzz_decode_all(&decoded, &record, &error) == FXT_OK;
        skipped += applied == FXT_MALFORMED || (record.type == FXT_RECORD_EVENT && !is_event);
        if (!is_event || decoded.kind != FUZZ_EVENT)
            continue;
        FUZZ_CHECK(next(&events, &found));
        FUZZ_CHECK(fuzz_digest(&found, true) == fuzz_digest(&decoded, true));
        check_references(&events, tables, &found);
        if (has_passed)
            check_passed(&events, &passed);
        passed = found.any.event;
        has_passed = true;
    }
    FUZZ_CHECK(!next(&events, &found) && !next(&events, &found));
    FUZZ_CHECK(events.skipped == skipped && events.unregistered == unregistered);
    FUZZ_CHECK(events.error.status == status &&
               (status == FXT_END || events.error.offset == error.offset));
    if (has_passed)
        check_passed(&events, &passed);
}
