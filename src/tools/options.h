/* The options of a command: one table from which they are parsed and their help is printed. */
#ifndef FXT_TOOLS_OPTIONS_H
#define FXT_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/status.h>

#include "src/tools/message.h"

#define MAX_RECORD_DEFAULT (UINT64_C(64) << 20)
#define MAX_RECORD_MIN (UINT64_C(32) << 10) /* every record but a large one fits */
#define MAX_RECORD_MAX (UINT64_C(32) << 30) /* the largest large record */
#define MAX_FINDINGS_DEFAULT 1000u

struct options {
    const char *output;
    uint64_t max_record;
    uint64_t max_findings; /* 0: all */
    enum fxt_edition edition;
    enum fxt_class severity;
    unsigned large; /* enum fxt_format_large */
    bool raw;
    bool json;
    bool assembler;
    bool canonical;
    bool summary;
    bool quiet;
    bool rules_given;
    bool rules[FXT_RULE_COUNT]; /* those of --rule */
    char *const *files;         /* the operands */
    int file_count;
};

struct option_spec {
    const char *name;     /* without the -- */
    char letter;          /* or 0 */
    const char *argument; /* how the help calls it; "[=X]": may be left out, and the value is NULL
                             then; NULL: the option has none */
    const char *help;
    bool (*set)(struct options *options, const char *value); /* false: no such value */
};

/* What follows the options. */
enum operands {
    OPERANDS_FILES, /* one file or more; none: stdin */
    OPERANDS_FILE,  /* one at most */
    OPERANDS_NONE,
    OPERANDS_COMMAND, /* a command and its arguments, or nothing: no option comes after it */
};

struct command {
    const char *name;
    const char *title;                 /* one line for the list of commands */
    const char *usage;                 /* what follows the options in the usage line */
    const struct option_spec *options; /* ended by one without a name */
    enum operands operands;
    enum exit_code (*run)(const struct options *options);
};

/* Ready-made rows for the tables. */
bool option_set_output(struct options *options, const char *value);
bool option_set_max_record(struct options *options, const char *value);
bool option_set_max_findings(struct options *options, const char *value);
bool option_set_raw(struct options *options, const char *value);
bool option_set_json(struct options *options, const char *value);

#define OPTION_OUTPUT                                                                              \
    {                                                                                              \
        "output", 'o', "FILE", "write to FILE, which appears when it is complete",                 \
            option_set_output                                                                      \
    }
#define OPTION_MAX_RECORD                                                                          \
    {                                                                                              \
        "max-record", 0, "BYTES", "pass over larger records (K, M, G; default 64M)",               \
            option_set_max_record                                                                  \
    }
#define OPTION_RAW                                                                                 \
    {                                                                                              \
        "raw", 0, NULL, "do not decompress gzip and zstd", option_set_raw                          \
    }
#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, 0, NULL, NULL, NULL                                                                  \
    }

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_USAGE };

/* Sets *options to what holds without any, and parses argv[1 …]; argv[0] is the name of the command. OPTIONS_DONE: help or version was printed;
   OPTIONS_USAGE: a message was. */
enum options_result options_parse(struct options *options, const struct command *command, int argc,
                                  char **argv);

/* "true" or "false"; NULL: true. */
bool option_bool(bool *out, const char *value);

void print_version(void);

#endif
