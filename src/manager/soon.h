/* A session goes on later. */
#ifndef FXT_MANAGER_SOON_H
#define FXT_MANAGER_SOON_H

#include "src/manager/state.h"

/* Something has happened: soon, when whoever calls is done, the session goes on with whatever there
   is to do. */
void fxt_i_session_soon(struct fxt_i_session *session);
/* The same, as an archive's `changed`. */
void fxt_i_session_archive_changed(void *session);

#endif
