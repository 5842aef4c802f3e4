/* The client against a service that this test plays on a thread of its own: what goes over the
   wire, and what it makes of a service that breaks the rules. */
#include <trace-controller/controller.h>

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/protocol/controller.h"
#include "src/protocol/packet.h"
#include "src/socket/socket.h"

#define NAMED(text) ((struct fxt_bytes){(const uint8_t *)(text), sizeof(text) - 1})

struct service {
    void (*serve)(struct service *service);
    int socket;
    int descriptor; /* that came last, or -1 */
    uint32_t transaction;
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct fxt_i_controller_packet packet;
    pthread_t thread;
};

static void *run(void *data)
{
    struct service *service = data;
    service->serve(service);
    close(service->socket);
    return NULL;
}

static trace_controller_t *begin(struct service *service, void (*serve)(struct service *))
{
    trace_controller_t *controller;
    int pair[2];
    assert(fxt_i_socket_pair(pair) == 0);
    *service = (struct service){.serve = serve, .socket = pair[1], .descriptor = -1};
    assert(pthread_create(&service->thread, NULL, run, service) == 0);
    assert(trace_controller_adopt(pair[0], &controller) == 0);
    return controller;
}

static void finish(struct service *service, trace_controller_t *controller)
{
    pthread_join(service->thread, NULL);
    trace_controller_destroy(controller);
    if (service->descriptor >= 0)
        close(service->descriptor);
}

/* The next question; false when the client has gone. */
static bool received(struct service *service, uint16_t ordinal)
{
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_error error;
    size_t size;
    struct pollfd wait = {.fd = service->socket, .events = POLLIN};

    assert(poll(&wait, 1, -1) == 1);
    int got = fxt_i_socket_receive(service->socket, service->bytes, sizeof service->bytes, &size,
                                   descriptors);
    if (got == EPIPE)
        return false;
    assert(got == 0);
    assert(fxt_i_controller_read(&service->packet, service->bytes, size, FXT_I_OF_CLIENT, &error) ==
           FXT_OK);
    assert(service->packet.ordinal == ordinal);
    service->transaction = service->packet.transaction;
    service->descriptor = descriptors[0];
    return true;
}

static void say(struct service *service, const struct fxt_i_controller_packet *packet,
                const struct fxt_bytes *names)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = fxt_i_controller_write(bytes, packet, names);
    assert(size > 0);
    int error = fxt_i_socket_send(service->socket, bytes, size, NULL, 0);
    assert(error == 0 || error == EPIPE); /* who breaks the rules is left alone */
}

static void say_done(struct service *service, uint64_t error, uint64_t count)
{
    struct fxt_i_controller_packet done = {
        .ordinal = FXT_I_DONE, .transaction = service->transaction, .numbers = {error, count}};
    say(service, &done, NULL);
}

static void say_state_with(struct service *service, uint32_t transaction, uint64_t error)
{
    struct fxt_i_controller_packet state = {.ordinal = FXT_I_STATE,
                                            .transaction = transaction,
                                            .numbers = {4, 3, 2, 1000, 7, 99, 1, error}};
    say(service, &state, NULL);
}

/* Without a request, the output has not failed. */
static void say_state(struct service *service, uint32_t transaction)
{
    say_state_with(service, transaction, transaction != 0 ? ENOSPC : 0);
}

static void say_alert(struct service *service, uint32_t transaction, struct fxt_bytes name)
{
    struct fxt_i_controller_packet alert = {
        .ordinal = FXT_I_ALERTED, .transaction = transaction, .name_count = 1};
    say(service, &alert, &name);
}

static bool is(const struct service *service, uint32_t place, const char *name)
{
    struct fxt_bytes it = fxt_i_packet_name(service->packet.names, place);
    return it.size == strlen(name) && memcmp(it.bytes, name, (size_t)it.size) == 0;
}

