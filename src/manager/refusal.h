/* What the log says of connections that are refused, or dropped before they have said who they are.
   Any program of this user can make as many as it likes: so there is one line a second, the first
   one, and then how many more there were. */
#ifndef FXT_MANAGER_REFUSAL_H
#define FXT_MANAGER_REFUSAL_H

#include "src/manager/state.h"

/* One line, or none: then it counts. */
void fxt_i_log_refusal(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
