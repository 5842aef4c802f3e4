/* Call sites: the state of their category, and the references of their literals.

   A site whose category has been resolved is in a list. There is one list for each program or library
   (module). So a start or a stop can reset all sites, except those of an unloaded library. The links
   of the list are the upper bits of the sites' states.

   A site of trace_acquire_context_for_category_cached is in no list, because its module is not
   known. Its upper bits are the number of the last reset before it was resolved: a later reset makes
   it stale.

   Any thread may call this, in signal handlers too. The lists, and stores to the sites' states,
   are under the lock of sites. Inlined macro code only loads the state, relaxed: it is a hint,
   and code that acts on it reads the engine's state or gate again. */
#include <string.h>

#include "src/engine/engine.h"

/* A module's first site. The module itself has room for its list only here. */
#define MODULES_MAX 1024
static struct {
    struct trace_i_module *module;
    uintptr_t first;
} lists[MODULES_MAX];

static uintptr_t link_of(uintptr_t state)
{
    return state & ~(uintptr_t)TRACE_SITE_FLAGS_MASK;
}

static trace_site_t *site_at(uintptr_t link)
{
    return (trace_site_t *)link;
}

/* The end of a list has a mark, so that a site in it differs from a site in no list. */
static trace_site_t last_site;

/* Resets the sites of a list, which stay in it if `keeps`. The lock of sites is held. */
static void reset(uintptr_t first, bool keeps)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.site_lock));
    for (uintptr_t at = first; at != 0 && site_at(at) != &last_site;) {
        uintptr_t link = link_of(fxt_i_load_site(&site_at(at)->state));
        fxt_i_store_site(&site_at(at)->state, keeps ? link : 0);
        at = link;
    }
}

/* The thread that unloads the library; takes the lock of sites. A site of an inline function of C++
   is one for all libraries, and may be in another one that stays. */
static void unloading(void *module)
{
    fxt_i_lock(&fxt_i_engine.site_lock);
    for (int i = 0; i < MODULES_MAX; i++)
        if (lists[i].module == module) {
            reset(lists[i].first, false);
            lists[i].module = NULL;
            lists[i].first = 0;
        }
    fxt_i_unlock(&fxt_i_engine.site_lock);
}

/* The list of a module; NULL if there are too many. The lock of sites is held. */
static uintptr_t *list_of(struct trace_i_module *module)
{
    int vacant = -1;

    assert(fxt_i_lock_is_held(&fxt_i_engine.site_lock));
    assert(module != NULL);
    for (int i = 0; i < MODULES_MAX; i++) {
        if (lists[i].module == module)
            return &lists[i].first;
        if (lists[i].module == NULL && vacant < 0)
            vacant = i;
    }
    if (vacant < 0)
        return NULL;
    lists[vacant].module = module;
    lists[vacant].first = 0;
    if (module->handle != NULL)
        fxt_i_at_unload(module->handle, module, unloading);
    return &lists[vacant].first;
}

/* The lock of sites is held, so the handler stays valid: a thread that stops takes this lock before
   it notifies the handler. */
static bool category_is_on(const char *category)
{
    if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return false;
    trace_handler_t *handler = fxt_i_engine.handler; /* valid only while started */
    return handler->ops->is_category_enabled(handler, category);
}

/* The lock of sites is held. */
static bool resolve(trace_site_t *site, struct trace_i_module *module, const char *category)
{
    uintptr_t state = fxt_i_load_site(&site->state);

    assert(fxt_i_lock_is_held(&fxt_i_engine.site_lock));
    assert(((uintptr_t)site & TRACE_SITE_FLAGS_MASK) == 0);
    bool on = category_is_on(category);

    if ((state & TRACE_SITE_FLAGS_MASK) != TRACE_SITE_UNKNOWN)
        return (state & TRACE_SITE_FLAGS_MASK) == TRACE_SITE_ENABLED;
    uintptr_t link = link_of(state);
    if (link == 0) {
        uintptr_t *first = list_of(module);
        if (first == NULL)
            return on;
        link = *first != 0 ? *first : (uintptr_t)&last_site;
        *first = (uintptr_t)site;
    }
    fxt_i_store_site(&site->state, link | (on ? TRACE_SITE_ENABLED : TRACE_SITE_DISABLED));
    return on;
}

/* The same for a site without a known module. */
static bool resolve_unlisted(trace_site_t *site, const char *category)
{
    bool on = category_is_on(category);

    assert(fxt_i_lock_is_held(&fxt_i_engine.site_lock));
    fxt_i_store_site(&site->state, fxt_i_load_site(&fxt_i_engine.site_reset) |
                                       (on ? TRACE_SITE_ENABLED : TRACE_SITE_DISABLED));
    return on;
}

/* The module may be NULL. Takes the lock of sites. */
static bool resolve_once(trace_site_t *site, struct trace_i_module *module, const char *category)
{
    struct trace_context *context = &fxt_i_this_thread;

    fxt_i_recover(context, FXT_I_HERE);
    if (context->locks != 0 || context->asking) {
        /* a signal handler would deadlock; the category may be on, so it counts a drop */
        fxt_i_drop(context);
        return false;
    }
    fxt_i_lock(&fxt_i_engine.site_lock);
    bool on = module != NULL ? resolve(site, module, category) : resolve_unlisted(site, category);
    fxt_i_unlock(&fxt_i_engine.site_lock);
    return on;
}

bool trace_i_site_enabled(struct trace_i_site *site, struct trace_i_module *module,
                          const char *category)
{
    return resolve_once(&site->site, module, category);
}

/* Resets all sites. */
void fxt_i_sites_reset(void)
{
    fxt_i_lock(&fxt_i_engine.site_lock);
    fxt_i_store_site(&fxt_i_engine.site_reset,
                     fxt_i_load_site(&fxt_i_engine.site_reset) + TRACE_SITE_FLAGS_MASK + 1);
    for (int i = 0; i < MODULES_MAX; i++)
        reset(lists[i].first, true);
    fxt_i_unlock(&fxt_i_engine.site_lock);
}

trace_context_t *trace_acquire_context_for_category(const char *category_literal,
                                                    trace_string_ref_t *out_ref)
{
    struct trace_context *context = &fxt_i_this_thread;
    if (!fxt_i_enter(context, FXT_I_HERE))
        return NULL;
    if (trace_context_register_category_literal(context, category_literal, out_ref))
        return fxt_i_keep(context);
    fxt_i_leave(context);
    return NULL;
}

static bool is_on(trace_site_t *site, const char *category)
{
    uintptr_t state = fxt_i_load_site(&site->state);

    if ((state & TRACE_SITE_FLAGS_MASK) == TRACE_SITE_UNKNOWN ||
        link_of(state) != fxt_i_load_site(&fxt_i_engine.site_reset))
        return resolve_once(site, NULL, category);
    return (state & TRACE_SITE_FLAGS_MASK) == TRACE_SITE_ENABLED;
}

trace_context_t *trace_acquire_context_for_category_cached(const char *category_literal,
                                                           trace_site_t *site_ptr,
                                                           trace_string_ref_t *out_ref)
{
    struct trace_context *context = &fxt_i_this_thread;

    if (!is_on(site_ptr, category_literal) || !fxt_i_enter(context, FXT_I_HERE))
        return NULL;
    trace_context_register_string_literal(context, category_literal, out_ref);
    return fxt_i_keep(context);
}

zx_status_t trace_engine_flush_category_cache(void)
{
    if (trace_state() != TRACE_STOPPED || fxt_i_this_thread.locks != 0)
        return ZX_ERR_BAD_STATE;
    fxt_i_sites_reset();
    return ZX_OK;
}