static void serve_initialize(struct service *service)
{
    assert(received(service, FXT_I_PROVIDER_SPEC) && service->transaction == 0);
    assert(service->packet.name_count == 2 && is(service, 0, "web") && is(service, 1, "http"));
    assert(service->packet.numbers[0] == 64);
    assert(received(service, FXT_I_PROVIDER_SPEC));
    assert(service->packet.name_count == 1 && is(service, 0, "db"));
    assert(received(service, FXT_I_INITIALIZE_TRACING) && service->transaction != 0);
    assert(service->packet.name_count == 2 && is(service, 0, "net") && is(service, 1, "kernel:*"));
    assert(service->packet.numbers[0] == 3 && service->packet.numbers[1] == 8);
    assert(service->packet.numbers[2] == 250 && service->packet.numbers[3] == 1);
    assert(service->packet.numbers[4] == 700);
    assert(write(service->descriptor, "x", 1) == 1);
    say_done(service, 0, 0);
}

static void test_initialize_sends_specs_and_the_output(void)
{
    static const char *const categories[] = {"net", "kernel:*"};
    static const char *const http[] = {"http"};
    const struct trace_provider_spec specs[] = {{"web", http, 1, 64}, {"db", NULL, 0, 0}};
    const struct trace_config config = {categories, 2,   specs, 2,  TRACE_MODE_STREAMING,
                                        8,          250, true,  700};
    struct service service;
    trace_controller_t *controller = begin(&service, serve_initialize);
    int output[2];
    char byte;

    assert(pipe(output) == 0);
    assert(trace_controller_initialize(controller, &config, output[1]) == 0);
    assert(read(output[0], &byte, 1) == 1 && byte == 'x');
    close(output[0]);
    close(output[1]);
    finish(&service, controller);
}

static void serve_one_status(struct service *service)
{
    assert(received(service, FXT_I_GET_STATUS));
    say_state(service, service->transaction);
    say_done(service, 0, 1);
}

static int initialize(trace_controller_t *controller, struct trace_config config)
{
    return trace_controller_initialize(controller, &config, 1);
}

/* Of an argument that cannot be nothing is sent, and the connection goes on. */
static void test_arguments_that_cannot_be(void)
{
    static const char *const good[] = {"net"};
    static const char *const bad[] = {"net", ""};
    static const char *const not_utf8[] = {"\xff"};
    static const char *const none[] = {NULL};
    static const char *many[101];
    char longer[102];
    const char *const lengthy[] = {longer};
    struct service service;
    struct trace_status status;
    trace_controller_t *controller = begin(&service, serve_one_status);
    struct trace_config config = {.mode = TRACE_MODE_ONESHOT};
    const struct trace_provider_spec specs[] = {{"web", good, 1, 0}, {"web", bad, 2, 0}};

    memset(longer, 'x', sizeof longer - 1);
    longer[101] = '\0';
    for (size_t i = 0; i < 101; i++)
        many[i] = "net";
    assert(trace_controller_initialize(controller, &config, -1) == TRACE_ERROR_INVALID);
    const struct trace_config with_spec = {.specs = specs, 1, .mode = TRACE_MODE_ONESHOT};
    assert(trace_controller_initialize(controller, &with_spec, 9999) == -EBADF);
    assert(initialize(controller, (struct trace_config){.mode = 0}) == TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){.mode = 1, .buffer_megabytes = 4097}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){bad, 2, .mode = 1}) == TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){not_utf8, 1, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){none, 1, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){lengthy, 1, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){many, 101, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){.specs = specs, 2, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(initialize(controller, (struct trace_config){.specs = specs, 101, .mode = 1}) ==
           TRACE_ERROR_INVALID);
    assert(trace_controller_start(controller, 0, NULL, 0) == TRACE_ERROR_INVALID);
    assert(trace_controller_start(controller, 1, many, 101) == TRACE_ERROR_INVALID);
    assert(trace_controller_get_status(controller, &status) == 0);
    finish(&service, controller);
}

static void serve_start(struct service *service)
{
    assert(received(service, FXT_I_START_TRACING));
    assert(service->packet.numbers[0] == 2 && service->packet.name_count == 1);
    assert(is(service, 0, "more"));
    say_state(service, 0);
    say_done(service, 0, 0);
    for (uint64_t error = 1; error <= TRACE_ERROR_NOT_SUPPORTED; error++) {
        assert(received(service, FXT_I_START_TRACING));
        say_done(service, error, 0);
    }
}

