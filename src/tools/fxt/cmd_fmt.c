/* The command that rewrites a trace in canonical form. */
#include "src/tools/fxt/commands.h"
#include "src/cli/output.h"
#include "src/cli/rewrite.h"

struct fmt_options {
    struct options common; /* the first member */
    enum fxt_format_large large;
};

static enum exit_code run(const void *given)
{
    const struct fmt_options *options = given;
    struct output output;
    struct stream stream;
    if (!output_open_trace(&output, options->common.output))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->common.operands.it[0], &options->common);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = rewrite(&output.out, &stream, options->large, options->common.max_findings);
    return output_end(&output, exit_worse(code, stream_close(&stream)), true);
}

static const struct fmt_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_fmt[] = {
    OPTION_LARGE(struct fmt_options),
    OPTION_MAX_FINDINGS,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_END,
};

const struct command command_fmt = {
    .name = "fmt",
    .title = "Rewrites a trace in canonical form; can leave out or cut large records.",
    .usage = "[FILE]",
    .options = options_of_fmt,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
