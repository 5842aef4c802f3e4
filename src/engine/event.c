/* The hot path: an event of a call site, on this thread, now.

   Everything that it needs is in the thread's context, in the site and in one word of the engine,
   the gate. If something is missing there, the slow functions below provide it and write the event.

   Any thread, in signal handlers too; a context is its thread's own, and so is the lease. Wait-free
   as long as the lease has room and the site is known. A site's references are written under the
   lock of sites and released by the store of its generation, which write_now loads with acquire. */
#include <string.h>

#include "src/engine/lease.h"
#include "src/engine/text.h"
#include "src/wire/layout.h"

#define LIKELY(it) __builtin_expect((it), 1)

static inline uint64_t words_at_most(const trace_arg_value_t *values, size_t count)
{
    uint64_t words = 3 + FXT_I_ARG_WORDS * count;
    for (size_t i = 0; i < count; i++)
        if (trace_i_arg_type(&values[i]) == TRACE_ARG_STRING)
            words += fxt_i_padded(fxt_i_inline_length(values[i].string_ref)) / 8;
    return words;
}

/* Writes the event into the context's lease. False if there is no room, or no such scope. */
static inline bool write_event(struct trace_context *context, const struct trace_i_site *site,
                               uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                               size_t count)
{
    FXT_I_ASSERT_HOT(context->next <= context->end && count <= TRACE_MAX_ARGS);
    FXT_I_ASSERT_HOT(context->thread_ref != 0 && context->thread_ref <= UINT8_MAX);
    uint64_t words = fxt_i_hot_event(context->next, (uint64_t)(context->end - context->next) / 8,
                                     site->args, event_type, fxt_i_ticks(), value, values, count);
    if (words == 0)
        return false;
    fxt_i_publish_record(context, 8 * words,
                         fxt_pack_event_header((uint16_t)words, (uint8_t)event_type, (uint8_t)count,
                                               (uint8_t)context->thread_ref, site->category,
                                               site->name));
    return true;
}

/* The references of an event. */
struct names {
    trace_string_ref_t category;
    trace_string_ref_t name;
    trace_string_ref_t args[TRACE_MAX_ARGS];
    bool indexed; /* no reference is inline */
};

/* The context is inside. */
static void look_up(struct trace_context *context, const struct trace_i_site *site,
                    const char *category, const char *name, size_t count, struct names *out)
{
    trace_context_register_string_literal(context, category, &out->category);
    trace_context_register_string_literal(context, name, &out->name);
    out->indexed =
        !trace_is_inline_string_ref(&out->category) && !trace_is_inline_string_ref(&out->name);
    for (size_t i = 0; i < count; i++) {
        trace_context_register_string_literal(context, site->names[i], &out->args[i]);
        out->indexed = out->indexed && !trace_is_inline_string_ref(&out->args[i]);
    }
}

/* Caches the references in the site, if all of them are indices. The end of a scope has no arguments,
   so it must not fill a site that has some. Takes the lock of sites. */
static bool cache_references(struct trace_context *context, struct trace_i_site *site,
                             const struct names *names, size_t count)
{
    assert(context == &fxt_i_this_thread && context->depth > 0 && !context->busy);
    assert(count <= TRACE_MAX_ARGS && context->generation != FXT_I_NEVER);
    if (count == 0 && site->names != NULL)
        return false;
    if (!names->indexed || fxt_i_load(&fxt_i_engine.full) != 0)
        return false;
    fxt_i_busy_begin(context);
    fxt_i_lock(&fxt_i_engine.site_lock);
    if (fxt_i_load_tag(&site->generation) != context->generation) {
        site->category = (uint16_t)names->category.encoded_value;
        site->name = (uint16_t)names->name.encoded_value;
        for (size_t i = 0; i < count; i++)
            site->args[i] =
                (uint32_t)fxt_pack_arg_plain_header(0, 0, (uint16_t)names->args[i].encoded_value);
        fxt_i_store_tag(&site->generation, context->generation);
    }
    fxt_i_unlock(&fxt_i_engine.site_lock);
    fxt_i_busy_end(context, false);
    return true;
}

/* This function and those below return whether the event is written. */
static bool write_named(struct trace_context *context, const struct names *names,
                        uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                        size_t count)
{
    trace_arg_t args[TRACE_MAX_ARGS];
    uint64_t now = fxt_i_ticks();
    bool complete = event_type == FXT_EVENT_DURATION_COMPLETE;
    trace_thread_ref_t thread;

    for (size_t i = 0; i < count; i++)
        args[i] = trace_make_arg(names->args[i], values[i]);
    trace_context_register_current_thread(context, &thread);
    return fxt_i_write_event(context, event_type, complete ? value : now, complete ? now : value,
                             &thread, &names->category, &names->name, args, count);
}

/* The references were defined before the lease is taken, so the event stands behind their
   definitions. Inside. */
static bool write_leased(struct trace_context *context, const struct trace_i_site *site,
                         uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                         size_t count)
{
    bool written = false;

    fxt_i_busy_begin(context);
    if (fxt_i_lease(context, 8 * words_at_most(values, count))) {
        written = write_event(context, site, event_type, value, values, count);
        if (!written)
            fxt_i_drop(context);
    }
    fxt_i_busy_end(context, false);
    return written;
}

