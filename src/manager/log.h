/* The log of the manager: lines for the program that hosts it. Other programs cause them, as many
   as they like. So a second has a few lines, and then one that counts the others. */
#ifndef FXT_MANAGER_LOG_H
#define FXT_MANAGER_LOG_H

#include "src/manager/state.h"

#define FXT_I_LOG_LINES 10 /* a second, and the one that counts */

/* Logs one line, or counts it. Quoted text is escaped. */
void fxt_i_log(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs a line of the session itself, which no other program can repeat. It is never withheld. */
void fxt_i_log_always(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs what is counted. No line comes afterwards. */
void fxt_i_log_end(struct trace_manager *manager);

#endif
