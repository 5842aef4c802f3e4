/* fxt dump: prints every record in order, as text, as canonical JSON Lines, or as assembler
   source. Errors of the reader are printed where they occur. The state of one file is struct
   dump.

   Assembler source must lose nothing. So everything that cannot be a record is printed as raw
   words: zero words, records too large for memory, and all bytes after a fatal error. The last two
   come in pieces of any size and are printed in blocks, so that the text is always the same. */
#include <string.h>

#include "src/convert/convert.h"
#include "src/tools/fxt/commands.h"
#include "src/convert/kinds.h"
#include "src/cli/memory.h"
#include "src/cli/finding.h"
#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/when.h"

/* The record is in hexadecimal on one line, and fxt asm reads lines of less than LINE_BYTES_MAX. */
#define ASSEMBLER_RECORD_MAX (UINT64_C(256) << 20)

#define BLOCK_BYTES 4096u /* a multiple of 8 */

struct dump_options {
    struct options common; /* the first member */
    enum when_from time;
    bool json;
    bool events;
    bool assembler;
};

struct dump {
    struct fxt_out *out;
    struct stream stream;
    struct fxt_tables tables;
    void (*print_record)(struct fxt_out *out, const struct fxt_tables *tables,
                         const struct fxt_record *record);
    void (*print_error)(struct fxt_out *out, const struct fxt_error *error);
    struct when when;
    uint8_t block[BLOCK_BYTES]; /* of a skipped record, or of the rest of the trace */
    size_t held;
    bool begun; /* its first block has been printed */
    bool assembler;
    bool malformed;
    bool told; /* full tables have been reported */
};

static void print_block(struct dump *dump)
{
    if (dump->begun)
        fxt_convert_disasm_more(dump->out, dump->block, dump->held);
    else
        fxt_convert_disasm_rest(dump->out, dump->block, dump->held);
    dump->begun = true;
    dump->held = 0;
}

static void end_blocks(struct dump *dump)
{
    if (dump->held > 0)
        print_block(dump);
    dump->begun = false;
}

/* Receives the raw bytes of a skipped record, in pieces of any size; `left` bytes of it follow. */
static void print_passed(void *context, const uint8_t *bytes, size_t size, uint64_t left)
{
    struct dump *dump = context;
    while (size > 0) {
        size_t part = sizeof dump->block - dump->held;
        if (part > size)
            part = size;
        memcpy(dump->block + dump->held, bytes, part);
        dump->held += part;
        bytes += part;
        size -= part;
        if (dump->held == sizeof dump->block)
            print_block(dump);
    }
    if (left == 0)
        end_blocks(dump);
}

static void print_rest(struct dump *dump)
{
    const uint8_t *bytes;
    size_t size;
    while (!dump->out->failed && stream_rest(&dump->stream, &bytes, &size))
        print_passed(dump, bytes, size, 1);
    end_blocks(dump);
}

static void print_assembler(struct fxt_out *out, const struct fxt_tables *tables,
                            const struct fxt_record *record)
{
    (void)tables;
    fxt_convert_disasm_record(out, record);
}

static void print_assembler_error(struct fxt_out *out, const struct fxt_error *error)
{
    if (error->status != FXT_FULL) /* its bytes are already printed */
        fxt_convert_disasm_error(out, error);
}

static void print_no_error(struct fxt_out *out, const struct fxt_error *error)
{
    (void)out;
    (void)error;
}

static void dump_record(struct dump *dump, const struct fxt_record *record)
{
    struct fxt_error error;
    if (!dump->assembler)
        memory_report_full(dump->stream.input.raw.name, &dump->told,
                           fxt_tables_apply(&dump->tables, record, &error));
    when_print(dump->out, &dump->when, &dump->tables, record);
    dump->print_record(dump->out, &dump->tables, record);
    dump->malformed = dump->malformed || fxt_kind_malformed(record, &error);
}

static void dump_records(struct dump *dump)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!dump->out->failed &&
           (status = stream_next(&dump->stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK) {
            dump_record(dump, &record);
            continue;
        }
        dump->malformed = true;
        when_skip(dump->out, &dump->when);
        dump->print_error(dump->out, &error);
        if (dump->assembler && stream_is_fatal(status))
            print_rest(dump);
    }
}

