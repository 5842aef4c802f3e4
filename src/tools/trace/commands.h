/* The commands of trace: a command is one row of trace.c. */
#ifndef FXT_TOOLS_TRACE_COMMANDS_H
#define FXT_TOOLS_TRACE_COMMANDS_H

#include "src/cli/tool_options.h"

extern const struct command command_record;
extern const struct command command_start;
extern const struct command command_stop;
extern const struct command command_snapshot;
extern const struct command command_status;
extern const struct command command_list_providers;
extern const struct command command_list_categories;
extern const struct command command_convert;

#endif
