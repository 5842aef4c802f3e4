/* The commands that make a page of a trace, or of a part: fxt html writes it, fxt view shows it. */
#include <stdio.h>

#include "src/cli/browser.h"
#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/html/html.h"
#include "src/tools/fxt/html/view.h"
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

/* Sets *is_read if the file is a trace, and there is such a part. */
static enum exit_code put(struct fxt_out *out, const struct html_options *html, bool *is_read)
{
    const struct part part = {{choose}, html};
    struct stream stream;
    enum exit_code code = stream_open(&stream, html->common.operands.it[0], &html->common);
    *is_read = false;
    if (code != EXIT_CLEAN)
        return code;
    code = html_convert(out, &stream, part_is_given(&html->part) ? &part.html : NULL);
    *is_read = code != EXIT_USAGE;
    return exit_worse(code, stream_close(&stream));
}

static enum exit_code run_html(const void *given)
{
    const struct html_options *html = given;
    struct output output;
    bool is_read;
    if (!output_open_page(&output, html->common.output, &html->common.operands))
        return EXIT_IO;
    enum exit_code code = put(&output.out, html, &is_read);
    return output_end(&output, code, is_read);
}

static enum exit_code run_view(const void *given)
{
    struct view view;
    bool is_read;
    if (!view_begin(&view))
        return EXIT_IO;
    enum exit_code code = put(&view.output.out, given, &is_read);
    code = view_end(&view, code, is_read);
    if (!is_read || code == EXIT_IO)
        return code;
    puts(view.path);
    fflush(stdout); /* before the browser takes its time */
    return browser_open(view.path) ? code : EXIT_IO;
}

static const struct html_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_html[] = {
    OPTIONS_OF_PART(struct html_options, part, "show"),
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_END,
};

static const struct option_spec options_of_view[] = {
    OPTIONS_OF_PART(struct html_options, part, "show"),
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
    .run = run_html,
};

const struct command command_view = {
    .name = "view",
    .title = "Shows a trace in the browser: the page of html, in a temporary place.",
    .usage = "[FILE]",
    .options = options_of_view,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run_view,
};
