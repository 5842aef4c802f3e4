/* The records of the format as plain structs, which the reader and the writer share.

   Field names are those of spec/format.md. Times are ticks, koids are 64-bit numbers, and sizes are
   in bytes unless the name says words. The reader copies nothing: its pointers point into the
   caller's bytes and are valid as long as those bytes. The writer reads through the same pointers
   during its call, and keeps none of them.

   A uint8_t is always a byte of a trace. Numbers have at least 16 bits, even if the format has
   fewer.

   References are not resolved: each is a number until fxt_tables_* looks it up. */
#ifndef FXT_RECORD_H
#define FXT_RECORD_H

#include <fxt/status.h>

enum {
    FXT_RECORD_METADATA = 0,
    FXT_RECORD_INITIALIZATION = 1,
    FXT_RECORD_STRING = 2,
    FXT_RECORD_THREAD = 3,
    FXT_RECORD_EVENT = 4,
    FXT_RECORD_BLOB = 5,
    FXT_RECORD_USERSPACE_OBJECT = 6,
    FXT_RECORD_KERNEL_OBJECT = 7,
    FXT_RECORD_SCHEDULING = 8,
    FXT_RECORD_LOG = 9,
    FXT_RECORD_PROFILER = 10,
    FXT_RECORD_LARGE = 15
};

enum {
    FXT_METADATA_PROVIDER_INFO = 1,
    FXT_METADATA_PROVIDER_SECTION = 2,
    FXT_METADATA_PROVIDER_EVENT = 3,
    FXT_METADATA_TRACE_INFO = 4
};

enum { FXT_PROVIDER_EVENT_BUFFER_FULL = 0 };
enum { FXT_TRACE_INFO_MAGIC = 0 };

enum {
    FXT_EVENT_INSTANT = 0,
    FXT_EVENT_COUNTER = 1,
    FXT_EVENT_DURATION_BEGIN = 2,
    FXT_EVENT_DURATION_END = 3,
    FXT_EVENT_DURATION_COMPLETE = 4,
    FXT_EVENT_ASYNC_BEGIN = 5,
    FXT_EVENT_ASYNC_INSTANT = 6,
    FXT_EVENT_ASYNC_END = 7,
    FXT_EVENT_FLOW_BEGIN = 8,
    FXT_EVENT_FLOW_STEP = 9,
    FXT_EVENT_FLOW_END = 10
};

enum { FXT_SCOPE_THREAD = 0, FXT_SCOPE_PROCESS = 1, FXT_SCOPE_GLOBAL = 2 };

enum {
    FXT_ARG_NULL = 0,
    FXT_ARG_INT32 = 1,
    FXT_ARG_UINT32 = 2,
    FXT_ARG_INT64 = 3,
    FXT_ARG_UINT64 = 4,
    FXT_ARG_DOUBLE = 5,
    FXT_ARG_STRING = 6,
    FXT_ARG_POINTER = 7,
    FXT_ARG_KOID = 8,
    FXT_ARG_BOOL = 9, /* edition current */
    FXT_ARG_BLOB = 10 /* edition current */
};

enum { FXT_BLOB_DATA = 1, FXT_BLOB_LAST_BRANCH = 2, FXT_BLOB_PERFETTO = 3 };

/* The two kernel object types that name tracks. Any other number is allowed, too. */
enum { FXT_OBJECT_PROCESS = 1, FXT_OBJECT_THREAD = 2 };

enum {
    FXT_SCHEDULING_LEGACY_SWITCH = 0,
    FXT_SCHEDULING_CONTEXT_SWITCH = 1, /* edition current */
    FXT_SCHEDULING_THREAD_WAKEUP = 2   /* edition current */
};

enum {
    FXT_THREAD_NEW = 0,
    FXT_THREAD_RUNNING = 1,
    FXT_THREAD_SUSPENDED = 2,
    FXT_THREAD_BLOCKED = 3,
    FXT_THREAD_DYING = 4,
    FXT_THREAD_DEAD = 5
};

