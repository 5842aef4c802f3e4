/* The durations of threads as stacks. The rows of a track come in the order of their begins, each behind its
   parent. What a slice without an end lasts is as [SLC-05] says. */
#include "src/tools/fxt/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "src/convert/escape.h"
#include "src/tools/fxt/report/print.h"
#include "src/tools/fxt/tables/label.h"

#define FRAMES_MAX 1000u /* of a line; deeper frames are one that is called "..." */
#define LANES_MAX 64u    /* profiles of a thread, for slices that overlap */

struct stacks {
    struct timeline *timeline;
    struct fxt_out *out;
    uint64_t *ends;  /* of each slice */
    uint64_t origin; /* the first time of the trace */
};

static bool is_duration(const struct stacks *stacks, const struct slice_row *slice)
{
    return slice->event != FXT_EVENT_INSTANT &&
           tracks_at(stacks->timeline, slice->track)->type == TRACK_THREAD;
}

static bool stacks_init(struct stacks *stacks, struct fxt_out *out, struct timeline *timeline)
{
    uint32_t count = timeline->slices.count;
    const struct bounds_row *bounds = bounds_at(timeline, 0);
    *stacks =
        (struct stacks){timeline, out, calloc((size_t)count + 1, sizeof(uint64_t)), bounds->start};
    for (uint32_t i = 0; stacks->ends != NULL && i < count; i++) {
        const struct slice_row *slice = slices_at(timeline, i);
        uint32_t trace = providers_at(timeline, slice->provider)->trace;
        if (slice->dur != DUR_NONE)
            stacks->ends[i] = slice->ts + slice->dur;
        else if (slice->parent != ROW_NONE)
            stacks->ends[i] = stacks->ends[slice->parent];
        else
            stacks->ends[i] = trace > 0 ? traces_at(timeline, trace - 1)->end : slice->ts;
    }
    return stacks->ends != NULL;
}

/* ---- folded: equal stacks are one node of a tree */

struct node {
    uint64_t self;
    uint32_t name;
    uint32_t parent;
    uint32_t depth;
};

struct tree {
    struct array nodes;
    struct map numbers; /* nodes by parent and name */
    uint32_t others;    /* the name of what is deeper than FRAMES_MAX */
};

static struct node *node_at(const struct tree *tree, uint32_t node)
{
    return array_at(&tree->nodes, node);
}

/* Node 0, which has no name, is above all. */
static uint32_t child_of(struct tree *tree, uint32_t parent, uint32_t name)
{
    uint32_t depth = node_at(tree, parent)->depth + 1;
    if (depth > FRAMES_MAX + 1)
        return parent;
    if (depth > FRAMES_MAX)
        name = tree->others;
    uint32_t *node = map_add(&tree->numbers, MAP_UNLIMITED, parent, name, 0);
    tree->nodes.failed = tree->nodes.failed || node == NULL;
    if (node == NULL)
        return parent;
    if (*node == MAP_NEW) {
        *node = tree->nodes.count;
        *(struct node *)array_add(&tree->nodes) = (struct node){0, name, parent, depth};
    }
    return *node;
}

static uint32_t node_of_thread(struct tree *tree, struct timeline *timeline, uint32_t track)
{
    uint32_t thread = tracks_at(timeline, track)->thread;
    uint32_t process = threads_at(timeline, thread)->process;
    uint32_t node = 0;
    if (process != ROW_NONE)
        node = child_of(tree, node, label_process(timeline, process));
    return child_of(tree, node, label_thread(timeline, thread));
}

/* threads: the node of each track, 0 at first. reached: up to where the children of each slice cover it.
   nodes: of each slice. */
static void grow(const struct stacks *stacks, struct tree *tree, uint32_t *threads,
                 uint64_t *reached, uint32_t *nodes)
{
    struct timeline *timeline = stacks->timeline;
    for (uint32_t i = 0; i < timeline->slices.count && !tree->nodes.failed; i++) {
        const struct slice_row *slice = slices_at(timeline, i);
        uint32_t parent = slice->parent;
        if (!is_duration(stacks, slice))
            continue;
        if (threads[slice->track] == 0)
            threads[slice->track] = node_of_thread(tree, timeline, slice->track);
        nodes[i] =
            child_of(tree, parent != ROW_NONE ? nodes[parent] : threads[slice->track], slice->name);
        reached[i] = slice->ts;
        if (slice->dur != DUR_NONE)
            node_at(tree, nodes[i])->self += slice->dur;
        if (parent == ROW_NONE || stacks->ends[i] <= reached[parent])
            continue;
        uint64_t from = slice->ts > reached[parent] ? slice->ts : reached[parent];
        reached[parent] = stacks->ends[i];
        if (slices_at(timeline, parent)->dur != DUR_NONE)
            node_at(tree, nodes[parent])->self -= stacks->ends[i] - from;
    }
}

