/* The daemon's whole life under valgrind: nothing is read that was not written, and nothing is
   lost. */
#include <spawn.h>

#include "src/manager/system_test.h"

#define WRONG 99

static const char *daemon_path(void)
{
    const char *path = "src/manager/trace-manager";
    return access(path, X_OK) == 0 ? path : "bazel-bin/src/manager/trace-manager";
}

/* Waits until it listens. */
static bool start_daemon(void)
{
    char path[100];
    char config[100];
    char wrong[20];
    cr_assert_not_null(mkdtemp(directory));
    setenv("FXT_TRACE_DIR", directory, 1);
    snprintf(config, sizeof config, "%s/config.json", directory);
    FILE *file = fopen(config, "w");
    cr_assert_not_null(file);
    fputs("{\"categories\": {\"trace:test\": \"of the test\"}, \"groups\": {\"g\": [\"trace:*\"]}}",
          file);
    fclose(file);
    snprintf(wrong, sizeof wrong, "--error-exitcode=%d", WRONG);
    char *const arguments[] = {"valgrind",
                               "-q",
                               "--leak-check=full",

                               wrong,
                               (char *)(uintptr_t)daemon_path(),
                               "--stop-timeout",
                               "5",
                               "--config",
                               config,
                               NULL};
    if (posix_spawnp(&manager_process, "valgrind", NULL, NULL, arguments, environ) != 0)
        return false;
    snprintf(path, sizeof path, "%s/controller", directory);
    for (uint64_t end = now_ms() + 30000; now_ms() < end; sleep_ms(10))
        if (access(path, F_OK) == 0)
            return true;
    cr_assert_fail("it does not listen");
    return false;
}

static void ignore_category(void *data, const char *name, const char *description)
{
    (void)data;
    (void)name;
    (void)description;
}

static void record(enum trace_mode mode, struct test_provider *one, struct test_provider *two)
{
    static const char *const categories[] = {"#g"};
    static const struct trace_provider_spec spec = {"one", categories, 1, 2};
    const struct trace_config config = {.categories = categories,
                                        .category_count = 1,
                                        .specs = &spec,
                                        .spec_count = 1,
                                        .mode = mode,
                                        .buffer_megabytes = 1,
                                        .defer_transfer = mode == TRACE_MODE_STREAMING};
    struct session session;
    char name[15];
    begin_session(&session, &config);
    wait_for_providers(session.controller, 2);
    cr_expect_eq(trace_controller_get_known_categories(session.controller, ignore_category, NULL),
                 0);
    start_session(&session);
    cr_expect_eq(order(one, 's', 20000), 'k');
    cr_expect_eq(order(two, 's', 20000), 'k');
    cr_expect_eq(order(one, 'e', 1000), 'k');
    cr_expect_eq(order(two, 'p', 30000), 'k');
    cr_expect_eq(trace_controller_watch_alert(session.controller), 0);
    cr_expect_eq(order(two, 'a', 0), 'k');
    cr_expect_eq(trace_controller_next_alert(session.controller, 10000, name), 0);
    if (mode == TRACE_MODE_STREAMING)
        cr_expect_eq(trace_controller_flush(session.controller, -1), 0);
    cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL), 0);
    start_session(&session);
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "one").events, 1000);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    free(session.archive.bytes);
}

TestSuite(valgrind, .fini = clean_up, .timeout = 280);

Test(valgrind, life_of_the_daemon)
{
    if (IS_SANITIZED)
        cr_skip_test("a sanitizer looks already");
    if (!start_daemon())
        cr_skip_test("there is no valgrind");
    struct test_provider one = start_provider("one");
    struct test_provider two = start_provider("two");
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_STREAMING; mode++)
        record((enum trace_mode)mode, &one, &two);
    struct session session; /* one that it has to end by itself */
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    begin_session(&session, &config);
    start_session(&session);
    cr_expect_eq(order(&one, 's', 20000), 'k');
    end_provider(&two);
    cr_expect_eq(stop_manager(), 0, "valgrind has found nothing");
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
    end_provider(&one);
}
