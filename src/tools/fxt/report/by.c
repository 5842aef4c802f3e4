/* What durations are grouped by. The key of a group is the number of a name, a thread, a process or a
   provider. With an argument it is that of a label: a name and a value. No state. */
#include <stdio.h>
#include <string.h>

#include "src/convert/args.h"
#include "src/tools/fxt/report/print.h"

#define LABEL_BYTES (2 * UINT16_MAX + REPORT_ARG_MAX + 64)

static const char *arg_name(const struct report *report)
{
    return report->grouping.text + strlen(REPORT_ARG);
}

static uint32_t value_of(struct report *report, const struct fxt_arg *arg)
{
    char text[READABLE_BYTES];
    struct counter_value number;
    if (arg->type == FXT_ARG_STRING)
        return refs_text(&report->refs, arg->text);
    if (arg->type == FXT_ARG_BOOL)
        strcpy(text, arg->value != 0 ? "true" : "false");
    else if (counters_number(arg, &number))
        readable_value(text, number);
    else if (arg->type == FXT_ARG_KOID)
        readable_u64(text, arg->value);
    else if (arg->type == FXT_ARG_POINTER)
        sprintf(text, "0x%llx", (unsigned long long)arg->value);
    else
        strcpy(text, arg->type == FXT_ARG_NULL   ? "null"
                     : arg->type == FXT_ARG_BLOB ? "(blob)"
                                                 : "(unknown)");
    return names_add(&report->names, (struct fxt_bytes){(const uint8_t *)text, strlen(text)});
}

uint32_t report_part_of_key(struct report *report, const struct fxt_event *event)
{
    struct fxt_arg arg;
    if (report->grouping.by == REPORT_BY_CATEGORY)
        return refs_text(&report->refs, event->category);
    if (report->grouping.by != REPORT_BY_ARG ||
        !fxt_convert_find_arg(&arg, &report->refs.tables, event->args, FXT_CONVERT_ANY_TYPE,
                              arg_name(report)))
        return NAME_OTHERS;
    return value_of(report, &arg);
}

static size_t put(char *to, size_t size, struct fxt_bytes text)
{
    if (text.size > 0)
        memcpy(to + size, text.bytes, (size_t)text.size);
    return size + (size_t)text.size;
}

/* NAME ARG=VALUE, or NAME (no ARG) */
static uint32_t label(struct report *report, uint32_t name, uint32_t value)
{
    static char text[LABEL_BYTES];
    size_t size = put(text, 0, names_text(&report->names, name));
    if (value == NAME_OTHERS) {
        size += (size_t)sprintf(text + size, " (no %s)", arg_name(report));
    } else {
        size += (size_t)sprintf(text + size, " %s=", arg_name(report));
        size = put(text, size, names_text(&report->names, value));
    }
    return names_add(&report->names, (struct fxt_bytes){(const uint8_t *)text, size});
}

uint32_t report_key(struct report *report, const struct open *duration, const struct open *end)
{
    const struct track *track = &report->tracks.it[duration->track];
    switch (report->grouping.by) {
    case REPORT_BY_CATEGORY:
        return duration->key;
    case REPORT_BY_THREAD:
        return duration->track;
    case REPORT_BY_PROCESS:
        return track->process;
    case REPORT_BY_PROVIDER:
        return track->provider;
    case REPORT_BY_ARG: /* the arguments of a slice are those of its begin, then those of its end [SLC-03] */
        return label(report, duration->name,
                     duration->key != NAME_OTHERS ? duration->key : end->key);
    default:
        return duration->name;
    }
}

uint32_t report_group_name(const struct report *report, const struct group *group)
{
    if (group == &report->groups.it[GROUP_OTHERS])
        return NAME_OTHERS;
    switch (report->grouping.by) {
    case REPORT_BY_THREAD:
        return report->tracks.it[group->key].name;
    case REPORT_BY_PROCESS:
        return report->tracks.processes[group->key].name;
    case REPORT_BY_PROVIDER:
        return report->tracks.providers[group->key].name;
    default:
        return group->key;
    }
}
