/* The records of <lib/trace-engine/context.h>, through the library's encoders.

   An encoder stores a record's header first. So it writes one word after the start of the next
   record. When it is done, that first word becomes a filler of its own.

   Each function is called by the thread of its context, which is held. In a signal handler that
   interrupts a record (the context is busy), the record is dropped. Wait-free while the lease has
   room. */
#include <string.h>

#include "src/engine/lease.h"
#include "src/engine/text.h"
#include "src/wire/layout.h"

#define LOG_BYTES_MAX 32728u /* what a record has room for beside a thread that is inline */
#define MARK "\xe2\x80\xa6"  /* ends a string that was cut for its record: an ellipsis */
#define MARK_BYTES 3u

/* The strings of a record by their number, a bit each: its category 0, its name 1, then the name and
   the text of each argument. */
enum { CATEGORY, NAME, ARGS_BEGIN };
#define STRINGS_MAX (ARGS_BEGIN + 2 * TRACE_MAX_ARGS)
_Static_assert(STRINGS_MAX <= 32, "one word has a bit for each string");

/* Returns a writer for a record of at most that many bytes; without room, a writer of no
   capacity. */
static struct fxt_writer record_begin(struct trace_context *context, uint64_t bytes)
{
    struct fxt_writer writer;

    assert(context == &fxt_i_this_thread && context->depth > 0);
    assert(bytes > 0 && bytes % 8 == 0);
    fxt_writer_init(&writer, NULL, 0);
    if (fxt_i_is_interrupted(context)) {
        fxt_i_drop(context);
        return writer;
    }
    fxt_i_busy_begin(context);
    if (fxt_i_lease(context, bytes + 8))
        fxt_writer_init(&writer, context->next + 8, (uint64_t)(context->end - context->next) - 8);
    else
        fxt_i_busy_end(context, false);
    return writer;
}

/* Publishes the record in the writer, and returns whether there is one. A record that the encoder
   refused is dropped. */
static bool record_end(struct trace_context *context, const struct fxt_writer *writer)
{
    if (writer->capacity == 0)
        return false;
    assert(context->busy);
    assert(writer->size % 8 == 0 && writer->size <= writer->capacity);
    if (writer->size == 0)
        fxt_i_drop(context);
    else
        fxt_i_publish_record(context, 8 + writer->size, fxt_i_filler(8));
    fxt_i_busy_end(context, false);
    return writer->size > 0;
}

static struct fxt_string_ref string_of(const trace_string_ref_t *ref)
{
    if (trace_is_inline_string_ref(ref))
        return fxt_string_inline(ref->inline_string,
                                 ref->encoded_value & TRACE_ENCODED_STRING_REF_LENGTH_MASK);
    return fxt_string_index((uint16_t)ref->encoded_value);
}

/* A number that is too large for a field stays too large, so that the encoder refuses it. */
static uint16_t narrow(uint64_t number)
{
    return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

static struct fxt_thread_ref thread_of(const trace_thread_ref_t *ref)
{
    if (trace_is_inline_thread_ref(ref))
        return fxt_thread_inline(ref->inline_process_koid, ref->inline_thread_koid);
    return (struct fxt_thread_ref){.ref = narrow(ref->encoded_value)};
}

static uint64_t text_bytes(trace_encoded_string_ref_t ref)
{
    return fxt_i_padded(fxt_i_inline_length(ref));
}

static bool has_word(uint16_t type)
{
    return type >= FXT_ARG_INT64 && type <= FXT_ARG_KOID && type != FXT_ARG_STRING;
}

/* Returns the size of the arguments, and converts them to `out`. */
static uint64_t args_of(struct fxt_arg out[TRACE_MAX_ARGS], const trace_arg_t *args, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count && i < TRACE_MAX_ARGS; i++) {
        const trace_string_ref_t name = {args[i].name_ref, args[i].name_literal};
        const trace_string_ref_t text = {args[i].value.string_ref, args[i].value.string};
        memset(&out[i], 0, sizeof out[i]);
        trace_arg_type_t type = trace_i_arg_type(&args[i].value);
        out[i].type = (uint16_t)type;
        out[i].name = string_of(&name);
        bytes += (has_word(out[i].type) ? 16 : 8) + text_bytes(name.encoded_value);
        if (type == TRACE_ARG_STRING) {
            out[i].text = string_of(&text);
            bytes += text_bytes(text.encoded_value);
        } else if (type != TRACE_ARG_NULL) {
            out[i].value = args[i].value.word;
        }
    }
    return bytes;
}

