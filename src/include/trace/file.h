/* Tracing into a file, with two calls and without a manager:

     #include <trace/event.h>
     #include <trace/file.h>

     static void serve(int request)
     {
         TRACE_DURATION("net", "serve", "request", request);
     }

     int main(void)
     {
         if (fxt_trace_start("out.fxt", NULL) != 0)
             return 1;
         for (int request = 0; request < 1000; request++)
             serve(request);
         return fxt_trace_stop(NULL);
     }

   A thread of the library writes the file. Any thread may call these functions, one at a time. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fxt_trace_options {
    const char *categories;      /* separated by commas, no spaces, no patterns; NULL or "": all */
    size_t buffer_bytes;         /* 4 KiB to 4 GiB, a multiple of 4096; 0: 16 MiB */
    trace_buffering_mode_t mode; /* streaming writes the file while the program traces; the other
                                    modes write it at the stop */
};

/* Creates or truncates the file, and starts to trace. If options is NULL: all categories, 16 MiB,
   streaming. If the program returns from main or calls exit, tracing stops first. What the file
   does not have yet is lost by _exit, quick_exit, exec and signals; and by exit if a thread still
   writes a record or holds a context after a second, such as the thread whose signal handler calls
   exit. A program that does not call fxt_trace_stop does not learn of drops and write errors. A
   forked child does not trace. The library's thread blocks signals and does not keep the program alive:
   if all other threads have ended by pthread_exit, it stops tracing within two seconds and ends the
   program: by a signal that is pending, otherwise with exit(0). This needs /proc. The thread of a
   loop that the program itself has started (<lib/async-loop/loop.h>) counts as the program's.
   Returns 0 or an errno value: EINVAL (invalid buffer size or mode, or a category with a space
   beside it or a *), EBUSY (the engine is in use),
   ENOMEM, or the error of opening the file or of writing its first bytes. */
TRACE_API int fxt_trace_start(const char *path, const struct fxt_trace_options *options);

/* Stops and closes the file. Waits for threads that write a record or hold a context. Stores in
   *dropped, unless NULL, the number of records that found no room. Returns 0 or an errno value:
   EINVAL (not started), or the first error of writing the file. After a write error, the file
   ends with the last whole record that could be written. EBADF: the program has closed the
   descriptor of the file, as a daemon does that closes all. The library looks before each write
   and writes to no other file; only a thread that replaces the descriptor between this look and
   the write can defeat it. The records since the last write are lost. */
TRACE_API int fxt_trace_stop(uint64_t *dropped);

#ifdef __cplusplus
}
#endif

#endif
