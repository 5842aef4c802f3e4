/* Clients: what they ask for, and the answers that wait until they read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/manager/manager.h"

#define WAITING_MAX (UINT64_C(1) << 20) /* bytes of answers that a client does not read */

static void free_found(struct fxt_i_client *client)
{
    for (size_t i = 0; i < client->found_count; i++) {
        free(client->found[i].name);
        free(client->found[i].description);
    }
    free(client->found);
    client->found = NULL;
    client->found_count = 0;
}

void fxt_i_specs_free(struct fxt_i_spec *specs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fxt_i_names_free(&specs[i].categories);
    free(specs);
}

static void forget_specs(struct fxt_i_client *client)
{
    fxt_i_specs_free(client->specs, client->spec_count);
    client->specs = NULL;
    client->spec_count = 0;
}

static void unlink_client(struct fxt_i_client *client)
{
    struct fxt_i_client **at = &client->manager->clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    client->manager->client_count--;
    fxt_i_manager_accept_again(client->manager);
}

void fxt_i_client_drop(struct fxt_i_client *client, const char *why)
{
    struct fxt_i_session *session = client->manager->session;

    if (why != NULL)
        fxt_i_log(client->manager, "a client %s", why);
    unlink_client(client);
    client->gone = true;
    if (session != NULL)
        fxt_i_session_forget_client(session, client);
    fxt_i_watch_end(&client->watch);
    fxt_i_timer_end(&client->inquiry_timer);
    fxt_i_timer_end(&client->silence);
    close(client->socket);
    while (client->first != NULL) {
        struct fxt_i_answer *next = client->first->next;
        free(client->first);
        client->first = next;
    }
    forget_specs(client);
    free_found(client);
    free(client);
}

/* Answers. */

/* It does not read its answers: until it does, it is not heard. */
static bool is_deaf(const struct fxt_i_client *client)
{
    return client->waiting > WAITING_MAX;
}

/* What waits is sent as far as there is room. */
static void send_waiting(struct fxt_i_client *client)
{
    while (client->first != NULL) {
        struct fxt_i_answer *it = client->first;
        if (fxt_i_socket_send(client->socket, it->bytes, it->size, NULL, 0) == EAGAIN)
            break;
        client->first = it->next;
        if (client->first == NULL)
            client->last = &client->first;
        client->waiting -= it->size;
        free(it);
    }
    if (client->watch != NULL)
        fxt_i_watch_change(client->watch, UV_DISCONNECT | (is_deaf(client) ? 0 : UV_READABLE) |
                                              (client->first != NULL ? UV_WRITABLE : 0));
}

void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller *packet,
                       const struct fxt_bytes *names)
{
    uint8_t *bytes = client->manager->answer;
    uint64_t size = fxt_i_controller_write(bytes, packet, names);

    if (client->gone || size == 0)
        return;
    struct fxt_i_answer *answer = malloc(sizeof *answer + size);
    if (answer == NULL) { /* it is dropped when its socket is seen to be closed */
        client->gone = true;
        shutdown(client->socket, SHUT_RDWR);
        return;
    }
    answer->next = NULL;
    answer->size = size;
    memcpy(answer->bytes, bytes, size);
    *client->last = answer;
    client->last = &answer->next;
    client->waiting += size;
    send_waiting(client);
}

static void done(struct fxt_i_client *client, uint32_t transaction, int error, uint32_t packets,
                 int output_error)
{
    struct fxt_i_controller packet = {.ordinal = FXT_I_DONE, .transaction = transaction};

    packet.numbers[0] = (uint64_t)error;
    packet.numbers[1] = packets;
    packet.numbers[2] = (uint64_t)output_error;
    fxt_i_client_send(client, &packet, NULL);
}

void fxt_i_client_done(struct fxt_i_asked *request, int error, uint32_t packets, int output_error)
{
    struct fxt_i_client *client = request->client;

    request->client = NULL;
    if (client != NULL)
        done(client, request->transaction, error, packets, output_error);
}

static struct fxt_bytes bytes_of(const char *text)
{
    return (struct fxt_bytes){(const uint8_t *)text, strlen(text)};
}

