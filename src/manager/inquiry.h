/* The question which categories there are. */
#ifndef FXT_MANAGER_INQUIRY_H
#define FXT_MANAGER_INQUIRY_H

#include "src/manager/state.h"

/* Answers with the categories of the configuration and of the providers, when all providers have
   answered or the time is up. */
void fxt_i_client_ask_categories(struct fxt_i_client *client, uint32_t transaction);
/* A provider has said which categories it has; or has gone (NULL). */
void fxt_i_clients_hear_categories(struct trace_manager *manager, uint32_t transaction,
                                   const struct fxt_i_packet *packet);
/* The client is going: nothing is answered any more. */
void fxt_i_client_end_inquiry(struct fxt_i_client *client);

#endif
