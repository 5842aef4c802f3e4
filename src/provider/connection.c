/* The connection to the manager. While there is none, the provider watches the directory in which
   the manager's sockets appear. If the directory cannot be watched, it looks every two seconds.

   Only the dispatcher calls these functions, except fxt_i_connection_begin_now. If the dispatcher
   is gone, the thread that destroys the provider ends the connection. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "src/provider/provider.h"
#include "src/socket/socket.h"

#define LOOK_NS INT64_C(2000000000)
#define RETRY_NS INT64_C(250000000)   /* doubled after each refusal ... */
#define RETRY_DOUBLINGS 8             /* ... up to a minute */
#define LISTENER_RETRIES 6            /* the last one after 16 s */
#define PERIOD_NS INT64_C(1000000000) /* between looks at the descriptors */
#define ANSWER_NS INT64_C(1000000000)

static void attempt(trace_provider_t *provider);
static void try_again(trace_provider_t *provider);
static void look_later(trace_provider_t *provider);

static zx_time_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Waiting for a manager. */

static void on_retry(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)task - offsetof(trace_provider_t, retry_task));

    (void)dispatcher;
    provider->retrying = false;
    if (status != ZX_OK)
        provider->dispatcher_gone = true;
    else if (provider->connection < 0)
        attempt(provider);
}

static void retry_in(trace_provider_t *provider, zx_time_t ns)
{
    if (provider->retrying)
        return;
    provider->retry_task.handler = on_retry;
    provider->retry_task.deadline = now_ns() + ns;
    provider->retrying = async_post_task(provider->dispatcher, &provider->retry_task) == ZX_OK;
}

static void stop_retrying(trace_provider_t *provider)
{
    if (provider->retrying)
        async_cancel_task(provider->dispatcher, &provider->retry_task);
    provider->retrying = false;
}

static void stop_watching(trace_provider_t *provider)
{
    async_cancel_wait(provider->dispatcher, &provider->watch_wait);
    fxt_i_provider_set(provider, &provider->watch, -1);
}

static void on_directory(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                         short events)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)wait - offsetof(trace_provider_t, watch_wait));

    (void)dispatcher;
    (void)events;
    if (status != ZX_OK) {
        provider->dispatcher_gone = true;
        return;
    }
    provider->refusals = 0;
    provider->listener_retries = 0;
    stop_watching(provider);
    stop_retrying(provider);
    attempt(provider);
}

/* Starts to watch the directory. False if that is impossible. */
static bool watch(trace_provider_t *provider, const char *directory)
{
    if (fxt_i_socket_make_directory(directory) != 0)
        return false;
    fxt_i_provider_set(provider, &provider->watch, inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (provider->watch < 0)
        return false;
    if (inotify_add_watch(provider->watch, directory,
                          IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF) < 0)
        return false;
    provider->watch_wait.handler = on_directory;
    provider->watch_wait.descriptor = provider->watch;
    provider->watch_wait.events = POLLIN;
    return async_begin_wait(provider->dispatcher, &provider->watch_wait) == ZX_OK;
}

/* Talking to the manager. */

static void on_disconnect(trace_provider_t *provider)
{
    if (provider->in_session && !(fxt_i_provider_has(provider, &provider->connection) &&
                                  fxt_i_provider_has(provider, &provider->fifo)))
        fxt_i_closed_tell(provider);
    async_cancel_wait(provider->dispatcher, &provider->connection_wait);
    fxt_i_provider_set(provider, &provider->connection, -1);
    if (provider->in_session)
        fxt_i_tracing_terminate(provider); /* the connection resumes afterwards */
    else
        fxt_i_connection_resume(provider);
}

/* The manager salvages what the provider has written until its descriptors are closed. */
static void on_look(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)task - offsetof(trace_provider_t, look_task));

    (void)dispatcher;
    provider->looking = false;
    if (status != ZX_OK || provider->connection < 0 || provider->ending)
        return;
    if (fxt_i_provider_has(provider, &provider->connection) &&
        (!provider->in_session || fxt_i_provider_has(provider, &provider->fifo)))
        look_later(provider);
    else
        on_disconnect(provider);
}

static void look_later(trace_provider_t *provider)
{
    if (provider->looking)
        return;
    provider->look_task.handler = on_look;
    provider->look_task.deadline = now_ns() + PERIOD_NS;
    provider->looking = async_post_task(provider->dispatcher, &provider->look_task) == ZX_OK;
}

static bool send_packet(trace_provider_t *provider, size_t size)
{
    return size > 0 && fxt_i_provider_has(provider, &provider->connection) &&
           fxt_i_socket_send(provider->connection, provider->packet, size, NULL, 0) == 0;
}

