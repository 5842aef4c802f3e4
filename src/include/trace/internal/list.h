/* Lists of operands for the preprocessor: a head, and then arguments, each a name and a value. */
#ifndef TRACE_INTERNAL_LIST_H
#define TRACE_INTERNAL_LIST_H

#define TRACE_I_CAT_(a, b) a##b
#define TRACE_I_CAT(a, b) TRACE_I_CAT_(a, b)

#define TRACE_I_HEAD_(head, ...) head
#define TRACE_I_HEAD(...) TRACE_I_HEAD_(__VA_ARGS__, 0)

#define TRACE_I_PICK(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17,   \
                     p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, n, ...) \
    n

/* How many arguments there are: up to 15. An error that names BAD: one has no value. */
#define TRACE_I_COUNT(...)                                                                         \
    TRACE_I_PICK(__VA_ARGS__, 15, BAD, 14, BAD, 13, BAD, 12, BAD, 11, BAD, 10, BAD, 9, BAD, 8,     \
                 BAD, 7, BAD, 6, BAD, 5, BAD, 4, BAD, 3, BAD, 2, BAD, 1, BAD, 0, 0)

/* 1 when there is any, else 0. */
#define TRACE_I_SOME(...)                                                                          \
    TRACE_I_PICK(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
                 1, 1, 1, 1, 1, 1, 1, 0, 0)

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
int trace_i_unused(int any, ...); /* there is none */
#endif
#ifdef __cplusplus
#define TRACE_I_UNUSED(...) ((void)sizeof(trace_i_unused(__VA_ARGS__)))
#else
#define TRACE_I_UNUSED(...) ((void)sizeof(trace_i_unused(0, __VA_ARGS__)))
#endif

#endif
