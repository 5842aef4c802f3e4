/* The step of a session. */
#ifndef FXT_MANAGER_STEP_H
#define FXT_MANAGER_STEP_H

#include "src/manager/state.h"

/* Takes a struct fxt_i_session, and may free it. */
void fxt_i_session_step(void *session);

#endif
