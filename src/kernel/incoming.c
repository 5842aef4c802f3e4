/* One thread calls this, that of the replay. */
#include "src/kernel/incoming.h"

#include <string.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/kernel/clock.h"

static bool acceptable(const struct fxt_kernel_event *event)
{
    return event->kind >= FXT_KERNEL_SWITCH && event->kind <= FXT_KERNEL_LOST &&
           event->cpu <= UINT16_MAX && event->state <= TRACE_THREAD_STATE_DEAD &&
           event->state != TRACE_THREAD_STATE_RUNNING &&
           (event->kind != FXT_KERNEL_LOST || event->number >= 0);
}

static void put_event(struct fxt_kernel_incoming *incoming, const struct fxt_kernel_sink *sink,
                      struct fxt_kernel_event *event)
{
    event->name[sizeof event->name - 1] = '\0';
    event->other_name[sizeof event->other_name - 1] = '\0';
    if (!acceptable(event))
        *event = (struct fxt_kernel_event){
            .ns = event->ns, .kind = FXT_KERNEL_LOST, .cpu = event->cpu & 0xffff, .number = 1};
    if (!incoming->begun) {
        incoming->begun = true;
        incoming->first = event->ns;
        incoming->start = trace_get_ticks();
    }
    incoming->count++;
    sink->put(sink->data, event,
              fxt_kernel_shifted_ticks(incoming->start, incoming->first, event->ns,
                                       trace_ticks_per_second()));
}

void *fxt_kernel_incoming_room(struct fxt_kernel_incoming *incoming, size_t *size)
{
    *size = sizeof incoming->events - incoming->kept;
    return (char *)incoming->events + incoming->kept;
}

void fxt_kernel_incoming_add(struct fxt_kernel_incoming *incoming, size_t bytes,
                             const struct fxt_kernel_sink *sink)
{
    size_t all = incoming->kept + bytes;
    size_t whole = all / sizeof incoming->events[0];
    for (size_t i = 0; i < whole; i++)
        put_event(incoming, sink, &incoming->events[i]);
    incoming->kept = all - whole * sizeof incoming->events[0];
    memmove(incoming->events, &incoming->events[whole], incoming->kept);
}
