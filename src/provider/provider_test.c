/* Creation and destruction of the provider of a process: what each refusal says, and what a program may
   do twice. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>

static char directory[] = "/tmp/fxt_provider_XXXXXX";
static async_loop_t *loop;
static async_dispatcher_t *dispatcher;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    setenv("FXT_TRACE_DIR", directory, 1);
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    dispatcher = async_loop_get_dispatcher(loop);
    alarm(20); /* more is a hang */
}

static void end(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/registry", directory);
    unlink(path);
    rmdir(directory);
}

TestSuite(provider, .init = begin, .fini = end, .timeout = 60);

static zx_status_t create(const char *name, trace_provider_t **out)
{
    return trace_provider_create_with_status(dispatcher, name, NULL, out);
}

Test(provider, each_refusal_says_why)
{
    char long_name[102];
    trace_provider_t *first;
    trace_provider_t *second = (trace_provider_t *)&first;
    memset(long_name, 'x', sizeof long_name);
    long_name[101] = '\0';
    cr_expect_eq(trace_provider_create_with_status(NULL, NULL, NULL, &second), ZX_ERR_INVALID_ARGS);
    cr_expect_null(second);
    cr_expect_eq(create("", &second), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(create(long_name, &second), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(create("\xff", &second), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(create(NULL, &first), ZX_OK);
    cr_expect_eq(create(NULL, &second), ZX_ERR_ALREADY_EXISTS);
    cr_expect_null(second);
    trace_provider_destroy(first);
    async_loop_shutdown(loop);
    cr_expect_eq(create(NULL, &first), ZX_ERR_BAD_STATE);
    cr_expect_null(first);
    async_loop_destroy(loop);
}

Test(provider, may_be_destroyed_twice)
{
    trace_provider_t *provider = trace_provider_create(dispatcher);
    cr_assert_not_null(provider);
    trace_provider_destroy(provider);
    trace_provider_destroy(provider);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    trace_provider_destroy(provider); /* it has been freed */
    cr_expect_eq(async_loop_start_thread(loop, "loop", NULL), ZX_OK);
    async_loop_destroy(loop);
    trace_provider_destroy(provider);
}

static int listen_at_registry(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int it = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/registry", directory);
    cr_assert_eq(bind(it, (const struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(it, 8), 0);
    return it;
}

/* Waits for a registration under that name. Returns its connection. */
static int accept_registration(int registry, const char *name)
{
    struct pollfd ready = {.fd = registry, .events = POLLIN};
    char packet[200];
    cr_assert_eq(poll(&ready, 1, 10000), 1, "%s connects", name);
    int it = accept(registry, NULL, NULL);
    ssize_t size = recv(it, packet, sizeof packet, 0);
    cr_expect(size > 0 && memmem(packet, (size_t)size, name, strlen(name)) != NULL, "%s", name);
    return it;
}

static void expect_closed(int connection)
{
    char byte;
    cr_expect_eq(recv(connection, &byte, 1, 0), 0);
    close(connection);
}

Test(provider, can_be_created_again_while_it_is_being_destroyed)
{
    trace_provider_t *first;
    trace_provider_t *second;
    trace_provider_t *third;
    int registry = listen_at_registry();
    cr_assert_eq(create("first", &first), ZX_OK);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    int connection = accept_registration(registry, "first");
    trace_provider_destroy(first);
    cr_assert_eq(create("second", &second), ZX_OK);
    cr_expect_eq(trace_provider_set_known_categories(second, NULL, 0), ZX_OK);
    cr_expect_eq(create("third", &third), ZX_ERR_ALREADY_EXISTS);
    trace_provider_destroy(second); /* it never begins */
    cr_assert_eq(create("third", &third), ZX_OK);
    trace_provider_destroy(first); /* still a no-op */
    cr_assert_eq(async_loop_start_thread(loop, "loop", NULL), ZX_OK);
    expect_closed(connection);
    connection = accept_registration(registry, "third");
    trace_provider_destroy(third);
    expect_closed(connection);
    async_loop_destroy(loop);
    close(registry);
}

Test(provider, successor_whose_loop_ends_does_nothing)
{
    trace_provider_t *first;
    trace_provider_t *second;
    cr_assert_eq(create("first", &first), ZX_OK);
    trace_provider_destroy(first);
    cr_assert_eq(create("second", &second), ZX_OK);
    async_loop_shutdown(loop);
    trace_provider_destroy(second);
    async_loop_destroy(loop);
    trace_provider_destroy(second);
}

/* Of the parent's loop, the child has the memory only. */
Test(provider, forked_child_may_destroy_its_parents_twice)
{
    trace_provider_t *first;
    trace_provider_t *second;
    int status = 0;
    cr_assert_eq(create("first", &first), ZX_OK);
    trace_provider_destroy(first);
    cr_assert_eq(create("second", &second), ZX_OK);
    for (int i = 0; i < 2; i++) { /* the successor, and then the one */
        pid_t child = fork();
        if (child == 0) {
            trace_provider_t *own;
            for (int j = 0; j < 2; j++) {
                trace_provider_destroy(first);
                trace_provider_destroy(second);
            }
            if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK)
                _exit(4);
            dispatcher = async_loop_get_dispatcher(loop);
            zx_status_t result = create("own", &own);
            trace_provider_destroy(own);
            async_loop_destroy(loop);
            _exit(result == ZX_OK ? 3 : 5);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, "it ends with %d", status);
        cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    }
    trace_provider_destroy(second);
    async_loop_destroy(loop);
}
