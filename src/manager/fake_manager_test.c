/* Managers that do not keep to the protocol, by hand, to the provider library: a program may lose
   what it traces by it, and nothing else. */
#include <sys/eventfd.h>
#include <sys/time.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/manager/fake_test.h"

static int observer = -1; /* of the program */
static char *low;         /* a page of the program, below all others */

static void do_as_told(struct provider_self *self, char order, uint64_t number)
{
    struct rlimit limit;
    switch (order) {
    case 'H': /* inside a context, for so many ms */
    {
        trace_context_t *context = trace_acquire_context();
        sleep_ms((int)number);
        if (context != NULL)
            trace_release_context(context);
        break;
    }
    case 'A': /* many alerts */
        for (uint64_t i = 0; i < number; i++)
            TRACE_ALERT("trace:test", "alert");
        break;
    case 'R': /* so many descriptors at most */
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = number;
        setrlimit(RLIMIT_NOFILE, &limit);
        break;
    case 'C': /* the socket that it has inherited: it would seem alive */
        fake_close(&fake.listening);
        break;
    case 'O': /* an observer, which acknowledges at the second order */
        if (observer < 0) {
            observer = eventfd(0, EFD_CLOEXEC);
            trace_register_observer(observer);
        } else {
            trace_notify_observer_updated(observer);
        }
        break;
    case 'L': /* a page at this address, where a program may lie; the second order reads it */
        if (low == NULL)
            low = mmap((void *)(uintptr_t)number, 4096, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (low == MAP_FAILED || *low != 0)
            _exit(12);
        break;
    case 'N': /* another one, as soon as the first has gone */
        self->provider = NULL;
        for (int ms = 0; ms < 5000 && self->provider == NULL; ms++, sleep_ms(1))
            self->provider =
                trace_provider_create_with_name(async_loop_get_dispatcher(self->loop), "another");
        if (self->provider == NULL)
            _exit(11);
        break;
    case 'D': /* destroyed, and the loop at once */
        trace_provider_destroy(self->provider);
        async_loop_destroy(self->loop);
        break;
    case 'S': /* the loop ends first, and goes last */
        async_loop_shutdown(self->loop);
        trace_provider_destroy(self->provider);
        async_loop_destroy(self->loop);
        break;
    default:
        break;
    }
}

static void begin(void)
{
    own_order = do_as_told;
    fake_begin();
}

TestSuite(fake_manager, .init = begin, .fini = clean_up, .timeout = 120);

/* The program can be asked things, and traces as often as before. */
static void expect_alive(struct test_provider *it)
{
    cr_expect_eq(order(it, 'e', 10), 'k');
}

Test(fake_manager, session_in_order)
{
    struct test_provider it = start_provider("it");
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_STREAMING; mode++) {
        if (mode == TRACE_MODE_ONESHOT)
            fake_meet();
        fake_initialize((enum trace_mode)mode);
        fake_start();
        cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
        cr_expect_eq(count_mapped_buffers(it.process), 1);
        cr_expect_eq(order(&it, 'e', 100), 'k');
        fake_say(FXT_I_STOP, 0);
        cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
        cr_expect_eq(fake_find_events().events, 100);
        fake_say(FXT_I_TERMINATE, 0);
        cr_expect_eq(fake_hear_fifo(5000), -1);
        cr_expect(soon_mapped(it.process, 0));
    }
    end_provider(&it);
}

Test(fake_manager, what_is_said_twice_is_ignored)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_ONESHOT);
    int descriptors = count_descriptors(it.process);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    fake_start();
    int ends[2];
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    int file = fake_make_file(1 << 20, F_SEAL_SHRINK);
    fake_initialize_with(TRACE_MODE_STREAMING, file, ends[1]);
    close(ends[1]);
    close(file);
    cr_expect(fake_is_closed(ends[0], 5000), "the second FIFO is closed");
    cr_expect_eq(fake_hear_fifo(50), 0);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(count_descriptors(it.process), descriptors);
    fake_say(FXT_I_STOP, 0);
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    cr_expect_eq(fake_hear_fifo(50), 0);
    cr_expect_eq(fake_find_events().events, 200);
    fake_say(FXT_I_TERMINATE, 0);
    fake_say(FXT_I_TERMINATE, 0);
    cr_expect_eq(fake_hear_fifo(5000), -1);
    fake_initialize(TRACE_MODE_CIRCULAR);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    end_provider(&it);
}

