/* Texts by number. Invariant: text n is bytes[ends[n - 1] … ends[n] - 1], and slots has each number
   but 0 once. A lookup costs at most PROBE_MAX steps, whatever texts a trace chooses. */
#include "src/tools/fxt/refs/names.h"

#include <string.h>

#define PROBE_MAX 512u
#define SLOTS (2 * NAMES_MAX)

void names_init(struct names *names)
{
    static const char others[] = "(others)";
    names->used = sizeof others - 1;
    memcpy(names->bytes, others, names->used);
    names->ends[NAME_OTHERS] = names->used;
    names->count = 1;
}

struct fxt_bytes names_text(const struct names *names, uint32_t name)
{
    uint32_t begin = name > 0 ? names->ends[name - 1] : 0;
    return (struct fxt_bytes){names->bytes + begin, names->ends[name] - begin};
}

static uint64_t hash_of(struct fxt_bytes text)
{
    uint64_t hash = text.size;
    uint64_t word = 0;
    uint64_t at = 0;
    for (; text.size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text.bytes + at, sizeof word);
        hash = names_hash(hash, word);
    }
    word = 0;
    if (at < text.size)
        memcpy(&word, text.bytes + at, (size_t)(text.size - at));
    return names_hash(hash, word);
}

static bool is_text(const struct names *names, uint32_t name, struct fxt_bytes text)
{
    struct fxt_bytes own = names_text(names, name);
    return own.size == text.size &&
           (text.size == 0 || memcmp(own.bytes, text.bytes, (size_t)text.size) == 0);
}

uint32_t names_add(struct names *names, struct fxt_bytes text)
{
    uint32_t at = (uint32_t)hash_of(text) & (SLOTS - 1);
    unsigned step = 0;
    for (; step < PROBE_MAX && names->slots[at] != 0; step++) {
        if (is_text(names, names->slots[at], text))
            return names->slots[at];
        at = (at + 1) & (SLOTS - 1);
    }
    if (step == PROBE_MAX || names->count == NAMES_MAX || text.size > NAMES_BYTES - names->used) {
        names->full = true;
        return NAME_OTHERS;
    }
    if (text.size > 0)
        memcpy(names->bytes + names->used, text.bytes, (size_t)text.size);
    names->used += (uint32_t)text.size;
    names->ends[names->count] = names->used;
    names->slots[at] = names->count;
    return names->count++;
}

uint32_t names_add_text(void *names, struct fxt_bytes text)
{
    return names_add(names, text);
}
