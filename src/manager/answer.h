/* Packets that tell a client about its session. */
#ifndef FXT_MANAGER_ANSWER_H
#define FXT_MANAGER_ANSWER_H

#include "src/manager/state.h"

void fxt_i_client_statistics(struct fxt_i_client *client, uint32_t transaction,
                             const struct fxt_i_tracee *tracee);
/* transaction: 0 if the client has not asked. */
void fxt_i_client_state(struct fxt_i_client *client, uint32_t transaction);
/* Sends the oldest queued alert if the client watches for one. */
void fxt_i_client_alert(struct fxt_i_client *client);

#endif