enum { FXT_PROFILER_MODULE = 0, FXT_PROFILER_MMAP = 1, FXT_PROFILER_BACKTRACE = 2 };
enum { FXT_LARGE_BLOB = 0 };
enum { FXT_LARGE_BLOB_METADATA = 0, FXT_LARGE_BLOB_NO_METADATA = 1 };

/* Limits of the format. */
#define FXT_WORD_BYTES 8u
#define FXT_RECORD_WORDS_MAX 4095u
#define FXT_RECORD_BYTES_MAX 32760u
#define FXT_STRING_INLINE 32768u /* a string ref of this value or more is inline */
#define FXT_STRING_LENGTH_MAX 32000u
#define FXT_STRING_INDEX_MAX 32767u
#define FXT_THREAD_INDEX_MAX 255u
#define FXT_ARGS_MAX 15u
#define FXT_TICKS_PER_SECOND_DEFAULT UINT64_C(1000000000)
#define FXT_MAGIC UINT64_C(0x0016547846040010)

/* A pointer to bytes. It may be NULL only if size is 0. */
struct fxt_bytes {
    const uint8_t *bytes;
    uint64_t size;
};

/* [STR-01] ref 0 is the empty string, 1..32767 an index of the string table, 32768 + n an inline
   string of n bytes at `bytes`. `bytes` is NULL unless the string is inline. The writer ignores it
   then. */
struct fxt_string_ref {
    const uint8_t *bytes;
    uint16_t ref;
};

/* [THR-01] ref 1..255 is an index of the thread table; ref 0 is inline, with these koids. The
   writer ignores the koids of an indexed ref. */
struct fxt_thread_ref {
    uint64_t process;
    uint64_t thread;
    uint16_t ref;
};

/* The encoded arguments of a record. fxt_args_next decodes them one by one. A copy of the struct
   has its own position. */
struct fxt_args {
    const uint8_t *bytes;
    uint64_t offset; /* of bytes in the trace */
    uint32_t words;  /* left in the record from bytes on */
    uint16_t count;  /* arguments left */
};

/* [REC-08] Words after the last field that the format defines. */
struct fxt_tail {
    const uint8_t *bytes;
    uint32_t words;
};

/* One argument. The type decides which member holds the value:
     value  int32 and uint32 (the 32 bits, zero extended), int64, uint64, double (the bits),
            pointer, koid, bool (0 or 1); other types: bits 32..63 of the header
     text   string
     blob   blob
   If the type is unknown, the whole payload is in tail. */
struct fxt_arg {
    struct fxt_string_ref name;
    struct fxt_string_ref text;
    struct fxt_bytes blob;
    struct fxt_tail tail;
    uint64_t value;
    uint16_t type;
};

/* A record as framed by the reader, not decoded. */
struct fxt_record {
    const uint8_t *bytes; /* 8 * words of them */
    uint64_t offset;      /* in the trace, in bytes */
    uint64_t header;
    uint32_t words; /* with the header; more than 4095 only in a large record */
    uint16_t type;
};

struct fxt_provider_info {
    struct fxt_bytes name; /* at most 255 bytes */
    struct fxt_tail tail;
    uint32_t provider_id;
};

struct fxt_provider_section {
    struct fxt_tail tail;
    uint32_t provider_id;
};

struct fxt_provider_event {
    struct fxt_tail tail;
    uint32_t provider_id;
    uint16_t event_id; /* 0..15; only 0 is defined (MET-04) */
};

struct fxt_trace_info {
    struct fxt_tail tail;
    uint16_t trace_info_type; /* 0..15; 0 is the magic number */
    uint64_t data;            /* bits 24..63 of the header; the magic number is 0x16547846 */
};

struct fxt_initialization {
    struct fxt_tail tail;
    uint64_t ticks_per_second;
};

struct fxt_string {
    struct fxt_bytes value; /* at most 32752 bytes; the format allows 32000 (STR-04) */
    struct fxt_tail tail;
    uint16_t index; /* 0..32767; the writer refuses 0 */
};

struct fxt_thread {
    struct fxt_tail tail;
    uint64_t process;
    uint64_t thread;
    uint16_t index; /* 0..255; the writer refuses 0 */
};

