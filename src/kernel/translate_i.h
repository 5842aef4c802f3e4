/* Shared by the files of the translation. */
#ifndef FXT_KERNEL_TRANSLATE_I_H
#define FXT_KERNEL_TRANSLATE_I_H

#include <fxt/record.h>

#include "src/kernel/translate.h"

/* The context for writing one event. */
struct fxt_kernel_writing {
    struct fxt_kernel_translation *translation;
    trace_context_t *context;
    const struct fxt_kernel_event *event;
    uint64_t ticks;
};

void fxt_kernel_write_switch(const struct fxt_kernel_writing *writing);
void fxt_kernel_write_wakeup(const struct fxt_kernel_writing *writing);
void fxt_kernel_begin_call(const struct fxt_kernel_writing *writing);
void fxt_kernel_end_call(const struct fxt_kernel_writing *writing);
void fxt_kernel_begin_handler(const struct fxt_kernel_writing *writing);
void fxt_kernel_end_handler(const struct fxt_kernel_writing *writing);
void fxt_kernel_write_frequency(const struct fxt_kernel_writing *writing);

/* Updates the threads from an event: writes new names, and removes threads that end. */
void fxt_kernel_note_threads(const struct fxt_kernel_writing *writing);
void fxt_kernel_forget_thread(const struct fxt_kernel_writing *writing);

/* A literal by its index, for either interface. */
trace_string_ref_t fxt_kernel_literal(trace_context_t *context, const char *literal);
struct fxt_string_ref fxt_kernel_literal_ref(trace_context_t *context, const char *literal);

/* Appends a whole encoded record; false if there is no room. */
bool fxt_kernel_put_record(trace_context_t *context, const uint8_t *bytes, uint64_t size);

#endif
