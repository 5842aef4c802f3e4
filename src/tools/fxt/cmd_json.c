/* The command that converts a file to Chrome JSON. */
#include "src/cli/json.h"
#include "src/tools/fxt/commands.h"

const struct command command_json = {
    .name = "json",
    .group = "convert",
    .title = "Converts a trace to the JSON format of chrome://tracing and Perfetto.",
    .usage = "[FILE]",
    .options = json_options,
    .operands = OPERANDS_FILE,
    .defaults = &json_default,
    .size = sizeof json_default,
    .run = json_run,
};