static void choose(struct dump *dump, const struct dump_options *options)
{
    dump->print_record = fxt_convert_text_record;
    dump->print_error = fxt_convert_text_error;
    if (options->assembler) {
        dump->assembler = true;
        dump->print_record = print_assembler;
        dump->print_error = print_assembler_error;
        dump->stream.passed = print_passed;
        dump->stream.passed_context = dump;
        if (dump->stream.limit > ASSEMBLER_RECORD_MAX)
            dump->stream.limit = ASSEMBLER_RECORD_MAX;
    } else if (options->json) {
        dump->print_record = fxt_convert_jsonl_record;
        dump->print_error = fxt_convert_jsonl_error;
    } else if (options->events) {
        dump->print_record = fxt_convert_events_record;
        dump->print_error = print_no_error;
    }
}

static bool is_text(const struct dump_options *options)
{
    return !options->json && !options->assembler && !options->events;
}

static enum exit_code dump_file(const struct dump_options *options, struct output *output,
                                const char *path, bool *is_read)
{
    struct dump dump = {.out = &output->out, .when.from = options->time};
    struct fxt_check_memory memory;
    enum exit_code code = stream_open_any(&dump.stream, path, &options->common);
    if (code != EXIT_CLEAN)
        return code;
    if (!memory_get(&memory)) {
        stream_close(&dump.stream);
        return EXIT_IO;
    }
    *is_read = true;
    memory.tables.object_max = 0; /* no form of dump resolves objects */
    fxt_tables_init(&dump.tables, &memory.tables);
    choose(&dump, options);
    if (options->common.operands.count > 1 && is_text(options)) {
        fxt_out_text(dump.out, "==> ");
        shown_string(dump.out, dump.stream.input.raw.name);
        fxt_out_text(dump.out, " <==\n");
    }
    dump_records(&dump);
    bool clean = !dump.malformed && !dump.told;
    if (dump.malformed && options->events) /* the other forms print what is malformed */
        message_at("%s: left out: places that cannot be decoded; 'fxt check' lists them",
                   dump.stream.input.raw.name);
    return exit_worse(stream_close(&dump.stream), clean ? EXIT_CLEAN : EXIT_FINDINGS);
}

static enum exit_code run(const void *given)
{
    const struct dump_options *options = given;
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    bool is_read = false;
    if (options->json + options->assembler + options->events > 1) {
        message("dump: --json, --events and --asm exclude each other");
        return EXIT_USAGE;
    }
    if (options->time != WHEN_NOT && !is_text(options)) {
        message("dump: --time is for text: --events and --json have times of their own");
        return EXIT_USAGE;
    }
    if (!output_open(&output, options->common.output,
                     options->assembler ? NULL : &options->common.operands))
        return EXIT_IO;
    for (int i = 0; i < options->common.operands.count && !output.out.failed; i++)
        code =
            exit_worse(code, dump_file(options, &output, options->common.operands.it[i], &is_read));
    return output_end(&output, code, is_read);
}

static const struct dump_options defaults = {.common = OPTIONS_INIT, .time = WHEN_NOT};

static const struct option_spec options_of_dump[] = {
    {"json", 'j', NULL, "canonical JSON Lines, one object a record", option_bool,
     offsetof(struct dump_options, json)},
    {"events", 0, NULL, "events with references and times resolved, as JSON Lines", option_bool,
     offsetof(struct dump_options, events)},
    {"asm", 'a', NULL, "assembler source, from which fxt asm makes the same bytes", option_bool,
     offsetof(struct dump_options, assembler)},
    {"time", 0, "start|clock", "seconds, since the first record (start) or as recorded (clock)",
     option_choice, offsetof(struct dump_options, time)},
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('e', "events"),
    OPTION_OLD('t', "time"),
    OPTION_END,
};

const struct command command_dump = {
    .name = "dump",
    .title = "Prints traces record by record, as text by default.",
    .usage = "[FILE]...",
    .options = options_of_dump,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
