/* trace, the client of the trace manager. Owns the table of its commands. */
#include "src/cli/json.h"
#include "src/cli/program.h"
#include "src/tools/trace/commands.h"

const struct program program = {
    .name = "trace",
    .operands = "...",
    .help_end =
        "Exit status: 0 success, 1 a fault of the recording or the trace, 2 usage, 3 input or\n"
        "output failed; or the status of the traced command. Manual page: man trace\n",
};

const struct command command_convert = {
    .name = "convert",
    .title = "Converts a trace to the JSON format of chrome://tracing and Perfetto.",
    .usage = "[FILE]",
    .options = json_options,
    .operands = OPERANDS_FILE,
    .defaults = &json_default,
    .size = sizeof json_default,
    .run = json_run,
};

static const struct command *const commands[] = {
    &command_record,          &command_start,   &command_stop,
    &command_snapshot,        &command_status,  &command_list_providers,
    &command_list_categories, &command_convert,
};

int main(int argc, char **argv)
{
    return program_main(commands, sizeof commands / sizeof *commands, argc, argv);
}
