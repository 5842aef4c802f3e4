/* The command that makes a page of a trace, or of a part. */
#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/edit/times.h"
#include "src/tools/fxt/html/html.h"

struct html_options {
    struct options common; /* the first member */
    const char *from;      /* or NULL, as `to` */
    const char *to;
};

struct part {
    struct html_part html; /* the first member */
    const struct html_options *options;
};

static uint64_t time_of(const char *text, uint64_t begin, uint64_t end, uint64_t otherwise)
{
    struct times_point point;
    return text != NULL && times_parse(&point, text) ? times_resolve(point, begin, end) : otherwise;
}

static enum exit_code choose(const struct html_part *html, const char *file, uint64_t *begin,
                             uint64_t *end)
{
    const struct html_options *options = ((const struct part *)html)->options;
    uint64_t from = time_of(options->from, *begin, *end, 0);
    uint64_t to = time_of(options->to, *begin, *end, UINT64_MAX);
    bool is_outside = from >= *end || to <= *begin;
    char length[TIMES_TEXT], first[TIMES_TEXT], last[TIMES_TEXT];
    times_print(length, *end - *begin);
    times_print(first, *begin);
    times_print(last, *end);
    if (from > to)
        message("html: --from=%s is later than --to=%s; the trace lasts %s", options->from,
                options->to, length);
    else if (is_outside)
        message(
            "%s: the part lies outside of the trace, which lasts %s, by its clock from @%s to @%s",
            file, length, first, last);
    *begin = from;
    *end = to;
    return from > to ? EXIT_USAGE : is_outside ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code run(const void *given)
{
    const struct html_options *html = given;
    const struct options *options = &html->common;
    const struct part part = {{choose}, html};
    bool is_part = html->from != NULL || html->to != NULL;
    struct output output;
    struct stream stream;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = html_convert(&output.out, &stream, is_part ? &part.html : NULL);
    return output_end(&output, exit_worse(code, stream_close(&stream)), code != EXIT_USAGE);
}

static bool set_time(void *member, const struct option_spec *spec, const char *value)
{
    struct times_point point;
    (void)spec;
    *(const char **)member = value;
    return times_parse(&point, value);
}

static const struct html_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_html[] = {
    {"from", 'f', "TIME", "show what is from TIME on: 20ms (after the start), -20ms, 25%, @1s",
     set_time, offsetof(struct html_options, from)},
    {"to", 't', "TIME", "show what is before TIME", set_time, offsetof(struct html_options, to)},
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
