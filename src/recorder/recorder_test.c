/* Tracing into a file: real files, real exits. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <fxt/read.h>
#include <trace/file.h>
#include <trace/event.h>

TestSuite(file, .timeout = 60);

static char path[] = "/tmp/fxt_file_test_XXXXXX";

static void make_path(void)
{
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
}

/* What is in the file: every byte of whole records. */
static struct {
    int events;
    int full; /* provider events */
    int large;
    int begins; /* of durations */
    int ends;
    bool ordered;
} found;

static void read_file(void)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_provider_event full;
    struct fxt_provider_info provider;
    struct fxt_arg arg;
    struct fxt_error error;
    enum fxt_status status;
    struct stat info;
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    fstat(fileno(file), &info);
    size_t size = (size_t)info.st_size;
    uint8_t *bytes = malloc(size + 1);
    cr_assert_eq(fread(bytes, 1, size, file), size);
    fclose(file);
    memset(&found, 0, sizeof found);
    found.ordered = true;
    uint64_t last = 0;
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        cr_assert(record.type != FXT_RECORD_METADATA || fxt_record_metadata_type(&record) <= 4,
                  "no filler");
        if (fxt_read_provider_info(&record, &provider, &error) == FXT_OK)
            cr_assert(fxt_utf8_valid(provider.name.bytes, provider.name.size),
                      "the name of the program");
        found.large += record.type == FXT_RECORD_LARGE;
        found.full += fxt_read_provider_event(&record, &full, &error) == FXT_OK;
        if (fxt_read_event(&record, &event, &error) != FXT_OK)
            continue;
        found.events++;
        found.begins += event.event_type == FXT_EVENT_DURATION_BEGIN;
        found.ends += event.event_type == FXT_EVENT_DURATION_END;
        if (fxt_args_next(&event.args, &arg, &error) == FXT_OK) {
            found.ordered = found.ordered && (last == 0 || arg.value == last + 1);
            last = arg.value;
        }
    }
    cr_assert_eq(status, FXT_END);
    free(bytes);
}

static void trace(int events)
{
    for (int i = 1; i <= events; i++)
        TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "i", i);
}

Test(file, two_calls_make_a_trace)
{
    uint64_t dropped = 1;
    make_path();
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    trace(1000);
    cr_assert_eq(fxt_trace_stop(&dropped), 0);
    cr_expect_eq(dropped, 0);
    read_file();
    cr_expect_eq(found.events, 1000);
    cr_expect(found.ordered);
    cr_expect_eq(found.full, 0);
    unlink(path);
}

/* When a signal handler returns, QEMU's user mode of i386 gives the thread the thread-local storage
   of the one that was created last. */
#if !(defined(EMULATED) && defined(__i386__))
static void trace_a_tick(int number)
{
    (void)number;
    TRACE_INSTANT("cat", "tick", TRACE_SCOPE_THREAD);
}

/* The handler drops its event if it interrupts a record. That is not the begin of the duration. */
Test(file, long_durations_end_whatever_a_handler_traces)
{
    const struct itimerval every = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    static char text[20000];
    make_path();
    memset(text, 'x', sizeof text - 1);
    signal(SIGALRM, trace_a_tick);
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 2000; i++) {
        TRACE_DURATION("cat", "work", "text", text);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    read_file();
    cr_expect_gt(found.begins, 100);
    cr_expect_eq(found.begins, found.ends);
    unlink(path);
}
#endif

Test(file, name_of_the_program_is_mended)
{
    char *const name = program_invocation_short_name;
    char longer[300];
    make_path();
    memset(longer, 'a', sizeof longer);
    memcpy(longer + 254, "\xc3\xa9", 3); /* a letter at the limit */
    for (int i = 0; i < 2; i++) {
        program_invocation_short_name = i == 0 ? (char[]){"caf\xe9"} : longer;
        cr_assert_eq(fxt_trace_start(path, NULL), 0);
        cr_assert_eq(fxt_trace_stop(NULL), 0);
        read_file();
    }
    program_invocation_short_name = name;
    unlink(path);
}

Test(file, record_behind_a_large_one_is_written)
{
    static const uint8_t payload[40000]; /* more than a record has that is not a large one */
    make_path();
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    trace(1);
    TRACE_BLOB_ATTACHMENT("cat", "blob", payload, sizeof payload);
    trace(1);
    cr_expect_eq(fxt_trace_stop(NULL), 0);
    read_file();
    cr_expect_eq(found.large, 1);
    cr_expect_eq(found.events, 2);
    unlink(path);
}

/* System calls that write, of this process. */
static unsigned long count_writes(void)
{
    unsigned long count = 0;
    char line[100];
    FILE *file = fopen("/proc/self/io", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "syscw: %lu", &count);
    if (file != NULL)
        fclose(file);
    return count;
}

