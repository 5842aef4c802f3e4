/* Operations. If there is no place for a flow id, one that has ended gives way. Invariant: free entries of `opens` are in the list `free`, and those from `used` on were never
   used; the others are in a list of a thread. */
#include "src/tools/fxt/edit/operations.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "src/cli/memory.h"

#define LOOKS_MAX 128u /* at flow ids, for one that has ended */

struct operations *operations_new(void)
{
    return memory_zeroed(sizeof(struct operations));
}

void operations_free(struct operations *operations)
{
    if (operations == NULL)
        return;
    map_clear(&operations->thread_numbers);
    map_clear(&operations->chain_numbers);
    map_clear(&operations->asyncs.numbers);
    munmap(operations, sizeof *operations);
}

static struct pairing_rows begins_of(struct operations *operations)
{
    return (struct pairing_rows){.it = operations->opens,
                                 .size = sizeof(struct operations_open),
                                 .time = offsetof(struct operations_open, time),
                                 .place = offsetof(struct operations_open, place),
                                 .next = offsetof(struct operations_open, next)};
}

static struct pairing_rows ends_of(struct operations *operations)
{
    return (struct pairing_rows){.it = operations->strays,
                                 .size = sizeof(struct operations_stray),
                                 .time = offsetof(struct operations_stray, time),
                                 .place = offsetof(struct operations_stray, place),
                                 .next = offsetof(struct operations_stray, next)};
}

/* As in a skew-binary list: two jumps of one length become one. */
static void jump_from(struct operations_jump *jumps, uint32_t inner, uint32_t outer)
{
    const struct operations_jump *first = &jumps[outer];
    const struct operations_jump *second = &jumps[first->to];
    bool equal = first->depth - second->depth == second->depth - jumps[second->to].depth;
    jumps[inner] = (struct operations_jump){equal ? second->to : outer, first->depth + 1};
}

/* The number of a thread in the file. */
static uint32_t number_of(const struct operations *operations,
                          const struct operations_thread *thread)
{
    return operations->first_thread + (uint32_t)(thread - operations->threads);
}

/* What is left of an async id: an end of another provider may stand before the begin of its time. They are
   no slice [ORD-02], but stay together, because an id has as many begins as ends [EVT-06]. lost: ends
   without a begin, the latest first. */
static void keep_equal(struct operations *operations, struct pairing_rest *rest, uint32_t lost)
{
    while (rest->begin != 0)
        pairing_put(rest->begins, &rest->open, pairing_take(rest->begins, &rest->begin));
    for (; lost != 0; lost = operations->strays[lost].next) {
        struct operations_stray *stray = &operations->strays[lost];
        while (rest->open != 0 && operations->opens[rest->open].time > stray->time)
            pairing_take(rest->begins, &rest->open);
        if (rest->open != 0 && operations->opens[rest->open].time == stray->time)
            stray->operation = operations->opens[pairing_take(rest->begins, &rest->open)].operation;
    }
}

/* Durations end after those inside, so the ones that wait for a duration around them are the last
   ones, a list by `next`. */
static struct operations_strays match_strays(struct operations *operations,
                                             const struct pairing *pairing, bool is_async)
{
    struct pairing_rows begins = begins_of(operations), ends = ends_of(operations);
    struct pairing_rest rest = pairing_rest(pairing, &begins, &ends);
    struct operations_strays found = {.first = operations->sorted_count};
    uint32_t begin, end, waiting = 0, lost = 0;
    while (pairing_next(&rest, &begin, &end)) {
        struct operations_stray *stray = &operations->strays[end];
        stray->operation = OPERATION_NONE;
        stray->around = 0;
        if (begin == 0) {
            stray->next = lost;
            lost = end;
            continue;
        }
        stray->operation = operations->opens[begin].operation;
        stray->begin = operations->opens[begin].time;
        for (; waiting != 0 && operations->strays[waiting].begin >= stray->begin;
             waiting = operations->strays[waiting].next)
            operations->strays[waiting].around = end;
        stray->next = waiting;
        waiting = end;
        operations->by_time[operations->sorted_count++] = end;
        found.count++;
    }
    for (uint32_t i = found.first + found.count; i-- > found.first;)
        jump_from(operations->stray_jumps, operations->by_time[i],
                  operations->strays[operations->by_time[i]].around);
    if (is_async)
        keep_equal(operations, &rest, lost);
    return found;
}

