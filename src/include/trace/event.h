/* Macros with which a program emits events: TRACE_INSTANT, TRACE_DURATION and others.

     #include <trace/event.h>

     static inline void DoSomething(int a, const char *b)
     {
         TRACE_DURATION("example", "DoSomething", "a", TA_INT32(a), "b", TA_STRING(b));
     }

   Categories, names and names of arguments are string literals, because a statement reads them once.
   Another expression, such as `writes ? "write" : "read"`, does not compile. In C++, constexpr strings
   and __func__ are literals, too. The names of TRACE_ALERT, TRACE_BLOB and the like, and those of
   virtual threads and their events, are read each time and may be any string. So is the name of a macro
   that ends in _DYNAMIC:

     static inline void Handle(const char *method)
     {
         TRACE_DURATION_DYNAMIC("rpc", method, "bytes", 100);
     }

   "args" stands for up to 15 arguments, each a name and a value. The values are evaluated only if the
   category is on, before the time of the event is taken. TA_* sets the type of a value; otherwise the type follows from
   the C or C++ type.

   The macros read strings of arguments within the statement, so these may be C++ temporaries.
   TRACE_DURATION copies them to the stack when its scope begins, up to 128 bytes together. If they
   are longer, it writes a begin event with the arguments and an end event, instead of one complete
   duration. Strings of TRACE_DECLARE_ARGS are not copied.

   A string of a trace is UTF-8. Each byte that is not part of a character becomes '?' in the record,
   and a string of more than 32000 bytes is cut there, between two characters. If the strings of an
   event do not fit into one record of 32760 bytes together, the longest are cut to the same length,
   and end with an ellipsis (U+2026).

   Any thread may use the macros, also in signal handlers. A handler's record may stand before the
   earlier one that it interrupted, which `fxt check` calls suspicious (EVT-08). A handler may
   leave by siglongjmp, and a thread may be cancelled at any instruction: see
   <lib/trace-engine/context.h>. If NTRACE is defined before this header is included, the macros
   do nothing and leave nothing in the object file. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <lib/trace-engine/instrumentation.h>
#include <trace/internal/list.h>
#include <trace/internal/value.h>

/* Values of arguments with an explicit type. */
#define TA_NULL() (trace_make_null_arg_value())
#define TA_BOOL(bool_value) (trace_make_bool_arg_value(bool_value))
#define TA_INT32(int32_value) (trace_make_int32_arg_value(int32_value))
#define TA_UINT32(uint32_value) (trace_make_uint32_arg_value(uint32_value))
#define TA_INT64(int64_value) (trace_make_int64_arg_value(int64_value))
#define TA_UINT64(uint64_value) (trace_make_uint64_arg_value(uint64_value))
#define TA_DOUBLE(double_value) (trace_make_double_arg_value(double_value))
#define TA_STRING(string_value)                                                                    \
    (trace_make_string_arg_value(trace_make_inline_c_string_ref(string_value)))
#define TA_CHAR_ARRAY(string_value, length)                                                        \
    (trace_make_string_arg_value(trace_make_inline_string_ref((string_value), (length))))
#define TA_POINTER(pointer_value)                                                                  \
    (trace_make_pointer_arg_value(TRACE_I_NUMBER(uintptr_t, pointer_value)))
#define TA_KOID(koid_value) (trace_make_koid_arg_value(koid_value))

/* Whether tracing, or a category, is on now. */
#ifndef NTRACE
#define TRACE_ENABLED() (trace_is_enabled())
#define TRACE_CATEGORY_ENABLED(category_literal) (trace_is_category_enabled(category_literal))
#else
#define TRACE_ENABLED() (false)
#define TRACE_CATEGORY_ENABLED(category_literal) (TRACE_I_UNUSED(category_literal), false)
#endif

/* A number that is unique in this process, for ids. */
#ifndef NTRACE
#define TRACE_NONCE() (trace_generate_nonce())
#else
#define TRACE_NONCE() (UINT64_C(1))
#endif

