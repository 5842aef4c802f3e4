/* Any record, decoded: one table of kinds and their fields, from which the oracles check pointers,
   compare, and take digests. It is the fuzzers' own, so that a field that the library forgot in one
   place is missed here only if it was forgotten here as well. */
#ifndef FXT_FUZZ_ANY_H
#define FXT_FUZZ_ANY_H

#include <fxt/read.h>
#include <fxt/write.h>

#include "fuzz/lib/oracle.h"

enum fuzz_kind_id {
    FUZZ_PROVIDER_INFO,
    FUZZ_PROVIDER_SECTION,
    FUZZ_PROVIDER_EVENT,
    FUZZ_TRACE_INFO,
    FUZZ_INITIALIZATION,
    FUZZ_STRING,
    FUZZ_THREAD,
    FUZZ_EVENT,
    FUZZ_BLOB,
    FUZZ_USERSPACE_OBJECT,
    FUZZ_KERNEL_OBJECT,
    FUZZ_LEGACY_SWITCH,
    FUZZ_CONTEXT_SWITCH,
    FUZZ_THREAD_WAKEUP,
    FUZZ_LOG,
    FUZZ_MODULE,
    FUZZ_MMAP,
    FUZZ_BACKTRACE,
    FUZZ_LARGE_BLOB,
    FUZZ_KIND_COUNT /* unknown */
};

union fuzz_any {
    struct fxt_provider_info provider_info;
    struct fxt_provider_section provider_section;
    struct fxt_provider_event provider_event;
    struct fxt_trace_info trace_info;
    struct fxt_initialization initialization;
    struct fxt_string string;
    struct fxt_thread thread;
    struct fxt_event event;
    struct fxt_blob blob;
    struct fxt_userspace_object userspace_object;
    struct fxt_kernel_object kernel_object;
    struct fxt_legacy_switch legacy_switch;
    struct fxt_context_switch context_switch;
    struct fxt_thread_wakeup thread_wakeup;
    struct fxt_log log;
    struct fxt_module module;
    struct fxt_mmap mmap;
    struct fxt_backtrace backtrace;
    struct fxt_large_blob large_blob;
};

/* A record with its arguments taken off. */
struct fuzz_record {
    union fuzz_any any;
    struct fxt_arg args[FXT_ARGS_MAX];
    uint8_t arg_count;
    enum fuzz_kind_id kind;
};

/* By the tables of sections 4.3 and 8 of the format. */
enum fuzz_kind_id fuzz_kind_of(const struct fxt_record *record);

enum fxt_status fuzz_decode(enum fuzz_kind_id kind, union fuzz_any *any,
                            const struct fxt_record *record, struct fxt_error *error);

/* Decodes and takes the arguments off; FUZZ_KIND_COUNT is FXT_WRONG_TYPE. */
enum fxt_status fuzz_decode_all(struct fuzz_record *out, const struct fxt_record *record,
                                struct fxt_error *error);

/* FXT_WRONG_TYPE for the one record that cannot be written: trace info other than the magic. */
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
