/* Walks /proc. Threads that end meanwhile are left out. */
#include "src/kernel/session.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The next entry that is a number; 0 at the end. */
static uint32_t next_number(DIR *directory)
{
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            return (uint32_t)strtoul(entry->d_name, NULL, 10);
    return 0;
}

static bool read_name(char name[FXT_KERNEL_COMM], uint32_t process, uint32_t tid)
{
    char path[64];
    char text[64];
    snprintf(path, sizeof path, "/proc/%u/task/%u/comm", process, tid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    snprintf(name, FXT_KERNEL_COMM, "%.*s", FXT_KERNEL_COMM - 1, text);
    return true;
}

static void scan_process(const struct fxt_kernel_sink *sink, uint32_t process)
{
    char path[64];
    uint32_t tid;
    snprintf(path, sizeof path, "/proc/%u/task", process);
    DIR *tasks = opendir(path);
    while (tasks != NULL && (tid = next_number(tasks)) != 0) {
        struct fxt_kernel_event event = {
            .kind = FXT_KERNEL_NAME, .tid = tid, .process = process, .prio = FXT_KERNEL_NO_PRIO};
        if (read_name(event.name, process, tid))
            sink->put(sink->data, &event, 0);
    }
    if (tasks != NULL)
        closedir(tasks);
}

void fxt_kernel_names_scan(const struct fxt_kernel_sink *sink)
{
    uint32_t process;
    DIR *all = opendir("/proc");
    while (all != NULL && (process = next_number(all)) != 0)
        scan_process(sink, process);
    if (all != NULL)
        closedir(all);
}
