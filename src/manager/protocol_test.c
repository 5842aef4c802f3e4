/* Providers that do not keep to the protocol, by hand over the manager's registry: each harms itself
   only. */
#include <sys/ioctl.h>

#include "src/manager/both_test.h"

static void begin(void)
{
    start_manager_with(NULL, 5000);
}

TestSuite(protocol, .init = begin, .fini = clean_up, .timeout = 120);

/* The registry. */

static void expect_registry_closes(const uint8_t *bytes, size_t size, const char *what)
{
    struct raw *it = raw_open(FXT_I_REGISTRY);
    cr_assert_eq(raw_send(it->socket, bytes, size), 0, "%s", what);
    cr_expect(raw_is_closed(it->socket, 4000), "%s: is closed", what);
    raw_end(it);
}

Test(protocol, packet_that_breaks_a_rule_closes_the_connection)
{
    static uint8_t bytes[150000];
    struct raw *it = raw_open(FXT_I_REGISTRY);
    const struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTER, .process = 1};
    uint64_t size = raw_compose(it, &packet, "name");
    const struct {
        uint32_t at;
        uint8_t value;
        const char *what;
    } changes[] = {
        {0, 2, "another version"},
        {2, 0x03, "an ordinal of the manager"},
        {2, 0xff, "an ordinal that does not exist"},
        {4, 1, "a transaction where nothing is answered"},
        {16, 0, "a name of no bytes"},
        {16, 101, "a name that is too long"},
        {17, 0xff, "a name that is much too long"},
        {18, 1, "something beside its length"},
        {21, 0, "a name with a zero byte"},
        {20, 0xff, "a name that is no UTF-8"},
        {24, 1, "something behind the name"},
        {119, 1, "something at the end"},
    };
    int descriptors = count_descriptors(manager_process);

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(bytes, it->packet, size);
        bytes[changes[i].at] = changes[i].value;
        expect_registry_closes(bytes, size, changes[i].what);
    }
    memcpy(bytes, it->packet, size);
    const size_t sizes[] = {1, 7, 8, 16, 119, 121, 20816, 20817, sizeof bytes};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_registry_closes(bytes, sizes[i], "another size");
    wait_for_descriptors(descriptors);
    raw_end(it);
    cr_expect_eq(stop_manager(), 0);
}

Test(protocol, who_registers_twice_is_closed)
{
    struct raw *it = raw_provider("twice");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 1);
    raw_register(it, "twice");
    cr_expect(raw_is_closed(it->socket, 2000));
    wait_for_providers(controller, 0);
    trace_controller_destroy(controller);
    raw_end(it);
}

Test(protocol, who_does_not_register_in_time_is_closed)
{
    struct raw *it = raw_open(FXT_I_REGISTRY);
    uint64_t since = now_ms();
    cr_expect(raw_is_closed(it->socket, 10000));
    cr_expect_geq(now_ms() - since, 4900);
    cr_expect_leq(now_ms() - since, 8000);
    raw_end(it);
}

static void send_with(int to, const void *bytes, size_t size, int descriptor, int count)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * 16)];
    } control;
    struct iovec data = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count)};
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    for (int i = 0; i < count; i++)
        memcpy(CMSG_DATA(&control.header) + sizeof(int) * (size_t)i, &descriptor, sizeof(int));
    cr_assert_eq(sendmsg(to, &message, MSG_NOSIGNAL), (ssize_t)size);
}

Test(protocol, descriptors_that_nobody_asked_for_are_closed)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTER, .process = 1};
    const int counts[] = {1, 2, 3, 16};
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    int descriptors = count_descriptors(manager_process);
    for (int i = 0; i < 4; i++) {
        struct raw *it = raw_open(FXT_I_REGISTRY);
        uint64_t size = raw_compose(it, &packet, "gives");
        send_with(it->socket, it->packet, size, STDERR_FILENO, counts[i]);
        if (counts[i] > 2)
            cr_expect(raw_is_closed(it->socket, 2000));
        else
            cr_expect(raw_await(it, FXT_I_START, 2000));
        raw_end(it);
        it = raw_open(FXT_I_REGISTRY);
        send_with(it->socket, it->packet, 0, STDERR_FILENO, counts[i]);
        cr_expect(raw_is_closed(it->socket, 2000));
        raw_end(it);
    }
    wait_for_providers(both.session.controller, 2);
    wait_for_descriptors(descriptors);
    uint8_t started[FXT_I_FIFO_BYTES] = {FXT_I_STARTED, 0, 0, 0, FXT_I_FIFO_VERSION};
    send_with(both.raw->fifo, started, sizeof started, STDERR_FILENO, 2);
    cr_expect_eq(order(&both.well, 'e', 0), 'k');
    send_with(both.raw->fifo, started, 0, STDERR_FILENO, 2);
    cr_expect(raw_is_closed(both.raw->fifo, 2000));
    wait_for_descriptors(descriptors);
    end_both(&both);
}

