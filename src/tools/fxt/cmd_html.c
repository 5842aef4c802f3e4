/* The commands that make a page of a trace, of a part, or of two: fxt html writes it, fxt view
   shows it. */
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

static bool is_usable(const struct html_options *html, const char *command)
{
    int count = html->common.operands.count;
    if (count > HTML_TRACES)
        message("%s: takes one file, or two to compare, not %d", command, count);
    return count <= HTML_TRACES && !options_read_stdin_twice(&html->common, command);
}

/* Sets *is_read if each file is a trace, and has such a part. */
static enum exit_code put(struct fxt_out *out, const struct html_options *html, bool *is_read)
{
    const struct operand_list *files = &html->common.operands;
    const struct part part = {{choose}, html};
    struct stream streams[HTML_TRACES];
    enum exit_code code = EXIT_CLEAN;
    int count = 0;
    *is_read = false;
    while (count < files->count && code == EXIT_CLEAN) {
        code = stream_open(&streams[count], files->it[count], &html->common);
        count += code == EXIT_CLEAN;
    }
    if (code == EXIT_CLEAN) {
        code = html_convert(out, streams, count, part_is_given(&html->part) ? &part.html : NULL);
        *is_read = code != EXIT_USAGE;
    }
    while (count > 0)
        code = exit_worse(code, stream_close(&streams[--count]));
    return code;
}

static enum exit_code run_html(const void *given)
{
    const struct html_options *html = given;
    struct output output;
    bool is_read;
    if (!is_usable(html, "html"))
        return EXIT_USAGE;
    if (!output_open_page(&output, html->common.output, &html->common.operands))
        return EXIT_IO;
    enum exit_code code = put(&output.out, html, &is_read);
    return output_end(&output, code, is_read);
}

static enum exit_code run_view(const void *given)
{
    struct view view;
    bool is_read;
    if (!is_usable(given, "view"))
        return EXIT_USAGE;
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
    .title = "Makes one HTML page that shows a trace, or compares two.",
    .usage = "[FILE | OLD NEW]",
    .options = options_of_html,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run_html,
};

const struct command command_view = {
    .name = "view",
    .title = "Shows a trace in the browser: the page of html, in a temporary place.",
    .usage = "[FILE | OLD NEW]",
    .options = options_of_view,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run_view,
};
