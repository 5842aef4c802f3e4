/* The start of the translation: selects the record for an event.

   One thread calls this. The times of the records never run backwards, although the line for the
   conversion to ticks changes slightly over time. */
#include <assert.h>
#include <fxt/write.h>
#include <stdio.h>
#include <string.h>

#include "src/kernel/translate_i.h"

void fxt_kernel_translation_begin(struct fxt_kernel_translation *translation, uint32_t groups)
{
    fxt_kernel_threads_clear(&translation->threads);
    memset(translation->hard, 0, sizeof translation->hard);
    memset(translation->soft, 0, sizeof translation->soft);
    translation->groups = groups;
    translation->latest = 0;
    translation->lost_at = 0;
    translation->lost = 0;
    memset(translation->unreported, 0, sizeof translation->unreported);
}

/* Lost events. */

static int loss_text(char *text, size_t size, uint64_t count, uint32_t cpu)
{
    if (count == 0)
        return snprintf(text, size, "events of the kernel were lost on CPU %u", cpu);
    return snprintf(text, size, "%llu events of the kernel were lost on CPU %u",
                    (unsigned long long)count, cpu);
}

/* False if there is no room for the record; the engine's own function for log records does not
   report that. A count of 0 means unknown. */
static bool log_loss(trace_context_t *context, uint64_t ticks, uint64_t count, uint32_t cpu)
{
    char text[100];
    uint8_t bytes[160];
    struct fxt_writer writer;
    trace_thread_ref_t thread;

    trace_context_register_current_thread(context, &thread);
    const struct fxt_log log = {
        .timestamp = ticks,
        .message = {(const uint8_t *)text, (uint64_t)loss_text(text, sizeof text, count, cpu)},
        .thread = {.ref = (uint16_t)thread.encoded_value,
                   .process = thread.inline_process_koid,
                   .thread = thread.inline_thread_koid}};
    fxt_writer_init(&writer, bytes, sizeof bytes);
    return fxt_write_log(&writer, &log) == FXT_OK &&
           fxt_kernel_put_record(context, bytes, writer.size);
}

/* At least. */
static uint64_t loss_of(const struct fxt_kernel_event *event)
{
    return event->number > 0 ? (uint64_t)event->number : 1;
}

/* A count that finds no room is reported later, together with the next lost events of that
   processor. */
static void write_loss(const struct fxt_kernel_writing *writing)
{
    struct fxt_kernel_translation *translation = writing->translation;
    uint32_t cpu = writing->event->cpu;
    uint64_t *unreported =
        &translation->unreported[cpu < FXT_KERNEL_CPUS ? cpu : FXT_KERNEL_CPUS - 1];
    uint64_t count = (uint64_t)writing->event->number;
    uint64_t at_least = loss_of(writing->event);

    translation->lost += at_least;
    translation->lost_at = writing->ticks;
    if (*unreported > 0)
        count = *unreported + at_least;
    *unreported =
        log_loss(writing->context, writing->ticks, count, cpu) ? 0 : *unreported + at_least;
}

bool fxt_kernel_translation_end(struct fxt_kernel_translation *translation)
{
    bool all = true;
    trace_context_t *context = trace_acquire_context();
    for (uint32_t cpu = 0; context != NULL && cpu < FXT_KERNEL_CPUS; cpu++) {
        uint64_t *unreported = &translation->unreported[cpu];
        if (*unreported > 0 && log_loss(context, translation->latest, *unreported, cpu))
            *unreported = 0;
        all = all && *unreported == 0;
    }
    if (context != NULL)
        trace_release_context(context);
    return all;
}

typedef void write_t(const struct fxt_kernel_writing *writing);

/* For each kind of event: whether it is about a thread, its group, and its function. */
static const struct {
    bool of_thread;
    uint32_t group; /* 0: always */
    write_t *write;
} ways[] = {
    [FXT_KERNEL_SWITCH] = {true, FXT_KERNEL_SCHED, fxt_kernel_write_switch},
    [FXT_KERNEL_WAKING] = {true, FXT_KERNEL_SCHED, fxt_kernel_write_wakeup},
    [FXT_KERNEL_WAKEUP] = {true, FXT_KERNEL_SCHED, fxt_kernel_write_wakeup},
    [FXT_KERNEL_NAME] = {true, FXT_KERNEL_META, NULL},
    [FXT_KERNEL_EXIT] = {true, FXT_KERNEL_META, NULL},
    [FXT_KERNEL_CALL] = {true, FXT_KERNEL_SYSCALL, fxt_kernel_begin_call},
    [FXT_KERNEL_RETURN] = {true, FXT_KERNEL_SYSCALL, fxt_kernel_end_call},
    [FXT_KERNEL_IRQ] = {false, FXT_KERNEL_INTERRUPT, fxt_kernel_begin_handler},
    [FXT_KERNEL_IRQ_DONE] = {false, FXT_KERNEL_INTERRUPT, fxt_kernel_end_handler},
    [FXT_KERNEL_SOFTIRQ] = {false, FXT_KERNEL_INTERRUPT, fxt_kernel_begin_handler},
    [FXT_KERNEL_SOFTIRQ_DONE] = {false, FXT_KERNEL_INTERRUPT, fxt_kernel_end_handler},
    [FXT_KERNEL_FREQUENCY] = {false, FXT_KERNEL_FREQ, fxt_kernel_write_frequency},
    [FXT_KERNEL_LOST] = {false, 0, write_loss},
};

static void write_event(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    assert(event->kind < sizeof ways / sizeof ways[0]); /* its source has looked */
    uint32_t group = ways[event->kind].group;
    if (ways[event->kind].of_thread)
        fxt_kernel_note_threads(writing);
    if (ways[event->kind].write != NULL &&
        (group == 0 || (writing->translation->groups & group) != 0))
        ways[event->kind].write(writing);
    fxt_kernel_forget_thread(writing);
}

void fxt_kernel_translate(struct fxt_kernel_translation *translation,
                          const struct fxt_kernel_event *event, uint64_t ticks)
{
    trace_context_t *context = trace_acquire_context();
    if (context == NULL) {
        if (event->kind == FXT_KERNEL_LOST)
            translation->lost += loss_of(event);
        return;
    }
    if (ticks > translation->latest)
        translation->latest = ticks;
    const struct fxt_kernel_writing writing = {translation, context, event, translation->latest};
    write_event(&writing);
    trace_release_context(context);
}
