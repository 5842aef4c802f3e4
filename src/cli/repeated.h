/* Signals that are sent twice for one reason. */
#ifndef FXT_CLI_REPEATED_H
#define FXT_CLI_REPEATED_H

#include <stdbool.h>

/* For the handler of a signal, which calls it each time: whether this signal only repeats the one
   before it. timeout(1) sends each signal to its child, and at once again to the child's process
   group. A terminal that closes may send a second SIGHUP at any time. */
bool signal_is_repeated(int number);

#endif
