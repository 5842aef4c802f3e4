/* The options of a program or of one of its commands. One table is used to parse them and to
   print their help. */
#ifndef FXT_CLI_OPTIONS_H
#define FXT_CLI_OPTIONS_H

#include <stdbool.h>

#include "src/cli/message.h"

/* The values that the rows of the tables set. Each program defines its own. */
struct options;

struct option_spec {
    const char *name;     /* without the -- */
    char letter;          /* or 0 */
    const char *argument; /* how the help calls it; "[=X]": may be left out, and the value is NULL
                             then; NULL: the option has none */
    const char *help;
    bool (*set)(struct options *options, const char *value); /* false: invalid value */
};

#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, 0, NULL, NULL, NULL                                                                  \
    }

/* A row that heads the rows behind it in the help. */
#define OPTION_GROUP(title)                                                                        \
    {                                                                                              \
        "", 0, NULL, title, NULL                                                                   \
    }

/* Operands: the arguments after the options. */
enum operands {
    OPERANDS_FILES, /* any number of files; none: stdin */
    OPERANDS_FILE,  /* at most one file */
    OPERANDS_NONE,
    OPERANDS_COMMAND, /* a command and its arguments, or nothing; no option after it */
};

struct operand_list {
    char *const *it;
    int count;
};

struct command {
    const char *name;                  /* "" for a program without commands */
    const char *title;                 /* one line in the list of commands */
    const char *usage;                 /* the operands in the usage line */
    const char *group;                 /* heads it and those behind it in the list; or NULL */
    const struct option_spec *options; /* ended by a row without a name */
    enum operands operands;
    enum exit_code (*run)(const struct options *options); /* options of one command */
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_USAGE };

/* Parses argv[1 …]; argv[0] is the name of the command. Calls the rows' functions in the order of
   the options, and sets *operands. OPTIONS_DONE: help or the version was printed. OPTIONS_USAGE:
   an error message was printed. */
enum options_result options_parse(struct options *options, struct operand_list *operands,
                                  const struct command *command, int argc, char **argv);

/* "true" or "false"; NULL: true. */
bool option_bool(bool *out, const char *value);

void print_version(void);

/* Whether what was printed through stdio, such as help, has reached stdout; false after a message.
   A reader that has gone away, as of a pipe to head, is not worth one. */
bool was_printed(void);

#endif
