/* The common part of the main() of every program with commands. */
#ifndef FXT_CLI_PROGRAM_H
#define FXT_CLI_PROGRAM_H

#include <signal.h>
#include <stddef.h>

#include "src/cli/options.h"

/* Finds the command that argv names, parses its options and operands into a copy of its struct, runs
   it, and returns the exit code. */
int program_main(const struct command *const *commands, size_t count, int argc, char **argv);

/* The signals that program_main ignores, and that were not ignored when the program began: a command
   that it runs gets their default action. */
void program_default_signals(sigset_t *set);

#endif