static void answer_known_categories(trace_provider_t *provider, uint32_t transaction)
{
    struct fxt_bytes names[2 * FXT_I_NAMES_MAX];
    struct fxt_i_packet packet = {.ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = transaction};

    pthread_mutex_lock(&provider->lock);
    packet.name_count = provider->known_count;
    for (size_t i = 0; i < provider->known_count; i++) {
        const struct fxt_i_known *it = &provider->known[i];
        names[2 * i] = (struct fxt_bytes){(const uint8_t *)it->name, strlen(it->name)};
        names[2 * i + 1] =
            (struct fxt_bytes){(const uint8_t *)it->description, strlen(it->description)};
    }
    size_t size = (size_t)fxt_i_packet_write(provider->packet, &packet, names);
    pthread_mutex_unlock(&provider->lock);
    send_packet(provider, size);
}

/* False if the manager may not send this packet now. Takes ownership of the descriptors of an
   Initialize. */
static bool dispatch(trace_provider_t *provider, const struct fxt_i_packet *packet,
                     int descriptors[])
{
    switch (packet->ordinal) {
    case FXT_I_INITIALIZE:
        if (descriptors[0] < 0 || descriptors[1] < 0)
            return false;
        fxt_i_tracing_initialize(provider, packet, descriptors[0], descriptors[1]);
        descriptors[0] = -1;
        descriptors[1] = -1;
        return true;
    case FXT_I_START:
        fxt_i_tracing_start(provider, packet);
        return true;
    case FXT_I_STOP:
        fxt_i_tracing_stop(provider);
        return true;
    case FXT_I_TERMINATE:
        fxt_i_tracing_terminate(provider);
        return true;
    case FXT_I_GET_KNOWN_CATEGORIES:
        answer_known_categories(provider, packet->transaction);
        return true;
    default: /* registered: no caller waits for it any more */
        return true;
    }
}

static void close_all(const int descriptors[FXT_I_DESCRIPTORS_MAX])
{
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
}

/* False if the manager disconnected or sent an invalid packet. */
static bool receive(trace_provider_t *provider)
{
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_packet packet;
    struct fxt_error error;
    size_t size;

    if (!fxt_i_provider_has(provider, &provider->connection))
        return false;
    int failed = fxt_i_socket_receive(provider->connection, provider->packet,
                                      sizeof provider->packet, &size, descriptors);
    if (failed == EAGAIN)
        return true;
    bool well = failed == 0 && fxt_i_packet_read(&packet, provider->packet, size, FXT_I_OF_MANAGER,
                                                 &error) == FXT_OK;
    if (well)
        well = dispatch(provider, &packet, descriptors);
    close_all(descriptors);
    return well;
}

/* While a session ends, packets of the manager wait: they belong to the next session. */
static void on_connection(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                          short events)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)wait - offsetof(trace_provider_t, connection_wait));

    (void)dispatcher;
    (void)events;
    if (status != ZX_OK) {
        provider->dispatcher_gone = true;
        if (!provider->in_session) /* otherwise after the session has ended */
            fxt_i_connection_resume(provider);
        return;
    }
    if (provider->ending)
        return;
    if (!receive(provider)) {
        on_disconnect(provider);
        return;
    }
    provider->refusals = 0;
    if (!provider->ending)
        fxt_i_connection_resume(provider);
}

static bool send_registration(trace_provider_t *provider, bool synchronously)
{
    struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTER, .process = (uint64_t)getpid()};
    struct fxt_bytes name = {(const uint8_t *)provider->name, strlen(provider->name)};

    if (synchronously) {
        packet.ordinal = FXT_I_REGISTER_SYNCHRONOUSLY;
        packet.transaction = 1;
    }
    size_t size = (size_t)fxt_i_packet_write(provider->packet, &packet, &name);
    return send_packet(provider, size);
}

/* Returns 0 if a manager has received the registration, or an errno value. */
static int connect_and_register(trace_provider_t *provider, const char *directory,
                                bool synchronously)
{
    int connection;
    int error = fxt_i_socket_connect(&connection, directory, FXT_I_REGISTRY, false);

    if (error != 0)
        return error;
    fxt_i_provider_set(provider, &provider->connection, connection);
    if (send_registration(provider, synchronously))
        return 0;
    fxt_i_provider_set(provider, &provider->connection, -1);
    return EPIPE;
}

/* Nobody listens at the socket. Either its manager, or systemd, is about to listen, of which the
   directory does not tell; or its manager was killed, and the next one makes another socket. */
