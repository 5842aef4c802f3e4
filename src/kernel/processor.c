/* The perf events of one processor. The first is a dummy event that owns the ring and reports
   names, ends and switches. The others are tracepoints, which write to its ring and report more. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/kernel/live_i.h"

#define RING_BYTES ((size_t)1 << 20)
#define FORMAT_LOST (1u << 4) /* PERF_FORMAT_LOST of Linux 6.0 */

static int open_event(struct perf_event_attr *attr, uint32_t cpu)
{
    attr->size = sizeof *attr;
    attr->sample_type = FXT_KERNEL_PERF_SAYS;
    attr->sample_id_all = 1;
    attr->use_clockid = 1;
    attr->clockid = CLOCK_MONOTONIC;
    attr->watermark = 1;
    attr->wakeup_watermark = RING_BYTES / 4;
    attr->read_format = FORMAT_LOST;
    int event = (int)syscall(SYS_perf_event_open, attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (event >= 0 || errno != EINVAL)
        return event;
    attr->read_format = 0;
    return (int)syscall(SYS_perf_event_open, attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_dummy(uint32_t cpu, const struct fxt_kernel_live *live)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY};
    attr.comm = 1;
    attr.task = 1;
    attr.context_switch = (live->groups & FXT_KERNEL_SCHED) != 0;
    return open_event(&attr, cpu);
}

static int open_tracepoint(uint32_t cpu, uint32_t number)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_TRACEPOINT, .config = number, .sample_period = 1};
    return open_event(&attr, cpu);
}

static int add_tracepoint(struct fxt_kernel_processor *processor, uint32_t number)
{
    int event = open_tracepoint(processor->number, number);
    if (event < 0)
        return errno;
    assert(processor->event_count > 0 && processor->event_count < FXT_KERNEL_EVENTS);
    processor->events[processor->event_count++] = event;
    return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, processor->events[0]) == 0 ? 0 : errno;
}

int fxt_kernel_processor_open(struct fxt_kernel_processor *processor,
                              const struct fxt_kernel_live *live)
{
    int dummy = open_dummy(processor->number, live);
    if (dummy < 0)
        return errno;
    int error = fxt_kernel_ring_map(&processor->ring, dummy, RING_BYTES);
    if (error != 0) {
        close(dummy);
        return error;
    }
    processor->events[0] = dummy;
    processor->event_count = 1;
    for (uint32_t i = 0; i < live->tracepoint_count && error == 0; i++)
        error = add_tracepoint(processor, live->tracepoints[i]);
    if (error != 0)
        fxt_kernel_processor_close(processor);
    return error;
}

uint64_t fxt_kernel_processor_lost(const struct fxt_kernel_processor *processor)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < processor->event_count; i++) {
        uint64_t it[2]; /* value, lost */
        if (read(processor->events[i], it, sizeof it) == sizeof it)
            sum += it[1];
    }
    return sum;
}

void fxt_kernel_processor_disable(struct fxt_kernel_processor *processor)
{
    for (uint32_t i = 0; i < processor->event_count; i++)
        ioctl(processor->events[i], PERF_EVENT_IOC_DISABLE, 0);
}

void fxt_kernel_processor_close(struct fxt_kernel_processor *processor)
{
    fxt_kernel_ring_unmap(&processor->ring);
    while (processor->event_count > 0)
        close(processor->events[--processor->event_count]);
}

/* Reads a list such as "0-3,5". */
static uint32_t parse_list(const char *text, uint32_t *numbers, uint32_t max)
{
    uint32_t count = 0;
    char *end;
    for (;; text = end + 1) {
        unsigned long first = strtoul(text, &end, 10);
        if (end == text)
            return count;
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long i = first; i <= last && count < max; i++)
            numbers[count++] = (uint32_t)i;
        if (*end != ',')
            return count;
    }
}

uint32_t fxt_kernel_online(uint32_t *numbers, uint32_t max)
{
    char text[4096] = "";
    FILE *file = fopen("/sys/devices/system/cpu/online", "re");
    if (file != NULL) {
        if (fgets(text, sizeof text, file) == NULL)
            text[0] = '\0';
        fclose(file);
    }
    uint32_t count = parse_list(text, numbers, max);
    long configured = sysconf(_SC_NPROCESSORS_ONLN);
    if (count == 0)
        while (count < max && count < (unsigned long)configured)
            numbers[count] = count, count++;
    return count;
}

static int paranoia(void)
{
    int value = 0;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &value) != 1)
        value = 0;
    fclose(file);
    return value;
}

void fxt_kernel_explain(char message[FXT_KERNEL_MESSAGE], int error)
{
    if (error == EACCES || error == EPERM)
        snprintf(
            message, FXT_KERNEL_MESSAGE,
            "the kernel refuses its events to this user: run as root, with CAP_PERFMON, or with "
            "kernel.perf_event_paranoid = -1 (it is %d); --replay needs none of these",
            paranoia());
    else if (error == ENOSYS)
        snprintf(message, FXT_KERNEL_MESSAGE,
                 "this kernel has no perf events (CONFIG_PERF_EVENTS), or the sandbox hides them; "
                 "--replay needs none");
    else
        snprintf(message, FXT_KERNEL_MESSAGE, "perf events: %s; --replay needs none",
                 strerror(error));
}
