/* Events of the kernel and the records that they become. */
#include "src/kernel/records_test.h"

TestSuite(translate, .timeout = 60);

#define ALL 31u
#define SWITCH(out_tid, in_tid, out_prio, in_prio, ...)                                            \
    (struct fxt_kernel_event)                                                                      \
    {                                                                                              \
        .kind = FXT_KERNEL_SWITCH, .tid = out_tid, .other = in_tid, .prio = out_prio,              \
        .other_prio = in_prio, __VA_ARGS__                                                         \
    }

Test(translate, switch_has_both_threads_their_weights_and_the_state)
{
    begin(FXT_KERNEL_SCHED);
    add(100, SWITCH(10, 20, 120, 100, .cpu = 3, .state = 3));
    finish();
    has("switch 100 cpu 3 10->20 state 3 incoming_weight=88761 outgoing_weight=1024");
    cr_expect_eq(it.count, 1);
}

Test(translate, weights_are_those_of_the_scheduler)
{
    begin(FXT_KERNEL_SCHED);
    add(1, SWITCH(10, 0, 99, 120, .state = 2));
    add(2, SWITCH(0, 10, 120, 139, .state = 2));
    add(3, SWITCH(10, 20, -1, 1000000, .state = 2));
    add(4, SWITCH(10, 20, FXT_KERNEL_NO_PRIO, FXT_KERNEL_NO_PRIO, .state = 2));
    finish();
    has("switch 1 cpu 0 10->0 state 2 incoming_weight=-2147483648 outgoing_weight=2147483647");
    has("switch 2 cpu 0 0->10 state 2 incoming_weight=15 outgoing_weight=-2147483648");
    has("switch 3 cpu 0 10->20 state 2 incoming_weight=15 outgoing_weight=2147483647");
    has("switch 4 cpu 0 10->20 state 2");
}

Test(translate, largest_cpu_is_kept)
{
    begin(FXT_KERNEL_SCHED);
    add(1, SWITCH(10, 20, FXT_KERNEL_NO_PRIO, 0, .cpu = 65535));
    finish();
    has("switch 1 cpu 65535 10->20 state 0");
}

static struct fxt_kernel_event wakeup(uint32_t kind, uint32_t tid, uint32_t waker)
{
    return (struct fxt_kernel_event){
        .kind = kind, .tid = tid, .other = waker, .prio = 120, .cpu = 1};
}

Test(translate, wakeup_has_waker_and_weight)
{
    begin(FXT_KERNEL_SCHED);
    add(5, wakeup(FXT_KERNEL_WAKING, 10, 30));
    add(6, wakeup(FXT_KERNEL_WAKING, 11, 0));
    finish();
    has("wakeup 5 cpu 1 10 weight=1024 waker=30");
    has("wakeup 6 cpu 1 11 weight=1024");
}

Test(translate, wakeup_that_was_told_by_its_waking_is_not_told_again)
{
    begin(FXT_KERNEL_SCHED);
    add(5, wakeup(FXT_KERNEL_WAKING, 10, 30));
    add(6, wakeup(FXT_KERNEL_WAKEUP, 10, 0));
    add(7, SWITCH(20, 10, 120, 120, .state = 2));
    add(8, wakeup(FXT_KERNEL_WAKEUP, 10, 0));
    finish();
    cr_expect_eq(count_of("wakeup"), 2);
    has("wakeup 8 cpu 1 10 weight=1024");
}

static struct fxt_kernel_event name(uint32_t process, uint32_t tid, const char *text)
{
    struct fxt_kernel_event event = {.kind = FXT_KERNEL_NAME, .tid = tid, .process = process};
    snprintf(event.name, FXT_KERNEL_COMM, "%s", text);
    return event;
}

Test(translate, names_are_written_when_they_are_new)
{
    begin(FXT_KERNEL_META);
    add(0, name(10, 10, "first"));
    add(0, name(10, 10, "first"));
    add(0, name(10, 11, "worker"));
    add(0, name(10, 10, "second"));
    add(0, name(0, 12, "alone"));
    finish();
    has("process 10 first");
    has("thread 10 first process=10");
    has("thread 11 worker process=10");
    has("process 10 second");
    has("thread 12 alone process=0");
    cr_expect_eq(it.count, 6);
}

