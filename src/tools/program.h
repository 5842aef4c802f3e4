/* What the main() of every program with commands does. */
#ifndef FXT_TOOLS_PROGRAM_H
#define FXT_TOOLS_PROGRAM_H

#include <stddef.h>

#include "src/tools/options.h"

/* Finds the command that argv names, parses its options into *options, runs it, and returns the exit
   code. */
int program_main(const struct command *const *commands, size_t count, struct options *options,
                 int argc, char **argv);

#endif
