/* The file `recorder` in the manager's directory. The background process holds a lock on it while
   it lives, and the lock also tells its process id. So a stale id is never used. The process
   writes its messages to the file, and at the end a line with its exit code. The process that
   prints the file removes it. */
#include "src/tools/trace/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <trace-controller/controller.h>

#include "src/tools/trace/host.h"

#define LAST_LINE "exit "
#define REPORT_BYTES_MAX ((off_t)1 << 20)
#define POLL_MS 20
#define POLLS_STOPPED 100 /* 2 s */
#define POLLS_UNANSWERED                                                                           \
    200 /* 4 s: the background process itself tells earlier of a stopped manager */

static struct {
    char path[TRACE_CONTROLLER_DIRECTORY_MAX + sizeof "/recorder"];
    int fd;
    bool detached;            /* stderr goes to the file */
    char rest[PATH_MAX + 64]; /* what is left if the process dies; "": not known yet */
} file = {.fd = -1};

static bool find_path(void)
{
    char directory[TRACE_CONTROLLER_DIRECTORY_MAX] = "";
    int error = trace_controller_directory(directory);
    if (error != 0)
        message("cannot use the directory of the trace manager, %s: %s", directory,
                host_about_directory(error));
    snprintf(file.path, sizeof file.path, "%s/recorder", directory);
    return error == 0;
}

