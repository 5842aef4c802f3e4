/* Records written again; see format.h. No state beyond the counts. */
#include <fxt/check.h>
#include <fxt/write.h>

#include "src/convert/format_i.h"

#define PLAIN(name)                                                                                \
    static enum fxt_status copy_##name(struct fxt_writer *writer, const struct fxt_record *record) \
    {                                                                                              \
        struct fxt_##name in;                                                                      \
        struct fxt_error error;                                                                    \
        enum fxt_status status = fxt_read_##name(record, &in, &error);                             \
        return status == FXT_OK ? fxt_write_##name(writer, &in) : status;                          \
    }
#define WITH_ARGS(name)                                                                            \
    static enum fxt_status copy_##name(struct fxt_writer *writer, const struct fxt_record *record) \
    {                                                                                              \
        struct fxt_##name in;                                                                      \
        struct fxt_arg args[FXT_ARGS_MAX];                                                         \
        struct fxt_error error;                                                                    \
        enum fxt_status status = fxt_read_##name(record, &in, &error);                             \
        if (status != FXT_OK)                                                                      \
            return status;                                                                         \
        return fxt_write_##name(writer, &in, args, fxt_i_format_args(args, in.args));              \
    }

PLAIN(provider_info)
PLAIN(provider_section)
PLAIN(provider_event)
PLAIN(initialization)
PLAIN(string)
PLAIN(thread)
WITH_ARGS(event)
PLAIN(blob)
WITH_ARGS(userspace_object)
WITH_ARGS(kernel_object)
PLAIN(legacy_switch)
WITH_ARGS(context_switch)
WITH_ARGS(thread_wakeup)
PLAIN(log)
PLAIN(module)
PLAIN(mmap)
PLAIN(backtrace)
WITH_ARGS(large_blob)

/* Each decoder says FXT_WRONG_TYPE of a record of another kind. */
static enum fxt_status copy(struct fxt_writer *writer, const struct fxt_record *record)
{
    static enum fxt_status (*const copies[])(struct fxt_writer *, const struct fxt_record *) = {
        copy_event,
        copy_provider_info,
        copy_provider_section,
        copy_provider_event,
        copy_initialization,
        copy_string,
        copy_thread,
        copy_blob,
        copy_userspace_object,
        copy_kernel_object,
        copy_legacy_switch,
        copy_context_switch,
        copy_thread_wakeup,
        copy_log,
        copy_module,
        copy_mmap,
        copy_backtrace,
        copy_large_blob,
    };
    enum fxt_status status = FXT_WRONG_TYPE;
    for (size_t i = 0; status == FXT_WRONG_TYPE && i < sizeof copies / sizeof *copies; i++)
        status = copies[i](writer, record);
    return status;
}

static enum fxt_status write_again(struct fxt_format *format, const struct fxt_record *record)
{
    struct fxt_writer writer;
    uint64_t size = FXT_WORD_BYTES * (uint64_t)record->words;
    if (size > format->scratch_size)
        return FXT_FULL;
    fxt_writer_init(&writer, format->scratch, format->scratch_size);
    switch (copy(&writer, record)) {
    case FXT_OK:
        format->rewritten++;
        fxt_i_format_put(format, format->scratch, writer.size);
        return FXT_OK;
    case FXT_MALFORMED:
        format->malformed++;
        return FXT_MALFORMED;
    default:
        format->as_it_is++;
        fxt_i_format_put(format, record->bytes, size);
        return FXT_OK;
    }
}

enum fxt_status fxt_format_record(struct fxt_format *format, const struct fxt_record *record)
{
    struct fxt_error error;
    if (record->type == FXT_RECORD_LARGE && format->large != FXT_FORMAT_LARGE_KEEP)
        return fxt_i_format_large(format, record);
    if (fxt_check_canonical(record, &error) != FXT_OK)
        return write_again(format, record);
    fxt_i_format_put(format, record->bytes, FXT_WORD_BYTES * (uint64_t)record->words);
    return FXT_OK;
}
