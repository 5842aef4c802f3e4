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
#include "src/tools/fxt/html/columns.h"

#include <string.h>

#include "src/convert/escape.h"
#include "src/tools/fxt/html/levels.h"

#define TIME_MAX ((UINT64_C(1) << 53) - 1)

typedef uint64_t field(const struct timeline *timeline, const struct item *item);

/* ---- fields */

static uint64_t since_first(const struct timeline *timeline, uint64_t ns)
{
    uint64_t since = ns - timeline->refs.first;
    return since < TIME_MAX ? since : TIME_MAX;
}

static uint64_t time_of(const struct timeline *timeline, const struct item *item)
{
    return since_first(timeline, item->time);
}

static uint64_t duration_of(const struct timeline *timeline, const struct item *item)
{
    return since_first(timeline, item->end) - since_first(timeline, item->time);
}

static uint64_t name_of(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return item->name;
}

static uint64_t category_of(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return item->category;
}

static uint64_t parent_of(const struct timeline *timeline, const struct item *item)
{
    return item->parent == ITEM_NONE ? 0 : timeline->slices.it[item->parent].link;
}

static uint64_t args_size(const struct timeline *timeline, const struct item *item)
{
    return args_bytes(timeline, item->args).size;
}

static uint64_t slice_of_flow(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return item->link;
}

static uint64_t type_of_flow(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return item->depth;
}

/* ---- columns */

static const struct item *item_at(const struct items *items, uint32_t place)
{
    return &items->it[items->order[place]];
}

static void put_column(struct pack *pack, const struct timeline *timeline,
                       const struct items *items, field *get)
{
    for (uint32_t i = 0; i < items->count; i++)
        pack_number(pack, get(timeline, item_at(items, i)));
}

static void put_steps(struct pack *pack, const struct timeline *timeline, const struct items *items,
                      field *get)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        uint64_t number = get(timeline, item_at(items, i));
        pack_step(pack, before, number);
        before = number;
    }
}

static void put_unfinished(struct pack *pack, const struct items *slices)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < slices->count; i++) {
        if (!item_at(slices, i)->unfinished)
            continue;
        pack_step(pack, before, i);
        before = i;
    }
}

static void put_slices(struct pack *pack, struct timeline *timeline)
{
    const struct items *slices = &timeline->slices;
    put_steps(pack, timeline, slices, time_of);
    put_column(pack, timeline, slices, duration_of);
    put_column(pack, timeline, slices, name_of);
    put_column(pack, timeline, slices, category_of);
    put_steps(pack, timeline, slices, parent_of);
    put_column(pack, timeline, slices, args_size);
    put_unfinished(pack, slices);
    levels_pack(pack, slices, timeline->numbers, level_longest);
}

static void put_instants(struct pack *pack, const struct timeline *timeline)
{
    const struct items *instants = &timeline->instants;
    put_steps(pack, timeline, instants, time_of);
    put_column(pack, timeline, instants, name_of);
    put_column(pack, timeline, instants, category_of);
    put_column(pack, timeline, instants, args_size);
}

static void put_samples(struct pack *pack, struct timeline *timeline)
{
    const struct items *samples = &timeline->samples;
    put_steps(pack, timeline, samples, time_of);
    for (uint32_t i = 0; i < samples->count; i++)
        pack_word(pack, item_at(samples, i)->end);
    levels_pack(pack, samples, timeline->numbers, level_greatest);
    levels_pack(pack, samples, timeline->numbers, level_least);
}

static bool begins_chain(const struct item *point, const struct item *before)
{
    return point->depth == FXT_EVENT_FLOW_BEGIN || before->depth == FXT_EVENT_FLOW_END ||
           point->end != before->end || point->trace != before->trace;
}

/* A chain is the points of one id in one trace, from a begin to its end. */
static void put_flows(struct pack *pack, const struct timeline *timeline)
{
    const struct items *flows = &timeline->flows;
    put_steps(pack, timeline, flows, time_of);
    put_steps(pack, timeline, flows, slice_of_flow);
    put_column(pack, timeline, flows, type_of_flow);
    for (uint32_t i = 0; i < flows->count; i++) {
        pack_number(pack, i == 0 || begins_chain(item_at(flows, i), item_at(flows, i - 1)));
    }
}

static uint64_t put_args(struct pack *pack, const struct timeline *timeline,
                         const struct items *items)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        struct fxt_bytes bytes = args_bytes(timeline, item_at(items, i)->args);
        size += bytes.size;
        if (pack != NULL)
            pack_bytes(pack, bytes);
    }
    return size;
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

/* The label of a thread has that of its process before it. */
static struct fxt_bytes thread_label(const struct timeline *timeline, const struct track *thread)
{
    struct fxt_bytes label = names_text(&timeline->names, thread->name);
    struct fxt_bytes process =
        names_text(&timeline->names, timeline->tracks.processes[thread->process].name);
    if (thread->process == TRACK_OTHERS || label.size <= process.size ||
        memcmp(label.bytes, process.bytes, (size_t)process.size) != 0)
        return label;
    return (struct fxt_bytes){label.bytes + process.size + 1, label.size - process.size - 1};
}

