/* Archives that are deferred: where they are kept meanwhile, and how they come out. */
#include <sys/resource.h>

#include "src/manager/raw_test.h"

static const struct trace_config deferred = {.mode = TRACE_MODE_STREAMING,
                                             .buffer_megabytes = 1,
                                             .defer_transfer = true};

TestSuite(deferred, .fini = clean_up, .timeout = 120);

/* Whether the manager has a file without a name open in that directory. */
static bool has_file_in(const char *where)
{
    char path[100];
    char target[200];
    bool found = false;
    for (int i = 0; i < 64 && !found; i++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", manager_process, i);
        ssize_t size = readlink(path, target, sizeof target - 1);
        if (size < 0)
            continue;
        target[size] = '\0';
        found = strncmp(target, where, strlen(where)) == 0 && strstr(target, "(deleted)") != NULL;
    }
    return found;
}

static void expect_file_in(const char *where)
{
    struct session session;
    start_manager();
    struct test_provider it = begin_with(&session, &deferred, "it");
    cr_expect(has_file_in(where), "%s", where);
    cr_assert_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 100);
    free(session.archive.bytes);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

Test(deferred, archive_is_kept_in_tmpdir)
{
    setenv("TMPDIR", "/tmp", 1);
    expect_file_in("/tmp/#");
}

Test(deferred, archive_is_kept_in_var_tmp_if_there_is_no_tmpdir)
{
    unsetenv("TMPDIR");
    expect_file_in("/var/tmp/#");
    setenv("TMPDIR", "", 1);
    expect_file_in("/var/tmp/#");
}

static void wait_for_bytes(trace_controller_t *controller, uint64_t bytes)
{
    struct trace_status status = {.bytes_written = 0};
    for (uint64_t end = now_ms() + 30000; now_ms() < end && status.bytes_written < bytes;)
        cr_assert_eq(trace_controller_get_status(controller, &status), 0);
    cr_assert_geq(status.bytes_written, bytes);
}

/* For one who is not ready to read at first. The manager queues 16 MiB. */
Test(deferred, archive_of_30_mib_comes_whole_to_a_slow_reader)
{
    struct session session = {.count = 0};
    struct terminator terminator;
    struct archive archive = {.bytes = NULL};
    int ends[2];
    start_manager();
    struct test_provider it = start_provider("it");
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    session.controller = connect_client();
    wait_for_providers(session.controller, 1);
    cr_assert_eq(trace_controller_initialize(session.controller, &deferred, ends[1]), 0);
    close(ends[1]);
    start_session(&session);
    cr_assert_eq(order(&it, 's', 20000), 'k');
    uint64_t written = 0;
    for (; written - *it.dropped < 1000000; written += 100000)
        cr_assert_eq(order(&it, 'p', 100000), 'k');
    wait_for_bytes(session.controller, UINT64_C(30) << 20);
    uint64_t before = memory_kb(manager_process);
    begin_to_terminate(&terminator, session.controller);
    cr_assert(raw_is_readable(ends[0], 20000));
    sleep_ms(300);
    cr_expect(IS_SANITIZED || memory_kb(manager_process) <= before + (20 << 10),
              "it keeps no more than it may");
    archive.descriptor = ends[0];
    read_archive(&archive);
    pthread_join(terminator.thread, NULL);
    cr_expect_eq(terminator.error, 0);
    struct found found = find_events(&archive, "it");
    cr_expect_eq(found.events + *it.dropped, written, "%lu + %lu", (unsigned long)found.events,
                 (unsigned long)*it.dropped);
    cr_expect_leq(found.gaps, *it.dropped);
    cr_expect_gt(archive.size, 30u << 20);
    trace_controller_destroy(session.controller);
    end_provider(&it);
}

/* In parts, between which the manager does other things. */
Test(deferred, archive_comes_whole_to_a_file)
{
    char path[] = "/tmp/deferred-XXXXXX";
    struct archive archive = {.descriptor = mkstemp(path)};
    uint64_t written = 0;
    start_manager();
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    cr_assert_geq(archive.descriptor, 0);
    wait_for_providers(controller, 1);
    cr_assert_eq(trace_controller_initialize(controller, &deferred, archive.descriptor), 0);
    cr_assert_eq(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    cr_assert_eq(order(&it, 's', 20000), 'k');
    for (; written - *it.dropped < 300000; written += 100000)
        cr_assert_eq(order(&it, 'p', 100000), 'k');
    cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), 0);
    lseek(archive.descriptor, 0, SEEK_SET);
    read_archive(&archive);
    cr_expect_eq(find_events(&archive, "it").events + *it.dropped, written);
    cr_expect_gt(archive.size, 9u << 20);
    trace_controller_destroy(controller);
    end_provider(&it);
    unlink(path);
}

/* The file finds no room; then the output fails as well. */
Test(deferred, first_of_two_errors_is_told)
{
    struct rlimit limit = {1 << 20, RLIM_INFINITY}; /* the buffer may be as large */
    struct session session;
    struct trace_status status = {.output_error = 0};
    start_manager();
    cr_assert_eq(prlimit(manager_process, RLIMIT_FSIZE, &limit, NULL), 0);
    struct test_provider it = begin_with(&session, &deferred, "it");
    cr_assert_eq(order(&it, 'p', 100000), 'k');
    cr_assert_eq(order(&it, 'o', 20000), 'k', "it is told to stop");
    int descriptors = count_descriptors(manager_process);
    cr_assert_eq(shutdown(session.archive.descriptor, SHUT_RDWR), 0);
    wait_for_descriptors(descriptors - 1);
    cr_assert_eq(trace_controller_get_status(session.controller, &status), 0);
    cr_expect_eq(status.output_error, EFBIG, "%d", status.output_error);
    cr_expect_eq(end_session(&session), TRACE_ERROR_ABORTED);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}
