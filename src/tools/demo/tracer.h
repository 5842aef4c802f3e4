/* One thread's trace: memory that grows, a writer and an interner. No thread touches another's, so
   that nothing is locked while tracing; tracer_records gives the bytes when the thread has ended. */
#ifndef FXT_TOOLS_DEMO_TRACER_H
#define FXT_TOOLS_DEMO_TRACER_H

#include <fxt/intern.h>
#include <fxt/write.h>

enum { TRACER_SLOTS = 256, TRACER_TEXT = 8192 };

struct tracer {
    struct fxt_writer writer;
    struct fxt_interner interner;
    struct fxt_intern_slot slots[TRACER_SLOTS];
    uint8_t text[TRACER_TEXT];
    const char *name; /* of the thread */
    uint64_t process; /* koids */
    uint64_t thread;
    bool failed; /* out of memory, or a record that the writer refused */
};

/* Nanoseconds of the monotonic clock: a tick. */
uint64_t tracer_now(void);

/* To be called on the thread that will trace. Describes the process and the thread. */
void tracer_begin(struct tracer *tracer, const char *process_name, const char *name);
void tracer_free(struct tracer *tracer);

/* A string that comes again and again, by index; and one that does not, inline. Bytes that are not
   UTF-8 become question marks in `safe`, which must hold `TRACER_INLINE_MAX` bytes. */
#define TRACER_INLINE_MAX 1024u
struct fxt_string_ref tracer_string(struct tracer *tracer, const char *text);
struct fxt_string_ref tracer_inline(char *safe, const char *text);

/* An event of this thread now, or from `since` until now (complete). `value` is the id of flows,
   asyncs and counters. */
void tracer_event(struct tracer *tracer, uint8_t type, const char *name, uint64_t value,
                  const struct fxt_arg *args, size_t arg_count);
void tracer_complete(struct tracer *tracer, const char *name, uint64_t since,
                     const struct fxt_arg *args, size_t arg_count);
void tracer_log(struct tracer *tracer, const char *message);

#endif
