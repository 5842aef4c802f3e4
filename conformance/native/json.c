/* A JSON reader without recursion: struct parser is where it stands, `open` the objects and arrays that
   have begun and not ended. */
#include "conformance/native/json.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8 };

struct parser {
    char *at;
    char *end;
    struct json *nodes;
    size_t capacity;
    size_t count;
    size_t open[DEPTH];
    size_t depth;
};

static char peek(struct parser *parser)
{
    while (parser->at < parser->end && strchr(" \t\r\n", *parser->at) != NULL &&
           *parser->at != '\0')
        parser->at++;
    return parser->at < parser->end ? *parser->at : '\0';
}

static bool take(struct parser *parser, char wanted)
{
    if (peek(parser) != wanted || parser->at == parser->end)
        return false;
    parser->at++;
    return true;
}

static bool word(struct parser *parser, const char *text)
{
    size_t size = strlen(text);
    if ((size_t)(parser->end - parser->at) < size || memcmp(parser->at, text, size) != 0)
        return false;
    parser->at += size;
    return true;
}

/* ---- texts */

static bool four_digits(struct parser *parser, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef";
    if (parser->end - parser->at < 4)
        return false;
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = *parser->at++;
        const char *digit = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
        if (digit == NULL)
            return false;
        *code = *code * 16 + (uint32_t)(digit - digits);
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code >= 0x10000) {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else if (code >= 0x800) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        *to++ = (char)(0xc0 | code >> 6);
    }
    *to++ = (char)(0x80 | (code & 0x3f));
    return to;
}

/* What follows a backslash. The text never gets longer than its escape. */
static bool escape(struct parser *parser, char **to)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    uint32_t code;
    uint32_t low;
    char c = parser->at < parser->end ? *parser->at++ : '\0';
    const char *name = c == '\0' ? NULL : strchr(names, c);
    if (name != NULL) {
        *(*to)++ = values[name - names];
        return true;
    }
    if (c != 'u' || !four_digits(parser, &code) || (code >= 0xdc00 && code <= 0xdfff))
        return false;
    if (code >= 0xd800 && code <= 0xdbff) {
        if (!word(parser, "\\u") || !four_digits(parser, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = put_utf8(*to, code);
    return true;
}

static bool text(struct parser *parser, struct fxt_bytes *out)
{
    if (!take(parser, '"'))
        return false;
    char *to = parser->at;
    out->bytes = (const uint8_t *)to;
    while (parser->at < parser->end && *parser->at != '"') {
        if ((unsigned char)*parser->at < 0x20)
            return false;
        if (*parser->at != '\\')
            *to++ = *parser->at++;
        else if (parser->at++, !escape(parser, &to))
            return false;
    }
    out->size = (size_t)(to - (const char *)out->bytes);
    return take(parser, '"');
}

/* ---- values */

/* False when they are more than 64 bits. */
static bool digits(struct parser *parser, struct json *node)
{
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') {
        uint64_t digit = (uint64_t)(*parser->at++ - '0');
        if (node->magnitude > (UINT64_MAX - digit) / 10)
            return false;
        node->magnitude = node->magnitude * 10 + digit;
    }
    return true;
}

/* An integer of 64 bits; with a point or an exponent, or too large for one, a double. */
static bool number(struct parser *parser, struct json *node)
{
    char *from = parser->at;
    char *end;
    node->type = JSON_INTEGER;
    node->negative = word(parser, "-");
    if (parser->at == parser->end || *parser->at < '0' || *parser->at > '9')
        return false;
    bool fits = digits(parser, node) && (!node->negative || node->magnitude <= UINT64_C(1) << 63);
    if (fits && (parser->at == parser->end || strchr(".eE", *parser->at) == NULL))
        return true;
    node->type = JSON_REAL;
    node->real = strtod(from, &end);
    if (end == from || end > parser->end)
        return false;
    parser->at = end;
    return true;
}

static bool plain(struct parser *parser, struct json *node)
{
    char c = peek(parser);
    if (c == '"') {
        node->type = JSON_TEXT;
        return text(parser, &node->text);
    }
    if (c == '-' || (c >= '0' && c <= '9'))
        return number(parser, node);
    node->type = c == 'n' ? JSON_NULL : c == 't' ? JSON_TRUE : JSON_FALSE;
    return word(parser, c == 'n' ? "null" : c == 't' ? "true" : "false");
}

/* One value, or the beginning of an object or array. */
static bool value(struct parser *parser)
{
    static const struct json empty = {JSON_NULL, 1, {NULL, 0}, {NULL, 0}, 0, false, 0.0};
    struct json *outer = parser->depth > 0 ? &parser->nodes[parser->open[parser->depth - 1]] : NULL;
    if (parser->count == parser->capacity)
        return false;
    struct json *node = &parser->nodes[parser->count++];
    *node = empty;
    if (outer != NULL && outer->type == JSON_OBJECT &&
        (!text(parser, &node->key) || !take(parser, ':')))
        return false;
    if (peek(parser) != '{' && peek(parser) != '[')
        return plain(parser, node);
    node->type = *parser->at++ == '{' ? JSON_OBJECT : JSON_ARRAY;
    if (parser->depth == DEPTH)
        return false;
    parser->open[parser->depth++] = parser->count - 1;
    return true;
}

/* Ends the object or array that began last, if it ends here. */
static bool closes(struct parser *parser)
{
    size_t last = parser->depth == 0 ? 0 : parser->open[parser->depth - 1];
    struct json *outer = &parser->nodes[last];
    if (parser->depth == 0 || !take(parser, outer->type == JSON_OBJECT ? '}' : ']'))
        return false;
    outer->nodes = parser->count - last;
    parser->depth--;
    return true;
}

bool json_read(struct json *nodes, size_t capacity, char *line, size_t size)
{
    struct parser parser = {line, line + size, nodes, capacity, 0, {0}, 0};
    line[size] = '\0'; /* strtod ends there */
    do {
        size_t depth = parser.depth;
        if (!value(&parser))
            return false;
        while (parser.depth > depth && !closes(&parser)) { /* has a first value */
            depth = parser.depth;
            if (!value(&parser))
                return false;
        }
        while (closes(&parser))
            ;
    } while (parser.depth > 0 && take(&parser, ','));
    return parser.depth == 0 && peek(&parser) == '\0' && parser.at == parser.end;
}

const struct json *json_next(const struct json *outer, const struct json *last)
{
    const struct json *next = last == NULL ? outer + 1 : last + last->nodes;
    return next < outer + outer->nodes ? next : NULL;
}

const struct json *json_get(const struct json *object, const char *key)
{
    const struct json *found = NULL;
    const struct json *at = NULL;
    while ((at = json_next(object, at)) != NULL) {
        if (at->key.size == strlen(key) && memcmp(at->key.bytes, key, strlen(key)) == 0)
            found = at;
    }
    return found;
}
