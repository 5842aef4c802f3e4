/* fxt salvage: makes a trace from the image of a provider's raw buffer, or from those in a core
   dump. Records that break the
   format are left out, so the trace is well-formed whatever the buffer holds. A reference to a
   missing record stays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>
#include <fxt/write.h>

#include "src/convert/salvage.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/core.h"
#include "src/cli/finding.h"
#include "src/cli/memory.h"
#include "src/cli/output.h"
#include "src/cli/stream.h"

#define NAME_MAX_BYTES 100u

struct rescue {
    struct fxt_salvage salvage;
    struct fxt_out *out;
    const char *file;
    uint32_t provider; /* of this buffer: 1, 2 … */
    uint64_t kept;     /* records */
    uint64_t kept_bytes;
    uint64_t refused; /* records that break the format */
    uint64_t refused_bytes;
};

static void put(struct rescue *rescue, const uint8_t *bytes, uint64_t size)
{
    fxt_out_bytes(rescue->out, (const char *)bytes, (size_t)size);
}

static void put_head(struct rescue *rescue)
{
    uint8_t bytes[2 * FXT_WORD_BYTES + NAME_MAX_BYTES + FXT_WORD_BYTES];
    struct fxt_writer writer;
    const struct fxt_provider_info info = {
        .provider_id = rescue->provider,
        .name = input_title(rescue->file, NAME_MAX_BYTES, "salvaged")};
    fxt_writer_init(&writer, bytes, sizeof bytes);
    if (rescue->provider == 1)
        fxt_write_magic(&writer);
    fxt_write_provider_info(&writer, &info);
    put(rescue, bytes, writer.size);
}

/* The trace also lacks the records that the provider dropped. */
static void put_drops(struct rescue *rescue)
{
    uint8_t bytes[FXT_WORD_BYTES];
    if (rescue->salvage.header.records_dropped == 0)
        return;
    fxt_salvage_drops(bytes, rescue->provider);
    put(rescue, bytes, sizeof bytes);
}

static bool is_good(struct fxt_checker *checker, const struct fxt_record *record)
{
    uint32_t count = fxt_check_record(checker, record);
    if (count > FXT_FINDINGS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (fxt_rule_class(checker->findings[i].rule) >= FXT_NONCONFORMING)
            return false;
    return true;
}

static void put_records(struct rescue *rescue, struct fxt_checker *checker)
{
    struct fxt_record record;
    while (!rescue->out->failed && fxt_salvage_next(&rescue->salvage, &record)) {
        uint64_t bytes = FXT_WORD_BYTES * (uint64_t)record.words;
        if (is_good(checker, &record)) {
            put(rescue, record.bytes, bytes);
            rescue->kept++;
            rescue->kept_bytes += bytes;
        } else {
            rescue->refused++;
            rescue->refused_bytes += bytes;
        }
    }
}

static void conclude(const struct rescue *rescue)
{
    const struct fxt_salvage *salvage = &rescue->salvage;
    char more[200] = "";
    int at = 0;
    if (rescue->refused > 0)
        at += snprintf(more, sizeof more, "; %llu that break the format left out (%llu bytes)",
                       (unsigned long long)rescue->refused,
                       (unsigned long long)rescue->refused_bytes);
    if (salvage->metadata_count > 0)
        at += snprintf(more + at, sizeof more - (size_t)at, "; %llu metadata records left out",
                       (unsigned long long)salvage->metadata_count);
    if (salvage->header.records_dropped > 0)
        snprintf(more + at, sizeof more - (size_t)at, "; %llu were dropped while tracing",
                 (unsigned long long)salvage->header.records_dropped);
    if (salvage->header.definitions_inlined > 0)
        message_at("%s: %llu definitions found no room: they are inline, or, of names, left out",
                   rescue->file, (unsigned long long)salvage->header.definitions_inlined);
    message_at("%s: %llu records salvaged, %llu bytes%s", rescue->file,
               (unsigned long long)rescue->kept, (unsigned long long)rescue->kept_bytes, more);
}

/* False after a message: there are no records to take. */
static bool salvage_image(struct rescue *rescue, const uint8_t *bytes, size_t size)
{
    static struct fxt_checker checker;
    struct fxt_check_memory memory;
    struct fxt_error error;
    if (!memory_get(&memory))
        return false;
    if (fxt_salvage_init(&rescue->salvage, bytes, size, &error) != FXT_OK) {
        finding_message(rescue->file, "buffer", &error);
        return false;
    }
    fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
    put_head(rescue);
    put_records(rescue, &checker);
    put_drops(rescue);
    conclude(rescue);
    return true;
}

/* A file of FXT_TRACE_FILE is read as a trace by all commands; its records are well-formed. */
static enum exit_code copy_recording(struct rescue *rescue, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!rescue->out->failed && (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status != FXT_OK) {
            finding_message(rescue->file, NULL, &error);
            return EXIT_FINDINGS;
        }
        put(rescue, record.bytes, FXT_WORD_BYTES * (uint64_t)record.words);
        rescue->kept++;
        rescue->kept_bytes += FXT_WORD_BYTES * (uint64_t)record.words;
    }
    conclude(rescue);
    return EXIT_CLEAN;
}

