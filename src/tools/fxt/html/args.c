/* The arguments of an event, as the page reads them. For each of them:

     name    a number of `names`
     type    that of the format
     value   null: nothing. int32, int64: zigzag. uint32, uint64, pointer, koid, bool: the number.
             double: 8 bytes, little endian. string: size and bytes. blob: size, and as many of its
             first BLOB_SHOWN bytes as there are. Unknown types: nothing.

   Numbers are LEB128: 7 bits a byte, the lowest first. Those of all items are in page->args. */
#include <stdlib.h>
#include <string.h>

#include "src/convert/args.h"
#include "src/tools/fxt/html/page.h"

#define ROOM_FIRST (64u << 10) /* ARGS_BYTES is this times a power of two */
#define NUMBER_BYTES 10u
#define BLOB_SHOWN 64u

/* Where `size` more bytes fit, or NULL. */
static uint8_t *find_room(struct page *page, uint64_t size)
{
    uint64_t room = page->args_room > 0 ? page->args_room : ROOM_FIRST;
    while (room - page->args_size < size)
        room *= 2;
    if (room > page->args_room) {
        uint8_t *args = room <= ARGS_BYTES ? realloc(page->args, (size_t)room) : NULL;
        if (args == NULL)
            return NULL;
        page->args = args;
        page->args_room = room;
    }
    return page->args + page->args_size;
}

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

static uint8_t *put_text(uint8_t *to, struct fxt_bytes text, uint64_t shown)
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

static struct fxt_bytes text_of(const struct page *page, const struct arg_row *arg)
{
    enum fxt_convert_arg_shape shape = fxt_convert_arg_shape_of(arg->type);
    if (shape != FXT_CONVERT_ARG_STRING && shape != FXT_CONVERT_ARG_BLOB)
        return (struct fxt_bytes){NULL, 0};
    return texts_at(&page->timeline->texts, (uint32_t)arg->value);
}

static uint8_t *put_value(uint8_t *to, const struct arg_row *arg, struct fxt_bytes text)
{
    switch (fxt_convert_arg_shape_of(arg->type)) {
    case FXT_CONVERT_ARG_INT32:
    case FXT_CONVERT_ARG_INT64:
        return put_signed(to, (int64_t)arg->value);
    case FXT_CONVERT_ARG_DOUBLE:
        return put_word(to, arg->value);
    case FXT_CONVERT_ARG_STRING:
        return put_text(to, text, text.size);
    case FXT_CONVERT_ARG_BLOB:
        return put_text(to, text, text.size < BLOB_SHOWN ? text.size : BLOB_SHOWN);
    case FXT_CONVERT_ARG_UINT32:
    case FXT_CONVERT_ARG_UINT64:
    case FXT_CONVERT_ARG_ADDRESS:
    case FXT_CONVERT_ARG_BOOL:
        return put_number(to, arg->value);
    case FXT_CONVERT_ARG_NOTHING:
    case FXT_CONVERT_ARG_UNKNOWN:
        break;
    }
    return to;
}

static bool put_arg(struct page *page, const struct arg_row *arg)
{
    struct fxt_bytes text = text_of(page, arg);
    uint8_t *to = find_room(page, 3 * NUMBER_BYTES + text.size);
    if (to == NULL)
        return false;
    to = put_number(to, page_name(page, arg->key));
    *to++ = arg->type;
    to = put_value(to, arg, text);
    page->args_size = (uint64_t)(to - page->args);
    return true;
}

bool page_put_args(struct page *page, uint32_t args)
{
    const struct timeline *timeline = page->timeline;
    bool good = true;
    for (uint32_t set = args; set != ROW_NONE; set = sets_at(timeline, set)->next) {
        const struct set_row *row = sets_at(timeline, set);
        for (uint32_t i = 0; good && i < row->count; i++)
            good = put_arg(page, args_at(timeline, row->first + i));
    }
    return good;
}
