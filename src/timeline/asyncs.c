/* Async ids. Invariant: one that waits for nothing is in the list first … last, and no other is. */
#include "src/timeline/asyncs.h"

static void unlink_idle(struct asyncs *asyncs, uint32_t number)
{
    const struct async *async = &asyncs->it[number];
    *(async->previous != ASYNC_NONE ? &asyncs->it[async->previous].next : &asyncs->first) =
        async->next;
    *(async->next != ASYNC_NONE ? &asyncs->it[async->next].previous : &asyncs->last) =
        async->previous;
    asyncs->idle--;
}

static void link_idle(struct asyncs *asyncs, uint32_t number)
{
    asyncs->it[number].previous = asyncs->last;
    asyncs->it[number].next = ASYNC_NONE;
    *(asyncs->last != ASYNC_NONE ? &asyncs->it[asyncs->last].next : &asyncs->first) = number;
    asyncs->last = number;
    asyncs->idle++;
}

uint32_t asyncs_find(struct asyncs *asyncs, uint64_t process, uint64_t id)
{
    uint32_t *known = map_add(&asyncs->numbers, ASYNCS_MAX - 1, process, id, 0);
    if (known == NULL) {
        asyncs->full = true;
        return ASYNC_NONE;
    }
    if (*known != MAP_NEW)
        return *known;
    uint32_t number = asyncs->free;
    if (number != ASYNC_NONE)
        asyncs->free = asyncs->it[number].next;
    else
        number = ++asyncs->used;
    *known = number;
    asyncs->it[number] = (struct async){.process = process, .id = id};
    link_idle(asyncs, number);
    return number;
}

uint32_t asyncs_settle(struct asyncs *asyncs, uint32_t number)
{
    struct async *async = &asyncs->it[number];
    const struct pairing *operations = &async->operations;
    bool waits = operations->open != 0 || operations->late != 0 || operations->stray != 0;
    if (waits != async->waits)
        (waits ? unlink_idle : link_idle)(asyncs, number);
    async->waits = waits;
    return asyncs->idle > ASYNCS_IDLE ? asyncs->first : ASYNC_NONE;
}

void asyncs_forget(struct asyncs *asyncs, uint32_t number)
{
    const struct async *async = &asyncs->it[number];
    unlink_idle(asyncs, number);
    map_remove(&asyncs->numbers, map_find(&asyncs->numbers, async->process, async->id, 0));
    asyncs->it[number].next = asyncs->free;
    asyncs->free = number;
}

void asyncs_clear(struct asyncs *asyncs)
{
    map_clear(&asyncs->numbers);
    asyncs->used = asyncs->free = asyncs->idle = asyncs->first = asyncs->last = 0;
}
