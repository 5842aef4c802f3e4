/* The types of the tracing interface: ids, references, arguments, states. */
#ifndef LIB_TRACE_ENGINE_TYPES_H
#define LIB_TRACE_ENGINE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <zircon/types.h>

#ifdef __cplusplus
extern "C" {
#define TRACE_I_CAST(type, value) static_cast<type>(value)
#else
#define TRACE_I_CAST(type, value) ((type)(value))
#endif

#define TRACE_API ZX_I_EXPORTED

typedef uint64_t trace_ticks_t;
typedef uint64_t trace_counter_id_t;
typedef uint64_t trace_async_id_t;
typedef uint64_t trace_flow_id_t;
typedef uint64_t trace_vthread_id_t;
typedef uint32_t trace_string_index_t;
typedef uint32_t trace_thread_index_t;
typedef uint32_t trace_encoded_string_ref_t;
typedef uint32_t trace_encoded_thread_ref_t;
typedef uint32_t trace_cpu_number_t;
typedef uint32_t trace_thread_priority_t;

/* The limits of the format. */
#define TRACE_ENCODED_STRING_REF_EMPTY 0u
#define TRACE_ENCODED_STRING_REF_INLINE_FLAG 0x8000u
#define TRACE_ENCODED_STRING_REF_LENGTH_MASK 0x7fffu
#define TRACE_ENCODED_STRING_REF_MAX_LENGTH 32000u
#define TRACE_ENCODED_STRING_REF_MAX_INDEX 0x7fffu
#define TRACE_ENCODED_THREAD_REF_INLINE 0u
#define TRACE_ENCODED_THREAD_REF_MAX_INDEX 0xffu
#define TRACE_ENCODED_RECORD_MAX_LENGTH 32760u
#define TRACE_MAX_ARGS 15u
#define TRACE_BLOB_MAX_SIZE 32000u

typedef enum {
    TRACE_SCOPE_THREAD = 0,
    TRACE_SCOPE_PROCESS = 1,
    TRACE_SCOPE_GLOBAL = 2,
} trace_scope_t;

typedef enum {
    TRACE_THREAD_STATE_NEW = 0,
    TRACE_THREAD_STATE_RUNNING = 1,
    TRACE_THREAD_STATE_SUSPENDED = 2,
    TRACE_THREAD_STATE_BLOCKED = 3,
    TRACE_THREAD_STATE_DYING = 4,
    TRACE_THREAD_STATE_DEAD = 5,
} trace_thread_state_t;

typedef enum {
    TRACE_BLOB_TYPE_DATA = 1,
    TRACE_BLOB_TYPE_LAST_BRANCH = 2,
    TRACE_BLOB_TYPE_PERFETTO = 3,
} trace_blob_type_t;

typedef enum {
    TRACE_STOPPED = 0,
    TRACE_STARTED = 1,
    TRACE_STOPPING = 2,
} trace_state_t;

typedef enum {
    TRACE_BUFFERING_MODE_ONESHOT = 0,   /* keeps the first records, until the buffer is full */
    TRACE_BUFFERING_MODE_CIRCULAR = 1,  /* keeps the last records */
    TRACE_BUFFERING_MODE_STREAMING = 2, /* keeps all records, if they are saved in time */
} trace_buffering_mode_t;

typedef enum {
    TRACE_START_CLEAR_ENTIRE_BUFFER = 1,
    TRACE_START_CLEAR_NONDURABLE_BUFFER = 2, /* keeps strings and threads */
    TRACE_START_RETAIN_BUFFER = 3,           /* appends to the records of the last run */
} trace_start_mode_t;

/* A string in a record: an index, or inline with its bytes, which must live until the record is
   written. */
typedef struct trace_string_ref {
    trace_encoded_string_ref_t encoded_value;
    const char *inline_string;
} trace_string_ref_t;

static inline bool trace_is_empty_string_ref(const trace_string_ref_t *ref)
{
    return ref->encoded_value == TRACE_ENCODED_STRING_REF_EMPTY;
}

static inline bool trace_is_inline_string_ref(const trace_string_ref_t *ref)
{
    return (ref->encoded_value & TRACE_ENCODED_STRING_REF_INLINE_FLAG) != 0;
}

static inline bool trace_is_indexed_string_ref(const trace_string_ref_t *ref)
{
    return !trace_is_empty_string_ref(ref) && !trace_is_inline_string_ref(ref);
}

static inline trace_string_ref_t trace_make_empty_string_ref(void)
{
    trace_string_ref_t ref = {TRACE_ENCODED_STRING_REF_EMPTY, NULL};
    return ref;
}

/* Returns the length of a text of at most that many bytes. A longer one is cut between two
   characters: a character of UTF-8 has one to four bytes, and all but its first are 10xxxxxx. */
static inline size_t trace_i_cut(const char *text, size_t length, size_t length_max)
{
    size_t cut = length_max;
    if (length <= length_max || text == NULL)
        return length < length_max ? length : length_max;
    while (length_max - cut < 3 && cut > 0 && TRACE_I_CAST(uint8_t, text[cut]) / 64 == 2)
        cut--;
    return TRACE_I_CAST(uint8_t, text[cut]) / 64 == 2 ? length_max : cut;
}

/* A string of more than 32000 bytes is cut there, between two characters. Its bytes should be
   UTF-8: those that are not become '?' in the record. */
static inline trace_string_ref_t trace_make_inline_string_ref(const char *string, size_t length)
{
    trace_string_ref_t ref = {TRACE_ENCODED_STRING_REF_EMPTY, NULL};
    length = trace_i_cut(string, length, TRACE_ENCODED_STRING_REF_MAX_LENGTH);
    if (string != NULL && length > 0) {
        ref.encoded_value = TRACE_ENCODED_STRING_REF_INLINE_FLAG | TRACE_I_CAST(uint32_t, length);
        ref.inline_string = string;
    }
    return ref;
}

/* NULL is the empty string. */
static inline trace_string_ref_t trace_make_inline_c_string_ref(const char *string)
{
    return trace_make_inline_string_ref(string, string != NULL ? strlen(string) : 0);
}

static inline trace_string_ref_t trace_make_indexed_string_ref(trace_string_index_t index)
{
    trace_string_ref_t ref = {index, NULL};
    return ref;
}

/* A thread in a record: an index, or inline with its koids. */
typedef struct trace_thread_ref {
    trace_encoded_thread_ref_t encoded_value;
    zx_koid_t inline_process_koid;
    zx_koid_t inline_thread_koid;
} trace_thread_ref_t;

static inline bool trace_is_inline_thread_ref(const trace_thread_ref_t *ref)
{
    return ref->encoded_value == TRACE_ENCODED_THREAD_REF_INLINE;
}

static inline bool trace_is_indexed_thread_ref(const trace_thread_ref_t *ref)
{
    return !trace_is_inline_thread_ref(ref);
}

static inline trace_thread_ref_t trace_make_indexed_thread_ref(trace_thread_index_t index)
{
    trace_thread_ref_t ref = {index, 0, 0};
    return ref;
}

static inline trace_thread_ref_t trace_make_inline_thread_ref(zx_koid_t process_koid,
                                                              zx_koid_t thread_koid)
{
    trace_thread_ref_t ref = {TRACE_ENCODED_THREAD_REF_INLINE, process_koid, thread_koid};
    return ref;
}

/* The values are those of the format. */
typedef enum {
    TRACE_ARG_NULL = 0,
    TRACE_ARG_INT32 = 1,
    TRACE_ARG_UINT32 = 2,
    TRACE_ARG_INT64 = 3,
    TRACE_ARG_UINT64 = 4,
    TRACE_ARG_DOUBLE = 5,
    TRACE_ARG_STRING = 6,
    TRACE_ARG_POINTER = 7,
    TRACE_ARG_KOID = 8,
    TRACE_ARG_BOOL = 9,
} trace_arg_type_t;

/* As in the header of an argument: the type in the lowest 4 bits, and the size in words above them.
   The size of a string is not known yet; it has 4 here. */
#define TRACE_I_ARG_KIND(type, words)                                                              \
    (TRACE_I_CAST(uint32_t, type) | TRACE_I_CAST(uint32_t, words) << 4)
#define TRACE_I_ARG_KIND_STRING TRACE_I_ARG_KIND(TRACE_ARG_STRING, 4)

/* 16 bytes. For a string, `string_ref` is the encoded reference and `string` has its inline
   bytes. */
typedef struct trace_arg_value {
    uint32_t kind;
    trace_encoded_string_ref_t string_ref;
    __extension__ union {
        uint64_t word; /* the payload, whatever the type */
        int64_t int64_value;
        double double_value;
        const char *string;
    };
} trace_arg_value_t;

typedef struct trace_arg {
    const char *name_literal; /* the bytes of an inline name */
    trace_encoded_string_ref_t name_ref;
    trace_arg_value_t value;
} trace_arg_t;

static inline trace_arg_type_t trace_i_arg_type(const trace_arg_value_t *value)
{
    return TRACE_I_CAST(trace_arg_type_t, value->kind & 0xf);
}

static inline trace_arg_value_t trace_i_word_value(uint32_t kind, uint64_t word)
{
    trace_arg_value_t value = {kind, 0, {word}};
    return value;
}

static inline trace_arg_value_t trace_make_null_arg_value(void)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_NULL, 1), 0);
}

