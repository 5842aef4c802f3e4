/* Tracepoints, as the kernel describes them and as nobody should. */
#include "src/kernel/tracepoint.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <lib/trace-engine/types.h>

TestSuite(tracepoint, .timeout = 60);

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                 \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(type_name, offset, size, is_signed)                                                  \
    "\tfield:" type_name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"
#define FORMAT(name, id, fields)                                                                   \
    "name: " name "\nID: " #id "\nformat:\n" COMMON fields "\nprint fmt: \"x\"\n"

static const char switch_format[] =
    FORMAT("sched_switch", 300,
           FIELD("char prev_comm[16]", 8, 16, 0) FIELD("pid_t prev_pid", 24, 4, 1)
               FIELD("int prev_prio", 28, 4, 1) FIELD("long prev_state", 32, 8, 1)
                   FIELD("char next_comm[16]", 40, 16, 0) FIELD("pid_t next_pid", 56, 4, 1)
                       FIELD("int next_prio", 60, 4, 1));
static const char waking_format[] =
    FORMAT("sched_waking", 301,
           FIELD("char comm[16]", 8, 16, 0) FIELD("pid_t pid", 24, 4, 1) FIELD("int prio", 28, 4, 1)
               FIELD("int target_cpu", 32, 4, 1));
static const char irq_format[] = FORMAT(
    "irq_handler_entry", 302, FIELD("int irq", 8, 4, 1) FIELD("__data_loc char[] name", 12, 4, 0));
static const char relative_format[] = FORMAT(
    "irq_handler_entry", 303, FIELD("int irq", 8, 4, 1) FIELD("__rel_loc char[] name", 12, 4, 0));

struct switch_data {
    uint16_t type;
    uint8_t flags;
    uint8_t preempt_count;
    int32_t current;
    char out[16];
    int32_t out_tid;
    int32_t out_prio;
    int64_t state;
    char in[16];
    int32_t in_tid;
    int32_t in_prio;
};

struct waking_data {
    uint16_t type;
    uint8_t flags;
    uint8_t preempt_count;
    int32_t current;
    char name[16];
    int32_t tid;
    int32_t prio;
    int32_t cpu;
};

struct irq_data {
    uint16_t type;
    uint8_t flags;
    uint8_t preempt_count;
    int32_t current;
    int32_t irq;
    uint32_t where;
    char name[8];
};

static struct tep_event *parse(const char *system, const char *format)
{
    struct tep_handle *tep = tep_alloc();
    struct tep_event *event = NULL;
    tep_set_loglevel(TEP_LOG_NONE);
    tep_set_file_bigendian(tep, tep_is_local_bigendian(tep) ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
    tep_parse_format(tep, &event, format, (unsigned long)strlen(format), system);
    cr_assert_not_null(event);
    return event;
}

static const struct switch_data a_switch = {.type = 300,
                                            .current = 10,
                                            .out = "goes",
                                            .out_tid = 10,
                                            .out_prio = 120,
                                            .state = 1,
                                            .in = "fifteen bytes..",
                                            .in_tid = 20,
                                            .in_prio = 98};

Test(tracepoint, switch_is_read)
{
    struct fxt_kernel_event out = {.tid = 10, .process = 9};
    struct tep_event *event = parse("sched", switch_format);
    cr_assert(fxt_kernel_decode(&out, event, &a_switch, sizeof a_switch));
    cr_expect_eq(out.kind, FXT_KERNEL_SWITCH);
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.process, 9);
    cr_expect_eq(out.other, 20);
    cr_expect_eq(out.prio, 120);
    cr_expect_eq(out.other_prio, 98);
    cr_expect_eq(out.state, TRACE_THREAD_STATE_BLOCKED);
    cr_expect_str_eq(out.name, "goes");
    cr_expect_str_eq(out.other_name, "fifteen bytes..");
}

Test(tracepoint, process_of_another_name_space_is_not_taken)
{
    struct fxt_kernel_event out = {.tid = 3, .process = 2};
    struct tep_event *event = parse("sched", switch_format);
    cr_assert(fxt_kernel_decode(&out, event, &a_switch, sizeof a_switch));
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.process, 0);
}