Test(fake_manager, what_comes_before_initialize_is_ignored)
{
    struct test_provider it = start_provider("it");
    fake_meet();
    fake_start();
    fake_say(FXT_I_STOP, 0);
    fake_say(FXT_I_TERMINATE, 0);
    const struct fxt_i_packet registered = {.ordinal = FXT_I_REGISTERED, .transaction = 7};
    cr_assert_eq(fake_send(&registered, NULL, 0), 0);
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(fake_hear_fifo(100), 0);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    end_provider(&it);
}

Test(fake_manager, terminate_stops_first)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_STREAMING);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    fake_say(FXT_I_TERMINATE, 0);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    cr_expect_eq(fake_hear_fifo(5000), -1);
    cr_expect_eq(fake_find_events().events, 100);
    cr_expect(soon_mapped(it.process, 0));
    expect_alive(&it);
    end_provider(&it);
}

/* A manager that thinks that it has misbehaved does so, and begins anew later. */
Test(fake_manager, closing_the_fifo_ends_tracing)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_CIRCULAR);
    int descriptors = count_descriptors(it.process);
    for (int i = 0; i < 3; i++) {
        fake_close(&fake.fifo);
        cr_expect_eq(order(&it, 'o', 5000), 'k');
        cr_expect(soon_mapped(it.process, 0));
        fake_initialize(TRACE_MODE_CIRCULAR);
        fake_start();
        cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    }
    cr_expect_eq(count_descriptors(it.process), descriptors);
    end_provider(&it);
}

/* The next session is not missed because the last one takes its time to end. */
Test(fake_manager, initialize_waits_for_the_end_of_the_last_session)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_ONESHOT);
    send_order(&it, 'H', 300);
    sleep_ms(100);
    fake_close(&fake.fifo);
    sleep_ms(50);
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    cr_expect_eq(receive_answer(&it), 'k');
    expect_alive(&it);
    end_provider(&it);
}

/* What cannot be traced into. */

static void expect_refused(struct test_provider *it, int file, int fifo, const char *what)
{
    fake_initialize_with(TRACE_MODE_ONESHOT, file, fifo);
    fake_start();
    close(file);
    close(fifo);
    sleep_ms(100);
    cr_expect_eq(order(it, 'o', 1000), 'k', "%s", what);
    cr_expect_eq(count_mapped_buffers(it->process), 0, "%s", what);
}

static int fifo_for(int *other)
{
    int ends[2];
    fake_close(other);
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    *other = ends[0];
    return ends[1];
}

Test(fake_manager, buffer_that_cannot_be_is_not_traced_into)
{
    static const uint64_t sizes[] = {4095, 4097, 8, 5000, 2048, (1 << 20) + 8};
    struct test_provider it = start_provider("it");
    int other = -1;
    fake_meet();
    cr_expect_eq(order(&it, 'e', 1), 'k');
    cr_expect_eq(order(&it, 'L', 1 << 16), 'k');
    int descriptors = count_descriptors(it.process);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        expect_refused(&it, fake_make_file(sizes[i], F_SEAL_SHRINK), fifo_for(&other), "its size");
        cr_expect(fake_is_closed(other, 1000));
    }
    expect_refused(&it, fake_make_file(1 << 20, 0), fifo_for(&other), "no seal");
    expect_refused(&it, fake_make_file(1 << 20, F_SEAL_GROW), fifo_for(&other), "the wrong seal");
    expect_refused(&it, fake_make_file(0, F_SEAL_SHRINK), fifo_for(&other), "nothing");
    expect_refused(&it, fake_make_file(1 << 20, F_SEAL_SHRINK | F_SEAL_WRITE), fifo_for(&other),
                   "nobody may write");
    expect_refused(&it, open("/dev/zero", O_RDWR), fifo_for(&other), "a device");
    expect_refused(&it, dup(fake.connection), fifo_for(&other), "a socket");
    cr_expect(fake_is_closed(other, 1000));
    cr_expect_leq(count_descriptors(it.process), descriptors);
    cr_expect_eq(order(&it, 'L', 0), 'k');
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    fake_close(&other);
    end_provider(&it);
}

