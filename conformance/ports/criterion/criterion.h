/* As much of Criterion as the unit tests of the format use, for machines that Debian has no Criterion
   for. A test file is a program. Each test runs in a process of its own, as Criterion does it. */
#ifndef FXT_PORTS_CRITERION_H
#define FXT_PORTS_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct ports_options {
    void (*init)(void);
    int timeout; /* ignored: the emulator is slower than any machine */
};

static struct ports_options ports_suite; /* a test file has one suite */
static unsigned ports_run;
static unsigned ports_failed;

static inline void ports_test(void (*test)(void), const char *name)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (ports_suite.init != NULL)
            ports_suite.init();
        test();
        _exit(0);
    }
    ports_run++;
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return;
    ports_failed++;
    fprintf(stderr, "%s failed\n", name);
}

/* gcc runs constructors in the order of the file, before main(). */
#define TestSuite(suite, ...)                                                                      \
    __attribute__((constructor)) static void suite##_suite(void)                                   \
    {                                                                                              \
        ports_suite = (struct ports_options){__VA_ARGS__};                                         \
    }                                                                                              \
    _Static_assert(true, "")

#define Test(suite, name, ...)                                                                     \
    static void suite##_##name(void);                                                              \
    __attribute__((constructor)) static void suite##_##name##_run(void)                            \
    {                                                                                              \
        ports_test(suite##_##name, #suite "::" #name);                                             \
    }                                                                                              \
    static void suite##_##name(void)

static inline void ports_check(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    _exit(1);
}

#define PORTS(holds, what) ports_check((holds), (what), __FILE__, __LINE__)

#define cr_assert(holds, ...) PORTS(holds, #holds)
#define cr_assert_not(holds, ...) PORTS(!(holds), "not " #holds)
#define cr_assert_null(a, ...) PORTS((a) == NULL, #a " is null")
#define cr_assert_not_null(a, ...) PORTS((a) != NULL, #a " is not null")
#define cr_assert_eq(a, b, ...) PORTS((a) == (b), #a " == " #b)
#define cr_assert_neq(a, b, ...) PORTS((a) != (b), #a " != " #b)
#define cr_assert_lt(a, b, ...) PORTS((a) < (b), #a " < " #b)
#define cr_assert_leq(a, b, ...) PORTS((a) <= (b), #a " <= " #b)
#define cr_assert_gt(a, b, ...) PORTS((a) > (b), #a " > " #b)
#define cr_assert_geq(a, b, ...) PORTS((a) >= (b), #a " >= " #b)
#define cr_assert_str_eq(a, b, ...) PORTS(strcmp((a), (b)) == 0, #a " equals " #b)
#define cr_assert_str_neq(a, b, ...) PORTS(strcmp((a), (b)) != 0, #a " differs from " #b)
#define cr_assert_arr_eq(a, b, size, ...) PORTS(memcmp((a), (b), (size)) == 0, #a " equals " #b)
#define cr_assert_fail(...) PORTS(false, "reached")

#define cr_expect cr_assert
#define cr_expect_not cr_assert_not
#define cr_expect_null cr_assert_null
#define cr_expect_not_null cr_assert_not_null
#define cr_expect_eq cr_assert_eq
#define cr_expect_neq cr_assert_neq
#define cr_expect_lt cr_assert_lt
#define cr_expect_leq cr_assert_leq
#define cr_expect_gt cr_assert_gt
#define cr_expect_geq cr_assert_geq
#define cr_expect_str_eq cr_assert_str_eq
#define cr_expect_str_neq cr_assert_str_neq
#define cr_expect_arr_eq cr_assert_arr_eq
#define cr_expect_str_empty(a, ...) PORTS((a)[0] == '\0', #a " is empty")
#define cr_expect_fail cr_assert_fail

int main(void)
{
    printf("%u\n", ports_run);
    return ports_run == 0 || ports_failed > 0;
}

#endif
