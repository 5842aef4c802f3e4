/* Clients: programs that are connected to the controller socket, and their requests. If there is
   no place, a new client replaces an idle one. */
#include "src/manager/manager.h"

#include <poll.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/socket/socket.h"

#define CLIENTS_MAX 32

/* Why a client is dropped. */
static const char breaks_the_rules[] = "sends a packet that breaks the rules";
static const char no_memory[] = "is dropped: no memory";

static void forget_specs(struct fxt_i_client *client)
{
    fxt_i_specs_free(client->specs, client->spec_count);
    client->specs = NULL;
    client->spec_count = 0;
}

static void unlink_client(struct fxt_i_client *client)
{
    struct fxt_i_client **at = &client->manager->clients;
    while (*at != client) {
        assert(*at != NULL); /* it is in the list */
        at = &(*at)->next;
    }
    assert(client->manager->client_count > 0);
    *at = client->next;
    client->manager->client_count--;
    fxt_i_manager_accept_again(client->manager);
}

void fxt_i_client_drop(struct fxt_i_client *client, const char *why)
{
    struct fxt_i_session *session = client->manager->session;

    assert(client->session == NULL || client->session == session);
    if (why != NULL)
        fxt_i_log(client->manager, "a client %s", why);
    unlink_client(client);
    client->gone = true;
    if (session != NULL)
        fxt_i_session_forget_client(session, client);
    fxt_i_watch_end(&client->watch);
    fxt_i_timer_end(&client->first_packet_timer);
    close(client->socket);
    while (client->first != NULL) {
        struct fxt_i_answer *next = client->first->next;
        free(client->first);
        client->first = next;
    }
    forget_specs(client);
    fxt_i_client_end_inquiry(client);
    free(client);
}

/* Queries. */

static void answer_providers(struct fxt_i_client *client, uint32_t transaction)
{
    uint32_t count = 0;

    for (struct fxt_i_provider *it = client->manager->providers; it != NULL; it = it->next) {
        struct fxt_i_controller_packet packet = {
            .ordinal = FXT_I_PROVIDER_INFO, .transaction = transaction, .name_count = 1};
        struct fxt_bytes name = fxt_i_bytes_of(it->name);
        if (it->id == 0)
            continue;
        packet.numbers[0] = it->id;
        packet.numbers[1] = it->process;
        fxt_i_client_send(client, &packet, &name);
        count++;
    }
    fxt_i_client_done(client, transaction, TRACE_ERROR_NONE, count, 0);
}

/* Requests. */

/* Returns why the client is dropped, or NULL. */
static const char *take_spec(struct fxt_i_client *client,
                             const struct fxt_i_controller_packet *packet)
{
    if (client->spec_count == FXT_I_NAMES_MAX)
        return breaks_the_rules;
    struct fxt_i_spec *room =
        realloc(client->specs, (client->spec_count + 1) * sizeof *client->specs);
    if (room == NULL)
        return no_memory;
    client->specs = room;
    struct fxt_i_spec *spec = &room[client->spec_count++];
    memset(spec, 0, sizeof *spec);
    spec->megabytes = (uint32_t)packet->numbers[0];
    fxt_i_copy_name(spec->name, fxt_i_packet_name(packet->names, 0));
    bool taken = true;
    for (uint32_t i = 1; i < packet->name_count; i++) {
        struct fxt_bytes name = fxt_i_packet_name(packet->names, i);
        taken = taken && fxt_i_names_add(&spec->categories, (const char *)name.bytes, name.size);
    }
    return taken ? NULL : no_memory;
}

static int initialize(struct fxt_i_client *client, const struct fxt_i_controller_packet *packet,
                      int *output)
{
    int given = *output;
    int error = TRACE_ERROR_INVALID;

    *output = -1;
    if (given >= 0)
        error = fxt_i_session_create(client, packet, given);
    forget_specs(client); /* none if the session owns them now */
    return error;
}