Test(fake_manager, fifo_that_is_none_is_not_traced_with)
{
    struct test_provider it = start_provider("it");
    int ends[2];
    fake_meet();
    cr_expect_eq(order(&it, 'e', 1), 'k');
    int descriptors = count_descriptors(it.process);
    for (int end = 0; end < 2; end++) {
        cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
        expect_refused(&it, fake_make_file(1 << 20, F_SEAL_SHRINK), ends[end], "a pipe");
        close(ends[1 - end]);
    }
    expect_refused(&it, fake_make_file(1 << 20, F_SEAL_SHRINK), open("/proc/self/exe", O_RDONLY),
                   "a file");
    expect_refused(&it, fake_make_file(1 << 20, F_SEAL_SHRINK), open("/dev/null", O_RDWR),
                   "a device");
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    expect_refused(&it, fake_make_file(1 << 20, F_SEAL_SHRINK), ends[0], "a stream");
    close(ends[1]);
    cr_expect_leq(count_descriptors(it.process), descriptors);
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    end_provider(&it);
}

/* What breaks the rules. */

static void expect_closes(const void *bytes, size_t size, const int *descriptors, size_t count)
{
    fake_meet();
    cr_assert_eq(fxt_i_socket_send(fake.connection, bytes, size, descriptors, count), 0);
    cr_expect(fake_is_closed(fake.connection, 5000));
}

Test(fake_manager, broken_packet_closes_the_connection_and_the_provider_comes_again)
{
    static uint8_t bytes[30000];
    const struct fxt_i_packet packet = {.ordinal = FXT_I_INITIALIZE, .choice = TRACE_MODE_ONESHOT};
    struct test_provider it = start_provider("it");
    int one = open("/dev/null", O_RDONLY | O_CLOEXEC);
    uint64_t size = fxt_i_packet_write(bytes, &packet, NULL);
    expect_closes(bytes, size, NULL, 0);
    expect_closes(bytes, size, &one, 1);
    end_provider(&it);
    const struct {
        size_t at;
        uint8_t value;
        size_t size;
    } changes[] = {{0, 2, size}, {2, 1, size},    {3, 0xff, size},     {4, 1, size},
                   {8, 4, size}, {10, 101, size}, {size - 1, 1, size}, {0, 1, size - 1},
                   {0, 1, 7},    {0, 1, 1},       {0, 1, sizeof bytes}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        it = start_provider("it");
        fxt_i_packet_write(bytes, &packet, NULL);
        bytes[changes[i].at] = changes[i].value;
        expect_closes(bytes, changes[i].size, NULL, 0);
        expect_alive(&it);
        end_provider(&it);
        fake_accept(100);
    }
    close(one);
}

Test(fake_manager, broken_packet_of_the_fifo_ends_tracing)
{
    static const char *const packets[] = {"\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0",
                                          "\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0",
                                          "\0\1\1\0\0\0\0\0\0\0\0\0\0\0\0"};
    const size_t sizes[] = {1, 15, 17, 4096};
    static const uint8_t zeros[4096] = {0, 1};
    struct test_provider it = start_provider("it");
    fake_meet();
    for (int i = 0; i < 7; i++) {
        fake_initialize(TRACE_MODE_STREAMING);
        fake_start();
        cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
        if (i < 3)
            cr_assert_eq(fxt_i_socket_send(fake.fifo, packets[i], 16, NULL, 0), 0);
        else
            cr_assert_eq(fxt_i_socket_send(fake.fifo, zeros, sizes[i - 3], NULL, 0), 0);
        cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
        cr_expect_eq(fake_hear_fifo(5000), -1);
    }
    end_provider(&it);
}

