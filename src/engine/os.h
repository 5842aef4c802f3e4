/* The system calls that the engine needs. Any thread may call these functions, except
   fxt_i_os_init, fxt_i_os_after_fork and fxt_i_at_fork, which are called once, under the lock of
   the life or in a child with one thread. */
#ifndef FXT_ENGINE_OS_H
#define FXT_ENGINE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call once, before everything else. leaving: see fxt_i_at_thread_end. */
void fxt_i_os_init(void (*leaving)(void *self));

/* Call in a forked child: repeats the registrations with the kernel. */
void fxt_i_os_after_fork(void);

/* When it returns, every thread of the process has executed a full fence. */
void fxt_i_heavy_fence(void);

void fxt_i_yield(void);
void fxt_i_sleep(void); /* some tens of microseconds */
uint64_t fxt_i_process_id(void);
uint64_t fxt_i_thread_id(void);
int64_t fxt_i_monotonic_ns(void);

/* Whether the kernel considers the time stamp counters of all processors synchronized. */
bool fxt_i_kernel_trusts_tsc(void);
/* Whether the space-separated list of clocks contains tsc. */
bool fxt_i_lists_tsc(const char *clocks);

/* The name of the calling thread, or of the program; ends in NUL. */
void fxt_i_thread_name(char out[16]);
const char *fxt_i_program_name(void);
/* The names of this process's threads: a descriptor for fxt_i_name_of_thread, or -1 if the kernel
   does not tell them. */
int fxt_i_names_open(void);
bool fxt_i_name_of_thread(int names, uint64_t thread_id, char out[16]); /* false: it has ended */
void fxt_i_names_close(int names);

/* The object behind a file descriptor. spec/system.md, section 1.5. */
#define FXT_I_OBJECT_KOID (UINT64_C(1) << 62)
struct fxt_i_object {
    uint64_t koid; /* for a pidfd its process; 0: no object */
    uint16_t type; /* Zircon's number of the most similar type; 0: none */
    uint16_t name_length;
    char name[64]; /* target of the link in /proc/self/fd; does not end in NUL */
};
void fxt_i_describe_handle(int descriptor, struct fxt_i_object *out);

/* Between these two calls the thread is not cancelled. */
int fxt_i_cancel_off(void);
void fxt_i_cancel_restore(int before);

/* Adds 1 to an eventfd. */
void fxt_i_event_signal(int event);

/* Calls leaving(self) when the calling thread ends, unless the program has used up all keys of
   thread-specific values; and the other functions around a fork. */
void fxt_i_at_thread_end(void *self);
void fxt_i_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void));

/* Calls `unloading(module)` when the library with that handle is unloaded. */
void fxt_i_at_unload(void *handle, void *module, void (*unloading)(void *module));

#endif