Test(tracepoint, text_without_an_end_is_cut)
{
    struct fxt_kernel_event out = {0};
    struct switch_data data = a_switch;
    struct tep_event *event = parse("sched", switch_format);
    memset(data.out, 'x', sizeof data.out);
    cr_assert(fxt_kernel_decode(&out, event, &data, sizeof data));
    cr_expect_str_eq(out.name, "xxxxxxxxxxxxxxx");
}

Test(tracepoint, data_that_is_cut_anywhere_is_refused)
{
    struct tep_event *event = parse("sched", switch_format);
    for (size_t size = 0; size < sizeof a_switch; size++) {
        uint8_t *exact = malloc(size > 0 ? size : 1);
        struct fxt_kernel_event out = {0};
        memcpy(exact, &a_switch, size);
        cr_expect(!fxt_kernel_decode(&out, event, exact, size), "%zu", size);
        free(exact);
    }
}

Test(tracepoint, field_that_is_missing_or_strange_is_refused)
{
    struct fxt_kernel_event out = {0};
    static const char *const formats[] = {
        FORMAT("sched_switch", 300, FIELD("pid_t prev_pid", 24, 4, 1)),
        FORMAT("sched_wakeup", 300, FIELD("char comm[16]", 8, 16, 0)),
        FORMAT("sched_waking", 300,
               FIELD("pid_t pid", 24, 3, 1) FIELD("int prio", 28, 4, 1)
                   FIELD("int target_cpu", 32, 4, 1)),
        FORMAT("sched_waking", 300,
               FIELD("pid_t pid", 24, 4, 1) FIELD("int prio", 2147483647, 4, 1)
                   FIELD("int target_cpu", 32, 4, 1)),
        FORMAT("sched_waking", 300,
               FIELD("pid_t pid", -4, 4, 1) FIELD("int prio", 28, 4, 1)
                   FIELD("int target_cpu", 32, 4, 1)),
        FORMAT("sched_something", 300, FIELD("pid_t pid", 24, 4, 1)),
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        cr_expect(!fxt_kernel_decode(&out, parse("sched", formats[i]), &a_switch, sizeof a_switch),
                  "%zu", i);
    cr_expect(!fxt_kernel_decode(&out, parse("other", switch_format), &a_switch, sizeof a_switch));
}

Test(tracepoint, waker_is_the_thread_unless_an_interrupt_wakes)
{
    struct fxt_kernel_event out = {.tid = 30, .process = 9, .cpu = 1};
    struct waking_data data = {
        .type = 301, .current = 30, .name = "wakes", .tid = 10, .prio = 120, .cpu = 2};
    struct tep_event *event = parse("sched", waking_format);
    cr_assert(fxt_kernel_decode(&out, event, &data, sizeof data));
    cr_expect_eq(out.kind, FXT_KERNEL_WAKING);
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.other, 30);
    cr_expect_eq(out.process, 0);
    cr_expect_eq(out.cpu, 2);
    data.flags = 0x08;
    cr_assert(fxt_kernel_decode(&out, event, &data, sizeof data));
    cr_expect_eq(out.other, 0);
    data.tid = 0;
    cr_expect(!fxt_kernel_decode(&out, event, &data, sizeof data));
}

Test(tracepoint, text_of_any_length_is_read)
{
    struct fxt_kernel_event out = {0};
    struct irq_data data = {.irq = 7, .where = 5u << 16 | 16, .name = "disk"};
    cr_assert(fxt_kernel_decode(&out, parse("irq", irq_format), &data, sizeof data));
    cr_expect_eq(out.kind, FXT_KERNEL_IRQ);
    cr_expect_eq(out.number, 7);
    cr_expect_str_eq(out.name, "disk");
    memset(&out, 0, sizeof out);
    data.where = 5u << 16;
    cr_assert(fxt_kernel_decode(&out, parse("irq", relative_format), &data, sizeof data));
    cr_expect_str_eq(out.name, "disk");
}

