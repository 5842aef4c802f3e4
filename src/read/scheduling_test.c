#include "src/read/fixture_test.h"

#define LEGACY(cpu, state, out, in, out_priority, in_priority)                                     \
    (8 | AT(cpu, 16) | AT(state, 24) | AT(out, 28) | AT(in, 36) | AT(out_priority, 44) |           \
     AT(in_priority, 52))
#define SWITCH(args, cpu, state) (8 | AT(args, 16) | AT(cpu, 20) | AT(state, 36) | AT(1, 60))
#define WAKEUP(args, cpu) (8 | AT(args, 16) | AT(cpu, 20) | AT(2, 60))

static struct fxt_legacy_switch legacy_of(const struct fxt_record *record)
{
    struct fxt_legacy_switch out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_legacy_switch(record, &out, &error), FXT_OK);
    return out;
}

Test(legacy_switch, has_fields_of_its_own)
{
    struct fxt_record record = RECORD(LEGACY(1, 2, 3, 4, 5, 6), 7);
    struct fxt_legacy_switch out = legacy_of(&record);
    cr_expect_eq(out.cpu, 1);
    cr_expect_eq(out.outgoing_state, FXT_THREAD_SUSPENDED);
    expect_thread(out.outgoing, 3, 0, 0);
    expect_thread(out.incoming, 4, 0, 0);
    cr_expect_eq(out.outgoing_priority, 5);
    cr_expect_eq(out.incoming_priority, 6);
    cr_expect_eq(out.timestamp, 7);
}

Test(legacy_switch, has_fields_at_their_ends)
{
    struct fxt_record record = RECORD(LEGACY(255, 15, 255, 255, 255, 255), UINT64_MAX);
    struct fxt_legacy_switch out = legacy_of(&record);
    cr_expect_eq(out.cpu, 255);
    cr_expect_eq(out.outgoing_state, 15);
    expect_thread(out.outgoing, 255, 0, 0);
    expect_thread(out.incoming, 255, 0, 0);
    cr_expect_eq(out.outgoing_priority, 255);
    cr_expect_eq(out.incoming_priority, 255);
    cr_expect_eq(out.timestamp, UINT64_MAX);
    record = RECORD(LEGACY(0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0);
    out = legacy_of(&record);
    cr_expect_eq(out.cpu, 0);
    cr_expect_eq(out.outgoing_state, FXT_THREAD_NEW);
    cr_expect_eq(out.outgoing_priority, 0);
    cr_expect_eq(out.incoming_priority, 0);
}

Test(legacy_switch, has_the_koids_of_the_inline_threads_outgoing_first)
{
    struct fxt_record record = RECORD(LEGACY(0, 3, 0, 0, 0, 0), 5, 10, UINT64_MAX, 12, 13);
    struct fxt_legacy_switch out = legacy_of(&record);
    expect_thread(out.outgoing, 0, 10, UINT64_MAX);
    expect_thread(out.incoming, 0, 12, 13);
    record = RECORD(LEGACY(0, 3, 1, 0, 0, 0), 5, 12, 13);
    out = legacy_of(&record);
    expect_thread(out.outgoing, 1, 0, 0);
    expect_thread(out.incoming, 0, 12, 13);
    record = RECORD(LEGACY(0, 3, 0, 1, 0, 0), 5, 10, 11);
    out = legacy_of(&record);
    expect_thread(out.outgoing, 0, 10, 11);
    expect_thread(out.incoming, 1, 0, 0);
}

Test(context_switch, has_fields_of_its_own)
{
    struct fxt_record record =
        RECORD(SWITCH(2, 4, 2) | UINT64_C(0x0fffff0000000000), 123, 5, 6, AT(1, 4), AT(1, 4));
    struct fxt_context_switch out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_context_switch(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.cpu, 4);
    cr_expect_eq(out.outgoing_state, FXT_THREAD_SUSPENDED);
    cr_expect_eq(out.timestamp, 123);
    cr_expect_eq(out.outgoing_thread, 5);
    cr_expect_eq(out.incoming_thread, 6);
    cr_expect_eq(out.args.count, 2);
    cr_expect_eq(out.args.words, 2);
    cr_expect_eq(out.args.offset, record.offset + 32);
    cr_expect_eq(out.tail.words, 0);
}

Test(context_switch, has_fields_at_their_ends)
{
    uint64_t words[19] = {SWITCH(15, 65535, 15), UINT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    for (unsigned i = 0; i < 15; i++)
        words[4 + i] = AT(1, 4);
    struct fxt_record record = record_of(words, 19);
    struct fxt_context_switch out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_context_switch(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.cpu, 65535);
    cr_expect_eq(out.outgoing_state, 15);
    cr_expect_eq(out.timestamp, UINT64_MAX);
    cr_expect_eq(out.outgoing_thread, UINT64_MAX);
    cr_expect_eq(out.incoming_thread, UINT64_MAX - 1);
    cr_expect_eq(out.args.count, 15);
    record = RECORD(SWITCH(0, 0, 0), 0, 0, 0);
    cr_assert_eq(fxt_read_context_switch(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.cpu, 0);
    cr_expect_eq(out.outgoing_state, 0);
    cr_expect_eq(out.args.count, 0);
}

Test(thread_wakeup, has_fields_at_their_ends)
{
    uint64_t words[18] = {WAKEUP(15, 65535) | UINT64_C(0x0ffffff000000000), UINT64_MAX,
                          UINT64_MAX - 1};
    for (unsigned i = 0; i < 15; i++)
        words[3 + i] = AT(1, 4);
    struct fxt_record record = record_of(words, 18);
    struct fxt_thread_wakeup out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_thread_wakeup(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.cpu, 65535);
    cr_expect_eq(out.timestamp, UINT64_MAX);
    cr_expect_eq(out.waking_thread, UINT64_MAX - 1);
    cr_expect_eq(out.args.count, 15);
    cr_expect_eq(out.args.bytes, record.bytes + 24);
    record = RECORD(WAKEUP(0, 0), 1, 2);
    cr_assert_eq(fxt_read_thread_wakeup(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.cpu, 0);
    cr_expect_eq(out.timestamp, 1);
    cr_expect_eq(out.waking_thread, 2);
    cr_expect_eq(out.args.count, 0);
}
