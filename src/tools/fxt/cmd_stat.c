/* fxt stat: reads a trace, passes its records to stat.c, and prints the counts. */
#include <sys/mman.h>

#include "src/tools/fxt/commands.h"
#include "src/cli/memory.h"
#include "src/cli/output.h"
#include "src/tools/fxt/stat.h"
#include "src/cli/stream.h"

struct stat_options {
    struct options common; /* the first member */
    bool json;
};

static void count(struct stats *stat, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while ((status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            stat_record(stat, &record);
        else
            stat_error(stat, &error);
    }
    stat->bytes = stream->reader.base + stream->reader.position;
    stat_end(stat);
}

/* Sets *is_read if the file is a trace. */
static enum exit_code stat_file(const struct stat_options *options, struct output *output,
                                const char *path, bool *is_read)
{
    struct stream stream;
    enum exit_code code = stream_open(&stream, path, &options->common);
    if (code != EXIT_CLEAN)
        return code;
    struct stats *stat = memory_zeroed(sizeof *stat);
    if (stat == NULL) {
        stream_close(&stream);
        return EXIT_IO;
    }
    *is_read = true;
    stat_init(stat, stream.input.raw.name);
    count(stat, &stream);
    if (options->json)
        stat_print_json(&output->out, stat);
    else
        stat_print_text(&output->out, stat, output->styled);
    if (stat->providers_full)
        message(
            "%s: more than %u providers: the others are in the sums of records only, and not in "
            "the times",
            stat->file, STAT_PROVIDERS - 1);
    bool clean = !stat->providers_full && stat->malformed == 0 && stat->zero_words == 0 &&
                 stat->passed_over == 0 && stat->stopped_by == FXT_RULE_NONE;
    map_clear(&stat->threads);
    munmap(stat, sizeof *stat);
    return exit_worse(stream_close(&stream), clean ? EXIT_CLEAN : EXIT_FINDINGS);
}

static enum exit_code run(const void *given)
{
    const struct stat_options *options = given;
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    bool is_read = false;
    if (!output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    if (!options->json)
        output_tables(&output, options->common.colour);
    for (int i = 0; i < options->common.operands.count && !output.out.failed; i++)
        code =
            exit_worse(code, stat_file(options, &output, options->common.operands.it[i], &is_read));
    return output_end(&output, code, is_read);
}

static const struct stat_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_stat[] = {
    {"json", 'j', NULL, "one JSON object a file, on one line", option_bool,
     offsetof(struct stat_options, json)},
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_END,
};

const struct command command_stat = {
    .name = "stat",
    .group = "look at a trace",
    .title = "Counts records, events, arguments, strings and threads, and prints the time span.",
    .usage = "[FILE]...",
    .options = options_of_stat,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
