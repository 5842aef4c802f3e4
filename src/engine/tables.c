/* The tables of strings and threads, one for all threads of the process: equal strings have one
   index. The table is a struct fxt_interner, which also writes the record of a new entry.

   Each function is called by the thread of its context. The tables are under the lock of tables,
   which tables_begin takes; a cached literal needs no lock. */
#include <string.h>

#include "src/engine/text.h"

#define SLOTS 65536
#define TEXT_BYTES (UINT32_C(1) << 20)

static struct fxt_intern_slot slots[SLOTS];
static uint8_t text[TEXT_BYTES];
static uint32_t ends[SLOTS / 2]; /* of each string, in `text` */

/* The thread that starts, under the lock of tables. */
void fxt_i_tables_init(void)
{
    fxt_intern_init(&fxt_i_engine.interner, slots, SLOTS, text, TEXT_BYTES, FXT_INTERN_INLINE);
}

/* A forked child that goes on with a context of its parent has no tables. */
static bool has_tables(void)
{
    return fxt_i_engine.buffer != NULL;
}

/* Begins a change of the tables: until its end, a signal handler finds no room. */
static bool tables_begin(struct trace_context *context)
{
    assert(context == &fxt_i_this_thread && context->depth > 0 && has_tables());
    bool was_busy = fxt_i_busy_begin(context);
    fxt_i_lock(&fxt_i_engine.table_lock);
    return was_busy;
}

static void tables_end(struct trace_context *context, bool was_busy)
{
    fxt_i_definition_end();
    fxt_i_unlock(&fxt_i_engine.table_lock);
    fxt_i_busy_end(context, was_busy);
}

/* A definition found no room: whether the records are written with inline strings and threads. */
static bool is_inlined(void)
{
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT)
        return false;
    fxt_i_count_inlined();
    return true;
}

/* The lock of tables is held. A thread that knows the index of a string reads its end without. */
static enum fxt_status intern(struct fxt_writer *writer, struct fxt_string_ref *ref,
                              const uint8_t *bytes, size_t length)
{
    uint16_t before = fxt_i_engine.interner.string_count;
    enum fxt_status status = fxt_intern_string(&fxt_i_engine.interner, writer, ref, bytes, length);
    uint16_t now = fxt_i_engine.interner.string_count;

    if (now != before)
        ends[now] = fxt_i_engine.interner.text_used;
    return status;
}

/* The lock of tables is held. */
static bool register_locked(struct trace_context *context, const uint8_t *bytes, size_t length,
                            struct fxt_string_ref *ref)
{
    uint64_t record = 8 + fxt_i_padded(length);

    assert(fxt_i_lock_is_held(&fxt_i_engine.table_lock));
    assert(length > 0 && length <= FXT_STRING_LENGTH_MAX);
    struct fxt_writer *writer = fxt_i_definition_begin(context, 0);
    if (intern(writer, ref, bytes, length) != FXT_FULL)
        return true;
    writer = fxt_i_definition_begin(context, record);
    if (writer != NULL) {
        intern(writer, ref, bytes, length);
        return true;
    }
    *ref = fxt_string_inline(bytes, length);
    return is_inlined();
}

/* The same for any bytes: what is no character is mended in a copy. */
static bool register_text(struct trace_context *context, const uint8_t *bytes, size_t length,
                          struct fxt_string_ref *ref)
{
    static uint8_t copy[FXT_STRING_LENGTH_MAX]; /* under the lock of tables */

    if (fxt_utf8_valid(bytes, length))
        return register_locked(context, bytes, length, ref);
    memcpy(copy, bytes, length);
    fxt_i_utf8_mend(copy, length);
    bool found = register_locked(context, copy, length, ref);
    if (ref->bytes == copy) /* it is inline; its record will be mended */
        ref->bytes = bytes;
    return found;
}

/* Takes a place of this thread's cache. */
static void remember(struct trace_context *context, struct fxt_i_literal *place,
                     const char *literal, size_t length, uint16_t index)
{
    assert(index != 0 && context->cache != NULL);
    bool was_busy = fxt_i_busy_begin(context);
    *place = (struct fxt_i_literal){literal, context->generation, (uint16_t)length, index};
    fxt_i_busy_end(context, was_busy);
}

/* The text of a place of this generation. It stays as it is until the next one. */
static const uint8_t *text_of(const struct fxt_i_literal *place)
{
    return text + ends[place->index] - place->length;
}

