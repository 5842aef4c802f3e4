/* The page: what stands before the data, the data, what stands after it. The builds make
   page_head.inc and page_foot.inc of the files in page/ by page.py. */
#include "src/tools/fxt/html/html.h"

#include <stdio.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#include "src/tools/fxt/html/pack.h"
#include "src/tools/fxt/tables/read.h"

#define NOTES_MAX (LEFT_COUNT + 2)
#define NOTE_BYTES 160u
#define NAME_SHOWN 64u /* bytes */

static const char *const head[] = {
#include "src/tools/fxt/html/page_head.inc"
};
static const char *const foot[] = {
#include "src/tools/fxt/html/page_foot.inc"
};

struct notes {
    uint32_t count;
    char text[NOTES_MAX][NOTE_BYTES];
};

static void take_stray(struct page *page, const struct stray_row *stray)
{
    if (!page_wants(page, stray->ts))
        return;
    switch (stray->event) {
    case FXT_EVENT_DURATION_COMPLETE:
        page->notes[ODD_BACKWARDS]++;
        break;
    case FXT_EVENT_COUNTER:
        page->notes[ODD_COUNTERS]++;
        page->no_counter = stray->name;
        break;
    default:
        page->notes[ODD_ENDS]++;
    }
}

static void take_notes(struct page *page, const struct importer *importer)
{
    const struct timeline *timeline = importer->timeline;
    uint64_t *notes = page->notes;
    notes[LEFT_MALFORMED] = importer->notes.malformed;
    notes[LEFT_UNKNOWN] = importer->notes.unknown;
    notes[LEFT_OTHER] = importer->notes.profiler;
    notes[LEFT_LATE] = importer->refs.late_times;
    page->tables_full = importer->refs.tables_full;
    for (uint32_t i = 0; i < timeline->blobs.count; i++)
        notes[LEFT_OTHER] += blobs_at(timeline, i)->ts == DUR_NONE;
    for (uint32_t i = 0; i < timeline->objects.count; i++)
        notes[LEFT_OTHER] += objects_at(timeline, i)->type == ROW_NONE;
    for (uint32_t i = timeline->strays.count; i > 0; i--)
        take_stray(page, strays_at(timeline, i - 1));
}

static enum exit_code choose(struct page *page, const char *file, const struct html_part *part)
{
    const struct bounds_row *bounds = bounds_at(page->timeline, 0);
    page->begin = 0;
    page->end = UINT64_MAX;
    if (part == NULL)
        return EXIT_CLEAN;
    page->begin = bounds->start;
    page->end = bounds->end + 1;
    return part->choose(part, file, &page->begin, &page->end);
}

/* EXIT_IO: there is no memory. */
static enum exit_code make(struct page *page, struct stream *stream, const struct html_part *part)
{
    struct importer *importer = import_new(page->timeline);
    enum exit_code code = EXIT_IO;
    if (importer != NULL && import_end(importer, timeline_records(importer, stream))) {
        code = choose(page, stream->input.raw.name, part);
        take_notes(page, importer);
    }
    import_free(importer);
    return code == EXIT_IO || code == EXIT_USAGE || page_make(page) ? code : EXIT_IO;
}

static void note(struct notes *notes, const char *text)
{
    snprintf(notes->text[notes->count++], NOTE_BYTES, "%s", text);
}

/* Returns whether something is left out. */
static bool make_notes(struct notes *notes, const struct page *page)
{
    static const char *const texts[LEFT_COUNT] = {
        [LEFT_MALFORMED] = "left out: places that cannot be decoded ('fxt check' lists them)",
        [LEFT_UNKNOWN] = "left out: records and events of unknown type",
        [LEFT_OTHER] = "left out: blobs, userspace objects and profiler records",
        [LEFT_FULL] = "left out: events beyond 33554432 of one kind",
        [LEFT_ARGS] = "left out: arguments of events, beyond 1 GiB",
        [LEFT_DEEP] = "left out: slices nested deeper than 256",
        [LEFT_FAR] = ("left out or cut: events more than 104 days from most others "
                      "('fxt html --from, --to' shows them)"),
        [LEFT_LATE] = "times of 2^63 ns or more, shown as 2^63 - 1 ns",
        [ODD_BEGINS] =
            "begins without an end, drawn to the end of what encloses them, or of the trace",
        [ODD_ENDS] = "left out: ends without a begin",
        [ODD_BACKWARDS] = "left out: durations that end before they begin",
        [ODD_COUNTERS] = "left out: counter events without a number",
    };
    const struct fxt_bytes name = texts_at(&page->timeline->texts, page->no_counter);
    int size = (int)trace_i_cut((const char *)name.bytes, name.size, NAME_SHOWN);
    char first[NAME_SHOWN + 24];
    snprintf(first, sizeof first, ", the first of '%.*s'", size, (const char *)name.bytes);
    bool incomplete = page->names_full || page->tables_full;
    for (unsigned i = 0; i < LEFT_COUNT; i++) {
        if (page->notes[i] == 0)
            continue;
        snprintf(notes->text[notes->count++], NOTE_BYTES, "%s%s: %llu", texts[i],
                 i == ODD_COUNTERS ? first : "", (unsigned long long)page->notes[i]);
        incomplete |= i < ODD_BEGINS && i != LEFT_UNKNOWN && i != LEFT_OTHER;
    }
    if (page->tables_full)
        note(notes, "some references are not resolved: the tables of strings or objects are full");
    if (page->names_full)
        note(notes, "more names than a page holds: the rest is (others)");
    return incomplete;
}

static void put_lines(struct fxt_out *out, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fxt_out_text(out, lines[i]);
}

static enum exit_code put_trace(struct fxt_out *out, struct page *page, int number)
{
    static struct pack pack;
    struct notes notes = {.count = 0};
    const char *lines[NOTES_MAX];
    bool incomplete = make_notes(&notes, page);
    if (!pack_begin(&pack, out, number))
        return EXIT_IO;
    for (uint32_t i = 0; i < notes.count; i++) {
        lines[i] = notes.text[i];
        message_at("%s: %s", page->file, lines[i]);
    }
    bool good = columns_pack(&pack, page, lines, notes.count);
    good = pack_end(&pack) && good;
    return !good ? EXIT_IO : incomplete ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code convert(struct fxt_out *out, struct stream *stream, int number,
                              const struct html_part *part)
{
    const char *path = stream->input.raw.name;
    const char *slash = strrchr(path, '/');
    struct timeline timeline;
    struct page page = {.file = slash != NULL ? slash + 1 : path, .timeline = &timeline};
    enum exit_code code = timeline_init(&timeline) ? make(&page, stream, part) : EXIT_IO;
    if (code == EXIT_IO)
        message("%s: not enough memory for a page of this trace", path);
    else if (code != EXIT_USAGE) {
        if (number == 0)
            put_lines(out, head, sizeof head / sizeof *head);
        code = exit_worse(code, put_trace(out, &page, number));
    }
    page_free(&page);
    timeline_free(&timeline);
    return code;
}

enum exit_code html_convert(struct fxt_out *out, struct stream *streams, int count,
                            const struct html_part *part)
{
    enum exit_code code = EXIT_CLEAN;
    for (int i = 0; i < count && code <= EXIT_FINDINGS; i++)
        code = exit_worse(code, convert(out, &streams[i], i, part));
    if (code <= EXIT_FINDINGS)
        put_lines(out, foot, sizeof foot / sizeof *foot);
    return code;
}