static void end_trace(struct operations *operations)
{
    if (operations->is_matched)
        return;
    for (uint32_t i = 0; i < operations->thread_count; i++)
        if (operations->threads[i].durations.stray != 0)
            operations->strays_of[operations->first_thread + i] =
                match_strays(operations, &operations->threads[i].durations, false);
    for (uint32_t i = 1; i <= operations->asyncs.used; i++)
        if (operations->asyncs.it[i].operations.stray != 0)
            match_strays(operations, &operations->asyncs.it[i].operations, true);
}

static int compare(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a;
    uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

void operations_end(struct operations *operations)
{
    end_trace(operations);
    if (operations->is_matched)
        return;
    for (uint32_t i = 0; i < operations->sorted_count; i++)
        operations->ended[i] = operations->strays[operations->by_time[i]].operation;
    qsort(operations->ended, operations->sorted_count, sizeof *operations->ended, compare);
    operations->is_matched = true;
}

static uint32_t open_around(const struct operations *operations, const struct pairing *pairing,
                            uint64_t time)
{
    uint32_t open = pairing->open;
    while (open != 0 && operations->opens[open].time > time) {
        uint32_t far = operations->open_jumps[open].to;
        open = operations->opens[far].time > time ? far : operations->opens[open].next;
    }
    return open;
}

uint32_t operations_open_around(const struct operations *operations,
                                const struct operations_thread *thread, uint64_t time)
{
    return open_around(operations, &thread->durations, time);
}

uint32_t operations_stray_around(const struct operations *operations,
                                 const struct operations_thread *thread, uint64_t time)
{
    struct operations_strays part = operations->strays_of[number_of(operations, thread)];
    uint32_t low = part.first, high = part.first + part.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (operations->strays[operations->by_time[middle]].time >= time)
            high = middle;
        else
            low = middle + 1;
    }
    uint32_t stray = low < part.first + part.count ? operations->by_time[low] : 0;
    while (stray != 0 && operations->strays[stray].begin > time) {
        uint32_t far = operations->stray_jumps[stray].to;
        stray = operations->strays[far].begin > time ? far : operations->strays[stray].around;
    }
    return stray;
}

static void next_trace(struct operations *operations)
{
    operations->first_thread += operations->thread_count;
    operations->thread_count = 0;
    operations->chain_count = 0;
    map_clear(&operations->thread_numbers);
    map_clear(&operations->chain_numbers);
    asyncs_clear(&operations->asyncs);
    operations->used = 1;
    operations->free = 0;
}

void operations_reset(struct operations *operations, struct fxt_tables *tables)
{
    operations->tables = tables;
    operations->count = 0;
    operations->stray_count = 0;
    operations->next_ended = 0;
    next_trace(operations);
    operations->first_thread = 0;
}

static struct operations_thread *find_thread(struct operations *operations, uint64_t process,
                                             uint64_t thread, bool is_unknown)
{
    uint32_t left = OPERATIONS_FILE_THREADS - operations->first_thread;
    uint32_t *number =
        map_add(&operations->thread_numbers, left < OPERATIONS_THREADS ? left : OPERATIONS_THREADS,
                process, thread, (uint64_t)is_unknown << 32 | operations->tables->current);
    if (number == NULL) {
        operations->full = true;
        return NULL;
    }
    if (*number == MAP_NEW) {
        *number = operations->thread_count++;
        operations->threads[*number] =
            (struct operations_thread){.process = process, .is_unknown = is_unknown};
    }
    return &operations->threads[*number];
}

/* A thread that is not registered is one thread all the same [WHO-04]. */
static struct operations_thread *thread_of(struct operations *operations, struct fxt_thread_ref ref)
{
    struct fxt_provider *provider = &operations->tables->providers[operations->tables->current];
    struct fxt_thread_slot *slot = &provider->threads[ref.ref];
    if (ref.ref == 0)
        return find_thread(operations, ref.process, ref.thread, false);
    if (slot->generation != provider->generation)
        return find_thread(operations, UINT64_MAX, ref.ref, true);
    if (slot->cookie != 0)
        return &operations->threads[slot->cookie - 1];
    struct operations_thread *found = find_thread(operations, slot->process, slot->thread, false);
    if (found != NULL)
        slot->cookie = (uint32_t)(found - operations->threads) + 1;
    return found;
}

