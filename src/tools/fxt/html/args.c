/* The arguments of an event, as the page reads them. A list is its size in bytes (4 bytes, as
   memory has them; the page has sizes in a column), then for each argument:

     name    a number of `names`
     type    that of the format
     value   null: nothing. int32, int64: zigzag. uint32, uint64, pointer, koid, bool: the number.
             double: 8 bytes, little endian. string: size and bytes. blob: size, and as many of its
             first BLOB_SHOWN bytes as there are. Unknown types: nothing.

   Numbers are LEB128: 7 bits a byte, the lowest first. Invariant: a list is complete, or not
   there. */
#include "src/cli/size.h"
#include "src/tools/fxt/html/timeline.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_BYTES 4u
#define ARGS_FIRST TOOL_SIZE(1u << 20) /* ARGS_BYTES is this times a power of two */
#define NUMBER_BYTES 10u
#define BLOB_SHOWN 64u
#define ARG_FIXED (3 * NUMBER_BYTES + BLOB_SHOWN) /* of an argument, besides its text */

static uint8_t *put_number(uint8_t *to, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    return to;
}

static uint8_t *put_signed(uint8_t *to, int64_t number)
{
    uint64_t twice = (uint64_t)number << 1;
    return put_number(to, number < 0 ? ~twice : twice);
}

static uint8_t *put_bytes(uint8_t *to, struct fxt_bytes text, uint64_t shown)
{
    to = put_number(to, text.size);
    if (shown > 0)
        memcpy(to, text.bytes, (size_t)shown);
    return to + shown;
}

static uint8_t *put_word(uint8_t *to, uint64_t word)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
        *to++ = (uint8_t)(word >> shift);
    return to;
}

static struct fxt_bytes text_of(const struct timeline *timeline, const struct fxt_arg *arg)
{
    static const char unknown[] = "<unknown string>";
    struct fxt_bytes text;
    if (!fxt_tables_string(&timeline->refs.tables, &text, arg->text))
        text = (struct fxt_bytes){(const uint8_t *)unknown, sizeof unknown - 1};
    return text;
}

static uint8_t *put_value(const struct timeline *timeline, uint8_t *to, const struct fxt_arg *arg)
{
    struct fxt_bytes text;
    switch (arg->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return put_signed(to, fxt_arg_int64(arg));
    case FXT_ARG_DOUBLE:
        return put_word(to, arg->value);
    case FXT_ARG_STRING:
        text = text_of(timeline, arg);
        return put_bytes(to, text, text.size);
    case FXT_ARG_BLOB:
        return put_bytes(to, arg->blob, arg->blob.size < BLOB_SHOWN ? arg->blob.size : BLOB_SHOWN);
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_POINTER:
    case FXT_ARG_KOID:
    case FXT_ARG_BOOL:
        return put_number(to, arg->value);
    default:
        return to;
    }
}

static bool grow(struct timeline *timeline, uint64_t size)
{
    uint64_t room = timeline->args_room == 0 ? ARGS_FIRST : timeline->args_room;
    while (room < size)
        room *= 2;
    uint8_t *args = room <= ARGS_BYTES ? realloc(timeline->args, (size_t)room) : NULL;
    if (args == NULL)
        return false;
    timeline->args = args;
    timeline->args_room = (uint32_t)room;
    return true;
}

/* Whether `size` more bytes fit; lists may have moved then. */
static bool has_room(struct timeline *timeline, uint64_t size)
{
    uint64_t whole = timeline->args_used + size;
    if (whole <= timeline->args_room || grow(timeline, whole))
        return true;
    timeline->notes[LEFT_ARGS]++;
    return false;
}

static uint8_t *begin(struct timeline *timeline)
{
    if (timeline->args_used == 0)
        timeline->args_used = SIZE_BYTES; /* no list is at 0 */
    return timeline->args + timeline->args_used + SIZE_BYTES;
}

/* Completes the list that ends at `to`. */
static uint32_t end(struct timeline *timeline, const uint8_t *to)
{
    uint32_t args = timeline->args_used;
    uint32_t size = (uint32_t)(to - (timeline->args + args)) - SIZE_BYTES;
    memcpy(timeline->args + args, &size, SIZE_BYTES);
    timeline->args_used += SIZE_BYTES + size;
    return args;
}

static uint8_t *put_all(struct timeline *timeline, uint8_t *to, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        to = put_number(to, refs_text(&timeline->refs, arg.name));
        *to++ = (uint8_t)arg.type;
        to = put_value(timeline, to, &arg);
    }
    return to;
}

/* The most that a list takes. Every string has at most FXT_STRING_LENGTH_MAX bytes, or lies in the
   record. */
static uint64_t room_for(struct fxt_args args, uint64_t more)
{
    return 2 * SIZE_BYTES + more + args.count * (uint64_t)(ARG_FIXED + FXT_STRING_INLINE);
}

uint32_t args_put(struct timeline *timeline, struct fxt_args args)
{
    if (args.count == 0 || !has_room(timeline, room_for(args, 0)))
        return 0;
    return end(timeline, put_all(timeline, begin(timeline), args));
}

uint32_t args_put_text(struct timeline *timeline, const char *name, struct fxt_bytes text,
                       struct fxt_args args)
{
    if (!has_room(timeline, room_for(args, text.size + ARG_FIXED)))
        return 0;
    uint8_t *to = put_number(begin(timeline), timeline_word(timeline, name));
    *to++ = FXT_ARG_STRING;
    to = put_bytes(to, text, text.size);
    return end(timeline, put_all(timeline, to, args));
}

struct fxt_bytes args_bytes(const struct timeline *timeline, uint32_t args)
{
    uint32_t size;
    if (args == 0)
        return (struct fxt_bytes){NULL, 0};
    memcpy(&size, timeline->args + args, SIZE_BYTES);
    return (struct fxt_bytes){timeline->args + args + SIZE_BYTES, size};
}

uint32_t args_join(struct timeline *timeline, uint32_t first, uint32_t second)
{
    uint64_t size = args_bytes(timeline, first).size + args_bytes(timeline, second).size;
    if (first == 0 || second == 0)
        return first == 0 ? second : first;
    if (!has_room(timeline, 2 * SIZE_BYTES + size))
        return first;
    const struct fxt_bytes parts[] = {args_bytes(timeline, first), args_bytes(timeline, second)};
    uint8_t *to = begin(timeline);
    for (int i = 0; i < 2; i++) {
        memcpy(to, parts[i].bytes, (size_t)parts[i].size);
        to += parts[i].size;
    }
    return end(timeline, to);
}
