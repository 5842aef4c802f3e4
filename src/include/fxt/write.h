/* The writer: encodes records into memory that the caller owns.

     uint8_t memory[4096];
     struct fxt_writer writer;
     fxt_writer_init(&writer, memory, sizeof memory);
     fxt_write_magic(&writer);
     …                            writer.size bytes of memory are now a trace

   Every call is all or nothing: it appends one whole canonical record and returns FXT_OK, or
   returns FXT_FULL (no room) or FXT_INVALID (a field out of its range, a record over 4095 words, a
   NULL where bytes are needed) and changes nothing below writer.size. `tail`, `args` and
   `frame_count` members of the structs are for reading; arguments are given as an array. The
   caller's structs and strings are not kept. One writer belongs to one thread at a time. */
#ifndef FXT_WRITE_H
#define FXT_WRITE_H

#include <fxt/record.h>

struct fxt_writer {
    uint8_t *bytes;
    uint64_t capacity;
    uint64_t size; /* written so far, a multiple of 8 */
};

/*@ predicate fxt_writer_ok(struct fxt_writer *w) =
  @   w->size <= w->capacity <= 9223372036854775807 &&
  @   (w->capacity > 0 ==> \valid(w->bytes + (0 .. w->capacity - 1)));
  @*/

/*@ requires \valid(writer);
  @ requires capacity <= 9223372036854775807;
  @ requires capacity > 0 ==> \valid(bytes + (0 .. capacity - 1));
  @ terminates \true;
  @ assigns *writer;
  @ ensures fxt_writer_ok(writer) && writer->size == 0;
  @*/
FXT_API void fxt_writer_init(struct fxt_writer *writer, uint8_t *bytes, uint64_t capacity);

#define FXT_ENCODER(name)                                                                          \
    FXT_API enum fxt_status fxt_write_##name(struct fxt_writer *writer, const struct fxt_##name *in)
#define FXT_ENCODER_WITH_ARGS(name)                                                                \
    FXT_API enum fxt_status fxt_write_##name(struct fxt_writer *writer,                            \
                                             const struct fxt_##name *in,                          \
                                             const struct fxt_arg *args, size_t arg_count)

/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_API enum fxt_status fxt_write_magic(struct fxt_writer *writer); /* MET-06 */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(provider_info);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(provider_section);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(provider_event);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(initialization); /* FXT_INVALID for 0 ticks per second: INI-02 */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(string); /* FXT_INVALID for index 0: STT-02 */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(thread); /* FXT_INVALID for index 0: THT-02 */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(event);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(blob);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(userspace_object);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(kernel_object);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(legacy_switch);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(context_switch);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(thread_wakeup);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(log);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(module);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(mmap);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER(backtrace);
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \separated(writer, in);
  @ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_ENCODER_WITH_ARGS(large_blob);

/* Bytes as they are, for records that the library does not know: a multiple of 8. */
/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ requires size > 0 ==> bytes == \null || \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result != FXT_OK ==> writer->size == \old(writer->size);
  @*/
FXT_API enum fxt_status fxt_write_raw(struct fxt_writer *writer, const uint8_t *bytes,
                                      uint64_t size);

/* Arguments to write, by type. Text and blobs are not copied. */
/*@ predicate fxt_no_bytes(struct fxt_bytes it) = it.bytes == \null && it.size == 0;
  @ predicate fxt_no_text(struct fxt_string_ref it) = it.bytes == \null && it.ref == 0;
  @ predicate fxt_arg_head(struct fxt_arg arg, integer type, struct fxt_string_ref name,
  @                        integer value) =
  @   arg.type == type && arg.name == name && arg.value == value &&
  @   arg.tail.bytes == \null && arg.tail.words == 0;
  @ predicate fxt_plain_arg(struct fxt_arg arg, integer type, struct fxt_string_ref name,
  @                         integer value) =
  @   fxt_arg_head(arg, type, name, value) && fxt_no_text(arg.text) && fxt_no_bytes(arg.blob);
  @*/

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, type, name, value);
  @*/
static inline struct fxt_arg fxt_make_arg(uint8_t type, struct fxt_string_ref name, uint64_t value)
{
    struct fxt_arg arg = {name, {NULL, 0}, {NULL, 0}, {NULL, 0}, value, type};
    return arg;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 0, name, 0);
  @*/
static inline struct fxt_arg fxt_make_null(struct fxt_string_ref name)
{
    return fxt_make_arg(FXT_ARG_NULL, name, 0);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 1, name, l_unsigned(value, 4294967296));
  @*/
static inline struct fxt_arg fxt_make_int32(struct fxt_string_ref name, int32_t value)
{
    uint32_t bits = value < 0 ? UINT32_MAX - (uint32_t)(-(value + 1)) : (uint32_t)value;
    return fxt_make_arg(FXT_ARG_INT32, name, bits);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 2, name, value);
  @*/
static inline struct fxt_arg fxt_make_uint32(struct fxt_string_ref name, uint32_t value)
{
    return fxt_make_arg(FXT_ARG_UINT32, name, value);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 3, name, l_unsigned(value, 18446744073709551616));
  @*/
static inline struct fxt_arg fxt_make_int64(struct fxt_string_ref name, int64_t value)
{
    uint64_t bits = value < 0 ? UINT64_MAX - (uint64_t)(-(value + 1)) : (uint64_t)value;
    return fxt_make_arg(FXT_ARG_INT64, name, bits);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 4, name, value);
  @*/
static inline struct fxt_arg fxt_make_uint64(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_UINT64, name, value);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 7, name, value);
  @*/
static inline struct fxt_arg fxt_make_pointer(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_POINTER, name, value);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 8, name, value);
  @*/
static inline struct fxt_arg fxt_make_koid(struct fxt_string_ref name, uint64_t value)
{
    return fxt_make_arg(FXT_ARG_KOID, name, value);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 9, name, (value ? 1 : 0));
  @*/
static inline struct fxt_arg fxt_make_bool(struct fxt_string_ref name, bool value)
{
    return fxt_make_arg(FXT_ARG_BOOL, name, value ? 1 : 0);
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_arg_head(\result, 6, name, 0);
  @ ensures \result.text == text && fxt_no_bytes(\result.blob);
  @*/
static inline struct fxt_arg fxt_make_string(struct fxt_string_ref name, struct fxt_string_ref text)
{
    struct fxt_arg arg = {name, text, {NULL, 0}, {NULL, 0}, 0, FXT_ARG_STRING};
    return arg;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_arg_head(\result, 10, name, 0) && fxt_no_text(\result.text);
  @ ensures \result.blob.size == size;
  @*/
static inline struct fxt_arg fxt_make_blob(struct fxt_string_ref name, const void *bytes,
                                           uint64_t size)
{
    struct fxt_arg arg = {name,      {NULL, 0}, {(const uint8_t *)bytes, size},
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

#endif