Test(tracepoint, text_that_lies_outside_is_refused)
{
    struct fxt_kernel_event out = {0};
    struct irq_data data = {.irq = 7, .name = "disk"};
    const uint32_t places[] = {9u << 16 | 16, 1u << 16 | 24, 0xffff0010u, 0xffffffffu};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        data.where = places[i];
        cr_expect(!fxt_kernel_decode(&out, parse("irq", irq_format), &data, sizeof data), "%zu", i);
    }
}

Test(tracepoint, states_are_those_of_the_format)
{
    const struct {
        int64_t kernel;
        uint32_t state;
    } states[] = {{0, TRACE_THREAD_STATE_SUSPENDED},      {0x100, TRACE_THREAD_STATE_SUSPENDED},
                  {0x1000, TRACE_THREAD_STATE_SUSPENDED}, {1, TRACE_THREAD_STATE_BLOCKED},
                  {2, TRACE_THREAD_STATE_BLOCKED},        {4, TRACE_THREAD_STATE_SUSPENDED},
                  {8, TRACE_THREAD_STATE_SUSPENDED},      {0x10, TRACE_THREAD_STATE_DEAD},
                  {0x20, TRACE_THREAD_STATE_DEAD},        {0x40, TRACE_THREAD_STATE_BLOCKED},
                  {0x80, TRACE_THREAD_STATE_BLOCKED},     {-1, TRACE_THREAD_STATE_DEAD}};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        cr_expect_eq(fxt_kernel_state(states[i].kernel), states[i].state, "%zu", i);
}

static void is_a_loss(const struct fxt_kernel_event *event)
{
    cr_expect_eq(event->kind, FXT_KERNEL_LOST);
    cr_expect_eq(event->number, 1);
    cr_expect_eq(event->ns, 5);
    cr_expect_eq(event->cpu, 2);
}

Test(tracepoint, event_that_cannot_be_read_is_a_loss)
{
    const struct fxt_kernel_event at = {.ns = 5, .cpu = 2};
    struct tep_event *event = parse("sched", switch_format);
    struct fxt_kernel_event out = at;
    cr_assert(fxt_kernel_decode_or_lose(&out, event, &a_switch, sizeof a_switch));
    cr_expect_eq(out.kind, FXT_KERNEL_SWITCH);
    out = at;
    cr_assert(fxt_kernel_decode_or_lose(&out, event, &a_switch, sizeof a_switch - 1));
    is_a_loss(&out);
    out = at;
    cr_assert(fxt_kernel_decode_or_lose(&out, NULL, &a_switch, sizeof a_switch));
    is_a_loss(&out);
    event = parse("other", switch_format);
    cr_expect(!fxt_kernel_decode_or_lose(&out, event, &a_switch, sizeof a_switch));
}

Test(tracepoint, processor_that_no_record_can_name_is_not_read)
{
    struct fxt_kernel_event out = {.tid = 30};
    struct waking_data data = {.type = 301, .current = 30, .name = "a", .tid = 10, .prio = 120};
    struct tep_event *event = parse("sched", waking_format);
    data.cpu = 65535;
    cr_expect(fxt_kernel_decode(&out, event, &data, sizeof data));
    data.cpu = 65536;
    cr_expect(!fxt_kernel_decode(&out, event, &data, sizeof data));
}

Test(tracepoint, number_of_any_size_has_its_sign)
{
    static const char *const formats[] = {
        FORMAT("irq_handler_exit", 304, FIELD("char irq", 8, 1, 1)),
        FORMAT("irq_handler_exit", 305, FIELD("short irq", 8, 2, 1)),
        FORMAT("irq_handler_exit", 306, FIELD("int irq", 8, 4, 1))};
    const struct irq_data data = {.current = 30, .irq = -7};
    for (size_t i = 0; i < 3; i++) {
        struct fxt_kernel_event out = {.tid = 30};
        cr_assert(fxt_kernel_decode(&out, parse("irq", formats[i]), &data, sizeof data));
        cr_expect_eq(out.number, -7);
    }
}
