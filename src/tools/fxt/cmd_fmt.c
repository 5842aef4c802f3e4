/* The command that rewrites a trace in canonical form. */
#include "src/tools/fxt/commands.h"
#include "src/cli/output.h"
#include "src/cli/rewrite.h"

static enum exit_code run(const struct options *options)
{
    struct output output;
    struct stream stream;
    if (!output_open_trace(&output, options->output))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code =
        rewrite(&output.out, &stream, (enum fxt_format_large)options->large, options->max_findings);
    return output_end(&output, exit_worse(code, stream_close(&stream)), true);
}

static const struct option_spec options_of_fmt[] = {
    OPTION_LARGE, OPTION_MAX_FINDINGS, OPTION_OUTPUT, OPTION_MAX_RECORD,
    OPTION_RAW,   OPTION_ALLOW_EMPTY,  OPTION_END,
};

const struct command command_fmt = {
    .name = "fmt",
    .title = "Rewrites a trace in canonical form; can leave out or cut large records.",
    .usage = "[FILE]",
    .options = options_of_fmt,
    .operands = OPERANDS_FILE,
    .run = run,
};
