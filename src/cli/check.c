/* Runs the library's checker over a whole input. The state is struct check. It holds findings, to print
   them in the order of their offsets: what never ends is known at the end of a trace. The loop in
   check_trace is the hot path: only the library's two calls for a record without findings. */
#include "src/cli/check.h"

#include <string.h>

#include <fxt/write.h>

#include "src/convert/salvage.h"
#include "src/convert/kinds.h"
#include "src/cli/memory.h"

static bool wanted(const struct check_options *options, enum fxt_rule rule)
{
    if (options->rules_given && !options->rules[rule])
        return false;
    return rule == FXT_RULE_CAN_01 || fxt_rule_class(rule) >= options->severity;
}

/* Prints the first of the held findings. */
static void print_held(struct check *check, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        (check->options->json ? finding_json : finding_text)(check->out, &check->held[i]);
    check->held_count -= count;
    memmove(check->held, check->held + count, check->held_count * sizeof check->held[0]);
}

/* Findings of one offset keep their order. */
static void hold(struct check *check, const struct shown_finding *finding)
{
    if (check->held_count == HELD_MAX)
        print_held(check, HELD_MAX / 2);
    uint32_t at = check->held_count++;
    for (; at > 0 && check->held[at - 1].offset > finding->offset; at--)
        check->held[at] = check->held[at - 1];
    check->held[at] = *finding;
}

static void take(struct check *check, const struct shown_finding *finding)
{
    const struct check_options *options = check->options;
    if (!wanted(options, finding->rule))
        return;
    check->counts[finding->rule]++;
    if (options->quiet || options->summary)
        return;
    if (options->common.max_findings > 0 && check->shown == options->common.max_findings) {
        check->hidden++;
        return;
    }
    check->shown++;
    hold(check, finding);
}

static void take_all(struct check *check, uint32_t count, const char *record)
{
    if (count > FXT_FINDINGS_MAX) {
        /* A record that does not decode has fewer findings: none of these is malformed. */
        if (check->options->severity < FXT_MALFORMED_CLASS)
            check->dropped += count - FXT_FINDINGS_MAX;
        count = FXT_FINDINGS_MAX;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fxt_finding *finding = &check->checker.findings[i];
        struct shown_finding shown = {check->file,     record,        finding->offset,
                                      finding->number, finding->rule, FXT_RULE_NONE};
        take(check, &shown);
    }
}

static void take_canonical(struct check *check, const struct fxt_record *record)
{
    struct fxt_error error;
    if (fxt_check_canonical(record, &error) != FXT_INVALID)
        return;
    struct shown_finding shown = {
        check->file,     fxt_kind_name(fxt_kind_of(record)),
        error.offset,    0,
        FXT_RULE_CAN_01, error.rule == FXT_RULE_CAN_01 ? FXT_RULE_NONE : error.rule};
    take(check, &shown);
}

static void take_end(struct check *check)
{
    struct fxt_finding finding;
    while (!check->out->failed && fxt_check_end(&check->checker, &finding)) {
        struct shown_finding shown = {check->file,    NULL,         finding.offset,
                                      finding.number, finding.rule, FXT_RULE_NONE};
        take(check, &shown);
    }
}

static void take_record(struct check *check, const struct fxt_record *record)
{
    check->records++;
    if (record->header == FXT_MAGIC) /* it ends the trace before [MET-10] */
        take_end(check);
    uint32_t count = fxt_check_record(&check->checker, record);
    if (count > 0) {
        take_all(check, count, fxt_kind_name(fxt_kind_of(record)));
        check->hints[hint_of(record)]++;
    }
    if (check->options->canonical)
        take_canonical(check, record);
}

/* EDN-01 is told by the header, also of a record that is too large to be decoded. */
static void take_error(struct check *check, enum fxt_status status, const struct fxt_record *record,
                       const struct fxt_error *error)
{
    take_all(check, fxt_check_error(&check->checker, error), NULL);
    if (status == FXT_FULL && check->options->edition == FXT_EDITION_2020 &&
        record->type == FXT_RECORD_LARGE) {
        const struct shown_finding shown = {check->file,     fxt_kind_name(fxt_kind_of(record)),
                                            error->offset,   record->type,
                                            FXT_RULE_EDN_01, FXT_RULE_NONE};
        take(check, &shown);
    }
}

static void check_trace(struct check *check, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!check->out->failed && (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            take_record(check, &record);
        else
            take_error(check, status, &record, &error);
    }
    check->bytes = stream->reader.base + stream->reader.position;
    if (!stream_failed(stream))
        take_end(check);
}

/* For the checker, a buffer is a trace that its manager has begun. */
static void begin_trace(struct fxt_checker *checker)
{
    uint8_t bytes[2 * FXT_WORD_BYTES];
    struct fxt_writer writer;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    fxt_write_provider_info(&writer, &(struct fxt_provider_info){.provider_id = 1});
    fxt_reader_init(&reader, bytes, writer.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_check_record(checker, &record);
}

static bool check_buffer(struct check *check, struct stream *stream)
{
    struct fxt_salvage salvage;
    struct fxt_record record;
    struct fxt_error error;
    const uint8_t *bytes;
    size_t size;
    if (!stream_whole(stream, &bytes, &size))
        return false;
    check->bytes = size;
    if (fxt_salvage_init(&salvage, bytes, size, &error) != FXT_OK) {
        struct shown_finding shown = {check->file, "buffer",   error.offset,
                                      0,           error.rule, FXT_RULE_NONE};
        take(check, &shown);
        return true;
    }
    begin_trace(&check->checker);
    while (!check->out->failed && fxt_salvage_next(&salvage, &record))
        take_record(check, &record);
    take_end(check);
    return true;
}

bool check_records(struct check *check, struct stream *stream)
{
    struct fxt_check_memory memory;
    if (!memory_get(&memory))
        return false;
    memory.tables.object_max = 0; /* no rule needs objects */
    fxt_check_init(&check->checker, &memory, check->options->edition);
    bool is_read = true;
    if (stream->is_buffer && !check->options->common.raw)
        is_read = check_buffer(check, stream);
    else
        check_trace(check, stream);
    print_held(check, check->held_count);
    return is_read;
}

bool check_is_clean(const struct check *check)
{
    uint64_t total = check->dropped;
    for (enum fxt_rule rule = FXT_RULE_NONE; rule < FXT_RULE_COUNT; rule++)
        total += check->counts[rule];
    return total == 0;
}
