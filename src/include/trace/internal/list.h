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

/* The elements of an array of trace_arg_t. */
#define TRACE_I_ARRAY(...) TRACE_I_CAT(TRACE_I_ARRAY_, TRACE_I_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define TRACE_I_ARRAY_1(head, n, v)                                                                \
    {                                                                                              \
        (n), 0, TRACE_I_VALUE(v)                                                                   \
    }
#define TRACE_I_ARRAY_2(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_1(0, __VA_ARGS__)
#define TRACE_I_ARRAY_3(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_2(0, __VA_ARGS__)
#define TRACE_I_ARRAY_4(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_3(0, __VA_ARGS__)
#define TRACE_I_ARRAY_5(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_4(0, __VA_ARGS__)
#define TRACE_I_ARRAY_6(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_5(0, __VA_ARGS__)
#define TRACE_I_ARRAY_7(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_6(0, __VA_ARGS__)
#define TRACE_I_ARRAY_8(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_7(0, __VA_ARGS__)
#define TRACE_I_ARRAY_9(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_8(0, __VA_ARGS__)
#define TRACE_I_ARRAY_10(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_9(0, __VA_ARGS__)
#define TRACE_I_ARRAY_11(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_10(0, __VA_ARGS__)
#define TRACE_I_ARRAY_12(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_11(0, __VA_ARGS__)
#define TRACE_I_ARRAY_13(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_12(0, __VA_ARGS__)
#define TRACE_I_ARRAY_14(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_13(0, __VA_ARGS__)
#define TRACE_I_ARRAY_15(head, n, v, ...) TRACE_I_ARRAY_1(0, n, v), TRACE_I_ARRAY_14(0, __VA_ARGS__)

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
