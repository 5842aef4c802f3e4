/* Texts of a trace by number: equal texts have the same number. Every text is UTF-8 without NUL,
   so that SQL, JSON and CSV can hold it: each other byte stands as the four characters \xNN. */
#ifndef FXT_TIMELINE_TEXTS_H
#define FXT_TIMELINE_TEXTS_H

#include <fxt/record.h>

#include "src/timeline/map.h"
#include "src/timeline/array.h"

#define TEXT_EMPTY 0u

struct text_row {
    uint64_t at; /* in bytes */
    uint64_t size;
};

struct texts {
    struct array rows; /* of struct text_row */
    struct map numbers;
    uint8_t *bytes;
    uint64_t size;
    uint64_t capacity;
    bool failed; /* no memory; also see rows.failed */
};

bool texts_init(struct texts *texts);
void texts_free(struct texts *texts);

uint32_t texts_add(struct texts *texts, struct fxt_bytes text);
uint32_t texts_add_plain(struct texts *texts, const char *text);

/* The number of a text that was added, or ROW_NONE. */
uint32_t texts_find(const struct texts *texts, struct fxt_bytes text);

/* Keeps bytes as they are, under a number of their own. */
uint32_t texts_keep(struct texts *texts, struct fxt_bytes bytes);

static inline struct fxt_bytes texts_at(const struct texts *texts, uint32_t text)
{
    const struct text_row *row = array_at(&texts->rows, text);
    return (struct fxt_bytes){texts->bytes + row->at, row->size};
}

#endif
