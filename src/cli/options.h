/* The options of a program, or of a command of it: one table from which they are parsed and their
   help is printed. */
#ifndef FXT_CLI_OPTIONS_H
#define FXT_CLI_OPTIONS_H

#include <stdbool.h>

#include "src/cli/message.h"

/* What the rows of the tables set. Each program defines its own. */
struct options;

struct option_spec {
    const char *name;     /* without the -- */
    char letter;          /* or 0 */
    const char *argument; /* how the help calls it; "[=X]": may be left out, and the value is NULL
                             then; NULL: the option has none */
    const char *help;
    bool (*set)(struct options *options, const char *value); /* false: no such value */
};

#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, 0, NULL, NULL, NULL                                                                  \
    }

/* What follows the options. */
enum operands {
    OPERANDS_FILES, /* one file or more; none: stdin */
    OPERANDS_FILE,  /* one at most */
    OPERANDS_NONE,
    OPERANDS_COMMAND, /* a command and its arguments, or nothing: no option comes after it */
};

struct operand_list {
    char *const *it;
    int count;
};

struct command {
    const char *name;                  /* "": of a program that has no commands */
    const char *title;                 /* one line for the list of commands */
    const char *usage;                 /* what follows the options in the usage line */
    const struct option_spec *options; /* ended by one without a name */
    enum operands operands;
    enum exit_code (*run)(const struct options *options); /* of a command */
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_USAGE };

/* Parses argv[1 …]; argv[0] is the name of the command. Calls the rows' functions in the order of the
   options, and sets *operands. OPTIONS_DONE: help or version was printed; OPTIONS_USAGE: a message
   was. */
enum options_result options_parse(struct options *options, struct operand_list *operands,
                                  const struct command *command, int argc, char **argv);

/* "true" or "false"; NULL: true. */
bool option_bool(bool *out, const char *value);

void print_version(void);

#endif
