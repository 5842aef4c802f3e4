/* Which threads are idle, for all that show CPUs: rule CPU-02 of spec/meaning.md. Besides koid 0, it
   is what the switches of Fuchsia's kernel say of its idle threads, which have koids. */
#ifndef FXT_CONVERT_IDLE_H
#define FXT_CONVERT_IDLE_H

#include <fxt/tables.h>

#define FXT_CONVERT_IDLE_WEIGHT INT32_MIN

/* Whether a thread of a legacy switch is idle. */
bool fxt_convert_is_idle(const struct fxt_tables *tables, struct fxt_thread_ref thread,
                         uint16_t priority);

/* The weight that an argument gives a thread; 0 if there is none. */
int32_t fxt_convert_weight(const struct fxt_tables *tables, struct fxt_args args, const char *name);

#endif
