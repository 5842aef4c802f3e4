/* A manager that waits for programs or for a receiver reads its packets all the same. So a packet
   that stays unread means that its process stands still. If the kernel says that the process is
   stopped, that is certain after a moment; otherwise the machine may only be busy. */
#include "src/tools/trace/host.h"

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

#define POLL_MS 500
#define POLLS_STOPPED 4     /* 2 s */
#define POLLS_UNANSWERED 40 /* 20 s */

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
static void print_line(const char *text)
{
    fprintf(stderr, "%s%s: %s\n", isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", program.name, text);
}

/* Whether it has reported that the manager does not answer, which it reports once. */
static bool report_unanswered(int socket, int polls)
{
    char text[160];
    pid_t process = polls >= POLLS_STOPPED ? stopped_manager(socket) : 0;
    if (process != 0) {
        snprintf(text, sizeof text,
                 "the trace manager does not answer: process %ld is stopped; "
                 "'kill -CONT %ld' resumes it",
                 (long)process, (long)process);
        print_line(text);
    } else if (polls >= POLLS_UNANSWERED) {
        snprintf(text, sizeof text, "the trace manager has not answered for %d s",
                 polls * POLL_MS / 1000);
        print_line(text);
    }
    return process != 0 || polls >= POLLS_UNANSWERED;
}

static void *run(void *data)
{
    const struct watchdog *watchdog = data;
    struct pollfd end = {.fd = watchdog->end[0], .events = POLLIN};
    int polls = 0;
    int ready;
    while ((ready = poll(&end, 1, POLL_MS)) == 0 || (ready < 0 && errno == EINTR)) {
        polls = has_unread(watchdog->socket) ? polls + 1 : 0;
        if (report_unanswered(watchdog->socket, polls))
            break;
    }
    return NULL;
}

void watchdog_begin(struct watchdog *watchdog, int socket)
{
    *watchdog = (struct watchdog){.socket = socket, .end = {-1, -1}};
    if (pipe2(watchdog->end, O_CLOEXEC) != 0)
        return;
    watchdog->runs = signals_free_thread(&watchdog->thread, run, watchdog) == 0;
    if (!watchdog->runs) {
        close(watchdog->end[0]);
        close(watchdog->end[1]);
    }
}

void watchdog_end(struct watchdog *watchdog)
{
    if (!watchdog->runs)
        return;
    close(watchdog->end[1]);
    pthread_join(watchdog->thread, NULL);
    close(watchdog->end[0]);
    watchdog->runs = false;
}
