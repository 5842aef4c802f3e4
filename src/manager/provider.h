/* Providers: who has connected to the registry. */
#ifndef FXT_MANAGER_PROVIDER_H
#define FXT_MANAGER_PROVIDER_H

#include "src/manager/state.h"

void fxt_i_provider_accept(struct trace_manager *manager, int socket);
/* True if one more fits. A connection that has not registered yet makes room when there is none. */
bool fxt_i_provider_has_place(struct trace_manager *manager);
/* Frees it; its tracee has died then. */
void fxt_i_provider_drop(struct fxt_i_provider *provider, const char *why);

#endif
