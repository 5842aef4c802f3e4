/* Call trees. Invariant: a node with a parent is in the list of its parent's children and in the
   bucket of (parent, name), and no other child of that parent has its name.

   To merge two nodes is to move the children of one to the other, and to merge in turn those whose
   names the other has already. Each such merge ends a node. */
#include "src/tools/fxt/report/calls.h"

#include "src/tools/fxt/report/names.h"

static uint32_t *bucket_of(struct calls *calls, uint32_t parent, uint32_t name)
{
    return &calls->buckets[names_hash(parent, name) % CALLS_MAX];
}

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
    return call;
}

static void release(struct calls *calls, uint32_t call)
{
    calls->it[call] = (struct call){.next = calls->free};
    calls->free = call;
}

static uint32_t child_of(struct calls *calls, uint32_t parent, uint32_t name)
{
    uint32_t call = *bucket_of(calls, parent, name);
    while (call != CALL_NONE && (calls->it[call].parent != parent || calls->it[call].name != name))
        call = calls->it[call].chain;
    return call;
}

static void link_child(struct calls *calls, uint32_t parent, uint32_t child)
{
    struct call *call = &calls->it[child];
    uint32_t *bucket = bucket_of(calls, parent, call->name);
    call->parent = parent;
    call->next = calls->it[parent].first;
    call->chain = *bucket;
    calls->it[parent].first = child;
    calls->it[parent].kids++;
    *bucket = child;
}

/* Takes the first child off. */
static uint32_t unlink_first(struct calls *calls, uint32_t parent)
{
    uint32_t child = calls->it[parent].first;
    struct call *call = &calls->it[child];
    uint32_t *at = bucket_of(calls, parent, call->name);
    while (*at != child)
        at = &calls->it[*at].chain;
    *at = call->chain;
    calls->it[parent].first = call->next;
    calls->it[parent].kids--;
    call->parent = CALL_NONE;
    return child;
}

/* Nodes that wait to be merged are linked by `next`; their `chain` is the node to merge into. */
static void adopt(struct calls *calls, uint32_t parent, uint32_t child, uint32_t *waiting)
{
    uint32_t twin = child_of(calls, parent, calls->it[child].name);
    if (twin == CALL_NONE) {
        link_child(calls, parent, child);
        return;
    }
    calls->it[twin].count += calls->it[child].count;
    calls->it[twin].self += calls->it[child].self;
    calls->it[child].chain = twin;
    calls->it[child].next = *waiting;
    *waiting = child;
}

static void merge_waiting(struct calls *calls, uint32_t waiting)
{
    while (waiting != CALL_NONE) {
        uint32_t from = waiting;
        uint32_t into = calls->it[from].chain;
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
    calls->it[from].chain = into;
    calls->it[from].next = CALL_NONE;
    merge_waiting(calls, from);
}

uint32_t calls_next(const struct calls *calls, uint32_t top, uint32_t call)
{
    if (calls->it[call].first != CALL_NONE)
        return calls->it[call].first;
    while (call != top && calls->it[call].next == CALL_NONE)
        call = calls->it[call].parent;
    return call == top ? CALL_NONE : calls->it[call].next;
}