void fxt_i_client_statistics(struct fxt_i_client *client, uint32_t transaction,
                             const struct fxt_i_tracee *tracee)
{
    struct fxt_i_controller packet = {
        .ordinal = FXT_I_STATISTICS, .transaction = transaction, .name_count = 1};
    const struct fxt_buffer_header *header = &tracee->header;
    struct fxt_bytes name = bytes_of(tracee->name);

    packet.numbers[0] = tracee->process;
    packet.numbers[1] = (uint64_t)tracee->session->mode;
    packet.numbers[2] = header->wrapped_count;
    packet.numbers[3] = header->records_dropped;
    packet.numbers[4] =
        header->durable_size != 0 ? 100 * header->durable_data_end / header->durable_size : 0;
    packet.numbers[5] = tracee->bytes_written;
    packet.numbers[6] = tracee->records_refused;
    packet.numbers[7] = (tracee->died ? 1u : 0u) + (tracee->misbehaved ? 2u : 0u) +
                        (header->definitions_inlined != 0 ? 4u : 0u) +
                        (tracee->timed_out ? 8u : 0u);
    fxt_i_client_send(client, &packet, &name);
}

void fxt_i_client_state(struct fxt_i_client *client, uint32_t transaction)
{
    struct fxt_i_controller packet = {.ordinal = FXT_I_STATE, .transaction = transaction};
    struct trace_status status;

    fxt_i_session_status(client->manager->session, &status);
    packet.numbers[0] = (uint64_t)status.state;
    packet.numbers[1] = (uint64_t)status.mode;
    packet.numbers[2] = status.providers;
    packet.numbers[3] = status.bytes_written;
    packet.numbers[4] = status.records_dropped;
    packet.numbers[5] = status.started_ns;
    packet.numbers[6] = status.records_refused;
    packet.numbers[7] = (uint64_t)status.output_error;
    fxt_i_client_send(client, &packet, NULL);
}

/* The oldest alert that waits, when the client waits for one. */
void fxt_i_client_alert(struct fxt_i_client *client)
{
    struct fxt_i_controller packet = {.ordinal = FXT_I_ALERTED, .name_count = 1};
    char name[FXT_I_ALERT_MAX + 1];

    if (client->session == NULL || client->watching_alert == 0 ||
        !fxt_i_alert_take(client->session, name))
        return;
    struct fxt_bytes bytes = bytes_of(name);
    packet.transaction = client->watching_alert;
    client->watching_alert = 0;
    fxt_i_client_send(client, &packet, &bytes);
}

/* Questions. */

static void answer_providers(struct fxt_i_client *client, uint32_t transaction)
{
    uint32_t count = 0;

    for (struct fxt_i_provider *it = client->manager->providers; it != NULL; it = it->next) {
        struct fxt_i_controller packet = {
            .ordinal = FXT_I_PROVIDER_INFO, .transaction = transaction, .name_count = 1};
        struct fxt_bytes name = bytes_of(it->name);
        if (it->id == 0)
            continue;
        packet.numbers[0] = it->id;
        packet.numbers[1] = it->process;
        fxt_i_client_send(client, &packet, &name);
        count++;
    }
    done(client, transaction, TRACE_ERROR_NONE, count, 0);
}

static bool is_found(const struct fxt_i_client *client, const char *name)
{
    for (size_t i = 0; i < client->found_count; i++)
        if (strcmp(client->found[i].name, name) == 0)
            return true;
    return false;
}

/* The first description of a name counts: that of the configuration. */
static void find(struct fxt_i_client *client, const char *name, const char *description)
{
    if (is_found(client, name))
        return;
    struct fxt_i_category *room =
        realloc(client->found, (client->found_count + 1) * sizeof *client->found);
    if (room == NULL)
        return;
    client->found = room;
    struct fxt_i_category *it = &room[client->found_count];
    it->name = strdup(name);
    it->description = strdup(description);
    if (it->name != NULL && it->description != NULL) {
        client->found_count++;
    } else {
        free(it->name);
        free(it->description);
    }
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct fxt_i_category *)one)->name,
                  ((const struct fxt_i_category *)other)->name);
}

static void answer_categories(struct fxt_i_client *client)
{
    uint32_t transaction = client->inquiry;

    if (client->found_count > 0)
        qsort(client->found, client->found_count, sizeof *client->found, by_name);
    for (size_t i = 0; i < client->found_count; i++) {
        struct fxt_i_controller packet = {
            .ordinal = FXT_I_CATEGORY_INFO, .transaction = transaction, .name_count = 2};
        struct fxt_bytes names[] = {bytes_of(client->found[i].name),
                                    bytes_of(client->found[i].description)};
        fxt_i_client_send(client, &packet, names);
    }
    done(client, transaction, TRACE_ERROR_NONE, (uint32_t)client->found_count, 0);
    free_found(client);
    fxt_i_timer_end(&client->inquiry_timer);
    client->inquiry = 0;
}

static void on_inquiry_timeout(void *self)
{
    answer_categories(self);
}