Test(file, records_are_gathered_before_they_are_written)
{
    make_path();
    unsigned long before = count_writes();
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    trace(20000); /* 640 KB, in more than a thousand leases */
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    cr_expect_lt(count_writes() - before, 100, "%lu", count_writes() - before);
    read_file();
    cr_expect_eq(found.events, 20000);
    unlink(path);
}

Test(file, streaming_saves_what_the_buffer_does_not_hold)
{
    const struct fxt_trace_options options = {.buffer_bytes = 1 << 20,
                                              .mode = TRACE_BUFFERING_MODE_STREAMING};
    uint64_t dropped = 1;
    make_path();
    cr_assert_eq(fxt_trace_start(path, &options), 0);
    for (int i = 1; i <= 200000; i++) {
        TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "i", i);
        if (i % 5000 == 0)
            usleep(5000);
    }
    cr_assert_eq(fxt_trace_stop(&dropped), 0);
    read_file();
    cr_expect_eq((uint64_t)found.events + dropped, 200000);
    cr_expect_gt(found.events, 60000, "more than the buffer holds");
    cr_expect_eq(found.full, dropped > 0);
    cr_expect(found.ordered || dropped > 0);
    unlink(path);
}

Test(file, oneshot_keeps_the_first_and_circular_the_last)
{
    struct fxt_trace_options options = {.buffer_bytes = 65536};
    uint64_t dropped = 0;
    make_path();
    options.mode = TRACE_BUFFERING_MODE_ONESHOT;
    cr_assert_eq(fxt_trace_start(path, &options), 0);
    trace(10000);
    cr_assert_eq(fxt_trace_stop(&dropped), 0);
    read_file();
    cr_expect_eq((uint64_t)found.events + dropped, 10000);
    cr_expect_eq(found.full, 1);
    cr_expect(found.ordered);
    options.mode = TRACE_BUFFERING_MODE_CIRCULAR;
    cr_assert_eq(fxt_trace_start(path, &options), 0);
    trace(10000);
    cr_assert_eq(fxt_trace_stop(&dropped), 0);
    read_file();
    cr_expect_eq(dropped, 0);
    cr_expect_eq(found.full, 0);
    cr_expect(found.ordered);
    cr_expect(found.events > 900 && found.events < 2000, "%d", found.events);
    unlink(path);
}

