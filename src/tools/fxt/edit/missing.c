/* The nearest of the names of a trace. No state but struct missing. */
#include "src/tools/fxt/edit/missing.h"

#include <string.h>

#include "src/cli/nearest.h"

void missing_try(struct missing *missing, const struct pattern_list *patterns,
                 struct fxt_bytes name)
{
    char text[MISSING_NAME] = "";
    if (missing->found || name.size == 0 || name.size >= sizeof text)
        return;
    memcpy(text, name.bytes, (size_t)name.size);
    for (unsigned i = 0; i < patterns->count; i++) {
        struct nearest nearest = nearest_begin(patterns->it[i]);
        if (missing->word != NULL && missing->typos < nearest.typos)
            nearest.typos = missing->typos;
        nearest_try(&nearest, text);
        if (nearest.name == NULL)
            continue;
        missing->word = patterns->it[i];
        missing->typos = nearest.typos;
        memcpy(missing->name, text, sizeof text);
    }
}
