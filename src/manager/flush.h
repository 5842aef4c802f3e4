/* Flushing: the current contents of the buffers go into an archive. */
#ifndef FXT_MANAGER_FLUSH_H
#define FXT_MANAGER_FLUSH_H

#include "src/manager/state.h"

/* Like the requests of request.h. Takes ownership of the descriptor, unless it is -1. */
int fxt_i_session_flush(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        int output);
void fxt_i_session_step_flush(struct fxt_i_session *session);
/* Whether a flush may read the tracee's buffer now. */
bool fxt_i_flush_may_read(const struct fxt_i_tracee *tracee);

#endif
