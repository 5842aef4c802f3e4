/* The hot path: an event of a call site, on this thread, now.

   Everything that it needs is in the thread's context, in the site and in one word of the engine,
   the gate. What it does not find there, it asks the slow functions below for, and begins anew. */
#include <string.h>

#include "src/engine/engine.h"
#include "src/wire/layout.h"

#define LIKELY(it) __builtin_expect((it), 1)

/* The words of an argument without its inline string. */
static const uint8_t arg_words[16] = {
    [TRACE_ARG_NULL] = 1,
    [TRACE_ARG_INT32] = 1,
    [TRACE_ARG_UINT32] = 1,
    [TRACE_ARG_INT64] = 2,
    [TRACE_ARG_UINT64] = 2,
    [TRACE_ARG_DOUBLE] = 2,
    [TRACE_ARG_STRING] = 1,
    [TRACE_ARG_POINTER] = 2,
    [TRACE_ARG_KOID] = 2,
    [TRACE_ARG_BOOL] = 1,
    [10] = 1,
    [11] = 1,
    [12] = 1,
    [13] = 1,
    [14] = 1,
    [15] = 1,
};

static inline uint64_t inline_length(trace_encoded_string_ref_t ref)
{
    return (ref & TRACE_ENCODED_STRING_REF_INLINE_FLAG) != 0
               ? ref & TRACE_ENCODED_STRING_REF_LENGTH_MASK
               : 0;
}

static inline uint64_t words_of_args(const trace_arg_t *args, size_t count)
{
    uint64_t words = 0;
    for (size_t i = 0; i < count; i++) {
        words += arg_words[args[i].value.type & 15];
        if (args[i].value.type == TRACE_ARG_STRING)
            words += fxt_i_padded(inline_length(args[i].value.string_ref)) / 8;
    }
    return words;
}

static inline uint64_t *put_text(uint64_t *p, const char *bytes, uint64_t length)
{
    if (length == 0)
        return p;
    uint64_t words = fxt_i_padded(length) / 8;
    p[words - 1] = 0;
    memcpy(p, bytes, length);
    return p + words;
}

/* One argument with a name that is in the table. A type that does not exist is written as null. */
static inline uint64_t *put_arg(uint64_t *p, const trace_arg_value_t *value, uint16_t name)
{
    switch (value->type) {
    case TRACE_ARG_INT32:
    case TRACE_ARG_UINT32:
        *p = fxt_pack_arg_header((uint8_t)value->type, 1, name, (uint32_t)value->word);
        return p + 1;
    case TRACE_ARG_BOOL:
        *p = fxt_pack_arg_bool_header(1, name, value->word != 0 ? 1 : 0);
        return p + 1;
    case TRACE_ARG_STRING: {
        uint64_t length = inline_length(value->string_ref);
        uint16_t words = (uint16_t)(1 + fxt_i_padded(length) / 8);
        *p = fxt_pack_arg_string_header(words, name, (uint16_t)value->string_ref);
        return put_text(p + 1, value->string, length);
    }
    case TRACE_ARG_INT64:
    case TRACE_ARG_UINT64:
    case TRACE_ARG_DOUBLE:
    case TRACE_ARG_POINTER:
    case TRACE_ARG_KOID:
        p[0] = fxt_pack_arg_plain_header((uint8_t)value->type, 2, name);
        p[1] = value->word;
        return p + 2;
    default:
        *p = fxt_pack_arg_plain_header(TRACE_ARG_NULL, 1, name);
        return p + 1;
    }
}

/* The references of a site's literals, kept in the site when all are in the table. */
static bool resolve(struct trace_context *context, struct trace_i_site *site, const char *category,
                    const char *name, const trace_arg_t *args, size_t count)
{
    uint16_t refs[TRACE_MAX_ARGS];
    trace_string_ref_t category_ref;
    trace_string_ref_t name_ref;

    trace_context_register_string_literal(context, category, &category_ref);
    trace_context_register_string_literal(context, name, &name_ref);
    bool all = !trace_is_inline_string_ref(&category_ref) && !trace_is_inline_string_ref(&name_ref);
    for (size_t i = 0; i < count; i++) {
        trace_string_ref_t ref;
        trace_context_register_string_literal(context, args[i].name_literal, &ref);
        all = all && !trace_is_inline_string_ref(&ref);
        refs[i] = (uint16_t)ref.encoded_value;
    }
    if (!all || fxt_i_load(&fxt_i_engine.full) != 0)
        return false;
    context->busy = true;
    fxt_i_lock(&fxt_i_engine.site_lock);
    if (fxt_i_load_tag(&site->generation) != context->generation) {
        site->category = (uint16_t)category_ref.encoded_value;
        site->name = (uint16_t)name_ref.encoded_value;
        memcpy(site->args, refs, count * sizeof refs[0]);
        fxt_i_store_tag(&site->generation, context->generation);
    }
    fxt_i_unlock(&fxt_i_engine.site_lock);
    context->busy = false;
    return true;
}