/* Categories. */

static void count_category(void *data, const char *name, const char *description)
{
    (void)name;
    (void)description;
    ++*(int *)data;
}

Test(protocol, who_does_not_tell_its_categories_is_not_waited_for)
{
    struct test_provider well = start_provider("well");
    struct raw *it = raw_provider("silent");
    trace_controller_t *controller = connect_client();
    int count = 0;
    wait_for_providers(controller, 2);
    cr_assert_eq(order(&well, 'c', 0), 'k');
    uint64_t since = now_ms();
    cr_expect_eq(trace_controller_get_known_categories(controller, count_category, &count), 0);
    cr_expect_eq(count, 2);
    cr_expect_geq(now_ms() - since, 900);
    cr_expect_leq(now_ms() - since, 4000);
    raw_end(it); /* what it was asked is not waited for any more */
    count = 0;
    since = now_ms();
    cr_expect_eq(trace_controller_get_known_categories(controller, count_category, &count), 0);
    cr_expect_eq(count, 2);
    cr_expect_leq(now_ms() - since, 900);
    trace_controller_destroy(controller);
    end_provider(&well);
}

static uint32_t await_question(struct raw *it)
{
    struct fxt_i_packet packet = {.transaction = 0};
    cr_assert(raw_hear(it, &packet, 5000));
    cr_assert_eq(packet.ordinal, FXT_I_GET_KNOWN_CATEGORIES);
    return packet.transaction;
}

static void send_category(struct raw *it, uint32_t transaction, const char *name)
{
    const struct fxt_i_packet packet = {
        .ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = transaction, .name_count = 1};
    raw_send(it->socket, it->packet, raw_compose(it, &packet, name));
}

struct lister {
    pthread_t thread;
    int count;
};

static void *list_categories(void *self)
{
    struct lister *it = self;
    trace_controller_t *controller = connect_client();
    trace_controller_get_known_categories(controller, count_category, &it->count);
    trace_controller_destroy(controller);
    return NULL;
}

/* One provider answers both at once, the other one when both have asked. */
static int least_of_two_lists(void)
{
    struct raw *quick = raw_provider("quick");
    struct raw *slow = raw_provider("slow");
    trace_controller_t *controller = connect_client();
    struct lister first = {.count = 0};
    struct lister second = {.count = 0};
    wait_for_providers(controller, 2);
    pthread_create(&first.thread, NULL, list_categories, &first);
    uint32_t question = await_question(slow);
    send_category(quick, await_question(quick), "quick");
    sleep_ms(50);
    pthread_create(&second.thread, NULL, list_categories, &second);
    send_category(quick, await_question(quick), "quick");
    sleep_ms(50);
    send_category(slow, question, "slow");
    pthread_join(first.thread, NULL);
    pthread_join(second.thread, NULL);
    trace_controller_destroy(controller);
    raw_end(quick);
    raw_end(slow);
    return first.count < second.count ? first.count : second.count;
}

/* A busy machine may take longer than a manager waits, but not always. */
Test(protocol, two_clients_that_list_categories_at_once_get_whole_lists)
{
    int least = 0;
    for (int i = 0; i < 10 && least < 2; i++)
        least = least_of_two_lists();
    cr_expect_eq(least, 2);
}

struct names {
    pthread_t thread;
    bool right;
    bool other;
    bool wrong;
};

static void note_name(void *data, const char *name, const char *description)
{
    struct names *it = data;
    (void)description;
    it->right = it->right || strcmp(name, "right") == 0;
    it->other = it->other || strcmp(name, "other") == 0;
    it->wrong = it->wrong || strcmp(name, "wrong") == 0;
}

static void *list_names(void *self)
{
    struct names *it = self;
    trace_controller_t *controller = connect_client();
    trace_controller_get_known_categories(controller, note_name, it);
    trace_controller_destroy(controller);
    return NULL;
}

