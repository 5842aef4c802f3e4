/* The data of a page, read as page/data.js reads it: base64 of gzip of a header and columns. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"
#include "src/tools/fxt/html/pack.h"

#define DATA_MAX (1u << 20)
#define ROWS_MAX (4 * MODEL_EVENTS)

struct page_data {
    struct value header;
    const uint8_t *at;
    const uint8_t *end;
};

struct row {
    uint64_t start;
    uint64_t length;
    uint64_t name;
    uint64_t parent;
    uint64_t depth;
    uint64_t kind; /* of its track */
};

/* ---- bytes */

static size_t unbase64(uint8_t *to, const char *at, const char *end)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0, have = 0;
    size_t size = 0;
    for (; at < end && *at != '='; at++) {
        const char *digit = strchr(digits, *at);
        FUZZ_CHECK(digit != NULL && size < DATA_MAX);
        bits = bits << 6 | (uint32_t)(digit - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            to[size++] = (uint8_t)(bits >> have);
        }
    }
    return size;
}

/* False: it is larger than all that a model has. */
static bool unzip(uint8_t *to, size_t *size, uint8_t *from, size_t from_size)
{
    z_stream stream = {
        .next_in = from, .avail_in = (uInt)from_size, .next_out = to, .avail_out = DATA_MAX};
    FUZZ_CHECK(inflateInit2(&stream, 15 + 16) == Z_OK);
    int result = inflate(&stream, Z_FINISH);
    FUZZ_CHECK(result == Z_STREAM_END || result == Z_BUF_ERROR);
    *size = DATA_MAX - stream.avail_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END;
}

static bool read_page(struct page_data *page, const char *text, size_t size)
{
    static const char begin[] = "<script type=\"text/plain\" class=\"data\">";
    static uint8_t zipped[DATA_MAX], plain[DATA_MAX];
    const char *at = memmem(text, size, begin, strlen(begin));
    FUZZ_CHECK(at != NULL);
    at += strlen(begin);
    const char *end = memchr(at, '<', (size_t)(text + size - at));
    FUZZ_CHECK(end != NULL);
    if (end - at > (ptrdiff_t)DATA_MAX || !unzip(plain, &size, zipped, unbase64(zipped, at, end)))
        return false;
    const uint8_t *line = memchr(plain, '\n', size);
    FUZZ_CHECK(line != NULL);
    *page = (struct page_data){value_of((const char *)plain, (size_t)(line - plain)), line + 1,
                               plain + size};
    return true;
}

static uint64_t number(struct page_data *page)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        FUZZ_CHECK(page->at < page->end && shift < 64);
        byte = *page->at++;
        value |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte >= 128);
    return value;
}

static uint64_t step(struct page_data *page, uint64_t from)
{
    uint64_t value = number(page);
    return value % 2 == 0 ? from + value / 2 : from - (value + 1) / 2;
}

/* A column: a number of each row, or the difference to that of the row before. */
static void column(struct page_data *page, uint64_t *of_first, uint64_t count, bool is_steps)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i < count; i++, of_first += sizeof(struct row) / sizeof *of_first)
        before = *of_first = is_steps ? step(page, before) : number(page);
}

/* ---- slices */

/* The elements of a track behind its head: how many slices each of its rows has. */
static uint64_t give_rows(struct row *rows, uint64_t at, uint64_t count, struct value track)
{
    struct value rest = value_inside(track), element;
    uint64_t kind = 0, here;
    for (uint64_t i = 0; value_next(&rest, &element); i++) {
        if (i == 0)
            value_number(element, &kind);
        if (i < 4)
            continue;
        FUZZ_CHECK(value_number(element, &here) && here <= count - at);
        for (; here > 0; here--, at++) {
            rows[at].kind = kind;
            rows[at].depth = i - 4;
        }
    }
    return at;
}

static bool is_name(struct page_data *page, uint64_t wanted, struct fxt_bytes text)
{
    struct value rest = value_inside(value_member(page->header, "names")), name;
    uint64_t i = 0;
    while (value_next(&rest, &name))
        if (i++ == wanted)
            return value_is_text(name, text);
    return false;
}

/* A slice of the model has a row of its own: of durations, no two of a thread begin at one time. */
static struct row *find(struct page_data *page, struct row *rows, uint64_t count, uint64_t first,
                        const struct model_slice *slice, bool async)
{
    for (uint64_t i = 0; i < count; i++)
        if (rows[i].kind == async && rows[i].start == slice->start - first &&
            rows[i].length == slice->end - slice->start &&
            (async || rows[i].depth == slice->depth) &&
            is_name(page, rows[i].name, slice->event->name))
            return &rows[i];
    fuzz_broken(__FILE__, __LINE__, "a slice of the page for each of the trace");
}

