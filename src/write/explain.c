/* Why a record is refused. Each function measures what its encoder measures; the contracts say that
   both answer alike. No state. */
#include <fxt/explain.h>

#include "src/write/emit.h"

#define LARGE_BYTES_MAX UINT64_C(34359738360) /* 2^32 - 1 words */

/*@ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == \null <==> writable_args(args, arg_count);
  @ ensures \result != \null ==> \valid_read(\result);
  @*/
static const char *explain_args(const struct fxt_arg *args, size_t arg_count)
{
    if (arg_count > FXT_ARGS_MAX)
        return "arg_count";
    if (arg_count > 0 && args == NULL)
        return "args";
    /*@ loop invariant place: 0 <= i <= arg_count;
      @ loop invariant good: \forall integer k; 0 <= k < i ==> writable_arg(args + k);
      @ loop assigns i;
      @ loop variant arg_count - i;
      @*/
    for (size_t i = 0; i < arg_count; i++) {
        if (fxt_explain_arg(&args[i]) != NULL)
            return "args";
    }
    return NULL;
}

const char *fxt_explain_arg(const struct fxt_arg *arg)
{
    uint64_t name = fxt_i_write_string_words(arg->name);
    if (arg->type > FXT_ARG_BLOB)
        return "type";
    if (name == FXT_I_BAD)
        return "name";
    if ((arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_UINT32) && arg->value > UINT32_MAX)
        return "value";
    if (arg->type == FXT_ARG_BOOL && arg->value > 1)
        return "value";
    if (arg->type == FXT_ARG_STRING && fxt_i_write_string_words(arg->text) == FXT_I_BAD)
        return "text";
    if (arg->type == FXT_ARG_BLOB &&
        fxt_i_stream_words(arg->blob, FXT_RECORD_BYTES_MAX) == FXT_I_BAD)
        return "blob";
    return fxt_i_args_words(arg, 1) >= FXT_I_BAD ? "size" : NULL;
}

const char *fxt_explain_provider_info(const struct fxt_provider_info *in)
{
    uint64_t name = fxt_i_stream_words(in->name, 255);
    if (name == FXT_I_BAD)
        return "name";
    return NULL;
}

const char *fxt_explain_provider_event(const struct fxt_provider_event *in)
{
    if (in->event_id > 15)
        return "event_id";
    return NULL;
}

const char *fxt_explain_initialization(const struct fxt_initialization *in)
{
    if (in->ticks_per_second == 0)
        return "ticks_per_second";
    return NULL;
}

