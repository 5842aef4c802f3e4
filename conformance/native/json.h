/* JSON, one value at a time, into memory of the caller. 64-bit numbers keep every bit, for which
   libraries that read integers as int64_t or double are of no use here. */
#ifndef FXT_CONFORMANCE_JSON_H
#define FXT_CONFORMANCE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/record.h>

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TEXT,
    JSON_OBJECT,
    JSON_ARRAY
};

/* A value, and the values in it right behind it. The one that follows is `nodes` further on. */
struct json {
    enum json_type type;
    size_t nodes; /* with itself */
    struct fxt_bytes key;
    struct fxt_bytes text;
    uint64_t magnitude; /* integer */
    bool negative;      /* integer */
    double real;
};

/* Reads one value out of `size` bytes, behind which a byte can be written. Texts are unescaped where
   they lie. Nothing but blanks may follow. False when it is no JSON, has more than `capacity` values
   or is nested deeper than 8. */
bool json_read(struct json *nodes, size_t capacity, char *text, size_t size);

/* The value of that key in an object, or NULL. Of equal keys the last. */
const struct json *json_get(const struct json *object, const char *key);

/* The value in an object or array behind `last`, or the first one (NULL); NULL: there is none. */
const struct json *json_next(const struct json *outer, const struct json *last);

#endif