static int flush(struct fxt_i_client *client, const struct fxt_i_client_request *request,
                 int *output)
{
    int given = *output;

    if (client->manager->session == NULL)
        return TRACE_ERROR_NOT_INITIALIZED;
    *output = -1;
    return fxt_i_session_flush(client->manager->session, request, given);
}

/* Takes ownership of the descriptor if it sets it to -1. */
static void dispatch_to_session(struct fxt_i_client *client,
                                const struct fxt_i_controller_packet *packet, int *output)
{
    const struct fxt_i_client_request request = {client, packet->transaction};
    struct fxt_i_session *session = client->session;
    int error = session != NULL ? TRACE_ERROR_NONE : TRACE_ERROR_NOT_INITIALIZED;
    bool at_once = false; /* answered even on success */

    switch (packet->ordinal) {
    case FXT_I_INITIALIZE_TRACING:
        error = initialize(client, packet, output);
        at_once = true;
        break;
    case FXT_I_START_TRACING:
        if (session != NULL)
            error = fxt_i_session_start(session, &request, packet);
        break;
    case FXT_I_STOP_TRACING:
        if (session != NULL)
            error = fxt_i_session_stop(session, &request, packet->numbers[0] != 0);
        break;
    case FXT_I_TERMINATE_TRACING:
        if (session != NULL)
            error = fxt_i_session_terminate(session, &request, packet->numbers[0] != 0);
        break;
    default: /* flush buffers */
        error = flush(client, &request, output);
        break;
    }
    int output_error = error == TRACE_ERROR_ABORTED ? client->manager->session->archive->error : 0;
    if (error != TRACE_ERROR_NONE || at_once)
        fxt_i_client_done(client, packet->transaction, error, 0, output_error);
}

/* Returns why the client is dropped, or NULL. */
static const char *dispatch(struct fxt_i_client *client,
                            const struct fxt_i_controller_packet *packet, int *output)
{
    if (packet->transaction == 0 && packet->ordinal != FXT_I_PROVIDER_SPEC)
        return breaks_the_rules; /* 0 is for packets that nobody asked for */
    switch (packet->ordinal) {
    case FXT_I_PROVIDER_SPEC:
        return take_spec(client, packet);
    case FXT_I_GET_PROVIDERS:
        answer_providers(client, packet->transaction);
        return NULL;
    case FXT_I_GET_CATEGORIES:
        fxt_i_client_ask_categories(client, packet->transaction);
        return NULL;
    case FXT_I_WATCH_ALERT:
        client->watching_alert = packet->transaction;
        fxt_i_client_alert(client);
        return NULL;
    case FXT_I_GET_STATUS:
        fxt_i_client_state(client, packet->transaction);
        fxt_i_client_done(client, packet->transaction, TRACE_ERROR_NONE, 1, 0);
        return NULL;
    default:
        dispatch_to_session(client, packet, output);
        return NULL;
    }
}

static void on_packet(void *self, int events)
{
    struct fxt_i_client *client = self;
    uint8_t *bytes = client->manager->request;
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_controller_packet packet;
    struct fxt_error error;
    size_t size;

    fxt_i_client_send_queued(client);
    if (fxt_i_client_is_backlogged(client)) {
        if ((events & POLLRDHUP) != 0)
            fxt_i_client_drop(client, "has not read its answers");
        return;
    }
    int failed =
        fxt_i_socket_receive(client->socket, bytes, FXT_I_CONTROLLER_BYTES_MAX, &size, descriptors);
    if (failed == EAGAIN)
        return;
    client->last_received_ns = fxt_i_now_ns();
    fxt_i_timer_end(&client->first_packet_timer);
    const char *why = failed == 0 || failed == EPIPE ? NULL : strerror(failed);
    if (failed == 0)
        why = fxt_i_controller_read(&packet, bytes, size, FXT_I_OF_CLIENT, &error) == FXT_OK
                  ? dispatch(client, &packet, &descriptors[0])
                  : breaks_the_rules;
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            fxt_i_socket_release(descriptors[i]);
    if (failed != 0 || why != NULL)
        fxt_i_client_drop(client, why);
}

