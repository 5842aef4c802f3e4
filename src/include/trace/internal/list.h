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
                     p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, n, ...) \
    n

/* The number of arguments, up to 15. */
#define TRACE_I_COUNT(...)                                                                         \
    TRACE_I_PICK(__VA_ARGS__, 15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, \
                 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)

/* 0: no arguments; 1: some; 2: an argument lacks its value. */
#define TRACE_I_SOME(...)                                                                          \
    TRACE_I_PICK(__VA_ARGS__, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, \
                 2, 1, 2, 1, 2, 1, 2, 0, 0)

/* The compile error for a list that lacks a value. */
#define TRACE_I_ODD                                                                                \
    TRACE_I_STATIC_ASSERT(0, "each argument of a TRACE_ macro is a name and a value: one of them " \
                             "is missing, or what stands before the arguments")
#ifdef __cplusplus
#define TRACE_I_STATIC_ASSERT static_assert
#else
#define TRACE_I_STATIC_ASSERT _Static_assert
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
#define TRACE_I_NAME_OF(n, v) (n)
#define TRACE_I_VALUE_OF(n, v) TRACE_I_VALUE(v)

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