static void put_nodes(const struct stacks *stacks, const struct tree *tree)
{
    uint32_t frames[FRAMES_MAX + 1];
    for (uint32_t i = 1; i < tree->nodes.count && !stacks->out->failed; i++) {
        uint32_t depth = node_at(tree, i)->depth;
        if (node_at(tree, i)->self == 0)
            continue;
        for (uint32_t node = i, at = depth; at > 0; node = node_at(tree, node)->parent)
            frames[--at] = node_at(tree, node)->name;
        for (uint32_t at = 0; at < depth; at++) {
            if (at > 0)
                fxt_out_char(stacks->out, ';');
            readable_name(stacks->out, texts_at(&stacks->timeline->texts, frames[at]),
                          READABLE_FOLDED);
        }
        fxt_out_char(stacks->out, ' ');
        fxt_out_u64(stacks->out, node_at(tree, i)->self);
        fxt_out_char(stacks->out, '\n');
    }
}

bool stacks_folded(struct fxt_out *out, struct timeline *timeline)
{
    struct stacks stacks;
    size_t slices = (size_t)timeline->slices.count + 1;
    struct tree tree = {.others = texts_add_plain(&timeline->texts, "...")};
    uint32_t *threads = calloc((size_t)timeline->tracks.count + 1, sizeof *threads);
    uint32_t *nodes = calloc(slices, sizeof *nodes);
    uint64_t *reached = calloc(slices, sizeof *reached);
    bool good = stacks_init(&stacks, out, timeline) && array_init(&tree.nodes, sizeof(struct node));
    if (good && threads != NULL && nodes != NULL && reached != NULL) {
        *(struct node *)array_add(&tree.nodes) = (struct node){.depth = 0};
        grow(&stacks, &tree, threads, reached, nodes);
        good = !tree.nodes.failed && !timeline_failed(timeline);
        if (good)
            put_nodes(&stacks, &tree);
    } else
        good = false;
    array_free(&tree.nodes);
    map_clear(&tree.numbers);
    free(threads);
    free(nodes);
    free(reached);
    free(stacks.ends);
    return good;
}

/* ---- speedscope: each profile opens and closes frames like brackets */

struct speedscope {
    struct stacks stacks;
    uint32_t *first; /* of each track: its first slice that is in no profile yet */
    uint32_t *next;  /* of each slice: the next one of those */
    uint32_t *open;  /* the slices that are open, the innermost last */
    uint32_t depth;  /* so many are */
    bool comma;
    uint32_t *numbers;   /* of a frame and 1, by 2 * name, and 1 if it has no end */
    struct array frames; /* the same the other way round */
};

static void put_name(struct fxt_out *out, struct fxt_bytes name)
{
    if (name.size > 0)
        fxt_escape_out(out, name.bytes, (size_t)name.size);
}

static void put_comma(struct speedscope *it, bool first)
{
    if (!first)
        fxt_out_char(it->stacks.out, ',');
}

static uint32_t frame_of(struct speedscope *it, const struct slice_row *slice)
{
    uint32_t key = slice->name * 2 + (slice->dur == DUR_NONE);
    if (it->numbers[key] == 0) {
        *(uint32_t *)array_add(&it->frames) = key;
        it->numbers[key] = it->frames.count;
    }
    return it->numbers[key] - 1;
}

static void put_event(struct speedscope *it, const char *type, uint32_t number, uint64_t time)
{
    const struct slice_row *slice = slices_at(it->stacks.timeline, number);
    struct fxt_out *out = it->stacks.out;
    put_comma(it, !it->comma);
    it->comma = true;
    fxt_out_text(out, "{\"type\":\"");
    fxt_out_text(out, type);
    fxt_out_text(out, "\",\"frame\":");
    fxt_out_u64(out, frame_of(it, slice));
    fxt_out_text(out, ",\"at\":");
    fxt_out_u64(out, time - it->stacks.origin);
    fxt_out_char(out, '}');
}

static void close_frame(struct speedscope *it)
{
    uint32_t number = it->open[--it->depth];
    put_event(it, "C", number, it->stacks.ends[number]);
}

/* Closes what has ended. Whether the slice can be opened then: inside of its parent, or of nothing. */
static bool fits(struct speedscope *it, const struct slice_row *slice)
{
    while (it->depth > 0 && it->open[it->depth - 1] != slice->parent &&
           it->stacks.ends[it->open[it->depth - 1]] <= slice->ts)
        close_frame(it);
    return it->depth == 0 || it->open[it->depth - 1] == slice->parent;
}