Test(fake_manager, saved_that_was_not_asked_for_is_ignored)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_BUFFER_SAVED, .wrapped_count = 3};
    uint8_t bytes[FXT_I_FIFO_BYTES];
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_STREAMING);
    fxt_i_fifo_write(bytes, &packet);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(fxt_i_socket_send(fake.fifo, bytes, sizeof bytes, NULL, 0), 0);
    cr_expect_eq(order(&it, 'e', 30000), 'k'); /* more than there is room for */
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_SAVE_BUFFER);
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    cr_expect_gt(fake_find_events().events, 0);
    end_provider(&it);
}

/* The engine tells of a start when its observers have acknowledged it. The manager is told before it
   is asked to save, and before it knows of the end. */
Test(fake_manager, manager_hears_first_that_tracing_has_started)
{
    struct test_provider it = start_provider("it");
    fake_meet();
    cr_assert_eq(order(&it, 'O', 0), 'k');
    fake_initialize(TRACE_MODE_STREAMING);
    fake_start();
    cr_assert_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(fake_hear_fifo(50), 0, "the observer is asked first");
    cr_expect_eq(order(&it, 'e', 30000), 'k');
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_SAVE_BUFFER);
    cr_expect_eq(order(&it, 'O', 0), 'k');
    cr_expect_eq(fake_hear_fifo(50), 0, "said once");
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    cr_expect_eq(order(&it, 'O', 0), 'k');
    fake_say(FXT_I_TERMINATE, 0);
    cr_expect_eq(fake_hear_fifo(5000), -1);
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_start();
    cr_assert_eq(order(&it, 's', 5000), 'k');
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    end_provider(&it);
}

/* Who does not listen. */

static uint64_t ms_of(struct test_provider *it, char letter, uint64_t number)
{
    uint64_t since = now_ms();
    cr_expect_eq(order(it, letter, number), 'k');
    return now_ms() - since;
}

Test(fake_manager, program_does_not_wait_for_a_manager_that_does_not_read)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_STREAMING);
    cr_expect_lt(ms_of(&it, 'A', 100000), 2000);
    cr_expect_lt(ms_of(&it, 'e', 100000), 2000);
    for (int i = 0; i < 100; i++)
        fake_say(FXT_I_GET_KNOWN_CATEGORIES, 0);
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(order(&it, 'o', 5000), 'k');
    cr_expect_lt(cpu_ms(it.process), 3000);
    unsigned long before = count_switches(it.process);
    sleep_ms(500);
    cr_expect_leq(count_switches(it.process) - before, 4, "it does not try all the time");
    while (fake_hear_fifo(100) == FXT_I_ALERT)
        ;
    fake_say(FXT_I_TERMINATE, 0);
    cr_expect(fake_is_closed(fake.fifo, 5000), "when it is read again, all is said");
    end_provider(&it);
}

Test(fake_manager, program_does_not_wait_for_a_fifo_that_blocks)
{
    struct test_provider it = start_provider("it");
    int ends[2];
    fake_meet();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    fake.bytes = 1 << 20;
    fake.file = fake_make_file(fake.bytes, F_SEAL_SHRINK);
    fake_initialize_with(TRACE_MODE_STREAMING, fake.file, ends[1]);
    fake.fifo = ends[0];
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    cr_expect_lt(ms_of(&it, 'A', 100000), 2000);
    cr_expect_lt(ms_of(&it, 'e', 100000), 2000);
    fake_say(FXT_I_STOP, 0);
    cr_expect_eq(order(&it, 'o', 5000), 'k');
    close(ends[1]);
    end_provider(&it);
}

