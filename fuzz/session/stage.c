/* See stage.h. One stage at a time; one thread. */
#include "fuzz/session/stage.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/lib/oracle.h"

#define TURNS_MAX 20000 /* a save copies at least one piece in a turn */
#define MOMENT_MS 1

static struct trace_manager *manager;
static struct sockaddr_un addresses[2];
static socklen_t sizes[2];
static int descriptors;

static int count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    FUZZ_CHECK(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static int count_buffers(void)
{
    char line[512];
    int count = 0;

    FILE *maps = fopen("/proc/self/maps", "r");
    FUZZ_CHECK(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, "fxt-trace") != NULL;
    fclose(maps);
    return count;
}

/* The kernel chooses an abstract address. */
static int listen_somewhere(unsigned which)
{
    const struct sockaddr_un none = {.sun_family = AF_UNIX};
    int it = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    sizes[which] = sizeof addresses[which];
    FUZZ_CHECK(it >= 0 && bind(it, (const struct sockaddr *)&none, sizeof none.sun_family) == 0);
    FUZZ_CHECK(listen(it, 64) == 0);
    FUZZ_CHECK(getsockname(it, (struct sockaddr *)&addresses[which], &sizes[which]) == 0);
    return it;
}

/* Lines are safe to print. */
static void look_at_line(void *data, const char *line)
{
    (void)data;
    FUZZ_CHECK(line[0] != '\0');
    for (size_t i = 0; line[i] != '\0'; i++)
        FUZZ_CHECK((unsigned char)line[i] >= 0x20 && line[i] != 0x7f);
}

static void create(void)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char message[200];

    options.registry = listen_somewhere(0);
    options.controller = listen_somewhere(1);
    options.log = look_at_line;
    FUZZ_CHECK(trace_manager_create(&options, &manager, message) == 0);
}

/* The first loop makes descriptors that libuv keeps. */
static void prepare_once(void)
{
    static bool prepared;

    if (prepared)
        return;
    prepared = true;
    signal(SIGPIPE, SIG_IGN);
    /* OSS-Fuzz has no /dev, and nothing but /tmp that can be written. */
    setenv("TMPDIR", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", 1);
    create();
    trace_manager_destroy(manager);
}

struct trace_manager *fuzz_stage_open(void)
{
    prepare_once();
    descriptors = count_descriptors();
    create();
    return manager;
}

int fuzz_stage_connect(bool registry)
{
    unsigned which = registry ? 0 : 1;
    int it = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    FUZZ_CHECK(it >= 0);
    if (connect(it, (const struct sockaddr *)&addresses[which], sizes[which]) == 0)
        return it;
    close(it);
    return -1;
}

static void make_due(uv_handle_t *handle, void *ms)
{
    uv_timer_t *timer = (uv_timer_t *)handle;

    /* uv_timer_get_due_in() would need libuv 1.40, which is newer than that of Ubuntu 20.04. */
    if (handle->type == UV_TIMER && uv_is_active(handle) &&
        timer->timeout <= uv_now(&manager->loop) + *(const uint64_t *)ms)
        uv_timer_start(timer, timer->timer_cb, 0, 0);
}

/* A timer that is due lets one turn pass first. */
void fuzz_stage_turn(void)
{
    uint64_t moment = MOMENT_MS;
    uv_walk(&manager->loop, make_due, &moment);
    uv_run(&manager->loop, UV_RUN_NOWAIT);
}

static bool is_idle(void)
{
    struct pollfd it = {.fd = uv_backend_fd(&manager->loop), .events = POLLIN};
    int timeout = uv_backend_timeout(&manager->loop);
    return (timeout < 0 || timeout > MOMENT_MS) && poll(&it, 1, 0) == 0;
}

void fuzz_stage_settle(void (*turned)(void))
{
    unsigned turns = 0;

    do {
        FUZZ_CHECK(turns++ < TURNS_MAX);
        fuzz_stage_turn();
        turned();
    } while (!is_idle());
}

void fuzz_stage_pass(uint64_t ms)
{
    uv_walk(&manager->loop, make_due, &ms);
}

void fuzz_stage_close(void)
{
    FUZZ_CHECK(manager->session == NULL);
    FUZZ_CHECK(manager->connections == 0 && manager->client_count == 0);
    trace_manager_destroy(manager);
    FUZZ_CHECK(count_descriptors() == descriptors);
    FUZZ_CHECK(count_buffers() == 0);
}