/* Places. */

/* The client's packet may have arrived while the manager was busy. */
static void on_first_packet_timeout(void *self)
{
    struct fxt_i_client *client = self;
    if (!fxt_i_manager_is_readable(client->socket))
        fxt_i_client_drop(client, "never says anything");
}

static bool is_idle(const struct fxt_i_client *client)
{
    const struct fxt_i_session *session = client->manager->session;

    return client->session == NULL && client->inquiry == 0 &&
           (session == NULL || session->flush.client != client) &&
           (fxt_i_client_is_backlogged(client) || !fxt_i_manager_is_readable(client->socket));
}

/* Clients that have sent nothing yet go first. */
static bool is_idle_longer(const struct fxt_i_client *client, const struct fxt_i_client *other)
{
    if (other == NULL ||
        (client->first_packet_timer != NULL) != (other->first_packet_timer != NULL))
        return other == NULL || client->first_packet_timer != NULL;
    return client->last_received_ns < other->last_received_ns;
}

bool fxt_i_client_make_place(struct trace_manager *manager)
{
    struct fxt_i_client *longest_idle = NULL;

    if (manager->client_count < CLIENTS_MAX)
        return true;
    for (struct fxt_i_client *it = manager->clients; it != NULL; it = it->next)
        if (is_idle(it) && is_idle_longer(it, longest_idle))
            longest_idle = it;
    if (longest_idle != NULL)
        fxt_i_client_drop(longest_idle, "is idle and makes room for another one");
    return longest_idle != NULL;
}

static uint32_t count_of_process(const struct trace_manager *manager, uint64_t process)
{
    uint32_t count = 0;
    for (const struct fxt_i_client *it = manager->clients; it != NULL; it = it->next)
        count += it->process == process;
    return count;
}

/* A process of another namespace has the id 0. Such processes cannot be told apart. */
static bool may_have_another(struct trace_manager *manager, uint64_t process)
{
    if (process == 0 || process == (uint64_t)getpid() ||
        count_of_process(manager, process) < FXT_I_CONNECTIONS_PER_PROCESS)
        return true;
    fxt_i_log(manager, "a client (process %llu) is refused: it has %d connections",
              (unsigned long long)process, FXT_I_CONNECTIONS_PER_PROCESS);
    return false;
}

static bool watch_client(struct fxt_i_client *client)
{
    async_loop_t *loop = client->manager->loop;

    client->watch = fxt_i_watch_begin(loop, client->socket, POLLIN | POLLRDHUP, on_packet, client);
    if (client->watch == NULL)
        return false;
    return client->process == (uint64_t)getpid() || /* made by trace_manager_connect */
           fxt_i_timer_begin(&client->first_packet_timer, loop, FXT_I_FIRST_PACKET_MS,
                             on_first_packet_timeout, client);
}

void fxt_i_client_accept(struct trace_manager *manager, int socket)
{
    struct fxt_i_client *client = NULL;
    pid_t process;

    if (!fxt_i_socket_peer_is_us(socket, &process))
        fxt_i_log(manager, "a client is refused: %s",
                  errno == EACCES ? "it is another user's" : strerror(errno));
    else if (may_have_another(manager, (uint64_t)process)) {
        client = calloc(1, sizeof *client);
        if (client == NULL)
            fxt_i_log(manager, "a client is refused: no memory");
    }
    if (client == NULL) {
        close(socket);
        return;
    }
    client->manager = manager;
    client->socket = socket;
    client->process = (uint64_t)process;
    client->last_received_ns = fxt_i_now_ns();
    client->last = &client->first;
    client->next = manager->clients;
    manager->clients = client;
    manager->client_count++;
    if (!watch_client(client)) {
        fxt_i_log(manager, "a client is dropped: %s", strerror(errno));
        fxt_i_client_drop(client, NULL);
    }
}
