/* The writer: encodes records into memory that the caller owns.

     uint64_t write_instant(uint8_t *memory, uint64_t capacity)
     {
         struct fxt_writer writer;
         struct fxt_event event = {0};

         event.event_type = FXT_EVENT_INSTANT;
         event.timestamp = 1000;
         event.thread = fxt_thread_inline(1, 2);
         event.category = fxt_string_inline("example", 7);
         event.name = fxt_string_inline("hello", 5);
         fxt_writer_init(&writer, memory, capacity);
         fxt_write_magic(&writer);
         fxt_write_event(&writer, &event, NULL, 0);
         return writer.size;
     }

   The result is the size of the trace in bytes.

   Each call writes all or nothing. It appends one whole canonical record and returns FXT_OK.
   Otherwise it leaves everything below writer.size unchanged, and returns
   FXT_FULL     if the record does not fit
   FXT_INVALID  if the record cannot be encoded

   FXT_INVALID means one of these:
   - A number does not fit its field in the record. <fxt/record.h> states the ranges.
   - An event type is above 10, a scope above 2, has_scope above 1, an outgoing_state above 5, an
     argument type above 10, or a blob_format above 1. An int32 or uint32 argument has more than 32
     bits, or a bool argument is above 1.
   - ticks_per_second is 0, or a registered index is 0.
   - A name of a provider, a name of a module or a build id has more than 255 bytes. A backtrace has
     more than 255 frames, or part of one.
   - There are more than 15 arguments, or any in a large blob of format 1.
   - An argument or the record would exceed 4095 words, or a large blob 2^32 - 1 words.
   - A pointer to more than 0 bytes, or to more than 0 arguments, is NULL.

   The writer encodes everything else, even if it breaks a rule. It does not check that strings are
   UTF-8 (STR-05) and have at most 32000 bytes (STR-04), that the event_id of a provider event is 0
   (MET-04), that blob_type is 1 to 3 (BLB-02), and that outgoing_state is not FXT_THREAD_RUNNING
   (SCH-03). It knows no other record, so it checks no references, times and pairs of events. To
   check what a program writes, use <fxt/check.h> in its tests.

   The writer ignores the members `tail`, `args` and `frame_count` of the structs, which are for
   reading. Arguments are passed as an array. It also ignores members that the record does not have:
   - of an event: `scope` unless the event is an instant and has_scope is 1; `value` of an instant,
     a duration begin and a duration end
   - of a large blob of format 1: `thread` and `timestamp`
   - of an indexed thread ref: the koids; of a userspace object: `process.thread`
   - of a string ref that is not inline: `bytes`
   - of an argument: all members but `name`, `type` and the one that holds the value
   A `scope` or `has_scope` out of range is FXT_INVALID for every type of event.

   The writer keeps no pointer to the caller's structs or strings. They must be readable, and
   neither they nor the writer may lie in the unused part of the writer's memory. The capacity is at
   most INT64_MAX bytes. Only one thread at a time may use a writer. */
#ifndef FXT_WRITE_H
#define FXT_WRITE_H

#include <fxt/record.h>

struct fxt_writer {
    uint8_t *bytes;
    uint64_t capacity;
    uint64_t size; /* written so far, a multiple of 8 */
};

FXT_API void fxt_writer_init(struct fxt_writer *writer, uint8_t *bytes, uint64_t capacity);

#define FXT_ENCODER(name)                                                                          \
    FXT_API enum fxt_status fxt_write_##name(struct fxt_writer *writer, const struct fxt_##name *in)
#define FXT_ENCODER_WITH_ARGS(name)                                                                \
    FXT_API enum fxt_status fxt_write_##name(struct fxt_writer *writer,                            \
                                             const struct fxt_##name *in,                          \
                                             const struct fxt_arg *args, size_t arg_count)

