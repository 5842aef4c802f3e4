/* fxt check: prints the checker's findings in whole files. The state of one file is struct check;
   check_print.c sums it up. */
#include <string.h>

#include "src/cli/check.h"
#include "src/tools/fxt/commands.h"
#include "src/cli/output.h"

static enum exit_code check_file(const struct check_options *options, struct output *output,
                                 const char *path, bool *is_read)
{
    struct stream stream;
    enum exit_code code = stream_open_either(&stream, path, &options->common);
    if (code != EXIT_CLEAN)
        return code;
    struct check check = {.options = options, .out = &output->out, .file = stream.input.raw.name};
    if (!check_records(&check, &stream)) {
        stream_close(&stream);
        return EXIT_IO;
    }
    *is_read = true;
    if (options->summary && !options->quiet)
        (options->json ? check_summary_json : check_summary_text)(&check);
    fxt_out_flush(&output->out);
    code = stream_close(&stream);
    if (!options->quiet)
        check_conclude(&check, code == EXIT_CLEAN);
    return exit_worse(code, check_is_clean(&check) ? EXIT_CLEAN : EXIT_FINDINGS);
}

static enum exit_code run(const void *given)
{
    const struct check_options *options = given;
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    bool is_read = false;
    if (!output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    for (int i = 0; i < options->common.operands.count && !output.out.failed; i++)
        code = exit_worse(code,
                          check_file(options, &output, options->common.operands.it[i], &is_read));
    return output_end(&output, code, is_read);
}

static bool set_severity(void *member, const struct option_spec *spec, const char *value)
{
    enum fxt_class *severity = member;
    (void)spec;
    for (*severity = FXT_SUSPICIOUS; *severity <= FXT_MALFORMED_CLASS; ++*severity)
        if (strcmp(value, fxt_class_name(*severity)) == 0)
            return true;
    return false;
}

/* Whether a file that this program checks may break the rule. Packets of a connection are not in
   files, and a definition cannot be broken. */
static bool can_match(enum fxt_rule rule)
{
    const char *id = fxt_rule_id(rule);
    return rule != FXT_RULE_NONE && strncmp(id, "FIF-", 4) != 0 && strncmp(id, "CTL-", 4) != 0 &&
           (rule == FXT_RULE_CAN_01 || fxt_rule_class(rule) != FXT_DEFINITION);
}

/* [CAN-01] is only checked on request, and this requests it. */
static bool set_rule(void *member, const struct option_spec *spec, const char *value)
{
    struct check_options *options = member;
    (void)spec;
    enum fxt_rule rule = fxt_rule_by_id(value);
    if (!can_match(rule))
        return false;
    options->rules[rule] = true;
    options->rules_given = true;
    options->canonical = options->canonical || rule == FXT_RULE_CAN_01;
    return true;
}

static const struct check_options defaults = {.common = OPTIONS_INIT,
                                              .edition = FXT_EDITION_CURRENT,
                                              .severity = FXT_SUSPICIOUS};

static const struct option_spec options_of_check[] = {
    {"edition", 'e', "2020|current", "the edition to check against (current)", option_choice,
     offsetof(struct check_options, edition)},
    {"severity", 's', "malformed|nonconforming|suspicious", "the least class that counts",
     set_severity, offsetof(struct check_options, severity)},
    {"rule", 'r', "ID", "only this rule, such as EVT-03; may be repeated", set_rule, 0},
    {"canonical", 0, NULL, "also report records that are not canonical", option_bool,
     offsetof(struct check_options, canonical)},
    {"summary", 0, NULL, "count the findings of each rule instead of listing them", option_bool,
     offsetof(struct check_options, summary)},
    {"max-findings", 0, "N", "list at most N findings a file, 0 for all (1000)",
     option_max_findings, offsetof(struct options, max_findings)},
    {"json", 'j', NULL, "print findings as JSON Lines", option_bool,
     offsetof(struct check_options, json)},
    {"quiet", 'q', NULL, "print nothing, only set the exit status", option_bool,
     offsetof(struct check_options, quiet)},
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('c', "canonical"),
    OPTION_END,
};

const struct command command_check = {
    .name = "check",
    .group = "find faults",
    .title = "Checks traces against every rule of the format and prints one finding a line.",
    .usage = "[FILE]...",
    .options = options_of_check,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
