/* The managers of recordings of a command alone. Each has a directory record-PID-XXXXXX, which is beside
   the sockets of the usual manager, or in /tmp where the path there would be too long. */
#include "src/tools/trace/private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"

#define PREFIX "record-"
#define NAME_BYTES (sizeof PREFIX + 20 + 8) /* with the number and -XXXXXX */

bool private_make(char out[TRACE_CONTROLLER_DIRECTORY_MAX], const char *usual, pid_t process)
{
    size_t most = TRACE_CONTROLLER_DIRECTORY_MAX - 1 - NAME_BYTES;
    snprintf(out, TRACE_CONTROLLER_DIRECTORY_MAX, "%.*s/" PREFIX "%ld-XXXXXX", (int)most,
             strlen(usual) <= most ? usual : "/tmp", (long)process);
    return mkdtemp(out) != NULL;
}

/* 0: it is none of these. */
static pid_t process_of(const char *name)
{
    char *end;
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return 0;
    long process = strtol(name + strlen(PREFIX), &end, 10);
    return *end == '-' && process > 0 && process <= INT32_MAX ? (pid_t)process : 0;
}

/* process: 0 for any. 0, or a negated errno value. */
static int connect_to(const char *place, const char *name, pid_t process,
                      trace_controller_t **controller)
{
    char path[TRACE_CONTROLLER_DIRECTORY_MAX];
    if (process_of(name) == 0 || (process != 0 && process_of(name) != process))
        return -ENOENT;
    if (snprintf(path, sizeof path, "%s/%s", place, name) >= (int)sizeof path)
        return -ENOENT;
    return trace_controller_connect(path, controller);
}

/* Returns whether it keeps the controller. */
typedef bool private_visit(void *context, pid_t process, trace_controller_t *controller);

/* Visits those of a place that can be connected to, until `visit` keeps one. */
static bool each(const char *place, pid_t process, private_visit *visit, void *context)
{
    DIR *directory = opendir(place);
    bool is_kept = false;
    const struct dirent *entry;
    while (directory != NULL && !is_kept && (entry = readdir(directory)) != NULL) {
        trace_controller_t *controller;
        if (connect_to(place, entry->d_name, process, &controller) != 0)
            continue;
        is_kept = visit(context, process_of(entry->d_name), controller);
        if (!is_kept)
            trace_controller_destroy(controller);
    }
    if (directory != NULL)
        closedir(directory);
    return is_kept;
}

static bool each_anywhere(pid_t process, private_visit *visit, void *context)
{
    char usual[TRACE_CONTROLLER_DIRECTORY_MAX] = "";
    bool is_known = trace_controller_directory(usual) == 0;
    return (is_known && each(usual, process, visit, context)) ||
           each("/tmp", process, visit, context);
}

static bool keep(void *context, pid_t process, trace_controller_t *controller)
{
    (void)process;
    *(trace_controller_t **)context = controller;
    return true;
}

bool private_connect(pid_t process, trace_controller_t **controller)
{
    return each_anywhere(process, keep, controller);
}

static bool name_one(void *context, pid_t process, trace_controller_t *controller)
{
    (void)context;
    (void)controller;
    message("process %ld records a command alone: --pid=%ld", (long)process, (long)process);
    return false;
}

void private_tell(void)
{
    each_anywhere(0, name_one, NULL);
}

bool private_option(void *member, const struct option_spec *spec, const char *value)
{
    char *end;
    (void)spec;
    errno = 0;
    long process = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || process <= 0 ||
        process > INT32_MAX)
        return false;
    *(pid_t *)member = (pid_t)process;
    return true;
}
