/* A manager that waits for programs or for a receiver reads its packets all the same. So a packet
   that stays unread means that its process stands still. If the kernel says that the process is
   stopped, that is certain after a moment; otherwise the machine may only be busy. */
#include "src/tools/trace/silence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/cli/program.h"
#include "src/tools/trace/signals.h"

#define LOOK_MS 500
#define LOOKS_STOPPED 4 /* 2 s */
#define LOOKS_SILENT 40 /* 20 s */

static bool has_unread(int socket)
{
    int bytes = 0;
    return ioctl(socket, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

bool process_is_stopped(pid_t process)
{
    char text[256] = "";
    snprintf(text, sizeof text, "/proc/%ld/stat", (long)process);
    int file = open(text, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && (name_end[2] == 'T' || name_end[2] == 't');
}

/* The process of the manager, if it is stopped; else 0. */
static pid_t stopped_manager(int socket)
{
    struct ucred peer = {.pid = 0};
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0)
        return 0;
    return process_is_stopped(peer.pid) ? peer.pid : 0;
}

/* Erases the progress line, which the main thread draws again. */
static void say(const char *text)
{
    fprintf(stderr, "%s%s: %s\n", isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", program.name, text);
}

/* Whether it has said that the manager is silent, which it says once. */
static bool judge(int socket, int looks)
{
    char text[160];
    pid_t process = looks >= LOOKS_STOPPED ? stopped_manager(socket) : 0;
    if (process != 0) {
        snprintf(text, sizeof text,
                 "the trace manager does not answer: process %ld is stopped; "
                 "'kill -CONT %ld' resumes it",
                 (long)process, (long)process);
        say(text);
    } else if (looks >= LOOKS_SILENT) {
        snprintf(text, sizeof text, "the trace manager has not answered for %d s",
                 looks * LOOK_MS / 1000);
        say(text);
    }
    return process != 0 || looks >= LOOKS_SILENT;
}

static void *run(void *data)
{
    const struct silence *silence = data;
    struct pollfd end = {.fd = silence->end[0], .events = POLLIN};
    int looks = 0;
    int ready;
    while ((ready = poll(&end, 1, LOOK_MS)) == 0 || (ready < 0 && errno == EINTR)) {
        looks = has_unread(silence->socket) ? looks + 1 : 0;
        if (judge(silence->socket, looks))
            break;
    }
    return NULL;
}

void silence_begin(struct silence *silence, int socket)
{
    *silence = (struct silence){.socket = socket, .end = {-1, -1}};
    if (pipe2(silence->end, O_CLOEXEC) != 0)
        return;
    silence->runs = signals_free_thread(&silence->thread, run, silence) == 0;
    if (!silence->runs) {
        close(silence->end[0]);
        close(silence->end[1]);
    }
}

void silence_end(struct silence *silence)
{
    if (!silence->runs)
        return;
    close(silence->end[1]);
    pthread_join(silence->thread, NULL);
    close(silence->end[0]);
    silence->runs = false;
}
