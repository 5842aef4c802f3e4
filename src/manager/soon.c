/* The timer that is due at once: the session's step is taken by the loop, and by nobody's call. */
#include "src/manager/soon.h"

void fxt_i_session_soon(struct fxt_i_session *session)
{
    fxt_i_timer_begin(&session->soon, &session->manager->loop, 0, session->step, session);
}

void fxt_i_session_archive_changed(void *self)
{
    fxt_i_session_soon(self);
}