Test(fake_manager, program_does_not_wait_for_a_manager_that_does_not_accept)
{
    struct test_provider many[4];
    uint64_t since = now_ms();
    for (int i = 0; i < 4; i++)
        many[i] = start_provider("it");
    for (int i = 0; i < 4; i++) {
        expect_alive(&many[i]);
        end_provider(&many[i]);
    }
    cr_expect_lt(now_ms() - since, 1000);
}

Test(fake_manager, program_waits_a_second_for_an_answer_that_it_wants)
{
    uint64_t since = now_ms();
    struct test_provider it = start_provider_as("it", true);
    cr_assert(fake_accept(5000));
    cr_assert(fake_hear(FXT_I_REGISTER_SYNCHRONOUSLY, 5000));
    cr_expect_eq(order(&it, 'y', 0), 'n');
    cr_expect_geq(now_ms() - since, 900);
    cr_expect_leq(now_ms() - since, 3000);
    fake_initialize(TRACE_MODE_ONESHOT);
    fake_start();
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    end_provider(&it);
}

static void do_nothing(int number)
{
    (void)number;
}

/* Signals in between do not end the waiting. */
Test(fake_manager, program_that_is_interrupted_waits_on_for_its_answer)
{
    const struct itimerval often = {{0, 5000}, {0, 5000}};
    const struct sigaction action = {.sa_handler = do_nothing};
    int ends[2];
    char byte = 0;
    cr_assert_eq(pipe(ends), 0);
    pid_t process = fork();
    if (process == 0) {
        struct provider_self self;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        begin_providing(&self, "it", true);
        byte = self.already_started ? 'y' : 'n';
        _exit(write(ends[1], &byte, 1) == 1 ? 0 : 1);
    }
    cr_assert(fake_accept(5000));
    cr_assert(fake_hear(FXT_I_REGISTER_SYNCHRONOUSLY, 5000));
    sleep_ms(200);
    const struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTERED, .transaction = 1, .choice = 1};
    cr_assert_eq(fake_send(&packet, NULL, 0), 0);
    cr_assert_eq(read(ends[0], &byte, 1), 1);
    cr_expect_eq(byte, 'y');
    waitpid(process, NULL, 0);
}

Test(fake_manager, other_answer_than_the_one_that_was_wanted_leaves_nothing_open)
{
    struct test_provider it = start_provider_as("it", true);
    cr_assert(fake_accept(5000));
    cr_assert(fake_hear(FXT_I_REGISTER_SYNCHRONOUSLY, 5000));
    fake_initialize(TRACE_MODE_ONESHOT); /* without having said that it is registered */
    cr_expect_eq(order(&it, 'y', 0), 'n');
    cr_expect(fake_is_closed(fake.fifo, 5000));
    expect_alive(&it);
    end_provider(&it);
}

/* How many connections come in so many ms, each closed at once. */
static int count_connections(int ms)
{
    int count = 0;
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end;)
        count += fake_accept(20);
    fake_close(&fake.connection);
    return count;
}

Test(fake_manager, manager_that_closes_at_once_is_asked_seldom)
{
    struct test_provider it = start_provider("it");
    int count = count_connections(3000);
    cr_expect_geq(count, 2);
    cr_expect_leq(count, 5, "%d", count);
    unsigned long before = count_switches(it.process);
    sleep_ms(1000);
    cr_expect_leq(count_switches(it.process) - before, 4);
    cr_expect_lt(cpu_ms(it.process), 100);
    expect_alive(&it);
    fake_meet(); /* at last */
    end_provider(&it);
}

/* A manager that comes in the place of one that was bad is found at once. */
Test(fake_manager, another_manager_is_found_at_once)
{
    struct test_provider it = start_provider("it");
    cr_expect_eq(order(&it, 'C', 0), 'k');
    for (int i = 0; i < 3; i++)
        cr_assert(fake_accept(10000));
    fake_close(&fake.connection); /* it would come again in a second */
    sleep_ms(300);
    fake_close(&fake.listening);
    fake_listen();
    cr_expect(fake_accept(600));
    end_provider(&it);
}

