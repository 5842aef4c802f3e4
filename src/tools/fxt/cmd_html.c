/* The command that makes a page of a trace. */
#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/html/html.h"

static enum exit_code run(const void *given)
{
    const struct options *options = given;
    struct output output;
    struct stream stream;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = html_convert(&output.out, &stream);
    return output_end(&output, exit_worse(code, stream_close(&stream)), true);
}

static const struct option_spec options_of_html[] = {
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_END,
};

const struct command command_html = {
    .name = "html",
    .title = "Makes one HTML page that shows a trace: a timeline, tables, a flame graph.",
    .usage = "[FILE]",
    .options = options_of_html,
    .operands = OPERANDS_FILE,
    .defaults = &options_default,
    .size = sizeof options_default,
    .run = run,
};
