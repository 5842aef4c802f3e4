/* Switches and wakeups. */
#include <fxt/write.h>

#include "src/kernel/translate_i.h"

/* The weight of an idle thread, by a convention of the format's readers. */
#define IDLE_WEIGHT INT32_MIN

/* The weight of a thread: the share of processor time that the kernel's fair scheduler gives to
   priorities 100 to 139. A thread with a deadline or a fixed priority outweighs all of these. */
static int32_t weight_of(uint32_t tid, int32_t prio)
{
    static const int32_t weights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705,
                                        14949, 11916, 9548,  7620,  6100,  4904,  3906,  3121,
                                        2501,  1991,  1586,  1277,  1024,  820,   655,   526,
                                        423,   335,   272,   215,   172,   137,   110,   87,
                                        70,    56,    45,    36,    29,    23,    18,    15};
    if (tid == 0)
        return IDLE_WEIGHT;
    if (prio < 100)
        return INT32_MAX;
    return weights[prio < 140 ? prio - 100 : 39];
}

static struct fxt_arg weight_arg(trace_context_t *context, const char *literal, int32_t weight)
{
    struct fxt_arg arg = {.type = FXT_ARG_INT32, .value = (uint32_t)weight};
    arg.name = fxt_kernel_literal_ref(context, literal);
    return arg;
}

/* The engine's function takes thread refs only, and a large machine has too many threads for
   those. */
static void write_record(trace_context_t *context, const struct fxt_context_switch *in,
                         const struct fxt_arg *args, size_t count)
{
    uint8_t bytes[128];
    struct fxt_writer writer;

    fxt_writer_init(&writer, bytes, sizeof bytes);
    if (fxt_write_context_switch(&writer, in, args, count) == FXT_OK)
        fxt_kernel_put_record(context, bytes, writer.size);
}

void fxt_kernel_write_switch(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    struct fxt_arg args[2];
    size_t count = 0;
    const struct fxt_context_switch in = {.timestamp = writing->ticks,
                                          .outgoing_thread = event->tid,
                                          .incoming_thread = event->other,
                                          .cpu = (uint16_t)event->cpu,
                                          .outgoing_state = (uint16_t)event->state};
    struct fxt_kernel_thread *incoming =
        fxt_kernel_threads_find(&writing->translation->threads, event->other);

    if (incoming != NULL)
        incoming->woken = false;
    if (event->prio != FXT_KERNEL_NO_PRIO) {
        args[count++] = weight_arg(writing->context, "incoming_weight",
                                   weight_of(event->other, event->other_prio));
        args[count++] =
            weight_arg(writing->context, "outgoing_weight", weight_of(event->tid, event->prio));
    }
    write_record(writing->context, &in, args, count);
}

/* Whether a waking event has already reported this wakeup. */
static bool known(const struct fxt_kernel_writing *writing)
{
    struct fxt_kernel_thread *thread =
        fxt_kernel_threads_find(&writing->translation->threads, writing->event->tid);
    bool told = thread != NULL && thread->woken && writing->event->kind == FXT_KERNEL_WAKEUP;
    if (thread != NULL)
        thread->woken = true;
    return told;
}

void fxt_kernel_write_wakeup(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    trace_context_t *context = writing->context;
    trace_arg_t args[2];
    size_t count = 0;

    if (known(writing))
        return;
    if (event->prio != FXT_KERNEL_NO_PRIO)
        args[count++] =
            trace_make_arg(fxt_kernel_literal(context, "weight"),
                           trace_make_int32_arg_value(weight_of(event->tid, event->prio)));
    if (event->other != 0)
        args[count++] = trace_make_arg(fxt_kernel_literal(context, "waker"),
                                       trace_make_koid_arg_value(event->other));
    trace_context_write_thread_wakeup_record(context, writing->ticks, event->cpu, event->tid, args,
                                             count);
}