/* Without a manager. */

static void remove_registry(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/" FXT_I_REGISTRY, directory);
    cr_assert_eq(unlink(path), 0);
}

Test(fake_manager, without_a_manager_a_provider_costs_nothing)
{
    fake_close(&fake.listening);
    remove_registry();
    struct test_provider it = start_provider("it");
    expect_alive(&it);
    sleep_ms(200);
    int descriptors = count_descriptors(it.process);
    unsigned long before = count_switches(it.process);
    sleep_ms(2500);
    cr_expect_leq(count_switches(it.process) - before, 1);
    cr_expect_leq(count_descriptors(it.process), descriptors);
    end_provider(&it);
}

Test(fake_manager, directory_that_cannot_be_watched_is_looked_at_seldom)
{
    char path[200];
    fake_close(&fake.listening);
    snprintf(path, sizeof path, "%s/a/b", directory);
    setenv("FXT_TRACE_DIR", path, 1);
    struct test_provider it = start_provider("it");
    expect_alive(&it);
    sleep_ms(100);
    unsigned long before = count_switches(it.process);
    sleep_ms(4500);
    cr_expect_leq(count_switches(it.process) - before, 8);
    cr_expect_lt(cpu_ms(it.process), 50);
    end_provider(&it);
}

/* As systemd does it, and everybody who does not rename a socket that already listens. */
static int bind_registry(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int it = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/" FXT_I_REGISTRY, directory);
    cr_assert_eq(bind(it, (const struct sockaddr *)&address, sizeof address), 0);
    return it;
}

/* It is there when the provider begins, or appears while the provider waits. */
Test(fake_manager, socket_that_listens_only_later_is_found)
{
    for (int i = 0; i < 2; i++) {
        struct test_provider it;
        fake_close(&fake.listening);
        remove_registry();
        if (i == 0)
            fake.listening = bind_registry();
        it = start_provider("it");
        expect_alive(&it);
        sleep_ms(100);
        if (i == 1)
            fake.listening = bind_registry();
        sleep_ms(50);
        cr_assert_eq(listen(fake.listening, 10), 0);
        cr_expect(fake_accept(2000), "%d", i);
        end_provider(&it);
        fake_close(&fake.connection);
    }
}

/* Its manager was killed. */
Test(fake_manager, socket_at_which_nobody_listens_is_tried_seldom)
{
    fake_close(&fake.listening);
    struct test_provider it = start_provider("it");
    expect_alive(&it);
    sleep_ms(100);
    unsigned long before = count_switches(it.process);
    sleep_ms(3000);
    cr_expect_leq(count_switches(it.process) - before, 6);
    end_provider(&it);
}

/* The provider goes, at each moment. */

enum moment { UNMET, REGISTERED, INITIALIZED, STARTED, STOPPED, CLOSED, REFUSED, MOMENTS };

static void come_to(enum moment moment)
{
    if (moment >= REGISTERED)
        fake_meet();
    if (moment >= INITIALIZED)
        fake_initialize(TRACE_MODE_STREAMING);
    if (moment >= STARTED) {
        fake_start();
        cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
    }
    if (moment >= STOPPED)
        fake_say(FXT_I_STOP, 0);
    if (moment >= CLOSED)
        fake_close(&fake.fifo);
    if (moment >= REFUSED)
        fake_close(&fake.connection);
    sleep_ms(moment >= STOPPED ? 0 : 20);
}

static void expect_gone(struct test_provider *it, enum moment moment)
{
    bool met = moment >= REGISTERED || fake_accept(100);
    if (moment < REFUSED && met)
        cr_expect(fake_is_closed(fake.connection, 5000), "moment %d", moment);
    if (moment >= INITIALIZED && moment < CLOSED)
        cr_expect(fake_is_closed(fake.fifo, 5000), "moment %d", moment);
    cr_expect(soon_mapped(it->process, 0), "moment %d", moment);
    expect_alive(it);
}