static void test_start_and_what_the_manager_says_to_it(void)
{
    static const char *const more[] = {"more"};
    struct service service;
    trace_controller_t *controller = begin(&service, serve_start);

    assert(trace_controller_start(controller, 2, more, 1) == 0);
    for (int error = 1; error <= TRACE_ERROR_NOT_SUPPORTED; error++)
        assert(trace_controller_start(controller, 1, NULL, 0) == error);
    finish(&service, controller);
}

static void say_statistics(struct service *service, struct fxt_bytes name, uint64_t flags)
{
    struct fxt_i_controller_packet it = {.ordinal = FXT_I_STATISTICS,
                                         .transaction = service->transaction,
                                         .numbers = {77, 2, 3, 4, 50, 6, 7, flags},
                                         .name_count = 1};
    say(service, &it, &name);
}

static void serve_ends(struct service *service)
{
    assert(received(service, FXT_I_STOP_TRACING) && service->packet.numbers[0] == 0);
    say_done(service, 0, 0);
    assert(received(service, FXT_I_TERMINATE_TRACING) && service->packet.numbers[0] == 1);
    say_statistics(service, NAMED("web"), 1);
    say_state(service, 0);
    say_statistics(service, NAMED("db"), 2 + 4 + 8);
    say_done(service, TRACE_ERROR_ABORTED, 2);
    assert(received(service, FXT_I_STOP_TRACING));
    say_statistics(service, NAMED("web"), 0);
    say_done(service, 0, 1);
}

struct seen {
    struct trace_provider_statistics it[3];
    size_t count;
};

static void see(void *data, const struct trace_provider_statistics *it)
{
    struct seen *seen = data;
    assert(seen->count < 3);
    seen->it[seen->count++] = *it;
}

static void test_statistics(void)
{
    struct service service;
    struct seen seen = {.count = 0};
    trace_controller_t *controller = begin(&service, serve_ends);

    assert(trace_controller_stop(controller, false, see, &seen) == 0 && seen.count == 0);
    assert(trace_controller_terminate(controller, true, see, &seen) == TRACE_ERROR_ABORTED);
    assert(seen.count == 2);
    const struct trace_provider_statistics *web = &seen.it[0];
    assert(strcmp(web->name, "web") == 0 && web->process == 77 && web->mode == 2);
    assert(web->wrapped_count == 3 && web->records_dropped == 4 && web->durable_percent == 50);
    assert(web->bytes_written == 6 && web->records_refused == 7);
    assert(web->died && !web->misbehaved && !seen.it[1].died && seen.it[1].misbehaved);
    assert(!web->timed_out && seen.it[1].timed_out);
    assert(!web->definitions_inlined && seen.it[1].definitions_inlined);
    assert(trace_controller_stop(controller, true, NULL, NULL) == 0);
    finish(&service, controller);
}

static void say_list(struct service *service)
{
    struct fxt_i_controller_packet it = {.ordinal = FXT_I_PROVIDER_INFO, .name_count = 1};
    struct fxt_bytes names[] = {NAMED("net"), NAMED("")};
    assert(received(service, FXT_I_GET_PROVIDERS));
    it.transaction = service->transaction;
    it.numbers[0] = 5;
    it.numbers[1] = UINT64_MAX;
    say(service, &it, names);
    say_done(service, 0, 1);
    assert(received(service, FXT_I_GET_CATEGORIES));
    it = (struct fxt_i_controller_packet){
        .ordinal = FXT_I_CATEGORY_INFO, .transaction = service->transaction, .name_count = 2};
    say(service, &it, names);
    names[1] = NAMED("what goes over the net");
    say(service, &it, names);
    say_done(service, 0, 2);
}

