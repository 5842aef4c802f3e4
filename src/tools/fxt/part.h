/* --from and --to of the commands that show a part of a trace, and clip what reaches beyond it. */
#ifndef FXT_TOOLS_FXT_PART_H
#define FXT_TOOLS_FXT_PART_H

#include <stdint.h>

#include "src/cli/options.h"

struct part_options {
    const char *from; /* or NULL, as `to` */
    const char *to;
};

/* The rows of a command, in whose struct `member` is a struct part_options. */
#define OPTIONS_OF_PART(type, member, verb)                                                        \
    {"from",        'f',                                                                           \
     "TIME",        verb " what is from TIME on: 20ms (after the start), -20ms, 25%, @1s",         \
     part_set_time, offsetof(type, member.from)},                                                  \
    {                                                                                              \
        "to", 't', "TIME", verb " what is before TIME", part_set_time, offsetof(type, member.to)   \
    }

bool part_set_time(void *member, const struct option_spec *spec, const char *value);

static inline bool part_is_given(const struct part_options *options)
{
    return options->from != NULL || options->to != NULL;
}

/* From the times of the whole trace, *begin to before *end, those of the part. EXIT_USAGE or EXIT_FINDINGS
   after a message: it ends before it begins, or is outside of the trace. */
enum exit_code part_choose(const struct part_options *options, const char *command,
                           const char *file, uint64_t *begin, uint64_t *end);

#endif
