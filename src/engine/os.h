/* What the engine asks of Linux. */
#ifndef FXT_ENGINE_OS_H
#define FXT_ENGINE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To be called once, before all else. leaving: what fxt_i_at_thread_end arranges. */
void fxt_i_os_init(void (*leaving)(void *self));

/* In the child: what was arranged with the kernel, once more. */
void fxt_i_os_after_fork(void);

/* After it, every thread of the process has passed a full fence. */
void fxt_i_heavy_fence(void);

void fxt_i_yield(void);
uint64_t fxt_i_process_id(void);
uint64_t fxt_i_thread_id(void);
int64_t fxt_i_monotonic_ns(void);

/* Whether the kernel has found the time stamp counters of all processors to go together. */
bool fxt_i_kernel_trusts_tsc(void);
/* Whether that list of clocks, with spaces in between, holds it. */
bool fxt_i_lists_tsc(const char *clocks);

/* The name of the calling thread, or of the program; ends in NUL. */
void fxt_i_thread_name(char out[16]);
const char *fxt_i_program_name(void);

/* What a file descriptor stands for. spec/system.md, section 1.5. */
#define FXT_I_OBJECT_KOID (UINT64_C(1) << 62)
struct fxt_i_object {
    uint64_t koid; /* of a pidfd the process; 0 when it stands for nothing */
    uint16_t type; /* as Zircon numbers what is most like it; 0: nothing */
    uint16_t name_length;
    char name[64]; /* where /proc/self/fd leads to; does not end in NUL */
};
void fxt_i_describe_handle(int descriptor, struct fxt_i_object *out);

/* Adds 1 to an eventfd. */
void fxt_i_event_signal(int event);

/* leaving(self) is called when the calling thread ends; the others around a fork. */
void fxt_i_at_thread_end(void *self);
void fxt_i_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void));

/* Calls `unloading(module)` when the library with that handle is unloaded. */
void fxt_i_at_unload(void *handle, void *module, void (*unloading)(void *module));

#endif
