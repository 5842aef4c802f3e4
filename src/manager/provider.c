/* Providers: the connections to the registry. A connection takes a place when it is accepted, and
   is closed if it does not register in time. If there is no place, connections wait at the socket
   in the order of arrival. */
#include "src/manager/manager.h"

#include <poll.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/socket/socket.h"

#define PROVIDERS_MAX 100

static void unlink_provider(struct fxt_i_provider *provider)
{
    struct fxt_i_provider **at = &provider->manager->providers;
    while (*at != provider) {
        assert(*at != NULL); /* it is in the list */
        at = &(*at)->next;
    }
    assert(provider->manager->connections > 0);
    *at = provider->next;
    provider->manager->connections--;
    fxt_i_manager_accept_again(provider->manager);
}

void fxt_i_provider_drop(struct fxt_i_provider *provider, const char *why)
{
    struct trace_manager *manager = provider->manager;

    if (why != NULL)
        fxt_i_log(manager, "%s (process %llu): %s",
                  provider->id != 0 ? provider->name : "a provider",
                  (unsigned long long)provider->process, why);
    unlink_provider(provider);
    if (provider->tracee != NULL) {
        assert(provider->tracee->provider == provider);
        fxt_i_tracee_died(provider->tracee);
    }
    if (provider->asked != 0)
        fxt_i_clients_receive_categories(manager, provider->asked, NULL);
    fxt_i_watch_end(&provider->watch);
    fxt_i_watch_end(&provider->death);
    fxt_i_timer_end(&provider->first_packet_timer);
    close(provider->socket);
    if (provider->process_descriptor >= 0)
        close(provider->process_descriptor);
    free(provider);
}

static void answer_registration(struct fxt_i_provider *provider, uint32_t transaction)
{
    struct fxt_i_session *session = provider->manager->session;
    struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTERED, .transaction = transaction};

    packet.choice =
        session != NULL && !session->aborted &&
        (session->state == TRACE_SESSION_STARTING || session->state == TRACE_SESSION_STARTED);
    fxt_i_provider_send(provider, &packet, NULL, NULL, 0);
}

/* In another PID namespace, the provider writes process ids as koids that belong to other programs
   in the manager's namespace. */
static void log_namespace(const struct fxt_i_provider *provider, uint64_t process)
{
    if (process != provider->process)
        fxt_i_log(
            provider->manager,
            "%s (process %llu): it is process %llu in its own PID namespace; in the trace it may "
            "be taken for another program",
            provider->name, (unsigned long long)provider->process, (unsigned long long)process);
}

/* False if the provider may not send this packet now. */
static bool register_it(struct fxt_i_provider *provider, const struct fxt_i_packet *packet)
{
    if (provider->id != 0)
        return false;
    fxt_i_copy_name(provider->name, fxt_i_packet_name(packet->names, 0));
    provider->id = ++provider->manager->last_id;
    log_namespace(provider, packet->process);
    fxt_i_timer_end(&provider->first_packet_timer);
    if (packet->ordinal == FXT_I_REGISTER_SYNCHRONOUSLY)
        answer_registration(provider, packet->transaction);
    if (provider->manager->session != NULL)
        fxt_i_session_add_provider(provider->manager->session, provider);
    return true;
}

static bool dispatch(struct fxt_i_provider *provider, const struct fxt_i_packet *packet)
{
    if (packet->ordinal != FXT_I_KNOWN_CATEGORIES)
        return register_it(provider, packet);
    if (provider->asked == 0 || provider->asked != packet->transaction)
        return true; /* after the timeout */
    provider->asked = 0;
    fxt_i_clients_receive_categories(provider->manager, packet->transaction, packet);
    return true;
}

