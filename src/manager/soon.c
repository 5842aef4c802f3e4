/* The loop takes the session's step, in its next turn; never the caller of a request. */
#include "src/manager/soon.h"

void fxt_i_session_soon(struct fxt_i_session *session)
{
    fxt_i_turn_begin(session->soon);
}

void fxt_i_session_archive_changed(void *self)
{
    fxt_i_session_soon(self);
}