/* [KIND, PROCESS OR CPU, LABEL, INSTANTS, ROWS...]: how many of each */
static void put_track(struct fxt_out *out, const struct timeline *timeline, uint32_t track)
{
    static const struct fxt_bytes none = {NULL, 0};
    enum track_kind kind = (enum track_kind)(track / TRACKS_MAX);
    uint32_t number = track % TRACKS_MAX;
    const struct track *thread = &timeline->tracks.it[number];
    bool is_thread = kind == TRACK_THREAD;
    const uint64_t head[] = {kind, is_thread ? thread->process : number};
    fxt_out_char(out, '[');
    put_numbers(out, head, 2);
    fxt_out_char(out, ',');
    put_text(out, is_thread ? thread_label(timeline, thread) : none);
    fxt_out_char(out, ',');
    fxt_out_u64(out, timeline->instant_begins[track + 1] - timeline->instant_begins[track]);
    for (uint32_t row = timeline->track_rows[track]; row < timeline->track_rows[track + 1]; row++) {
        fxt_out_char(out, ',');
        fxt_out_u64(out, timeline->row_begins[row + 1] - timeline->row_begins[row]);
    }
    fxt_out_char(out, ']');
}

static void put_tracks(struct fxt_out *out, const struct timeline *timeline)
{
    uint32_t count = 0;
    put_begin(out, "tracks");
    for (uint32_t i = 0; i < PAGE_TRACKS; i++) {
        if (timeline->instant_begins[i] == timeline->instant_begins[i + 1] &&
            timeline->track_rows[i] == timeline->track_rows[i + 1])
            continue;
        put_comma(out, count++);
        put_track(out, timeline, i);
    }
    fxt_out_char(out, ']');
}

/* [PROCESS, NAME, ARGUMENT, ID, SAMPLES, CATEGORY] */
static void put_counters(struct fxt_out *out, const struct timeline *timeline)
{
    put_begin(out, "counters");
    for (uint32_t i = 0; i < timeline->counters.count; i++) {
        const struct counter *counter = &timeline->counters.it[i];
        const uint64_t head[] = {counter->process, counter->name, counter->arg};
        put_comma(out, i);
        fxt_out_char(out, '[');
        put_numbers(out, head, 3);
        fxt_out_text(out, ",\"");
        fxt_out_hex(out, counter->id);
        fxt_out_text(out, "\",");
        fxt_out_u64(out, timeline->sample_begins[i + 1] - timeline->sample_begins[i]);
        fxt_out_char(out, ',');
        fxt_out_u64(out, counter->category);
        fxt_out_char(out, ']');
    }
    fxt_out_char(out, ']');
}

static void put_names(struct fxt_out *out, const struct timeline *timeline)
{
    put_begin(out, "names");
    for (uint32_t i = 0; i < timeline->names.count; i++) {
        put_comma(out, i);
        put_text(out, names_text(&timeline->names, i));
    }
    fxt_out_char(out, ']');
    put_begin(out, "processes");
    for (uint32_t i = 0; i < timeline->tracks.process_count; i++) {
        put_comma(out, i);
        fxt_out_u64(out, timeline->tracks.processes[i].name);
    }
    fxt_out_char(out, ']');
}

static uint32_t count_unfinished(const struct items *slices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < slices->count; i++)
        count += item_at(slices, i)->unfinished;
    return count;
}

static void put_header(struct fxt_out *out, const struct timeline *timeline,
                       const char *const *notes, uint32_t note_count)
{
    bool timed = timeline->refs.first <= timeline->refs.last;
    fxt_out_text(out, "{\"file\":");
    put_string(out, timeline->file);
    fxt_out_text(out, ",\"first\":\"");
    fxt_out_u64(out, timed ? timeline->refs.first : 0);
    fxt_out_char(out, '"');
    put_member(out, "span", timed ? since_first(timeline, timeline->refs.last) : 0);
    put_member(out, "slices", timeline->slices.count);
    put_member(out, "unfinished", count_unfinished(&timeline->slices));
    put_member(out, "instants", timeline->instants.count);
    put_member(out, "samples", timeline->samples.count);
    put_member(out, "flows", timeline->flows.count);
    put_member(out, "args",
               put_args(NULL, timeline, &timeline->slices) +
                   put_args(NULL, timeline, &timeline->instants));
    put_names(out, timeline);
    put_tracks(out, timeline);
    put_counters(out, timeline);
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

void columns_pack(struct pack *pack, struct timeline *timeline, const char *const *notes,
                  uint32_t note_count)
{
    static char bytes[2 * FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {
        .bytes = bytes, .capacity = sizeof bytes, .flush = to_pack, .context = pack};
    put_header(&out, timeline, notes, note_count);
    fxt_out_flush(&out);
    put_slices(pack, timeline);
    put_instants(pack, timeline);
    put_samples(pack, timeline);
    put_flows(pack, timeline);
    put_args(pack, timeline, &timeline->slices);
    put_args(pack, timeline, &timeline->instants);
}