static void on_packet(void *self, int events)
{
    struct fxt_i_provider *provider = self;
    struct trace_manager *manager = provider->manager;
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_packet packet;
    struct fxt_error error;
    size_t size;

    (void)events;
    int failed = fxt_i_socket_receive(provider->socket, manager->packet, sizeof manager->packet,
                                      &size, descriptors);
    if (failed == EAGAIN)
        return;
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            fxt_i_socket_release(descriptors[i]);
    if (failed != 0)
        fxt_i_provider_drop(provider, failed == EPIPE ? NULL : strerror(failed));
    else if (fxt_i_packet_read(&packet, manager->packet, size, FXT_I_OF_PROVIDER, &error) !=
                 FXT_OK ||
             !dispatch(provider, &packet))
        fxt_i_provider_drop(provider, "sends a packet that breaks the rules");
}

static void on_death(void *self, int events)
{
    (void)events;
    fxt_i_provider_drop(self, NULL);
}

/* The provider's packet may have arrived while the manager was busy. */
static void on_registration_timeout(void *self)
{
    struct fxt_i_provider *provider = self;
    if (!fxt_i_manager_is_readable(provider->socket))
        fxt_i_provider_drop(provider, "connects but does not register");
}

bool fxt_i_provider_make_place(struct trace_manager *manager)
{
    struct fxt_i_provider *oldest = NULL;

    if (manager->connections < PROVIDERS_MAX)
        return true;
    for (struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next)
        if (it->id == 0 && !fxt_i_manager_is_readable(it->socket))
            oldest = it;
    if (oldest != NULL) {
        fxt_i_provider_drop(oldest, "has not registered and makes room for another one");
        return true;
    }
    fxt_i_log(manager, "there are %d providers; others wait until one leaves", PROVIDERS_MAX);
    manager->is_crowded = true;
    if (manager->session != NULL)
        manager->session->is_crowded = true;
    return false;
}

static uint32_t count_of_process(const struct trace_manager *manager, uint64_t process)
{
    uint32_t count = 0;
    for (const struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next)
        count += it->process == process;
    return count;
}

/* A process of another namespace has the id 0. Such processes cannot be told apart. */
static bool may_have_another(struct trace_manager *manager, pid_t process)
{
    if (process == 0 ||
        count_of_process(manager, (uint64_t)process) < FXT_I_CONNECTIONS_PER_PROCESS)
        return true;
    fxt_i_log(manager, "a provider (process %ld) is refused: it has %d connections", (long)process,
              FXT_I_CONNECTIONS_PER_PROCESS);
    return false;
}

/* A forked child may hold the provider's end of the connection. So the process itself is watched
   for its death. */
static void watch_process(struct fxt_i_provider *provider)
{
    provider->process_descriptor = (int)syscall(SYS_pidfd_open, (pid_t)provider->process, 0);
    if (provider->process_descriptor >= 0)
        provider->death = fxt_i_watch_begin(provider->manager->loop, provider->process_descriptor,
                                            POLLIN, on_death, provider);
}

void fxt_i_provider_accept(struct trace_manager *manager, int socket)
{
    struct fxt_i_provider *provider;
    pid_t process;

    assert(manager->connections < PROVIDERS_MAX);
    if (!fxt_i_socket_peer_is_us(socket, &process)) {
        fxt_i_log(manager, "a provider is refused: %s",
                  errno == EACCES ? "it is another user's" : strerror(errno));
        close(socket);
        return;
    }
    bool may = may_have_another(manager, process);
    provider = may ? calloc(1, sizeof *provider) : NULL;
    if (provider == NULL) {
        if (may)
            fxt_i_log(manager, "a provider is refused: no memory");
        close(socket);
        return;
    }
    provider->manager = manager;
    provider->socket = socket;
    provider->process = (uint64_t)process;
    provider->process_descriptor = -1;
    provider->next = manager->providers;
    manager->providers = provider;
    manager->connections++;
    provider->watch = fxt_i_watch_begin(manager->loop, socket, POLLIN, on_packet, provider);
    if (provider->watch == NULL ||
        !fxt_i_timer_begin(&provider->first_packet_timer, manager->loop, FXT_I_FIRST_PACKET_MS,
                           on_registration_timeout, provider)) {
        fxt_i_provider_drop(provider, strerror(errno));
        return;
    }
    watch_process(provider);
}