static uint64_t thread_bytes(const struct fxt_thread_ref *thread)
{
    return thread->ref == 0 ? 16 : 0;
}

/* The size of all strings if none takes more than `most` bytes. */
static uint64_t sum(struct fxt_string_ref *const *strings, uint64_t most)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < STRINGS_MAX; i++) {
        uint64_t own = strings[i] != NULL ? text_bytes(strings[i]->ref) : 0;
        bytes += own < most ? own : most;
    }
    return bytes;
}

/* Makes room for the mark at the end of each string that takes more than `most` bytes. */
static uint32_t cut(struct fxt_string_ref *const *strings, uint64_t most)
{
    uint32_t which = 0;
    for (size_t i = 0; i < STRINGS_MAX; i++) {
        if (strings[i] == NULL || text_bytes(strings[i]->ref) <= most)
            continue;
        const char *text = (const char *)strings[i]->bytes;
        size_t length = trace_i_cut(text, (size_t)fxt_i_inline_length(strings[i]->ref),
                                    (size_t)(most - MARK_BYTES));
        *strings[i] = fxt_string_inline(text, (uint16_t)(length + MARK_BYTES));
        which |= UINT32_C(1) << i;
    }
    return which;
}

/* Cuts the longest strings of a record, to the same length, so that its size is one that a record may
   have. Returns which strings. */
static uint32_t fit(uint64_t *bytes, struct fxt_string_ref *category, struct fxt_string_ref *name,
                    struct fxt_arg *args, size_t count)
{
    struct fxt_string_ref *strings[STRINGS_MAX] = {[CATEGORY] = category, [NAME] = name};
    uint64_t most = 0;
    uint32_t which = 0;

    if (*bytes <= FXT_RECORD_BYTES_MAX)
        return 0;
    for (size_t i = 0; i < count && i < TRACE_MAX_ARGS; i++) {
        strings[ARGS_BEGIN + 2 * i] = &args[i].name;
        strings[ARGS_BEGIN + 2 * i + 1] = &args[i].text;
    }
    uint64_t others = *bytes - sum(strings, UINT64_MAX);
    for (uint64_t step = UINT64_C(1) << 15; step >= 8; step /= 2)
        if (others + sum(strings, most + step) <= FXT_RECORD_BYTES_MAX)
            most += step;
    if (most > MARK_BYTES) /* otherwise the encoder refuses the record */
        which = cut(strings, most);
    *bytes = others + sum(strings, UINT64_MAX);
    return which;
}

/* Completes a string of a record, which lies at `at`, and returns the place after it. */
static uint8_t *finish_string(uint8_t *at, uint32_t ref, uint32_t which, size_t number)
{
    uint64_t length = fxt_i_inline_length(ref);
    if ((which >> number & 1) != 0) {
        fxt_i_utf8_mend(at, length - MARK_BYTES);
        memcpy(at + length - MARK_BYTES, MARK, MARK_BYTES);
        return at + fxt_i_padded(length);
    }
    return fxt_i_mend_string(at, ref);
}

/* The same for arguments. */
static void finish_args(uint8_t *at, const struct fxt_arg *args, size_t count, uint32_t which)
{
    for (size_t i = 0; i < count; i++) {
        at = finish_string(at + 8, args[i].name.ref, which, ARGS_BEGIN + 2 * i);
        at = finish_string(at, args[i].text.ref, which, ARGS_BEGIN + 2 * i + 1);
        at += has_word(args[i].type) ? 8 : 0;
    }
}