/* The place of a copied string in this thread's cache, by its length and its ends; or NULL. */
static struct fxt_i_literal *copy_place(struct trace_context *context, const char *string,
                                        size_t length)
{
    uint64_t first = 0;
    uint64_t last = 0;
    size_t part = length < 8 ? length : 8;

    if (context->cache == NULL)
        return NULL;
    memcpy(&first, string, part);
    memcpy(&last, string + length - part, part);
    uint64_t hash =
        ((first ^ length) * UINT64_C(0x9e3779b97f4a7c15) + last) * UINT64_C(0x9e3779b97f4a7c15);
    return &context->cache->copies[hash >> 58];
}

/* The index that the place has for the string, or 0. A signal handler does not take it meanwhile. */
static uint16_t copy_index(struct trace_context *context, const struct fxt_i_literal *place,
                           const char *string, size_t length)
{
    bool was_busy = fxt_i_busy_begin(context);
    bool same = place->generation == context->generation && place->length == length &&
                memcmp(text_of(place), string, length) == 0;
    uint16_t index = same ? place->index : 0;
    fxt_i_busy_end(context, was_busy);
    return index;
}

bool fxt_i_register_string(struct trace_context *context, const char *string, size_t length,
                           struct fxt_string_ref *ref)
{
    *ref = fxt_string_index(0);
    if (string == NULL || length == 0)
        return true;
    if (!has_tables())
        return false;
    length = trace_i_cut(string, length, FXT_STRING_LENGTH_MAX);
    struct fxt_i_literal *place = copy_place(context, string, length);
    uint16_t index = place != NULL ? copy_index(context, place, string, length) : 0;
    if (index != 0) {
        *ref = fxt_string_index(index);
        return true;
    }
    bool was_busy = tables_begin(context);
    bool found = register_text(context, (const uint8_t *)string, length, ref);
    tables_end(context, was_busy);
    if (found && place != NULL && ref->bytes == NULL)
        remember(context, place, NULL, length, ref->ref);
    return found;
}

static trace_string_ref_t as_trace_ref(struct fxt_string_ref ref)
{
    return (trace_string_ref_t){ref.ref, (const char *)ref.bytes};
}

void trace_context_register_bytestring(trace_context_t *context, const void *bytes, size_t length,
                                       trace_string_ref_t *out_ref)
{
    struct fxt_string_ref ref;
    if (!fxt_i_register_string(context, bytes, length, &ref))
        ref.ref = 0;
    *out_ref = as_trace_ref(ref);
}

void trace_context_register_string_copy(trace_context_t *context, const char *string, size_t length,
                                        trace_string_ref_t *out_ref)
{
    trace_context_register_bytestring(context, string, length, out_ref);
}

/* The place of a literal in this thread's cache. Neighbours in memory have different places. */
static struct fxt_i_literal *place_of(struct trace_context *context, const char *literal)
{
    uint64_t hash = (uint64_t)(uintptr_t)literal * UINT64_C(0x9e3779b97f4a7c15);
    return &context->cache->literals[hash >> 56];
}

/* Whether the place has this literal. It compares the bytes, too: at the address of a literal,
   there may be another one once its library has been unloaded. */
static bool has(const struct fxt_i_literal *place, const struct trace_context *context,
                const char *literal)
{
    if (place->literal != literal || place->generation != context->generation)
        return false;
    return strncmp(literal, (const char *)text_of(place), place->length) == 0 &&
           literal[place->length] == '\0';
}

void trace_context_register_string_literal(trace_context_t *context, const char *string_literal,
                                           trace_string_ref_t *out_ref)
{
    struct fxt_i_literal *place = context->cache != NULL ? place_of(context, string_literal) : NULL;

    if (place != NULL) {
        bool was_busy = fxt_i_busy_begin(context); /* a signal handler may use the same place */
        uint16_t index = has(place, context, string_literal) ? place->index : 0;
        fxt_i_busy_end(context, was_busy);
        *out_ref = trace_make_indexed_string_ref(index);
        if (index != 0)
            return;
    }
    size_t length = string_literal != NULL ? strlen(string_literal) : 0;
    trace_context_register_string_copy(context, string_literal, length, out_ref);
    if (place != NULL && trace_is_indexed_string_ref(out_ref) && length <= FXT_STRING_LENGTH_MAX)
        remember(context, place, string_literal, length, (uint16_t)out_ref->encoded_value);
}

/* The context's thread. It is inside, so the handler stays valid. In a forked child there is none.
   The handler may have a lock of its own: meanwhile, a signal handler asks nothing. */