static void check_slices(const struct model *model, struct page_data *page, struct row *rows,
                         uint64_t count, uint64_t first)
{
    uint64_t durations = 0, asyncs = 0;
    for (uint64_t i = 0; i < count; i++) {
        durations += rows[i].kind == 0;
        asyncs += rows[i].kind == 1;
    }
    FUZZ_CHECK(!model->is_plain || durations == model->duration_count);
    FUZZ_CHECK(!model->has_plain_asyncs || asyncs == model->slice_count - model->duration_count);
    for (uint32_t i = 0; i < model->slice_count; i++) {
        const struct model_slice *slice = &model->slices[i];
        const struct row *row = find(page, rows, count, first, slice, i >= model->duration_count);
        if (i >= model->duration_count || slice->parent == MODEL_NONE)
            continue;
        const struct model_slice *parent = &model->slices[slice->parent];
        FUZZ_CHECK(row->parent > 0 && row->parent <= count);
        FUZZ_CHECK(rows[row->parent - 1].start == parent->start - first);
        FUZZ_CHECK(rows[row->parent - 1].length == parent->end - parent->start);
    }
}

/* ---- instants, samples, flows */

/* Each event of the type has a row. */
static void check_times(const struct model *model, const struct row *rows, uint64_t count,
                        uint64_t first, unsigned type)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        bool found = !model_is(&model->events[i], type);
        for (uint64_t j = 0; j < count && !found; j++)
            found = rows[j].start == model->events[i].ns - first;
        FUZZ_CHECK(found);
    }
}

/* Flows at no edge of a slice lie in the one around them. */
static void check_flows(const struct model *model, const struct row *flows, uint64_t count,
                        const struct row *slices, uint64_t first)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        uint32_t around;
        bool found = event->event.event_type < FXT_EVENT_FLOW_BEGIN;
        bool is_clear = !found && model->is_plain && model_around(&around, model, event);
        for (uint64_t j = 0; j < count && !found; j++) {
            found = flows[j].start == event->ns - first && flows[j].kind == event->event.event_type;
            if (!found || !is_clear)
                continue;
            if (around == MODEL_NONE) {
                found = flows[j].parent == 0;
                continue;
            }
            const struct model_slice *slice = &model->slices[around];
            found = flows[j].parent > 0 &&
                    slices[flows[j].parent - 1].start == slice->start - first &&
                    slices[flows[j].parent - 1].length == slice->end - slice->start;
        }
        FUZZ_CHECK(found);
    }
}

static void skip(struct page_data *page, uint64_t count)
{
    while (count-- > 0)
        number(page);
}

/* For drawing: which of each group of items is shown from afar. */
static void skip_levels(struct page_data *page, uint64_t count)
{
    while (count > 1) {
        count = (count + LEVEL_GROUP - 1) / LEVEL_GROUP;
        skip(page, count);
    }
}

static void check_columns(const struct model *model, struct page_data *page, uint64_t first)
{
    static struct row slices[ROWS_MAX], others[ROWS_MAX];
    uint64_t count = value_u64(page->header, "slices"), at = 0;
    uint64_t instants = value_u64(page->header, "instants");
    uint64_t samples = value_u64(page->header, "samples");
    uint64_t flows = value_u64(page->header, "flows");
    struct value rest = value_inside(value_member(page->header, "tracks")), track;
    if (count > ROWS_MAX || instants > ROWS_MAX || samples > ROWS_MAX || flows > ROWS_MAX)
        return;
    column(page, &slices->start, count, true);
    column(page, &slices->length, count, false);
    column(page, &slices->name, count, false);
    skip(page, count); /* categories */
    column(page, &slices->parent, count, true);
    skip(page, count + value_u64(page->header, "unfinished")); /* and sizes of arguments */
    skip_levels(page, count);
    while (value_next(&rest, &track))
        at = give_rows(slices, at, count, track);
    FUZZ_CHECK(at == count);
    check_slices(model, page, slices, count, first);
    column(page, &others->start, instants, true);
    check_times(model, others, instants, first, FXT_EVENT_INSTANT);
    skip(page, 3 * instants);
    column(page, &others->start, samples, true);
    FUZZ_CHECK((uint64_t)(page->end - page->at) >= 8 * samples);
    page->at += 8 * samples;
    skip_levels(page, samples);
    skip_levels(page, samples);
    column(page, &others->start, flows, true);
    column(page, &others->parent, flows, true);
    column(page, &others->kind, flows, false);
    for (uint64_t i = 0; i < flows; i++)
        FUZZ_CHECK(others[i].parent <= count);
    check_flows(model, others, flows, slices, first);
}

void law_html(const struct model *model, const char *text, size_t size)
{
    struct page_data page;
    if (!model->is_good || model->event_count == 0 || !read_page(&page, text, size))
        return;
    uint64_t first = value_u64(page.header, "first");
    /* Earlier and later times have no place on the page. */
    if (first <= model->first && value_u64(page.header, "span") >> 52 == 0)
        check_columns(model, &page, first);
}