struct fxt_event {
    struct fxt_thread_ref thread;
    struct fxt_string_ref category;
    struct fxt_string_ref name;
    struct fxt_args args; /* reading only; the writer takes an array */
    struct fxt_tail tail; /* for an event of unknown type: everything after the arguments */
    uint64_t timestamp;
    uint64_t value; /* counter id, end time, async or flow id; or the whole scope word; else 0. The
                       writer ignores it for instants, duration begins and duration ends */
    uint16_t event_type;
    uint16_t scope;     /* of an instant event; the writer ignores it if has_scope is 0 */
    uint16_t has_scope; /* 1 if the record has a scope word [EVT-10] */
};

struct fxt_blob {
    struct fxt_string_ref name;
    struct fxt_bytes payload; /* at most 32752 bytes, less the inline name in whole words */
    struct fxt_tail tail;
    uint16_t blob_type; /* 0..255 */
};

/* [UOB-02] The record has no process.thread. The reader stores 0; the writer ignores it. */
struct fxt_userspace_object {
    struct fxt_thread_ref process;
    struct fxt_string_ref name;
    struct fxt_args args;
    struct fxt_tail tail;
    uint64_t pointer;
};

struct fxt_kernel_object {
    struct fxt_string_ref name;
    struct fxt_args args;
    struct fxt_tail tail;
    uint64_t koid;
    uint16_t object_type; /* 0..255 */
};

/* cpu and the priorities are 0..255, outgoing_state 0..15. The writer refuses states above 5. */
struct fxt_legacy_switch {
    struct fxt_thread_ref outgoing;
    struct fxt_thread_ref incoming;
    struct fxt_tail tail;
    uint64_t timestamp;
    uint16_t cpu;
    uint16_t outgoing_state;
    uint16_t outgoing_priority;
    uint16_t incoming_priority;
};

/* outgoing_state is 0..15. The writer refuses states above 5. */
struct fxt_context_switch {
    struct fxt_args args;
    struct fxt_tail tail;
    uint64_t timestamp;
    uint64_t outgoing_thread;
    uint64_t incoming_thread;
    uint16_t cpu;
    uint16_t outgoing_state;
};

struct fxt_thread_wakeup {
    struct fxt_args args;
    struct fxt_tail tail;
    uint64_t timestamp;
    uint64_t waking_thread;
    uint16_t cpu;
};

struct fxt_log {
    struct fxt_thread_ref thread;
    struct fxt_bytes message; /* at most 32744 bytes; 32728 with an inline thread */
    struct fxt_tail tail;
    uint64_t timestamp;
};

struct fxt_module {
    struct fxt_thread_ref thread;
    struct fxt_bytes name;     /* at most 255 bytes */
    struct fxt_bytes build_id; /* at most 255 bytes */
    struct fxt_tail tail;
    uint64_t timestamp;
    uint16_t module_id;
};

struct fxt_mmap {
    struct fxt_thread_ref thread;
    struct fxt_tail tail;
    uint64_t timestamp;
    uint64_t start_address;
    uint64_t address_range;
    uint64_t vaddr;
    uint16_t module_id;
    uint16_t flags; /* 0..7 */
};

struct fxt_backtrace {
    struct fxt_thread_ref thread;
    struct fxt_bytes frames; /* 8 bytes each, little-endian, at most 255 frames;
                                fxt_backtrace_frame reads one */
    struct fxt_tail tail;
    uint64_t timestamp;
    uint16_t frame_count; /* frames.size / 8; reading only */
};

/* blob_format 0 has all fields; 1 has category, name and payload only. For format 1 the writer
   ignores thread and timestamp, and refuses arguments. */
struct fxt_large_blob {
    struct fxt_thread_ref thread;
    struct fxt_string_ref category;
    struct fxt_string_ref name;
    struct fxt_args args;
    struct fxt_bytes payload;
    struct fxt_tail tail;
    uint64_t timestamp;
    uint16_t blob_format;
};

/* Returns the length in bytes of an inline string; 0 for any other ref. */
static inline uint32_t fxt_string_ref_length(struct fxt_string_ref string)
{
    return string.ref >= FXT_STRING_INLINE ? FXT_I_CAST(uint32_t, string.ref) - FXT_STRING_INLINE : 0u;
}