const char *fxt_explain_string(const struct fxt_string *in)
{
    uint64_t value = fxt_i_stream_words(in->value, FXT_STRING_INDEX_MAX);
    if (in->index == 0 || in->index > FXT_STRING_INDEX_MAX)
        return "index";
    if (value == FXT_I_BAD)
        return "value";
    return 1 + value > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_thread(const struct fxt_thread *in)
{
    if (in->index == 0 || in->index > FXT_THREAD_INDEX_MAX)
        return "index";
    return NULL;
}

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_value_words(in);
  @*/
static inline uint64_t value_words(const struct fxt_event *in)
{
    return in->event_type == FXT_EVENT_COUNTER || in->event_type >= FXT_EVENT_DURATION_COMPLETE ||
                   (in->event_type == FXT_EVENT_INSTANT && in->has_scope != 0)
               ? 1
               : 0;
}

const char *fxt_explain_event(const struct fxt_event *in, const struct fxt_arg *args,
                              size_t arg_count)
{
    uint64_t thread = fxt_i_write_thread_words(in->thread);
    uint64_t category = fxt_i_write_string_words(in->category);
    uint64_t name = fxt_i_write_string_words(in->name);
    if (in->event_type > FXT_EVENT_FLOW_END)
        return "event_type";
    if (in->has_scope > 1)
        return "has_scope";
    if (in->scope > FXT_SCOPE_GLOBAL)
        return "scope";
    if (thread == FXT_I_BAD)
        return "thread";
    if (category == FXT_I_BAD)
        return "category";
    if (name == FXT_I_BAD)
        return "name";
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    return 2 + thread + category + name + fxt_i_args_words(args, arg_count) + value_words(in) >
                   FXT_RECORD_WORDS_MAX
               ? "size"
               : NULL;
}

const char *fxt_explain_blob(const struct fxt_blob *in)
{
    uint64_t name = fxt_i_write_string_words(in->name);
    uint64_t payload = fxt_i_stream_words(in->payload, FXT_STRING_INDEX_MAX);
    if (in->blob_type > UINT8_MAX)
        return "blob_type";
    if (name == FXT_I_BAD)
        return "name";
    if (payload == FXT_I_BAD)
        return "payload";
    return 1 + name + payload > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_userspace_object(const struct fxt_userspace_object *in,
                                         const struct fxt_arg *args, size_t arg_count)
{
    uint64_t process = fxt_i_write_thread_words(in->process);
    uint64_t name = fxt_i_write_string_words(in->name);
    if (process == FXT_I_BAD)
        return "process";
    if (name == FXT_I_BAD)
        return "name";
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    return 2 + (in->process.ref == 0 ? 1u : 0u) + name + fxt_i_args_words(args, arg_count) >
                   FXT_RECORD_WORDS_MAX
               ? "size"
               : NULL;
}

const char *fxt_explain_kernel_object(const struct fxt_kernel_object *in,
                                      const struct fxt_arg *args, size_t arg_count)
{
    uint64_t name = fxt_i_write_string_words(in->name);
    if (in->object_type > UINT8_MAX)
        return "object_type";
    if (name == FXT_I_BAD)
        return "name";
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    return 2 + name + fxt_i_args_words(args, arg_count) > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_legacy_switch(const struct fxt_legacy_switch *in)
{
    uint64_t outgoing = fxt_i_write_thread_words(in->outgoing);
    uint64_t incoming = fxt_i_write_thread_words(in->incoming);
    if (in->cpu > UINT8_MAX)
        return "cpu";
    if (in->outgoing_state > FXT_THREAD_DEAD)
        return "outgoing_state";
    if (in->outgoing_priority > UINT8_MAX)
        return "outgoing_priority";
    if (in->incoming_priority > UINT8_MAX)
        return "incoming_priority";
    if (outgoing == FXT_I_BAD)
        return "outgoing";
    if (incoming == FXT_I_BAD)
        return "incoming";
    return NULL;
}

const char *fxt_explain_context_switch(const struct fxt_context_switch *in,
                                       const struct fxt_arg *args, size_t arg_count)
{
    if (in->outgoing_state > FXT_THREAD_DEAD)
        return "outgoing_state";
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    return 4 + fxt_i_args_words(args, arg_count) > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_thread_wakeup(const struct fxt_thread_wakeup *in,
                                      const struct fxt_arg *args, size_t arg_count)
{
    (void)in; /* every number fits */
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    return 3 + fxt_i_args_words(args, arg_count) > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_log(const struct fxt_log *in)
{
    uint64_t thread = fxt_i_write_thread_words(in->thread);
    uint64_t message = fxt_i_stream_words(in->message, FXT_STRING_INDEX_MAX);
    if (thread == FXT_I_BAD)
        return "thread";
    if (message == FXT_I_BAD)
        return "message";
    return 2 + thread + message > FXT_RECORD_WORDS_MAX ? "size" : NULL;
}

const char *fxt_explain_module(const struct fxt_module *in)
{
    uint64_t thread = fxt_i_write_thread_words(in->thread);
    uint64_t name = fxt_i_stream_words(in->name, 255);
    uint64_t build_id = fxt_i_stream_words(in->build_id, 255);
    if (thread == FXT_I_BAD)
        return "thread";
    if (name == FXT_I_BAD)
        return "name";
    if (build_id == FXT_I_BAD)
        return "build_id";
    return NULL;
}

const char *fxt_explain_mmap(const struct fxt_mmap *in)
{
    uint64_t thread = fxt_i_write_thread_words(in->thread);
    if (in->flags > 7)
        return "flags";
    if (thread == FXT_I_BAD)
        return "thread";
    return NULL;
}

const char *fxt_explain_backtrace(const struct fxt_backtrace *in)
{
    uint64_t thread = fxt_i_write_thread_words(in->thread);
    uint64_t frames = fxt_i_stream_words(in->frames, 2040);
    if (in->frames.size % 8 != 0)
        return "frames";
    if (thread == FXT_I_BAD)
        return "thread";
    if (frames == FXT_I_BAD)
        return "frames";
    return NULL;
}

const char *fxt_explain_large_blob(const struct fxt_large_blob *in, const struct fxt_arg *args,
                                   size_t arg_count)
{
    bool metadata = in->blob_format == FXT_LARGE_BLOB_METADATA;
    uint64_t thread = metadata ? 1 + fxt_i_write_thread_words(in->thread) : 0;
    uint64_t category = fxt_i_write_string_words(in->category);
    uint64_t name = fxt_i_write_string_words(in->name);
    uint64_t payload = fxt_i_stream_words(in->payload, LARGE_BYTES_MAX);
    if (in->blob_format > FXT_LARGE_BLOB_NO_METADATA)
        return "blob_format";
    if (thread >= FXT_I_BAD)
        return "thread";
    if (category == FXT_I_BAD)
        return "category";
    if (name == FXT_I_BAD)
        return "name";
    if (payload == FXT_I_BAD)
        return "payload";
    if (!metadata)
        return arg_count > 0                                ? "arg_count"
               : 3 + category + name + payload > UINT32_MAX ? "size"
                                                            : NULL;
    const char *why = explain_args(args, arg_count);
    if (why != NULL)
        return why;
    uint64_t args_words = fxt_i_args_words(args, arg_count);
    return 3 + thread + category + name + payload + args_words > UINT32_MAX ? "size" : NULL;
}
