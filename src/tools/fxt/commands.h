/* The commands of the tool: a command is one row of fxt.c and one file cmd_*.c. */
#ifndef FXT_TOOLS_FXT_COMMANDS_H
#define FXT_TOOLS_FXT_COMMANDS_H

#include "src/tools/common/options.h"

extern const struct command command_check;
extern const struct command command_dump;
extern const struct command command_json;
extern const struct command command_asm;
extern const struct command command_stat;
extern const struct command command_salvage;
extern const struct command command_fmt;
extern const struct command command_report;

#endif
