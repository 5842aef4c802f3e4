/* The table of tracepoints, and the decoder of each. */
#include "src/kernel/tracepoint.h"

#include <limits.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#include "src/kernel/field.h"

uint32_t fxt_kernel_state(int64_t prev_state)
{
    if ((prev_state & 0xff) == 0) /* it would go on; from bit 8 on: why it does not */
        return TRACE_THREAD_STATE_SUSPENDED;
    if ((prev_state & 0x30) != 0)
        return TRACE_THREAD_STATE_DEAD;
    return (prev_state & 0x0c) != 0 ? TRACE_THREAD_STATE_SUSPENDED : TRACE_THREAD_STATE_BLOCKED;
}

/* The number of a processor, as a record has room for it. */
static bool get_cpu(struct fxt_kernel_event *out, const struct fxt_kernel_data *data,
                    const char *name)
{
    return fxt_kernel_field_u32(&out->cpu, data, name) && out->cpu <= UINT16_MAX;
}

static bool get_switch(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    int64_t state = 0;
    bool whole = fxt_kernel_field_u32(&out->tid, data, "prev_pid") &&
                 fxt_kernel_field_u32(&out->other, data, "next_pid") &&
                 fxt_kernel_field_i32(&out->prio, data, "prev_prio") &&
                 fxt_kernel_field_i32(&out->other_prio, data, "next_prio") &&
                 fxt_kernel_field_number(&state, data, "prev_state");
    fxt_kernel_field_text(out->name, FXT_KERNEL_COMM, data, "prev_comm");
    fxt_kernel_field_text(out->other_name, FXT_KERNEL_COMM, data, "next_comm");
    out->kind = FXT_KERNEL_SWITCH;
    out->state = fxt_kernel_state(state);
    return whole;
}

/* An interrupt wakes threads for its own reasons, whatever thread it interrupts. */
static bool in_interrupt(const struct fxt_kernel_data *data)
{
    int64_t flags;
    return fxt_kernel_field_number(&flags, data, "common_flags") && (flags & 0x18) != 0;
}

static bool get_wakeup(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    bool waking = strcmp(data->format->name, "sched_wakeup") != 0;
    out->kind = waking ? FXT_KERNEL_WAKING : FXT_KERNEL_WAKEUP;
    out->other = waking && !in_interrupt(data) ? out->tid : 0;
    out->process = 0;
    fxt_kernel_field_text(out->name, FXT_KERNEL_COMM, data, "comm");
    return fxt_kernel_field_u32(&out->tid, data, "pid") && out->tid != 0 &&
           fxt_kernel_field_i32(&out->prio, data, "prio") && get_cpu(out, data, "target_cpu");
}

static bool get_fork(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_NAME;
    out->process = 0;
    return fxt_kernel_field_u32(&out->tid, data, "child_pid") &&
           fxt_kernel_field_text(out->name, FXT_KERNEL_COMM, data, "child_comm");
}

static bool get_rename(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_NAME;
    return fxt_kernel_field_text(out->name, FXT_KERNEL_COMM, data, "newcomm");
}

static bool get_exit(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    (void)data;
    out->kind = FXT_KERNEL_EXIT;
    return true;
}

static bool get_call(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_CALL;
    return fxt_kernel_field_number(&out->number, data, "id");
}

static bool get_return(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_RETURN;
    return fxt_kernel_field_number(&out->number, data, "id") &&
           fxt_kernel_field_number(&out->result, data, "ret");
}

static bool get_irq(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_IRQ;
    return fxt_kernel_field_number(&out->number, data, "irq") &&
           fxt_kernel_field_text(out->name, sizeof out->name, data, "name");
}

static bool get_irq_done(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_IRQ_DONE;
    return fxt_kernel_field_number(&out->number, data, "irq");
}

static bool get_softirq(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    bool begins = strcmp(data->format->name, "softirq_entry") == 0;
    out->kind = begins ? FXT_KERNEL_SOFTIRQ : FXT_KERNEL_SOFTIRQ_DONE;
    return fxt_kernel_field_number(&out->number, data, "vec");
}

static bool get_frequency(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    out->kind = FXT_KERNEL_FREQUENCY;
    return fxt_kernel_field_number(&out->number, data, "state") && get_cpu(out, data, "cpu_id");
}

static const struct fxt_kernel_tracepoint tracepoints[] = {
    {"sched", "sched_switch", FXT_KERNEL_SCHED, true, get_switch},
    {"sched", "sched_waking", FXT_KERNEL_SCHED, true, get_wakeup},
    {"sched", "sched_wakeup", FXT_KERNEL_SCHED, false, get_wakeup},
    {"sched", "sched_wakeup_new", FXT_KERNEL_SCHED, true, get_wakeup},
    {"sched", "sched_process_fork", FXT_KERNEL_META, false, get_fork},
    {"task", "task_rename", FXT_KERNEL_META, false, get_rename},
    {"sched", "sched_process_exit", FXT_KERNEL_META, false, get_exit},
    {"raw_syscalls", "sys_enter", FXT_KERNEL_SYSCALL, true, get_call},
    {"raw_syscalls", "sys_exit", FXT_KERNEL_SYSCALL, true, get_return},
    {"irq", "irq_handler_entry", FXT_KERNEL_INTERRUPT, true, get_irq},
    {"irq", "irq_handler_exit", FXT_KERNEL_INTERRUPT, true, get_irq_done},
    {"irq", "softirq_entry", FXT_KERNEL_INTERRUPT, true, get_softirq},
    {"irq", "softirq_exit", FXT_KERNEL_INTERRUPT, true, get_softirq},
    {"power", "cpu_frequency", FXT_KERNEL_FREQ, true, get_frequency},
};

#define COUNT (sizeof tracepoints / sizeof tracepoints[0])

const struct fxt_kernel_tracepoint *fxt_kernel_tracepoints(size_t *count)
{
    *count = COUNT;
    return tracepoints;
}

/* The thread of the event. The sample's process belongs to that thread only, and not to a thread
   with the same number in another namespace. */
static bool get_current(struct fxt_kernel_event *out, const struct fxt_kernel_data *data)
{
    uint32_t sampled = out->tid;
    if (!fxt_kernel_field_u32(&out->tid, data, "common_pid"))
        return false;
    if (out->tid != sampled)
        out->process = 0;
    return true;
}

/* NULL: a tracepoint that is not in the list. */
static const struct fxt_kernel_tracepoint *tracepoint_of(const struct tep_event *format)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(tracepoints[i].name, format->name) == 0 &&
            strcmp(tracepoints[i].system, format->system) == 0)
            return &tracepoints[i];
    return NULL;
}

bool fxt_kernel_decode(struct fxt_kernel_event *out, const struct tep_event *format,
                       const void *data, size_t size)
{
    const struct fxt_kernel_data fields = {format, data, size};
    const struct fxt_kernel_tracepoint *tracepoint = tracepoint_of(format);
    out->prio = FXT_KERNEL_NO_PRIO;
    return tracepoint != NULL && get_current(out, &fields) && tracepoint->decode(out, &fields);
}

bool fxt_kernel_decode_or_lose(struct fxt_kernel_event *out, const struct tep_event *format,
                               const void *data, size_t size)
{
    const struct fxt_kernel_event lost = {
        .ns = out->ns, .kind = FXT_KERNEL_LOST, .cpu = out->cpu, .number = 1};
    if (format != NULL && tracepoint_of(format) == NULL)
        return false;
    if (format == NULL || !fxt_kernel_decode(out, format, data, size))
        *out = lost;
    return true;
}