/* One provider answers rightly once, and wrongly before and after, while the other one is waited for. */
static struct names names_with_wrong_answers(void)
{
    struct raw *it = raw_provider("it");
    struct raw *other = raw_provider("other");
    trace_controller_t *controller = connect_client();
    struct names names = {.right = false};
    send_category(it, 0, "wrong");
    send_category(it, 7, "wrong");
    wait_for_providers(controller, 2);
    pthread_create(&names.thread, NULL, list_names, &names);
    uint32_t question = await_question(it);
    uint32_t last = await_question(other);
    send_category(it, question + 1, "wrong");
    send_category(it, question - 1, "wrong");
    send_category(it, question, "right");
    send_category(it, question, "wrong");
    send_category(it, 0, "wrong");
    wait_for_providers(controller,
                       2); /* their packets are read meanwhile, and they are not dropped */
    send_category(other, last, "other");
    pthread_join(names.thread, NULL);
    trace_controller_destroy(controller);
    raw_end(it);
    raw_end(other);
    return names;
}

/* A busy machine may take longer than a manager waits, but not always. */
Test(protocol, categories_that_answer_no_question_are_ignored)
{
    struct names names = {.right = false};
    for (int i = 0; i < 10 && !(names.right && names.other); i++) {
        names = names_with_wrong_answers();
        cr_expect(!names.wrong);
    }
    cr_expect(names.right && names.other);
}

/* The FIFO. */

static void expect_fifo_closes(const void *bytes, size_t size, const char *what)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(raw_send(both.raw->fifo, bytes, size), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 2000), "%s", what);
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it);
    cr_expect(it->misbehaved, "%s", what);
    expect_events(&both, 50);
}

Test(protocol, broken_packet_of_the_fifo_takes_a_provider_out_with_what_it_wrote)
{
    static const uint8_t oversize[70000];
    expect_fifo_closes("\3", 1, "short");
    expect_fifo_closes("\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15, "too short by one");
    expect_fifo_closes("\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 17, "too long by one");
    expect_fifo_closes(oversize, sizeof oversize, "far too long");
    expect_fifo_closes("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "no request");
    expect_fifo_closes("\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "an unknown request");
    expect_fifo_closes("\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "the manager's request");
    expect_fifo_closes("\3\0\1\0\0\0\0\0\0\0\0\0\0\0\0", 16, "data of stopped");
    expect_fifo_closes("\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "an alert without a name");
    expect_fifo_closes("\4\0a\0b\0\0\0\0\0\0\0\0\0\0", 16, "an alert with two names");
}

Test(protocol, fifo_packet_with_three_descriptors_takes_a_provider_out_with_what_it_wrote)
{
    const uint8_t stopped[FXT_I_FIFO_BYTES] = {FXT_I_STOPPED};
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    await_heard(&both);
    int descriptors = count_descriptors(manager_process);
    send_with(both.raw->fifo, stopped, sizeof stopped, STDERR_FILENO, 3);
    cr_expect(raw_is_closed(both.raw->fifo, 20000));
    cr_expect(log_has("sends a packet that breaks the rules"));
    wait_for_descriptors(descriptors - 1); /* without the FIFO */
    cr_expect(end_both(&both)->misbehaved);
    expect_events(&both, 50);
}

/* Its data end is not believed any more. */
Test(protocol, who_breaks_a_rule_after_it_has_stopped_keeps_what_it_wrote)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    raw_write_events(both.raw, FXT_BUFFER_HEADER_BYTES, 0, 100);
    write_all(&both, 50);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    cr_assert_eq(raw_send(both.raw->fifo, "", 1), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 20000));
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it);
    cr_expect(it->misbehaved && !it->died);
    expect_events(&both, 100);
}

/* bytes: the first packet of the FIFO. */
static void start_with(const char *bytes, uint64_t events, const char *what)
{
    struct both both;
    begin_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(raw_send(both.raw->fifo, bytes, FXT_I_FIFO_BYTES), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 20000), "%s", what);
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it, "%s", what);
    cr_expect(it->misbehaved, "%s", what);
    expect_events(&both, events);
    cr_expect_eq(find_events(&both.session.archive, NULL).providers, events > 0 ? 2 : 1, "%s",
                 what);
}

Test(protocol, nothing_is_taken_of_who_speaks_another_version)
{
    start_with("\1\0\0\0\2\0\0\0\0\0\0\0\0\0\0", 0, "2");
    start_with("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 0, "0");
    start_with("\1\0\0\0\1\1\0\0\0\0\0\0\0\0\0", 0, "257");
    start_with("\1\0\0\0\1\0\1\0\0\0\0\0\0\0\0", 0, "65537");
    start_with("\1\0\0\0\1\0\0\1\0\0\0\0\0\0\0", 0, "16777217");
}

Test(protocol, who_speaks_this_version_and_breaks_another_rule_keeps_what_it_wrote)
{
    start_with("\1\0\1\0\1\0\0\0\0\0\0\0\0\0\0", 50, "data of 16 bits");
    start_with("\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\1", 50, "data of 64 bits");
    start_with("\1\1\0\0\2\0\0\0\0\0\0\0\0\0\0", 50, "the manager's request");
}

Test(protocol, who_stops_before_it_starts_keeps_what_it_wrote)
{
    struct both both;
    begin_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
    uint64_t since = now_ms();
    const struct trace_provider_statistics *it = end_both(&both);
    cr_expect_lt(now_ms() - since, 300, "it is not waited for");
    cr_assert_not_null(it);
    cr_expect(!it->died);
    expect_events(&both, 50);
}

/* As one whose observers are slow to acknowledge, in each order in which the packets may arrive. */
Test(protocol, who_asks_to_save_before_it_has_started_goes_on)
{
    for (int late = 0; late < 2; late++) {
        struct both both;
        begin_both(&both, TRACE_MODE_STREAMING);
        fill_a_half(&both);
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
        if (late == 0)
            cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
        cr_expect(is_saved(&both), "the first half");
        if (late == 1)
            cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 1, 0), 0);
        cr_expect(is_saved(&both), "the second half");
        cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
        const struct trace_provider_statistics *it = end_both(&both);
        cr_assert_not_null(it);
        cr_expect(!it->misbehaved && !it->died);
        expect_events(&both, 100);
    }
}

