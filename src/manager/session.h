/* A session: its state, and its end. */
#ifndef FXT_MANAGER_SESSION_H
#define FXT_MANAGER_SESSION_H

#include "src/manager/state.h"

void fxt_i_session_set_state(struct fxt_i_session *session, enum trace_session_state state);
/* Answers the start request: all providers have started, or the timeout has expired. */
void fxt_i_session_answer_start(struct fxt_i_session *session);
void fxt_i_session_free(struct fxt_i_session *session);
/* Frees the session without writing anything more. */
void fxt_i_session_abandon(struct fxt_i_session *session);
bool fxt_i_session_is_on(const struct fxt_i_session *session); /* starting or started */
void fxt_i_specs_free(struct fxt_i_spec *specs, uint32_t count);

#endif
