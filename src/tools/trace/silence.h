/* A manager of another process that does not read what it is sent: a message says so while the
   command waits. */
#ifndef FXT_TOOLS_TRACE_SILENCE_H
#define FXT_TOOLS_TRACE_SILENCE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct silence {
    int socket; /* of the connection to the manager */
    int end[2]; /* a pipe: closed to end the thread */
    bool runs;
    pthread_t thread;
};

/* Starts the thread, which uses the socket until silence_end. Without a thread there is no message. */
void silence_begin(struct silence *silence, int socket);

void silence_end(struct silence *silence);

/* By a signal or a debugger. */
bool process_is_stopped(pid_t process);

#endif