FXT_API enum fxt_status fxt_write_magic(struct fxt_writer *writer); /* MET-06 */
FXT_ENCODER(provider_info);
FXT_ENCODER(provider_section);
FXT_ENCODER(provider_event);
FXT_ENCODER(initialization); /* FXT_INVALID for 0 ticks per second: INI-02 */
FXT_ENCODER(string);         /* FXT_INVALID for index 0: STT-02 */
FXT_ENCODER(thread);         /* FXT_INVALID for index 0: THT-02 */
FXT_ENCODER_WITH_ARGS(event);
FXT_ENCODER(blob);
FXT_ENCODER_WITH_ARGS(userspace_object);
FXT_ENCODER_WITH_ARGS(kernel_object);
FXT_ENCODER(legacy_switch);
FXT_ENCODER_WITH_ARGS(context_switch);
FXT_ENCODER_WITH_ARGS(thread_wakeup);
FXT_ENCODER(log);
FXT_ENCODER(module);
FXT_ENCODER(mmap);
FXT_ENCODER(backtrace);
FXT_ENCODER_WITH_ARGS(large_blob);

/* Appends `size` bytes, for records that the library does not know. It checks only that `size` is a
   multiple of 8 and that `bytes` is not NULL unless `size` is 0. */
FXT_API enum fxt_status fxt_write_raw(struct fxt_writer *writer, const uint8_t *bytes,
                                      uint64_t size);

/* Make the arguments to write, by type. Strings and blobs are not copied. */

static inline struct fxt_arg fxt_make_arg(uint8_t type, struct fxt_string_ref name, uint64_t value)
{
    struct fxt_arg arg = {name, {NULL, 0}, {NULL, 0}, {NULL, 0}, value, type};
    return arg;
}

static inline struct fxt_arg fxt_make_null(struct fxt_string_ref name)
{
    return fxt_make_arg(FXT_ARG_NULL, name, 0);
}

static inline struct fxt_arg fxt_make_int32(struct fxt_string_ref name, int32_t value)
{
    uint32_t bits = value < 0 ? UINT32_MAX - FXT_I_CAST(uint32_t, -(value + 1))
                              : FXT_I_CAST(uint32_t, value);
    return fxt_make_arg(FXT_ARG_INT32, name, bits);
}

static inline struct fxt_arg fxt_make_uint32(struct fxt_string_ref name, uint32_t value)
{
    return fxt_make_arg(FXT_ARG_UINT32, name, value);
}

static inline struct fxt_arg fxt_make_int64(struct fxt_string_ref name, int64_t value)
{
    uint64_t bits = value < 0 ? UINT64_MAX - FXT_I_CAST(uint64_t, -(value + 1))
                              : FXT_I_CAST(uint64_t, value);
    return fxt_make_arg(FXT_ARG_INT64, name, bits);
}

static inline struct fxt_arg fxt_make_uint64(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_UINT64, name, value);
}

static inline struct fxt_arg fxt_make_pointer(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_POINTER, name, value);
}

static inline struct fxt_arg fxt_make_koid(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_KOID, name, value);
}

static inline struct fxt_arg fxt_make_bool(struct fxt_string_ref name, bool value)
{
    return fxt_make_arg(FXT_ARG_BOOL, name, value ? 1 : 0);
}

static inline struct fxt_arg fxt_make_string(struct fxt_string_ref name, struct fxt_string_ref text)
{
    struct fxt_arg arg = {name, text, {NULL, 0}, {NULL, 0}, 0, FXT_ARG_STRING};
    return arg;
}

static inline struct fxt_arg fxt_make_blob(struct fxt_string_ref name, const void *bytes,
                                           uint64_t size)
{
    struct fxt_arg arg = {name,      {NULL, 0}, {FXT_I_CAST(const uint8_t *, bytes), size},
                          {NULL, 0}, 0,         FXT_ARG_BLOB};
    return arg;
}

#ifndef __FRAMAC__
static inline struct fxt_arg fxt_make_double(struct fxt_string_ref name, double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return fxt_make_arg(FXT_ARG_DOUBLE, name, bits);
}
#endif

#ifdef __FRAMAC__
#include "spec/acsl/contracts/write.h"
#endif

#endif