/* One profile: the slices of the list that nest. The others stay in the list. */
static void put_events(struct speedscope *it, uint32_t *list)
{
    it->comma = false;
    while (*list != ROW_NONE && !it->stacks.out->failed) {
        const struct slice_row *slice = slices_at(it->stacks.timeline, *list);
        if (!fits(it, slice)) {
            list = &it->next[*list];
            continue;
        }
        put_event(it, "O", *list, slice->ts);
        it->open[it->depth++] = *list;
        *list = it->next[*list];
    }
    while (it->depth > 0)
        close_frame(it);
}

static void put_profile(struct speedscope *it, uint32_t track, unsigned lane)
{
    struct timeline *timeline = it->stacks.timeline;
    struct fxt_out *out = it->stacks.out;
    uint32_t thread = tracks_at(timeline, track)->thread;
    uint32_t process = threads_at(timeline, thread)->process;
    fxt_out_text(out, "{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":\"");
    if (process != ROW_NONE) {
        put_name(out, texts_at(&timeline->texts, label_process(timeline, process)));
        fxt_out_text(out, " / ");
    }
    put_name(out, texts_at(&timeline->texts, label_thread(timeline, thread)));
    if (lane > 0) {
        fxt_out_text(out, ", overlapping ");
        fxt_out_u64(out, lane);
    }
    fxt_out_text(out, "\",\"startValue\":0,\"endValue\":");
    fxt_out_u64(out, bounds_at(timeline, 0)->end - it->stacks.origin);
    fxt_out_text(out, ",\"events\":[");
    put_events(it, &it->first[track]);
    fxt_out_text(out, "]}");
}

/* Returns how many slices are in none. */
static uint64_t put_profiles(struct speedscope *it)
{
    struct timeline *timeline = it->stacks.timeline;
    uint64_t left = 0;
    bool first = true;
    for (uint32_t i = 0; i < timeline->tracks.count; i++)
        it->first[i] = ROW_NONE;
    for (uint32_t i = timeline->slices.count; i-- > 0;) {
        const struct slice_row *slice = slices_at(timeline, i);
        if (!is_duration(&it->stacks, slice))
            continue;
        it->next[i] = it->first[slice->track];
        it->first[slice->track] = i;
    }
    for (uint32_t i = 0; i < timeline->tracks.count && !it->stacks.out->failed; i++) {
        for (unsigned lane = 0; lane < LANES_MAX && it->first[i] != ROW_NONE; lane++) {
            put_comma(it, first);
            put_profile(it, i, lane);
            first = false;
        }
        for (uint32_t slice = it->first[i]; slice != ROW_NONE; slice = it->next[slice])
            left++;
    }
    return left;
}

static void put_frames(struct speedscope *it)
{
    struct fxt_out *out = it->stacks.out;
    for (uint32_t i = 0; i < it->frames.count; i++) {
        uint32_t key = *(uint32_t *)array_at(&it->frames, i);
        put_comma(it, i == 0);
        fxt_out_text(out, "{\"name\":\"");
        put_name(out, texts_at(&it->stacks.timeline->texts, key / 2));
        fxt_out_text(out, key % 2 != 0 ? " (unfinished)\"}" : "\"}");
    }
}

bool stacks_speedscope(struct fxt_out *out, struct timeline *timeline, const char *name,
                       uint64_t *left)
{
    size_t slices = (size_t)timeline->slices.count + 1;
    struct speedscope it = {.first = calloc((size_t)timeline->tracks.count + 1, sizeof *it.first),
                            .next = calloc(slices, sizeof *it.next),
                            .open = calloc(slices, sizeof *it.open),
                            .numbers =
                                calloc((size_t)timeline->texts.rows.count * 2, sizeof *it.numbers)};
    bool good = array_init(&it.frames, sizeof(uint32_t)) &&
                stacks_init(&it.stacks, out, timeline) && it.first != NULL && it.next != NULL &&
                it.open != NULL && it.numbers != NULL;
    if (good) {
        fxt_out_text(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                          "\"exporter\":\"fxt\",\"name\":\"");
        put_name(out, (struct fxt_bytes){(const uint8_t *)name, strlen(name)});
        fxt_out_text(out, "\",\"profiles\":[");
        *left = put_profiles(&it);
        fxt_out_text(out, "],\"shared\":{\"frames\":[");
        put_frames(&it);
        fxt_out_text(out, "]}}\n");
        good = !timeline_failed(timeline) && !it.frames.failed;
    }
    array_free(&it.frames);
    free(it.numbers);
    free(it.first);
    free(it.next);
    free(it.open);
    free(it.stacks.ends);
    return good;
}
