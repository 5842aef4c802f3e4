/* ktrace_provider: traces the Linux kernel, as a trace provider or into a file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <lib/trace-engine/instrumentation.h>
#include <trace-provider/provider.h>
#include <trace/file.h>

#include "src/kernel/live.h"
#include "src/kernel/options.h"
#include "src/kernel/session.h"

#define FIRST_PID_NAMESPACE 4026531836u /* the number of its file, in every Linux */

static const struct trace_known_category categories[] = {
    {"kernel:sched", "context switches and wakeups"},
    {"kernel:syscall", "system calls, as durations"},
    {"kernel:irq", "interrupts and their deferred work, as durations"},
    {"kernel:freq", "the frequencies of processors"},
    {"kernel:meta", "the names of processes and threads"},
};

/* In a namespace of its own, the ids in some records of the kernel and in /proc are those of the
   namespace, and 0 for threads outside; in others they are those of the machine. */
static void warn_in_namespace(void)
{
    struct stat status;
    if (stat("/proc/self/ns/pid", &status) == 0 && status.st_ino != FIRST_PID_NAMESPACE)
        message("in a PID namespace, as of a container, other threads than its own are taken for "
                "idle or "
                "for one another: run this outside (--pid=host)");
}

/* NULL, or why the file is no capture. How a capture goes on is seen while it is replayed. */
static const char *what_is_wrong(int file)
{
    static const char magic[] = "\x17\x08\x44tracing";
    char first[sizeof magic - 1];
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return strerror(errno);
    if (!S_ISREG(status.st_mode))
        return "it is no file; captures are read at several places";
    ssize_t size = read(file, first, sizeof first);
    if (size < 0)
        return strerror(errno);
    if (size != sizeof first || memcmp(first, magic, sizeof first) != 0)
        return "no capture of trace-cmd";
    return NULL;
}

/* Checks at the start that the source works, so that an error is reported now and not in the
   first trace, and not after the output was emptied. */
static bool source_is_there(const struct options *options)
{
    char why[FXT_KERNEL_MESSAGE];
    if (options->replay != NULL) {
        int file = open(options->replay, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        const char *wrong = what_is_wrong(file);
        if (file >= 0)
            close(file);
        if (wrong != NULL)
            message("%s: %s", options->replay, wrong);
        return wrong == NULL;
    }
    struct fxt_kernel_live *live = fxt_kernel_live_open(FXT_KERNEL_SCHED, why);
    if (live == NULL) {
        message("%s", why);
        return false;
    }
    fxt_kernel_live_close(live, NULL);
    warn_in_namespace();
    return true;
}

/* The signals that end the program. The main loop has them blocked, so that only it receives them.
   SIGHUP is not one of them if it is ignored, as by nohup(1). */
static sigset_t ending_signals(void)
{
    struct sigaction hangup;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaction(SIGHUP, NULL, &hangup);
    if (hangup.sa_handler != SIG_IGN)
        sigaddset(&ends, SIGHUP);
    return ends;
}

/* Someone who sits before it is told why nothing happens. */
static void say_what_it_does(const struct options *options)
{
    if (isatty(STDERR_FILENO) != 1 || options->duration_ns > 0)
        return;
    if (options->output == NULL)
        message("waits for `trace record` or another client of a manager; Ctrl-C ends it");
    else if (options->replay == NULL)
        message("writes %s until Ctrl-C", options->output);
}

/* Opening a FIFO and writing to one may take for ever: then a signal ends the program, but not a
   second SIGHUP, which a terminal that closes may send. */
static int write_file(const struct options *options, const struct fxt_kernel_serve *serve)
{
    sigset_t hurry = serve->ends;
    const struct fxt_trace_options how = {.categories = options->categories,
                                          .mode = TRACE_BUFFERING_MODE_STREAMING};
    uint64_t dropped = 0;
    int error = fxt_trace_start(options->output, &how);
    int code = EXIT_FAILURE;
    if (error == 0) {
        sigprocmask(SIG_BLOCK, &serve->ends, NULL);
        say_what_it_does(options);
        code = fxt_kernel_serve(serve);
        sigdelset(&hurry, SIGHUP);
        sigprocmask(SIG_UNBLOCK, &hurry, NULL);
        error = fxt_trace_stop(&dropped);
    }
    if (error != 0)
        message("%s: %s", options->output, strerror(error));
    if (dropped > 0)
        message("%llu records found no room", (unsigned long long)dropped);
    return error == 0 ? code : EXIT_FAILURE;
}

static int provide(const struct options *options, const struct fxt_kernel_serve *serve)
{
    async_loop_t *loop;
    int code = EXIT_FAILURE;
    sigprocmask(SIG_BLOCK, &serve->ends, NULL);
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "provider", NULL) != ZX_OK) {
        message("cannot create an event loop: %s", strerror(ENOMEM));
        return code;
    }
    trace_provider_t *provider =
        trace_provider_create_with_name(async_loop_get_dispatcher(loop), options->name);
    if (provider != NULL) {
        trace_provider_set_known_categories(provider, categories,
                                            sizeof categories / sizeof categories[0]);
        say_what_it_does(options);
        code = fxt_kernel_serve(serve);
        trace_provider_destroy(provider);
    } else if (getauxval(AT_SECURE) != 0) {
        message("a program with file capabilities cannot be a provider: use --output, or "
                "ambient capabilities (man ktrace_provider)");
    } else {
        message("%s", strerror(ENOMEM));
    }
    async_loop_destroy(loop);
    return code;
}

static int run(const struct options *options, const sigset_t *ends)
{
    const struct fxt_kernel_serve serve = {
        .session = fxt_kernel_session_create(options->replay),
        .only_one = options->output != NULL,
        .duration_ns = options->duration_ns,
        .observer = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .ends = *ends,
    };
    if (serve.session == NULL || serve.observer < 0 ||
        trace_register_observer((zx_handle_t)serve.observer) != ZX_OK) {
        message("%s", strerror(ENOMEM));
        return EXIT_FAILURE;
    }
    int code = options->output != NULL ? write_file(options, &serve) : provide(options, &serve);
    trace_unregister_observer((zx_handle_t)serve.observer);
    fxt_kernel_session_destroy(serve.session);
    close(serve.observer);
    return code;
}

int main(int argc, char **argv)
{
    struct options options;
    sigset_t ends;
    switch (fxt_kernel_options_parse(&options, argc, argv)) {
    case OPTIONS_DONE:
        return was_printed() ? EXIT_SUCCESS : EXIT_FAILURE;
    case OPTIONS_USAGE:
        return EXIT_USAGE;
    default:
        ends = ending_signals();
        signal(SIGPIPE, SIG_IGN);
        return source_is_there(&options) ? run(&options, &ends) : EXIT_FAILURE;
    }
}
