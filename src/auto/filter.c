/* Patterns of names. No state. */
#include "src/auto/auto.h"

#include <string.h>

/* A star that does not fit takes one more character, and what follows it is tried again. */
static bool matches(const char *pattern, size_t size, const char *name)
{
    const char *end = pattern + size;
    const char *star = NULL;
    const char *from = name;

    while (*name != '\0') {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool fxt_auto_fits(const char *filter, const char *name)
{
    bool fits = *filter == '-';

    while (*filter != '\0') {
        bool excludes = *filter == '-';
        filter += excludes;
        size_t size = strcspn(filter, ",");
        if (size > 0 && matches(filter, size, name))
            fits = !excludes;
        filter += size + (filter[size] == ',');
    }
    return fits;
}
