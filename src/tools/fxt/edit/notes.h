/* A byte for each operation of a trace, from one pass to the next. */
#ifndef FXT_TOOLS_FXT_EDIT_NOTES_H
#define FXT_TOOLS_FXT_EDIT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

struct notes {
    uint8_t *it;
    uint64_t size;
    const char *file; /* named in messages */
    int fd;
    bool failed; /* a message was printed */
};

/* False after a message. */
bool notes_open(struct notes *notes, const char *file);

/* Adds bits to the byte at `index`, which is at most one more than any index before it. */
void notes_add(struct notes *notes, uint64_t index, uint8_t bits);

/* The byte; 0 if nothing was added. */
static inline uint8_t notes_get(const struct notes *notes, uint64_t index)
{
    return index < notes->size ? notes->it[index] : 0;
}

void notes_close(struct notes *notes);

#endif
