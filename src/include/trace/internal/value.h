/* The value of an argument from its C or C++ type: TRACE_I_VALUE. */
#ifndef TRACE_INTERNAL_VALUE_H
#define TRACE_INTERNAL_VALUE_H

#include <lib/trace-engine/types.h>
#include <trace/internal/list.h>

#ifdef __cplusplus

#include <cstddef>
#include <string> // programs that trace one expect it here
#include <type_traits>

namespace trace
{
namespace internal
{

inline trace_arg_value_t Value(trace_arg_value_t value)
{
    return value;
}
inline trace_arg_value_t Value(std::nullptr_t)
{
    return trace_make_null_arg_value();
}
inline trace_arg_value_t Value(bool value)
{
    return trace_make_bool_arg_value(value);
}
inline trace_arg_value_t Value(double value)
{
    return trace_make_double_arg_value(value);
}
template <typename T> struct IsText {
    static const bool value = std::is_same<T, char>::value || std::is_same<T, const char>::value;
};

/* With -std=c++11 and the like, __int128 is no integral type. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;
#else
typedef int Int128;
typedef unsigned Uint128;
#endif
template <typename T> struct IsInteger {
    static const bool value = std::is_integral<T>::value || std::is_same<T, Int128>::value ||
                              std::is_same<T, Uint128>::value;
};

/* A template, so that an array is not preferred as a pointer. */
template <typename T>
typename std::enable_if<IsText<T>::value, trace_arg_value_t>::type Value(T *const &value)
{
    return trace_make_string_arg_value(trace_make_inline_c_string_ref(value));
}

template <typename T>
typename std::enable_if<IsInteger<T>::value, trace_arg_value_t>::type Value(T value)
{
    static_assert(sizeof(T) <= sizeof(int64_t), TRACE_I_WIDE_SENTENCE);
    if (std::is_signed<T>::value) {
        return sizeof(T) <= 4 ? trace_make_int32_arg_value(static_cast<int32_t>(value))
                              : trace_make_int64_arg_value(static_cast<int64_t>(value));
    }
    return sizeof(T) <= 4 ? trace_make_uint32_arg_value(static_cast<uint32_t>(value))
                          : trace_make_uint64_arg_value(static_cast<uint64_t>(value));
}

template <typename T>
typename std::enable_if<std::is_enum<T>::value, trace_arg_value_t>::type Value(T value)
{
    return Value(static_cast<typename std::underlying_type<T>::type>(value));
}

template <typename T>
typename std::enable_if<!IsText<T>::value, trace_arg_value_t>::type Value(T *value)
{
    return trace_make_pointer_arg_value(reinterpret_cast<uintptr_t>(value));
}

/* Arrays of characters up to their first NUL, or their end. */
template <std::size_t N> trace_arg_value_t Value(const char (&value)[N])
{
    return trace_make_string_arg_value(trace_make_inline_string_ref(value, strnlen(value, N)));
}

/* std::string, std::string_view and similar types. */
template <typename T>
auto Value(const T &value) ->
    typename std::enable_if<!std::is_arithmetic<T>::value && !std::is_array<T>::value &&
                                std::is_convertible<decltype(value.data()), const char *>::value,
                            trace_arg_value_t>::type
{
    return trace_make_string_arg_value(trace_make_inline_string_ref(value.data(), value.size()));
}

template <typename T, std::size_t N> struct List {
    T items[N];
};

/* For an array that later statements read: the owner of the bytes must not be a temporary. */
template <typename T> trace_arg_value_t KeptValue(T &&value)
{
    static_assert(std::is_lvalue_reference<T>::value ||
                      std::is_trivially_destructible<typename std::decay<T>::type>::value,
                  "the string of this argument is a temporary, which is gone when the record is "
                  "written: keep it in a variable");
    return Value(value);
}

/* Like (To)(value) for a number, an enumerator or a pointer, but -Wold-style-cast does not warn. */
template <typename To, typename From> To Number(From value)
{
    return static_cast<To>(value);
}
template <typename To, typename From> To Number(From *value)
{
    return static_cast<To>(reinterpret_cast<uintptr_t>(value));
}
template <typename To> To Number(std::nullptr_t)
{
    return 0;
}

} // namespace internal
} // namespace trace

#define TRACE_I_NUMBER(type, value) (::trace::internal::Number<type>(value))
#define TRACE_I_VALUE(value) (::trace::internal::Value(value))
#define TRACE_I_KEPT_VALUE(value) (::trace::internal::KeptValue(value))

#else

#define TRACE_I_NUMBER(type, value) ((type)(value))

static inline trace_arg_value_t trace_i_same_value(trace_arg_value_t value)
{
    return value;
}

static inline trace_arg_value_t trace_i_string_value(const char *value)
{
    return trace_make_string_arg_value(trace_make_inline_c_string_ref(value));
}

static inline trace_arg_value_t trace_i_pointer_value(const volatile void *value)
{
    return trace_make_pointer_arg_value((uintptr_t)value);
}

/* Of a bit-field, gcc has a type of its own. Promoted, it is an int or stays what it is: one of more
   than 32 bits, whose values fit in an int64. */
#define TRACE_I_INTEGER_CLASS 1 /* of __builtin_classify_type */
#define TRACE_I_OTHER_VALUE(value)                                                                 \
    (TRACE_I_CHECK(__builtin_classify_type(value) != TRACE_I_INTEGER_CLASS ||                      \
                       sizeof(1 ? (value) : (value)) <= sizeof(int64_t),                           \
                   TRACE_I_WIDE_SENTENCE),                                                         \
     _Generic((1 ? (value) : (value)),                                                             \
         int: trace_make_int32_arg_value,                                                          \
         unsigned int: trace_make_uint32_arg_value,                                                \
         default: __builtin_choose_expr(                                                           \
                  __builtin_classify_type(value) == TRACE_I_INTEGER_CLASS,                         \
                  trace_make_int64_arg_value, trace_i_pointer_value)))

#define TRACE_I_VALUE(value)                                                                       \
    (__extension__ _Generic((value),                                                               \
         trace_arg_value_t: trace_i_same_value,                                                    \
         bool: trace_make_bool_arg_value,                                                          \
         char: trace_make_int32_arg_value,                                                         \
         signed char: trace_make_int32_arg_value,                                                  \
         unsigned char: trace_make_uint32_arg_value,                                               \
         short: trace_make_int32_arg_value,                                                        \
         unsigned short: trace_make_uint32_arg_value,                                              \
         int: trace_make_int32_arg_value,                                                          \
         unsigned int: trace_make_uint32_arg_value,                                                \
         long: trace_make_int64_arg_value,                                                         \
         unsigned long: trace_make_uint64_arg_value,                                               \
         long long: trace_make_int64_arg_value,                                                    \
         unsigned long long: trace_make_uint64_arg_value,                                          \
         float: trace_make_double_arg_value,                                                       \
         double: trace_make_double_arg_value,                                                      \
         char *: trace_i_string_value,                                                             \
         const char *: trace_i_string_value,                                                       \
         default: TRACE_I_OTHER_VALUE(value))(value))
#define TRACE_I_KEPT_VALUE(value) TRACE_I_VALUE(value)

#endif

/* The value of a counter is a number. */
static inline trace_arg_value_t trace_i_counted(trace_arg_value_t value)
{
    if (value.kind == TRACE_I_ARG_KIND(TRACE_ARG_BOOL, 1))
        value.kind = TRACE_I_ARG_KIND(TRACE_ARG_UINT32, 1);
    return value;
}

#endif
