/* See stage.h. One stage at a time; one thread. */
#include "fuzz/session/stage.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/lib/oracle.h"
#include "src/loop/now.h"

#define TURNS_MAX 20000               /* a save copies at least one piece in a turn */
#define BEGIN_NS UINT64_C(1000000000) /* some time has passed since the system began */
#define LOOK_NS UINT64_C(1000)        /* passes between two looks at the clock */

static struct trace_manager *manager;
static struct sockaddr_un addresses[2];
static socklen_t sizes[2];
static int descriptors;
static uint64_t now_ns;

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

static void prepare_once(void)
{
    static bool prepared;

    if (prepared)
        return;
    prepared = true;
    signal(SIGPIPE, SIG_IGN);
    /* OSS-Fuzz has no /dev, and nothing but /tmp that can be written. */
    setenv("TMPDIR", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", 1);
}

struct trace_manager *fuzz_stage_open(void)
{
    prepare_once();
    descriptors = fuzz_descriptors();
    now_ns = BEGIN_NS;
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

/* The clock of the loop, in place of the one of src/loop: a script does the same on each machine. */
uint64_t fxt_i_now_ns(void)
{
    return now_ns += LOOK_NS;
}

/* A manager that has ended its loop goes on here. */
void fuzz_stage_turn(void)
{
    async_loop_reset_quit(manager->loop);
    async_loop_run(manager->loop, 0, false);
}

/* An idle loop has no handler to call. */
void fuzz_stage_settle(void (*turned)(void))
{
    unsigned turns = 0;

    do {
        FUZZ_CHECK(turns++ < TURNS_MAX);
        fuzz_stage_turn();
        turned();
    } while (async_loop_run(manager->loop, 0, true) == ZX_OK);
}

void fuzz_stage_pass(uint64_t ms)
{
    now_ns += ms * UINT64_C(1000000);
}

void fuzz_stage_close(void)
{
    FUZZ_CHECK(manager->session == NULL);
    FUZZ_CHECK(manager->connections == 0 && manager->client_count == 0);
    trace_manager_destroy(manager);
    FUZZ_CHECK(fuzz_descriptors() == descriptors);
    FUZZ_CHECK(count_buffers() == 0);
}
