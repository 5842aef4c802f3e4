/* Patterns. No state. */
#include "src/tools/fxt/edit/patterns.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/nearest.h"

/* The text after a star is tried at each place: when it fails, one byte later. */
static bool matches(const char *pattern, struct fxt_bytes text)
{
    const char *star = NULL;
    uint64_t at = 0;
    uint64_t after_star = 0;
    while (at < text.size) {
        if (*pattern == '*') {
            star = ++pattern;
            after_star = at;
        } else if (*pattern != '\0' && (*pattern == '?' || (uint8_t)*pattern == text.bytes[at])) {
            pattern++;
            at++;
        } else if (star != NULL) {
            pattern = star;
            at = ++after_star;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool patterns_match(const struct pattern_list *list, struct fxt_bytes text)
{
    for (unsigned i = 0; i < list->count; i++)
        if (matches(list->it[i], text))
            return true;
    return false;
}

static bool parse(uint64_t *number, const char *text)
{
    char *end;
    bool is_hex = text[0] == '0' && text[1] == 'x';
    if (!isxdigit((unsigned char)text[is_hex ? 2 : 0]))
        return false;
    errno = 0;
    *number = strtoull(text, &end, is_hex ? 16 : 10);
    return errno == 0 && *end == '\0';
}

bool patterns_have(const struct pattern_list *list, uint64_t number)
{
    uint64_t wanted;
    for (unsigned i = 0; i < list->count; i++)
        if (parse(&wanted, list->it[i]) && wanted == number)
            return true;
    return false;
}

bool patterns_are_names(const struct pattern_list *list)
{
    uint64_t number;
    for (unsigned i = 0; i < list->count; i++)
        if (!parse(&number, list->it[i]))
            return true;
    return false;
}

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
