/* The values of the command line. */
#ifndef FXT_KERNEL_OPTIONS_H
#define FXT_KERNEL_OPTIONS_H

#include <stdint.h>

#include "src/cli/options.h"

struct options {
    const char *replay;     /* path, or NULL */
    const char *output;     /* path, or NULL: use a manager */
    const char *categories; /* categories of the output, or NULL: all */
    const char *name;
    uint64_t duration_ns; /* 0: no limit */
};

/* Like options_parse, for main. */
enum options_result fxt_kernel_options_parse(struct options *options, int argc, char **argv);

#endif