static bool open_file(int flags)
{
    file.fd = open(file.path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    return file.fd >= 0;
}

/* Whether the path still names the open file. */
static bool is_current(void)
{
    struct stat open_one;
    struct stat named;
    return fstat(file.fd, &open_one) == 0 && stat(file.path, &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

static struct flock lock_of(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

/* Finds the process that holds the write lock: 0 if there is none, -1 if it has no id here, because it
   is in another PID namespace. An errno value. */
static int find_holder(pid_t *process)
{
    struct flock lock = lock_of(F_RDLCK);
    if (fcntl(file.fd, F_GETLK, &lock) != 0)
        return errno;
    *process = lock.l_type == F_UNLCK ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
    return 0;
}

/* Reads what is left if the process dies. Returns its size with the 0; 0 as long as it is not there. */
static off_t read_rest(void)
{
    ssize_t got = pread(file.fd, file.rest, sizeof file.rest, 0);
    size_t size = got > 0 ? strnlen(file.rest, (size_t)got) + 1 : 1;
    if ((ssize_t)size <= got)
        return (off_t)size;
    file.rest[0] = '\0';
    return 0;
}

/* What the file holds behind `from`; of much, the end. NULL with errno on failure. */
static char *read_report(off_t *from)
{
    struct stat status;
    if (fstat(file.fd, &status) != 0)
        return NULL;
    if (status.st_size - *from > REPORT_BYTES_MAX)
        *from = status.st_size - REPORT_BYTES_MAX;
    char *text = malloc((size_t)(status.st_size - *from) + 1);
    ssize_t got = text != NULL ? pread(file.fd, text, (size_t)(status.st_size - *from), *from) : -1;
    if (got >= 0) {
        text[got] = '\0';
        return text;
    }
    int error = errno;
    free(text);
    errno = error;
    return NULL;
}

/* The start of the last line, if it is an exit line. */
static char *last_line(char *text)
{
    size_t size = strlen(text);
    if (size == 0 || text[size - 1] != '\n')
        return NULL;
    text[size - 1] = '\0';
    char *before = strrchr(text, '\n');
    text[size - 1] = '\n';
    char *line = before != NULL ? before + 1 : text;
    return strncmp(line, LAST_LINE, strlen(LAST_LINE)) == 0 ? line : NULL;
}

/* Prints what was reported behind `from`, and moves `from` behind it. The exit line stays. What is left if
   the process dies comes first, so without it nothing is reported yet. */
static void relay(off_t *from)
{
    if (*from == 0)
        *from = read_rest();
    if (*from == 0)
        return;
    char *text = read_report(from);
    char *last = text != NULL ? last_line(text) : NULL;
    if (last != NULL)
        *last = '\0';
    if (text != NULL) {
        fputs(text, stderr);
        *from += (off_t)strlen(text);
    }
    free(text);
}

/* What an earlier recording reported at its end, and nobody has read, is told now. False after a
   message. */
static bool begin_report(void)
{
    off_t from = 0;
    relay(&from);
    if (ftruncate(file.fd, 0) == 0)
        return true;
    message("%s: %s", file.path, strerror(errno));
    return false;
}

/* `error` is that of locking the file. */
static void report_claimed(int error)
{
    pid_t process = 0;
    if (error != EAGAIN && error != EACCES)
        message("%s: cannot be locked: %s", file.path, strerror(error));
    else if (find_holder(&process) == 0 && process > 0)
        message("process %ld is already recording in the background", (long)process);
    else
        message("another process is already recording in the background, or ends such a recording");
}

static bool claim_once(bool *again)
{
    struct flock lock = lock_of(F_WRLCK);
    *again = false;
    if (!open_file(O_CREAT)) {
        message("%s: %s", file.path, strerror(errno));
        return false;
    }
    int error = fcntl(file.fd, F_SETLK, &lock) == 0 ? 0 : errno;
    *again = !is_current();
    if (error == 0 && !*again)
        return begin_report();
    if (!*again)
        report_claimed(error);
    close(file.fd);
    return false;
}

bool background_claim(void)
{
    bool again = true;
    if (!find_path())
        return false;
    while (again)
        if (claim_once(&again))
            return true;
    return false;
}

/* The caller may wait for the end of the descriptors that this process has of it. */
static bool release_caller(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    fflush(stderr);
    bool done = null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
                dup2(file.fd, STDERR_FILENO) >= 0;
    if (!done)
        message("cannot leave the terminal for /dev/null: %s", strerror(errno));
    if (null >= 0)
        close(null);
    return done;
}

bool background_detach(const char *output, bool is_kept)
{
    char *path = realpath(output, NULL); /* NULL, for example, of tcp:HOST:PORT */
    const char *form = is_kept ? "%s has what it had written until then%c"
                               : "what it had recorded for %s is lost%c";
    bool is_told = dprintf(file.fd, form, path != NULL ? path : output, '\0') > 0;
    free(path);
    if (!is_told) {
        message("%s: %s; without this file `trace stop` cannot tell how the recording ended",
                file.path, strerror(errno));
        return false;
    }
    file.detached = release_caller();
    return file.detached;
}

void background_leave(enum exit_code code)
{
    fflush(stderr);
    if (file.detached)
        dprintf(file.fd, LAST_LINE "%d\n", (int)code);
    else
        unlink(file.path);
}

/* Only the exit line is left. */
static enum exit_code final_code(off_t from)
{
    char *text = read_report(&from);
    if (text == NULL) {
        message("%s: %s; it is not known how the recording ended", file.path, strerror(errno));
        return EXIT_IO;
    }
    char *last = last_line(text);
    enum exit_code code = EXIT_FINDINGS;
    if (last != NULL)
        code = (enum exit_code)atoi(last + strlen(LAST_LINE));
    else if (file.rest[0] == '\0')
        message("the background process ended before the recording began");
    else
        message("the background process died; %s", file.rest);
    free(text);
    return code;
}

/* Reports once what the command waits for, whatever was reported before the wait. */
static void report_wait(pid_t process, int polls, bool has_news)
{
    if (polls == POLLS_STOPPED && process_is_stopped(process))
        message("process %ld, which records, is stopped; 'kill -CONT %ld' resumes it",
                (long)process, (long)process);
    else if (polls == POLLS_UNANSWERED && !has_news && !process_is_stopped(process))
        message("process %ld, which records, has not ended yet", (long)process);
}

/* Finds the process that holds the lock, unless it has just released it, and stops it. False after a
   message. */
static bool stop_holder(pid_t *process)
{
    int error = find_holder(process);
    if (error != 0) {
        message("%s: cannot find the process that records in the background: %s", file.path,
                strerror(error));
        return false;
    }
    if (*process < 0) {
        message("the process that records in the background cannot be seen from here: it has other "
                "process ids");
        return false;
    }
    if (*process > 0 && kill(*process, SIGTERM) != 0 && errno != ESRCH) {
        message("cannot stop process %ld: %s", (long)*process, strerror(errno));
        return false;
    }
    return true;
}

/* Stops the process that holds the lock, and waits until it releases it. False after a message. */
static bool await_end(off_t *printed)
{
    struct flock lock = lock_of(F_RDLCK);
    pid_t process = 0;
    relay(printed);
    off_t before = *printed;
    for (int polls = 0; fcntl(file.fd, F_SETLK, &lock) != 0; polls++) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
            message("%s: %s", file.path, strerror(errno));
            return false;
        }
        if (process == 0 && !stop_holder(&process))
            return false;
        relay(printed);
        report_wait(process, polls, *printed != before);
        nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
    }
    relay(printed);
    return true;
}

enum exit_code background_stop(void)
{
    off_t printed = 0;
    if (!find_path())
        return EXIT_IO;
    if (!open_file(0)) {
        bool is_missing = errno == ENOENT;
        if (is_missing)
            message("nothing is being recorded in the background");
        else
            message("%s: %s", file.path, strerror(errno));
        return is_missing ? EXIT_FINDINGS : EXIT_IO;
    }
    if (!await_end(&printed))
        return EXIT_IO;
    enum exit_code code = final_code(printed);
    if (is_current()) /* another stop has removed it, and perhaps there is a new one */
        unlink(file.path);
    return code;
}
