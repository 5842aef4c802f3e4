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

/* From now on, a forked child finds zeros in [from, to) and in the rest of the first and the last
   page. False if the kernel cannot do that, as before Linux 4.14, or pages are larger than that. */
#define FXT_I_PAGE_BYTES_MAX 65536
bool fxt_i_wipe_in_child(void *from, void *to);

/* When it returns, every thread of the process has executed a full fence. */
void fxt_i_heavy_fence(void);

/* Block the signals of the calling thread, except those of a fault, and its cancellation; and restore
   what was before. */
struct fxt_i_interrupts {
    uint64_t blocked; /* signals, a bit each */
    int cancel_state;
    int cancel_type;
};
struct fxt_i_interrupts fxt_i_interrupts_off(void);
void fxt_i_interrupts_restore(struct fxt_i_interrupts before);

/* Whether the calling thread, in a function with the frame `here`, has left a function with that
   frame. It has not if it is in a signal handler, whose frames are farther down the stack or on the
   alternate one. */
bool fxt_i_has_left(uintptr_t frame, uintptr_t here);

void fxt_i_yield(void);
void fxt_i_sleep(void); /* some tens of microseconds */
uint64_t fxt_i_process_id(void);
uint64_t fxt_i_thread_id(void);
bool fxt_i_thread_has_ended(uint64_t thread_id); /* false if its number is in use again */
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
