/* See value.h. No state. */
#include "fuzz/tools/value.h"

#include <string.h>

#include "fuzz/lib/check_laws.h"
#include "fuzz/lib/oracle.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static struct value trimmed(struct value value)
{
    while (value.at < value.end && is_blank(*value.at))
        value.at++;
    while (value.at < value.end && is_blank(value.end[-1]))
        value.end--;
    return value;
}

struct value value_of(const char *text, size_t size)
{
    return trimmed((struct value){text, text + size});
}

bool value_line(struct value *lines, struct value *line)
{
    if (lines->at == lines->end)
        return false;
    const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    const char *end = stop != NULL ? stop : lines->end;
    *line = (struct value){lines->at, end};
    lines->at = stop != NULL ? stop + 1 : end;
    return true;
}

static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Behind the value at the begin. */
static const char *skip(struct value rest)
{
    unsigned depth = 0;
    while (rest.at < rest.end) {
        char c = *rest.at;
        if (c == '"') {
            rest.at = string_end(rest.at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ':'))
            break;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        rest.at++;
    }
    return rest.at;
}

static struct value take(struct value *rest)
{
    struct value value = {rest->at, skip(*rest)};
    rest->at = value.end < rest->end ? value.end + 1 : rest->end;
    return trimmed(value);
}

struct value value_inside(struct value list)
{
    FUZZ_CHECK(list.end - list.at >= 2 && (*list.at == '{' || *list.at == '['));
    return trimmed((struct value){list.at + 1, list.end - 1});
}

bool value_next(struct value *rest, struct value *element)
{
    if (rest->at == rest->end)
        return false;
    *element = take(rest);
    return true;
}

bool value_next_member(struct value *rest, struct value *name, struct value *value)
{
    return value_next(rest, name) && value_next(rest, value);
}

bool value_is(struct value value, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(value.end - value.at) == size && memcmp(value.at, text, size) == 0;
}

bool value_has(struct value object, const char *name, struct value *value)
{
    struct value rest = value_inside(object), key;
    size_t size = strlen(name);
    while (value_next_member(&rest, &key, value))
        if ((size_t)(key.end - key.at) == size + 2 && memcmp(key.at + 1, name, size) == 0)
            return true;
    return false;
}

struct value value_member(struct value object, const char *name)
{
    struct value value;
    FUZZ_CHECK(value_has(object, name, &value));
    return value;
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 0x20) - 'a' + 10;
}

/* The byte that an escape below 0x80 stands for; other characters are not escaped. */
static uint8_t unescaped(const char **at)
{
    static const char escapes[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char c = *(*at)++;
    const char *found = strchr(escapes, c);
    if (c == 'u') {
        *at += 4;
        return (uint8_t)(hex_digit((*at)[-2]) << 4 | hex_digit((*at)[-1]));
    }
    return (uint8_t)(found != NULL && c != '\0' ? meant[found - escapes] : c);
}

bool value_is_text(struct value value, struct fxt_bytes text)
{
    const char *at = value.at + 1;
    if (!fuzz_utf8(text.bytes, text.size))
        return true;
    if (value.end - value.at < 2 || *value.at != '"')
        return false;
    for (uint64_t i = 0; i < text.size; i++) {
        if (at >= value.end - 1)
            return false;
        uint8_t byte = (uint8_t)*at++;
        if (byte == '\\')
            byte = unescaped(&at);
        if (byte != text.bytes[i])
            return false;
    }
    return at == value.end - 1;
}

bool value_number(struct value value, uint64_t *number)
{
    if (value.end - value.at > 2 && *value.at == '"')
        value = (struct value){value.at + 1, value.end - 1};
    *number = 0;
    for (const char *at = value.at; at < value.end; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*at < '0' || *at > '9' || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return value.at < value.end;
}

uint64_t value_u64(struct value object, const char *name)
{
    uint64_t number;
    FUZZ_CHECK(value_number(value_member(object, name), &number));
    return number;
}