Test(file, categories_choose)
{
    const struct fxt_trace_options options = {.categories = "one,three"};
    make_path();
    cr_assert_eq(fxt_trace_start(path, &options), 0);
    TRACE_INSTANT("one", "a", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("two", "b", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("three", "c", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("thre", "d", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("one,three", "e", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("", "f", TRACE_SCOPE_THREAD);
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    read_file();
    cr_expect_eq(found.events, 2);
    unlink(path);
}

Test(file, wrong_calls_are_refused)
{
    struct fxt_trace_options options = {.buffer_bytes = 4095};
    make_path();
    cr_expect_eq(fxt_trace_stop(NULL), EINVAL);
    cr_expect_eq(fxt_trace_start("/nowhere/at/all", NULL), ENOENT);
    cr_expect_eq(fxt_trace_start(path, &options), EINVAL);
    options.buffer_bytes = 4096;
    static const char *const wrong[] = {"net, disk", " net", "net ",      "net ,disk",
                                        "net*",      "*",    "net:*,disk"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.categories = wrong[i];
        cr_expect_eq(fxt_trace_start(path, &options), EINVAL, "%s", wrong[i]);
    }
    options.categories = "a name,other";
    options.mode = (trace_buffering_mode_t)3;
    cr_expect_eq(fxt_trace_start(path, &options), EINVAL);
    cr_expect_eq(fxt_trace_start(path, NULL), 0);
    cr_expect_eq(fxt_trace_start(path, NULL), EBUSY);
    cr_expect_eq(fxt_trace_stop(NULL), 0);
    cr_expect_eq(fxt_trace_stop(NULL), EINVAL);
    unlink(path);
}

Test(file, too_few_descriptors_are_told)
{
    struct rlimit limit;
    int lowest = dup(STDIN_FILENO);
    make_path();
    close(lowest);
    getrlimit(RLIMIT_NOFILE, &limit);
    const struct rlimit few = {.rlim_cur = (rlim_t)lowest + 1, .rlim_max = limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    int error = fxt_trace_start(path, NULL);
    setrlimit(RLIMIT_NOFILE, &limit);
    cr_expect_eq(error, EMFILE);
    unlink(path);
}

Test(file, full_disk_is_told)
{
    cr_expect_eq(fxt_trace_start("/dev/full", NULL), ENOSPC);
    make_path();
    cr_assert_eq(fxt_trace_start(path, NULL), 0, "nothing is left of the first");
    cr_expect_eq(fxt_trace_stop(NULL), 0);
    unlink(path);
}

/* A limit of the file's size acts like a disk that is full: the last write is done in part. */
Test(file, full_disk_leaves_whole_records)
{
    make_path();
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit limit = {.rlim_cur = 4100, .rlim_max = before.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    trace(1000);
    cr_expect_eq(fxt_trace_stop(NULL), EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    read_file();
    cr_expect_gt(found.events, 100);
    unlink(path);
}

Test(file, reader_that_has_gone_is_told)
{
    make_path();
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    close(reader);
    trace(10);
    cr_expect_eq(fxt_trace_stop(NULL), EPIPE);
    unlink(path);
}

Test(file, signals_go_to_the_threads_of_the_program)
{
    static const struct timespec a_while = {.tv_nsec = 200000000};
    sigset_t set;
    make_path();
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    nanosleep(&a_while, NULL); /* another thread would take it now */
    cr_expect_eq(sigtimedwait(&set, NULL, &a_while), SIGUSR1);
    cr_expect_eq(fxt_trace_stop(NULL), 0);
    unlink(path);
}

/* Waits for the child, which has traced into the file. */
static void expect_child_traces(pid_t child, int events)
{
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    read_file();
    cr_assert_eq(found.events, events, "%d", found.events);
    unlink(path);
    strcpy(path, "/tmp/fxt_file_test_XXXXXX");
}

Test(file, program_that_exits_has_its_trace)
{
    make_path();
    pid_t child = fork();
    if (child == 0) {
        if (fxt_trace_start(path, NULL) != 0)
            _exit(1);
        trace(10);
        exit(0);
    }
    expect_child_traces(child, 10);
}

/* As when a signal handler that interrupts a record calls exit. */
Test(file, program_that_exits_inside_a_context_ends)
{
    make_path();
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        if (fxt_trace_start(path, NULL) != 0)
            _exit(1);
        trace(10);
        exit(trace_acquire_context() != NULL ? 0 : 1);
    }
    expect_child_traces(child, 0);
}

static void *trace_for_ever(void *self)
{
    for (;;)
        trace(1);
    return self;
}

/* The threads wake the thread that writes, by a system call at which they could be cancelled. */
Test(file, threads_that_are_cancelled_leave_tracing_to_others)
{
    const struct fxt_trace_options small = {.mode = TRACE_BUFFERING_MODE_STREAMING,
                                            .buffer_bytes = 65536};
    make_path();
    for (int i = 0; i < 30; i++) {
        pthread_t thread;
        cr_assert_eq(fxt_trace_start(path, &small), 0);
        cr_assert_eq(pthread_create(&thread, NULL, trace_for_ever, NULL), 0);
        usleep(2000);
        pthread_cancel(thread);
        pthread_detach(thread);
        usleep(2000);
        cr_assert_eq(fxt_trace_stop(NULL), 0);
    }
    read_file();
    unlink(path);
}

static void *hold_context(void *ready)
{
    trace_context_t *context = trace_acquire_context();
    *(volatile bool *)ready = true;
    usleep(200000);
    trace_release_context(context);
    return NULL;
}

static void *stop_tracing(void *self)
{
    fxt_trace_stop(NULL);
    return self;
}

Test(file, program_that_exits_while_another_thread_stops_has_its_trace)
{
    for (int i = 0; i < 5; i++) {
        make_path();
        pid_t child = fork();
        if (child == 0) {
            static volatile bool holds;
            pthread_t threads[2];
            alarm(30);
            if (fxt_trace_start(path, NULL) != 0)
                _exit(1);
            trace(10);
            pthread_create(&threads[0], NULL, hold_context, (void *)(uintptr_t)&holds);
            while (!holds)
                usleep(1000);
            pthread_create(&threads[1], NULL, stop_tracing, NULL);
            usleep(50000);
            exit(0);
        }
        expect_child_traces(child, 10);
    }
}

#ifndef EMULATED /* QEMU's user mode starts no thread in the child of a process that has several */
static pid_t fork_and_trace(void)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    alarm(30);
    int failed = fxt_trace_start(path, NULL);
    trace(10);
    _exit(failed != 0 ? 1 : fxt_trace_stop(NULL));
}

/* Whatever the parent's threads did when it forked. */
Test(file, forked_child_traces_into_a_file_of_its_own)
{
    const struct fxt_trace_options small = {.mode = TRACE_BUFFERING_MODE_STREAMING,
                                            .buffer_bytes = 1 << 20};
    pthread_t thread;
    cr_assert_eq(fxt_trace_start("/dev/null", &small), 0);
    cr_assert_eq(pthread_create(&thread, NULL, trace_for_ever, NULL), 0);
    for (int i = 0; i < 100; i++) {
        make_path();
        expect_child_traces(fork_and_trace(), 10);
    }
    pthread_cancel(thread);
    cr_expect_eq(fxt_trace_stop(NULL), 0);
}

/* The parent's records wait for a reader that does not read. */
Test(file, forked_child_does_not_write_what_its_parent_has_gathered)
{
    int waiting = 0;
    make_path();
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    int room = fcntl(reader, F_GETPIPE_SZ);
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    unlink(path);
    while (waiting <= room - 4096) {
        trace(10000);
        usleep(10000);
        ioctl(reader, FIONREAD, &waiting);
    }
    expect_child_traces(fork_and_trace(), 10);
    close(reader);
    cr_expect_eq(fxt_trace_stop(NULL), EPIPE);
}
#endif

/* Neither the file nor anything else that tracing opens gets the number of one. */
Test(file, daemon_without_standard_descriptors_traces)
{
    make_path();
    pid_t child = fork();
    if (child == 0) {
        for (int fd = 0; fd <= 2; fd++)
            close(fd);
        if (fxt_trace_start(path, NULL) != 0)
            _exit(1);
        trace(10);
        for (int fd = 0; fd <= 2; fd++)
            if (write(fd, "output", 6) >= 0)
                _exit(2);
        _exit(fxt_trace_stop(NULL));
    }
    expect_child_traces(child, 10);
}

Test(file, forked_child_leaves_the_file_alone)
{
    make_path();
    cr_assert_eq(fxt_trace_start(path, NULL), 0);
    trace(10);
    pid_t child = fork();
    if (child == 0) {
        trace(10);
        exit(fxt_trace_stop(NULL) == EINVAL ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    read_file();
    cr_expect_eq(found.events, 10);
    unlink(path);
}

/* In a child: every number above 2 is the program's own file from now on. */
static void take_all_descriptors(const char *own)
{
    int file = open(own, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 3);
    for (int fd = 4; fd < 1024; fd++)
        dup2(3, fd);
    if (write(3, "mine", 4) != 4)
        _exit(9);
}

static void expect_own_file(const char *own)
{
    char bytes[16];
    int file = open(own, O_RDONLY);
    cr_expect_eq(read(file, bytes, sizeof bytes), 4, "nothing of ours");
    cr_expect_eq(memcmp(bytes, "mine", 4), 0);
    close(file);
    unlink(own);
}

/* As a daemon does after fxt_trace_start: it calls fxt_trace_stop, or does not. */
Test(file, writes_to_no_file_of_a_program_that_closed_its_descriptors)
{
    static const struct fxt_trace_options small = {.mode = TRACE_BUFFERING_MODE_STREAMING,
                                                   .buffer_bytes = 65536};
    char own[sizeof path + 4];
    make_path();
    snprintf(own, sizeof own, "%s.own", path);
    for (int stops = 0; stops <= 1; stops++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            if (fxt_trace_start(path, &small) != 0)
                _exit(8);
            trace(3000);
            usleep(100000); /* the thread polls */
            take_all_descriptors(own);
            for (int i = 0; i < 30; i++, usleep(10000))
                trace(100);
            if (!stops)
                exit(EBADF);
            int error = fxt_trace_stop(NULL);
            char byte; /* the file is at its end and open */
            _exit(read(3, &byte, 1) == 0 && read(1023, &byte, 1) == 0 ? error : 7);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == EBADF, "it ends with %x",
                  (unsigned)status);
        expect_own_file(own);
        read_file();
        cr_expect_gt(found.events, 0);
    }
    unlink(path);
}

/* conformance/ports runs tests in constructors of a static program, through which pthread_exit does not
   unwind; and in QEMU /proc counts the emulator's threads, so that no thread looks like the last one. */
#ifndef FXT_PORTS_CRITERION_H
static void *trace_and_end(void *terminates)
{
    trace(100);
    if (*(bool *)terminates)
        kill(getpid(), SIGTERM); /* no thread of the program takes it */
    return NULL;
}

static void leave_main(bool terminates)
{
    static bool ends_itself;
    sigset_t set;
    pthread_t worker;
    alarm(20);
    if (fxt_trace_start(path, NULL) != 0)
        _exit(8);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    ends_itself = terminates;
    pthread_create(&worker, NULL, trace_and_end, &ends_itself);
    pthread_detach(worker);
    pthread_exit(NULL);
}

/* Main leaves by pthread_exit, and then the last worker ends. */
Test(file, program_ends_with_its_last_thread)
{
    for (int terminates = 0; terminates <= 1; terminates++) {
        int status = 0;
        make_path();
        pid_t child = fork();
        if (child == 0)
            leave_main(terminates);
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(terminates ? WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM : status == 0,
                  "it ends with %x", (unsigned)status);
        read_file();
        cr_expect_eq(found.events, 100);
        unlink(path);
        strcpy(path, "/tmp/fxt_file_test_XXXXXX");
    }
}
#endif
