/* The data of the page. page/data.js reads it:

     header   one line of JSON
     slices   times, durations, names, categories, parents (place + 1, 0: none), sizes of arguments,
              places of the unfinished ones; the levels of the longest
     instants times, names, categories, sizes of arguments
     samples  times, values; the levels of the greatest, and of the least
     flows    times, slices (place + 1, 0: none), event types, and 1 where a chain begins
     args     the arguments of slices, then of instants: see args.c

   A column has one number after the other: LEB128, but 8 bytes for each value of a sample. Times,
   parents, slices of flows and places are differences to the number before, zigzag. Times are ns
   since the first one, at most TIME_MAX, which a double holds exactly. */
#include "src/tools/fxt/html/pack.h"

#include <stdlib.h>
#include <string.h>

#include "src/convert/escape.h"

typedef uint64_t field(const struct item *item);

static uint64_t time_of(const struct item *item)
{
    return item->time;
}

static uint64_t duration_of(const struct item *item)
{
    return item->duration;
}

static uint64_t name_of(const struct item *item)
{
    return item->name;
}

static uint64_t category_of(const struct item *item)
{
    return item->category;
}

static uint64_t parent_of(const struct item *item)
{
    return item->parent;
}

static uint64_t args_size_of(const struct item *item)
{
    return item->args_size;
}

/* ---- columns */

static void put_column(struct pack *pack, const struct items *items, field *get)
{
    for (uint32_t i = 0; i < items->count; i++)
        pack_number(pack, get(&items->it[i]));
}

static void put_steps(struct pack *pack, const struct items *items, field *get)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        uint64_t number = get(&items->it[i]);
        pack_step(pack, before, number);
        before = number;
    }
}

static void put_unfinished(struct pack *pack, const struct items *slices)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < slices->count; i++) {
        if (!slices->it[i].unfinished)
            continue;
        pack_step(pack, before, i);
        before = i;
    }
}

static void put_slices(struct pack *pack, const struct items *slices, uint32_t *numbers)
{
    pack_expect(pack, true);
    put_steps(pack, slices, time_of);
    put_column(pack, slices, duration_of);
    pack_expect(pack, false);
    put_column(pack, slices, name_of);
    put_column(pack, slices, category_of);
    put_steps(pack, slices, parent_of);
    put_column(pack, slices, args_size_of);
    put_unfinished(pack, slices);
    levels_pack(pack, slices, numbers, level_longest);
}

static void put_instants(struct pack *pack, const struct items *instants)
{
    pack_expect(pack, true);
    put_steps(pack, instants, time_of);
    pack_expect(pack, false);
    put_column(pack, instants, name_of);
    put_column(pack, instants, category_of);
    put_column(pack, instants, args_size_of);
}

static void put_samples(struct pack *pack, const struct items *samples, uint32_t *numbers)
{
    put_steps(pack, samples, time_of);
    for (uint32_t i = 0; i < samples->count; i++)
        pack_word(pack, samples->it[i].duration); /* the bits of the value */
    levels_pack(pack, samples, numbers, level_greatest);
    levels_pack(pack, samples, numbers, level_least);
}

/* A chain is the points of one id in one trace, from a begin to its end [FLW-01]. */
static bool begins_chain(const struct point *point, const struct point *before)
{
    return point->event == FXT_EVENT_FLOW_BEGIN || before->event == FXT_EVENT_FLOW_END ||
           point->id != before->id || point->trace != before->trace;
}

static void put_flows(struct pack *pack, const struct array *points)
{
    const struct point *it = points->it;
    pack_expect(pack, true);
    for (uint32_t i = 0; i < points->count; i++)
        pack_step(pack, i > 0 ? it[i - 1].time : 0, it[i].time);
    for (uint32_t i = 0; i < points->count; i++)
        pack_step(pack, i > 0 ? it[i - 1].slice : 0, it[i].slice);
    pack_expect(pack, false);
    for (uint32_t i = 0; i < points->count; i++)
        pack_number(pack, it[i].event);
    for (uint32_t i = 0; i < points->count; i++)
        pack_number(pack, i == 0 || begins_chain(&it[i], &it[i - 1]));
}

static void put_args(struct pack *pack, const struct page *page, const struct items *items)
{
    for (uint32_t i = 0; i < items->count; i++)
        if (items->it[i].args_size > 0) /* else there may be no memory of arguments */
            pack_bytes(pack,
                       (struct fxt_bytes){page->args + items->it[i].args, items->it[i].args_size});
}

/* ---- header */

static void put_text(struct fxt_out *out, struct fxt_bytes text)
{
    fxt_out_char(out, '"');
    fxt_escape_out(out, text.bytes, (size_t)text.size);
    fxt_out_char(out, '"');
}

static void put_string(struct fxt_out *out, const char *text)
{
    put_text(out, (struct fxt_bytes){(const uint8_t *)text, strlen(text)});
}

static void put_member(struct fxt_out *out, const char *name, uint64_t number)
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":");
    fxt_out_u64(out, number);
}

static void put_begin(struct fxt_out *out, const char *name)
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":[");
}

static void put_comma(struct fxt_out *out, uint32_t i)
{
    if (i > 0)
        fxt_out_char(out, ',');
}

static void put_numbers(struct fxt_out *out, const uint64_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put_comma(out, i);
        fxt_out_u64(out, numbers[i]);
    }
}

static uint32_t count_of(const struct items *items, uint32_t group)
{
    return items->begins[group + 1] - items->begins[group];
}

