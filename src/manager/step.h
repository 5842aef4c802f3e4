/* What a session does of itself. */
#ifndef FXT_MANAGER_STEP_H
#define FXT_MANAGER_STEP_H

#include "src/manager/state.h"

/* Of a struct fxt_i_session, which may be freed by it. */
void fxt_i_session_step(void *session);

#endif
