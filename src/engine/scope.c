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

/* Before the begin of a pair. If tracing starts anew meanwhile, the begin has no end rather than the
   reverse. */
static void note_clearings(struct trace_i_duration *duration)
{
    duration->is_pair = true;
    duration->start = fxt_i_load(&fxt_i_engine.clearings);
}

/* Writes the begin of a pair. Without it, an end would close another duration. */
static struct trace_i_duration *begin_pair(struct trace_i_duration *duration,
                                           const trace_arg_value_t *given, size_t num_args)
{
    note_clearings(duration);
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

struct trace_i_duration *trace_i_dynamic_begin(struct trace_i_duration *duration, char *text,
                                               struct trace_i_site *site, const char *category,
                                               const char *name, const trace_arg_t *args,
                                               size_t num_args)
{
    size_t given = name != NULL ? strnlen(name, TRACE_I_TEXT_BYTES) : 0;
    size_t length = trace_i_cut(name, given, TRACE_I_TEXT_BYTES - 1);

    if (length > 0)
        memcpy(text, name, length);
    text[length] = '\0';
    *duration = (struct trace_i_duration){
        .site = site, .category = category, .name = text, .is_dynamic = true};
    note_clearings(duration);
    return fxt_i_write_dynamic(category, text, FXT_EVENT_DURATION_BEGIN, 0, args, num_args)
               ? duration
               : NULL;
}

static void end_pair(const struct trace_i_duration *duration)
{
    if (duration->is_dynamic)
        fxt_i_write_dynamic(duration->category, duration->name, FXT_EVENT_DURATION_END, 0, NULL, 0);
    else
        trace_i_event(duration->site, duration->category, duration->name, FXT_EVENT_DURATION_END, 0,
                      NULL, 0);
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
        end_pair(duration);
}