static void hear_pairs(struct fxt_i_client *client, const struct fxt_i_packet *packet)
{
    for (uint32_t i = 0; i < packet->name_count; i++) {
        char name[FXT_I_NAME_MAX + 1];
        char description[FXT_I_NAME_MAX + 1];
        fxt_i_copy_name(name, fxt_i_packet_name(packet->names, 2 * i));
        fxt_i_copy_name(description, fxt_i_packet_name(packet->names, 2 * i + 1));
        find(client, name, description);
    }
}

/* All clients share one question to a provider. A client does not wait for an answer to a question that
   came after its own: that provider had answered before. Numbers of questions may wrap around. */
void fxt_i_clients_hear_categories(struct trace_manager *manager, uint32_t transaction,
                                   const struct fxt_i_packet *packet)
{
    struct fxt_i_client *next;

    for (struct fxt_i_client *it = manager->clients; it != NULL; it = next) {
        next = it->next;
        if (it->inquiry == 0 || it->inquiry_waits == 0 ||
            (int32_t)(transaction - it->inquiry_last) > 0)
            continue;
        if (packet != NULL)
            hear_pairs(it, packet);
        if (--it->inquiry_waits == 0)
            answer_categories(it);
    }
}

static void ask_provider(struct fxt_i_provider *provider)
{
    struct fxt_i_packet packet = {.ordinal = FXT_I_GET_KNOWN_CATEGORIES};
    struct trace_manager *manager = provider->manager;

    packet.transaction = ++manager->last_inquiry;
    if (packet.transaction == 0)
        packet.transaction = ++manager->last_inquiry;
    if (fxt_i_provider_send(provider, &packet, NULL, NULL, 0))
        provider->asked = packet.transaction;
}

/* How many will answer. One that was asked before and has not answered yet is not asked again. */
static uint32_t ask_providers(struct trace_manager *manager)
{
    uint32_t asked = 0;

    for (struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next) {
        if (it->id != 0 && it->asked == 0)
            ask_provider(it);
        asked += it->asked != 0;
    }
    return asked;
}

static void ask_categories(struct fxt_i_client *client, uint32_t transaction)
{
    const struct fxt_i_config *config = &client->manager->config;

    if (client->inquiry != 0) {
        done(client, transaction, TRACE_ERROR_STOPPING, 0, 0);
        return;
    }
    client->inquiry = transaction;
    for (size_t i = 0; i < config->category_count; i++)
        find(client, config->categories[i].name, config->categories[i].description);
    client->inquiry_waits = ask_providers(client->manager);
    client->inquiry_last = client->manager->last_inquiry;
    if (client->inquiry_waits == 0 ||
        !fxt_i_timer_begin(&client->inquiry_timer, &client->manager->loop, FXT_I_CATEGORIES_MS,
                           on_inquiry_timeout, client))
        answer_categories(client);
}

/* Requests. */

static bool take_spec(struct fxt_i_client *client, const struct fxt_i_controller *packet)
{
    if (client->spec_count == FXT_I_NAMES_MAX)
        return false;
    struct fxt_i_spec *room =
        realloc(client->specs, (client->spec_count + 1) * sizeof *client->specs);
    if (room == NULL)
        return false;
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
    return taken;
}

static int initialize(struct fxt_i_client *client, const struct fxt_i_controller *packet,
                      int *output)
{
    int given = *output;

    if (given < 0)
        return TRACE_ERROR_INVALID;
    *output = -1;
    int error = fxt_i_session_create(client, packet, given);
    forget_specs(client); /* unless they are the session's now */
    return error;
}

static int flush(struct fxt_i_client *client, const struct fxt_i_asked *request, int *output)
{
    int given = *output;

    if (client->manager->session == NULL)
        return TRACE_ERROR_NOT_INITIALIZED;
    *output = -1;
    return fxt_i_session_flush(client->manager->session, request, given);
}

/* Takes the descriptor when it sets it to -1. */
static void obey(struct fxt_i_client *client, const struct fxt_i_controller *packet, int *output)
{
    const struct fxt_i_asked request = {client, packet->transaction};
    struct fxt_i_session *session = client->session;
    int error = session != NULL ? TRACE_ERROR_NONE : TRACE_ERROR_NOT_INITIALIZED;
    bool at_once = false; /* answered even when all is well */

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
    if (error != TRACE_ERROR_NONE || at_once)
        done(client, packet->transaction, error, 0, 0);
}