Test(translate, new_thread_has_the_name_of_its_maker)
{
    begin(FXT_KERNEL_META);
    add(0, name(10, 10, "maker"));
    struct fxt_kernel_event fork = name(11, 11, "");
    fork.other = 10;
    add(0, fork);
    finish();
    has("process 11 maker");
    has("thread 11 maker process=11");
}

Test(translate, number_of_a_thread_that_ended_is_new_again)
{
    begin(FXT_KERNEL_META);
    add(0, name(10, 10, "a"));
    add(0, (struct fxt_kernel_event){.kind = FXT_KERNEL_EXIT, .tid = 10, .process = 10});
    add(0, name(10, 10, "a"));
    finish();
    cr_expect_eq(count_of("process 10 a"), 2);
}

Test(translate, thread_that_ends_is_known_until_its_last_switch)
{
    begin(FXT_KERNEL_META | FXT_KERNEL_SCHED);
    add(0, name(10, 10, "a"));
    add(1, (struct fxt_kernel_event){.kind = FXT_KERNEL_EXIT, .tid = 10, .process = 10});
    add(2, SWITCH(10, 20, 120, 120, .state = 5, .name = "a"));
    cr_expect_null(fxt_kernel_threads_find(&it.translation.threads, 10));
    finish();
    cr_expect_eq(count_of("process 10"), 1);
    cr_expect_eq(count_of("thread 10"), 1);
}

Test(translate, name_that_is_no_text_is_made_one)
{
    begin(FXT_KERNEL_META);
    add(0, name(10, 10,
                "\xff\xc3"
                "a"));
    add(0, name(11, 11, "\xc3\xa4"));
    finish();
    has("process 10 ??a");
    has("process 11 \xc3\xa4");
}

static struct fxt_kernel_event call(uint32_t kind, uint32_t tid, int64_t number, int64_t result)
{
    return (struct fxt_kernel_event){
        .kind = kind, .tid = tid, .process = 9, .number = number, .result = result};
}

Test(translate, system_call_is_a_span_of_its_thread)
{
    begin(FXT_KERNEL_SYSCALL);
    add(10, call(FXT_KERNEL_RETURN, 10, 1, 0)); /* of a call that began earlier */
    add(11, call(FXT_KERNEL_CALL, 10, 0, 0));
    add(12, call(FXT_KERNEL_CALL, 11, 99999, 0));
    add(15, call(FXT_KERNEL_RETURN, 10, 0, -4));
    add(16, call(FXT_KERNEL_RETURN, 11, 99999, -38));
    add(17, call(FXT_KERNEL_RETURN, 10, 0, -4));
    finish();
#ifdef __x86_64__
    has("span kernel:syscall read 9/10 11..15 number=0 result=-4");
#endif
    has("span kernel:syscall syscall 9/11 12..16 number=99999 result=-38");
    cr_expect_eq(count_of("span"), 2);
}

Test(translate, interrupts_are_spans_of_their_cpu)
{
    struct fxt_kernel_event hard = {.kind = FXT_KERNEL_IRQ, .cpu = 1, .number = 7, .name = "disk"};
    struct fxt_kernel_event soft = {.kind = FXT_KERNEL_SOFTIRQ, .cpu = 1, .number = 3};
    begin(FXT_KERNEL_INTERRUPT);
    add(10, soft);
    add(11, hard);
    hard.kind = FXT_KERNEL_IRQ_DONE;
    add(12, hard);
    soft.kind = FXT_KERNEL_SOFTIRQ_DONE;
    add(13, soft);
    soft.cpu = FXT_KERNEL_CPUS;
    add(14, soft);
    finish();
    has("span kernel:irq disk cpu 1 11..12 irq=7");
    has("span kernel:irq NET_RX cpu 1 10..13 softirq=3");
    cr_expect_eq(it.count, 2);
}

