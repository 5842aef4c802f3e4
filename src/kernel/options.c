/* The command line: its table, and the checks of its values. No state. */
#include "src/kernel/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <fxt/record.h>

#include "src/cli/nearest.h"
#include "src/cli/options.h"
#include "src/kernel/translate.h"

#define DURATION_MAX 1e9 /* seconds */
#define NAME_MAX_BYTES 100

const struct program program = {
    .name = "ktrace_provider",
    .help_end = "Categories: kernel:sched, kernel:syscall, kernel:irq, kernel:freq, kernel:meta.\n"
                "Exit status: 0 success, 1 failure, 2 usage. Manual page: man ktrace_provider\n",
};

static bool set_text(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    *(const char **)member = value;
    return true;
}

static bool set_duration(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    char *end;
    double seconds = strtod(value, &end);
    bool good = end != value && *end == '\0' && seconds > 0 && seconds <= DURATION_MAX;
    if (good)
        *(uint64_t *)member = (uint64_t)(seconds * 1e9) + 1;
    return good;
}

static bool set_name(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    size_t length = strlen(value);
    *(const char **)member = value;
    return length > 0 && length <= NAME_MAX_BYTES && fxt_utf8_valid((const uint8_t *)value, length);
}

static const struct option_spec table[] = {
    {"replay", 0, "FILE", "read this capture of trace-cmd, not the running kernel", set_text,
     offsetof(struct options, replay)},
    {"output", 'o', "FILE", "write a trace to FILE, without a manager", set_text,
     offsetof(struct options, output)},
    {"categories", 0, "LIST", "with --output: categories, separated by commas (all)", set_text,
     offsetof(struct options, categories)},
    {"duration", 0, "SECONDS", "exit after this time", set_duration,
     offsetof(struct options, duration_ns)},
    {"name", 0, "NAME", "name of the provider, 1 to 100 bytes (ktrace_provider)", set_name,
     offsetof(struct options, name)},
    OPTION_END,
};

static const struct command command = {
    .name = "",
    .title = "A trace provider of events of the Linux kernel: context switches and wakeups,\n"
             "system calls, interrupts, frequencies, and the names of processes and threads.",
    .usage = "",
    .options = table,
    .operands = OPERANDS_NONE,
};

static bool is_category(const char *name)
{
    struct nearest nearest = nearest_begin(name);
    for (uint32_t i = 0; i < FXT_KERNEL_GROUPS; i++) {
        if (strcmp(name, fxt_kernel_category(i)) == 0)
            return true;
        nearest_try(&nearest, fxt_kernel_category(i));
    }
    if (nearest.name != NULL)
        message("--categories: '%s' is unknown; did you mean '%s'?", name, nearest.name);
    else
        message("--categories: '%s' is unknown; see --help", name);
    return false;
}

static bool are_categories(const char *list)
{
    char *names = strdup(list);
    char *rest = names;
    bool good = names != NULL;
    if (!good)
        message("--categories: %s", strerror(ENOMEM));
    while (good && rest != NULL)
        good = is_category(strsep(&rest, ","));
    free(names);
    return good;
}

/* The output is emptied before the capture is read. */
static bool would_empty_capture(const struct options *options)
{
    struct stat replay;
    struct stat output;
    return options->replay != NULL && options->output != NULL &&
           stat(options->replay, &replay) == 0 && stat(options->output, &output) == 0 &&
           replay.st_dev == output.st_dev && replay.st_ino == output.st_ino;
}

enum options_result fxt_kernel_options_parse(struct options *options, int argc, char **argv)
{
    struct operand_list none;
    *options = (struct options){.name = program.name};
    enum options_result result = options_parse(options, &none, &command, argc, argv);
    if (result == OPTIONS_RUN && would_empty_capture(options)) {
        message("%s: --output is the capture of --replay", options->output);
        return OPTIONS_USAGE;
    }
    if (result != OPTIONS_RUN || options->categories == NULL)
        return result;
    if (options->output != NULL)
        return are_categories(options->categories) ? OPTIONS_RUN : OPTIONS_USAGE;
    message("--categories requires --output: a manager chooses the categories itself");
    return OPTIONS_USAGE;
}
