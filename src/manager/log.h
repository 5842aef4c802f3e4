/* The log of the manager: lines for the program that hosts it. Other programs can cause any number
   of them, so the log has a rate limit: FXT_I_LOG_LINES lines a second, and then one line that counts
   the suppressed lines. */
#ifndef FXT_MANAGER_LOG_H
#define FXT_MANAGER_LOG_H

#include "src/manager/state.h"

#define FXT_I_LOG_LINES 10 /* a second, and the one that counts */

/* Logs one line, or counts it. Quoted text is escaped. */
void fxt_i_log(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs a line of the session itself, which no other program can repeat, without the rate limit. */
void fxt_i_log_always(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs the count of suppressed lines. The last call. */
void fxt_i_log_end(struct trace_manager *manager);

#endif
