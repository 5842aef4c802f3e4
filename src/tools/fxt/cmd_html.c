/* The command that makes a page of a trace, or of a part. */
#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/html/html.h"
#include "src/tools/fxt/part.h"

struct html_options {
    struct options common; /* the first member */
    struct part_options part;
};

struct part {
    struct html_part html; /* the first member */
    const struct html_options *options;
};

static enum exit_code choose(const struct html_part *html, const char *file, uint64_t *begin,
                             uint64_t *end)
{
    return part_choose(&((const struct part *)html)->options->part, "html", file, begin, end);
}

static enum exit_code run(const void *given)
{
    const struct html_options *html = given;
    const struct options *options = &html->common;
    const struct part part = {{choose}, html};
    struct output output;
    struct stream stream;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = html_convert(&output.out, &stream, part_is_given(&html->part) ? &part.html : NULL);
    return output_end(&output, exit_worse(code, stream_close(&stream)), code != EXIT_USAGE);
}

static const struct html_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_html[] = {
    OPTIONS_OF_PART(struct html_options, part, "show"),
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
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
