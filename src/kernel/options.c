/* The command line, by getopt_long. */
#include "src/kernel/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/record.h>

#include "src/terminal/printable.h"

#ifndef FXT_TOOLS_VERSION
#define FXT_TOOLS_VERSION "unknown"
#endif

#define DURATION_MAX 1e9 /* seconds */
#define NAME_MAX_BYTES 100

static const char help[] =
    "usage: ktrace_provider [OPTION]...\n"
    "\n"
    "Publishes what the Linux kernel does as a trace provider: context switches and wakeups,\n"
    "system calls, interrupts, frequencies, and the names of processes and threads.\n"
    "\n"
    "      --replay=FILE      publish this capture of trace-cmd, not the running kernel\n"
    "  -o, --output=FILE      write a trace to FILE, without a manager\n"
    "      --categories=LIST  of the output: some of kernel:sched, kernel:syscall, kernel:irq,\n"
    "                         kernel:freq and kernel:meta, with commas; default: all\n"
    "      --duration=SECONDS end after that time\n"
    "      --name=NAME        how a manager calls it; default: ktrace_provider\n"
    "  -h, --help             print this help\n"
    "      --version          print the version\n";

void fxt_kernel_say(const char *format, ...)
{
    char text[1024];
    char line[FXT_I_PRINTABLE_GROWTH * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fxt_i_printable(line, sizeof line, text, strlen(text));
    fprintf(stderr, "ktrace_provider: %s\n", line);
}

static bool set_duration(struct fxt_kernel_options *options, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    bool good = end != text && *end == '\0' && seconds > 0 && seconds <= DURATION_MAX;
    if (good)
        options->duration_ns = (uint64_t)(seconds * 1e9) + 1;
    else
        fxt_kernel_say("--duration: a number of seconds is wanted, not '%s'", text);
    return good;
}

static bool set_name(struct fxt_kernel_options *options, const char *text)
{
    size_t length = strlen(text);
    options->name = text;
    if (length > 0 && length <= NAME_MAX_BYTES && fxt_utf8_valid((const uint8_t *)text, length))
        return true;
    fxt_kernel_say("--name: 1 to %d bytes of UTF-8 are wanted", NAME_MAX_BYTES);
    return false;
}

/* `option` is the word that getopt looked at. */
static bool set(struct fxt_kernel_options *options, int letter, const char *value,
                const char *option)
{
    switch (letter) {
    case 'r':
        options->replay = value;
        return true;
    case 'o':
        options->output = value;
        return true;
    case 'c':
        options->categories = value;
        return true;
    case 'd':
        return set_duration(options, value);
    case 'n':
        return set_name(options, value);
    default:
        fxt_kernel_say("unknown option, or its value is missing: '%s'; see --help", option);
        return false;
    }
}

static bool fits(const struct fxt_kernel_options *options, int arguments_left)
{
    if (arguments_left > 0)
        fxt_kernel_say("it takes options only; see --help");
    else if (options->categories != NULL && options->output == NULL)
        fxt_kernel_say("--categories goes with --output: a manager has a choice of its own");
    else
        return true;
    return false;
}

enum fxt_kernel_parsed fxt_kernel_options_parse(struct fxt_kernel_options *options, int argc,
                                                char **argv)
{
    static const struct option table[] = {
        {"replay", required_argument, NULL, 'r'},     {"output", required_argument, NULL, 'o'},
        {"categories", required_argument, NULL, 'c'}, {"duration", required_argument, NULL, 'd'},
        {"name", required_argument, NULL, 'n'},       {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},          {NULL, 0, NULL, 0}};
    int letter;
    memset(options, 0, sizeof *options);
    options->name = "ktrace_provider";
    opterr = 0;
    while ((letter = getopt_long(argc, argv, "o:h", table, NULL)) != -1) {
        if (letter == 'h' || letter == 'v') {
            fputs(letter == 'h' ? help : "ktrace_provider " FXT_TOOLS_VERSION "\n", stdout);
            return FXT_KERNEL_SAID;
        }
        if (!set(options, letter, optarg, argv[optind - 1]))
            return FXT_KERNEL_WRONG;
    }
    return fits(options, argc - optind) ? FXT_KERNEL_RUN : FXT_KERNEL_WRONG;
}
