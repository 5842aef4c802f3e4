/* The commands of the tool: a command is one row of fxt.c and one file cmd_*.c. */
#ifndef FXT_TOOLS_FXT_COMMANDS_H
#define FXT_TOOLS_FXT_COMMANDS_H

#include "src/cli/tool_options.h"

extern const struct command command_check;
extern const struct command command_dump;
extern const struct command command_json;
extern const struct command command_asm;
extern const struct command command_import;
extern const struct command command_stat;
extern const struct command command_salvage;
extern const struct command command_fmt;
extern const struct command command_report;
extern const struct command command_html;
extern const struct command command_view;
extern const struct command command_sql;
extern const struct command command_export;
extern const struct command command_cut;
extern const struct command command_filter;
extern const struct command command_merge;
extern const struct command command_diff;

#endif
