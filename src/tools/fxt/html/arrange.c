/* The order of the page: slices by row and time, instants by track and time, samples by counter and
   time. Items come in the order of time, so that they are placed by counting. */
#include "src/tools/fxt/html/page.h"

#include <stdlib.h>
#include <string.h>

#define LEFT_GROUP UINT32_MAX /* of an item that is left out */

/* Turns the group of each item into its place, from where each group begins. */
static void number(const struct array *items, uint32_t *begins, uint32_t groups)
{
    struct item *it = items->it;
    for (uint32_t i = 0; i < items->count; i++)
        if (it[i].group != LEFT_GROUP)
            begins[it[i].group + 1]++;
    for (uint32_t i = 0; i < groups; i++)
        begins[i + 1] += begins[i];
    for (uint32_t i = 0; i < items->count; i++)
        if (it[i].group != LEFT_GROUP)
            it[i].group = begins[it[i].group]++;
    memmove(begins + 1, begins, groups * sizeof *begins); /* each is where the next begins */
    begins[0] = 0;
}

/* A slice with a place has a parent with one. */
static void place(struct page *page, struct items *items, const struct array *from, uint32_t groups)
{
    const struct item *it = from->it;
    items->begins = page_memory(page, groups, sizeof *items->begins);
    if (page->failed)
        return;
    number(from, items->begins, groups);
    items->count = items->begins[groups];
    items->it = page_memory(page, items->count, sizeof *items->it);
    if (page->failed)
        return;
    for (uint32_t i = 0; i < from->count; i++) {
        if (it[i].group == LEFT_GROUP)
            continue;
        struct item *item = &items->it[it[i].group];
        *item = it[i];
        item->parent = item->parent > 0 ? it[item->parent - 1].group + 1 : 0;
    }
}

/* Gives the slices of a track their rows, from `base` on; returns the number of rows. A slice is
   below its parent, in the first row where none overlaps it. */
static uint32_t stack(struct page *page, struct item *it, const uint32_t *order, uint32_t count,
                      uint32_t base)
{
    uint64_t ends[DEPTH_MAX];
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct item *slice = &it[order[i]];
        uint32_t around = slice->parent > 0 ? it[slice->parent - 1].group : LEFT_GROUP;
        uint32_t row = slice->parent == 0     ? 0
                       : around != LEFT_GROUP ? around - base + 1
                                              : DEPTH_MAX;
        while (row < rows && ends[row] > slice->time)
            row++;
        if (row == DEPTH_MAX) {
            slice->group = LEFT_GROUP;
            page->notes[LEFT_DEEP]++;
            continue;
        }
        slice->group = base + row;
        ends[row] = slice->time + slice->duration;
        rows = row == rows ? rows + 1 : rows;
    }
    return rows;
}

static void make_rows(struct page *page, const struct array *slices)
{
    struct item *it = slices->it;
    uint32_t tracks = page_tracks(page);
    uint32_t *begins = page_memory(page, tracks, sizeof *begins);
    uint32_t *order = page_memory(page, slices->count, sizeof *order);
    page->rows = page_memory(page, tracks, sizeof *page->rows);
    if (!page->failed) {
        number(slices, begins, tracks);
        for (uint32_t i = 0; i < slices->count; i++)
            order[it[i].group] = i;
        for (uint32_t i = 0; i < tracks; i++)
            page->rows[i + 1] = page->rows[i] + stack(page, it, order + begins[i],
                                                      begins[i + 1] - begins[i], page->rows[i]);
    }
    free(begins);
    free(order);
}

static bool begin(struct page *page, struct array *items)
{
    page->failed = page->failed || !array_init(items, sizeof(struct item));
    return !page->failed;
}

static void end(struct page *page, struct array *items)
{
    page->failed = page->failed || items->failed;
    array_free(items);
}

static void arrange_slices(struct page *page)
{
    struct array slices = {.it = NULL};
    uint32_t *numbers = page_memory(page, page->timeline->slices.count, sizeof *numbers);
    if (begin(page, &slices)) {
        collect_slices(page, &slices, numbers);
        make_rows(page, &slices);
    }
    if (!page->failed)
        place(page, &page->slices, &slices, page->rows[page_tracks(page)]);
    if (!page->failed)
        collect_points(page, &slices, numbers);
    free(numbers);
    end(page, &slices);
}

static void arrange(struct page *page, struct items *items,
                    void (*collect)(struct page *page, struct array *items), uint32_t groups)
{
    struct array found = {.it = NULL};
    if (begin(page, &found)) {
        collect(page, &found);
        place(page, items, &found, groups);
    }
    end(page, &found);
}

bool page_make(struct page *page)
{
    page->failed = !array_init(&page->points, sizeof(struct point));
    if (page->failed || !page_choose_window(page) || !page_names_init(page))
        return false;
    arrange(page, &page->instants, collect_instants, page_tracks(page));
    arrange(page, &page->samples, collect_samples, page->timeline->tracks.count);
    arrange_slices(page);
    return !page->failed && !page->points.failed;
}

void page_free(struct page *page)
{
    struct items *const items[] = {&page->slices, &page->instants, &page->samples};
    for (unsigned i = 0; i < sizeof items / sizeof *items; i++) {
        free(items[i]->it);
        free(items[i]->begins);
    }
    array_free(&page->points);
    free(page->args);
    free(page->names);
    free(page->name_numbers);
    free(page->threads);
    free(page->processes);
    free(page->rows);
}
