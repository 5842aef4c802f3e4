/* Converts records of a ring to events. Their layout is that of perf_event_open(2), with the
   fields of FXT_KERNEL_PERF_SAYS. */
#include "src/kernel/perf.h"

#include <stdio.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#include "src/kernel/tracepoint.h"

/* After the header of a sample, and at the end of other records. */
struct origin {
    uint32_t process;
    uint32_t tid;
    uint64_t ns;
    uint32_t cpu;
    uint32_t reserved;
};

struct sample {
    struct perf_event_header header;
    struct origin origin;
    uint32_t size; /* size of the data that follows */
};

struct task {
    struct perf_event_header header;
    uint32_t process;
    uint32_t parent_process;
    uint32_t tid;
    uint32_t parent_tid;
};

struct comm { /* thread whose new name follows */
    struct perf_event_header header;
    uint32_t process;
    uint32_t tid;
};

struct change { /* the incoming thread */
    struct perf_event_header header;
    uint32_t process;
    uint32_t tid;
};

struct loss {
    struct perf_event_header header;
    uint64_t id;
    uint64_t count;
};

#define DATA_AT (offsetof(struct sample, size) + 4)

static void put_origin(struct fxt_kernel_event *out, const struct origin *origin)
{
    out->ns = origin->ns;
    out->cpu = origin->cpu;
    out->tid = origin->tid;
    out->process = origin->process;
    out->prio = FXT_KERNEL_NO_PRIO;
}

static bool get_sample(struct fxt_kernel_event *out, struct tep_handle *tep,
                       const struct perf_event_header *record)
{
    struct sample sample;
    uint16_t type;
    const uint8_t *data = (const uint8_t *)record + DATA_AT;

    if (tep == NULL || record->size < DATA_AT + sizeof type)
        return false;
    memcpy(&sample, record, DATA_AT);
    if (sample.size < sizeof type || sample.size > record->size - DATA_AT)
        return false;
    put_origin(out, &sample.origin);
    memcpy(&type, data, sizeof type);
    const struct tep_event *format = tep_find_event(tep, type);
    return format != NULL && fxt_kernel_decode(out, format, data, sample.size);
}

static bool get_task(struct fxt_kernel_event *out, const struct perf_event_header *record)
{
    struct task task;
    memcpy(&task, record, sizeof task);
    out->kind = record->type == PERF_RECORD_FORK ? FXT_KERNEL_NAME : FXT_KERNEL_EXIT;
    out->process = task.process;
    out->tid = task.tid;
    out->other = record->type == PERF_RECORD_FORK ? task.parent_tid : 0;
    return true;
}

static bool get_comm(struct fxt_kernel_event *out, const struct perf_event_header *record)
{
    struct comm comm;
    size_t room = record->size - sizeof comm - sizeof(struct origin);
    size_t most = room < FXT_KERNEL_COMM ? room : FXT_KERNEL_COMM - 1;
    const char *text = (const char *)record + sizeof comm;
    memcpy(&comm, record, sizeof comm);
    out->kind = FXT_KERNEL_NAME;
    out->process = comm.process;
    out->tid = comm.tid;
    memcpy(out->name, text, strnlen(text, most));
    return true;
}

/* There is one record for the outgoing thread and one for the incoming thread. Each names both. */
static bool get_departure(struct fxt_kernel_event *out, const struct change *change, uint16_t misc)
{
    bool dead = out->tid == UINT32_MAX;
    bool ready = (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    out->kind = FXT_KERNEL_SWITCH;
    out->tid = dead ? 0 : out->tid;
    out->process = dead ? 0 : out->process;
    out->other = change->tid == UINT32_MAX ? 0 : change->tid;
    out->state = dead    ? TRACE_THREAD_STATE_DEAD
                 : ready ? TRACE_THREAD_STATE_SUSPENDED
                         : TRACE_THREAD_STATE_BLOCKED;
    return true;
}

/* Tracepoints report more about outgoing threads. A dead thread that runs once more has no number:
   its departure tells more than its arrival. */
static bool get_switch(struct fxt_kernel_event *out, const struct tep_handle *tep,
                       const struct perf_event_header *record)
{
    struct change change;
    memcpy(&change, record, sizeof change);
    if ((record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0)
        return tep == NULL && get_departure(out, &change, record->misc);
    out->kind = FXT_KERNEL_ARRIVAL;
    out->other = change.tid;
    return out->tid != UINT32_MAX;
}

static bool get_loss(struct fxt_kernel_event *out, const struct perf_event_header *record)
{
    struct loss loss;
    memcpy(&loss, record, sizeof loss);
    out->kind = FXT_KERNEL_LOST;
    out->number = (int64_t)loss.count;
    return true;
}

/* The least length of a record without its origin; 0: an unknown record. */
static size_t least_size(uint32_t type)
{
    switch (type) {
    case PERF_RECORD_LOST:
        return sizeof(struct loss);
    case PERF_RECORD_COMM:
        return sizeof(struct comm);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        return sizeof(struct task);
    case PERF_RECORD_SWITCH_CPU_WIDE:
        return sizeof(struct change);
    default:
        return 0;
    }
}

static bool get_other(struct fxt_kernel_event *out, const struct tep_handle *tep,
                      const struct perf_event_header *record)
{
    switch (record->type) {
    case PERF_RECORD_LOST:
        return get_loss(out, record);
    case PERF_RECORD_COMM:
        return get_comm(out, record);
    case PERF_RECORD_SWITCH_CPU_WIDE:
        return get_switch(out, tep, record);
    default:
        return get_task(out, record);
    }
}

bool fxt_kernel_perf_decode(struct fxt_kernel_event *out, struct tep_handle *tep,
                            const struct perf_event_header *record)
{
    struct origin origin;
    size_t least = least_size(record->type);

    memset(out, 0, sizeof *out);
    if (record->type == PERF_RECORD_SAMPLE)
        return get_sample(out, tep, record);
    if (least == 0 || record->size < least + sizeof origin)
        return false;
    memcpy(&origin, (const uint8_t *)record + record->size - sizeof origin, sizeof origin);
    put_origin(out, &origin);
    return get_other(out, tep, record);
}
