/* JSON values in memory, found and checked without a copy. */
#ifndef FXT_TOOLS_FXT_IMPORT_JSON_H
#define FXT_TOOLS_FXT_IMPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 512u /* a deeper value is refused */

enum json_type {
    JSON_NONE, /* there is no such value */
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
};

/* The text of a value, with its quotes or brackets. */
struct json_value {
    const char *at;
    const char *end;
    enum json_type type;
};

/* Reads the value at *at, after white space, and moves *at behind it. False unless all of it is JSON.
   Control characters and bytes that are not UTF-8 may stand in strings. */
bool json_read(const char **at, const char *end, struct json_value *value);

/* The members of an object. */
struct json_walk {
    const char *at;
    const char *end;
    bool has_begun;
};

enum json_step { JSON_END, JSON_MEMBER, JSON_WRONG };

void json_walk(struct json_walk *walk, struct json_value object);
enum json_step json_next(struct json_walk *walk, struct json_value *key, struct json_value *value);

/* Whether a string is these characters, written without escapes. */
bool json_is(struct json_value string, const char *text);

/* What decoding did to a text. */
struct json_changes {
    uint64_t cut;    /* longer than there is room */
    uint64_t mended; /* not UTF-8, or half a surrogate pair: U+FFFD instead */
};

/* Writes what a string says, at most `room` bytes and whole characters. Returns the size. */
size_t json_text(char *to, size_t room, struct json_value string, struct json_changes *changes);

/* The same for the text of any value as it is written. */
size_t json_source(char *to, size_t room, struct json_value value, struct json_changes *changes);

#endif
