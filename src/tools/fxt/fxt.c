/* fxt, the tool for traces of the Fuchsia trace format. Owns the table of its commands. */
#include "src/tools/fxt/commands.h"
#include "src/cli/program.h"

const struct program program = {
    .name = "fxt",
    .operands = "[FILE]...",
    .help_end = "- is stdin. gzip and zstd are decompressed. Exit status: 0 clean, 1 findings,\n"
                "2 usage, 3 input or output failed. Manual page: man fxt\n",
};

static const struct command *const commands[] = {
    &command_check, &command_dump,    &command_json, &command_asm,
    &command_stat,  &command_salvage, &command_fmt,  &command_report,
};

int main(int argc, char **argv)
{
    static struct options options = OPTIONS_INIT;
    return program_main(commands, sizeof commands / sizeof *commands, &options, &options.operands,
                        argc, argv);
}