/* TRACE_INSTANT(category, name, scope, args): a moment. scope: TRACE_SCOPE_THREAD,
   TRACE_SCOPE_PROCESS or TRACE_SCOPE_GLOBAL. Another constant does not compile; another variable is
   dropped, and counted. */
#define TRACE_INSTANT(category_literal, name_literal, ...)                                         \
    TRACE_I_EVENT(category_literal, name_literal, 0, TRACE_I_SCOPE_WORD, TRACE_I_VALUE_OF,         \
                  __VA_ARGS__)

/* TRACE_COUNTER(category, name, id, args): the current values of at least one argument, which are
   numbers. A bool is recorded as the uint32 0 or 1. */
#define TRACE_COUNTER(category_literal, name_literal, counter_id, ...)                             \
    TRACE_I_EVENT(category_literal, name_literal, 1, TRACE_I_WORD, TRACE_I_COUNT_OF, counter_id,   \
                  __VA_ARGS__)

/* TRACE_DURATION(category, name, args): a duration from here to the end of the scope. A goto or a
   case label that jumps into the scope past this statement does not compile: put braces around the
   scope. The record is written at the end of the scope. A scope that is open when tracing stops, at a
   crash, or at exit and _exit, leaves nothing in the trace.

   TRACE_DURATION_OPEN(category, name, args): the same as a begin event here and an end event at the
   end of the scope. If the scope stays open, the trace shows where. It takes 32 bytes instead of 24.
   If TRACE_SCOPES_BEGIN_END is defined before this header is included, each TRACE_DURATION is a
   TRACE_DURATION_OPEN. */
#ifdef TRACE_SCOPES_BEGIN_END
#define TRACE_DURATION TRACE_DURATION_OPEN
#else
#define TRACE_DURATION(category_literal, ...)                                                      \
    TRACE_I_SCOPE(TRACE_I_KEPT_, __COUNTER__, category_literal, __VA_ARGS__)
#endif
#define TRACE_DURATION_OPEN(category_literal, ...)                                                 \
    TRACE_I_SCOPE(TRACE_I_OPEN_, __COUNTER__, category_literal, __VA_ARGS__)

/* TRACE_DURATION_BEGIN(category, name, args) and TRACE_DURATION_END: a duration on this thread. */
#define TRACE_DURATION_BEGIN(category_literal, ...) TRACE_I_MARK(category_literal, 2, __VA_ARGS__)
#define TRACE_DURATION_END(category_literal, ...) TRACE_I_MARK(category_literal, 3, __VA_ARGS__)

/* TRACE_ASYNC_BEGIN(category, name, id, args), and so on: an operation across threads. The id
   connects its events. */
#define TRACE_ASYNC_BEGIN(category_literal, name_literal, ...)                                     \
    TRACE_I_EVENT(category_literal, name_literal, 5, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)
#define TRACE_ASYNC_INSTANT(category_literal, name_literal, ...)                                   \
    TRACE_I_EVENT(category_literal, name_literal, 6, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)
#define TRACE_ASYNC_END(category_literal, name_literal, ...)                                       \
    TRACE_I_EVENT(category_literal, name_literal, 7, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)

/* TRACE_FLOW_BEGIN(category, name, id, args), and so on: a flow that leads from one duration to
   another. */
#define TRACE_FLOW_BEGIN(category_literal, name_literal, ...)                                      \
    TRACE_I_EVENT(category_literal, name_literal, 8, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)
#define TRACE_FLOW_STEP(category_literal, name_literal, ...)                                       \
    TRACE_I_EVENT(category_literal, name_literal, 9, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)
#define TRACE_FLOW_END(category_literal, name_literal, ...)                                        \
    TRACE_I_EVENT(category_literal, name_literal, 10, TRACE_I_WORD, TRACE_I_VALUE_OF, __VA_ARGS__)

/* TRACE_INSTANT_DYNAMIC(category, name, scope, args), and so on: the same events, with a name that is any
   string that ends in NUL, such as the value of a variable. The macro copies it in the statement: NULL is
   the empty name. Categories and names of arguments are literals. The references are looked up at each
   event: an instant with one argument takes 1500 instructions instead of 240. A thread remembers up to 64
   names; another one is looked up under a lock, with two system calls. Each new name is a record, and
   if the table of strings or the part of the buffer for definitions is full, names are inline.

   TRACE_DURATION_DYNAMIC is a begin event and an end event, like TRACE_DURATION_OPEN. Its name is cut to
   127 bytes, between two characters. */
