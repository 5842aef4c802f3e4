/* See pairs.h. No state. */
#include "fuzz/lib/pairs.h"

static struct fuzz_pair *find(struct fuzz_pairs *pairs, const struct fxt_event *event, bool flow)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->all[i].id == event->value && pairs->all[i].flow == flow)
            return &pairs->all[i];
    if (pairs->count == FUZZ_PAIRS_MAX) {
        pairs->unknown = true;
        return NULL;
    }
    pairs->all[pairs->count] = (struct fuzz_pair){.id = event->value,
                                                  .thread = event->thread,
                                                  .first = UINT64_MAX,
                                                  .first_begin = UINT64_MAX,
                                                  .flow = flow};
    return &pairs->all[pairs->count++];
}

static void count(struct fuzz_pair *pair, uint64_t at, bool begin, bool end)
{
    pair->begins += begin;
    pair->ends += end;
    if (at < pair->first)
        pair->first = at;
    if (at > pair->last)
        pair->last = at;
    if (begin && at < pair->first_begin)
        pair->first_begin = at;
    if (end && at > pair->last_end)
        pair->last_end = at;
}

static void take_event(struct fuzz_pairs *pairs, const struct fxt_event *event)
{
    bool flow = event->event_type >= FXT_EVENT_FLOW_BEGIN;
    if (event->event_type < FXT_EVENT_ASYNC_BEGIN || event->event_type > FXT_EVENT_FLOW_END)
        return;
    struct fuzz_pair *pair = find(pairs, event, flow);
    if (pair == NULL)
        return;
    pair->mixed |=
        event->thread.ref != pair->thread.ref || event->thread.process != pair->thread.process;
    count(pair, event->timestamp,
          event->event_type == FXT_EVENT_ASYNC_BEGIN || event->event_type == FXT_EVENT_FLOW_BEGIN,
          event->event_type == FXT_EVENT_ASYNC_END || event->event_type == FXT_EVENT_FLOW_END);
}

void fuzz_pairs_take(struct fuzz_pairs *pairs, const struct fxt_record *record)
{
    struct fxt_initialization initialization;
    struct fxt_thread thread;
    struct fxt_event event;
    struct fxt_error error;

    if (fxt_read_thread(record, &thread, &error) == FXT_OK && thread.index <= FXT_THREAD_INDEX_MAX)
        pairs->threads[thread.index]++;
    if (fxt_read_initialization(record, &initialization, &error) == FXT_OK)
        pairs->unknown |= initialization.ticks_per_second != UINT64_C(1000000000);
    else if (fxt_read_event(record, &event, &error) == FXT_OK)
        take_event(pairs, &event);
}

bool fuzz_pair_is_known(const struct fuzz_pairs *pairs, const struct fuzz_pair *pair)
{
    bool known = pair->thread.ref == 0 || pairs->threads[pair->thread.ref] == 1;
    return pair->flow || (known && !pair->mixed);
}

bool fuzz_pair_is_broken(const struct fuzz_pair *pair)
{
    return pair->begins != pair->ends || pair->begins == 0 || pair->first < pair->first_begin ||
           pair->last > pair->last_end;
}
