/* Turns an archive into the requested result. FXT goes directly to its destination. An archive
   that is to be converted or rewritten is first collected in an unnamed file. Only files
   of FXT and of its compressed form are checked: other outputs cannot be read again. */
#include "src/tools/trace/result.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/browser.h"
#include "src/cli/check.h"
#include "src/cli/json.h"
#include "src/cli/rewrite.h"
#include "src/tools/fxt/html/html.h"
#include "src/tools/fxt/html/view.h"
#include "src/cli/output.h"
#include "src/tools/fxt/report/print.h"

#define OUT_BYTES 65536
#define REPORTS_MAX 20
#define KEPT_MAX 99 /* of records that could not be converted */

static const char *name_of(const struct result_options *options)
{
    if (options->output != NULL)
        return options->output;
    bool compressed = options->compress == CHOICE_YES;
    switch (options->format) {
    case FORMAT_JSON:
        return compressed ? "trace.json.zst" : "trace.json";
    case FORMAT_HTML:
        return compressed ? "trace.html.zst" : "trace.html";
    default:
        return compressed ? "trace.fxt.zst" : "trace.fxt";
    }
}

bool result_open(struct result *result, const struct result_options *options)
{
    const char *name = name_of(options);
    *result = (struct result){.options = options, .archive = &result->sink};
    bool as_it_is =
        result_options_format(options) == FORMAT_FXT && options->large == FXT_FORMAT_LARGE_KEEP;
    if (!sink_open(&result->sink, name, result_options_compressed(options)))
        return false;
    result->is_file = result->sink.path != NULL;
    if (as_it_is)
        return true;
    result->archive = &result->raw;
    if (sink_open_unnamed(&result->raw, result->sink.name))
        return true;
    sink_discard(&result->sink);
    return false;
}

void result_discard(struct result *result)
{
    sink_discard(&result->sink);
    if (result->archive == &result->raw)
        sink_discard(&result->raw);
}

/* Opens the archive for reading. Messages use the name of the result, also for an unnamed file. */
static bool reread(struct stream *stream, const struct sink *archive)
{
    static const struct options options = {.max_record = MAX_RECORD_DEFAULT, .allow_empty = true};
    if (stream_open(stream, archive->path, &options) != EXIT_CLEAN)
        return false;
    stream->input.raw.name = archive->name;
    return true;
}

static uint64_t whole_bytes(struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    for (;;) {
        enum fxt_status status = stream_next(stream, &record, &error);
        if (status == FXT_END)
            return UINT64_MAX;
        if (status == FXT_TRUNCATED)
            return error.offset;
        if (stream_is_fatal(status))
            return UINT64_MAX;
    }
}

static void cut(struct sink *archive)
{
    struct stream stream;
    if (archive->path == NULL || archive->encoder != NULL || !reread(&stream, archive))
        return;
    uint64_t whole = whole_bytes(&stream);
    stream_close(&stream);
    sink_cut(archive, whole);
}

static bool to_stderr(void *context, const char *bytes, size_t size)
{
    (void)context;
    fwrite(bytes, 1, size, stderr);
    return true;
}

/* Prints a line for each broken rule, and describes the result in `text`. */
static enum exit_code judge(struct check *check, bool is_empty, char *text, size_t size)
{
    bool is_clean = check_is_clean(check);
    snprintf(text, size, ", %llu record%s, %s", (unsigned long long)check->records,
             check->records == 1 ? "" : "s",
             !is_clean  ? "with findings"
             : is_empty ? "no events"
                        : "all conform");
    if (is_clean)
        return EXIT_CLEAN;
    check_summary_text(check);
    fxt_out_flush(check->out);
    return EXIT_FINDINGS;
}

static enum exit_code verify(const struct sink *archive, bool is_empty, char *text, size_t size)
{
    static char bytes[OUT_BYTES];
    static const struct check_options what = {
        .edition = FXT_EDITION_CURRENT, .severity = FXT_NONCONFORMING, .quiet = true};
    struct fxt_out out = {.bytes = bytes, .capacity = sizeof bytes, .flush = to_stderr};
    struct stream stream;
    if (!reread(&stream, archive))
        return EXIT_IO;
    struct check check = {.options = &what, .out = &out, .file = archive->name};
    enum exit_code code = check_records(&check, &stream) ? EXIT_CLEAN : EXIT_IO;
    code = exit_worse(code, stream_close(&stream));
    return code == EXIT_CLEAN ? judge(&check, is_empty, text, size) : code;
}

