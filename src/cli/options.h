/* The options of a program or of one of its commands. One table is used to parse them and to
   print their help. */
#ifndef FXT_CLI_OPTIONS_H
#define FXT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/cli/message.h"

/* A row of a table. Each command has a struct for the values of its options, and a row sets one of
   its members. */
struct option_spec {
    const char *name;     /* without the -- */
    char letter;          /* or 0 */
    const char *argument; /* how the help calls it; "[=X]": may be left out, and the value is NULL
                             then; NULL: the option has none */
    const char *help;
    bool (*set)(void *member, const struct option_spec *spec,
                const char *value); /* false: invalid */
    size_t member;                  /* its offset in the struct */
};

/* For rows: what sets a member of this type. */
bool option_bool(void *member, const struct option_spec *spec, const char *value);
bool option_text(void *member, const struct option_spec *spec, const char *value); /* not empty */
/* An enum, whose constants are the words of `argument`, from 0 on. */
bool option_choice(void *member, const struct option_spec *spec, const char *value);
/* An unsigned with a bit for each word of `argument`. The option may be repeated. */
bool option_choices(void *member, const struct option_spec *spec, const char *value);

#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, 0, NULL, NULL, NULL, 0                                                               \
    }

/* A row that heads the rows behind it in the help. */
#define OPTION_GROUP(title)                                                                        \
    {                                                                                              \
        "", 0, NULL, title, NULL, 0                                                                \
    }

/* A row for a letter that the option of this name had in an earlier version. It is taken, with a warning, and
   not in the help. Not the first row. */
#define OPTION_OLD(letter, name)                                                                   \
    {                                                                                              \
        "", letter, name, NULL, NULL, 0                                                            \
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

    /* Of a command of a program with several: its struct, which begins with a struct operand_list,
       with the default values; and what is called with a copy of it. */
    const void *defaults;
    size_t size;
    enum exit_code (*run)(const void *options);
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_USAGE };

/* Parses argv[1 …]; argv[0] is the name of the command. Calls the rows' functions on members of
   *options, in the order of the options, and sets *operands. OPTIONS_DONE: help or the version was
   printed. OPTIONS_USAGE: an error message was printed. */
enum options_result options_parse(void *options, struct operand_list *operands,
                                  const struct command *command, int argc, char **argv);

void print_version(void);

/* Whether what was printed through stdio, such as help, has reached stdout; false after a message.
   A reader that has gone away, as of a pipe to head, is not worth one. */
bool was_printed(void);

#endif