bool fxt_i_write_event(struct trace_context *context, uint32_t event_type, uint64_t timestamp,
                       uint64_t value, const trace_thread_ref_t *thread,
                       const trace_string_ref_t *category, const trace_string_ref_t *name,
                       const trace_arg_t *args, size_t count)
{
    struct fxt_arg list[TRACE_MAX_ARGS];

    if (count > TRACE_MAX_ARGS) {
        fxt_i_drop(context);
        return false;
    }
    struct fxt_event event = {
        .thread = thread_of(thread),
        .category = string_of(category),
        .name = string_of(name),
        .timestamp = timestamp,
        .value = event_type == FXT_EVENT_INSTANT ? 0 : value,
        .event_type = (uint16_t)event_type,
        .scope = event_type == FXT_EVENT_INSTANT ? narrow(value) : 0,
        .has_scope = event_type == FXT_EVENT_INSTANT ? 1 : 0,
    };
    bool has_value = event_type < FXT_EVENT_DURATION_BEGIN || event_type > FXT_EVENT_DURATION_END;
    uint64_t bytes = (has_value ? 24 : 16) + thread_bytes(&event.thread) +
                     text_bytes(category->encoded_value) + text_bytes(name->encoded_value) +
                     args_of(list, args, count);
    uint32_t which = fit(&bytes, &event.category, &event.name, list, count);
    struct fxt_writer writer = record_begin(context, bytes);
    if (fxt_write_event(&writer, &event, list, count) == FXT_OK) {
        uint8_t *at = writer.bytes + 16 + thread_bytes(&event.thread);
        at = finish_string(at, event.category.ref, which, CATEGORY);
        at = finish_string(at, event.name.ref, which, NAME);
        finish_args(at, list, count, which);
    }
    return record_end(context, &writer);
}

#define EVENT_PARAMETERS                                                                           \
    const trace_thread_ref_t *thread_ref, const trace_string_ref_t *category_ref,                  \
        const trace_string_ref_t *name_ref
#define EVENT thread_ref, category_ref, name_ref
#define ARGS_PARAMETERS const trace_arg_t *args, size_t num_args
#define ARGS args, num_args

void trace_context_write_instant_event_record(trace_context_t *context, trace_ticks_t event_time,
                                              EVENT_PARAMETERS, trace_scope_t scope,
                                              ARGS_PARAMETERS)
{
    fxt_i_write_event(context, FXT_EVENT_INSTANT, event_time, scope, EVENT, ARGS);
}

void trace_context_write_duration_event_record(trace_context_t *context, trace_ticks_t start_time,
                                               trace_ticks_t end_time, EVENT_PARAMETERS,
                                               ARGS_PARAMETERS)
{
    fxt_i_write_event(context, FXT_EVENT_DURATION_COMPLETE, start_time, end_time, EVENT, ARGS);
}

#define PLAIN(name, type)                                                                          \
    void trace_context_write_##name##_event_record(                                                \
        trace_context_t *context, trace_ticks_t event_time, EVENT_PARAMETERS, ARGS_PARAMETERS)     \
    {                                                                                              \
        fxt_i_write_event(context, type, event_time, 0, EVENT, ARGS);                              \
    }
PLAIN(duration_begin, FXT_EVENT_DURATION_BEGIN)
PLAIN(duration_end, FXT_EVENT_DURATION_END)

#define WITH_ID(name, type)                                                                        \
    void trace_context_write_##name##_event_record(trace_context_t *context,                       \
                                                   trace_ticks_t event_time, EVENT_PARAMETERS,     \
                                                   uint64_t id, ARGS_PARAMETERS)                   \
    {                                                                                              \
        fxt_i_write_event(context, type, event_time, id, EVENT, ARGS);                             \
    }
WITH_ID(counter, FXT_EVENT_COUNTER)
WITH_ID(async_begin, FXT_EVENT_ASYNC_BEGIN)
WITH_ID(async_instant, FXT_EVENT_ASYNC_INSTANT)
WITH_ID(async_end, FXT_EVENT_ASYNC_END)
WITH_ID(flow_begin, FXT_EVENT_FLOW_BEGIN)
WITH_ID(flow_step, FXT_EVENT_FLOW_STEP)
WITH_ID(flow_end, FXT_EVENT_FLOW_END)

/* Reserves room that the caller will fill. Until the context is released, this thread may be
   writing anywhere. */
static uint8_t *alloc_room(struct trace_context *context, size_t num_bytes)
{
    assert(context == &fxt_i_this_thread && context->depth > 0);
    if (!fxt_i_lease(context, num_bytes))
        return NULL;
    uint8_t *place = context->next;
    if (num_bytes > 0) {
        fxt_i_set_active(context, FXT_I_PINNED);
        fxt_i_publish_record(context, num_bytes, fxt_i_filler(num_bytes));
    }
    return place;
}

void *trace_context_alloc_record(trace_context_t *context, size_t num_bytes)
{
    if (num_bytes % 8 != 0 || num_bytes > TRACE_ENCODED_RECORD_MAX_LENGTH)
        return NULL;
    if (fxt_i_is_interrupted(context)) {
        fxt_i_drop(context);
        return NULL;
    }
    fxt_i_busy_begin(context);
    uint8_t *place = alloc_room(context, num_bytes);
    fxt_i_busy_end(context, false);
    return place;
}

