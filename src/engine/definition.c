/* Records of the durable part that a program writes explicitly. The thread of the context calls
   these functions. define takes the lock of tables; a signal handler that interrupts it finds the
   context busy. */
#include "src/engine/text.h"

/* What happens to a definition that finds no room. */
enum otherwise {
    DROPPED, /* it is required: references to it would have no meaning */
    LEFT_OUT,
    LEFT_OUT_FIRST, /* the name of a thread */
};

static struct fxt_writer *begin(struct trace_context *context, uint64_t bytes,
                                enum otherwise otherwise)
{
    if (otherwise == LEFT_OUT_FIRST)
        return fxt_i_definition_begin_name(context, bytes);
    struct fxt_writer *writer = fxt_i_definition_begin(context, bytes);
    if (writer == NULL && otherwise == DROPPED)
        fxt_i_drop(context);
    else if (writer == NULL)
        fxt_i_count_inlined();
    return writer;
}

/* Writes a definition of at most that many bytes, with `encode`. */
static void define(struct trace_context *context, uint64_t bytes, enum otherwise otherwise,
                   void (*encode)(struct fxt_writer *writer, const void *in), const void *in)
{
    if (fxt_i_is_interrupted(context)) {
        fxt_i_drop(context);
        return;
    }
    fxt_i_busy_begin(context);
    fxt_i_lock(&fxt_i_engine.table_lock);
    struct fxt_writer *writer = begin(context, bytes, otherwise);
    if (writer != NULL) {
        encode(writer, in);
        assert(writer->size <= bytes);
        if (writer->size == 0) /* the encoder refused it */
            fxt_i_drop(context);
        fxt_i_definition_end();
    }
    fxt_i_unlock(&fxt_i_engine.table_lock);
    fxt_i_busy_end(context, false);
}

static void encode_initialization(struct fxt_writer *writer, const void *in)
{
    fxt_write_initialization(writer, in);
}

void trace_context_write_initialization_record(trace_context_t *context,
                                               zx_ticks_t ticks_per_second)
{
    struct fxt_initialization in = {.ticks_per_second = ticks_per_second};
    define(context, 16, DROPPED, encode_initialization, &in);
}

/* The thread that starts, under the lock of the life. While nothing is started, no other thread
   writes, so it needs no presence; and a context that stays busy, since its thread ended while it
   was held, may write this. */
void fxt_i_define_initialization(void)
{
    struct trace_context *context = &fxt_i_this_thread;
    bool was_busy = context->busy;

    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    context->busy = false;
    trace_context_write_initialization_record(context, fxt_i_ticks_per_second());
    context->busy = was_busy;
    fxt_i_set_active(context, 0);
}

static void encode_string(struct fxt_writer *writer, const void *in)
{
    const struct fxt_string *string = in;
    if (fxt_write_string(writer, string) == FXT_OK)
        fxt_i_utf8_mend(writer->bytes + 8, string->value.size);
}

void trace_context_write_string_record(trace_context_t *context, trace_string_index_t index,
                                       const char *string, size_t length)
{
    if (index > TRACE_ENCODED_STRING_REF_MAX_INDEX) {
        fxt_i_drop(context);
        return;
    }
    length = trace_i_cut(string, length, TRACE_ENCODED_STRING_REF_MAX_LENGTH);
    struct fxt_string in = {.value = {(const uint8_t *)string, length}, .index = (uint16_t)index};
    define(context, 8 + fxt_i_padded(length), DROPPED, encode_string, &in);
}

static void encode_thread(struct fxt_writer *writer, const void *in)
{
    fxt_write_thread(writer, in);
}

void trace_context_write_thread_record(trace_context_t *context, trace_thread_index_t index,
                                       zx_koid_t process_koid, zx_koid_t thread_koid)
{
    if (index > TRACE_ENCODED_THREAD_REF_MAX_INDEX) {
        fxt_i_drop(context);
        return;
    }
    struct fxt_thread in = {
        .process = process_koid, .thread = thread_koid, .index = (uint16_t)index};
    define(context, 24, DROPPED, encode_thread, &in);
}

struct named_object {
    struct fxt_kernel_object object;
    struct fxt_arg process;
    size_t arg_count;
};

static void encode_object(struct fxt_writer *writer, const void *in)
{
    const struct named_object *named = in;
    if (fxt_write_kernel_object(writer, &named->object, &named->process, named->arg_count) ==
        FXT_OK)
        fxt_i_mend_string(writer->bytes + 16, named->object.name.ref);
}

static uint64_t name_of(struct named_object *named, const trace_string_ref_t *ref)
{
    uint16_t length = ref->encoded_value & TRACE_ENCODED_STRING_REF_LENGTH_MASK;
    if (!trace_is_inline_string_ref(ref)) {
        named->object.name = fxt_string_index((uint16_t)ref->encoded_value);
        return 0;
    }
    named->object.name = fxt_string_inline(ref->inline_string, length);
    return fxt_i_padded(length);
}

void trace_context_write_process_info_record(trace_context_t *context, zx_koid_t process_koid,
                                             const trace_string_ref_t *process_name_ref)
{
    struct named_object in = {.object = {.koid = process_koid, .object_type = FXT_OBJECT_PROCESS}};
    define(context, 16 + name_of(&in, process_name_ref), LEFT_OUT, encode_object, &in);
}

void trace_context_write_thread_info_record(trace_context_t *context, zx_koid_t process_koid,
                                            zx_koid_t thread_koid,
                                            const trace_string_ref_t *thread_name_ref)
{
    struct fxt_string_ref process_ref;
    struct named_object in = {.object = {.koid = thread_koid, .object_type = FXT_OBJECT_THREAD},
                              .arg_count = 1};
    if (!fxt_i_register_string(context, "process", 7, &process_ref)) {
        fxt_i_drop(context);
        return;
    }
    in.process = (struct fxt_arg){.type = FXT_ARG_KOID, .name = process_ref, .value = process_koid};
    define(context, 48 + name_of(&in, thread_name_ref), LEFT_OUT_FIRST, encode_object, &in);
}
