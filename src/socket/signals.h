/* Signals that a thread must not receive because of what this library does. */
#ifndef FXT_SOCKET_SIGNALS_H
#define FXT_SOCKET_SIGNALS_H

#include <signal.h>

/* A write to an output that accepts no more sends SIGPIPE or SIGXFSZ to its thread, which would kill
   the program. Between these two calls the thread does not receive them: the write only fails. */
void fxt_i_output_begin(sigset_t *before);
void fxt_i_output_end(const sigset_t *before);

/* Between these two calls the thread receives no signal but those of its own faults, and a thread that
   it creates never does: a signal to the program goes to the program's own threads. */
void fxt_i_signals_block(sigset_t *before);
void fxt_i_signals_restore(const sigset_t *before);

#endif
