/* See json.h. No state. Nested values are checked with a stack of one bit a level: object or array. */
#include "src/tools/fxt/import/json.h"

#include <string.h>

#include "src/convert/escape.h"

static void skip_space(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\n' || **at == '\t' || **at == '\r'))
        (*at)++;
}

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits after \u; -1 if they are none. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t number = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        number = number * 16 + digit;
    }
    return number;
}

static bool read_string(const char **at, const char *end)
{
    const char *p = *at + 1;
    while (p < end && *p != '"') {
        if (*p == '\\') {
            p++;
            if (p == end || strchr("\"\\/bfnrtu", *p) == NULL || *p == '\0')
                return false;
            if (*p == 'u' && hex4(p + 1, end) < 0)
                return false;
        }
        p++;
    }
    *at = p + 1;
    return p < end;
}

static bool skip_digits(const char **at, const char *end)
{
    const char *from = *at;
    while (is_digit(*at, end))
        (*at)++;
    return *at > from;
}

static bool read_number(const char **at, const char *end)
{
    if (**at == '-')
        (*at)++;
    if (!skip_digits(at, end))
        return false;
    if (*at < end && **at == '.') {
        (*at)++;
        if (!skip_digits(at, end))
            return false;
    }
    if (*at < end && (**at | 0x20) == 'e') {
        (*at)++;
        if (*at < end && (**at == '+' || **at == '-'))
            (*at)++;
        return skip_digits(at, end);
    }
    return true;
}

static bool read_word(const char **at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static enum json_type type_of(char first)
{
    switch (first) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
        return JSON_STRING;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    case 'n':
        return JSON_NULL;
    default:
        return first == '-' || (first >= '0' && first <= '9') ? JSON_NUMBER : JSON_NONE;
    }
}

static bool read_plain(const char **at, const char *end, enum json_type type)
{
    switch (type) {
    case JSON_STRING:
        return read_string(at, end);
    case JSON_NUMBER:
        return read_number(at, end);
    case JSON_TRUE:
        return read_word(at, end, "true");
    case JSON_FALSE:
        return read_word(at, end, "false");
    case JSON_NULL:
        return read_word(at, end, "null");
    default:
        return false;
    }
}

/* The key and the colon of a member. */
static bool read_key(const char **at, const char *end)
{
    skip_space(at, end);
    if (*at == end || **at != '"' || !read_string(at, end))
        return false;
    skip_space(at, end);
    if (*at == end || **at != ':')
        return false;
    (*at)++;
    return true;
}

struct nest {
    uint64_t is_object[JSON_DEPTH_MAX / 64];
    uint32_t depth;
};

static bool in_object(const struct nest *nest)
{
    uint32_t level = nest->depth - 1;
    return (nest->is_object[level / 64] >> level % 64 & 1) != 0;
}

static bool enter(struct nest *nest, bool is_object)
{
    uint32_t level = nest->depth;
    if (level == JSON_DEPTH_MAX)
        return false;
    uint64_t bit = UINT64_C(1) << level % 64;
    nest->is_object[level / 64] &= ~bit;
    nest->is_object[level / 64] |= is_object ? bit : 0;
    nest->depth++;
    return true;
}

/* After a value: leaves what ends here, up to the comma before the next value. */
static bool leave(struct nest *nest, const char **at, const char *end)
{
    while (nest->depth > 0) {
        skip_space(at, end);
        if (*at == end)
            return false;
        if (**at == ',') {
            (*at)++;
            return !in_object(nest) || read_key(at, end);
        }
        if (**at != (in_object(nest) ? '}' : ']'))
            return false;
        (*at)++;
        nest->depth--;
    }
    return true;
}

/* After an opening bracket: whether nothing is in it. */
static bool is_empty(const struct nest *nest, const char **at, const char *end)
{
    skip_space(at, end);
    return *at < end && **at == (in_object(nest) ? '}' : ']');
}

