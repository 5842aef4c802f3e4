/* The program that src/cli says its messages for. */
#include "src/cli/message.h"

const struct program program = {.name = "fuzz", .operands = "", .help_end = ""};
