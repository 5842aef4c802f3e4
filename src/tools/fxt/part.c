/* Parts of traces. No state. */
#include "src/tools/fxt/part.h"

#include "src/tools/fxt/edit/times.h"

bool part_set_time(void *member, const struct option_spec *spec, const char *value)
{
    struct times_point point;
    (void)spec;
    *(const char **)member = value;
    return times_parse(&point, value);
}

static uint64_t time_of(const char *text, uint64_t begin, uint64_t end, uint64_t otherwise)
{
    struct times_point point;
    return text != NULL && times_parse(&point, text) ? times_resolve(point, begin, end) : otherwise;
}

enum exit_code part_choose(const struct part_options *options, const char *command,
                           const char *file, uint64_t *begin, uint64_t *end)
{
    uint64_t from = time_of(options->from, *begin, *end, 0);
    uint64_t to = time_of(options->to, *begin, *end, UINT64_MAX);
    bool is_outside = from >= *end || to <= *begin;
    char length[TIMES_TEXT], first[TIMES_TEXT], last[TIMES_TEXT];
    times_print(length, *end - *begin);
    times_print(first, *begin);
    times_print(last, *end);
    if (from > to)
        message("%s: --from=%s is later than --to=%s; the trace lasts %s", command, options->from,
                options->to, length);
    else if (is_outside)
        message(
            "%s: the part lies outside of the trace, which lasts %s, by its clock from @%s to @%s",
            file, length, first, last);
    *begin = from;
    *end = to;
    return from > to ? EXIT_USAGE : is_outside ? EXIT_FINDINGS : EXIT_CLEAN;
}