/* Blobs. */

static bool is_blob(trace_blob_type_t type, uint64_t size)
{
    return type >= TRACE_BLOB_TYPE_DATA && type <= TRACE_BLOB_TYPE_PERFETTO &&
           size <= TRACE_BLOB_MAX_SIZE;
}

void trace_context_write_blob_record(trace_context_t *context, trace_blob_type_t type,
                                     const trace_string_ref_t *name_ref, const void *blob,
                                     size_t blob_size)
{
    struct fxt_blob in = {
        .name = string_of(name_ref), .payload = {blob, blob_size}, .blob_type = (uint16_t)type};
    if (!is_blob(type, blob_size)) {
        fxt_i_drop(context);
        return;
    }
    uint64_t bytes = 8 + text_bytes(name_ref->encoded_value) + fxt_i_padded(blob_size);
    uint32_t which = fit(&bytes, NULL, &in.name, NULL, 0);
    struct fxt_writer writer = record_begin(context, bytes);
    if (fxt_write_blob(&writer, &in) == FXT_OK)
        finish_string(writer.bytes + 8, in.name.ref, which, NAME);
    record_end(context, &writer);
}

void *trace_context_begin_write_blob_record(trace_context_t *context, trace_blob_type_t type,
                                            const trace_string_ref_t *name_ref, size_t blob_size)
{
    struct fxt_string_ref name = string_of(name_ref);

    if (!is_blob(type, blob_size)) {
        fxt_i_drop(context);
        return NULL;
    }
    uint64_t bytes = 8 + text_bytes(name.ref) + fxt_i_padded(blob_size);
    uint32_t which = fit(&bytes, NULL, &name, NULL, 0);
    uint64_t name_bytes = text_bytes(name.ref);
    uint8_t *place = trace_context_alloc_record(context, (size_t)bytes);
    if (place == NULL)
        return NULL;
    if (name_bytes > 0) {
        memset(place + name_bytes, 0, 8);
        memcpy(place + 8, name.bytes, (size_t)fxt_i_inline_length(name.ref));
        finish_string(place + 8, name.ref, which, NAME);
    }
    if (blob_size > 0)
        memset(place + bytes - 8, 0, 8);
    fxt_i_publish(place, fxt_pack_blob_header((uint16_t)(bytes / 8), name.ref, (uint16_t)blob_size,
                                              (uint8_t)type));
    return place + 8 + name_bytes;
}

static void write_large(struct trace_context *context, struct fxt_large_blob *in,
                        const trace_string_ref_t *category_ref, const trace_string_ref_t *name_ref,
                        const trace_arg_t *args, size_t num_args)
{
    struct fxt_arg list[TRACE_MAX_ARGS];
    uint64_t bytes = 56 + text_bytes(category_ref->encoded_value) +
                     text_bytes(name_ref->encoded_value) + args_of(list, args, num_args);

    if (in->payload.size > FXT_BUFFER_BYTES_MAX || num_args > TRACE_MAX_ARGS) {
        fxt_i_drop(context);
        return;
    }
    in->category = string_of(category_ref);
    in->name = string_of(name_ref);
    struct fxt_writer writer = record_begin(context, bytes + fxt_i_padded(in->payload.size));
    if (fxt_write_large_blob(&writer, in, list, num_args) == FXT_OK) {
        uint8_t *at = fxt_i_mend_string(writer.bytes + 16, in->category.ref);
        at = fxt_i_mend_string(at, in->name.ref);
        if (in->blob_format == FXT_LARGE_BLOB_METADATA)
            finish_args(at + 8 + thread_bytes(&in->thread), list, num_args, 0);
    }
    record_end(context, &writer);
}

void trace_context_write_blob_event_record(trace_context_t *context, trace_ticks_t event_time,
                                           EVENT_PARAMETERS, const void *blob, size_t blob_size,
                                           ARGS_PARAMETERS)
{
    struct fxt_large_blob in = {.thread = thread_of(thread_ref),
                                .payload = {blob, blob_size},
                                .timestamp = event_time,
                                .blob_format = FXT_LARGE_BLOB_METADATA};
    write_large(context, &in, category_ref, name_ref, ARGS);
}

