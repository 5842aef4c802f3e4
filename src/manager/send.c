/* Packets to providers and clients. Answers that a client has not read yet are queued for that
   client. */
#include "src/manager/manager.h"

#include <poll.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define QUEUED_MAX (UINT64_C(1) << 20) /* bytes of unread answers of a client */

bool fxt_i_provider_send(struct fxt_i_provider *provider, const struct fxt_i_packet *packet,
                         const struct fxt_bytes *names, const int *descriptors, size_t count)
{
    uint64_t size = fxt_i_packet_write(provider->manager->packet, packet, names);
    if (size == 0) /* an empty packet would look like the end of the connection */
        return false;
    int error =
        fxt_i_socket_send(provider->socket, provider->manager->packet, size, descriptors, count);
    if (error != 0 && error != EPIPE) /* a closed connection is reported by its watch */
        fxt_i_log(provider->manager, "%s (process %llu): cannot send to it: %s", provider->name,
                  (unsigned long long)provider->process, strerror(error));
    return error == 0 || error == EPIPE;
}

bool fxt_i_client_is_backlogged(const struct fxt_i_client *client)
{
    return client->waiting > QUEUED_MAX;
}

/* Closes the connection. The client is dropped later, when its watch reports that. */
static void give_up(struct fxt_i_client *client, int error)
{
    if (!client->gone)
        fxt_i_log(client->manager, "a client is dropped: %s", strerror(error));
    client->gone = true;
    shutdown(client->socket, SHUT_RDWR);
}

void fxt_i_client_send_queued(struct fxt_i_client *client)
{
    assert(client->watch != NULL); /* nothing is sent to a client that is being dropped */
    while (client->first != NULL) {
        struct fxt_i_answer *it = client->first;
        int error = fxt_i_socket_send(client->socket, it->bytes, it->size, NULL, 0);
        if (error == EAGAIN)
            break;
        if (error != 0 && error != EPIPE)
            give_up(client, error);
        client->first = it->next;
        if (client->first == NULL)
            client->last = &client->first;
        assert(client->waiting >= it->size);
        client->waiting -= it->size;
        free(it);
    }
    fxt_i_watch_change(client->watch, POLLRDHUP |
                                          (fxt_i_client_is_backlogged(client) ? 0 : POLLIN) |
                                          (client->first != NULL ? POLLOUT : 0));
}

void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller_packet *packet,
                       const struct fxt_bytes *names)
{
    uint8_t *bytes = client->manager->answer;
    uint64_t size = fxt_i_controller_write(bytes, packet, names);

    if (client->gone || size == 0)
        return;
    struct fxt_i_answer *answer = malloc(sizeof *answer + size);
    if (answer == NULL) {
        give_up(client, ENOMEM);
        return;
    }
    answer->next = NULL;
    answer->size = size;
    memcpy(answer->bytes, bytes, size);
    assert(*client->last == NULL);
    *client->last = answer;
    client->last = &answer->next;
    client->waiting += size;
    fxt_i_client_send_queued(client);
}

void fxt_i_client_done(struct fxt_i_client *client, uint32_t transaction, int error,
                       uint32_t packets, int output_error)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_DONE, .transaction = transaction};

    packet.numbers[0] = (uint64_t)error;
    packet.numbers[1] = packets;
    packet.numbers[2] = (uint64_t)output_error;
    fxt_i_client_send(client, &packet, NULL);
}

void fxt_i_request_done(struct fxt_i_client_request *request, int error, uint32_t packets,
                        int output_error)
{
    struct fxt_i_client *client = request->client;

    request->client = NULL;
    if (client != NULL)
        fxt_i_client_done(client, request->transaction, error, packets, output_error);
}