Test(protocol, who_stops_before_it_says_that_it_started_keeps_each_run)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(trace_controller_stop(both.session.controller, true, NULL, NULL), 0);
    cr_assert_eq(
        trace_controller_start(both.session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
        0);
    cr_assert(raw_await(both.raw, FXT_I_START, 5000));
    raw_begin_buffer(both.raw, TRACE_MODE_ONESHOT);
    both.raw->header.rolling_data_end[0] =
        raw_write_events(both.raw, FXT_BUFFER_HEADER_BYTES, 50, 50);
    fxt_buffer_write_header(both.raw->buffer, &both.raw->header);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_not_null(end_both(&both));
    expect_events(&both, 100);
}

Test(protocol, who_stops_before_the_start_takes_part)
{
    struct both both;
    initialize_both(&both, TRACE_MODE_ONESHOT);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    begin_well(&both);
    cr_assert(raw_await(both.raw, FXT_I_START, 5000));
    cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
    write_all(&both, 50);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it);
    cr_expect(!it->misbehaved && !it->died);
    expect_events(&both, 50);
}

/* Its header says nothing: nobody has told it to start. */
Test(protocol, nothing_is_taken_of_who_stops_and_leaves_before_the_start)
{
    struct both both;
    initialize_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    raw_close(&both.raw->socket);
    wait_for_providers(both.session.controller, 1);
    begin_well(&both);
    cr_expect_null(end_both(&both));
    expect_events(&both, 0);
}

Test(protocol, alert_that_no_client_waits_for_any_more_is_dropped)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    trace_controller_destroy(both.session.controller);
    cr_assert(raw_await(both.raw, FXT_I_STOP, 20000));
    cr_assert_eq(raw_say(both.raw, FXT_I_ALERT, 0, 0), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    pthread_join(both.session.archive.reader, NULL);
    expect_events(&both, 50);
    cr_expect_eq(find_events(&both.session.archive, "well").events, 100);
    cr_expect_eq(stop_manager(), 0);
    end_provider(&both.well);
    raw_end(both.raw);
}

Test(protocol, save_is_ignored_where_nothing_is_saved)
{
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_CIRCULAR; mode++) {
        struct both both;
        start_both(&both, (enum trace_mode)mode);
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 7, 24), 0);
        cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
        cr_expect(!raw_is_readable(both.raw->fifo, 100));
        const struct trace_provider_statistics *it = end_both(&both);
        cr_assert_not_null(it);
        cr_expect(!it->misbehaved && !it->died);
    }
}

Test(protocol, half_is_saved_once)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    cr_expect(is_saved(&both));
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_expect(!end_both(&both)->misbehaved);
    expect_events(&both, 100);
}

