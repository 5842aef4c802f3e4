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

/* Writes the begin of a pair. Without it, an end would close another duration. The clearings are read
   first: if tracing starts anew meanwhile, the begin has no end rather than the reverse. */
static struct trace_i_duration *begin_pair(struct trace_i_duration *duration,
                                           const trace_arg_value_t *given, size_t num_args)
{
    duration->is_pair = true;
    duration->start = fxt_i_load(&fxt_i_engine.clearings);
    return fxt_i_begin_duration(duration->site, duration->category, duration->name, given, num_args)
               ? duration
               : NULL;
}

struct trace_i_duration *trace_i_duration_begin(struct trace_i_duration *duration,
                                                struct trace_i_site *site, const char *category,
                                                const char *name, trace_arg_value_t *values,
                                                char *text, const trace_arg_value_t *given,
                                                size_t num_args)
{
    *duration = (struct trace_i_duration){
        .site = site, .category = category, .name = name, .values = values, .num_args = num_args};
    if (!keep(values, text, given, num_args))
        return begin_pair(duration, given, num_args);
    duration->start = fxt_i_ticks();
    return duration;
}

struct trace_i_duration *trace_i_duration_open(struct trace_i_duration *duration,
                                               struct trace_i_site *site, const char *category,
                                               const char *name, const trace_arg_value_t *given,
                                               size_t num_args)
{
    *duration = (struct trace_i_duration){.site = site, .category = category, .name = name};
    return begin_pair(duration, given, num_args);
}

/* Tracing may have stopped and started again since the begin, with other categories. */
static bool is_on(const struct trace_i_duration *duration)
{
    uintptr_t flags = fxt_i_load_site(&duration->site->site.state) & TRACE_SITE_FLAGS_MASK;

    return flags != TRACE_SITE_UNKNOWN ? flags == TRACE_SITE_ENABLED
                                       : trace_is_category_enabled(duration->category);
}

void trace_i_duration_end(struct trace_i_duration *duration)
{
    if (!is_on(duration))
        return;
    if (!duration->is_pair)
        trace_i_event(duration->site, duration->category, duration->name,
                      FXT_EVENT_DURATION_COMPLETE, duration->start, duration->values,
                      duration->num_args);
    else if (duration->start == fxt_i_load(&fxt_i_engine.clearings))
        trace_i_event(duration->site, duration->category, duration->name, FXT_EVENT_DURATION_END, 0,
                      NULL, 0);
}
