/* The command that makes a trace of a file of another format. */
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/import/chrome.h"
#include "src/tools/fxt/import/document.h"
#include "src/tools/fxt/import/text.h"
#include "src/cli/output.h"

#define NAME_MAX_BYTES 100u

enum from { FROM_AUTO, FROM_CHROME, FROM_PERF, FROM_TRACE_CMD };

struct command_options {
    struct options common; /* the first member */
    enum from from;
};

/* The import of one file; large, and zero pages until used. */
static struct intake intake;

static enum exit_code import_document(struct document *document)
{
    const char *text;
    size_t size;
    enum document_step step;
    while (!intake.out->failed && (step = document_next(document, &text, &size)) != DOCUMENT_END) {
        if (step == DOCUMENT_EVENT)
            chrome_event(&intake, text, size);
        else if (step == DOCUMENT_MEMBER)
            chrome_member(&intake, text, size);
        else
            intake_leave(&intake, INTAKE_LARGE);
    }
    if (document->wrong == NULL || document->input->raw.failed)
        return EXIT_CLEAN;
    message_at("%s:%llu: %s", document->input->raw.name,
               (unsigned long long)(document->offset + document->begin), document->wrong);
    return EXIT_FINDINGS;
}

/* perf script and trace-cmd report: each line says which of them it is. */
static enum exit_code import_lines(struct document *document)
{
    static struct text_reader reader;
    const char *text;
    size_t size;
    enum document_step step;
    text_begin(&reader, &intake);
    while (!intake.out->failed && (step = document_line(document, &text, &size)) != DOCUMENT_END) {
        if (step == DOCUMENT_EVENT)
            text_line(&reader, text, size);
        else
            intake_leave(&intake, INTAKE_LARGE);
    }
    text_end(&reader);
    return EXIT_CLEAN;
}

static enum exit_code import_input(struct input *input, struct fxt_out *out,
                                   const struct command_options *options)
{
    struct document document;
    const char *file = input->raw.name;
    if (!document_open(&document, input, options->common.max_record))
        return EXIT_IO;
    intake_begin(&intake, out, input_title(file, NAME_MAX_BYTES, "imported"));
    bool is_json =
        options->from == FROM_CHROME || (options->from == FROM_AUTO && document_is_json(&document));
    enum exit_code code = (is_json ? import_document : import_lines)(&document);
    document_close(&document);
    if (!is_json && intake.events == 0 && !input->raw.failed) {
        message_at("%s: no event of Chrome JSON, perf script or trace-cmd report", file);
        return EXIT_FINDINGS;
    }
    code = exit_worse(code, intake_end(&intake, file));
    return input->raw.failed ? EXIT_IO : code;
}

static enum exit_code run(const void *given)
{
    const struct command_options *options = given;
    struct output output;
    struct input input;
    if (!output_open_trace(&output, options->common.output))
        return EXIT_IO;
    if (!input_open(&input, options->common.operands.it[0], options->common.raw)) {
        output_discard(&output);
        return EXIT_IO;
    }
    enum exit_code code = import_input(&input, &output.out, options);
    input_close(&input);
    return output_end(&output, code, intake.events > 0 || code == EXIT_CLEAN);
}

static const struct command_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_import[] = {
    {"from", 0, "auto|chrome|perf|trace-cmd", "what FILE holds (auto: by its content)",
     option_choice, offsetof(struct command_options, from)},
    OPTION_OUTPUT,
    {"max-record", 0, "BYTES", "skip larger events (K, M, G; default 64M)", option_max_record,
     offsetof(struct options, max_record)},
    OPTION_RAW,
    OPTION_END,
};

const struct command command_import = {
    .name = "import",
    .title = "Makes a trace of Chrome JSON, or of the text of perf or trace-cmd.",
    .usage = "[FILE]",
    .options = options_of_import,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
