/* The stacks of a report as a flame graph: one SVG without scripts, fonts or links, that any
   browser opens. A call lies above its caller, and is as wide as its total time. No state.

   A frame is an svg element of its own, which clips its text. */
#include <stdio.h>
#include <string.h>

#include "src/tools/fxt/report/print.h"

#define ROWS_MAX 1000u /* deeper calls are left out */
#define WIDTH 1200.0
#define MARGIN 10u
#define ROW 17u
#define HEAD 34u
#define NARROW 0.1    /* a narrower call is left out */
#define TEXT_MIN 21.0 /* a narrower call has no text */
#define PIECE_BYTES 400u

struct flame {
    struct fxt_out *out;
    const struct report *report;
    uint64_t all;     /* ns; not 0 */
    uint32_t rows;    /* that are drawn */
    uint64_t omitted; /* calls */
};

static struct fxt_bytes name_of(const struct flame *flame, uint32_t call)
{
    return names_text(&flame->report->names, flame->report->calls.it[call].name);
}

/* Warm and light, the same for equal names. */
static unsigned fill_of(struct fxt_bytes name)
{
    uint64_t hash = name.size;
    for (uint64_t i = 0; i < name.size; i++)
        hash = names_hash(hash, name.bytes[i]);
    return (unsigned)((232 + hash % 24) << 16 | (150 + (hash >> 8) % 86) << 8 |
                      (90 + (hash >> 16) % 60));
}

static void put_title(const struct flame *flame, uint32_t call)
{
    const struct call *it = &flame->report->calls.it[call];
    char total[READABLE_BYTES];
    char self[READABLE_BYTES];
    char text[PIECE_BYTES];
    readable_ns(total, it->total);
    readable_ns(self, it->self);
    fxt_out_text(flame->out, "<title>");
    readable_name(flame->out, name_of(flame, call), READABLE_XML);
    snprintf(text, sizeof text, ": %s, %.2f %% of all; self %s", total,
             100.0 * (double)it->total / (double)flame->all, self);
    fxt_out_text(flame->out, text);
    if (it->count > 0) {
        snprintf(text, sizeof text, "; count %llu", (unsigned long long)it->count);
        fxt_out_text(flame->out, text);
    }
    fxt_out_text(flame->out, "</title>");
}

static void put_frame(const struct flame *flame, uint32_t call, uint32_t depth, uint64_t left)
{
    char text[PIECE_BYTES];
    double scale = WIDTH / (double)flame->all;
    double width = (double)flame->report->calls.it[call].total * scale;
    snprintf(text, sizeof text, "<svg x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\">",
             MARGIN + (double)left * scale, (unsigned)(HEAD + (flame->rows - depth) * ROW), width,
             ROW - 1);
    fxt_out_text(flame->out, text);
    put_title(flame, call);
    snprintf(text, sizeof text, "<rect width=\"100%%\" height=\"100%%\" rx=\"1\" fill=\"#%06x\"/>",
             fill_of(name_of(flame, call)));
    fxt_out_text(flame->out, text);
    if (width >= TEXT_MIN) {
        fxt_out_text(flame->out, "<text x=\"3\" y=\"12\">");
        readable_name(flame->out, name_of(flame, call), READABLE_XML);
        fxt_out_text(flame->out, "</text>");
    }
    fxt_out_text(flame->out, "</svg>\n");
}

/* Draws the calls, or without `draws` only counts the rows and what is left out. left[depth] is
   where the next call of that depth begins, in ns. */
static void walk(struct flame *flame, bool draws)
{
    static uint64_t left[ROWS_MAX + 1];
    const struct calls *calls = &flame->report->calls;
    uint32_t top = flame->report->stacks;
    uint32_t depth = 0;
    left[1] = 0;
    for (uint32_t call = calls_next(calls, top, top, &depth); call != CALL_NONE;
         call = calls_next(calls, top, call, &depth)) {
        uint64_t total = calls->it[call].total;
        bool fits = depth <= ROWS_MAX && (double)total * WIDTH >= NARROW * (double)flame->all;
        if (fits && draws)
            put_frame(flame, call, depth, left[depth]);
        else if (!draws && !fits)
            flame->omitted++;
        else if (!draws && depth > flame->rows)
            flame->rows = depth;
        if (depth < ROWS_MAX)
            left[depth + 1] = left[depth];
        if (depth <= ROWS_MAX)
            left[depth] += total;
    }
}

static void put_head(const struct flame *flame)
{
    char text[PIECE_BYTES];
    char all[READABLE_BYTES];
    unsigned height = HEAD + (flame->rows + 1) * ROW + MARGIN;
    const char *file = flame->report->file;
    readable_ns(all, flame->report->calls.it[flame->report->stacks].total);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
             "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"11\">\n"
             "<style>svg svg:hover rect{stroke:#000}</style>\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
             "<text x=\"%u\" y=\"20\" font-size=\"14\">",
             (unsigned)WIDTH + 2 * MARGIN, height, (unsigned)WIDTH + 2 * MARGIN, height, MARGIN);
    fxt_out_text(flame->out, text);
    readable_name(flame->out, (struct fxt_bytes){(const uint8_t *)file, strlen(file)},
                  READABLE_XML);
    snprintf(text, sizeof text, ": %s of durations in all threads", all);
    fxt_out_text(flame->out, text);
    if (flame->omitted > 0) {
        snprintf(text, sizeof text, "; %llu calls are too short to be drawn",
                 (unsigned long long)flame->omitted);
        fxt_out_text(flame->out, text);
    }
    fxt_out_text(flame->out, "</text>\n");
}

bool print_flamegraph(struct fxt_out *out, const struct report *report)
{
    uint64_t all = report->calls.it[report->stacks].total;
    struct flame flame = {out, report, all > 0 ? all : 1, 0, 0};
    walk(&flame, false);
    put_head(&flame);
    walk(&flame, true);
    fxt_out_text(out, "</svg>\n");
    return true;
}
