/* Requests of clients, and other outside events that change a session. */
#ifndef FXT_MANAGER_REQUEST_H
#define FXT_MANAGER_REQUEST_H

#include "src/manager/state.h"

/* Each returns an enum trace_controller_error if it fails at once. Otherwise the request is
   answered when it is done. fxt_i_session_create takes ownership of the descriptor. */
int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller_packet *packet,
                         int output);
int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        const struct fxt_i_controller_packet *packet);
int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                       bool write_results);
int fxt_i_session_terminate(struct fxt_i_session *session,
                            const struct fxt_i_client_request *request, bool write_results);

/* Nothing more is sent to the client. */
void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client);
void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider);

#endif
