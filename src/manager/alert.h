/* Alerts on their way to the client. */
#ifndef FXT_MANAGER_ALERT_H
#define FXT_MANAGER_ALERT_H

#include "src/manager/state.h"

/* Queues it, in place of the tracee's oldest one if it has as many as it may. */
void fxt_i_alert_put(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet);
/* The oldest alert of all tracees. False if none waits. */
bool fxt_i_alert_take(struct fxt_i_session *session, char name[FXT_I_ALERT_MAX + 1]);

#endif