bool trace_context_is_category_enabled(trace_context_t *context, const char *category_literal)
{
    trace_handler_t *handler = fxt_i_engine.handler;
    bool was_asking = context->asking;
    bool begun = fxt_i_call_begin(context, FXT_I_HERE);
    context->asking = true;
    fxt_i_signal_fence();
    bool enabled = handler != NULL && handler->ops->is_category_enabled(handler, category_literal);
    fxt_i_signal_fence();
    context->asking = was_asking;
    if (begun)
        fxt_i_call_end(context);
    return enabled;
}

/* Any thread. */
bool trace_is_category_enabled(const char *category_literal)
{
    struct trace_context *context = &fxt_i_this_thread;
    if (!fxt_i_enter(context, FXT_I_HERE))
        return false;
    bool enabled = trace_context_is_category_enabled(context, category_literal);
    fxt_i_leave(context);
    return enabled;
}

bool trace_context_register_category_literal(trace_context_t *context, const char *category_literal,
                                             trace_string_ref_t *out_ref)
{
    if (!trace_context_is_category_enabled(context, category_literal))
        return false;
    trace_context_register_string_literal(context, category_literal, out_ref);
    return true;
}

/* Threads. */

enum {
    PROCESS_BYTES = 16, /* the record of the string "process" */
    NAME_BYTES_MAX = 255,
};

/* Writes the kernel object record with the name of a thread. */
static void name_thread(struct trace_context *context, uint64_t process, uint64_t thread,
                        const char *name)
{
    struct fxt_string_ref name_ref = fxt_string_index(0);
    struct fxt_string_ref process_ref;
    size_t length = trace_i_cut(name, strlen(name), NAME_BYTES_MAX);
    uint64_t bytes = PROCESS_BYTES + 40 + fxt_i_padded(length);

    if (fxt_i_definition_begin_name(context, bytes) == NULL ||
        !register_locked(context, (const uint8_t *)"process", 7, &process_ref))
        return;
    fxt_i_definition_end();
    if (length > 0)
        name_ref = fxt_string_inline(name, length);
    struct fxt_writer *writer = fxt_i_definition_begin(context, bytes - PROCESS_BYTES);
    if (writer == NULL)
        return;
    struct fxt_arg process_arg = {.type = FXT_ARG_KOID, .name = process_ref, .value = process};
    struct fxt_kernel_object object = {
        .name = name_ref, .koid = thread, .object_type = FXT_OBJECT_THREAD};
    if (fxt_write_kernel_object(writer, &object, &process_arg, 1) == FXT_OK)
        fxt_i_mend_string(writer->bytes + 16, name_ref.ref);
    fxt_i_definition_end();
}

/* Writes the name of a thread when it gets an index. If the table is full, only the calling
   thread's own name, which is written once. The lock of tables is held. */
static bool register_thread_locked(struct trace_context *context, uint64_t process, uint64_t thread,
                                   const char *name, struct fxt_thread_ref *ref)
{
    uint16_t before = fxt_i_engine.interner.thread_count;

    assert(fxt_i_lock_is_held(&fxt_i_engine.table_lock));
    struct fxt_writer *writer = fxt_i_definition_begin(context, 0);
    if (fxt_intern_thread(&fxt_i_engine.interner, writer, ref, process, thread) == FXT_FULL) {
        writer = fxt_i_definition_begin(context, 24);
        if (writer != NULL)
            fxt_intern_thread(&fxt_i_engine.interner, writer, ref, process, thread);
        else if (!is_inlined())
            return false;
    }
    bool is_new = fxt_i_engine.interner.thread_count != before;
    fxt_i_definition_end();
    if (name != NULL && (is_new || (ref->ref == 0 && thread == context->thread_id)))
        name_thread(context, process, thread, name);
    return true;
}

/* Remembers the name of this thread in the trace. The lock of tables is held. */
static void remember_name(struct trace_context *context, const char *name)
{
    struct fxt_i_presence *presence = context->presence;
    presence->thread_id = context->thread_id;
    memcpy(presence->name, name, sizeof presence->name);
    fxt_i_store32(&presence->named, context->ending ? 0 : context->generation);
}