static uint32_t allocate(struct operations *operations)
{
    uint32_t open = operations->free;
    if (open != 0) {
        operations->free = operations->opens[open].next;
        return open;
    }
    if (operations->used < OPERATIONS_OPENS)
        return operations->used++;
    operations->full = true;
    return 0;
}

/* Whether the operation that begins ends with a stray, as the first pass found. */
static bool ends_with_stray(struct operations *operations)
{
    if (!operations->is_matched || operations->next_ended == operations->sorted_count ||
        operations->ended[operations->next_ended] != operations->count)
        return false;
    operations->next_ended++;
    return true;
}

static uint64_t begin(struct operations *operations, struct pairing *pairing, uint64_t time)
{
    struct pairing_rows begins = begins_of(operations);
    uint32_t open = allocate(operations);
    if (open == 0)
        return OPERATION_NONE;
    operations->opens[open].operation = operations->count;
    operations->opens[open].time = time;
    operations->opens[open].place = operations->places;
    if (ends_with_stray(operations))
        pairing_skip(pairing, time);
    else
        pairing_begin(pairing, &begins, open);
    if (pairing->open == open)
        jump_from(operations->open_jumps, open, operations->opens[open].next);
    return operations->count++;
}

static struct operation stray(struct operations *operations, struct pairing *pairing,
                              struct operations_thread *thread, uint64_t time)
{
    struct pairing_rows ends = ends_of(operations);
    uint32_t number = operations->stray_count + 1;
    if (number == OPERATIONS_STRAYS) {
        operations->full = true;
        return (struct operation){OPERATION_NONE, thread, true, 0};
    }
    operations->stray_count = number;
    operations->strays[number].time = time;
    operations->strays[number].place = operations->places;
    pairing_stray(pairing, &ends, number);
    return (struct operation){operations->strays[number].operation, thread, true, number};
}

static struct operation end(struct operations *operations, struct pairing *pairing,
                            struct operations_thread *thread, uint64_t time)
{
    struct pairing_rows begins = begins_of(operations);
    uint32_t open;
    if (!pairing_end(pairing, &begins, time, &open))
        return stray(operations, pairing, thread, time);
    operations->opens[open].next = operations->free;
    operations->free = open;
    return (struct operation){operations->opens[open].operation, thread, true, 0};
}

/* The number of a flow id whose chain has ended, which is forgotten. False if none is found. */
static bool give_way(struct operations *operations, uint32_t *number)
{
    for (unsigned look = 0; look < LOOKS_MAX; look++) {
        *number = operations->next_look++ % OPERATIONS_CHAINS;
        const struct operations_chain *chain = &operations->chains[*number];
        if (!chain->ended || chain->stray_count > 0)
            continue;
        struct map *numbers = &operations->chain_numbers;
        map_remove(numbers, map_find(numbers, chain->id, 0, 0));
        return true;
    }
    return false;
}

static struct operations_chain *find_chain(struct operations *operations, uint64_t id)
{
    struct map *numbers = &operations->chain_numbers;
    uint32_t next = operations->chain_count;
    uint32_t *number = map_add(numbers, OPERATIONS_CHAINS, id, 0, 0);
    if (number == NULL && next == OPERATIONS_CHAINS && give_way(operations, &next))
        number = map_add(numbers, OPERATIONS_CHAINS, id, 0, 0);
    if (number == NULL) {
        operations->full = true;
        return NULL;
    }
    if (*number == MAP_NEW) {
        *number = next;
        operations->chain_count += next == operations->chain_count;
        operations->chains[next] =
            (struct operations_chain){.id = id, .operation = operations->count++};
    }
    return &operations->chains[*number];
}

static struct operation begin_chain(struct operations *operations, struct operations_chain *chain,
                                    uint64_t time)
{
    if (chain->stray_count > 0 && time <= chain->stray_time) {
        chain->stray_count--;
        return (struct operation){.number = chain->stray_operation, .ends = true};
    }
    if (chain->ended)
        chain->operation = operations->count++;
    chain->ended = false;
    chain->open++;
    return (struct operation){.number = chain->operation};
}