static enum exit_code salvage_stream(struct stream *stream, struct fxt_out *out, bool *salvaged)
{
    const uint8_t *bytes;
    size_t size;
    struct rescue rescue = {.out = out, .file = stream->input.raw.name, .provider = 1};
    if (stream->is_recording) {
        *salvaged = true;
        return copy_recording(&rescue, stream);
    }
    if (!stream->is_buffer) {
        message("%s: not the raw buffer of a trace provider: it does not begin with the magic "
                "number of one",
                rescue.file);
        return EXIT_FINDINGS;
    }
    if (!stream_whole(stream, &bytes, &size))
        return EXIT_IO;
    *salvaged = salvage_image(&rescue, bytes, size);
    return *salvaged && rescue.refused == 0 ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* A core dump: each buffer in it is a provider of its own. */
static enum exit_code salvage_core(struct core *core, struct fxt_out *out, bool *salvaged)
{
    enum exit_code code = EXIT_CLEAN;
    struct core_buffer buffer;
    struct rescue rescue = {.out = out, .file = core->name, .provider = 1};
    while (core_next(core, &buffer)) {
        rescue.kept = rescue.kept_bytes = 0;
        rescue.refused = rescue.refused_bytes = 0;
        if (salvage_image(&rescue, buffer.bytes, buffer.size)) {
            rescue.provider++;
            code = exit_worse(code, rescue.refused == 0 ? EXIT_CLEAN : EXIT_FINDINGS);
        } else {
            code = EXIT_FINDINGS;
        }
        free(buffer.bytes);
    }
    *salvaged = rescue.provider > 1;
    if (core->misses)
        code = EXIT_FINDINGS;
    if (!*salvaged && code == EXIT_CLEAN && !core->failed) {
        message("%s: no trace buffer in this core dump: the program was not traced, or its "
                "/proc/PID/coredump_filter left shared memory out",
                core->name);
        code = EXIT_FINDINGS;
    }
    return core->failed ? EXIT_IO : code;
}

static enum exit_code salvage_file(const struct options *options, struct fxt_out *out,
                                   bool *salvaged)
{
    struct stream stream;
    struct core core;
    const char *path = options->operands.it[0];
    enum exit_code code;
    if (!options->raw && core_open(&core, path)) {
        code = salvage_core(&core, out, salvaged);
        core_close(&core);
        return code;
    }
    struct options any = *options;
    any.allow_empty = true; /* an empty file is told like any other that is no buffer */
    code = stream_open_either(&stream, path, &any);
    if (code != EXIT_CLEAN)
        return code;
    code = salvage_stream(&stream, out, salvaged);
    return exit_worse(code, stream_close(&stream));
}

static enum exit_code run(const void *given)
{
    const struct options *options = given;
    struct output output;
    bool salvaged = false;
    if (!output_open_trace(&output, options->output))
        return EXIT_IO;
    enum exit_code code = salvage_file(options, &output.out, &salvaged);
    return output_end(&output, code, salvaged);
}

static const struct option_spec options_of_salvage[] = {
    OPTION_OUTPUT,
    OPTION_RAW,
    OPTION_END,
};

const struct command command_salvage = {
    .name = "salvage",
    .title = "Makes a trace from a provider's raw buffer, or from a core dump.",
    .usage = "[FILE]",
    .options = options_of_salvage,
    .operands = OPERANDS_FILE,
    .defaults = &options_default,
    .size = sizeof options_default,
    .run = run,
};
