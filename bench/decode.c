/* The consumer that read_bench gives decoded records to. No state. What it takes of each kind but events
   follows from spec/records/records.tbl. */
#include "bench/decode.h"

#include "src/convert/kinds.h"

static uint64_t of_string(struct fxt_string_ref string)
{
    return (uint64_t)(uintptr_t)string.bytes + string.ref;
}

static uint64_t of_thread(struct fxt_thread_ref thread)
{
    return thread.process + thread.thread + thread.ref;
}

static uint64_t of_bytes(struct fxt_bytes bytes)
{
    return (uint64_t)(uintptr_t)bytes.bytes + bytes.size;
}

static uint64_t of_arg(const struct fxt_arg *arg)
{
    return of_string(arg->name) + of_string(arg->text) + of_bytes(arg->blob) + arg->tail.words +
           arg->value + arg->type;
}

static uint64_t of_args(struct fxt_args *args)
{
    struct fxt_error error;
    struct fxt_arg arg;
    uint64_t sum = 0;
    while (fxt_args_next(args, &arg, &error) == FXT_OK)
        sum += of_arg(&arg);
    return sum;
}

static uint64_t of_frames(const struct fxt_backtrace *in)
{
    uint64_t sum = 0;
    for (uint8_t i = 0; i < in->frame_count; i++)
        sum += fxt_backtrace_frame(in, i);
    return sum;
}

/* An event has a decoder of its own for all its arguments. */
static uint64_t decode_event(const struct fxt_record *record)
{
    struct fxt_event in;
    struct fxt_error error;
    struct fxt_arg args[FXT_ARGS_MAX];
    uint64_t sum = 0;
    if (fxt_read_event_args(record, &in, args, &error) != FXT_OK)
        return 0;
    for (uint8_t i = 0; i < in.args.count; i++)
        sum += of_arg(&args[i]);
    return of_thread(in.thread) + of_string(in.category) + of_string(in.name) + sum +
           in.tail.words + in.timestamp + in.value + in.event_type + in.scope + in.has_scope;
}

#include "bench/decode.inc"