void trace_context_write_blob_attachment_record(trace_context_t *context,
                                                const trace_string_ref_t *category_ref,
                                                const trace_string_ref_t *name_ref,
                                                const void *blob, size_t blob_size)
{
    struct fxt_large_blob in = {.payload = {blob, blob_size},
                                .blob_format = FXT_LARGE_BLOB_NO_METADATA};
    write_large(context, &in, category_ref, name_ref, NULL, 0);
}

/* Kernel objects. */

void trace_context_write_context_switch_record(trace_context_t *context, trace_ticks_t event_time,
                                               trace_cpu_number_t cpu_number,
                                               trace_thread_state_t outgoing_thread_state,
                                               const trace_thread_ref_t *outgoing_thread_ref,
                                               const trace_thread_ref_t *incoming_thread_ref,
                                               trace_thread_priority_t outgoing_thread_priority,
                                               trace_thread_priority_t incoming_thread_priority)
{
    struct fxt_legacy_switch in = {.outgoing = thread_of(outgoing_thread_ref),
                                   .incoming = thread_of(incoming_thread_ref),
                                   .timestamp = event_time,
                                   .cpu = narrow(cpu_number),
                                   .outgoing_state = narrow((uint32_t)outgoing_thread_state),
                                   .outgoing_priority = narrow(outgoing_thread_priority),
                                   .incoming_priority = narrow(incoming_thread_priority)};
    struct fxt_writer writer = record_begin(context, 48);
    fxt_write_legacy_switch(&writer, &in);
    record_end(context, &writer);
}

void trace_context_write_thread_wakeup_record(trace_context_t *context, trace_ticks_t event_time,
                                              trace_cpu_number_t cpu_number,
                                              zx_koid_t waking_thread_koid, ARGS_PARAMETERS)
{
    struct fxt_arg list[TRACE_MAX_ARGS];

    if (num_args > TRACE_MAX_ARGS || cpu_number > UINT16_MAX) {
        fxt_i_drop(context);
        return;
    }
    struct fxt_thread_wakeup in = {
        .timestamp = event_time, .waking_thread = waking_thread_koid, .cpu = (uint16_t)cpu_number};
    uint64_t bytes = 24 + args_of(list, args, num_args);
    uint32_t which = fit(&bytes, NULL, NULL, list, num_args);
    struct fxt_writer writer = record_begin(context, bytes);
    if (fxt_write_thread_wakeup(&writer, &in, list, num_args) == FXT_OK)
        finish_args(writer.bytes + 24, list, num_args, which);
    record_end(context, &writer);
}

void trace_context_write_kernel_object_record_for_handle(trace_context_t *context,
                                                         zx_handle_t handle, ARGS_PARAMETERS)
{
    struct fxt_arg list[TRACE_MAX_ARGS];
    struct fxt_i_object object;

    if (num_args > TRACE_MAX_ARGS) {
        fxt_i_drop(context);
        return;
    }
    fxt_i_describe_handle((int)handle, &object);
    if (object.koid == 0) {
        fxt_i_drop(context);
        return;
    }
    struct fxt_kernel_object in = {.koid = object.koid, .object_type = object.type};
    if (object.name_length > 0)
        in.name = fxt_string_inline(object.name, object.name_length);
    uint64_t bytes = 16 + fxt_i_padded(object.name_length) + args_of(list, args, num_args);
    uint32_t which = fit(&bytes, NULL, &in.name, list, num_args);
    struct fxt_writer writer = record_begin(context, bytes);
    if (fxt_write_kernel_object(&writer, &in, list, num_args) == FXT_OK)
        finish_args(finish_string(writer.bytes + 16, in.name.ref, which, NAME), list, num_args,
                    which);
    record_end(context, &writer);
}

void trace_context_write_log_record(trace_context_t *context, trace_ticks_t event_time,
                                    const trace_thread_ref_t *thread_ref, const char *log_message,
                                    size_t log_message_length)
{
    struct fxt_log in = {.thread = thread_of(thread_ref),
                         .message = {(const uint8_t *)log_message,
                                     trace_i_cut(log_message, log_message_length, LOG_BYTES_MAX)},
                         .timestamp = event_time};
    struct fxt_writer writer = record_begin(context, 32 + fxt_i_padded(in.message.size));
    if (fxt_write_log(&writer, &in) == FXT_OK)
        fxt_i_utf8_mend(writer.bytes + 16 + thread_bytes(&in.thread), in.message.size);
    record_end(context, &writer);
}
