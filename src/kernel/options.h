/* What the command line says. */
#ifndef FXT_KERNEL_OPTIONS_H
#define FXT_KERNEL_OPTIONS_H

#include <stdint.h>

struct fxt_kernel_options {
    const char *replay;     /* path, or NULL */
    const char *output;     /* path, or NULL: a manager */
    const char *categories; /* of the output, or NULL: all */
    const char *name;
    uint64_t duration_ns; /* 0: until the end */
};

enum fxt_kernel_parsed { FXT_KERNEL_RUN, FXT_KERNEL_SAID, FXT_KERNEL_WRONG };

/* FXT_KERNEL_SAID: help or version was printed; FXT_KERNEL_WRONG: a message was. */
enum fxt_kernel_parsed fxt_kernel_options_parse(struct fxt_kernel_options *options, int argc,
                                                char **argv);

/* One line on stderr. */
void fxt_kernel_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
