/* The values of the options of fxt and trace, and the rows that their commands share. */
#ifndef FXT_CLI_TOOL_OPTIONS_H
#define FXT_CLI_TOOL_OPTIONS_H

#include <stdint.h>

#include <fxt/status.h>

#include "src/cli/options.h"

#define MAX_RECORD_DEFAULT (UINT64_C(64) << 20)
#define MAX_RECORD_MIN (UINT64_C(32) << 10) /* every record except large ones fits */
#define MAX_RECORD_MAX (UINT64_C(32) << 30) /* the largest large record */
#define MAX_FINDINGS_DEFAULT 1000u

#define OPTION_LISTS 5u
#define OPTION_LIST_MAX 64u

/* The values of an option that may be given several times. */
struct option_list {
    const char *it[OPTION_LIST_MAX];
    unsigned count;
};

struct options {
    const char *output;
    const char *save; /* a database */
    uint64_t max_record;
    uint64_t max_findings; /* 0: all */
    enum fxt_edition edition;
    enum fxt_class severity;
    unsigned large;  /* enum fxt_format_large */
    unsigned by;     /* enum report_by */
    unsigned sort;   /* enum report_sort */
    unsigned colour; /* enum report_colour */
    unsigned time;   /* enum when_from */
    unsigned open;   /* enum cut_open */
    const char *from;
    const char *to;
    struct option_list lists[OPTION_LISTS]; /* what fxt filter selects by */
    uint32_t kinds;                         /* a bit for each enum filter_kind */
    unsigned align;                         /* enum merge_align */
    const char *offsets;                    /* with --align=offset= */
    bool same_ids;
    unsigned ignore; /* bits of meaning.h */
    bool lines;
    bool invert;
    bool stacks;
    uint32_t top; /* rows of each table of a report; 0: not given */
    bool raw;
    bool allow_empty; /* an input of 0 bytes is a trace */
    bool json;
    bool assembler;
    bool events;
    bool canonical;
    bool summary;
    bool quiet;
    bool csv;
    bool folded;
    bool flamegraph;
    bool diff;
    bool rules_given;
    bool rules[FXT_RULE_COUNT]; /* rules of --rule */
    struct operand_list operands;
};

/* The defaults. */
#define OPTIONS_INIT                                                                               \
    {                                                                                              \
        .max_record = MAX_RECORD_DEFAULT, .max_findings = MAX_FINDINGS_DEFAULT,                    \
        .edition = FXT_EDITION_CURRENT, .severity = FXT_SUSPICIOUS                                 \
    }

/* Whether more than one operand is standard input, of which the user is then told. */
bool options_read_stdin_twice(const struct options *options, const char *command);

/* Ready-made rows for the tables. */
bool option_set_output(struct options *options, const char *value);
bool option_set_max_record(struct options *options, const char *value);
bool option_set_max_findings(struct options *options, const char *value);
bool option_set_raw(struct options *options, const char *value);
bool option_set_allow_empty(struct options *options, const char *value);
bool option_set_json(struct options *options, const char *value);

#define OPTION_OUTPUT                                                                              \
    {                                                                                              \
        "output", 'o', "FILE", "write to FILE, which is renamed into place when complete",         \
            option_set_output                                                                      \
    }
#define OPTION_MAX_RECORD                                                                          \
    {                                                                                              \
        "max-record", 0, "BYTES", "skip larger records (K, M, G; default 64M)",                    \
            option_set_max_record                                                                  \
    }
#define OPTION_MAX_FINDINGS                                                                        \
    {                                                                                              \
        "max-findings", 0, "N", "report at most N malformed records, 0 for all (1000)",            \
            option_set_max_findings                                                                \
    }
#define OPTION_RAW                                                                                 \
    {                                                                                              \
        "raw", 0, NULL, "do not decompress gzip and zstd", option_set_raw                          \
    }
#define OPTION_ALLOW_EMPTY                                                                         \
    {                                                                                              \
        "allow-empty", 0, NULL, "take an input of 0 bytes for a trace", option_set_allow_empty     \
    }

#endif
