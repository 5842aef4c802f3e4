/* Records of the macros of <trace/event.h> that are not on the hot path. Any thread, in signal
   handlers too. */
#include "src/engine/engine.h"

#include <fxt/record.h>

struct names {
    trace_string_ref_t category;
    trace_string_ref_t name;
    trace_arg_t args[TRACE_MAX_ARGS];
};

/* Goes inside, and provides the references that the record needs. `here` is of the caller, which
   leaves. */
static trace_context_t *begin(struct names *names, uintptr_t here, const char *category,
                              const char *name, const trace_arg_t *args, size_t num_args)
{
    struct trace_context *context = &fxt_i_this_thread;

    if (!fxt_i_enter(context, here))
        return NULL;
    if (num_args > TRACE_MAX_ARGS) {
        fxt_i_drop(context);
        fxt_i_leave(context);
        return NULL;
    }
    trace_context_register_string_literal(context, category, &names->category);
    trace_context_register_string_literal(context, name, &names->name);
    for (size_t i = 0; i < num_args; i++)
        names->args[i] = args[i];
    trace_i_complete_args(context, names->args, num_args);
    return context;
}

void trace_i_vthread_event(const char *category, const char *name, uint32_t event_type,
                           uint64_t value, const char *vthread_literal,
                           trace_vthread_id_t vthread_id, trace_ticks_t timestamp,
                           const trace_arg_t *args, size_t num_args)
{
    struct names names;
    trace_thread_ref_t thread;
    trace_context_t *context = begin(&names, FXT_I_HERE, category, name, args, num_args);

    if (context == NULL)
        return;
    trace_context_register_vthread(context, ZX_KOID_INVALID, vthread_literal, vthread_id, &thread);
    fxt_i_write_event(context, event_type, timestamp, value, &thread, &names.category, &names.name,
                      names.args, num_args);
    fxt_i_leave(context);
}

void trace_i_blob(trace_blob_type_t type, const char *name, const void *blob, size_t blob_size)
{
    struct names names;
    trace_context_t *context = begin(&names, FXT_I_HERE, NULL, name, NULL, 0);

    if (context == NULL)
        return;
    trace_context_write_blob_record(context, type, &names.name, blob, blob_size);
    fxt_i_leave(context);
}

void trace_i_blob_event(const char *category, const char *name, const void *blob, size_t blob_size,
                        const trace_arg_t *args, size_t num_args)
{
    struct names names;
    trace_thread_ref_t thread;
    trace_context_t *context = begin(&names, FXT_I_HERE, category, name, args, num_args);

    if (context == NULL)
        return;
    trace_context_register_current_thread(context, &thread);
    trace_context_write_blob_event_record(context, fxt_i_ticks(), &thread, &names.category,
                                          &names.name, blob, blob_size, names.args, num_args);
    fxt_i_leave(context);
}

void trace_i_blob_attachment(const char *category, const char *name, const void *blob,
                             size_t blob_size)
{
    struct names names;
    trace_context_t *context = begin(&names, FXT_I_HERE, category, name, NULL, 0);

    if (context == NULL)
        return;
    trace_context_write_blob_attachment_record(context, &names.category, &names.name, blob,
                                               blob_size);
    fxt_i_leave(context);
}

void trace_i_kernel_object(zx_handle_t handle, const trace_arg_t *args, size_t num_args)
{
    struct names names;
    trace_context_t *context = begin(&names, FXT_I_HERE, NULL, NULL, args, num_args);

    if (context == NULL)
        return;
    trace_context_write_kernel_object_record_for_handle(context, handle, names.args, num_args);
    fxt_i_leave(context);
}

void trace_i_alert(const char *alert_name)
{
    struct trace_context *context = &fxt_i_this_thread;

    if (!fxt_i_enter(context, FXT_I_HERE))
        return;
    trace_context_send_alert(context, alert_name);
    fxt_i_leave(context);
}