static void serve_lists(struct service *service)
{
    say_list(service);
    assert(received(service, FXT_I_FLUSH_BUFFERS) && service->descriptor == -1);
    say_done(service, 0, 0);
    assert(received(service, FXT_I_FLUSH_BUFFERS) && service->descriptor >= 0);
    say_done(service, TRACE_ERROR_NOT_INITIALIZED, 0);
}

static void on_provider(void *data, const struct trace_provider_info *it)
{
    assert(it->id == 5 && it->process == UINT64_MAX && strcmp(it->name, "net") == 0);
    ++*(int *)data;
}

static void on_category(void *data, const char *name, const char *description)
{
    assert(strcmp(name, "net") == 0);
    assert(strcmp(description, *(int *)data == 0 ? "" : "what goes over the net") == 0);
    ++*(int *)data;
}

static void test_lists_and_flush(void)
{
    struct service service;
    int count = 0;
    trace_controller_t *controller = begin(&service, serve_lists);

    assert(trace_controller_get_providers(controller, on_provider, &count) == 0 && count == 1);
    count = 0;
    assert(trace_controller_get_known_categories(controller, on_category, &count) == 0);
    assert(count == 2);
    assert(trace_controller_flush(controller, -1) == 0);
    assert(trace_controller_flush(controller, 0) == TRACE_ERROR_NOT_INITIALIZED);
    finish(&service, controller);
}

static void serve_alerts(struct service *service)
{
    assert(received(service, FXT_I_WATCH_ALERT));
    uint32_t watch = service->transaction;
    assert(received(service, FXT_I_GET_STATUS) && service->transaction != watch);
    say_alert(service, watch, NAMED("fourteen bytes"));
    say_state(service, service->transaction);
    say_state(service, 0);
    say_done(service, 0, 1);
    assert(received(service, FXT_I_WATCH_ALERT));
    say_state(service, 0);
    say_alert(service, service->transaction, NAMED("b"));
    assert(received(service, FXT_I_WATCH_ALERT));
    say_state_with(service, 0, ENOSPC);
    assert(received(service, FXT_I_GET_STATUS));
}

static void test_alerts_come_when_they_like(void)
{
    struct service service;
    struct trace_status status;
    char name[15];
    trace_controller_t *controller = begin(&service, serve_alerts);

    assert(trace_controller_next_alert(controller, 0, name) == TRACE_ERROR_INVALID);
    assert(trace_controller_watch_alert(controller) == 0);
    assert(trace_controller_watch_alert(controller) == TRACE_ERROR_INVALID);
    assert(trace_controller_next_alert(controller, 10, name) == -ETIMEDOUT);
    assert(trace_controller_get_status(controller, &status) == 0);
    assert(status.state == TRACE_SESSION_STARTED && status.mode == TRACE_MODE_STREAMING);
    assert(status.providers == 2 && status.bytes_written == 1000 && status.records_dropped == 7);
    assert(status.started_ns == 99 && status.records_refused == 1);
    assert(status.output_error == ENOSPC);
    assert(trace_controller_watch_alert(controller) == TRACE_ERROR_INVALID);
    assert(trace_controller_next_alert(controller, 0, name) == 0);
    assert(strcmp(name, "fourteen bytes") == 0);
    assert(trace_controller_watch_alert(controller) == 0);
    assert(trace_controller_next_alert(controller, -1, name) == 0 && strcmp(name, "b") == 0);
    assert(trace_controller_watch_alert(controller) == 0);
    assert(trace_controller_next_alert(controller, -1, name) == TRACE_ERROR_ABORTED);
    assert(trace_controller_next_alert(controller, -1, name) == TRACE_ERROR_ABORTED);
    assert(trace_controller_get_status(controller, &status) == -EPIPE);
    assert(trace_controller_get_status(controller, &status) == -EPIPE);
    finish(&service, controller);
}

static void serve_drops(struct service *service)
{
    say_statistics(service, NAMED("web"), 0);
    assert(received(service, FXT_I_GET_STATUS));
    uint32_t asked = service->transaction;
    service->transaction = 0;
    say_statistics(service, NAMED("db"), 1);
    say_state(service, asked);
    service->transaction = asked;
    say_done(service, 0, 1);
    assert(received(service, FXT_I_WATCH_ALERT));
    service->transaction = 0;
    say_statistics(service, NAMED("net"), 0);
}

