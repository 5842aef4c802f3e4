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

   A thread of the library writes the file. Any thread may call these functions, one at a time.

   Without these calls, the environment records any program that links the library and traces:

     FXT_TRACE_FILE=out.fxt ./program

   FXT_TRACE_FILE    the file. %p is the number of the process, %% is one %.
   FXT_TRACE         categories, separated by commas; all if it is not set
   FXT_TRACE_BUFFER  size of the buffer, such as 64K or 64M; 16M if it is not set
   FXT_TRACE_MODE    oneshot (keeps the first records), circular (the last records) or streaming (all,
                     if they are saved in time), which is the default

   Recording begins before the constructors of the program and ends after its handlers of atexit(3). The
   file is the buffer: whatever ends the program, _exit, exec, abort or SIGKILL, each record that was
   written is in the file. fxt reads the file as it lies there, also while the program runs. When the
   program returns from main or calls exit, the file becomes a plain trace, which other tools read too.

   A forked child records into a file of its own if the name has %p, else not at all, and says so. A
   program that the process executes later records into FILE.2, the next one into FILE.3. A file that
   another process records into is left alone. The variables are ignored if the program has more rights
   than its caller, as with set-user-ID (secure_getenv(3)). A file, size or mode that cannot be used, and
   records that cannot be saved, are told in a line on standard error; the program goes on.
   While it is recorded so, fxt_trace_start returns EBUSY, and a manager does not record it. */
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