/* Prints where time went on stdout. */
static enum exit_code print_report(const struct sink *archive, enum terminal_colour colour)
{
    static const struct report_options options;
    struct output output;
    struct stream stream;
    if (!reread(&stream, archive))
        return EXIT_IO;
    struct report *report = report_new(archive->name, &options);
    bool good = report != NULL && report_read(report, &stream) && output_open(&output, NULL, NULL);
    enum exit_code code = exit_worse(stream_close(&stream), good ? EXIT_CLEAN : EXIT_IO);
    if (good) {
        output_tables(&output, colour);
        const struct look look = {output.styled, output.fit.columns};
        good = print_text(&output.out, report, &options, look);
        code = exit_worse(code, output_commit(&output));
    }
    report_free(report);
    return good ? code : EXIT_IO;
}

/* Makes the page of --view; false after a message. */
static bool make_view(struct view *view, const struct sink *archive, enum exit_code *code)
{
    struct stream stream;
    if (!reread(&stream, archive))
        return false;
    if (!view_begin(view)) {
        stream_close(&stream);
        return false;
    }
    enum exit_code result = html_convert(&view->output.out, &stream, 1, NULL);
    result = view_end(view, exit_worse(result, stream_close(&stream)), true);
    *code = exit_worse(*code, result);
    return result != EXIT_IO;
}

static enum exit_code convert_stream(struct fxt_out *out, struct stream *stream,
                                     const struct result_options *options)
{
    const struct json_options json = {.common.max_findings = REPORTS_MAX, .quiet = options->quiet};
    switch (result_options_format(options)) {
    case FORMAT_JSON:
        return json_convert(out, stream, &json);
    case FORMAT_HTML:
        return html_convert(out, stream, 1, NULL);
    default:
        return rewrite(out, stream, options->large, REPORTS_MAX);
    }
}

static enum exit_code convert(struct result *result)
{
    static char bytes[OUT_BYTES];
    struct fxt_out out = {
        .bytes = bytes, .capacity = sizeof bytes, .flush = sink_write, .context = &result->sink};
    struct stream stream;
    if (!reread(&stream, &result->raw))
        return EXIT_IO;
    enum exit_code code = convert_stream(&out, &stream, result->options);
    fxt_out_flush(&out);
    sink_finish(&result->sink);
    return exit_worse(code, stream_close(&stream));
}

/* Gives the records a name like this which no file has. An errno value. */
static int name_raw_like(const struct result *result, const char *name, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s.fxt", name);
    int error = length < PATH_MAX ? sink_name(&result->raw, path) : ENAMETOOLONG;
    for (int i = 2; error == EEXIST && i <= KEPT_MAX; i++) {
        length = snprintf(path, PATH_MAX, "%s.%d.fxt", name, i);
        error = length < PATH_MAX ? sink_name(&result->raw, path) : ENAMETOOLONG;
    }
    return error;
}

/* Beside the output. If the records are not on its file system, there may be no room. */
static int name_raw(const struct result *result, char path[PATH_MAX])
{
    char other[PATH_MAX];
    const char *slash = strrchr(result->sink.name, '/');
    int error = name_raw_like(result, result->sink.name, path);
    if (error != ENOSPC && error != EDQUOT)
        return error;
    snprintf(other, sizeof other, "/tmp/%s", slash != NULL ? slash + 1 : result->sink.name);
    return name_raw_like(result, other, path);
}

/* What could not be written in another form is not lost. */
static void end_raw(struct result *result, bool is_written)
{
    char path[PATH_MAX];
    const struct sink *sink = &result->sink;
    bool is_converted = is_written && (sink->error == 0 || sink->unplaced);
    bool lost = !is_converted && result->is_file && result->raw.written > 0;
    const char *what = result->raw.error == 0 ? "recorded" : "written before the error";
    int error = lost ? name_raw(result, path) : 0;
    if (error != 0)
        message("%s: what was %s is lost: %s", path, what, strerror(error));
    else if (lost)
        message("%s: what was %s is here; `fxt json` and `fxt html` convert it", path, what);
    sink_close(&result->raw, true);
}