Test(translate, frequency_is_a_counter)
{
    begin(FXT_KERNEL_FREQ);
    add(10, (struct fxt_kernel_event){.kind = FXT_KERNEL_FREQUENCY, .cpu = 2, .number = 1200000});
    finish();
    has("counter kernel:freq cpu_frequency cpu 2 10..2 kHz=1200000");
}

Test(translate, loss_is_told_and_parts_what_was_open)
{
    begin(ALL);
    add(10, call(FXT_KERNEL_CALL, 10, 0, 0));
    add(12, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 1, .number = 7});
    add(15, call(FXT_KERNEL_RETURN, 10, 0, 0));
    add(16, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 1});
    finish();
    has("log 12 7 events of the kernel were lost on CPU 1");
    has("log 16 events of the kernel were lost on CPU 1");
    cr_expect_eq(count_of("span"), 0);
    cr_expect_eq(it.translation.lost, 8);
}

Test(translate, loss_that_had_no_room_is_told_with_the_next_or_at_the_end)
{
    begin(ALL);
    it.translation.unreported[1] = 5;
    it.translation.unreported[3] = 4;
    add(12, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 1, .number = 7});
    add(13, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 1, .number = 1});
    cr_expect(fxt_kernel_translation_end(&it.translation));
    cr_expect(fxt_kernel_translation_end(&it.translation)); /* is told once */
    finish();
    has("log 12 12 events of the kernel were lost on CPU 1");
    has("log 13 1 events of the kernel were lost on CPU 1");
    has("log 13 4 events of the kernel were lost on CPU 3");
    cr_expect_eq(it.count, 3);
}

Test(translate, loss_that_has_no_room_is_kept)
{
    const struct fxt_trace_options options = {.mode = TRACE_BUFFERING_MODE_ONESHOT,
                                              .buffer_bytes = 4096};
    begin_with(&options, ALL);
    for (uint64_t i = 0; it.translation.unreported[2] == 0; i++)
        add(i, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 2, .number = 3});
    add(1, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 2});
    add(1, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .cpu = 65535, .number = 9});
    cr_expect_eq(it.translation.unreported[2], 4);
    cr_expect_eq(it.translation.unreported[FXT_KERNEL_CPUS - 1], 9);
    cr_expect_not(fxt_kernel_translation_end(&it.translation));
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    unlink(it.path);
}

Test(translate, times_do_not_run_backwards)
{
    begin(FXT_KERNEL_SCHED);
    add(100, wakeup(FXT_KERNEL_WAKING, 10, 30));
    add(99, wakeup(FXT_KERNEL_WAKING, 11, 30));
    add(101, wakeup(FXT_KERNEL_WAKING, 12, 30));
    finish();
    has("wakeup 100 cpu 1 11 weight=1024 waker=30");
    has("wakeup 101 cpu 1 12 weight=1024 waker=30");
}

Test(translate, group_that_is_off_is_not_recorded)
{
    begin(0);
    add(1, SWITCH(10, 20, 120, 120, .state = 3, .name = "a", .other_name = "b"));
    add(2, wakeup(FXT_KERNEL_WAKING, 10, 30));
    add(3, call(FXT_KERNEL_CALL, 10, 0, 0));
    add(4, call(FXT_KERNEL_RETURN, 10, 0, 0));
    add(5, (struct fxt_kernel_event){.kind = FXT_KERNEL_FREQUENCY, .number = 1});
    add(6, (struct fxt_kernel_event){.kind = FXT_KERNEL_IRQ, .number = 1, .name = "x"});
    add(7, (struct fxt_kernel_event){.kind = FXT_KERNEL_IRQ_DONE, .number = 1});
    finish();
    cr_expect_eq(it.count, 0);
}

Test(translate, nothing_is_written_without_a_trace)
{
    fxt_kernel_translation_begin(&it.translation, ALL);
    add(1, SWITCH(10, 20, 120, 120, .state = 3));
    add(12, (struct fxt_kernel_event){.kind = FXT_KERNEL_LOST, .number = 7});
    cr_expect_eq(it.translation.lost, 7, "the last of them come when the trace is over");
}