#define TRACE_INSTANT_DYNAMIC(category_literal, name, ...)                                         \
    TRACE_I_DYNAMIC(category_literal, name, 0, TRACE_I_SCOPE_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_COUNTER_DYNAMIC(category_literal, name, counter_id, ...)                             \
    TRACE_I_DYNAMIC(category_literal, name, 1, TRACE_I_WORD, TRACE_I_COUNTED_ARG, counter_id,      \
                    __VA_ARGS__)
#define TRACE_DURATION_DYNAMIC(category_literal, ...)                                              \
    TRACE_I_DYNAMIC_SCOPE(__COUNTER__, category_literal, __VA_ARGS__)
#define TRACE_DURATION_BEGIN_DYNAMIC(category_literal, ...)                                        \
    TRACE_I_DYNAMIC_MARK(category_literal, 2, __VA_ARGS__)
#define TRACE_DURATION_END_DYNAMIC(category_literal, ...)                                          \
    TRACE_I_DYNAMIC_MARK(category_literal, 3, __VA_ARGS__)
#define TRACE_ASYNC_BEGIN_DYNAMIC(category_literal, name, ...)                                     \
    TRACE_I_DYNAMIC(category_literal, name, 5, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_ASYNC_INSTANT_DYNAMIC(category_literal, name, ...)                                   \
    TRACE_I_DYNAMIC(category_literal, name, 6, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_ASYNC_END_DYNAMIC(category_literal, name, ...)                                       \
    TRACE_I_DYNAMIC(category_literal, name, 7, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_FLOW_BEGIN_DYNAMIC(category_literal, name, ...)                                      \
    TRACE_I_DYNAMIC(category_literal, name, 8, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_FLOW_STEP_DYNAMIC(category_literal, name, ...)                                       \
    TRACE_I_DYNAMIC(category_literal, name, 9, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)
#define TRACE_FLOW_END_DYNAMIC(category_literal, name, ...)                                        \
    TRACE_I_DYNAMIC(category_literal, name, 10, TRACE_I_WORD, TRACE_I_ARG, __VA_ARGS__)

/* TRACE_VTHREAD_DURATION_BEGIN(category, name, vthread_name, vthread_id, ticks, args), and so on:
   an event on a virtual thread, which the program defines, at a time that the program gives. */
#define TRACE_VTHREAD_DURATION_BEGIN(category_literal, name_literal, vthread_literal, vthread_id,  \
                                     ...)                                                          \
    TRACE_I_VTHREAD(category_literal, name_literal, 2, 0, vthread_literal, vthread_id, __VA_ARGS__)
#define TRACE_VTHREAD_DURATION_END(category_literal, name_literal, vthread_literal, vthread_id,    \
                                   ...)                                                            \
    TRACE_I_VTHREAD(category_literal, name_literal, 3, 0, vthread_literal, vthread_id, __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_BEGIN(category_literal, name_literal, vthread_literal, vthread_id,      \
                                 flow_id, ...)                                                     \
    TRACE_I_VTHREAD(category_literal, name_literal, 8, flow_id, vthread_literal, vthread_id,       \
                    __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_STEP(category_literal, name_literal, vthread_literal, vthread_id,       \
                                flow_id, ...)                                                      \
    TRACE_I_VTHREAD(category_literal, name_literal, 9, flow_id, vthread_literal, vthread_id,       \
                    __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_END(category_literal, name_literal, vthread_literal, vthread_id,        \
                               flow_id, ...)                                                       \
    TRACE_I_VTHREAD(category_literal, name_literal, 10, flow_id, vthread_literal, vthread_id,      \
                    __VA_ARGS__)

/* TRACE_BLOB(type, name, bytes, size): at most 32000 bytes. It has no category. A blob of a type
   that trace_blob_type_t does not have is dropped and counted.
   TRACE_BLOB_EVENT(category, name, bytes, size, args), TRACE_BLOB_ATTACHMENT(category, name, bytes,
   size): any size that fits into a half of the buffer. Both write large records. Perfetto ignores
   large records below 32 KiB (4096 words), but refuses a whole trace with a larger one. For
   Perfetto, cut the bytes into pieces for TRACE_BLOB, or convert the trace with trace record
   --large=blobs or fxt fmt --large=blobs. */
#ifndef NTRACE
#define TRACE_BLOB(type, name_literal, blob, blob_size)                                            \
    trace_i_blob((type), (name_literal), (blob), (blob_size))
#else
#define TRACE_BLOB(type, name_literal, blob, blob_size)                                            \
    TRACE_I_UNUSED(type, name_literal, blob, blob_size)
#endif
#define TRACE_BLOB_EVENT(category_literal, name_literal, blob, ...)                                \
    TRACE_I_BLOB_EVENT(category_literal, name_literal, blob, __VA_ARGS__)
#define TRACE_BLOB_ATTACHMENT(category_literal, name_literal, blob, blob_size)                     \
    TRACE_I_WHEN_ON(category_literal, trace_i_blob_attachment((category_literal), (name_literal),  \
                                                              (blob), (blob_size)))

/* TRACE_KERNEL_OBJECT(descriptor, args): the object behind a file descriptor. It has no category.
   For its koid see trace_context_write_kernel_object_record_for_handle. */
#ifndef NTRACE
#define TRACE_KERNEL_OBJECT(...)                                                                   \
    do {                                                                                           \
        if (trace_is_enabled())                                                                    \
            TRACE_I_CAT(TRACE_I_OBJECT_, TRACE_I_SOME(__VA_ARGS__))(__VA_ARGS__);                  \
    } while (0)
#else
#define TRACE_KERNEL_OBJECT(...) TRACE_I_UNUSED(__VA_ARGS__)
#endif

/* TRACE_ALERT(category, name): sends an alert to the client of the trace, which may then stop it.
   The name is cut to 14 bytes. */
#define TRACE_ALERT(category_literal, alert_name)                                                  \
    TRACE_I_WHEN_ON(category_literal, trace_i_alert(alert_name))

/* TRACE_DECLARE_ARGS(context, variable, args): declares an array of at least one argument, for
   programs that write records through a context. TRACE_COMPLETE_ARGS registers the names. Strings
   must live until the record is written: in C++, a temporary std::string does not compile, but its
   c_str() does. */
#define TRACE_DECLARE_ARGS(context, variable_name, ...)                                            \
    TRACE_I_CAT(TRACE_I_DECLARE_, TRACE_I_SOME(0, __VA_ARGS__))(variable_name, __VA_ARGS__)
#define TRACE_COMPLETE_ARGS(context, arg_array, num_args)                                          \
    trace_i_complete_args((context), (arg_array), (num_args))

/* The implementation of the macros above. Names that end in 2 are for lists that lack a value. */

#define TRACE_I_DECLARE_2(variable_, ...)                                                          \
    TRACE_I_ODD;                                                                                   \
    trace_arg_t variable_[1]
#define TRACE_I_DECLARE_1(variable_, ...)                                                          \
    trace_arg_t variable_[] = {TRACE_I_LIST(TRACE_I_KEPT_ARG, 0, __VA_ARGS__)}

#ifndef NTRACE

#define TRACE_I_WHEN_ON(category, what)                                                            \
    do {                                                                                           \
        TRACE_I_CHECK_LITERAL(category);                                                           \
        static struct trace_i_site trace_i_site_;                                                  \
        if (__builtin_expect(trace_i_on(&trace_i_site_, (category)), 0)) {                         \
            what;                                                                                  \
        }                                                                                          \
    } while (0)

/* A list is one operand and the arguments. It is made in the statement that uses it, so that a
   temporary string in an argument lives long enough. */
#ifdef __cplusplus
#define TRACE_I_ARRAY(type, M, ...)                                                                \
    (::trace::internal::List<type, TRACE_I_COUNT(__VA_ARGS__)>{{TRACE_I_LIST(M, __VA_ARGS__)}}     \
         .items)
#else
#define TRACE_I_ARRAY(type, M, ...) ((const type[]){TRACE_I_LIST(M, __VA_ARGS__)})
#endif
#define TRACE_I_ARGS(...)                                                                          \
    TRACE_I_ARRAY(trace_arg_t, TRACE_I_ARG, __VA_ARGS__), TRACE_I_COUNT(__VA_ARGS__)
#define TRACE_I_VALUES(M, ...)                                                                     \
    TRACE_I_ARRAY(trace_arg_value_t, M, __VA_ARGS__), TRACE_I_COUNT(__VA_ARGS__)

/* The word after the arguments: a number, or a scope. */
#define TRACE_I_WORD(value) TRACE_I_NUMBER(uint64_t, value)
#define TRACE_I_SCOPE_WORD(value) (TRACE_I_CHECK_SCOPE(value), TRACE_I_NUMBER(uint64_t, value))

/* The site of an event without arguments, and with arguments. */
#define TRACE_I_SITE_0(site_, names_, head) static struct trace_i_site site_
#define TRACE_I_SITE_1(site_, names_, ...)                                                         \
    TRACE_I_LIST(TRACE_I_CHECK_NAME, __VA_ARGS__);                                                 \
    static const char *const names_[] = {TRACE_I_LIST(TRACE_I_NAME_OF, __VA_ARGS__)};              \
    static struct trace_i_site site_ = {{0}, 0, 0, 0, {0}, names_}

#define TRACE_I_SITE_2(site_, names_, ...)                                                         \
    TRACE_I_ODD;                                                                                   \
    static struct trace_i_site site_

/* An event with arguments. W makes the word after them of its value, and M makes each argument. */
#define TRACE_I_NAMED(category, name, type, W, M, value, ...)                                      \
    do {                                                                                           \
        TRACE_I_CHECK_LITERAL(category), TRACE_I_CHECK_LITERAL(name);                              \
        TRACE_I_SITE_1(trace_i_site_, trace_i_names_, __VA_ARGS__);                                \
        if (__builtin_expect(trace_i_on(&trace_i_site_, (category)), 0)) {                         \
            trace_i_event(&trace_i_site_, (category), (name), (type), W(value),                    \
                          TRACE_I_VALUES(M, __VA_ARGS__));                                         \
        }                                                                                          \
    } while (0)

/* An event without arguments. */
#define TRACE_I_UNNAMED(category, name, type, W, value)                                            \
    do {                                                                                           \
        TRACE_I_CHECK_LITERAL(name);                                                               \
        TRACE_I_WHEN_ON(category, trace_i_event(&trace_i_site_, (category), (name), (type),        \
                                                W(value), TRACE_I_NULL, 0));                       \
    } while (0)

#define TRACE_I_EVENT(category, name, type, W, M, ...)                                             \
    TRACE_I_CAT(TRACE_I_EVENT_, TRACE_I_SOME(__VA_ARGS__))(category, name, type, W, M, __VA_ARGS__)
#define TRACE_I_EVENT_0(category, name, type, W, M, value)                                         \
    TRACE_I_UNNAMED(category, name, type, W, value)
#define TRACE_I_EVENT_2(...)                                                                       \
    do {                                                                                           \
        TRACE_I_ODD;                                                                               \
    } while (0)
#define TRACE_I_EVENT_1(category, name, type, W, M, ...)                                           \
    TRACE_I_NAMED(category, name, type, W, M, TRACE_I_HEAD(__VA_ARGS__), __VA_ARGS__)

#define TRACE_I_MARK(category, type, ...)                                                          \
    TRACE_I_CAT(TRACE_I_MARK_, TRACE_I_SOME(__VA_ARGS__))(category, type, __VA_ARGS__)
#define TRACE_I_MARK_0(category, type, name) TRACE_I_UNNAMED(category, name, type, TRACE_I_WORD, 0)
#define TRACE_I_MARK_2 TRACE_I_EVENT_2
#define TRACE_I_MARK_1(category, type, ...)                                                        \
    TRACE_I_NAMED(category, TRACE_I_HEAD(__VA_ARGS__), type, TRACE_I_WORD, TRACE_I_VALUE_OF, 0,    \
                  __VA_ARGS__)

/* An event whose name is no literal. The list begins with the value of the word after the arguments. */
#define TRACE_I_DYNAMIC(category, name, type, W, M, ...)                                           \
    TRACE_I_CAT(TRACE_I_DYNAMIC_, TRACE_I_SOME(__VA_ARGS__))                                       \
    (category, name, type, W, M, __VA_ARGS__)
#define TRACE_I_DYNAMIC_0(category, name, type, W, M, value)                                       \
    TRACE_I_WHEN_ON(category,                                                                      \
                    trace_i_dynamic_event((category), (name), (type), W(value), TRACE_I_NULL, 0))
#define TRACE_I_DYNAMIC_2 TRACE_I_EVENT_2
#define TRACE_I_DYNAMIC_1(category, name, type, W, M, ...)                                         \
    TRACE_I_WHEN_ON(category, TRACE_I_LIST(TRACE_I_CHECK_NAME, __VA_ARGS__);                       \
                    trace_i_dynamic_event(                                                         \
                        (category), (name), (type), W(TRACE_I_HEAD(__VA_ARGS__)),                  \
                        TRACE_I_ARRAY(trace_arg_t, M, __VA_ARGS__), TRACE_I_COUNT(__VA_ARGS__)))

/* Here, the list begins with the name. */
#define TRACE_I_DYNAMIC_MARK(category, type, ...)                                                  \
    TRACE_I_CAT(TRACE_I_DYNAMIC_MARK_, TRACE_I_SOME(__VA_ARGS__))(category, type, __VA_ARGS__)
#define TRACE_I_DYNAMIC_MARK_0(category, type, name)                                               \
    TRACE_I_DYNAMIC_0(category, name, type, TRACE_I_WORD, TRACE_I_ARG, 0)
#define TRACE_I_DYNAMIC_MARK_2 TRACE_I_EVENT_2
#define TRACE_I_DYNAMIC_MARK_1(category, type, ...)                                                \
    TRACE_I_WHEN_ON(category, TRACE_I_LIST(TRACE_I_CHECK_NAME, __VA_ARGS__);                       \
                    trace_i_dynamic_event((category), TRACE_I_HEAD(__VA_ARGS__), (type), 0,        \
                                          TRACE_I_ARGS(__VA_ARGS__)))

#define TRACE_I_VTHREAD(category, name, type, value, vthread, id, ...)                             \
    TRACE_I_WHEN_ON(category, TRACE_I_CAT(TRACE_I_VTHREAD_, TRACE_I_SOME(__VA_ARGS__))(            \
                                  category, name, type, value, vthread, id, __VA_ARGS__))
#define TRACE_I_VTHREAD_0(category, name, type, value, vthread, id, ticks)                         \
    trace_i_vthread_event((category), (name), (type), TRACE_I_NUMBER(uint64_t, value), (vthread),  \
                          (id), (ticks), TRACE_I_NULL, 0)
#define TRACE_I_VTHREAD_2 TRACE_I_EVENT_2
#define TRACE_I_VTHREAD_1(category, name, type, value, vthread, id, ...)                           \
    trace_i_vthread_event((category), (name), (type), TRACE_I_NUMBER(uint64_t, value), (vthread),  \
                          (id), TRACE_I_HEAD(__VA_ARGS__), TRACE_I_ARGS(__VA_ARGS__))

#define TRACE_I_BLOB_EVENT(category, name, blob, ...)                                              \
    TRACE_I_WHEN_ON(category, TRACE_I_CAT(TRACE_I_BLOB_EVENT_, TRACE_I_SOME(__VA_ARGS__))(         \
                                  category, name, blob, __VA_ARGS__))
#define TRACE_I_BLOB_EVENT_0(category, name, blob, size)                                           \
    trace_i_blob_event((category), (name), (blob), (size), TRACE_I_NULL, 0)
#define TRACE_I_BLOB_EVENT_2 TRACE_I_EVENT_2
#define TRACE_I_BLOB_EVENT_1(category, name, blob, ...)                                            \
    trace_i_blob_event((category), (name), (blob), TRACE_I_HEAD(__VA_ARGS__),                      \
                       TRACE_I_ARGS(__VA_ARGS__))

#define TRACE_I_OBJECT_0(handle)                                                                   \
    trace_i_kernel_object(TRACE_I_NUMBER(zx_handle_t, handle), TRACE_I_NULL, 0)
#define TRACE_I_OBJECT_2 TRACE_I_EVENT_2
#define TRACE_I_OBJECT_1(...)                                                                      \
    trace_i_kernel_object(TRACE_I_NUMBER(zx_handle_t, TRACE_I_HEAD(__VA_ARGS__)),                  \
                          TRACE_I_ARGS(__VA_ARGS__))

/* Only the pointer among these variables is initialized, and the others are read only through it.
   Text that varies is kept, or `how_` opens the duration with a begin event.

   A goto or a case label that enters the scope would leave the pointer unset. C++ and clang refuse
   it. gcc does so in C beside a type of variable size, which costs no code. */
#if defined __cplusplus || defined __clang__
#define TRACE_I_GUARD(guard_, scope_) (void)0
#else
#define TRACE_I_GUARD(guard_, scope_)                                                              \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wvla\"")                     \
    typedef char guard_[scope_ == TRACE_I_NULL ? 1 : 2] __attribute__((unused));                   \
    _Pragma("GCC diagnostic pop") (void)0
#endif
#define TRACE_I_SCOPE(how, id, ...)                                                                \
    TRACE_I_SCOPE_(how, TRACE_I_CAT(trace_i_site_, id), TRACE_I_CAT(trace_i_names_, id),           \
                   TRACE_I_CAT(trace_i_values_, id), TRACE_I_CAT(trace_i_text_, id),               \
                   TRACE_I_CAT(trace_i_duration_, id), TRACE_I_CAT(trace_i_scope_, id),            \
                   TRACE_I_CAT(trace_i_guard_, id), __VA_ARGS__)
#define TRACE_I_SCOPE_(how_, site_, names_, values_, text_, duration_, scope_, guard_, category_,  \
                       ...)                                                                        \
    TRACE_I_CAT(TRACE_I_SITE_, TRACE_I_SOME(__VA_ARGS__))(site_, names_, __VA_ARGS__);             \
    TRACE_I_CHECK_LITERAL(category_), TRACE_I_CHECK_LITERAL(TRACE_I_HEAD(__VA_ARGS__));            \
    TRACE_I_CAT(how_##ROOM_, TRACE_I_SOME(__VA_ARGS__))(values_, text_, __VA_ARGS__);              \
    struct trace_i_duration duration_;                                                             \
    struct trace_i_duration *scope_ __attribute__((cleanup(trace_i_scope_end))) = TRACE_I_NULL;    \
    TRACE_I_GUARD(guard_, scope_);                                                                 \
    if (__builtin_expect(trace_i_on(&site_, (category_)), 0))                                      \
    scope_ =                                                                                       \
        how_##BEGIN(&duration_, &site_, (category_), TRACE_I_HEAD(__VA_ARGS__),                    \
                    TRACE_I_CAT(how_, TRACE_I_SOME(__VA_ARGS__))(values_, text_, __VA_ARGS__))

#define TRACE_I_DYNAMIC_SCOPE(id, category, ...)                                                   \
    TRACE_I_DYNAMIC_SCOPE_(TRACE_I_CAT(trace_i_site_, id), TRACE_I_CAT(trace_i_duration_, id),     \
                           TRACE_I_CAT(trace_i_text_, id), TRACE_I_CAT(trace_i_scope_, id),        \
                           TRACE_I_CAT(trace_i_guard_, id), category, __VA_ARGS__)
#define TRACE_I_DYNAMIC_SCOPE_(site_, duration_, text_, scope_, guard_, category_, ...)            \
    TRACE_I_CAT(TRACE_I_DYNAMIC_CHECK_, TRACE_I_SOME(__VA_ARGS__))(__VA_ARGS__);                   \
    TRACE_I_CHECK_LITERAL(category_);                                                              \
    static struct trace_i_site site_;                                                              \
    char text_[TRACE_I_TEXT_BYTES];                                                                \
    struct trace_i_duration duration_;                                                             \
    struct trace_i_duration *scope_ __attribute__((cleanup(trace_i_scope_end))) = TRACE_I_NULL;    \
    TRACE_I_GUARD(guard_, scope_);                                                                 \
    if (__builtin_expect(trace_i_on(&site_, (category_)), 0))                                      \
    scope_ = trace_i_dynamic_begin(                                                                \
        &duration_, text_, &site_, (category_), TRACE_I_HEAD(__VA_ARGS__),                         \
        TRACE_I_CAT(TRACE_I_DYNAMIC_ARGS_, TRACE_I_SOME(__VA_ARGS__))(__VA_ARGS__))
#define TRACE_I_DYNAMIC_CHECK_0(...) (void)0
#define TRACE_I_DYNAMIC_CHECK_1(...) TRACE_I_LIST(TRACE_I_CHECK_NAME, __VA_ARGS__)
#define TRACE_I_DYNAMIC_CHECK_2(...) TRACE_I_ODD
#define TRACE_I_DYNAMIC_ARGS_0(...) TRACE_I_NULL, 0
#define TRACE_I_DYNAMIC_ARGS_1(...) TRACE_I_ARGS(__VA_ARGS__)
#define TRACE_I_DYNAMIC_ARGS_2(...) TRACE_I_NULL, 0

#define TRACE_I_KEPT_BEGIN trace_i_duration_begin
#define TRACE_I_KEPT_ROOM_0(values_, text_, name) (void)0
#define TRACE_I_KEPT_ROOM_2(...) (void)0
#define TRACE_I_KEPT_ROOM_1(values_, text_, ...)                                                   \
    trace_arg_value_t values_[TRACE_I_COUNT(__VA_ARGS__)];                                         \
    char text_[TRACE_I_TEXT_BYTES]
#define TRACE_I_KEPT_0(values_, text_, name) TRACE_I_NULL, TRACE_I_NULL, TRACE_I_NULL, 0
#define TRACE_I_KEPT_2(...) 0, 0, 0, 0
#define TRACE_I_KEPT_1(values_, text_, ...)                                                        \
    values_, text_, TRACE_I_VALUES(TRACE_I_VALUE_OF, __VA_ARGS__)

#define TRACE_I_OPEN_BEGIN trace_i_duration_open
#define TRACE_I_OPEN_ROOM_0(...) (void)0
#define TRACE_I_OPEN_ROOM_2(...) (void)0
#define TRACE_I_OPEN_ROOM_1(...) (void)0
#define TRACE_I_OPEN_0(...) TRACE_I_NULL, 0
#define TRACE_I_OPEN_2(...) 0, 0
#define TRACE_I_OPEN_1(values_, text_, ...) TRACE_I_VALUES(TRACE_I_VALUE_OF, __VA_ARGS__)

#else /* NTRACE: operands are not evaluated; they count as used. */

#define TRACE_I_WHEN_ON(category, what) ((void)sizeof((what, 0)))
#define TRACE_I_EVENT(category, name, type, W, M, ...) TRACE_I_UNUSED(category, name, __VA_ARGS__)
#define TRACE_I_MARK(...) TRACE_I_UNUSED(__VA_ARGS__)
#define TRACE_I_DYNAMIC(category, name, type, W, M, ...) TRACE_I_UNUSED(category, name, __VA_ARGS__)
#define TRACE_I_DYNAMIC_MARK(...) TRACE_I_UNUSED(__VA_ARGS__)
#define TRACE_I_DYNAMIC_SCOPE(id, ...) TRACE_I_UNUSED(__VA_ARGS__)
#define TRACE_I_VTHREAD(...) TRACE_I_UNUSED(__VA_ARGS__)
#define TRACE_I_BLOB_EVENT(...) TRACE_I_UNUSED(__VA_ARGS__)
#define TRACE_I_SCOPE(how, id, ...) TRACE_I_UNUSED(__VA_ARGS__)

#endif

#endif