static void go_at_each_moment(const char *how)
{
    for (int moment = UNMET; moment < MOMENTS; moment++) {
        struct test_provider it = start_provider("it");
        come_to((enum moment)moment);
        for (const char *letter = how; *letter != '\0'; letter++)
            cr_expect_eq(order(&it, *letter, 0), 'k', "moment %d", moment);
        expect_gone(&it, (enum moment)moment);
        if (how[0] == 'd' && how[1] == '\0') {
            cr_expect_eq(order(&it, 'N', 0), 'k', "another one");
            fake_meet();
        }
        end_provider(&it);
        while (fake_accept(10))
            ;
        fake_forget_session();
    }
}

Test(fake_manager, provider_can_be_destroyed_at_each_moment)
{
    go_at_each_moment("d");
}

Test(fake_manager, provider_and_loop_can_be_destroyed_at_each_moment)
{
    go_at_each_moment("D");
}

Test(fake_manager, loop_can_be_destroyed_at_each_moment)
{
    go_at_each_moment("l");
}

Test(fake_manager, loop_can_be_shut_down_at_each_moment)
{
    go_at_each_moment("S");
}

Test(fake_manager, provider_is_destroyed_when_threads_have_left)
{
    struct test_provider it = start_provider("it");
    fake_begin_tracing(TRACE_MODE_CIRCULAR);
    struct test_provider unheard = it;
    send_order(&unheard, 'H', 300);
    sleep_ms(50);
    fake_say(FXT_I_TERMINATE, 0);
    cr_expect_eq(fake_hear_fifo(100), 0, "somebody is inside");
    cr_expect_eq(receive_answer(&it), 'k');
    cr_expect_eq(fake_hear_fifo(5000), FXT_I_STOPPED);
    cr_expect_eq(fake_hear_fifo(5000), -1);
    cr_expect_eq(order(&it, 'd', 0), 'k');
    cr_expect(fake_is_closed(fake.connection, 5000));
    end_provider(&it);
}

/* A manager that scribbles on the buffer while it is written. */
Test(fake_manager, scribbling_on_the_buffer_does_not_harm_the_program)
{
    struct test_provider it = start_provider("it");
    uint64_t seed = now_ms();
    fake_meet();
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_STREAMING; mode++) {
        fake_initialize((enum trace_mode)mode);
        fake_start();
        cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
        send_order(&it, 'p', 100000);
        for (uint64_t end = now_ms() + 300; now_ms() < end;)
            for (int i = 0; i < 1000; i++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                fake.buffer[(seed >> 24) % (i % 4 == 0 ? 4096 : fake.bytes)] =
                    (uint8_t)(seed >> 16);
            }
        cr_expect_eq(receive_answer(&it), 'k');
        fake_say(FXT_I_STOP, 0);
        fake_say(FXT_I_TERMINATE, 0);
        cr_expect(fake_is_closed(fake.fifo, 5000));
    }
    end_provider(&it);
}

Test(fake_manager, program_without_descriptors_comes_again_when_it_has_some)
{
    struct test_provider it = start_provider("it");
    fake_meet();
    uint64_t all = (uint64_t)count_descriptors(it.process);
    cr_expect_eq(order(&it, 'R', 3), 'k');
    int ends[2];
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    int file = fake_make_file(1 << 20, F_SEAL_SHRINK);
    fake_initialize_with(TRACE_MODE_ONESHOT, file, ends[1]);
    close(ends[1]);
    close(file);
    cr_expect(fake_is_closed(fake.connection, 5000));
    cr_expect(fake_is_closed(ends[0], 1000));
    unsigned long before = count_switches(it.process);
    sleep_ms(1000);
    cr_expect_leq(count_switches(it.process) - before, 8);
    cr_expect_eq(order(&it, 'R', 1000), 'k');
    fake_begin_tracing(TRACE_MODE_ONESHOT);
    cr_expect_leq((uint64_t)count_descriptors(it.process), all + 1);
    end_provider(&it);
}
