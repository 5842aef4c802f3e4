/* Accepting connections, even without free descriptors or memory. */
#include "src/manager/manager.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAUSE_MS 200

void fxt_i_manager_accept_again(struct trace_manager *manager)
{
    manager->is_crowded = false;
    fxt_i_watch_change(manager->registry_watch, POLLIN);
    fxt_i_watch_change(manager->controller_watch, POLLIN);
}

bool fxt_i_manager_is_readable(int socket)
{
    struct pollfd it = {.fd = socket, .events = POLLIN};
    return poll(&it, 1, 0) == 1;
}

static void listen_again(void *self)
{
    fxt_i_manager_accept_again(self);
}

/* A connection that cannot even be refused would be reported by every poll. */
static void pause_listening(struct trace_manager *manager)
{
    if (!fxt_i_timer_begin(&manager->pause, manager->loop, PAUSE_MS, listen_again, manager))
        return;
    fxt_i_watch_change(manager->registry_watch, 0);
    fxt_i_watch_change(manager->controller_watch, 0);
}

static void listen_to_clients_again(void *self)
{
    struct trace_manager *manager = self;
    fxt_i_watch_change(manager->controller_watch, POLLIN);
}

void fxt_i_manager_await_idle_client(struct trace_manager *manager)
{
    fxt_i_watch_change(manager->controller_watch, 0);
    fxt_i_timer_begin(&manager->pause, manager->loop, PAUSE_MS, listen_to_clients_again, manager);
}

/* Without a free descriptor, the connection would stay in the queue and the socket ready for
   ever. So the spare descriptor is closed to accept the connection and close it. */
static void refuse_for_lack_of_descriptors(struct trace_manager *manager, int listening)
{
    if (manager->spare >= 0)
        close(manager->spare);
    int socket = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0)
        close(socket);
    manager->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (socket >= 0)
        fxt_i_log(manager, "a connection is refused: no descriptors are left");
    else
        pause_listening(manager);
}

void fxt_i_manager_accept(struct trace_manager *manager, int listening,
                          void (*accepted)(struct trace_manager *manager, int socket))
{
    int socket = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    assert(listening == manager->registry || listening == manager->controller);
    if (socket >= 0)
        accepted(manager, socket);
    else if (errno == EMFILE || errno == ENFILE)
        refuse_for_lack_of_descriptors(manager, listening);
    else if (errno == ENOMEM || errno == ENOBUFS)
        pause_listening(manager);
}
