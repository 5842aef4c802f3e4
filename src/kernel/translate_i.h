/* What the files of the translation share. */
#ifndef FXT_KERNEL_TRANSLATE_I_H
#define FXT_KERNEL_TRANSLATE_I_H

#include "src/kernel/translate.h"

/* What one event is written with. */
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

/* Text for a record: what is no UTF-8 becomes question marks. */
void fxt_kernel_clean_text(char *text);

trace_string_ref_t fxt_kernel_literal(trace_context_t *context, const char *literal);

#endif
