/* The common part of the main() of every program with commands. */
#ifndef FXT_CLI_PROGRAM_H
#define FXT_CLI_PROGRAM_H

#include <signal.h>
#include <stddef.h>

#include "src/cli/options.h"

/* Finds the command that argv names, parses its options into *options and its operands into
   *operands, runs it, and returns the exit code. The caller sets the defaults in *options. */
int program_main(const struct command *const *commands, size_t count, struct options *options,
                 struct operand_list *operands, int argc, char **argv);

/* The signals that program_main ignores, and that were not ignored when the program began: a command
   that it runs gets their default action. */
void program_default_signals(sigset_t *set);

#endif