/* [KIND, PROCESS OR CPU, LABEL, INSTANTS, ROWS...]: how many of each */
static void put_track(struct fxt_out *out, const struct page *page, uint32_t track)
{
    const struct timeline *timeline = page->timeline;
    uint32_t threads = timeline->threads.count;
    uint32_t processes = timeline->processes.count;
    uint64_t head[] = {PAGE_THREAD, 0};
    struct fxt_bytes label = {NULL, 0};
    if (track < threads) {
        uint32_t process = threads_at(timeline, track)->process;
        head[1] = process != ROW_NONE ? process : 0;
        label = texts_at(&timeline->texts, page->threads[track]);
    } else {
        head[0] = track < threads + processes ? PAGE_ASYNC : PAGE_CPU;
        head[1] = track < threads + processes ? track - threads : track - threads - processes;
    }
    fxt_out_char(out, '[');
    put_numbers(out, head, 2);
    fxt_out_char(out, ',');
    put_text(out, label);
    fxt_out_char(out, ',');
    fxt_out_u64(out, count_of(&page->instants, track));
    for (uint32_t row = page->rows[track]; row < page->rows[track + 1]; row++) {
        fxt_out_char(out, ',');
        fxt_out_u64(out, count_of(&page->slices, row));
    }
    fxt_out_char(out, ']');
}

static void put_tracks(struct fxt_out *out, const struct page *page)
{
    uint32_t count = 0;
    put_begin(out, "tracks");
    for (uint32_t i = 0; i < page_tracks(page); i++) {
        if (count_of(&page->instants, i) == 0 && page->rows[i] == page->rows[i + 1])
            continue;
        put_comma(out, count++);
        put_track(out, page, i);
    }
    fxt_out_char(out, ']');
}

/* [PROCESS, NAME, ARGUMENT, ID, SAMPLES, CATEGORY] */
static void put_counters(struct fxt_out *out, struct page *page)
{
    uint32_t count = 0;
    put_begin(out, "counters");
    for (uint32_t i = 0; i < page->timeline->tracks.count; i++) {
        const struct track_row *counter = tracks_at(page->timeline, i);
        uint32_t samples = count_of(&page->samples, i);
        if (samples == 0)
            continue;
        put_comma(out, count++);
        fxt_out_char(out, '[');
        fxt_out_u64(out, counter->process != ROW_NONE ? counter->process : 0);
        fxt_out_char(out, ',');
        fxt_out_u64(out, page_name(page, counter->event));
        fxt_out_char(out, ',');
        fxt_out_u64(out, page_name(page, counter->arg));
        fxt_out_text(out, ",\"");
        fxt_out_hex(out, counter->id);
        fxt_out_text(out, "\",");
        fxt_out_u64(out, samples);
        fxt_out_char(out, ',');
        fxt_out_u64(out, page_name(page, counter->category));
        fxt_out_char(out, ']');
    }
    fxt_out_char(out, ']');
}

/* The last of what has names. */
static void put_names(struct fxt_out *out, struct page *page)
{
    put_begin(out, "processes");
    for (uint32_t i = 0; i < page->timeline->processes.count; i++) {
        put_comma(out, i);
        fxt_out_u64(out, page_name(page, page->processes[i]));
    }
    fxt_out_char(out, ']');
    put_begin(out, "names");
    for (uint32_t i = 0; i < page->name_count; i++) {
        put_comma(out, i);
        put_text(out, texts_at(&page->timeline->texts, page->names[i]));
    }
    fxt_out_char(out, ']');
}

static uint32_t count_unfinished(const struct items *slices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < slices->count; i++)
        count += slices->it[i].unfinished;
    return count;
}

static uint64_t count_args(const struct items *items)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < items->count; i++)
        size += items->it[i].args_size;
    return size;
}

static void put_header(struct fxt_out *out, struct page *page, const char *const *notes,
                       uint32_t note_count)
{
    fxt_out_text(out, "{\"file\":");
    put_string(out, page->file);
    fxt_out_text(out, ",\"first\":\"");
    fxt_out_u64(out, page->first);
    fxt_out_char(out, '"');
    put_member(out, "span", page->last - page->first);
    put_member(out, "slices", page->slices.count);
    put_member(out, "unfinished", count_unfinished(&page->slices));
    put_member(out, "instants", page->instants.count);
    put_member(out, "samples", page->samples.count);
    put_member(out, "flows", page->points.count);
    put_member(out, "args", count_args(&page->slices) + count_args(&page->instants));
    put_tracks(out, page);
    put_counters(out, page);
    put_names(out, page);
    put_begin(out, "notes");
    for (uint32_t i = 0; i < note_count; i++) {
        put_comma(out, i);
        put_string(out, notes[i]);
    }
    fxt_out_text(out, "]}\n");
}

static bool to_pack(void *context, const char *bytes, size_t size)
{
    pack_bytes(context, (struct fxt_bytes){(const uint8_t *)bytes, size});
    return true;
}

bool columns_pack(struct pack *pack, struct page *page, const char *const *notes,
                  uint32_t note_count)
{
    static char bytes[2 * FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {
        .bytes = bytes, .capacity = sizeof bytes, .flush = to_pack, .context = pack};
    uint32_t most =
        page->slices.count > page->samples.count ? page->slices.count : page->samples.count;
    uint32_t *numbers = page_memory(page, most / LEVEL_GROUP + 1, sizeof *numbers);
    if (numbers == NULL)
        return false;
    put_header(&out, page, notes, note_count);
    fxt_out_flush(&out);
    put_slices(pack, &page->slices, numbers);
    put_instants(pack, &page->instants);
    put_samples(pack, &page->samples, numbers);
    put_flows(pack, &page->points);
    put_args(pack, page, &page->slices);
    put_args(pack, page, &page->instants);
    free(numbers);
    return true;
}