bool json_read(const char **at, const char *end, struct json_value *value)
{
    struct nest nest;
    nest.depth = 0;
    skip_space(at, end);
    value->at = *at;
    value->type = *at < end ? type_of(**at) : JSON_NONE;
    do {
        skip_space(at, end);
        enum json_type type = *at < end ? type_of(**at) : JSON_NONE;
        if (type == JSON_OBJECT || type == JSON_ARRAY) {
            (*at)++;
            if (!enter(&nest, type == JSON_OBJECT))
                return false;
            if (!is_empty(&nest, at, end)) {
                if (type == JSON_OBJECT && !read_key(at, end))
                    return false;
                continue;
            }
        } else if (!read_plain(at, end, type)) {
            return false;
        }
        if (!leave(&nest, at, end))
            return false;
    } while (nest.depth > 0);
    value->end = *at;
    return true;
}

void json_walk(struct json_walk *walk, struct json_value object)
{
    walk->at = object.at + 1;
    walk->end = object.end;
    walk->has_begun = false;
}

enum json_step json_next(struct json_walk *walk, struct json_value *key, struct json_value *value)
{
    skip_space(&walk->at, walk->end);
    if (walk->at == walk->end)
        return JSON_WRONG;
    if (*walk->at == '}')
        return walk->at + 1 == walk->end ? JSON_END : JSON_WRONG;
    if (walk->has_begun && *walk->at++ != ',')
        return JSON_WRONG;
    walk->has_begun = true;
    skip_space(&walk->at, walk->end);
    key->at = walk->at;
    key->type = JSON_STRING;
    if (walk->at == walk->end || *walk->at != '"' || !read_string(&walk->at, walk->end))
        return JSON_WRONG;
    key->end = walk->at;
    skip_space(&walk->at, walk->end);
    if (walk->at == walk->end || *walk->at++ != ':')
        return JSON_WRONG;
    return json_read(&walk->at, walk->end, value) ? JSON_MEMBER : JSON_WRONG;
}

bool json_is(struct json_value string, const char *text)
{
    size_t length = strlen(text);
    return string.type == JSON_STRING && (size_t)(string.end - string.at) == length + 2 &&
           memcmp(string.at + 1, text, length) == 0;
}

static size_t put_character(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size; i-- > 1;) {
        to[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    to[0] = (char)(leads[size] | code);
    return size;
}

#define REPLACEMENT 0xfffdu

/* The character of an escape; *at is behind its backslash. */
static uint32_t unescape(const char **at, const char *end, bool *is_mended)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char letter = *(*at)++;
    const char *found = strchr(letters, letter);
    if (letter != 'u')
        return (unsigned char)(found != NULL ? meant[found - letters] : letter);
    uint32_t code = (uint32_t)hex4(*at, end);
    *at += 4;
    if (code < 0xd800 || code > 0xdfff)
        return code;
    if (code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t low = (uint32_t)hex4(*at + 2, end);
        if (low >= 0xdc00 && low <= 0xdfff) {
            *at += 6;
            return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    *is_mended = true;
    return REPLACEMENT;
}

static size_t copy(char *to, size_t room, const char *at, const char *end, bool escapes,
                   struct json_changes *changes)
{
    size_t size = 0;
    bool is_mended = false;
    while (at < end) {
        char made[4];
        size_t length;
        const char *from = at;
        if (escapes && *at == '\\') {
            at++;
            length = put_character(made, unescape(&at, end, &is_mended));
            from = made;
        } else {
            bool valid;
            length = fxt_escape_character(&valid, (const uint8_t *)at, (size_t)(end - at));
            at += length;
            if (!valid) {
                is_mended = true;
                length = put_character(made, REPLACEMENT);
                from = made;
            }
        }
        if (length > room - size) {
            changes->cut++;
            break;
        }
        memcpy(to + size, from, length);
        size += length;
    }
    changes->mended += is_mended;
    return size;
}

size_t json_text(char *to, size_t room, struct json_value string, struct json_changes *changes)
{
    return copy(to, room, string.at + 1, string.end - 1, true, changes);
}

size_t json_source(char *to, size_t room, struct json_value value, struct json_changes *changes)
{
    return copy(to, room, value.at, value.end, false, changes);
}