static inline trace_arg_value_t trace_make_bool_arg_value(bool value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_BOOL, 1), value ? 1u : 0u);
}

static inline trace_arg_value_t trace_make_int32_arg_value(int32_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_INT32, 1), TRACE_I_CAST(uint32_t, value));
}

static inline trace_arg_value_t trace_make_uint32_arg_value(uint32_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_UINT32, 1), value);
}

static inline trace_arg_value_t trace_make_int64_arg_value(int64_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_INT64, 2), TRACE_I_CAST(uint64_t, value));
}

static inline trace_arg_value_t trace_make_uint64_arg_value(uint64_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_UINT64, 2), value);
}

static inline trace_arg_value_t trace_make_double_arg_value(double value)
{
    trace_arg_value_t arg = trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_DOUBLE, 2), 0);
    arg.double_value = value;
    return arg;
}

static inline trace_arg_value_t trace_make_string_arg_value(trace_string_ref_t ref)
{
    trace_arg_value_t arg = trace_i_word_value(TRACE_I_ARG_KIND_STRING, 0);
    arg.string_ref = ref.encoded_value;
    arg.string = ref.inline_string;
    return arg;
}

static inline trace_arg_value_t trace_make_pointer_arg_value(uintptr_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_POINTER, 2), value);
}

static inline trace_arg_value_t trace_make_koid_arg_value(zx_koid_t value)
{
    return trace_i_word_value(TRACE_I_ARG_KIND(TRACE_ARG_KOID, 2), value);
}

/* The name's bytes must live until the record is written. */
static inline trace_arg_t trace_make_arg(trace_string_ref_t name, trace_arg_value_t value)
{
    trace_arg_t arg = {name.inline_string, name.encoded_value, value};
    return arg;
}

/* A thread writes records through a context, from its acquisition to its release. */
typedef struct trace_context trace_context_t;
/* Keeps the engine from stopping, but cannot write. */
typedef struct trace_prolonged_context trace_prolonged_context_t;

/* A call site. The two lowest bits are the state of its category: 0 unknown, 1 off, 2 on. The upper
   bits are the engine's. Sites are static and begin as zero. */
typedef struct trace_site {
    uintptr_t state;
} trace_site_t;

#define TRACE_SITE_UNKNOWN 0u
#define TRACE_SITE_DISABLED 1u
#define TRACE_SITE_ENABLED 2u
#define TRACE_SITE_FLAGS_MASK 3u

#ifdef __cplusplus
}
#endif

#endif