static void test_a_drop_is_told_while_anything_is_awaited(void)
{
    struct service service;
    struct seen seen = {.count = 0};
    struct trace_status status;
    char name[15];
    trace_controller_t *controller = begin(&service, serve_drops);

    trace_controller_set_drop_handler(controller, see, &seen);
    assert(trace_controller_get_status(controller, &status) == 0 && seen.count == 2);
    assert(strcmp(seen.it[0].name, "web") == 0 && seen.it[0].records_dropped == 4);
    assert(strcmp(seen.it[1].name, "db") == 0 && seen.it[1].died);
    assert(trace_controller_watch_alert(controller) == 0);
    assert(trace_controller_next_alert(controller, -1, name) == -EPIPE && seen.count == 3);
    finish(&service, controller);
}

/* Each breaks another rule. */
static void wrong_transaction(struct service *service)
{
    service->transaction++;
    say_done(service, 0, 0);
}

static void wrong_count(struct service *service)
{
    say_done(service, 0, 1);
}

static void no_state(struct service *service)
{
    say_done(service, 0, 0);
}

static void two_states(struct service *service)
{
    say_state(service, service->transaction);
    say_state(service, service->transaction);
    say_done(service, 0, 2);
}

static void wrong_answer(struct service *service)
{
    say_statistics(service, NAMED("web"), 0);
    say_done(service, 0, 1);
}

static void alert_unasked(struct service *service)
{
    say_alert(service, service->transaction, NAMED("a"));
    say_done(service, 0, 0);
}

static void garbage(struct service *service)
{
    assert(send(service->socket, "garbage", 7, 0) == 7);
}

static void too_long(struct service *service)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX + 1];
    assert(send(service->socket, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes);
}

static void question(struct service *service)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_GET_STATUS, .transaction = 1};
    say(service, &packet, NULL);
}

static void descriptor(struct service *service)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct fxt_i_controller_packet done = {.ordinal = FXT_I_DONE,
                                           .transaction = service->transaction};
    uint64_t size = fxt_i_controller_write(bytes, &done, NULL);
    assert(fxt_i_socket_send(service->socket, bytes, size, &service->socket, 1) == 0);
}

static void (*misdeed)(struct service *service);

static void serve_badly(struct service *service)
{
    assert(received(service, FXT_I_GET_STATUS));
    misdeed(service);
    assert(!received(service, FXT_I_GET_STATUS)); /* such a service is asked nothing more */
}

static void test_a_service_that_breaks_the_rules(void)
{
    static void (*const misdeeds[])(struct service *) = {
        wrong_transaction, wrong_count, wrong_answer, alert_unasked, garbage,
        too_long,          question,    descriptor,   no_state,      two_states,
    };
    for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; i++) {
        struct service service;
        struct trace_status status = {.providers = 17};
        misdeed = misdeeds[i];
        trace_controller_t *controller = begin(&service, serve_badly);
        assert(trace_controller_get_status(controller, &status) == -EPROTO);
        assert(trace_controller_get_status(controller, &status) == -EPROTO);
        assert(trace_controller_flush(controller, -1) == -EPROTO);
        assert(status.providers == 17);
        shutdown(trace_controller_descriptor(controller), SHUT_RDWR);
        finish(&service, controller);
    }
}

static void serve_slowly(struct service *service)
{
    struct fxt_i_controller_packet done = {.ordinal = FXT_I_DONE};
    usleep(100000);
    for (int i = 0; i < 1000; i++) {
        assert(received(service, FXT_I_START_TRACING));
        done.transaction = service->transaction;
        say(service, &done, NULL);
    }
}

/* The descriptor that was adopted does not block; the calls do. */
static void test_calls_wait(void)
{
    struct service service;
    trace_controller_t *controller = begin(&service, serve_slowly);
    for (int i = 0; i < 1000; i++)
        assert(trace_controller_start(controller, 1, NULL, 0) == 0);
    finish(&service, controller);
}