/* Make string refs to write: by table index (at most FXT_STRING_INDEX_MAX; 0 is the empty string), or
   inline (at most 32767 bytes; 0 bytes give ref 0). A larger index or length gives an inline ref
   without bytes, which the writer refuses (FXT_INVALID).

   The writer accepts an inline string of up to 32752 bytes if the record has room; the format allows
   32000 (STR-04). */
static inline struct fxt_string_ref fxt_string_index(uint32_t index)
{
    struct fxt_string_ref ref = {NULL, UINT16_MAX};
    if (index <= FXT_STRING_INDEX_MAX)
        ref.ref = FXT_I_CAST(uint16_t, index);
    return ref;
}

static inline struct fxt_string_ref fxt_string_inline(const void *bytes, size_t length)
{
    struct fxt_string_ref ref = {NULL, 0};
    if (length > UINT16_MAX - FXT_STRING_INLINE)
        ref.ref = UINT16_MAX;
    else if (length > 0) {
        ref.bytes = FXT_I_CAST(const uint8_t *, bytes);
        ref.ref = FXT_I_CAST(uint16_t, FXT_STRING_INLINE + length);
    }
    return ref;
}

/* Make thread refs to write: by table index (1..255), or inline. Any other index gives a ref that the
   writer refuses (FXT_INVALID). */
static inline struct fxt_thread_ref fxt_thread_index(uint32_t index)
{
    struct fxt_thread_ref ref = {0, 0, UINT16_MAX};
    if (index > 0 && index <= FXT_THREAD_INDEX_MAX)
        ref.ref = FXT_I_CAST(uint16_t, index);
    return ref;
}

static inline struct fxt_thread_ref fxt_thread_inline(uint64_t process, uint64_t thread)
{
    struct fxt_thread_ref ref = {process, thread, 0};
    return ref;
}

/* Return the kind of a record within its type, which tells which fxt_read_* to call. They accept
   any record of the type, even a malformed one. They read only record->header. */
FXT_API uint8_t fxt_record_metadata_type(const struct fxt_record *record);
FXT_API uint8_t fxt_record_scheduling_type(const struct fxt_record *record);
FXT_API uint8_t fxt_record_profiler_type(const struct fxt_record *record);
FXT_API uint8_t fxt_record_large_type(const struct fxt_record *record);
FXT_API uint8_t fxt_record_blob_format(const struct fxt_record *record);

/* Return the value of an int32 or int64 argument, and of a double argument. */
static inline int64_t fxt_arg_int64(const struct fxt_arg *arg)
{
    uint64_t value = arg->value;
    uint32_t low = FXT_I_CAST(uint32_t, value % UINT64_C(4294967296));
    if (arg->type == FXT_ARG_INT32)
        return low <= FXT_I_CAST(uint32_t, INT32_MAX) ? FXT_I_CAST(int32_t, low)
                                                      : -FXT_I_CAST(int32_t, UINT32_MAX - low) - 1;
    return value <= FXT_I_CAST(uint64_t, INT64_MAX) ? FXT_I_CAST(int64_t, value)
                                                    : -FXT_I_CAST(int64_t, UINT64_MAX - value) - 1;
}

#ifndef __FRAMAC__
static inline double fxt_arg_double(const struct fxt_arg *arg)
{
    double number;
    __builtin_memcpy(&number, &arg->value, sizeof number);
    return number;
}

/* Bytes as characters, for printf("%.*s", (int)text.size, fxt_bytes_text(text)), and back. No zero
   byte ends them, and they may hold any bytes. */
static inline const char *fxt_bytes_text(struct fxt_bytes text)
{
    const void *bytes = text.bytes;
    return FXT_I_CAST(const char *, bytes);
}

static inline struct fxt_bytes fxt_bytes_of(const void *bytes, uint64_t size)
{
    struct fxt_bytes text = {FXT_I_CAST(const uint8_t *, bytes), size};
    return text;
}
#endif

/* Returns whether a text is strict UTF-8 (STR-05). */
FXT_API bool fxt_utf8_valid(const uint8_t *bytes, uint64_t size);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/record.h"
#endif

#endif