static void write_unresolved(struct trace_context *context, const char *category, const char *name,
                             uint32_t event_type, uint64_t value, const trace_arg_t *args,
                             size_t count)
{
    trace_string_ref_t category_ref;
    trace_string_ref_t name_ref;
    trace_arg_t named[TRACE_MAX_ARGS];
    uint64_t now = fxt_i_ticks();
    bool complete = event_type == FXT_EVENT_DURATION_COMPLETE;

    trace_context_register_string_literal(context, category, &category_ref);
    trace_context_register_string_literal(context, name, &name_ref);
    for (size_t i = 0; i < count; i++) {
        trace_string_ref_t ref;
        trace_context_register_string_literal(context, args[i].name_literal, &ref);
        named[i] = trace_make_arg(ref, args[i].value);
    }
    trace_thread_ref_t thread;
    trace_context_register_current_thread(context, &thread);
    fxt_i_write_event(context, event_type, complete ? value : now, complete ? now : value, &thread,
                      &category_ref, &name_ref, named, count);
}

/* What the hot path lacked is there when this returns true. */
static bool prepare(struct trace_context *context, struct trace_i_site *site, const char *category,
                    const char *name, uint32_t event_type, uint64_t value, const trace_arg_t *args,
                    size_t count)
{
    bool again = false;

    if (!fxt_i_enter(context))
        return false;
    if (count > TRACE_MAX_ARGS)
        fxt_i_drop(context);
    else if (!fxt_i_register_this_thread(context))
        fxt_i_drop(context);
    else if (context->thread_ref != 0 && resolve(context, site, category, name, args, count))
        again = fxt_i_lease(context, 8 * (3 + words_of_args(args, count)));
    else
        write_unresolved(context, category, name, event_type, value, args, count);
    fxt_i_leave(context);
    return again;
}

/* Whether the event is written. The context is not inside. */
static inline bool write_now(struct trace_context *context, struct trace_i_site *site,
                             uint32_t event_type, uint64_t value, const trace_arg_t *args,
                             size_t count)
{
    bool written = false;

    fxt_i_store_relaxed(&context->active, context->epoch + FXT_I_INSIDE);
    fxt_i_light_fence();
    /* The site before the gate: what defines its references may have closed the lease. */
    uint32_t generation = fxt_i_load_tag(&site->generation);
    if (LIKELY(fxt_i_lease_open(context) && generation == context->generation &&
               count <= TRACE_MAX_ARGS)) {
        bool has_value =
            event_type < FXT_EVENT_DURATION_BEGIN || event_type > FXT_EVENT_DURATION_END;
        uint64_t words = 2 + words_of_args(args, count) + (has_value ? 1 : 0);
        uint64_t *p = (uint64_t *)(void *)context->next;
        if (LIKELY((uint64_t)(context->end - context->next) >= 8 * words)) {
            uint64_t now = fxt_i_ticks();
            uint64_t *at = p + 2;
            p[1] = event_type == FXT_EVENT_DURATION_COMPLETE ? value : now;
            for (size_t i = 0; i < count; i++)
                at = put_arg(at, &args[i].value, site->args[i]);
            if (has_value)
                *at = event_type == FXT_EVENT_DURATION_COMPLETE ? now : value;
            fxt_i_publish_record(context, 8 * words,
                                 fxt_pack_event_header((uint16_t)words, (uint8_t)event_type,
                                                       (uint8_t)count, (uint8_t)context->thread_ref,
                                                       site->category, site->name));
            written = true;
        }
    }
    fxt_i_store(&context->active, 0);
    return written;
}

void trace_i_event(struct trace_i_site *site, const char *category, const char *name,
                   uint32_t event_type, uint64_t value, const trace_arg_t *args, size_t num_args)
{
    struct trace_context *context = &fxt_i_this_thread;

    /* A context may be held already, or this be a signal handler in the middle of a record. */
    if (LIKELY(fxt_i_load_relaxed(&context->active) == 0) &&
        LIKELY(write_now(context, site, event_type, value, args, num_args)))
        return;
    if (fxt_i_load_relaxed(&context->active) != 0) {
        if (fxt_i_enter(context)) {
            write_unresolved(context, category, name, event_type, value, args,
                             num_args <= TRACE_MAX_ARGS ? num_args : 0);
            fxt_i_leave(context);
        }
        return;
    }
    if (prepare(context, site, category, name, event_type, value, args, num_args) &&
        !write_now(context, site, event_type, value, args, num_args))
        fxt_i_drop(context);
}
