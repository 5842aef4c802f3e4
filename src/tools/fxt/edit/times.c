/* Times as the user says them. No state. Numbers have up to 9 places behind the point. */
#include "src/tools/fxt/edit/times.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define PLACES 9
#define BILLION UINT64_C(1000000000)

/* A decimal number, of which *fraction counts 10^-9. */
static bool parse_number(uint64_t *whole, uint64_t *fraction, const char **text)
{
    const char *at = *text;
    if (!isdigit((unsigned char)*at))
        return false;
    for (*whole = 0; isdigit((unsigned char)*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*whole > (UINT64_MAX - digit) / 10)
            return false;
        *whole = *whole * 10 + digit;
    }
    *fraction = 0;
    if (*at == '.') {
        int places = 0;
        for (at++; isdigit((unsigned char)*at) && places < PLACES; at++, places++)
            *fraction = *fraction * 10 + (uint64_t)(*at - '0');
        if (places == 0)
            return false;
        for (; places < PLACES; places++)
            *fraction *= 10;
    }
    *text = at;
    return true;
}

static bool parse_unit(uint64_t *ns, const char *text)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"", 1},         {"ns", 1},      {"us", 1000},       {"µs", 1000},
                 {"ms", 1000000}, {"s", BILLION}, {"m", 60 * BILLION}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text, units[i].name) == 0) {
            *ns = units[i].ns;
            return true;
        }
    return false;
}

static bool parse_length(uint64_t *ns, const char *text)
{
    uint64_t whole;
    uint64_t fraction;
    uint64_t unit;
    if (!parse_number(&whole, &fraction, &text) || !parse_unit(&unit, text))
        return false;
    uint64_t part = unit >= BILLION ? unit / BILLION * fraction : unit * fraction / BILLION;
    if (whole > (UINT64_MAX - part) / unit)
        return false;
    *ns = whole * unit + part;
    return true;
}

static bool parse_share(struct times_point *point, const char *text)
{
    uint64_t whole;
    uint64_t fraction;
    if (!parse_number(&whole, &fraction, &text) || strcmp(text, "%") != 0 || whole > 100 ||
        (whole == 100 && fraction > 0))
        return false;
    *point = (struct times_point){TIMES_SHARE, whole * BILLION + fraction};
    return true;
}

bool times_parse(struct times_point *point, const char *text)
{
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '%')
        return parse_share(point, text);
    point->from = *text == '@' ? TIMES_CLOCK : *text == '-' ? TIMES_END : TIMES_START;
    return parse_length(&point->ns, text + (*text == '@' || *text == '-' || *text == '+'));
}

bool times_parse_shift(int64_t *ns, const char *text)
{
    uint64_t length;
    bool is_negative = *text == '-';
    if (!parse_length(&length, text + (is_negative || *text == '+')) || length > INT64_MAX)
        return false;
    *ns = is_negative ? -(int64_t)length : (int64_t)length;
    return true;
}

/* a * b / 10^11, of which neither is more than 10^11. */
static uint64_t share_of(uint64_t a, uint64_t b)
{
    uint64_t high = a * (b / 1000000);
    uint64_t low = a * (b % 1000000);
    return high / 100000 + (high % 100000 * 1000000 + low) / (100 * BILLION);
}

uint64_t times_resolve(struct times_point point, uint64_t first, uint64_t end)
{
    uint64_t span = end - first;
    uint64_t whole, rest;
    switch (point.from) {
    case TIMES_START:
        return point.ns > UINT64_MAX - first ? UINT64_MAX : first + point.ns;
    case TIMES_END:
        return point.ns > end ? 0 : end - point.ns;
    case TIMES_SHARE:
        /* span = whole * 10^11 + rest, so that no product is as large as 2^64. */
        whole = span / (100 * BILLION);
        rest = span % (100 * BILLION);
        return first + whole * point.ns + share_of(rest, point.ns);
    default:
        return point.ns;
    }
}

void times_print(char text[TIMES_TEXT], uint64_t ns)
{
    static const struct {
        uint64_t ns;
        int places;
        const char *name;
    } units[] = {{BILLION, 9, "s"}, {1000000, 6, "ms"}, {1000, 3, "us"}, {1, 0, "ns"}};
    unsigned i = 0;
    while (i < 3 && ns < units[i].ns)
        i++;
    int size = snprintf(text, TIMES_TEXT, "%llu", (unsigned long long)(ns / units[i].ns));
    if (ns % units[i].ns > 0) {
        size += snprintf(text + size, TIMES_TEXT - (size_t)size, ".%0*llu", units[i].places,
                         (unsigned long long)(ns % units[i].ns));
        while (text[size - 1] == '0')
            size--;
    }
    snprintf(text + size, TIMES_TEXT - (size_t)size, "%s", units[i].name);
}
