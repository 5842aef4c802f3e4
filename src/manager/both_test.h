/* For tests of providers that break the protocol: a session of two providers, one by hand and one
   that is as it should be. */
#ifndef FXT_MANAGER_BOTH_TEST_H
#define FXT_MANAGER_BOTH_TEST_H

#include "src/manager/raw_test.h"

/* One that is as it should be, in another process, and a session of both. */
struct both {
    struct test_provider well;
    struct raw *raw;
    struct session session;
};

/* Both have buffers; the session is not started. */
static inline void initialize_both(struct both *it, enum trace_mode mode)
{
    const struct trace_config config = {
        .mode = mode, .buffer_megabytes = 1, .start_timeout_ms = 100};
    it->well = start_provider("well");
    it->raw = raw_provider("raw");
    begin_session(&it->session, &config);
    wait_for_providers(it->session.controller, 2);
    cr_assert(raw_await(it->raw, FXT_I_INITIALIZE, 5000));
    raw_begin_buffer(it->raw, mode);
}

/* The other one traces. */
static inline void begin_well(struct both *it)
{
    start_session(&it->session);
    cr_assert_eq(order(&it->well, 's', 5000), 'k');
    cr_assert_eq(order(&it->well, 'e', 100), 'k');
}

static inline void begin_both(struct both *it, enum trace_mode mode)
{
    initialize_both(it, mode);
    begin_well(it);
    cr_assert(raw_await(it->raw, FXT_I_START, 5000));
}

static inline void start_both(struct both *it, enum trace_mode mode)
{
    begin_both(it, mode);
    cr_assert_eq(raw_say(it->raw, FXT_I_STARTED, 0, 0), 0);
}

static inline const struct trace_provider_statistics *end_both(struct both *it)
{
    cr_expect_eq(order(&it->well, 'e', 100), 'k');
    cr_expect_eq(end_session(&it->session), 0);
    struct found found = find_events(&it->session.archive, "well");
    cr_expect_eq(found.events, 200, "%lu events of the other", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(count_findings(&it->session.archive, FXT_NONCONFORMING), 0);
    cr_expect(!statistics_of(&it->session, "well")->misbehaved);
    end_provider(&it->well);
    raw_end(it->raw);
    return statistics_of(&it->session, "raw");
}

static inline void expect_events(const struct both *it, uint64_t count)
{
    struct found found = find_events(&it->session.archive, "raw");
    cr_expect_eq(found.events, count, "%lu of %lu", (unsigned long)found.events,
                 (unsigned long)count);
    cr_expect_eq(found.gaps, 0);
}

/* Into the part behind the header, as in oneshot mode. */
static inline void write_all(struct both *it, uint64_t count)
{
    struct fxt_buffer_header *header = &it->raw->header;
    header->rolling_data_end[0] = raw_write_events(it->raw, FXT_BUFFER_HEADER_BYTES, 0, count);
    fxt_buffer_write_header(it->raw->buffer, header);
}

/* Half 0 and half 1 hold 50 events each, the first of which is full. */
static inline void fill_a_half(struct both *it)
{
    struct fxt_buffer_header *header = &it->raw->header;
    uint64_t at = FXT_BUFFER_HEADER_BYTES + header->durable_size;
    header->rolling_data_end[0] = raw_write_events(it->raw, at, 0, 50);
    header->rolling_data_end[1] = raw_write_events(it->raw, at + header->rolling_size, 50, 50);
    header->wrapped_count = 1;
    fxt_buffer_write_header(it->raw->buffer, header);
}

static inline bool is_saved(const struct both *it)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];
    return raw_is_readable(it->raw->fifo, 2000) &&
           recv(it->raw->fifo, bytes, sizeof bytes, MSG_DONTWAIT) == (ssize_t)sizeof bytes &&
           bytes[1] == 1;
}

/* Returns when the manager has handled what the provider has said so far. */
static inline void await_heard(const struct both *it)
{
    char name[15];
    cr_assert_eq(trace_controller_watch_alert(it->session.controller), 0);
    cr_assert_eq(raw_say(it->raw, FXT_I_ALERT, 0, 0), 0);
    cr_assert_eq(trace_controller_next_alert(it->session.controller, 20000, name), 0);
}

#endif