static bool register_thread(struct trace_context *context, uint64_t process, uint64_t thread,
                            const char *name, trace_thread_ref_t *out_ref)
{
    struct fxt_thread_ref ref = fxt_thread_inline(process, thread);
    *out_ref = trace_make_inline_thread_ref(process, thread);
    if (!has_tables())
        return false;
    bool was_busy = tables_begin(context);
    bool found = register_thread_locked(context, process, thread, name, &ref);
    if (found && thread == context->thread_id && name != NULL)
        remember_name(context, name);
    tables_end(context, was_busy);
    if (ref.ref != 0)
        *out_ref = trace_make_indexed_thread_ref(ref.ref);
    return found;
}

bool fxt_i_register_this_thread(struct trace_context *context)
{
    char name[16];
    trace_thread_ref_t ref;

    if (context->registered)
        return true;
    fxt_i_thread_name(name);
    if (!register_thread(context, fxt_i_process_id(), context->thread_id, name, &ref))
        return false;
    context->thread_ref = (uint16_t)ref.encoded_value;
    assert(context->thread_ref <= TRACE_ENCODED_THREAD_REF_MAX_INDEX);
    context->registered = true;
    if (context->thread_ref != 0)
        context->indexed = context->generation;
    return true;
}

/* False if the thread is in the middle of a record: then a signal handler ends it, or stops
   tracing. */
static bool may_name(const struct trace_context *context)
{
    return fxt_i_load32(&fxt_i_engine.state) == TRACE_STARTED && !context->busy &&
           !context->asking && context->locks == 0 &&
           (context->depth > 0 || fxt_i_active(context) == 0);
}

/* Writes the new name of a thread, which replaces the earlier one, unless the thread has ended, or
   has been registered again meanwhile. */
static void update_name(struct trace_context *context, struct fxt_i_presence *presence,
                        uint64_t thread_id, const char name[16])
{
    if (!fxt_i_enter(context, FXT_I_HERE))
        return;
    bool was_busy = tables_begin(context);
    if (fxt_i_load32(&presence->named) == context->generation && presence->thread_id == thread_id &&
        strncmp(presence->name, name, 16) != 0) {
        memcpy(presence->name, name, 16);
        name_thread(context, fxt_i_process_id(), thread_id, name);
    }
    tables_end(context, was_busy);
    fxt_i_leave(context);
}

/* Needs no lock to read its own presence, which no other thread changes. */
void fxt_i_update_thread_name(struct trace_context *context)
{
    struct fxt_i_presence *presence = context->presence;
    char name[16];

    assert(context == &fxt_i_this_thread);
    if (presence == NULL || fxt_i_load32(&presence->named) == 0 || !may_name(context))
        return;
    fxt_i_thread_name(name);
    if (strncmp(presence->name, name, sizeof name) != 0)
        update_name(context, presence, context->thread_id, name);
}

/* Reads the names of threads from the kernel without the lock, for which traced threads wait. */
void fxt_i_update_thread_names(void)
{
    struct trace_context *context = &fxt_i_this_thread;
    struct fxt_i_presence *presence;
    char name[16];

    if (!may_name(context))
        return;
    int names = fxt_i_names_open();
    for (uint32_t i = 0; names >= 0 && (presence = fxt_i_presence_at(i)) != NULL; i++) {
        fxt_i_lock(&fxt_i_engine.table_lock);
        bool named = fxt_i_load32(&presence->named) != 0;
        uint64_t thread_id = presence->thread_id;
        fxt_i_unlock(&fxt_i_engine.table_lock);
        if (named && fxt_i_name_of_thread(names, thread_id, name))
            update_name(context, presence, thread_id, name);
    }
    if (names >= 0)
        fxt_i_names_close(names);
}

void trace_context_register_current_thread(trace_context_t *context, trace_thread_ref_t *out_ref)
{
    if (fxt_i_register_this_thread(context) && context->thread_ref != 0)
        *out_ref = trace_make_indexed_thread_ref(context->thread_ref);
    else
        *out_ref = trace_make_inline_thread_ref(fxt_i_process_id(), context->thread_id);
}

void trace_context_register_thread(trace_context_t *context, zx_koid_t process_koid,
                                   zx_koid_t thread_koid, trace_thread_ref_t *out_ref)
{
    register_thread(context, process_koid, thread_koid, NULL, out_ref);
}

void trace_context_register_vthread(trace_context_t *context, zx_koid_t process_koid,
                                    const char *vthread_literal, trace_vthread_id_t vthread_id,
                                    trace_thread_ref_t *out_ref)
{
    if (process_koid == ZX_KOID_INVALID)
        process_koid = fxt_i_process_id();
    register_thread(context, process_koid, vthread_id | UINT64_C(1) << 63,
                    vthread_literal != NULL ? vthread_literal : "", out_ref);
}
