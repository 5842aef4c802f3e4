/* Scheduling the next step of a session. */
#ifndef FXT_MANAGER_SOON_H
#define FXT_MANAGER_SOON_H

#include "src/manager/state.h"

/* Something has changed. Once the caller has returned to the loop, the session takes a step. */
void fxt_i_session_soon(struct fxt_i_session *session);
/* The same, as the `changed` callback of an archive. */
void fxt_i_session_archive_changed(void *session);

#endif
