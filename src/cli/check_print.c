/* Prints the counts at the end of a file of fxt check. No state; cmd_check.c calls this. */
#include <stdio.h>
#include <string.h>

#include "src/cli/check.h"
#include "src/cli/finding.h"

void check_summary_text(const struct check *check)
{
    struct fxt_out *out = check->out;
    for (enum fxt_rule rule = FXT_RULE_NONE; rule < FXT_RULE_COUNT; rule++) {
        if (check->counts[rule] == 0)
            continue;
        shown_string(out, check->file);
        fxt_out_text(out, ": ");
        fxt_out_u64(out, check->counts[rule]);
        fxt_out_text(out, " x ");
        fxt_out_text(out, rule == FXT_RULE_CAN_01 ? "not canonical"
                                                  : fxt_class_name(fxt_rule_class(rule)));
        fxt_out_text(out, ": ");
        fxt_out_text(out, fxt_rule_id(rule));
        fxt_out_text(out, ": ");
        fxt_out_text(out, fxt_rule_title(rule));
        fxt_out_char(out, '\n');
    }
}

void check_summary_json(const struct check *check)
{
    struct fxt_out *out = check->out;
    const char *before = "";
    fxt_out_text(out, "{\"file\":");
    json_string(out, check->file, strlen(check->file));
    fxt_out_text(out, ",\"bytes\":");
    fxt_out_u64(out, check->bytes);
    fxt_out_text(out, ",\"records\":");
    fxt_out_u64(out, check->records);
    fxt_out_text(out, ",\"findings\":{");
    for (enum fxt_rule rule = FXT_RULE_NONE; rule < FXT_RULE_COUNT; rule++) {
        if (check->counts[rule] == 0)
            continue;
        fxt_out_text(out, before);
        fxt_out_char(out, '"');
        fxt_out_text(out, fxt_rule_id(rule));
        fxt_out_text(out, "\":");
        fxt_out_u64(out, check->counts[rule]);
        before = ",";
    }
    fxt_out_text(out, "}}\n");
}

/* "1 malformed, 0 nonconforming, …". Classes below --severity are left out, because they were not
   checked. */
static void count_classes(const struct check *check, char *text, size_t size)
{
    uint64_t by_class[FXT_MALFORMED_CLASS + 1] = {0};
    for (enum fxt_rule rule = FXT_RULE_NONE; rule < FXT_RULE_COUNT; rule++)
        by_class[rule == FXT_RULE_CAN_01 ? FXT_DEFINITION : fxt_rule_class(rule)] +=
            check->counts[rule];
    int at = 0;
    for (int class = FXT_MALFORMED_CLASS; class >= (int)check->options->severity; class --)
        at += snprintf(text + at, size - (size_t)at, "%s%llu %s", at > 0 ? ", " : "",
                       (unsigned long long)by_class[class], fxt_class_name((enum fxt_class) class));
    if (check->options->canonical)
        snprintf(text + at, size - (size_t)at, ", %llu not canonical",
                 (unsigned long long)by_class[FXT_DEFINITION]);
}

/* One record may look like a mistake by chance. */
static void tell_hints(const struct check *check)
{
    for (enum hint hint = HINT_NONE + 1; hint < HINT_COUNT; hint++)
        if (check->hints[hint] > 1)
            message_at("%s: hint: %llu records: %s", check->file,
                       (unsigned long long)check->hints[hint], hint_text(hint));
}

void check_conclude(const struct check *check, bool complete)
{
    char text[200];
    tell_hints(check);
    count_classes(check, text, sizeof text);
    if (check->hidden > 0)
        message_at("%s: %llu more findings are not shown (--max-findings=0 shows all)", check->file,
                   (unsigned long long)check->hidden);
    if (check->dropped > 0)
        message_at(
            "%s: %llu more findings, whose rules are not known, in records with over %u of them",
            check->file, (unsigned long long)check->dropped, FXT_FINDINGS_MAX);
    message_at("%s: %s in %llu records, %llu bytes%s", check->file, text,
               (unsigned long long)check->records, (unsigned long long)check->bytes,
               complete ? "" : " (not all of the input)");
}
