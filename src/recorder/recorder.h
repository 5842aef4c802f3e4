/* A recording into a file that survives the program, for FXT_TRACE_FILE. */
#ifndef FXT_RECORDER_RECORDER_H
#define FXT_RECORDER_RECORDER_H

#include <stdbool.h>

#include <trace/file.h>

/* The loop's thread, or one that exits: the first error of writing the file. */
typedef void fxt_i_trace_failed(const char *path, int error);

/* Like fxt_trace_start, into a mapped file. It ends with the program, not by fxt_trace_stop. Returns
   0 or an errno value: those of fxt_trace_start and of fxt_i_mapped_open. */
int fxt_i_trace_start_mapped(const char *path, const struct fxt_trace_options *options,
                             fxt_i_trace_failed *failed);

/* In a forked child, before anything else: gives up the file of the parent. False if it had none. */
bool fxt_i_trace_in_child(void);

#endif
