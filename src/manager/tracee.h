/* A provider in a session. */
#ifndef FXT_MANAGER_TRACEE_H
#define FXT_MANAGER_TRACEE_H

#include "src/manager/state.h"

/* NULL if the provider cannot take part. */
struct fxt_i_tracee *fxt_i_tracee_create(struct fxt_i_session *session,
                                         struct fxt_i_provider *provider);
void fxt_i_tracee_free(struct fxt_i_tracee *tracee);
void fxt_i_tracee_start(struct fxt_i_tracee *tracee, uint16_t disposition);
void fxt_i_tracee_stop(struct fxt_i_tracee *tracee);
/* Asks the provider to hand over its current half. */
void fxt_i_tracee_flush(struct fxt_i_tracee *tracee);
void fxt_i_tracee_terminate(struct fxt_i_tracee *tracee);
void fxt_i_tracee_died(struct fxt_i_tracee *tracee);
/* Removes the tracee from the session; its records are kept. */
void fxt_i_tracee_misbehaves(struct fxt_i_tracee *tracee, const char *what);
void fxt_i_tracee_saved(struct fxt_i_tracee *tracee);
void fxt_i_tracee_release_buffer(struct fxt_i_tracee *tracee);

#endif
