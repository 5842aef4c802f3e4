/* Durations: system calls on the threads that made them, and interrupts on a track of their
   processor. Also the frequency of processors. If events were lost between a begin and an end,
   the duration is not recorded, because the two may not belong together. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/kernel/translate_i.h"

#define VIRTUAL_THREAD (UINT64_C(1) << 63)

static void write_span(const struct fxt_kernel_writing *writing, uint64_t start,
                       const trace_thread_ref_t *thread, uint32_t group,
                       const trace_string_ref_t *name, const trace_arg_t *args, size_t count)
{
    trace_string_ref_t category;
    if (start <= writing->translation->lost_at ||
        !trace_context_register_category_literal(writing->context, fxt_kernel_category(group),
                                                 &category))
        return;
    trace_context_write_duration_event_record(writing->context, start, writing->ticks, thread,
                                              &category, name, args, count);
}

static trace_arg_t number_arg(const struct fxt_kernel_writing *writing, const char *literal,
                              int64_t value)
{
    return trace_make_arg(fxt_kernel_literal(writing->context, literal),
                          trace_make_int64_arg_value(value));
}

/* System calls. */

void fxt_kernel_begin_call(const struct fxt_kernel_writing *writing)
{
    struct fxt_kernel_thread *thread =
        fxt_kernel_threads_find(&writing->translation->threads, writing->event->tid);
    if (thread == NULL)
        return;
    thread->in_call = true;
    thread->call = writing->event->number;
    thread->call_start = writing->ticks;
}

void fxt_kernel_end_call(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    struct fxt_kernel_thread *thread =
        fxt_kernel_threads_find(&writing->translation->threads, event->tid);
    /* The kernel says -1 when a thread leaves rt_sigreturn. */
    if (thread == NULL || !thread->in_call ||
        (event->number != thread->call && event->number != -1))
        return;
    thread->in_call = false;
    const char *literal = fxt_kernel_call_name(thread->call);
    const trace_string_ref_t name =
        fxt_kernel_literal(writing->context, literal != NULL ? literal : "syscall");
    const trace_thread_ref_t ref = trace_make_inline_thread_ref(thread->process, thread->tid);
    const trace_arg_t args[] = {number_arg(writing, "number", thread->call),
                                number_arg(writing, "result", event->result)};
    write_span(writing, thread->call_start, &ref, 1, &name, args, 2);
}

/* Processors. */

/* A track of this process. Its name is written once. */
static trace_thread_ref_t cpu_thread(const struct fxt_kernel_writing *writing)
{
    uint32_t cpu = writing->event->cpu;
    zx_koid_t process = (zx_koid_t)getpid();
    zx_koid_t koid = VIRTUAL_THREAD | cpu;
    struct fxt_kernel_handler *hard = &writing->translation->hard[cpu];
    if (!hard->cpu_named) {
        char text[32];
        int length = snprintf(text, sizeof text, "CPU %u", cpu);
        const trace_string_ref_t name = trace_make_inline_string_ref(text, (size_t)length);
        trace_context_write_thread_info_record(writing->context, process, koid, &name);
        hard->cpu_named = true;
    }
    return trace_make_inline_thread_ref(process, koid);
}

static struct fxt_kernel_handler *handler_of(const struct fxt_kernel_writing *writing)
{
    uint32_t kind = writing->event->kind;
    bool hard = kind == FXT_KERNEL_IRQ || kind == FXT_KERNEL_IRQ_DONE;
    if (writing->event->cpu >= FXT_KERNEL_CPUS)
        return NULL;
    return &(hard ? writing->translation->hard : writing->translation->soft)[writing->event->cpu];
}

static const char *softirq_name(int64_t number)
{
    static const char *const names[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                        "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    return number >= 0 && number < 10 ? names[number] : "softirq";
}

void fxt_kernel_begin_handler(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    struct fxt_kernel_handler *handler = handler_of(writing);
    if (handler == NULL)
        return;
    bool soft = event->kind == FXT_KERNEL_SOFTIRQ;
    handler->running = true;
    handler->number = event->number;
    handler->start = writing->ticks;
    snprintf(handler->name, sizeof handler->name, "%s",
             soft ? softirq_name(event->number) : event->name);
}

void fxt_kernel_end_handler(const struct fxt_kernel_writing *writing)
{
    struct fxt_kernel_handler *handler = handler_of(writing);
    if (handler == NULL || !handler->running || handler->number != writing->event->number)
        return;
    handler->running = false;
    bool soft = writing->event->kind == FXT_KERNEL_SOFTIRQ_DONE;
    trace_string_ref_t name;
    trace_context_register_string_copy(writing->context, handler->name, strlen(handler->name),
                                       &name);
    const trace_thread_ref_t thread = cpu_thread(writing);
    const trace_arg_t args[] = {number_arg(writing, soft ? "softirq" : "irq", handler->number)};
    write_span(writing, handler->start, &thread, 2, &name, args, 1);
}

void fxt_kernel_write_frequency(const struct fxt_kernel_writing *writing)
{
    trace_string_ref_t category;
    if (writing->event->cpu >= FXT_KERNEL_CPUS ||
        !trace_context_register_category_literal(writing->context, fxt_kernel_category(3),
                                                 &category))
        return;
    const trace_string_ref_t name = fxt_kernel_literal(writing->context, "cpu_frequency");
    const trace_thread_ref_t thread = cpu_thread(writing);
    const trace_arg_t args[] = {number_arg(writing, "kHz", writing->event->number)};
    trace_context_write_counter_event_record(writing->context, writing->ticks, &thread, &category,
                                             &name, writing->event->cpu, args, 1);
}
