/* fxt check: prints the checker's findings in whole files. The state of one file is struct check;
   check_print.c sums it up. */
#include <string.h>

#include "src/cli/check.h"
#include "src/tools/fxt/commands.h"
#include "src/cli/output.h"

static enum exit_code check_file(const struct options *options, struct output *output,
                                 const char *path, bool *is_read)
{
    struct stream stream;
    enum exit_code code = stream_open_either(&stream, path, options);
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

static enum exit_code run(const struct options *options)
{
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    bool is_read = false;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    for (int i = 0; i < options->operands.count && !output.out.failed; i++)
        code = exit_worse(code, check_file(options, &output, options->operands.it[i], &is_read));
    return output_end(&output, code, is_read);
}

static bool set_edition(struct options *options, const char *value)
{
    bool current = strcmp(value, "current") == 0;
    options->edition = current ? FXT_EDITION_CURRENT : FXT_EDITION_2020;
    return current || strcmp(value, "2020") == 0;
}

static bool set_severity(struct options *options, const char *value)
{
    for (int class = FXT_SUSPICIOUS; class <= FXT_MALFORMED_CLASS; class ++) {
        options->severity = (enum fxt_class) class;
        if (strcmp(value, fxt_class_name(options->severity)) == 0)
            return true;
    }
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
static bool set_rule(struct options *options, const char *value)
{
    enum fxt_rule rule = fxt_rule_by_id(value);
    if (!can_match(rule))
        return false;
    options->rules[rule] = true;
    options->rules_given = true;
    options->canonical = options->canonical || rule == FXT_RULE_CAN_01;
    return true;
}

static bool set_canonical(struct options *options, const char *value)
{
    (void)value;
    options->canonical = true;
    return true;
}

static bool set_summary(struct options *options, const char *value)
{
    (void)value;
    options->summary = true;
    return true;
}

static bool set_quiet(struct options *options, const char *value)
{
    (void)value;
    options->quiet = true;
    return true;
}

static const struct option_spec options_of_check[] = {
    {"edition", 'e', "2020|current", "the edition to check against (current)", set_edition},
    {"severity", 's', "malformed|nonconforming|suspicious", "the least class that counts",
     set_severity},
    {"rule", 'r', "ID", "only this rule, such as EVT-03; may be repeated", set_rule},
    {"canonical", 'c', NULL, "also report records that are not canonical", set_canonical},
    {"summary", 0, NULL, "count the findings of each rule instead of listing them", set_summary},
    {"max-findings", 0, "N", "list at most N findings a file, 0 for all (1000)",
     option_set_max_findings},
    {"json", 'j', NULL, "print findings as JSON Lines", option_set_json},
    {"quiet", 'q', NULL, "print nothing, only set the exit status", set_quiet},
    OPTION_OUTPUT,
    OPTION_MAX_RECORD,
    OPTION_RAW,
    OPTION_ALLOW_EMPTY,
    OPTION_END,
};

const struct command command_check = {
    .name = "check",
    .group = "find faults",
    .title = "Checks traces against every rule of the format and prints one finding a line.",
    .usage = "[FILE]...",
    .options = options_of_check,
    .run = run,
};
