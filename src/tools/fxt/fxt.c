/* fxt, the tool for traces of the Fuchsia trace format. Owns the table of its commands. */
#include "src/tools/fxt/commands.h"
#include "src/cli/program.h"

const struct program program = {
    .name = "fxt",
    .operands = "[FILE]...",
    .help_end = "- is stdin. gzip and zstd are decompressed. Exit status: 0 clean, 1 findings,\n"
                "2 usage, 3 input or output failed. Manual page: man fxt\n",
};

/* The first of each group has its title. */
static const struct command *const commands[] = {
    &command_check,  &command_diff, &command_stat,    &command_report, &command_view,
    &command_html,   &command_dump, &command_sql,     &command_cut,    &command_filter,
    &command_merge,  &command_fmt,  &command_salvage, &command_json,   &command_export,
    &command_import, &command_asm,
};

int main(int argc, char **argv)
{
    return program_main(commands, sizeof commands / sizeof *commands, argc, argv);
}
