#include <fxt/events.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/write.h>

static uint8_t memory[4096];
static struct fxt_writer writer;

static void put_event(uint64_t timestamp)
{
    const struct fxt_event event = {.thread = fxt_thread_inline(1, 2),
                                    .category = fxt_string_index(1),
                                    .name = fxt_string_inline("n", 1),
                                    .timestamp = timestamp,
                                    .event_type = FXT_EVENT_DURATION_BEGIN};
    const struct fxt_arg arg = fxt_make_int32(fxt_string_inline("a", 1), -7);
    cr_assert_eq(fxt_write_event(&writer, &event, &arg, 1), FXT_OK);
}

static void put_word(const char bytes[8])
{
    cr_assert_eq(fxt_write_raw(&writer, (const uint8_t *)bytes, 8), FXT_OK);
}

// Event 5, a word of zeros, an event and a string without their words, event 6.
static void put_damaged(void)
{
    const struct fxt_string name = {.index = 1, .value = {(const uint8_t *)"cat", 3}};
    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_write_magic(&writer);
    fxt_write_string(&writer, &name);
    put_event(5);
    put_word("\0\0\0\0\0\0\0");
    put_word("\x14\0\0\0\0\0\0");
    put_word("\x12\0\x02\0\x08\0\0");
    put_event(6);
}

static void expect_event(struct fxt_events *events, uint64_t timestamp)
{
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    cr_assert(fxt_events_next(events, &event, args));
    cr_expect_eq(event.timestamp, timestamp);
    cr_assert_eq(event.args.count, 1);
    cr_expect_eq(fxt_arg_int64(&args[0]), -7);
}

static void expect_end(struct fxt_events *events, enum fxt_status why, uint64_t skipped)
{
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    for (int again = 0; again < 2; again++) {
        cr_expect_not(fxt_events_next(events, &event, args));
        cr_expect_eq(events->error.status, why);
        cr_expect_eq(events->skipped, skipped);
    }
}

Test(events, what_cannot_be_read_is_skipped_and_counted)
{
    struct fxt_events events;
    put_damaged();
    fxt_events_init(&events, memory, writer.size, NULL);
    expect_event(&events, 5);
    expect_event(&events, 6);
    expect_end(&events, FXT_END, 1); // nobody decodes the string
}

Test(events, tables_resolve_the_event_that_came_last)
{
    struct fxt_tables tables;
    struct fxt_events events;
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_bytes text;
    struct fxt_tables_memory room = {.providers = calloc(1, sizeof(struct fxt_provider)),
                                     .provider_ids = calloc(1, sizeof(uint32_t)),
                                     .arena = calloc(1, 100),
                                     .provider_max = 1,
                                     .arena_size = 100};
    put_damaged();
    fxt_tables_init(&tables, &room);
    fxt_events_init(&events, memory, writer.size, &tables);
    cr_assert(fxt_events_next(&events, &event, args));
    cr_assert(fxt_tables_string(&tables, &text, event.category));
    cr_assert_eq(text.size, 3);
    cr_expect_arr_eq(text.bytes, "cat", 3);
    expect_event(&events, 6);
    expect_end(&events, FXT_END, 2);
    free(room.providers);
    free(room.provider_ids);
    free(room.arena);
}

// One string fits, another does not, nor does a second provider.
Test(events, what_finds_no_room_in_the_tables_is_counted)
{
    static struct fxt_provider providers[1];
    static uint32_t ids[1];
    static uint8_t arena[32];
    const struct fxt_tables_memory room = {.providers = providers,
                                           .provider_ids = ids,
                                           .arena = arena,
                                           .provider_max = 1,
                                           .arena_size = sizeof arena};
    const struct fxt_string strings[] = {
        {.index = 1, .value = {(const uint8_t *)"cat", 3}},
        {.index = 2, .value = {(const uint8_t *)"a longer one", 12}}};
    struct fxt_tables tables;
    struct fxt_events events;
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_write_magic(&writer);
    fxt_write_string(&writer, &strings[0]);
    fxt_write_string(&writer, &strings[1]);
    put_event(5);
    fxt_tables_init(&tables, &room);
    fxt_events_init(&events, memory, writer.size, &tables);
    cr_assert(fxt_events_next(&events, &event, args));
    cr_expect_eq(events.unregistered, 1);
    expect_end(&events, FXT_END, 0);
    fxt_write_provider_section(&writer, &(struct fxt_provider_section){.provider_id = 7});
    fxt_tables_init(&tables, &room);
    fxt_events_init(&events, memory, writer.size, &tables);
    while (fxt_events_next(&events, &event, args))
        continue;
    cr_expect_eq(events.unregistered, 2);
    cr_expect_eq(events.skipped, 0);
}