/* Provides what the hot path lacked, and writes the event. Inside, not in a signal handler. */
static bool write_slow(struct trace_context *context, struct trace_i_site *site,
                       const char *category, const char *name, uint32_t event_type, uint64_t value,
                       const trace_arg_value_t *values, size_t count)
{
    bool fits = words_at_most(values, count) <= FXT_RECORD_WORDS_MAX;
    struct names names;

    if (context->thread_ref == 0 || !fits ||
        fxt_i_load_tag(&site->generation) != context->generation) {
        look_up(context, site, category, name, count, &names);
        if (context->thread_ref == 0 || !cache_references(context, site, &names, count) || !fits)
            return write_named(context, &names, event_type, value, values, count);
    }
    return write_leased(context, site, event_type, value, values, count);
}

/* The same, for a context that is outside. */
static bool write_first(struct trace_context *context, struct trace_i_site *site,
                        const char *category, const char *name, uint32_t event_type, uint64_t value,
                        const trace_arg_value_t *values, size_t count)
{
    bool written = false;

    if (!fxt_i_enter(context, FXT_I_HERE))
        return false;
    if (count > TRACE_MAX_ARGS || !fxt_i_register_this_thread(context))
        fxt_i_drop(context);
    else
        written = write_slow(context, site, category, name, event_type, value, values, count);
    fxt_i_leave(context);
    return written;
}

/* Writes the event without keeping a lease. */
static bool write_inside(struct trace_context *context, const struct trace_i_site *site,
                         const char *category, const char *name, uint32_t event_type,
                         uint64_t value, const trace_arg_value_t *values, size_t count)
{
    struct names names;
    bool written = false;

    if (!fxt_i_enter(context, FXT_I_HERE))
        return false;
    if (count > TRACE_MAX_ARGS) {
        fxt_i_drop(context);
    } else {
        look_up(context, site, category, name, count, &names);
        written = write_named(context, &names, event_type, value, values, count);
    }
    fxt_i_leave(context);
    return written;
}

/* The context is outside any call, and has a presence. The first store to `active` need not release.
   A thread that closes a half and finds this value, not the 0 that the thread's last record has
   released, knows of that record, too: a release sequence goes on with stores of the same thread
   (C11, 5.1.2.4). The 0 of this record releases it. */
static inline bool write_now(struct trace_context *context, struct trace_i_site *site,
                             uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                             size_t count)
{
    struct fxt_i_presence *presence = context->presence;
    bool written = false;

    context->frame = FXT_I_HERE;
    fxt_i_signal_fence();
    fxt_i_store_relaxed(&presence->active, context->epoch + FXT_I_INSIDE);
    fxt_i_light_fence();
    /* Load the site before the gate: defining the references may have closed the lease. */
    uint32_t generation = fxt_i_load_tag(&site->generation);
    if (LIKELY(fxt_i_lease_open(context) && generation == context->indexed &&
               count <= TRACE_MAX_ARGS))
        written = write_event(context, site, event_type, value, values, count);
    fxt_i_store(&presence->active, 0);
    fxt_i_signal_fence();
    context->frame = 0;
    return written;
}

static inline bool write_any(struct trace_i_site *site, const char *category, const char *name,
                             uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                             size_t num_args)
{
    struct trace_context *context = &fxt_i_this_thread;

    /* Otherwise the thread already holds a context, or this is a signal handler in the middle of a
       record, or the destructor of a thread-specific value. Then no lease is kept. */
    if (LIKELY(context->presence != NULL) && LIKELY(context->frame == 0) &&
        LIKELY(write_now(context, site, event_type, value, values, num_args)))
        return true;
    fxt_i_recover(context, FXT_I_HERE);
    if (fxt_i_active(context) != 0 || context->ending)
        return write_inside(context, site, category, name, event_type, value, values, num_args);
    return write_first(context, site, category, name, event_type, value, values, num_args);
}

void trace_i_event(struct trace_i_site *site, const char *category, const char *name,
                   uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                   size_t num_args)
{
    write_any(site, category, name, event_type, value, values, num_args);
}

bool fxt_i_begin_duration(struct trace_i_site *site, const char *category, const char *name,
                          const trace_arg_value_t *values, size_t num_args)
{
    return write_any(site, category, name, FXT_EVENT_DURATION_BEGIN, 0, values, num_args);
}

/* Inside. */
static bool write_copied(struct trace_context *context, const char *category, const char *name,
                         uint32_t event_type, uint64_t value, const trace_arg_t *args,
                         size_t num_args)
{
    trace_arg_t named[TRACE_MAX_ARGS];
    trace_string_ref_t category_ref;
    trace_string_ref_t name_ref;
    trace_thread_ref_t thread;

    trace_context_register_string_literal(context, category, &category_ref);
    trace_context_register_string_copy(context, name, name != NULL ? strlen(name) : 0, &name_ref);
    for (size_t i = 0; i < num_args; i++)
        named[i] = args[i];
    trace_i_complete_args(context, named, num_args);
    trace_context_register_current_thread(context, &thread);
    return fxt_i_write_event(context, event_type, fxt_i_ticks(), value, &thread, &category_ref,
                             &name_ref, named, num_args);
}

bool fxt_i_write_dynamic(const char *category, const char *name, uint32_t event_type,
                         uint64_t value, const trace_arg_t *args, size_t num_args)
{
    struct trace_context *context = &fxt_i_this_thread;
    bool written = false;

    if (!fxt_i_enter(context, FXT_I_HERE))
        return false;
    if (num_args > TRACE_MAX_ARGS)
        fxt_i_drop(context);
    else
        written = write_copied(context, category, name, event_type, value, args, num_args);
    fxt_i_leave(context);
    return written;
}

void trace_i_dynamic_event(const char *category, const char *name, uint32_t event_type,
                           uint64_t value, const trace_arg_t *args, size_t num_args)
{
    fxt_i_write_dynamic(category, name, event_type, value, args, num_args);
}