Test(protocol, half_that_is_asked_for_before_the_start_is_not_saved)
{
    struct both both;
    initialize_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    await_heard(&both);
    begin_well(&both);
    cr_assert(raw_await(both.raw, FXT_I_START, 5000));
    cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    cr_expect(!raw_is_readable(both.raw->fifo, 0), "nothing is answered");
    cr_expect(!end_both(&both)->misbehaved);
    expect_events(&both, 100);
}

Test(protocol, half_that_is_asked_for_after_the_stop_is_written_once)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(trace_controller_stop(both.session.controller, true, NULL, NULL), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    await_heard(&both);
    start_session(&both.session);
    cr_assert_eq(order(&both.well, 's', 5000), 'k');
    memset(both.raw->buffer, 0, both.raw->bytes);
    raw_begin_buffer(both.raw, TRACE_MODE_STREAMING);
    cr_assert_eq(raw_say(both.raw, FXT_I_STARTED, 0, 0), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_expect(!end_both(&both)->misbehaved);
    expect_events(&both, 100);
}

/* Waits until the FIFO holds so many bytes that are not read. */
static bool comes_to_hold(int fifo, int bytes)
{
    int held = 0;
    for (uint64_t end = now_ms() + 20000; now_ms() < end; sleep_ms(1)) {
        struct pollfd it = {.fd = fifo};
        if (ioctl(fifo, FIONREAD, &held) != 0 || held >= bytes)
            return true;
        if (poll(&it, 1, 0) == 1)
            return false;
    }
    return false;
}

Test(protocol, who_never_reads_its_fifo_is_taken_out)
{
    struct both both;
    uint32_t saved = 0;
    start_both(&both, TRACE_MODE_STREAMING);
    do
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, saved++, 0), 0);
    while (comes_to_hold(both.raw->fifo, (int)saved * FXT_I_FIFO_BYTES));
    cr_expect_gt(saved, 10);
    cr_expect(raw_is_closed(both.raw->fifo, 5000));
    cr_expect(log_has("takes no packet from its FIFO"));
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it);
    cr_expect(it->misbehaved);
}

/* What is asked for, and whether the first half was saved in order before. */
static void expect_save_is_refused(uint32_t wrapped, uint64_t end, bool after_one)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    if (after_one) {
        cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
        cr_expect(is_saved(&both));
    }
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, wrapped, end), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 2000), "%u %lu", wrapped, (unsigned long)end);
    const struct trace_provider_statistics *it = end_both(&both);
    cr_assert_not_null(it);
    cr_expect(it->misbehaved, "%u %lu", wrapped, (unsigned long)end);
    expect_events(&both, 100);
}

Test(protocol, save_of_what_cannot_be_takes_a_provider_out_with_what_it_wrote)
{
    expect_save_is_refused(1, 0, false);
    expect_save_is_refused(UINT32_MAX, 0, false);
    expect_save_is_refused(0, 0, true);
    expect_save_is_refused(2, 0, true);
    expect_save_is_refused(0, 4, false);
    expect_save_is_refused(0, 1 << 20, false);
    expect_save_is_refused(0, UINT64_MAX, false);
    expect_save_is_refused(0, UINT64_MAX - 7, false);
}

Test(protocol, save_of_a_buffer_without_a_header_takes_a_provider_out)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    memset(both.raw->buffer, 0, FXT_BUFFER_HEADER_BYTES);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 20000));
    cr_expect(end_both(&both)->misbehaved);
    expect_events(&both, 0);
    cr_expect(log_has("the header of its buffer breaks the rules"));
    cr_expect(!log_has("asks for what cannot be saved"), "one reason is enough");
}

Test(protocol, second_save_before_the_first_is_done_takes_a_provider_out)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    kill(manager_process, SIGSTOP);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 1, 0), 0);
    kill(manager_process, SIGCONT);
    cr_expect(raw_is_closed(both.raw->fifo, 2000));
    cr_expect(end_both(&both)->misbehaved);
    expect_events(&both, 100);
}

Test(protocol, dead_of_a_streaming_session_are_written_once)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_SAVE_BUFFER, 0, 0), 0);
    cr_expect(is_saved(&both));
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(trace_controller_stop(both.session.controller, true, NULL, NULL), 0);
    raw_close(&both.raw->socket);
    wait_for_providers(both.session.controller, 1);
    cr_assert_eq(
        trace_controller_start(both.session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
        0);
    cr_assert_eq(order(&both.well, 's', 5000), 'k');
    cr_expect(!end_both(&both)->misbehaved);
    expect_events(&both, 100);
}

