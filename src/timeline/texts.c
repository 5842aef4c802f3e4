/* Texts by number. */
#include "src/timeline/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/convert/escape.h"
#include "src/cli/size.h"

#define FIRST_BYTES TOOL_SIZE(64u << 10)
#define ESCAPED_BYTES 4u /* \xNN */

bool texts_init(struct texts *texts)
{
    *texts = (struct texts){.bytes = malloc(FIRST_BYTES), .capacity = FIRST_BYTES};
    bool good = array_init(&texts->rows, sizeof(struct text_row));
    if (!good || texts->bytes == NULL)
        return false;
    return texts_add_plain(texts, "") == TEXT_EMPTY;
}

void texts_free(struct texts *texts)
{
    array_free(&texts->rows);
    map_clear(&texts->numbers);
    free(texts->bytes);
    *texts = (struct texts){.bytes = NULL};
}

static struct fxt_bytes text_at(const void *texts, uint32_t number)
{
    return texts_at(texts, number);
}

uint32_t texts_find(const struct texts *texts, struct fxt_bytes text)
{
    const uint32_t *number = map_find_text(&texts->numbers, text, text_at, texts);
    return number != NULL ? *number : ROW_NONE;
}

static bool has_room(struct texts *texts, uint64_t size)
{
    uint64_t capacity = texts->capacity;
    while (capacity - texts->size < size)
        capacity *= 2;
    uint8_t *bytes =
        capacity > texts->capacity ? realloc(texts->bytes, (size_t)capacity) : texts->bytes;
    texts->failed = texts->failed || bytes == NULL;
    if (bytes == NULL)
        return false;
    texts->bytes = bytes;
    texts->capacity = capacity;
    return true;
}

uint32_t texts_keep(struct texts *texts, struct fxt_bytes bytes)
{
    if (!has_room(texts, bytes.size))
        return TEXT_EMPTY;
    uint32_t number = texts->rows.count;
    struct text_row *row = array_add(&texts->rows);
    if (texts->rows.failed)
        return TEXT_EMPTY;
    *row = (struct text_row){texts->size, bytes.size};
    if (bytes.size > 0)
        memcpy(texts->bytes + texts->size, bytes.bytes, (size_t)bytes.size);
    texts->size += bytes.size;
    return number;
}

static uint32_t intern(struct texts *texts, struct fxt_bytes text)
{
    uint32_t *number = map_add_text(&texts->numbers, MAP_UNLIMITED, text, text_at, texts);
    texts->failed = texts->failed || number == NULL;
    if (number == NULL)
        return TEXT_EMPTY;
    if (*number == MAP_NEW)
        *number = texts_keep(texts, text);
    return *number;
}

static bool is_plain(struct fxt_bytes text)
{
    return fxt_utf8_valid(text.bytes, text.size) &&
           (text.size == 0 || memchr(text.bytes, '\0', (size_t)text.size) == NULL);
}

static uint32_t add_escaped(struct texts *texts, struct fxt_bytes text)
{
    char *escaped = malloc((size_t)text.size * ESCAPED_BYTES + 1);
    size_t size = 0;
    texts->failed = texts->failed || escaped == NULL;
    if (escaped == NULL)
        return TEXT_EMPTY;
    for (uint64_t at = 0; at < text.size;) {
        bool valid;
        size_t length = fxt_escape_character(&valid, text.bytes + at, (size_t)(text.size - at));
        if (valid && text.bytes[at] != '\0') {
            memcpy(escaped + size, text.bytes + at, length);
            size += length;
        } else {
            for (size_t i = 0; i < length; i++)
                size += (size_t)sprintf(escaped + size, "\\x%02x", text.bytes[at + i]);
        }
        at += length;
    }
    uint32_t number = intern(texts, (struct fxt_bytes){(const uint8_t *)escaped, size});
    free(escaped);
    return number;
}

uint32_t texts_add(struct texts *texts, struct fxt_bytes text)
{
    return is_plain(text) ? intern(texts, text) : add_escaped(texts, text);
}

uint32_t texts_add_plain(struct texts *texts, const char *text)
{
    return intern(texts, (struct fxt_bytes){(const uint8_t *)text, strlen(text)});
}
