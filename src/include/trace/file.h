/* Tracing into a file, by two calls and without a manager:

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

   A thread of the library's own writes what the program traced. The functions may be called from
   any thread, one at a time. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fxt_trace_options {
    const char *categories;      /* with commas between them; NULL or "": all */
    size_t buffer_bytes;         /* 4 KiB to 4 GiB, a multiple of 4096; 0: 16 MiB */
    trace_buffering_mode_t mode; /* streaming writes the file while the program runs; the others
                                    when it stops */
};

/* Creates the file, or empties it, and starts. NULL: all categories, 16 MiB, streaming. A program
   that exits while tracing stops first; a child that it forked does not trace.
   Returns 0 or an errno value: EINVAL (a buffer size or a mode that is not allowed), EBUSY (the
   engine is in use), ENOMEM, or what opening the file said. */
TRACE_API int fxt_trace_start(const char *path, const struct fxt_trace_options *options);

/* Stops and closes the file. *dropped, unless NULL: how many records found no room.
   Returns 0 or an errno value: EINVAL (not started), or the first error of writing the file, which
   then ends with a whole record, but lacks what follows. */
TRACE_API int fxt_trace_stop(uint64_t *dropped);

#ifdef __cplusplus
}
#endif

#endif
