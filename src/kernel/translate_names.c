/* The names of processes and threads. */
#include <stdio.h>
#include <string.h>

#include <fxt/write.h>
#include <lib/trace-engine/handler.h>

#include "src/base/utf8.h"
#include "src/kernel/translate_i.h"

static void write_object(trace_context_t *context, const struct fxt_kernel_object *object,
                         uint64_t process)
{
    uint8_t bytes[128];
    struct fxt_writer writer;
    struct fxt_arg arg = {.type = FXT_ARG_KOID, .value = process};
    bool of_process = object->object_type == FXT_OBJECT_THREAD;

    arg.name = fxt_kernel_literal_ref(context, "process");
    fxt_writer_init(&writer, bytes, sizeof bytes);
    if (fxt_write_kernel_object(&writer, object, &arg, of_process ? 1 : 0) == FXT_OK)
        fxt_kernel_put_record(context, bytes, writer.size);
}

#define NAME_BYTES 256 /* at least the size of the two records of a name */

/* The engine leaves out names when half of the durable part is full. So later names are written
   among the other records. */
static bool durable_part_has_room(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return sizes.durable_bytes + NAME_BYTES <= sizes.durable_size / 2;
}

static void write_durable_name(trace_context_t *context, const struct fxt_kernel_thread *thread,
                               const char *text)
{
    const trace_string_ref_t name = trace_make_inline_c_string_ref(text);
    if (thread->tid == thread->process)
        trace_context_write_process_info_record(context, thread->process, &name);
    trace_context_write_thread_info_record(context, thread->process, thread->tid, &name);
}

static void write_passing_name(trace_context_t *context, const struct fxt_kernel_thread *thread,
                               const char *text)
{
    struct fxt_kernel_object object = {.name = fxt_string_inline(text, strlen(text)),
                                       .koid = thread->tid,
                                       .object_type = FXT_OBJECT_PROCESS};
    if (thread->tid == thread->process)
        write_object(context, &object, 0);
    object.object_type = FXT_OBJECT_THREAD;
    write_object(context, &object, thread->process);
}

static void write_name(trace_context_t *context, const struct fxt_kernel_thread *thread)
{
    char text[FXT_KERNEL_COMM];
    memcpy(text, thread->name, sizeof text);
    fxt_i_utf8_mend((uint8_t *)text, strlen(text));
    if (durable_part_has_room())
        write_durable_name(context, thread, text);
    else
        write_passing_name(context, thread, text);
}

/* Updates a thread from an event, and writes its name if it is new. A process has the name of its
   first thread. */
static void note_thread(const struct fxt_kernel_writing *writing, uint32_t tid, uint32_t process,
                        const char name[FXT_KERNEL_COMM])
{
    struct fxt_kernel_thread *thread = fxt_kernel_threads_get(&writing->translation->threads, tid);
    if (thread == NULL)
        return;
    bool moved = process != 0 && process != thread->process;
    bool renamed = name[0] != '\0' && strncmp(name, thread->name, FXT_KERNEL_COMM) != 0;
    if (moved)
        thread->process = process;
    if (renamed)
        snprintf(thread->name, sizeof thread->name, "%.*s", FXT_KERNEL_COMM - 1, name);
    if ((moved || renamed) && thread->name[0] != '\0' &&
        (writing->translation->groups & FXT_KERNEL_META) != 0)
        write_name(writing->context, thread);
}

/* A new thread inherits the name of its creator. */
static const char *name_of(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    if (event->kind != FXT_KERNEL_NAME || event->name[0] != '\0')
        return event->name;
    const struct fxt_kernel_thread *maker =
        fxt_kernel_threads_find(&writing->translation->threads, event->other);
    return maker != NULL ? maker->name : event->name;
}

void fxt_kernel_note_threads(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    note_thread(writing, event->tid, event->process, name_of(writing));
    if (event->kind == FXT_KERNEL_SWITCH)
        note_thread(writing, event->other, 0, event->other_name);
}

/* A thread that ends keeps running until its last switch, if switches are recorded. */
void fxt_kernel_forget_thread(const struct fxt_kernel_writing *writing)
{
    const struct fxt_kernel_event *event = writing->event;
    bool switches = (writing->translation->groups & FXT_KERNEL_SCHED) != 0;
    if (switches ? event->kind == FXT_KERNEL_SWITCH && event->state == TRACE_THREAD_STATE_DEAD
                 : event->kind == FXT_KERNEL_EXIT)
        fxt_kernel_threads_remove(&writing->translation->threads, event->tid);
}
