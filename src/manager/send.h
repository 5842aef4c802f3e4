/* What goes out to providers and clients. What a client does not read waits here. */
#ifndef FXT_MANAGER_SEND_H
#define FXT_MANAGER_SEND_H

#include "src/manager/state.h"

/* False when it does not take the packet. Descriptors stay the caller's. */
bool fxt_i_provider_send(struct fxt_i_provider *provider, const struct fxt_i_packet *packet,
                         const struct fxt_bytes *names, const int *descriptors, size_t count);

void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller *packet,
                       const struct fxt_bytes *names);
/* What waits is sent as far as there is room. */
void fxt_i_client_send_waiting(struct fxt_i_client *client);
/* It does not read its answers: until it does, it is not heard. */
bool fxt_i_client_is_deaf(const struct fxt_i_client *client);
/* The last packet of an answer, `packets` others of which came before. */
void fxt_i_client_done(struct fxt_i_client *client, uint32_t transaction, int error,
                       uint32_t packets, int output_error);
/* Answers, and forgets, the request. */
void fxt_i_asked_done(struct fxt_i_asked *request, int error, uint32_t packets, int output_error);

#endif
