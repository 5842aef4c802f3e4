/* What contracts.c is made of: ACSL as C that runs.

   An ACSL integer is an __int128; an operation that leaves it ends the program. A term is read in a
   state, now or before the call; the state before is a copy of what the contract calls valid, which
   acsl_keep makes just before the call. A pointer is always one of now. */
#ifndef FXT_FUZZ_ACSL_H
#define FXT_FUZZ_ACSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 integer;

enum acsl_state { ACSL_NOW, ACSL_BEFORE };

/* The lvalue `it` as it is in that state. */
#define ACSL_AT(state, it) (*(__typeof__(it) *)acsl_at((state), &(it), sizeof(it)))

#define ACSL_AREAS 64
#define ACSL_PIECES 192

struct acsl_area {
    uintptr_t from;
    uintptr_t end;
};

/* A part of an area that is assigned as a whole, or not at all, and its copy. */
struct acsl_piece {
    struct acsl_area area;
    uint8_t *copy;
    bool assigned;
};

/* A call that is under way. It may have others inside. */
struct acsl_call {
    const char *function;
    struct acsl_call *outer;
    size_t room;   /* of the copies, used when it began */
    bool required; /* the requires clauses are being evaluated: they say which areas there are */
    unsigned areas;
    unsigned assigned;
    unsigned pieces;
    struct acsl_area area[ACSL_AREAS];
    struct acsl_area assign[ACSL_AREAS];
    struct acsl_piece piece[ACSL_PIECES];
};

void acsl_begin(struct acsl_call *call, const char *function);
void acsl_assigns(struct acsl_call *call, const void *base, size_t size, integer first,
                  integer last);
void acsl_keep(struct acsl_call *call);
/* Ends the program if something else than what the clause names has changed. */
void acsl_frame(const struct acsl_call *call, const char *place, const char *clause);
void acsl_end(const struct acsl_call *call);

_Noreturn void acsl_broken(const char *place, const char *clause);
_Noreturn void acsl_fault(const char *what);

/* Where the `size` bytes at p are in the state before the call. */
const void *acsl_before(const void *p, size_t size);

/* \valid and \valid_read of base[first .. last]: known to be memory, if ASan is there to ask. */
bool acsl_valid(const void *base, size_t size, integer first, integer last);

/* A range of `size` bytes an element, for acsl_separated. */
struct acsl_range {
    const void *base;
    size_t size;
    integer first;
    integer last;
};
bool acsl_separated(const struct acsl_range *ranges, unsigned count);

integer acsl_mul(integer a, integer b);
const void *acsl_move(const void *base, size_t size, integer by);

#define ACSL_INLINE static inline __attribute__((always_inline, unused))

ACSL_INLINE const void *acsl_at(enum acsl_state state, const void *p, size_t size)
{
    return state == ACSL_NOW ? p : acsl_before(p, size);
}

ACSL_INLINE integer acsl_add(integer a, integer b)
{
    integer sum;
    if (__builtin_add_overflow(a, b, &sum))
        acsl_fault("a sum is too large for 128 bits");
    return sum;
}

ACSL_INLINE integer acsl_sub(integer a, integer b)
{
    integer difference;
    if (__builtin_sub_overflow(a, b, &difference))
        acsl_fault("a difference is too large for 128 bits");
    return difference;
}

ACSL_INLINE ptrdiff_t acsl_index(integer i)
{
    if (i < PTRDIFF_MIN || i > PTRDIFF_MAX)
        acsl_fault("an index is too large");
    return (ptrdiff_t)i;
}

#endif
