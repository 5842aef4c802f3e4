/* The kinds of records by name, and one call that decodes any of them. */
#ifndef FXT_TOOLS_COMMON_KIND_H
#define FXT_TOOLS_COMMON_KIND_H

#include <fxt/read.h>

enum kind {
    KIND_MAGIC,
    KIND_PROVIDER_INFO,
    KIND_PROVIDER_SECTION,
    KIND_PROVIDER_EVENT,
    KIND_TRACE_INFO,
    KIND_INITIALIZATION,
    KIND_STRING,
    KIND_THREAD,
    KIND_EVENT,
    KIND_BLOB,
    KIND_USERSPACE_OBJECT,
    KIND_KERNEL_OBJECT,
    KIND_LEGACY_SWITCH,
    KIND_CONTEXT_SWITCH,
    KIND_THREAD_WAKEUP,
    KIND_LOG,
    KIND_MODULE,
    KIND_MMAP,
    KIND_BACKTRACE,
    KIND_LARGE_BLOB,
    KIND_UNKNOWN,
    KIND_COUNT
};

union kind_fields {
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

enum kind kind_of(const struct fxt_record *record);

/* "event", "provider_info" … */
const char *kind_name(enum kind kind);

/* Decodes; FXT_OK without any fields for KIND_UNKNOWN, else FXT_OK or FXT_MALFORMED. */
enum fxt_status kind_read(const struct fxt_record *record, enum kind kind,
                          union kind_fields *fields, struct fxt_error *error);

/* Whether the record does not decode; fills in `error` then. */
bool kind_malformed(const struct fxt_record *record, struct fxt_error *error);

/* "duration_begin" … by event type, "unknown" beyond them; EVENT_NAMES of them. */
#define EVENT_NAMES 12u
const char *event_name(unsigned event_type);

/* "int32" … by argument type, "unknown" beyond them; ARG_NAMES of them. */
#define ARG_NAMES 12u
const char *arg_name(unsigned arg_type);

#endif