/* False when it may not say that. */
static bool hear(struct fxt_i_client *client, const struct fxt_i_controller *packet, int *output)
{
    switch (packet->ordinal) {
    case FXT_I_PROVIDER_SPEC:
        return take_spec(client, packet);
    case FXT_I_GET_PROVIDERS:
        answer_providers(client, packet->transaction);
        return true;
    case FXT_I_GET_CATEGORIES:
        ask_categories(client, packet->transaction);
        return true;
    case FXT_I_WATCH_ALERT:
        client->watching_alert = packet->transaction;
        fxt_i_client_alert(client);
        return true;
    case FXT_I_GET_STATUS:
        fxt_i_client_state(client, packet->transaction);
        done(client, packet->transaction, TRACE_ERROR_NONE, 1, 0);
        return true;
    default:
        obey(client, packet, output);
        return true;
    }
}

static void on_packet(void *self, int events)
{
    struct fxt_i_client *client = self;
    uint8_t *bytes = client->manager->request;
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_controller packet;
    struct fxt_error error;
    size_t size;

    send_waiting(client);
    if (is_deaf(client)) {
        if ((events & UV_DISCONNECT) != 0)
            fxt_i_client_drop(client, "has not read its answers");
        return;
    }
    int failed =
        fxt_i_socket_receive(client->socket, bytes, FXT_I_CONTROLLER_BYTES_MAX, &size, descriptors);
    if (failed == EAGAIN)
        return;
    client->heard = uv_now(&client->manager->loop);
    fxt_i_timer_end(&client->silence);
    const char *why = failed == 0 || failed == EPIPE ? NULL : strerror(failed);
    bool heard = failed == 0;
    if (heard && (fxt_i_controller_read(&packet, bytes, size, FXT_I_OF_CLIENT, &error) != FXT_OK ||
                  !hear(client, &packet, &descriptors[0]))) {
        heard = false;
        why = "sends a packet that breaks the rules";
    }
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    if (!heard)
        fxt_i_client_drop(client, why);
}

/* Places. */

/* A packet that came while the manager was busy is not silence. */
static void on_silence(void *self)
{
    struct fxt_i_client *client = self;
    if (!fxt_i_manager_has_more(client->socket))
        fxt_i_client_drop(client, "never says anything");
}

static bool is_idle(const struct fxt_i_client *client)
{
    const struct fxt_i_session *session = client->manager->session;

    return client->session == NULL && client->inquiry == 0 &&
           (session == NULL || session->flush.client != client) &&
           (is_deaf(client) || !fxt_i_manager_has_more(client->socket));
}

/* Clients that have said nothing yet come first. */
static bool is_idler(const struct fxt_i_client *client, const struct fxt_i_client *other)
{
    if (other == NULL || (client->silence != NULL) != (other->silence != NULL))
        return other == NULL || client->silence != NULL;
    return client->heard < other->heard;
}

bool fxt_i_client_has_place(struct trace_manager *manager)
{
    struct fxt_i_client *idlest = NULL;

    if (manager->client_count < FXT_I_CLIENTS_MAX)
        return true;
    for (struct fxt_i_client *it = manager->clients; it != NULL; it = it->next)
        if (is_idle(it) && is_idler(it, idlest))
            idlest = it;
    if (idlest != NULL)
        fxt_i_client_drop(idlest, "is idle and makes room for another one");
    return idlest != NULL;
}

static uint32_t count_of_process(const struct trace_manager *manager, uint64_t process)
{
    uint32_t count = 0;
    for (const struct fxt_i_client *it = manager->clients; it != NULL; it = it->next)
        count += it->process == process;
    return count;
}

/* The number of a process in another namespace is 0: such processes cannot be told apart. */
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
    uv_loop_t *loop = &client->manager->loop;

    client->watch =
        fxt_i_watch_begin(loop, client->socket, UV_READABLE | UV_DISCONNECT, on_packet, client);
    if (client->watch == NULL)
        return false;
    return client->process == (uint64_t)getpid() || /* by trace_manager_connect */
           fxt_i_timer_begin(&client->silence, loop, FXT_I_SILENCE_MS, on_silence, client);
}

void fxt_i_client_accept(struct trace_manager *manager, int socket)
{
    struct fxt_i_client *client = NULL;
    pid_t process;

    if (!fxt_i_socket_peer_is_us(socket, &process))
        fxt_i_log(manager, "a client of another user is refused");
    else if (may_have_another(manager, (uint64_t)process))
        client = calloc(1, sizeof *client);
    if (client == NULL) {
        close(socket);
        return;
    }
    client->manager = manager;
    client->socket = socket;
    client->process = (uint64_t)process;
    client->heard = uv_now(&manager->loop);
    client->last = &client->first;
    client->next = manager->clients;
    manager->clients = client;
    manager->client_count++;
    if (!watch_client(client))
        fxt_i_client_drop(client, "has no room");
}