static void tell(const struct result *result, const char *judgement, bool is_written)
{
    char bytes[READABLE_SIZE];
    const struct sink *sink = &result->sink;
    readable_bytes(bytes, sink->written);
    bool is_cut = sink->error != 0 && !sink->unplaced;
    bool is_there = is_written && (!is_cut || (sink->path != NULL && sink->written > 0));
    if (!result->options->quiet && is_there)
        message_at("%s: %s%s", sink_shown(sink), bytes, is_cut ? ", incomplete" : judgement);
}

/* Of a file that was there before, and still is. */
static void report_left(const struct sink *sink)
{
    if (sink->path == NULL)
        message("%s: left as it was", sink->name);
    else if (sink->path != sink->name)
        message("%s: left as it was; what was recorded is in %s", sink->name, sink->path);
}

static enum exit_code report_shared(struct sink *sink)
{
    if (!sink_is_shared(sink))
        return EXIT_CLEAN;
    message("%s: another program wrote this file, too, and one has overwritten the other; "
            "record into another file with --output-file",
            sink->name);
    return EXIT_FINDINGS;
}

static enum exit_code report_gone(const struct sink *sink)
{
    if (!sink_is_gone(sink))
        return EXIT_CLEAN;
    message("%s: the file was removed or replaced while it was written", sink_shown(sink));
    return EXIT_IO;
}

/* Closes the result. A half conversion is of no use beside a file that stays: the recording is kept. */
static void end_sink(struct result *result, bool is_written, bool is_whole)
{
    struct sink *sink = &result->sink;
    bool is_half = result->archive == &result->raw && sink->error != 0 && sink_has_contents(sink);
    if (is_half || (!is_written && sink->error == 0))
        sink_discard(sink);
    else
        sink_close(sink, is_whole);
}

enum exit_code result_finish(struct result *result, bool is_empty, bool broken)
{
    struct sink *archive = result->archive;
    bool had_contents = sink_has_contents(&result->sink);
    enum exit_code written = report_gone(&result->sink);
    enum exit_code code = exit_worse(written, report_shared(&result->sink));
    enum exit_code verdict = EXIT_CLEAN;
    char judgement[80] = "";
    bool is_lost = written == EXIT_IO && archive == &result->sink;
    bool failed = archive->error != 0 || is_lost;
    struct view view;

    sink_report(archive);
    if ((broken || failed) && !is_lost)
        cut(archive);
    bool verified = !result->options->unverified && !failed;
    bool rewritten =
        archive == &result->raw && result_options_format(result->options) == FORMAT_FXT;
    if (verified && !rewritten && archive->path != NULL)
        verdict = verify(archive, is_empty, judgement, sizeof judgement);
    if (result->options->report && archive->path != NULL && !failed)
        code = exit_worse(code, print_report(archive, result->options->colour));
    bool wants_view = result->options->view && archive->path != NULL && !failed && !is_empty;
    bool has_view = wants_view && make_view(&view, archive, &code);
    if (archive == &result->raw)
        written = exit_worse(written, convert(result));
    bool is_written = written != EXIT_IO;
    if (verified && rewritten && is_written && result->sink.path != NULL && result->sink.error == 0)
        verdict = verify(&result->sink, is_empty, judgement, sizeof judgement);
    end_sink(result, is_written, !broken && !failed && is_written && verdict != EXIT_IO);
    if (!failed) /* both have the same name, and mostly the same reason */
        sink_report(&result->sink);
    if (had_contents)
        report_left(&result->sink);
    if (archive == &result->raw)
        end_raw(result, is_written);
    tell(result, judgement, is_written);
    if (wants_view && !(has_view && browser_open(view.path)))
        code = EXIT_IO;
    code = exit_worse(exit_worse(code, verdict), written);
    return failed || result->sink.error != 0 ? EXIT_IO : code;
}
