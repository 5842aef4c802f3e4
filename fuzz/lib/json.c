/* A validator without recursion: a stack of what each open bracket is, and what may come next. */
#include "fuzz/lib/json.h"

#include <stdint.h>
#include <string.h>

struct scan {
    const unsigned char *at;
    const unsigned char *end;
};

static void blanks(struct scan *scan)
{
    while (scan->at < scan->end && strchr(" \t\n\r", *scan->at) != NULL && *scan->at != 0)
        scan->at++;
}

static bool take(struct scan *scan, char c)
{
    if (scan->at == scan->end || *scan->at != (unsigned char)c)
        return false;
    scan->at++;
    return true;
}

static unsigned digits(struct scan *scan)
{
    unsigned count = 0;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++)
        count++;
    return count;
}

static bool number(struct scan *scan)
{
    take(scan, '-');
    if (!take(scan, '0') && digits(scan) == 0)
        return false;
    if (take(scan, '.') && digits(scan) == 0)
        return false;
    if (take(scan, 'e') || take(scan, 'E')) {
        if (!take(scan, '+'))
            take(scan, '-');
        if (digits(scan) == 0)
            return false;
    }
    return true;
}

static bool hex4(struct scan *scan)
{
    for (int i = 0; i < 4; i++, scan->at++)
        if (scan->at == scan->end || *scan->at == 0 ||
            strchr("0123456789abcdefABCDEF", *scan->at) == NULL)
            return false;
    return true;
}

/* One character of more than one byte: no overlong forms, surrogates, or beyond U+10FFFF. */
static bool multibyte(struct scan *scan)
{
    unsigned first = *scan->at++;
    unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    uint32_t point = first & (0x3fu >> more);

    if (first < 0xc2 || first > 0xf4)
        return false;
    for (unsigned i = 0; i < more; i++, scan->at++) {
        if (scan->at == scan->end || (*scan->at & 0xc0) != 0x80)
            return false;
        point = point << 6 | (*scan->at & 0x3f);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    return point >= least[more] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

static bool string(struct scan *scan)
{
    if (!take(scan, '"'))
        return false;
    while (scan->at < scan->end) {
        unsigned char c = *scan->at;
        if (c >= 0x80) {
            if (!multibyte(scan))
                return false;
            continue;
        }
        scan->at++;
        if (c == '"')
            return true;
        if (c < 0x20)
            return false;
        if (c != '\\')
            continue;
        if (take(scan, 'u')) {
            if (!hex4(scan))
                return false;
        } else if (scan->at == scan->end || *scan->at == 0 ||
                   strchr("\"\\/bfnrt", *scan->at++) == NULL) {
            return false;
        }
    }
    return false;
}

static bool word(struct scan *scan, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, text, length) != 0)
        return false;
    scan->at += length;
    return true;
}

static bool scalar(struct scan *scan)
{
    if (scan->at == scan->end)
        return false;
    switch (*scan->at) {
    case '"':
        return string(scan);
    case 't':
        return word(scan, "true");
    case 'f':
        return word(scan, "false");
    case 'n':
        return word(scan, "null");
    default:
        return number(scan);
    }
}

static bool key(struct scan *scan)
{
    blanks(scan);
    if (!string(scan))
        return false;
    blanks(scan);
    return take(scan, ':');
}

/* After a value: closes what ends here. False: no valid text. *done: the outermost value is over. */
static bool close_all(struct scan *scan, char *stack, unsigned *depth, bool *done)
{
    for (;;) {
        blanks(scan);
        *done = *depth == 0;
        if (*done)
            return true;
        if (take(scan, ','))
            return stack[*depth - 1] == ']' || key(scan);
        if (!take(scan, stack[*depth - 1]))
            return false;
        --*depth;
    }
}

bool fuzz_json_valid(const char *text, size_t size)
{
    struct scan scan = {(const unsigned char *)text, (const unsigned char *)text + size};
    char stack[FUZZ_JSON_DEPTH];
    unsigned depth = 0;
    bool done = false;

    while (!done) {
        blanks(&scan);
        bool object = take(&scan, '{');
        if (object || take(&scan, '[')) {
            if (depth == FUZZ_JSON_DEPTH)
                return false;
            stack[depth++] = object ? '}' : ']';
            blanks(&scan);
            if (scan.at < scan.end && *scan.at == (unsigned char)stack[depth - 1]) {
                if (!close_all(&scan, stack, &depth, &done))
                    return false;
            } else if (object && !key(&scan)) {
                return false;
            }
            continue;
        }
        if (!scalar(&scan) || !close_all(&scan, stack, &depth, &done))
            return false;
    }
    return scan.at == scan.end;
}
