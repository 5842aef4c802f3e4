/* The log of the manager: lines for the program that hosts it. */
#ifndef FXT_MANAGER_LOG_H
#define FXT_MANAGER_LOG_H

#include <trace-manager/manager.h>

struct fxt_i_logger {
    trace_manager_log_t *write; /* NULL: no log */
    void *data;
};

/* Logs one line. Quoted text is escaped. */
void fxt_i_log(const struct fxt_i_logger *logger, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
