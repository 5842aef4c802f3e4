/* The command that converts a file, or a part of its times, to Chrome JSON. */
#include "src/cli/json.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/cut.h"

struct command_options {
    struct json_options json; /* the first member */
    struct part_options part;
};

struct sink {
    struct edit_sink sink; /* the first member */
    const struct json_options *options;
    struct json_writer writer;
};

static struct sink *sink_of(struct edit_sink *sink)
{
    return (struct sink *)sink;
}

static bool begin(struct edit_sink *sink, struct fxt_out *out, const char *file)
{
    return json_begin(&sink_of(sink)->writer, out, file, sink_of(sink)->options, true);
}

static void take(struct edit_sink *sink, const struct fxt_record *record)
{
    json_take(&sink_of(sink)->writer, record);
}

static enum exit_code end(struct edit_sink *sink)
{
    return json_end(&sink_of(sink)->writer);
}

static enum exit_code run(const void *given)
{
    const struct command_options *options = given;
    struct sink sink = {{begin, take, end}, &options->json, {0}};
    if (!part_is_given(&options->part))
        return json_run(&options->json);
    return cut_clipped(&options->json.common, &options->part, "json", &sink.sink);
}

static const struct command_options defaults = {.json = {.common = OPTIONS_INIT}};

static const struct option_spec options_of_json[] = {
    OPTIONS_OF_PART(struct command_options, part, "convert"),
    OPTIONS_OF_JSON,
    OPTION_END,
};

const struct command command_json = {
    .name = "json",
    .group = "convert",
    .title = "Converts a trace to the JSON format of chrome://tracing and Perfetto.",
    .usage = "[FILE]",
    .options = options_of_json,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
