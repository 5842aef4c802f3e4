/* Call trees. Invariants: a node with a parent is in the list of its parent's children. Unless
   memory ran out, it is in the map `children`, and no other child of that parent has its name.

   To merge two nodes is to move the children of one to the other, and to merge in turn those whose
   names the other has already. Each such merge ends a node. */
#include "src/tools/fxt/report/calls.h"

#include <stdlib.h>

uint32_t calls_new(struct calls *calls, uint32_t name)
{
    uint32_t call = calls->free;
    if (call != CALL_NONE) {
        calls->free = calls->it[call].next;
    } else if (calls->used < CALLS_MAX - 1) {
        call = ++calls->used;
    } else {
        calls->full = true;
        return CALL_NONE;
    }
    calls->it[call] = (struct call){.name = name};
    calls->count++;
    return call;
}

uint32_t calls_new_of_span(struct calls *calls, uint32_t name)
{
    if (calls->count < CALLS_OF_SPANS)
        return calls_new(calls, name);
    calls->full = true;
    return CALL_NONE;
}

static void release(struct calls *calls, uint32_t call)
{
    calls->it[call] = (struct call){.next = calls->free};
    calls->free = call;
    calls->count--;
}

void calls_end(struct calls *calls, uint32_t call)
{
    if (call != CALL_NONE)
        release(calls, call);
}

static uint32_t child_of(const struct calls *calls, uint32_t parent, uint32_t name)
{
    uint32_t first = calls->it[parent].first;
    if (first == CALL_NONE || calls->it[first].name == name)
        return first;
    const uint32_t *child = map_find(&calls->children, parent, name, 0);
    return child != NULL ? *child : CALL_NONE;
}

static void link_child(struct calls *calls, uint32_t parent, uint32_t child)
{
    struct call *call = &calls->it[child];
    uint32_t *place = map_add(&calls->children, CALLS_MAX, parent, call->name, 0);
    if (place != NULL)
        *place = child;
    else
        calls->full = true;
    call->parent = parent;
    call->next = calls->it[parent].first;
    calls->it[parent].first = child;
    calls->it[parent].kids++;
}

/* Takes the first child off. */
static uint32_t unlink_first(struct calls *calls, uint32_t parent)
{
    uint32_t child = calls->it[parent].first;
    struct call *call = &calls->it[child];
    uint32_t *place = map_find(&calls->children, parent, call->name, 0);
    if (place != NULL)
        map_remove(&calls->children, place);
    calls->it[parent].first = call->next;
    calls->it[parent].kids--;
    call->parent = CALL_NONE;
    return child;
}

/* Nodes that wait to be merged are linked by `next`; their `parent` is the node to merge into. */
static void adopt(struct calls *calls, uint32_t parent, uint32_t child, uint32_t *waiting)
{
    uint32_t twin = child_of(calls, parent, calls->it[child].name);
    if (twin == CALL_NONE) {
        link_child(calls, parent, child);
        return;
    }
    calls->it[twin].count += calls->it[child].count;
    calls->it[twin].self += calls->it[child].self;
    calls->it[child].parent = twin;
    calls->it[child].next = *waiting;
    *waiting = child;
}

static void merge_waiting(struct calls *calls, uint32_t waiting)
{
    while (waiting != CALL_NONE) {
        uint32_t from = waiting;
        uint32_t into = calls->it[from].parent;
        waiting = calls->it[from].next;
        while (calls->it[from].first != CALL_NONE)
            adopt(calls, into, unlink_first(calls, from), &waiting);
        release(calls, from);
    }
}

void calls_adopt(struct calls *calls, uint32_t parent, uint32_t child)
{
    uint32_t waiting = CALL_NONE;
    if (child == CALL_NONE || parent == CALL_NONE)
        return;
    adopt(calls, parent, child, &waiting);
    merge_waiting(calls, waiting);
}

void calls_merge(struct calls *calls, uint32_t into, uint32_t from)
{
    if (into == CALL_NONE || from == CALL_NONE)
        return;
    calls->it[from].parent = into;
    calls->it[from].next = CALL_NONE;
    merge_waiting(calls, from);
}

uint32_t calls_next(const struct calls *calls, uint32_t top, uint32_t call, uint32_t *depth)
{
    if (calls->it[call].first != CALL_NONE) {
        ++*depth;
        return calls->it[call].first;
    }
    for (; call != top && calls->it[call].next == CALL_NONE; --*depth)
        call = calls->it[call].parent;
    return call == top ? CALL_NONE : calls->it[call].next;
}

static int by_total(const void *a, const void *b, void *context)
{
    const struct calls *calls = context;
    const struct call *left = &calls->it[*(const uint32_t *)a];
    const struct call *right = &calls->it[*(const uint32_t *)b];
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

static void sort_children(struct calls *calls, uint32_t parent, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = calls->it[parent].first; i != CALL_NONE; i = calls->it[i].next)
        list[count++] = i;
    qsort_r(list, count, sizeof *list, by_total, calls);
    calls->it[parent].first = CALL_NONE;
    while (count > 0) {
        calls->it[list[--count]].next = calls->it[parent].first;
        calls->it[parent].first = list[count];
    }
}

/* When the walk leaves the last child of a parent, all of them have their totals. */
bool calls_add_up(struct calls *calls, uint32_t top)
{
    uint32_t *list = calloc((size_t)calls->used + 1, sizeof *list);
    uint32_t call = top;
    if (list == NULL)
        return false;
    for (;;) {
        calls->it[call].total = calls->it[call].self;
        if (calls->it[call].first != CALL_NONE) {
            call = calls->it[call].first;
            continue;
        }
        while (call != top && calls->it[call].next == CALL_NONE) {
            uint32_t parent = calls->it[call].parent;
            for (uint32_t i = calls->it[parent].first; i != CALL_NONE; i = calls->it[i].next)
                calls->it[parent].total += calls->it[i].total;
            sort_children(calls, parent, list);
            call = parent;
        }
        if (call == top)
            break;
        call = calls->it[call].next;
    }
    free(list);
    return true;
}