/* Strays without a begin between them are one operation: their begins may come late, in any order. */
static void end_stray(struct operations *operations, struct operations_chain *chain, uint64_t time)
{
    bool goes_on = chain->stray_count > 0 && chain->stray_operation == chain->operation;
    if (chain->ended && !goes_on)
        chain->operation = operations->count++;
    if (!goes_on) {
        chain->stray_operation = chain->operation;
        chain->stray_count = 0;
        chain->stray_time = 0;
    }
    chain->stray_count++;
    if (time > chain->stray_time)
        chain->stray_time = time;
}

static struct operation end_chain(struct operations *operations, struct operations_chain *chain,
                                  uint64_t time)
{
    if (chain->open == 0)
        end_stray(operations, chain, time);
    else
        chain->open--;
    chain->ended = chain->open == 0;
    return (struct operation){.number = chain->operation, .ends = chain->ended};
}

static struct operation take_flow(struct operations *operations, const struct item *item,
                                  struct operations_thread *thread)
{
    const struct fxt_event *event = &item->any.event;
    struct operation found = {OPERATION_NONE, thread, false, 0};
    struct operations_chain *chain = find_chain(operations, event->value);
    if (chain == NULL)
        return found;
    found.number = chain->operation;
    if (event->event_type == FXT_EVENT_FLOW_BEGIN)
        found = begin_chain(operations, chain, item->time);
    else if (event->event_type == FXT_EVENT_FLOW_END)
        found = end_chain(operations, chain, item->time);
    found.thread = thread;
    return found;
}

/* Without its thread, an event has no process, and is matched with nothing [ASY-01]. */
static struct operation take_async(struct operations *operations, const struct item *item,
                                   struct operations_thread *thread)
{
    const struct fxt_event *event = &item->any.event;
    struct asyncs *asyncs = &operations->asyncs;
    struct operation found = {OPERATION_NONE, thread, false, 0};
    if (thread == NULL || thread->is_unknown)
        return found;
    uint32_t number = asyncs_find(asyncs, thread->process, event->value);
    operations->full |= number == ASYNC_NONE;
    if (number == ASYNC_NONE)
        return found;
    struct pairing *pairing = &asyncs->it[number].operations;
    if (event->event_type == FXT_EVENT_ASYNC_BEGIN) {
        found.number = begin(operations, pairing, item->time);
    } else if (event->event_type == FXT_EVENT_ASYNC_END) {
        found = end(operations, pairing, thread, item->time);
    } else {
        uint32_t open = open_around(operations, pairing, item->time);
        found.number = open != 0 ? operations->opens[open].operation : OPERATION_NONE;
    }
    uint32_t old = asyncs_settle(asyncs, number);
    if (old != ASYNC_NONE)
        asyncs_forget(asyncs, old);
    return found;
}

struct operation operations_take(struct operations *operations, const struct item *item)
{
    struct operation none = {OPERATION_NONE, NULL, false, 0};
    if (item->kind == FXT_KIND_MAGIC) {
        end_trace(operations);
        next_trace(operations);
    }
    if (!item_is_event(item))
        return none;
    const struct fxt_event *event = &item->any.event;
    operations->places++;
    none.thread = thread_of(operations, event->thread);
    if (event->event_type >= FXT_EVENT_FLOW_BEGIN && event->event_type <= FXT_EVENT_FLOW_END)
        return take_flow(operations, item, none.thread);
    if (event->event_type >= FXT_EVENT_ASYNC_BEGIN && event->event_type <= FXT_EVENT_ASYNC_END)
        return take_async(operations, item, none.thread);
    if (none.thread == NULL)
        return none;
    if (operations->before != NULL && (event->event_type == FXT_EVENT_DURATION_BEGIN ||
                                       event->event_type == FXT_EVENT_DURATION_END))
        operations->before(operations->context, none.thread, item->ticks);
    switch (event->event_type) {
    case FXT_EVENT_DURATION_BEGIN:
        none.number = begin(operations, &none.thread->durations, item->ticks);
        return none;
    case FXT_EVENT_DURATION_END:
        return end(operations, &none.thread->durations, none.thread, item->ticks);
    case FXT_EVENT_DURATION_COMPLETE:
        none.number = operations->count++;
        none.ends = true;
        return none;
    default:
        return none;
    }
}
