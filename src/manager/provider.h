/* Providers: the connections to the registry. */
#ifndef FXT_MANAGER_PROVIDER_H
#define FXT_MANAGER_PROVIDER_H

#include "src/manager/state.h"

void fxt_i_provider_accept(struct trace_manager *manager, int socket);
/* Makes a place for one more provider. If all are taken, drops a connection that has not registered
   yet. False if there is still no place. */
bool fxt_i_provider_make_place(struct trace_manager *manager);
/* Frees the provider; its tracee counts as dead. */
void fxt_i_provider_drop(struct fxt_i_provider *provider, const char *why);

#endif