static void *start_again(void *self)
{
    struct both *both = self;
    trace_controller_start(both->session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
    return NULL;
}

/* Its buffer still holds what the stop has written. */
static void expect_death_before_start_writes_nothing(enum trace_mode mode)
{
    struct both both;
    pthread_t starter;
    start_both(&both, mode);
    write_all(&both, 100);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(trace_controller_stop(both.session.controller, true, NULL, NULL), 0);
    pthread_create(&starter, NULL, start_again, &both);
    cr_assert(raw_await(both.raw, FXT_I_START, 5000));
    raw_close(&both.raw->socket);
    pthread_join(starter, NULL);
    end_both(&both);
    expect_events(&both, 100);
}

Test(protocol, who_dies_before_it_starts_again_is_written_once)
{
    expect_death_before_start_writes_nothing(TRACE_MODE_ONESHOT);
    expect_death_before_start_writes_nothing(TRACE_MODE_CIRCULAR);
    expect_death_before_start_writes_nothing(TRACE_MODE_STREAMING);
}

/* Waits for room in the FIFO. */
static void say_patiently(struct raw *it, uint16_t request)
{
    struct pollfd room = {.fd = it->fifo, .events = POLLOUT};
    int error;
    while ((error = raw_say(it, request, 0, 0)) == EAGAIN)
        cr_assert_eq(poll(&room, 1, 5000), 1);
    cr_assert_eq(error, 0);
}

static void flood(struct raw *it, int count)
{
    for (int i = 0; i < count; i++)
        say_patiently(it, FXT_I_ALERT);
}

static void *ask_meanwhile(void *self)
{
    struct both *it = self;
    struct trace_status status;
    uint64_t slowest = 0;
    for (int i = 0; i < 50; i++) {
        uint64_t since = now_ms();
        cr_expect_eq(trace_controller_get_status(it->session.controller, &status), 0);
        slowest = now_ms() - since > slowest ? now_ms() - since : slowest;
        sleep_ms(2);
    }
    cr_expect_lt(slowest, 1000, "%lu ms", (unsigned long)slowest);
    return NULL;
}

Test(protocol, flood_of_alerts_disturbs_nobody)
{
    struct both both;
    pthread_t thread;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    uint64_t before = memory_kb(manager_process);
    pthread_create(&thread, NULL, ask_meanwhile, &both);
    flood(both.raw, 100000);
    pthread_join(thread, NULL);
    cr_expect(IS_SANITIZED || memory_kb(manager_process) <= before + 2048);
    say_patiently(both.raw, FXT_I_STOPPED);
    cr_expect(!end_both(&both)->misbehaved);
    expect_events(&both, 50);
}

struct flooder {
    int fifo;
    _Atomic bool *end;
};

static void *flood_until_the_end(void *self)
{
    struct flooder *it = self;
    const struct raw raw = {.fifo = it->fifo};
    while (!*it->end)
        raw_say(&raw, FXT_I_ALERT, 0, 0);
    return NULL;
}

/* Its FIFO stays open in another process, or in a thread as here. */
Test(protocol, flood_of_one_that_has_left_disturbs_nobody)
{
    struct both both;
    pthread_t threads[4];
    _Atomic bool end = false;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    struct flooder flooder = {dup(both.raw->fifo), &end};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, flood_until_the_end, &flooder);
    sleep_ms(100);
    raw_close(&both.raw->socket);
    ask_meanwhile(&both);
    cr_expect(end_both(&both)->died);
    end = true;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    close(flooder.fifo);
    expect_events(&both, 50);
}

Test(protocol, buffer_cannot_change_its_size)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_expect_neq(ftruncate(both.raw->file, 4096), 0);
    cr_expect_neq(ftruncate(both.raw->file, 1 << 24), 0);
    cr_expect_neq(fcntl(both.raw->file, F_ADD_SEALS, F_SEAL_WRITE), 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    end_both(&both);
    expect_events(&both, 50);
}

/* Holes read as zeros. */
Test(protocol, buffer_with_a_hole_is_read)
{
    struct both both;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(fallocate(both.raw->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4096,
                           (off_t)both.raw->bytes - 4096),
                 0);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    const struct trace_provider_statistics *it = end_both(&both);
    cr_expect(!it->misbehaved);
    cr_expect_gt(find_events(&both.session.archive, "raw").events, 0);
}
