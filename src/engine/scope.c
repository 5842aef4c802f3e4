/* Durations that end with their scope, as the macro TRACE_DURATION writes them. Any thread: the
   state of a duration is on its stack. */
#include <string.h>

#include "src/engine/engine.h"

#include <fxt/record.h>

/* False if the strings are too long for `text`. */
static bool keep(trace_arg_value_t *values, char *text, const trace_arg_value_t *given,
                 size_t count)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        const trace_string_ref_t string = {given[i].string_ref, given[i].string};
        values[i] = given[i];
        if (trace_i_arg_type(&given[i]) != TRACE_ARG_STRING || !trace_is_inline_string_ref(&string))
            continue;
        size_t length = string.encoded_value & TRACE_ENCODED_STRING_REF_LENGTH_MASK;
        if (length > TRACE_I_TEXT_BYTES - used)
            return false;
        memcpy(text + used, string.inline_string, length);
        values[i].string = text + used;
        used += length;
    }
    return true;
}

struct trace_i_duration *trace_i_duration_begin(struct trace_i_duration *duration,
                                                struct trace_i_site *site, const char *category,
                                                const char *name, trace_arg_value_t *values,
                                                char *text, const trace_arg_value_t *given,
                                                size_t num_args)
{
    *duration = (struct trace_i_duration){
        .site = site, .category = category, .name = name, .values = values, .num_args = num_args};
    duration->is_pair = !keep(values, text, given, num_args);
    if (duration->is_pair) /* the end of a begin that is not there would close another duration */
        return fxt_i_begin_duration(site, category, name, given, num_args) ? duration : NULL;
    duration->start = fxt_i_ticks();
    return duration;
}

/* Does not use the site: its references are those of an event with arguments. */
static void write_end(const struct trace_i_duration *duration)
{
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t category;
    trace_string_ref_t name;
    trace_thread_ref_t thread;

    if (context == NULL)
        return;
    trace_context_register_string_literal(context, duration->category, &category);
    trace_context_register_string_literal(context, duration->name, &name);
    trace_context_register_current_thread(context, &thread);
    fxt_i_write_event(context, FXT_EVENT_DURATION_END, fxt_i_ticks(), 0, &thread, &category, &name,
                      NULL, 0);
    trace_release_context(context);
}

/* Tracing may have stopped and started again since the begin, with other categories. */
static bool is_on(const struct trace_i_duration *duration)
{
    uintptr_t flags = fxt_i_load_site(&duration->site->site.state) & TRACE_SITE_FLAGS_MASK;
    trace_string_ref_t category;

    if (flags != TRACE_SITE_UNKNOWN)
        return flags == TRACE_SITE_ENABLED;
    trace_context_t *context = trace_acquire_context_for_category(duration->category, &category);
    if (context != NULL)
        trace_release_context(context);
    return context != NULL;
}

void trace_i_duration_end(struct trace_i_duration *duration)
{
    if (!is_on(duration))
        return;
    if (duration->is_pair)
        write_end(duration);
    else
        trace_i_event(duration->site, duration->category, duration->name,
                      FXT_EVENT_DURATION_COMPLETE, duration->start, duration->values,
                      duration->num_args);
}