static void test_no_manager(void)
{
    trace_controller_t *controller;
    char directory[] = "/tmp/controller-test-XXXXXX";
    char usual[TRACE_CONTROLLER_DIRECTORY_MAX];

    assert(mkdtemp(directory) != NULL);
    assert(setenv("FXT_TRACE_DIR", directory, 1) == 0);
    assert(trace_controller_connect(NULL, &controller) == -ENOENT);
    assert(trace_controller_connect("/nowhere", &controller) == -ENOENT);
    assert(trace_controller_directory(usual) == 0 && strcmp(usual, directory) == 0);
    rmdir(directory);
    assert(trace_controller_directory(usual) == 0 && access(usual, F_OK) == 0);
    rmdir(directory);
    assert(setenv("FXT_TRACE_DIR", "/", 1) == 0);
    memset(usual, 'x', sizeof usual);
    assert(trace_controller_directory(usual) == -EPERM && strcmp(usual, "/") == 0);
    assert(trace_controller_connect(NULL, &controller) == -EPERM);
    assert(setenv("FXT_TRACE_DIR", "relative", 1) == 0);
    assert(trace_controller_directory(usual) == -EINVAL && strcmp(usual, "relative") == 0);
    assert(trace_controller_connect(NULL, &controller) == -EINVAL);
    assert(access("relative", F_OK) != 0);
    trace_controller_destroy(NULL);
}

static void serve_connection(struct service *service)
{
    struct pollfd wait = {.fd = service->socket, .events = POLLIN};
    assert(poll(&wait, 1, -1) == 1);
    int connection = accept(service->socket, NULL, NULL);
    assert(connection >= 0);
    close(service->socket);
    service->socket = connection;
    serve_one_status(service);
}

static void test_connect(void)
{
    struct service service = {.serve = serve_connection, .descriptor = -1};
    struct trace_status status;
    trace_controller_t *controller;
    char directory[] = "/tmp/controller-test-XXXXXX";
    char path[sizeof directory + 16];

    assert(mkdtemp(directory) != NULL);
    assert(fxt_i_socket_listen(&service.socket, directory, FXT_I_CONTROLLER) == 0);
    assert(pthread_create(&service.thread, NULL, run, &service) == 0);
    assert(trace_controller_connect(directory, &controller) == 0);
    assert(trace_controller_get_status(controller, &status) == 0);
    finish(&service, controller);
    assert(trace_controller_connect(directory, &controller) == -ECONNREFUSED);
    snprintf(path, sizeof path, "%s/" FXT_I_CONTROLLER, directory);
    unlink(path);
    rmdir(directory);
}

static void test_every_error_has_a_text(void)
{
    for (int error = 0; error <= TRACE_ERROR_NOT_SUPPORTED; error++)
        assert(trace_controller_error_text(error) != NULL);
    assert(strcmp(trace_controller_error_text(-ENOSPC), "No space left on device") == 0);
    assert(strcmp(trace_controller_error_text(-EPIPE),
                  "lost the connection to the trace manager") == 0);
    assert(strcmp(trace_controller_error_text(11), "unknown error") == 0);
    assert(strcmp(trace_controller_error_text(-4096), "unknown error") == 0);
    assert(strcmp(trace_controller_error_text(-4000), "unknown error") == 0);
    assert(trace_controller_error_text(-2147483647 - 1) != NULL);
    assert(trace_controller_error_text(2147483647) != NULL);
}

int main(void)
{
    test_initialize_sends_specs_and_the_output();
    test_arguments_that_cannot_be();
    test_start_and_what_the_manager_says_to_it();
    test_statistics();
    test_lists_and_flush();
    test_alerts_come_when_they_like();
    test_a_drop_is_told_while_anything_is_awaited();
    test_a_service_that_breaks_the_rules();
    test_calls_wait();
    test_no_manager();
    test_connect();
    test_every_error_has_a_text();
    puts("ok");
    return 0;
}
