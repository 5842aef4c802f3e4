/* Texts by number. Invariant: slots hold each interned text once, and at most half are used. */
#include "src/tools/fxt/tables/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/convert/escape.h"
#include "src/cli/size.h"
#include "src/tools/fxt/tables/map.h"

#define FIRST_SLOTS TOOL_SIZE(1024u)
#define FIRST_BYTES TOOL_SIZE(64u << 10)
#define ESCAPED_BYTES 4u /* \xNN */

static uint32_t *free_slots(uint32_t count)
{
    uint32_t *slots = malloc(count * sizeof *slots);
    if (slots != NULL)
        memset(slots, 0xff, count * sizeof *slots);
    return slots;
}

bool texts_init(struct texts *texts)
{
    *texts = (struct texts){.slots = free_slots(FIRST_SLOTS),
                            .mask = FIRST_SLOTS - 1,
                            .seed = map_seed(),
                            .bytes = malloc(FIRST_BYTES),
                            .capacity = FIRST_BYTES};
    bool good = array_init(&texts->rows, sizeof(struct text_row));
    if (!good || texts->slots == NULL || texts->bytes == NULL)
        return false;
    return texts_add_plain(texts, "") == TEXT_EMPTY;
}

void texts_free(struct texts *texts)
{
    array_free(&texts->rows);
    free(texts->slots);
    free(texts->bytes);
    *texts = (struct texts){.slots = NULL};
}

static uint64_t hash_of(const struct texts *texts, struct fxt_bytes text)
{
    uint64_t hash = map_hash(texts->seed, text.size, 0);
    uint64_t word = 0;
    uint64_t at = 0;
    for (; text.size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text.bytes + at, sizeof word);
        hash = map_hash(hash, word, texts->seed);
    }
    word = 0;
    if (at < text.size)
        memcpy(&word, text.bytes + at, (size_t)(text.size - at));
    return map_hash(hash, word, texts->seed);
}

static uint32_t *place(const struct texts *texts, struct fxt_bytes text)
{
    uint32_t at = (uint32_t)hash_of(texts, text) & texts->mask;
    for (; texts->slots[at] != ROW_NONE; at = (at + 1) & texts->mask) {
        struct fxt_bytes own = texts_at(texts, texts->slots[at]);
        if (own.size == text.size &&
            (text.size == 0 || memcmp(own.bytes, text.bytes, (size_t)text.size) == 0))
            break;
    }
    return &texts->slots[at];
}

uint32_t texts_find(const struct texts *texts, struct fxt_bytes text)
{
    return *place(texts, text);
}

static bool grow_slots(struct texts *texts)
{
    struct texts larger = *texts;
    if (texts->mask > UINT32_MAX / 4)
        return false;
    larger.mask = texts->mask * 2 + 1;
    larger.slots = free_slots(larger.mask + 1);
    if (larger.slots == NULL)
        return false;
    for (uint32_t i = 0; i <= texts->mask; i++)
        if (texts->slots[i] != ROW_NONE)
            *place(&larger, texts_at(texts, texts->slots[i])) = texts->slots[i];
    free(texts->slots);
    texts->slots = larger.slots;
    texts->mask = larger.mask;
    return true;
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
    uint32_t *slot = place(texts, text);
    if (*slot != ROW_NONE)
        return *slot;
    if (texts->used > texts->mask / 2) {
        if (!grow_slots(texts)) {
            texts->failed = true;
            return TEXT_EMPTY;
        }
        slot = place(texts, text);
    }
    uint32_t number = texts_keep(texts, text);
    if (!texts->failed && !texts->rows.failed) {
        *slot = number;
        texts->used++;
    }
    return number;
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
