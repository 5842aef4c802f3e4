/* What clients ask of a session, and what else changes it from outside. */
#ifndef FXT_MANAGER_REQUEST_H
#define FXT_MANAGER_REQUEST_H

#include "src/manager/state.h"

/* An enum trace_controller_error when it fails at once, else the request is answered when it is
   done. The first takes the descriptor. */
int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller *packet,
                         int output);
int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_asked *request,
                        const struct fxt_i_controller *packet);
int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_asked *request,
                       bool write_results);
int fxt_i_session_terminate(struct fxt_i_session *session, const struct fxt_i_asked *request,
                            bool write_results);

/* The client hears nothing any more. */
void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client);
void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider);

#endif
