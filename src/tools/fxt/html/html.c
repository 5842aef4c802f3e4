/* The page: what stands before the data, the data, what stands after it. The builds make
   page_head.inc and page_foot.inc of the files in page/ by page.py. */
#include "src/tools/fxt/html/html.h"

#include <stdio.h>
#include <string.h>

#include "src/tools/fxt/html/columns.h"

#define NOTES_MAX (LEFT_COUNT + 5)
#define NOTE_BYTES 160u

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

static void read_all(struct timeline *timeline, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while ((status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            timeline_record(timeline, &record);
        else
            timeline->notes[LEFT_MALFORMED] += !stream->repeats;
    }
}

static void note(struct notes *notes, const char *text)
{
    snprintf(notes->text[notes->count++], NOTE_BYTES, "%s", text);
}

/* Returns whether something is left out. */
static bool make_notes(struct notes *notes, const struct timeline *timeline)
{
    static const char *const texts[LEFT_COUNT] = {
        [LEFT_MALFORMED] = "left out: places that cannot be decoded ('fxt check' lists them)",
        [LEFT_UNKNOWN] = "left out: records and events of unknown type",
        [LEFT_OTHER] = "left out: blobs, userspace objects and profiler records",
        [LEFT_FULL] = "left out: events beyond memory, or beyond 33554432 of one kind",
        [LEFT_ARGS] = "left out: arguments of events, beyond memory or beyond 1 GiB",
        [LEFT_DEEP] = "left out: slices nested deeper than 256",
        [ODD_BEGINS] = "begins without an end, drawn to the end of the trace",
        [ODD_ENDS] = "left out: ends without a begin",
        [ODD_BACKWARDS] = "slices that end before they begin, drawn without length",
    };
    bool full = timeline->names.full || timeline->tracks.full || timeline->counters.full;
    for (unsigned i = 0; i < LEFT_COUNT; i++)
        if (timeline->notes[i] > 0)
            snprintf(notes->text[notes->count++], NOTE_BYTES, "%s: %llu", texts[i],
                     (unsigned long long)timeline->notes[i]);
    if (timeline->refs.first <= timeline->refs.last &&
        (timeline->refs.last - timeline->refs.first) >> 53 > 0)
        note(notes, "times more than 104 days after the first are drawn there");
    if (timeline->refs.tables_full)
        note(notes, "some references are not resolved: the tables of strings or objects are full");
    if (full)
        note(notes, "more names, threads or counters than a page holds: the rest is (others)");
    if (timeline->crowded)
        note(notes, "more than 512 async operations are open at once: some are not matched");
    for (unsigned i = 0; i <= LEFT_DEEP; i++)
        full |= timeline->notes[i] > 0 && i != LEFT_UNKNOWN && i != LEFT_OTHER;
    return full || timeline->crowded || timeline->refs.tables_full;
}

static void put_lines(struct fxt_out *out, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fxt_out_text(out, lines[i]);
}

static enum exit_code put_page(struct fxt_out *out, struct timeline *timeline)
{
    static struct pack pack;
    struct notes notes = {.count = 0};
    const char *lines[NOTES_MAX];
    bool incomplete = make_notes(&notes, timeline);
    if (!pack_begin(&pack, out))
        return EXIT_IO;
    for (uint32_t i = 0; i < notes.count; i++) {
        lines[i] = notes.text[i];
        message_at("%s: %s", timeline->file, lines[i]);
    }
    put_lines(out, head, sizeof head / sizeof *head);
    columns_pack(&pack, timeline, lines, notes.count);
    bool good = pack_end(&pack);
    put_lines(out, foot, sizeof foot / sizeof *foot);
    return !good ? EXIT_IO : incomplete ? EXIT_FINDINGS : EXIT_CLEAN;
}

enum exit_code html_convert(struct fxt_out *out, struct stream *stream)
{
    const char *slash = strrchr(stream->input.raw.name, '/');
    struct timeline *timeline = timeline_new(slash != NULL ? slash + 1 : stream->input.raw.name);
    if (timeline == NULL)
        return EXIT_IO;
    read_all(timeline, stream);
    enum exit_code code = timeline_end(timeline) ? put_page(out, timeline) : EXIT_IO;
    timeline_free(timeline);
    return code;
}
