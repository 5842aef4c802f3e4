/* The child process that reads a capture. It trusts neither the file nor the libraries, so it
   first gives up the rights that it does not need. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <trace-cmd/trace-cmd.h>

#include "src/kernel/replay.h"
#include "src/kernel/tracepoint.h"

#define NOBODY 65534
#define MEMORY_BYTES ((rlim_t)4 << 30)
#define TEMPORARY_BYTES ((rlim_t)16 << 30) /* for unpacked captures */
#define EVENTS_PER_BYTE 16                 /* more than any real compression ratio */

struct sending {
    FILE *out;
    uint64_t left; /* the most events that a file of this size may hold */
};

/* The size of the address space in use. */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit(__rlimit_resource_t resource, rlim_t most)
{
    const struct rlimit to = {most, most};
    setrlimit(resource, &to);
}

/* If there is only one user, as in some containers, this fails and changes nothing. */
static void become_nobody(void)
{
    if (geteuid() != 0 || setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0)
        return;
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0)
        _exit(EXIT_FAILURE);
}

/* Capabilities are of the user, of the file, or ambient; none is needed. */
static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

static void give_up_rights(void)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, TEMPORARY_BYTES);
    limit(RLIMIT_AS, address_space() + MEMORY_BYTES);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    become_nobody();
    drop_capabilities();
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0,
          0); /* must follow the change of user, which would undo it */
}

/* Discards the output of the libraries. */
static void be_silent(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    tracecmd_set_loglevel(TEP_LOG_NONE);
    tep_set_loglevel(TEP_LOG_NONE);
}

static bool send_event(struct sending *sending, const struct fxt_kernel_event *event)
{
    return fwrite(event, sizeof *event, 1, sending->out) == 1;
}

static bool send_loss(struct sending *sending, const struct tep_record *record)
{
    struct fxt_kernel_event event = {.ns = record->ts,
                                     .kind = FXT_KERNEL_LOST,
                                     .cpu = (uint32_t)record->cpu,
                                     .number = record->missed_events};
    if (record->missed_events == 0)
        return true;
    if (event.number < 0) /* an unknown number */
        event.number = 0;
    return send_event(sending, &event);
}

/* Sends the last name of each thread, as the capture has it. */
static void add_name(struct fxt_kernel_event *event, struct tep_handle *tep)
{
    bool calls = event->kind == FXT_KERNEL_CALL || event->kind == FXT_KERNEL_RETURN;
    const char *name = calls ? tep_data_comm_from_pid(tep, (int)event->tid) : NULL;
    if (name != NULL && name[0] != '<')
        snprintf(event->name, FXT_KERNEL_COMM, "%s", name);
}

static int send_record(struct tracecmd_input *input, struct tep_record *record, int cpu, void *data)
{
    struct sending *sending = data;
    struct tep_handle *tep = tracecmd_get_tep(input);
    struct fxt_kernel_event event = {.ns = record->ts, .cpu = (uint32_t)cpu};
    const struct tep_event *format = tep_find_event_by_record(tep, record);

    if (sending->left-- == 0)
        _exit(FXT_KERNEL_CAPTURE_TOO_MANY);
    if (!send_loss(sending, record))
        return -1;
    size_t size = record->size > 0 ? (size_t)record->size : 0;
    if (!fxt_kernel_decode_or_lose(&event, format, record->data, size))
        return 0;
    event.process = 0; /* unknown */
    add_name(&event, tep);
    return send_event(sending, &event) ? 0 : -1;
}

static uint64_t events_of(int capture)
{
    struct stat info;
    if (fstat(capture, &info) != 0 || info.st_size < 0)
        return 0;
    return (uint64_t)info.st_size * EVENTS_PER_BYTE;
}

int fxt_kernel_capture_send(int capture, int out)
{
    struct sending sending = {.out = fdopen(out, "w"), .left = events_of(capture)};
    if (sending.out == NULL)
        return EXIT_FAILURE;
    give_up_rights();
    be_silent();
    struct tracecmd_input *input = tracecmd_open_fd(capture, TRACECMD_FL_LOAD_NO_PLUGINS);
    if (input == NULL)
        return FXT_KERNEL_CAPTURE_NONE;
    int result = tracecmd_iterate_events(input, NULL, 0, send_record, &sending);
    if (fclose(sending.out) != 0 || result != 0)
        return EXIT_FAILURE;
    return FXT_KERNEL_CAPTURE_WHOLE;
}
