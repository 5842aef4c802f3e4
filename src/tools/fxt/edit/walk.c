/* Passes over a trace. What does not decode is left out, and reported in the pass that reports. The
   memory of the tables is that of the program: one walk at a time. */
#include "src/tools/fxt/edit/walk.h"

#include "src/cli/finding.h"
#include "src/cli/memory.h"

bool walk_begin(struct walk *walk, struct stream *stream, const struct options *options,
                bool reports)
{
    struct fxt_check_memory memory;
    if (!memory_get(&memory))
        return false;
    *walk = (struct walk){.stream = stream,
                          .max_findings = options->max_findings,
                          .zero_end = UINT64_MAX,
                          .reports = reports};
    fxt_tables_init(&walk->tables, &memory.tables);
    return true;
}

static void find(struct walk *walk, const char *record, const struct fxt_error *error)
{
    bool goes_on = error->status == FXT_ZERO_WORD && error->offset == walk->zero_end;
    if (error->status == FXT_ZERO_WORD)
        walk->zero_end = error->offset + FXT_WORD_BYTES;
    if (goes_on)
        return;
    walk->findings++;
    if (walk->reports && (walk->max_findings == 0 || walk->findings <= walk->max_findings))
        finding_message(walk->stream->input.raw.name, record, error);
}

static bool take(struct walk *walk, struct item *item)
{
    struct fxt_error error;
    enum fxt_status status = fxt_tables_apply(&walk->tables, &walk->record, &error);
    if (walk->reports)
        memory_report_full(walk->stream->input.raw.name, &walk->told, status);
    if (item_read(item, &walk->tables, &walk->record, &error) == FXT_OK)
        return true;
    find(walk, fxt_kind_name(item->kind), &error);
    return false;
}

bool walk_next(struct walk *walk, struct item *item)
{
    struct fxt_error error;
    while (!walk->fatal) {
        enum fxt_status status = stream_next(walk->stream, &walk->record, &error);
        if (status == FXT_END)
            return false;
        if (status == FXT_OK) {
            bool is_good = take(walk, item);
            walk->has_magic = is_good && item->kind == FXT_KIND_MAGIC && walk->has_record;
            walk->has_record = true;
            walk->traces += is_good && item->kind == FXT_KIND_MAGIC;
            if (is_good)
                return true;
            continue;
        }
        find(walk, NULL, &error);
        walk->fatal = stream_is_fatal(status);
    }
    stream_drain(walk->stream);
    return false;
}

enum exit_code walk_end(const struct walk *walk)
{
    if (walk->reports && walk->max_findings > 0 && walk->findings > walk->max_findings)
        message_at("%s: %llu more are not shown (--max-findings=0 shows all)",
                   walk->stream->input.raw.name,
                   (unsigned long long)(walk->findings - walk->max_findings));
    return walk->findings > 0 || walk->told ? EXIT_FINDINGS : EXIT_CLEAN;
}
