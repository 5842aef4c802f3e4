/* The decoder of tracepoints once more, from the descriptions of the kernel: a field counts if all of
   it lies within the data. */
#include <stdio.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "fuzz/kernel/model.h"
#include "fuzz/lib/oracle.h"

struct data {
    const struct tep_event *format;
    const uint8_t *bytes;
    int64_t size;
    bool broken; /* something that is needed is not there */
};

static const struct tep_format_field *find(const struct data *data, const char *name)
{
    const struct tep_format_field *field = data->format->format.common_fields;
    for (; field != NULL; field = field->next)
        if (strcmp(field->name, name) == 0)
            return field;
    for (field = data->format->format.fields; field != NULL; field = field->next)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

/* False if there is no such number. */
static bool number(int64_t *out, const struct data *data, const char *name)
{
    const struct tep_format_field *field = find(data, name);
    if (field == NULL || field->offset < 0 || field->size < 1 || field->size > 8 ||
        (field->size & (field->size - 1)) != 0 || (int64_t)field->offset + field->size > data->size)
        return false;
    bool negative = (field->flags & TEP_FIELD_IS_SIGNED) != 0 &&
                    data->bytes[field->offset + field->size - 1] >= 0x80;
    uint64_t value = negative ? UINT64_MAX : 0;
    for (int i = field->size; i-- > 0;)
        value = value << 8 | data->bytes[field->offset + i];
    memcpy(out, &value, sizeof value);
    return true;
}

static int64_t need(struct data *data, const char *name, int64_t least, int64_t most)
{
    int64_t value = 0;
    if (!number(&value, data, name) || value < least || value > most)
        data->broken = true;
    return value;
}

static uint32_t need_u32(struct data *data, const char *name)
{
    return (uint32_t)need(data, name, 0, UINT32_MAX);
}

static int32_t need_i32(struct data *data, const char *name)
{
    return (int32_t)need(data, name, INT32_MIN, INT32_MAX);
}

static bool text(char *out, size_t room, const struct data *data, const char *name)
{
    const struct tep_format_field *field = find(data, name);
    if (field == NULL || field->offset < 0 || field->size < 0 ||
        (int64_t)field->offset + field->size > data->size)
        return false;
    int64_t at = field->offset, size = field->size;
    if ((field->flags & TEP_FIELD_IS_DYNAMIC) != 0) {
        if (size != 4)
            return false;
        const uint8_t *where = data->bytes + at;
        at =
            (where[0] | where[1] << 8) + ((field->flags & TEP_FIELD_IS_RELATIVE) != 0 ? at + 4 : 0);
        size = where[2] | where[3] << 8;
        if (at + size > data->size)
            return false;
    }
    for (size_t i = 0; i + 1 < room && (int64_t)i < size && data->bytes[at + (int64_t)i] != 0; i++)
        out[i] = (char)data->bytes[at + (int64_t)i];
    return true;
}

static void need_text(char *out, size_t room, struct data *data, const char *name)
{
    if (!text(out, room, data, name))
        data->broken = true;
}

static uint32_t state_of(int64_t state)
{
    if ((state & 0xff) == 0)
        return 2; /* suspended: it would go on */
    return (state & 0x30) != 0 ? 5 : (state & 0x0c) != 0 ? 2 : 3;
}

static void wakeup(struct fxt_kernel_event *out, struct data *data, bool waking)
{
    int64_t flags = 0;
    number(&flags, data, "common_flags");
    out->kind = waking ? FXT_KERNEL_WAKING : FXT_KERNEL_WAKEUP;
    out->other = waking && (flags & 0x18) == 0 ? out->tid : 0;
    out->process = 0;
    text(out->name, FXT_KERNEL_COMM, data, "comm");
    out->tid = need_u32(data, "pid");
    out->prio = need_i32(data, "prio");
    out->cpu = (uint32_t)need(data, "target_cpu", 0, UINT16_MAX);
    data->broken = data->broken || out->tid == 0;
}

/* False: no such tracepoint is asked for. */
static bool fields(struct fxt_kernel_event *out, struct data *data)
{
    char name[64];
    snprintf(name, sizeof name, "%s:%s", data->format->system, data->format->name);
#define IS(which) (strcmp(name, which) == 0)
    if (IS("sched:sched_switch")) {
        out->kind = FXT_KERNEL_SWITCH;
        out->tid = need_u32(data, "prev_pid");
        out->other = need_u32(data, "next_pid");
        out->prio = need_i32(data, "prev_prio");
        out->other_prio = need_i32(data, "next_prio");
        out->state = state_of(need(data, "prev_state", INT64_MIN, INT64_MAX));
        text(out->name, FXT_KERNEL_COMM, data, "prev_comm");
        text(out->other_name, FXT_KERNEL_COMM, data, "next_comm");
    } else if (IS("sched:sched_waking") || IS("sched:sched_wakeup_new")) {
        wakeup(out, data, true);
    } else if (IS("sched:sched_wakeup")) {
        wakeup(out, data, false);
    } else if (IS("sched:sched_process_fork")) {
        out->kind = FXT_KERNEL_NAME;
        out->tid = need_u32(data, "child_pid");
        need_text(out->name, FXT_KERNEL_COMM, data, "child_comm");
    } else if (IS("task:task_rename")) {
        out->kind = FXT_KERNEL_NAME;
        need_text(out->name, FXT_KERNEL_COMM, data, "newcomm");
    } else if (IS("sched:sched_process_exit")) {
        out->kind = FXT_KERNEL_EXIT;
    } else if (IS("raw_syscalls:sys_enter")) {
        out->kind = FXT_KERNEL_CALL;
        out->number = need(data, "id", INT64_MIN, INT64_MAX);
    } else if (IS("raw_syscalls:sys_exit")) {
        out->kind = FXT_KERNEL_RETURN;
        out->number = need(data, "id", INT64_MIN, INT64_MAX);
        out->result = need(data, "ret", INT64_MIN, INT64_MAX);
    } else if (IS("irq:irq_handler_entry")) {
        out->kind = FXT_KERNEL_IRQ;
        out->number = need(data, "irq", INT64_MIN, INT64_MAX);
        need_text(out->name, sizeof out->name, data, "name");
    } else if (IS("irq:irq_handler_exit")) {
        out->kind = FXT_KERNEL_IRQ_DONE;
        out->number = need(data, "irq", INT64_MIN, INT64_MAX);
    } else if (IS("irq:softirq_entry") || IS("irq:softirq_exit")) {
        out->kind = IS("irq:softirq_entry") ? FXT_KERNEL_SOFTIRQ : FXT_KERNEL_SOFTIRQ_DONE;
        out->number = need(data, "vec", INT64_MIN, INT64_MAX);
    } else if (IS("power:cpu_frequency")) {
        out->kind = FXT_KERNEL_FREQUENCY;
        out->number = need(data, "state", INT64_MIN, INT64_MAX);
        out->cpu = (uint32_t)need(data, "cpu_id", 0, UINT16_MAX);
    } else {
        return false;
    }
#undef IS
    return true;
}

bool kernel_model_decode(struct fxt_kernel_event *out, const struct tep_event *format,
                         const uint8_t *bytes, size_t size)
{
    const struct fxt_kernel_event lost = {
        .ns = out->ns, .kind = FXT_KERNEL_LOST, .cpu = out->cpu, .number = 1};
    struct data data = {format, bytes, (int64_t)size, format == NULL};
    bool known = true;
    if (format != NULL) {
        out->prio = FXT_KERNEL_NO_PRIO;
        out->tid = need_u32(&data, "common_pid");
        known = fields(out, &data);
    }
    if (known && data.broken)
        *out = lost;
    return known;
}
