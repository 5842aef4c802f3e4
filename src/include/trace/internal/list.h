/* Lists of operands for the preprocessor: a head, then arguments, each a name and a value. */
#ifndef TRACE_INTERNAL_LIST_H
#define TRACE_INTERNAL_LIST_H

/* The null pointer of the macros: C++ compilers can warn of a 0 or of NULL. */
#ifdef __cplusplus
#define TRACE_I_NULL nullptr
#else
#define TRACE_I_NULL 0
#endif

#define TRACE_I_CAT_(a, b) a##b
#define TRACE_I_CAT(a, b) TRACE_I_CAT_(a, b)

#define TRACE_I_HEAD_(head, ...) head
#define TRACE_I_HEAD(...) TRACE_I_HEAD_(__VA_ARGS__, 0)

#define TRACE_I_PICK(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17,   \
                     p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32,    \
                     p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47,    \
                     p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60, p61, p62,    \
                     p63, n, ...)                                                                  \
    n

/* The number of arguments, up to 15. */
#define TRACE_I_COUNT(...)                                                                         \
    TRACE_I_PICK(__VA_ARGS__, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  \
                 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 14, 14, 13,   \
                 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, \
                 0, 0)

/* 0: no arguments; 1: some; 2: an argument lacks its value, or there are 16 to 31. */
#define TRACE_I_SOME(...)                                                                          \
    TRACE_I_PICK(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, \
                 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2,  \
                 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0, 0)

/* The compile error for a list that has no form of its own. */
#define TRACE_I_ODD                                                                                \
    TRACE_I_STATIC_ASSERT(0, "each argument of a TRACE_ macro is a name and a value, and it has "  \
                             "at most 15: one of them is missing, or what stands before them, or " \
                             "there are too many")
#ifdef __cplusplus
#define TRACE_I_STATIC_ASSERT static_assert
#else
#define TRACE_I_STATIC_ASSERT _Static_assert
#endif

/* Expressions without a value. They do not compile if the call site would record something else
   than it says. In C++, a string is constant if the compiler knows its bytes: a literal, a constexpr
   array, __func__. */
#define TRACE_I_LITERAL_SENTENCE                                                                   \
    "categories, names and names of arguments are string literals (in C++, constexpr strings "     \
    "too), because a statement reads them once: give a text that varies as an argument, or use "   \
    "a macro that ends in _DYNAMIC"
#define TRACE_I_SCOPE_SENTENCE                                                                     \
    "the scope of an instant event is TRACE_SCOPE_THREAD, TRACE_SCOPE_PROCESS or "                 \
    "TRACE_SCOPE_GLOBAL"
#define TRACE_I_WIDE_SENTENCE                                                                      \
    "the value of an argument has at most 64 bits: give a wider one as two arguments or a string"
#ifdef __cplusplus
namespace trace
{
namespace internal
{
template <bool is_constant> struct Literal {
    static_assert(is_constant, TRACE_I_LITERAL_SENTENCE);
};
template <bool is_known> struct Scope {
    static_assert(is_known, TRACE_I_SCOPE_SENTENCE);
};
} // namespace internal
} // namespace trace
#define TRACE_I_CHECK_LITERAL(text)                                                                \
    ((void)sizeof(::trace::internal::Literal<__builtin_constant_p((text)[0])>))
#define TRACE_I_CHECK_SCOPE(scope)                                                                 \
    ((void)sizeof(::trace::internal::Scope < !__builtin_constant_p(scope) ||                       \
                  static_cast<unsigned long long>(scope) <= 2 >))
#else
#define TRACE_I_CHECK(condition, sentence)                                                         \
    ((void)__extension__({ _Static_assert(condition, sentence); }))
#define TRACE_I_CHECK_LITERAL(text)                                                                \
    TRACE_I_CHECK(__builtin_types_compatible_p(__typeof__(text), char[sizeof(text)]) &&            \
                      __builtin_constant_p(text),                                                  \
                  TRACE_I_LITERAL_SENTENCE)
/* The number, or 0 if it is no constant: then 0 times the number is no null pointer. */
#define TRACE_I_CONSTANT(number)                                                                   \
    _Generic(1 ? (void *)((uintptr_t)(number)*0) : (int *)0, int * : (number), void * : 0)
#define TRACE_I_CHECK_SCOPE(scope)                                                                 \
    TRACE_I_CHECK((unsigned long long)TRACE_I_CONSTANT(scope) <= 2, TRACE_I_SCOPE_SENTENCE)
#endif

/* M(name, value) for each argument, with commas in between. */
#define TRACE_I_LIST(M, ...) TRACE_I_CAT(TRACE_I_LIST_, TRACE_I_COUNT(__VA_ARGS__))(M, __VA_ARGS__)
#define TRACE_I_LIST_1(M, head, n, v) M(n, v)
#define TRACE_I_LIST_2(M, head, n, v, ...) M(n, v), TRACE_I_LIST_1(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_3(M, head, n, v, ...) M(n, v), TRACE_I_LIST_2(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_4(M, head, n, v, ...) M(n, v), TRACE_I_LIST_3(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_5(M, head, n, v, ...) M(n, v), TRACE_I_LIST_4(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_6(M, head, n, v, ...) M(n, v), TRACE_I_LIST_5(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_7(M, head, n, v, ...) M(n, v), TRACE_I_LIST_6(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_8(M, head, n, v, ...) M(n, v), TRACE_I_LIST_7(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_9(M, head, n, v, ...) M(n, v), TRACE_I_LIST_8(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_10(M, head, n, v, ...) M(n, v), TRACE_I_LIST_9(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_11(M, head, n, v, ...) M(n, v), TRACE_I_LIST_10(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_12(M, head, n, v, ...) M(n, v), TRACE_I_LIST_11(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_13(M, head, n, v, ...) M(n, v), TRACE_I_LIST_12(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_14(M, head, n, v, ...) M(n, v), TRACE_I_LIST_13(M, 0, __VA_ARGS__)
#define TRACE_I_LIST_15(M, head, n, v, ...) M(n, v), TRACE_I_LIST_14(M, 0, __VA_ARGS__)

#define TRACE_I_ARG(n, v)                                                                          \
    {                                                                                              \
        (n), 0, TRACE_I_VALUE(v)                                                                   \
    }
#define TRACE_I_KEPT_ARG(n, v)                                                                     \
    {                                                                                              \
        (n), 0, TRACE_I_KEPT_VALUE(v)                                                              \
    }
#define TRACE_I_COUNTED_ARG(n, v)                                                                  \
    {                                                                                              \
        (n), 0, TRACE_I_COUNT_OF(n, v)                                                             \
    }
#define TRACE_I_NAME_OF(n, v) (n)
#define TRACE_I_CHECK_NAME(n, v) TRACE_I_CHECK_LITERAL(n)
#define TRACE_I_VALUE_OF(n, v) TRACE_I_VALUE(v)
#define TRACE_I_COUNT_OF(n, v) trace_i_counted(TRACE_I_VALUE(v))

#ifdef __cplusplus
template <typename... T> int trace_i_unused(const T &...);
#else
int trace_i_unused(int any, ...); /* never defined */
#endif
#ifdef __cplusplus
#define TRACE_I_UNUSED(...) ((void)sizeof(trace_i_unused(__VA_ARGS__)))
#else
#define TRACE_I_UNUSED(...) ((void)sizeof(trace_i_unused(0, __VA_ARGS__)))
#endif

#endif
