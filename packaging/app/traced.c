/* Traces itself into the file argv[1], or without one, as FXT_TRACE_FILE says. C11 and C++11. */
#ifdef AMALGAMATION
#include "fxtref-trace.h"
#else
#include <trace/event.h>
#include <trace/file.h>
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && fxt_trace_start(argv[1], NULL) != 0)
        return 1;
    for (int i = 0; i < 100; i++) {
        TRACE_DURATION("net", "serve", "request", i);
    }
    return argc > 1 ? fxt_trace_stop(NULL) : 0;
}
