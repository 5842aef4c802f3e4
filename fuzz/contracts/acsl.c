/* The state before a call, and what can be said of areas of memory. The state is the thread's: the
   call that is under way, and the room for its copies. */
#include "fuzz/contracts/acsl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an area that stays, both ends are kept: so a call costs no more for a large one. */
#define WHOLE 4096u
#define END 1024u
#define ROOM 131072u

static _Thread_local struct acsl_call *current;
static _Thread_local _Alignas(16) uint8_t room[ROOM];
static _Thread_local size_t room_used;

/* ASan's, where it is linked. */
__attribute__((weak)) void *__asan_region_is_poisoned(void *beg, size_t size);

_Noreturn void acsl_broken(const char *place, const char *clause)
{
    fprintf(stderr, "%s: %s: does not hold: %s\n", place, current->function, clause);
    abort();
}

_Noreturn void acsl_fault(const char *what)
{
    fprintf(stderr, "fuzz/contracts: %s: cannot be evaluated: %s\n",
            current != NULL ? current->function : "?", what);
    abort();
}

integer acsl_mul(integer a, integer b)
{
    /* No signed product: clang would check it by a function that libgcc has not. */
    integer product = (integer)((unsigned __int128)a * (unsigned __int128)b);
    const integer span = (integer)1 << 63;
    if (-span <= a && a < span && -span <= b && b < span)
        return product;
    const integer max = (integer)(~(unsigned __int128)0 >> 1);
    integer size_a = a < 0 ? -a : a;
    integer size_b = b < 0 ? -b : b;
    if (size_a != 0 && size_b > max / size_a)
        acsl_fault("a product is too large for 128 bits");
    return product;
}

const void *acsl_move(const void *base, size_t size, integer by)
{
    return (const void *)((uintptr_t)base + (uintptr_t)acsl_mul((integer)size, by));
}

static struct acsl_area area_of(const void *base, size_t size, integer first, integer last)
{
    struct acsl_area area = {0, 0};
    if (last >= first) {
        area.from = (uintptr_t)acsl_move(base, size, first);
        area.end = area.from + (uintptr_t)acsl_mul((integer)size, last - first + 1);
        if (area.end < area.from)
            area.end = UINTPTR_MAX;
    }
    return area;
}

static void add(struct acsl_area *areas, unsigned *count, struct acsl_area area)
{
    for (unsigned i = 0; i < *count; i++)
        if (areas[i].from <= area.from && area.end <= areas[i].end)
            return;
    if (area.from < area.end && *count < ACSL_AREAS)
        areas[(*count)++] = area;
}

bool acsl_valid(const void *base, size_t size, integer first, integer last)
{
    struct acsl_area area = area_of(base, size, first, last);
    if (area.from == area.end)
        return true;
    if (__asan_region_is_poisoned != NULL &&
        __asan_region_is_poisoned((void *)area.from, area.end - area.from) != NULL)
        return false;
    if (current->required)
        add(current->area, &current->areas, area);
    return base != NULL;
}

bool acsl_separated(const struct acsl_range *ranges, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct acsl_area a =
            area_of(ranges[i].base, ranges[i].size, ranges[i].first, ranges[i].last);
        for (unsigned k = 0; k < i; k++) {
            struct acsl_area b =
                area_of(ranges[k].base, ranges[k].size, ranges[k].first, ranges[k].last);
            if (a.from < a.end && b.from < b.end && a.from < b.end && b.from < a.end)
                return false;
        }
    }
    return true;
}

void acsl_begin(struct acsl_call *call, const char *function)
{
    call->function = function;
    call->outer = current;
    call->room = room_used;
    call->required = true;
    call->areas = 0;
    call->assigned = 0;
    call->pieces = 0;
    current = call;
}

void acsl_end(const struct acsl_call *call)
{
    room_used = call->room;
    current = call->outer;
}

void acsl_assigns(struct acsl_call *call, const void *base, size_t size, integer first,
                  integer last)
{
    if (call->assigned == ACSL_AREAS)
        acsl_fault("too many places are assigned");
    add(call->assign, &call->assigned, area_of(base, size, first, last));
}

/* A copy at an address that is as aligned as its original. */
static void keep_piece(struct acsl_call *call, struct acsl_area area, bool assigned)
{
    size_t size = area.end - area.from;
    size_t at = ((room_used + 15) & ~(size_t)15) + area.from % 16;
    if (call->pieces == ACSL_PIECES || at > ROOM || size > ROOM - at)
        return;
    struct acsl_piece *piece = &call->piece[call->pieces++];
    piece->area = area;
    piece->assigned = assigned;
    piece->copy = room + at;
    memcpy(piece->copy, (const void *)area.from, size);
    room_used = at + size;
}

static void keep_part(struct acsl_call *call, struct acsl_area area, bool assigned)
{
    if (area.end - area.from <= WHOLE) {
        keep_piece(call, area, assigned);
    } else if (!assigned) {
        keep_piece(call, (struct acsl_area){area.from, area.from + END}, false);
        keep_piece(call, (struct acsl_area){area.end - END, area.end}, false);
    }
}

/* Where the part that begins at `from` ends, and whether it is assigned. */
static uintptr_t part_end(const struct acsl_call *call, struct acsl_area area, bool *assigned)
{
    uintptr_t end = area.end;
    *assigned = false;
    for (unsigned i = 0; i < call->assigned; i++) {
        const struct acsl_area *assign = &call->assign[i];
        if (assign->from <= area.from && area.from < assign->end) {
            *assigned = true;
            return assign->end < area.end ? assign->end : area.end;
        }
        if (area.from < assign->from && assign->from < end)
            end = assign->from;
    }
    return end;
}

void acsl_keep(struct acsl_call *call)
{
    call->required = false;
    for (unsigned i = 0; i < call->areas; i++) {
        struct acsl_area left = call->area[i];
        while (left.from < left.end) {
            bool assigned;
            uintptr_t end = part_end(call, left, &assigned);
            keep_part(call, (struct acsl_area){left.from, end}, assigned);
            left.from = end;
        }
    }
}

const void *acsl_before(const void *p, size_t size)
{
    uintptr_t from = (uintptr_t)p;
    for (unsigned i = 0; i < current->pieces; i++) {
        const struct acsl_piece *piece = &current->piece[i];
        if (piece->area.from <= from && from < piece->area.end && size <= piece->area.end - from)
            return piece->copy + (from - piece->area.from);
    }
    for (unsigned i = 0; i < current->assigned; i++)
        if (from < current->assign[i].end && current->assign[i].from < from + size)
            acsl_fault("what is assigned was not kept");
    return p;
}

void acsl_frame(const struct acsl_call *call, const char *place, const char *clause)
{
    for (unsigned i = 0; i < call->pieces; i++) {
        const struct acsl_piece *piece = &call->piece[i];
        size_t size = piece->area.end - piece->area.from;
        if (!piece->assigned && memcmp(piece->copy, (const void *)piece->area.from, size) != 0)
            acsl_broken(place, clause);
    }
}
