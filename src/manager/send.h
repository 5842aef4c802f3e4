/* Packets to providers and clients. Answers that a client does not read are queued here. */
#ifndef FXT_MANAGER_SEND_H
#define FXT_MANAGER_SEND_H

#include "src/manager/state.h"

/* False if the packet could not be sent. True if the provider has disconnected: its watch reports
   that. The descriptors stay the caller's. */
bool fxt_i_provider_send(struct fxt_i_provider *provider, const struct fxt_i_packet *packet,
                         const struct fxt_bytes *names, const int *descriptors, size_t count);

void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller_packet *packet,
                       const struct fxt_bytes *names);
/* Sends queued answers as far as there is room. */
void fxt_i_client_send_queued(struct fxt_i_client *client);
/* Whether too many answers are queued because the client does not read them. Until it does, the
   manager does not read its requests. */
bool fxt_i_client_is_backlogged(const struct fxt_i_client *client);
/* Sends the last packet of an answer, after `packets` others. */
void fxt_i_client_done(struct fxt_i_client *client, uint32_t transaction, int error,
                       uint32_t packets, int output_error);
/* Answers the request and clears it. */
void fxt_i_request_done(struct fxt_i_client_request *request, int error, uint32_t packets,
                        int output_error);

#endif
