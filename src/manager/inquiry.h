/* The request for known categories. */
#ifndef FXT_MANAGER_INQUIRY_H
#define FXT_MANAGER_INQUIRY_H

#include "src/manager/state.h"

/* Answers with the categories of the configuration and of the providers, as soon as all providers
   have answered or the timeout has expired. */
void fxt_i_client_ask_categories(struct fxt_i_client *client, uint32_t transaction);
/* A provider has sent its categories, or disconnected (NULL). */
void fxt_i_clients_receive_categories(struct trace_manager *manager, uint32_t transaction,
                                      const struct fxt_i_packet *packet);
/* The client is being dropped: its inquiry gets no answer. */
void fxt_i_client_end_inquiry(struct fxt_i_client *client);

#endif