static void retry_listener(trace_provider_t *provider)
{
    if (provider->listener_retries < LISTENER_RETRIES)
        retry_in(provider, RETRY_NS << provider->listener_retries++);
}

/* Watches the directory first, so that it cannot miss a manager that appears in between. */
static void attempt(trace_provider_t *provider)
{
    char directory[FXT_I_DIRECTORY_MAX];

    if (fxt_i_socket_directory(directory) != 0)
        return;
    stop_watching(provider);
    bool watched = watch(provider, directory);
    assert(provider->connection < 0);
    int error = connect_and_register(provider, directory, false);
    if (error != ECONNREFUSED)
        provider->listener_retries = 0;
    if (watched && error == ECONNREFUSED)
        retry_listener(provider);
    if (watched && (error == ENOENT || error == ECONNREFUSED))
        return;
    stop_watching(provider);
    if (error == 0)
        fxt_i_connection_resume(provider);
    else if (error == EPIPE) /* closed before the registration was sent */
        try_again(provider);
    else
        retry_in(provider,
                 error == EAGAIN ? RETRY_NS : LOOK_NS); /* EAGAIN: many programs connect at once */
}

void fxt_i_connection_begin(trace_provider_t *provider)
{
    fxt_i_connection_resume(provider);
}

/* If a manager closes the connection, the provider retries with growing delays, or when another
   manager appears. */
static void try_again(trace_provider_t *provider)
{
    char directory[FXT_I_DIRECTORY_MAX];
    uint32_t doublings = provider->refusals++;

    if (doublings == 0) {
        attempt(provider);
        return;
    }
    if (fxt_i_socket_directory(directory) == 0 && !watch(provider, directory))
        stop_watching(provider);
    retry_in(provider, RETRY_NS << (doublings < RETRY_DOUBLINGS ? doublings : RETRY_DOUBLINGS));
}

/* False if the dispatcher cannot wait for the connection. */
static bool wait_for_manager(trace_provider_t *provider)
{
    assert(provider->connection >= 0);
    provider->connection_wait.handler = on_connection;
    provider->connection_wait.descriptor = provider->connection;
    provider->connection_wait.events = POLLIN;
    zx_status_t status = async_begin_wait(provider->dispatcher, &provider->connection_wait);
    provider->dispatcher_gone = provider->dispatcher_gone || status == ZX_ERR_BAD_STATE;
    if (!provider->dispatcher_gone)
        look_later(provider);
    return status == ZX_OK || status == ZX_ERR_ALREADY_EXISTS;
}

void fxt_i_connection_resume(trace_provider_t *provider)
{
    bool waits = !provider->destroying && !provider->dispatcher_gone && provider->connection >= 0 &&
                 wait_for_manager(provider);

    if (waits || provider->in_session) /* the session ends first */
        return;
    if (provider->dispatcher_gone || provider->connection >= 0)
        fxt_i_provider_set(provider, &provider->connection,
                           -1); /* the manager must not count on it */
    if (!provider->destroying && !provider->dispatcher_gone)
        try_again(provider);
}

static bool is_answered_in_time(int connection)
{
    struct pollfd poll_for = {.fd = connection, .events = POLLIN};
    zx_time_t end = now_ns() + ANSWER_NS;
    int ready;

    do {
        zx_time_t left = end - now_ns();
        ready = poll(&poll_for, 1, left > 0 ? (int)(left / 1000000) + 1 : 0);
    } while (ready < 0 && errno == EINTR);
    return ready == 1;
}

/* The thread that makes the provider, before the dispatcher knows of it. */
void fxt_i_connection_begin_now(trace_provider_t *provider, bool *started)
{
    char directory[FXT_I_DIRECTORY_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_packet packet;
    struct fxt_error error;
    size_t size;

    if (fxt_i_socket_directory(directory) != 0 ||
        connect_and_register(provider, directory, true) != 0)
        return;
    if (!is_answered_in_time(provider->connection))
        return; /* the dispatcher handles the answer later */
    if (fxt_i_socket_receive(provider->connection, provider->packet, sizeof provider->packet, &size,
                             descriptors) != 0)
        return;
    close_all(descriptors); /* no descriptors are expected yet */
    if (fxt_i_packet_read(&packet, provider->packet, size, FXT_I_OF_MANAGER, &error) == FXT_OK &&
        packet.ordinal == FXT_I_REGISTERED)
        *started = packet.choice != 0;
}

void fxt_i_connection_end(trace_provider_t *provider)
{
    async_cancel_wait(provider->dispatcher, &provider->connection_wait);
    async_cancel_task(provider->dispatcher, &provider->look_task);
    provider->looking = false;
    stop_watching(provider);
    stop_retrying(provider);
}
