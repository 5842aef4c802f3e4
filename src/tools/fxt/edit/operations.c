/* Operations. If there is no place for a pair, one that has ended gives way. Invariant: free entries of `opens` are in the list `free`, and those from `used` on were never
   used; the others are in a list of a thread. */
#include "src/tools/fxt/edit/operations.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "src/cli/memory.h"

#define LOOKS_MAX 128u /* at pairs, for one that has ended */

struct operations *operations_new(void)
{
    return memory_zeroed(sizeof(struct operations));
}

void operations_free(struct operations *operations)
{
    if (operations == NULL)
        return;
    map_clear(&operations->thread_numbers);
    map_clear(&operations->pair_numbers);
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

/* Durations end after those inside, so the ones that wait for a duration around them are the last
   ones, a list by `next`. */
static void match_strays(struct operations *operations, const struct operations_thread *thread)
{
    struct pairing_rows begins = begins_of(operations), ends = ends_of(operations);
    struct pairing_rest rest = pairing_rest(&thread->durations, &begins, &ends);
    struct operations_strays *found = &operations->strays_of[number_of(operations, thread)];
    uint32_t begin, end, waiting = 0;
    *found = (struct operations_strays){.first = operations->sorted_count};
    while (pairing_next(&rest, &begin, &end)) {
        struct operations_stray *stray = &operations->strays[end];
        stray->operation = OPERATION_NONE;
        stray->around = 0;
        if (begin == 0)
            continue;
        stray->operation = operations->opens[begin].operation;
        stray->begin = operations->opens[begin].time;
        for (; waiting != 0 && operations->strays[waiting].begin >= stray->begin;
             waiting = operations->strays[waiting].next)
            operations->strays[waiting].around = end;
        stray->next = waiting;
        waiting = end;
        operations->by_time[operations->sorted_count++] = end;
        found->count++;
    }
    for (uint32_t i = found->first + found->count; i-- > found->first;)
        jump_from(operations->stray_jumps, operations->by_time[i],
                  operations->strays[operations->by_time[i]].around);
}

static void end_trace(struct operations *operations)
{
    for (uint32_t i = 0; !operations->is_matched && i < operations->thread_count; i++)
        if (operations->threads[i].durations.stray != 0)
            match_strays(operations, &operations->threads[i]);
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

uint32_t operations_open_around(const struct operations *operations,
                                const struct operations_thread *thread, uint64_t time)
{
    uint32_t open = thread->durations.open;
    while (open != 0 && operations->opens[open].time > time) {
        uint32_t far = operations->open_jumps[open].to;
        open = operations->opens[far].time > time ? far : operations->opens[open].next;
    }
    return open;
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
    operations->pair_count = 0;
    map_clear(&operations->thread_numbers);
    map_clear(&operations->pair_numbers);
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
                                             uint64_t thread)
{
    uint32_t left = OPERATIONS_FILE_THREADS - operations->first_thread;
    uint32_t *number =
        map_add(&operations->thread_numbers, left < OPERATIONS_THREADS ? left : OPERATIONS_THREADS,
                process, thread, operations->tables->current);
    if (number == NULL) {
        operations->full = true;
        return NULL;
    }
    if (*number == MAP_NEW) {
        *number = operations->thread_count++;
        operations->threads[*number] = (struct operations_thread){.process = process};
    }
    return &operations->threads[*number];
}

/* A thread that is not registered is one thread all the same. */
static struct operations_thread *thread_of(struct operations *operations, struct fxt_thread_ref ref)
{
    struct fxt_provider *provider = &operations->tables->providers[operations->tables->current];
    struct fxt_thread_slot *slot = &provider->threads[ref.ref];
    if (ref.ref == 0)
        return find_thread(operations, ref.process, ref.thread);
    if (slot->generation != provider->generation)
        return find_thread(operations, UINT64_MAX, ref.ref);
    if (slot->cookie != 0)
        return &operations->threads[slot->cookie - 1];
    struct operations_thread *found = find_thread(operations, slot->process, slot->thread);
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

static uint64_t begin(struct operations *operations, struct operations_thread *thread,
                      uint64_t time)
{
    struct pairing_rows begins = begins_of(operations);
    uint32_t open = allocate(operations);
    if (open == 0)
        return OPERATION_NONE;
    operations->opens[open].operation = operations->count;
    operations->opens[open].time = time;
    operations->opens[open].place = operations->places;
    if (ends_with_stray(operations))
        pairing_skip(&thread->durations, time);
    else
        pairing_begin(&thread->durations, &begins, open);
    if (thread->durations.open == open)
        jump_from(operations->open_jumps, open, operations->opens[open].next);
    return operations->count++;
}

static struct operation stray(struct operations *operations, struct operations_thread *thread,
                              uint64_t time)
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
    pairing_stray(&thread->durations, &ends, number);
    return (struct operation){operations->strays[number].operation, thread, true, number};
}

static struct operation end(struct operations *operations, struct operations_thread *thread,
                            uint64_t time)
{
    struct pairing_rows begins = begins_of(operations);
    uint32_t open;
    if (!pairing_end(&thread->durations, &begins, time, &open))
        return stray(operations, thread, time);
    operations->opens[open].next = operations->free;
    operations->free = open;
    return (struct operation){operations->opens[open].operation, thread, true, 0};
}

/* The number of a pair that has ended, which is forgotten. False if none is found. */
static bool give_way(struct operations *operations, uint32_t *number)
{
    for (unsigned look = 0; look < LOOKS_MAX; look++) {
        *number = operations->next_look++ % OPERATIONS_PAIRS;
        const struct operations_pair *pair = &operations->pairs[*number];
        if (!pair->ended || pair->stray_count > 0)
            continue;
        struct map *numbers = &operations->pair_numbers;
        map_remove(numbers, map_find(numbers, pair->id, pair->process, pair->flow));
        return true;
    }
    return false;
}

static struct operations_pair *find_pair(struct operations *operations, uint64_t id,
                                         uint64_t process, bool flow)
{
    struct map *numbers = &operations->pair_numbers;
    uint32_t next = operations->pair_count;
    uint32_t *number = map_add(numbers, OPERATIONS_PAIRS, id, process, flow);
    if (number == NULL && next == OPERATIONS_PAIRS && give_way(operations, &next))
        number = map_add(numbers, OPERATIONS_PAIRS, id, process, flow);
    if (number == NULL) {
        operations->full = true;
        return NULL;
    }
    if (*number == MAP_NEW) {
        *number = next;
        operations->pair_count += next == operations->pair_count;
        operations->pairs[next] = (struct operations_pair){
            .id = id, .process = process, .operation = operations->count++, .flow = flow};
    }
    return &operations->pairs[*number];
}

static struct operation begin_pair(struct operations *operations, struct operations_pair *pair,
                                   uint64_t time)
{
    if (pair->stray_count > 0 && time <= pair->stray_time) {
        pair->stray_count--;
        return (struct operation){.number = pair->stray_operation, .ends = true};
    }
    if (pair->ended)
        pair->operation = operations->count++;
    pair->ended = false;
    pair->open++;
    return (struct operation){.number = pair->operation};
}

/* Strays without a begin between them are one operation: their begins may come late, in any order. */
static void end_stray(struct operations *operations, struct operations_pair *pair, uint64_t time)
{
    bool goes_on = pair->stray_count > 0 && pair->stray_operation == pair->operation;
    if (pair->ended && !goes_on)
        pair->operation = operations->count++;
    if (!goes_on) {
        pair->stray_operation = pair->operation;
        pair->stray_count = 0;
        pair->stray_time = 0;
    }
    pair->stray_count++;
    if (time > pair->stray_time)
        pair->stray_time = time;
}

static struct operation end_pair(struct operations *operations, struct operations_pair *pair,
                                 uint64_t time)
{
    if (pair->open == 0)
        end_stray(operations, pair, time);
    else
        pair->open--;
    pair->ended = pair->open == 0;
    return (struct operation){.number = pair->operation, .ends = pair->ended};
}

static struct operation take_pair(struct operations *operations, const struct item *item,
                                  struct operations_thread *thread)
{
    const struct fxt_event *event = &item->any.event;
    bool flow = event->event_type >= FXT_EVENT_FLOW_BEGIN;
    struct operation found = {OPERATION_NONE, thread, false, 0};
    if (!flow && thread == NULL)
        return found;
    struct operations_pair *pair =
        find_pair(operations, event->value, flow ? 0 : thread->process, flow);
    if (pair == NULL)
        return found;
    found.number = pair->operation;
    if (event->event_type == FXT_EVENT_ASYNC_BEGIN || event->event_type == FXT_EVENT_FLOW_BEGIN)
        found = begin_pair(operations, pair, item->time);
    else if (event->event_type == FXT_EVENT_ASYNC_END || event->event_type == FXT_EVENT_FLOW_END)
        found = end_pair(operations, pair, item->time);
    found.thread = thread;
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
    if (event->event_type >= FXT_EVENT_ASYNC_BEGIN && event->event_type <= FXT_EVENT_FLOW_END)
        return take_pair(operations, item, none.thread);
    if (none.thread == NULL)
        return none;
    if (operations->before != NULL && (event->event_type == FXT_EVENT_DURATION_BEGIN ||
                                       event->event_type == FXT_EVENT_DURATION_END))
        operations->before(operations->context, none.thread, item->ticks);
    switch (event->event_type) {
    case FXT_EVENT_DURATION_BEGIN:
        none.number = begin(operations, none.thread, item->ticks);
        return none;
    case FXT_EVENT_DURATION_END:
        return end(operations, none.thread, item->ticks);
    case FXT_EVENT_DURATION_COMPLETE:
        none.number = operations->count++;
        none.ends = true;
        return none;
    default:
        return none;
    }
}
