/* Any record, decoded: one table of kinds and their fields, from which the oracles check pointers,
   compare, and take digests. It is the fuzzers' own, so that a field that the library forgot in one
   place is missed here only if it was forgotten here as well. */
#ifndef FXT_FUZZ_ANY_H
#define FXT_FUZZ_ANY_H

#include <fxt/read.h>
#include <fxt/write.h>

#include "fuzz/lib/oracle.h"

/* The kinds; how the writer takes one: with arguments, without; SURE: it refuses none; the type and the
   type within it, or 0, by the tables of sections 4.3 and 8 of the format. */
#define FUZZ_KINDS(ROW)                                                                            \
    ROW(PROVIDER_INFO, provider_info, PLAIN, 0, 1)                                                 \
    ROW(PROVIDER_SECTION, provider_section, SURE, 0, 2)                                            \
    ROW(PROVIDER_EVENT, provider_event, PLAIN, 0, 3)                                               \
    ROW(TRACE_INFO, trace_info, MAGIC, 0, 4)                                                       \
    ROW(INITIALIZATION, initialization, PLAIN, 1, 0)                                               \
    ROW(STRING, string, PLAIN, 2, 0)                                                               \
    ROW(THREAD, thread, PLAIN, 3, 0)                                                               \
    ROW(EVENT, event, ARGS, 4, 0)                                                                  \
    ROW(BLOB, blob, PLAIN, 5, 0)                                                                   \
    ROW(USERSPACE_OBJECT, userspace_object, ARGS, 6, 0)                                            \
    ROW(KERNEL_OBJECT, kernel_object, ARGS, 7, 0)                                                  \
    ROW(LEGACY_SWITCH, legacy_switch, PLAIN, 8, 0)                                                 \
    ROW(CONTEXT_SWITCH, context_switch, ARGS, 8, 1)                                                \
    ROW(THREAD_WAKEUP, thread_wakeup, ARGS, 8, 2)                                                  \
    ROW(LOG, log, PLAIN, 9, 0)                                                                     \
    ROW(MODULE, module, PLAIN, 10, 0)                                                              \
    ROW(MMAP, mmap, PLAIN, 10, 1)                                                                  \
    ROW(BACKTRACE, backtrace, PLAIN, 10, 2)                                                        \
    ROW(LARGE_BLOB, large_blob, ARGS, 15, 0)

#define FUZZ_NUMBER(id, ...) FUZZ_##id,
enum fuzz_kind_id {
    FUZZ_KINDS(FUZZ_NUMBER) FUZZ_KIND_COUNT /* unknown */
};

#define FUZZ_MEMBER(id, name, ...) struct fxt_##name name;
union fuzz_any {
    FUZZ_KINDS(FUZZ_MEMBER)
};

/* The types of arguments in the order of their numbers, and what their values are. */
#define FUZZ_ARGS(ROW)                                                                             \
    ROW(null, NOTHING)                                                                             \
    ROW(int32, SIGNED32)                                                                           \
    ROW(uint32, UNSIGNED32)                                                                        \
    ROW(int64, SIGNED64)                                                                           \
    ROW(uint64, UNSIGNED64)                                                                        \
    ROW(double, BITS)                                                                              \
    ROW(string, TEXT)                                                                              \
    ROW(pointer, UNSIGNED64)                                                                       \
    ROW(koid, UNSIGNED64)                                                                          \
    ROW(bool, TRUTH)                                                                               \
    ROW(blob, BYTES)

enum fuzz_value {
    FUZZ_VALUE_NOTHING,
    FUZZ_VALUE_SIGNED32, /* this and the next, and a truth, are in the header */
    FUZZ_VALUE_UNSIGNED32,
    FUZZ_VALUE_SIGNED64, /* this and the next two are a word */
    FUZZ_VALUE_UNSIGNED64,
    FUZZ_VALUE_BITS,
    FUZZ_VALUE_TEXT,
    FUZZ_VALUE_TRUTH,
    FUZZ_VALUE_BYTES,
    FUZZ_VALUE_UNKNOWN
};

#define FUZZ_ONE(name, value) +1
enum { FUZZ_ARG_COUNT = 0 FUZZ_ARGS(FUZZ_ONE) };

#define FUZZ_ARG_VALUE(name, value) FUZZ_VALUE_##value,
static inline enum fuzz_value fuzz_value_of(unsigned type)
{
    static const uint8_t values[] = {FUZZ_ARGS(FUZZ_ARG_VALUE)};
    return type < FUZZ_ARG_COUNT ? (enum fuzz_value)values[type] : FUZZ_VALUE_UNKNOWN;
}

/* A record with its arguments taken off. */
struct fuzz_record {
    union fuzz_any any;
    struct fxt_arg args[FXT_ARGS_MAX];
    uint8_t arg_count;
    enum fuzz_kind_id kind;
};

enum fuzz_kind_id fuzz_kind_of(const struct fxt_record *record);

enum fxt_status fuzz_decode(enum fuzz_kind_id kind, union fuzz_any *any,
                            const struct fxt_record *record, struct fxt_error *error);

/* Decodes and takes the arguments off; FUZZ_KIND_COUNT is FXT_WRONG_TYPE. */
enum fxt_status fuzz_decode_all(struct fuzz_record *out, const struct fxt_record *record,
                                struct fxt_error *error);

/* FXT_WRONG_TYPE for the one record that cannot be written: trace info other than the magic. Checks that
   exactly a record that is FXT_INVALID has an explanation. */
enum fxt_status fuzz_encode(struct fxt_writer *writer, const struct fuzz_record *in);

/* Every pointer points into the record, behind its header; what is not there is NULL. */
void fuzz_check_inside(const struct fuzz_record *in, const struct fxt_record *record);

/* A digest of all fields and arguments, by contents: pointers count for what they point at. With
   or without the words of tails. */
uint64_t fuzz_digest(const struct fuzz_record *in, bool tails);

/* Changes the fields to those that remain after writing: the freedom that section 11 of the format
   takes away. */
void fuzz_canonicalize(struct fuzz_record *record);

static inline uint64_t fuzz_mix(uint64_t digest, uint64_t number)
{
    digest = (digest ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

#endif
