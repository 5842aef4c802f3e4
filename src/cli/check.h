/* The check of one file. */
#ifndef FXT_CLI_CHECK_H
#define FXT_CLI_CHECK_H

#include <fxt/check.h>

#include "src/convert/out.h"
#include "src/cli/finding.h"
#include "src/cli/hint.h"
#include "src/cli/tool_options.h"
#include "src/cli/stream.h"

struct check_options {
    struct options common; /* the first member */
    enum fxt_edition edition;
    enum fxt_class severity; /* the least that counts */
    bool canonical;
    bool summary;
    bool json;
    bool quiet;
    bool rules_given;
    bool rules[FXT_RULE_COUNT]; /* those that count, if any are given */
};

/* More than --max-findings lists by default. */
enum { HELD_MAX = 1024 };

struct check {
    struct fxt_checker checker;
    const struct check_options *options;
    struct fxt_out *out;
    const char *file;
    uint64_t records;
    uint64_t bytes;
    uint64_t shown;
    uint64_t hidden;  /* left out by --max-findings */
    uint64_t dropped; /* beyond FXT_FINDINGS_MAX of a record: their rules are unknown */
    uint64_t counts[FXT_RULE_COUNT];
    uint64_t hints[HINT_COUNT]; /* records that look like each mistake */
    uint32_t held_count;
    struct shown_finding held[HELD_MAX]; /* ordered by offset, not printed yet */
};

/* Checks the whole stream with the options, the output and the file name of *check. False after a
   message. */
bool check_records(struct check *check, struct stream *stream);

/* Whether there is no finding, not even one whose rule is unknown. */
bool check_is_clean(const struct check *check);

/* Prints the counts by rule, for --summary. */
void check_summary_text(const struct check *check);
void check_summary_json(const struct check *check);

/* Prints the last line on stderr. complete: the input was read without errors. */
void check_conclude(const struct check *check, bool complete);

#endif
