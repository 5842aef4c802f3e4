/* The options that the commands of fxt and trace share: their values and their rows. */
#ifndef FXT_CLI_TOOL_OPTIONS_H
#define FXT_CLI_TOOL_OPTIONS_H

#include <stdint.h>

#include "src/cli/options.h"
#include "src/cli/terminal.h"

#define MAX_RECORD_DEFAULT (UINT64_C(64) << 20)
#define MAX_RECORD_MIN (UINT64_C(32) << 10) /* every record except large ones fits */
#define MAX_RECORD_MAX (UINT64_C(32) << 30) /* the largest large record */
#define MAX_FINDINGS_DEFAULT 1000u

/* The first member of the struct of a command. */
struct options {
    struct operand_list operands;
    const char *output;
    uint64_t max_record;
    uint64_t max_findings; /* 0: all */
    bool raw;
    bool allow_empty; /* an input of 0 bytes is a trace */
    bool no_formulas; /* in CSV */
    enum terminal_colour colour;
};

#define OPTIONS_INIT                                                                               \
    {                                                                                              \
        .max_record = MAX_RECORD_DEFAULT, .max_findings = MAX_FINDINGS_DEFAULT                     \
    }

/* For a command with no others. */
extern const struct options options_default;

/* Whether more than one operand is standard input, of which the user is then told. */
bool options_read_stdin_twice(const struct options *options, const char *command);

bool option_max_record(void *member, const struct option_spec *spec, const char *value);
bool option_max_findings(void *member, const struct option_spec *spec, const char *value);

#define OPTION_OUTPUT                                                                              \
    {                                                                                              \
        "output", 'o', "FILE", "write to FILE, which is renamed into place when complete",         \
            option_text, offsetof(struct options, output)                                          \
    }
/* For a command that writes CSV. */
#define OPTION_NO_FORMULAS                                                                         \
    {                                                                                              \
        "no-formulas", 0, NULL, "CSV: an apostrophe before text that a spreadsheet computes",      \
            option_bool, offsetof(struct options, no_formulas)                                     \
    }
/* For a command that prints tables. */
#define OPTION_COLOR OPTION_COLOR_IN(struct options, colour)
#define OPTION_COLOR_IN(type, member)                                                              \
    {                                                                                              \
        "color", 0, "auto|always|never", "whether to use colors (auto)", option_choice,            \
            offsetof(type, member)                                                                 \
    }
#define OPTION_MAX_FINDINGS                                                                        \
    {                                                                                              \
        "max-findings", 0, "N", "report at most N malformed records, 0 for all (1000)",            \
            option_max_findings, offsetof(struct options, max_findings)                            \
    }
#define OPTION_RAW                                                                                 \
    {                                                                                              \
        "raw", 0, NULL, "do not decompress gzip and zstd", option_bool,                            \
            offsetof(struct options, raw)                                                          \
    }
/* How a trace is read. */
#define OPTIONS_OF_TRACES                                                                          \
    {"max-record",      0,                                                                         \
     "BYTES",           "skip larger records (K, M, G; default 64M)",                              \
     option_max_record, offsetof(struct options, max_record)},                                     \
        OPTION_RAW,                                                                                \
    {                                                                                              \
        "allow-empty", 0, NULL, "take an input of 0 bytes for a trace", option_bool,               \
            offsetof(struct options, allow_empty)                                                  \
    }

#endif