Test(events, a_trace_that_is_cut_says_so_at_its_end)
{
    struct fxt_events events;
    put_damaged();
    fxt_events_init(&events, memory, writer.size - 8, NULL);
    expect_event(&events, 5);
    expect_end(&events, FXT_TRUNCATED, 1);
    fxt_events_init(&events, NULL, 0, NULL);
    expect_end(&events, FXT_END, 0);
}

static void put_provider(uint32_t id, const char *category, uint64_t ticks_per_second)
{
    const struct fxt_string string = {.index = 1,
                                      .value = fxt_bytes_of(category, strlen(category))};
    const struct fxt_initialization rate = {.ticks_per_second = ticks_per_second};
    fxt_write_provider_section(&writer, &(struct fxt_provider_section){.provider_id = id});
    fxt_write_initialization(&writer, &rate);
    fxt_write_string(&writer, &string);
    put_event(1000);
}

static void expect_resolved(const struct fxt_events *events, const struct fxt_event *event,
                            const char *category, uint64_t ns)
{
    struct fxt_bytes text;
    struct fxt_thread_ref koids;
    uint64_t time;
    cr_assert(fxt_events_string(events, &text, event, event->category));
    cr_assert_eq(text.size, strlen(category));
    cr_expect_eq(strncmp(fxt_bytes_text(text), category, strlen(category)), 0);
    cr_assert(fxt_events_thread(events, &koids, event));
    cr_expect_eq(koids.thread, 2);
    cr_assert(fxt_events_ns(events, &time, event));
    cr_expect_eq(time, ns);
    cr_expect_not(fxt_events_string(events, &text, event, fxt_string_index(2)));
}

static void expect_unresolved(const struct fxt_events *events, const struct fxt_event *event)
{
    struct fxt_bytes text = {NULL, 7};
    struct fxt_thread_ref koids = {7, 7, 7};
    uint64_t time = 7;
    cr_expect_not(fxt_events_string(events, &text, event, event->category));
    cr_expect_not(fxt_events_string(events, &text, event, event->name));
    cr_expect_not(fxt_events_thread(events, &koids, event));
    cr_expect_not(fxt_events_ns(events, &time, event));
    cr_expect_eq(text.size, 7);
    cr_expect_eq(koids.ref, 7);
    cr_expect_eq(time, 7);
}

// The refs of two providers are the same numbers.
Test(events, an_event_is_resolved_while_it_is_the_latest_one_and_not_later)
{
    struct fxt_tables tables;
    struct fxt_events events;
    struct fxt_event first, second, last;
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_tables_memory room = {.providers = calloc(3, sizeof(struct fxt_provider)),
                                     .provider_ids = calloc(3, sizeof(uint32_t)),
                                     .arena = calloc(1, 200),
                                     .provider_max = 3,
                                     .arena_size = 200};
    fxt_writer_init(&writer, memory, sizeof memory);
    fxt_write_magic(&writer);
    put_provider(1, "of the first", 1000000000);
    put_provider(2, "of the second", 500000000);
    fxt_tables_init(&tables, &room);
    fxt_events_init(&events, memory, writer.size, &tables);
    cr_assert(fxt_events_next(&events, &first, args));
    expect_resolved(&events, &first, "of the first", 1000);
    cr_assert(fxt_events_next(&events, &second, args));
    expect_unresolved(&events, &first);
    expect_resolved(&events, &second, "of the second", 2000);
    cr_assert_not(fxt_events_next(&events, &last, args));
    expect_unresolved(&events, &first);
    expect_unresolved(&events, &second);
    fxt_events_init(&events, memory, writer.size, NULL);
    cr_assert(fxt_events_next(&events, &first, args));
    expect_unresolved(&events, &first);
    free(room.providers);
    free(room.provider_ids);
    free(room.arena);
}
