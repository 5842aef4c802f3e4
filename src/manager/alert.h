/* The queues of alerts that wait for the client. */
#ifndef FXT_MANAGER_ALERT_H
#define FXT_MANAGER_ALERT_H

#include "src/manager/state.h"

/* Queues the alert. If the tracee's queue is full, the alert replaces its oldest one. */
void fxt_i_alert_put(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet);
/* Removes the oldest alert of all tracees. False if there is none. */
bool fxt_i_alert_take(struct fxt_i_session *session, char name[FXT_I_ALERT_MAX + 1]);

#endif
