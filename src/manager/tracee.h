/* A provider in a session. */
#ifndef FXT_MANAGER_TRACEE_H
#define FXT_MANAGER_TRACEE_H

#include "src/manager/state.h"

/* Collects the categories of the session and of the specification of the provider of that name. An
   empty list means all categories. Returns an errno value: EINVAL if a group is unknown, E2BIG if
   there are too many, ENOMEM. */
int fxt_i_tracee_categories(const struct fxt_i_session *session, const char *name,
                            struct fxt_i_names *out);
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
void fxt_i_tracee_expel(struct fxt_i_tracee *tracee, const char *what);
void fxt_i_tracee_saved(struct fxt_i_tracee *tracee);
void fxt_i_tracee_release_buffer(struct fxt_i_tracee *tracee);

#endif
