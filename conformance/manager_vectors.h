/* What the tests of corpus/buffers.json and corpus/packets.json share: vectors, and how they fail.
   schema/buffers.md describes the form of a vector. A vector that KNOWN lists has to fail. */
#ifndef FXT_CONFORMANCE_MANAGER_VECTORS_H
#define FXT_CONFORMANCE_MANAGER_VECTORS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const json_t *vector; /* the one at hand */
static int failures;

static inline const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* A number, or a string of its digits. */
static inline uint64_t number_of(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL ? strtoull(text, NULL, 0) : (uint64_t)json_integer_value(value);
}

static inline uint64_t number_at(const json_t *object, const char *key)
{
    return number_of(json_object_get(object, key));
}

static inline void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%s: ", text_of(vector, "id"));
    vprintf(format, args);
    printf("\n");
    va_end(args);
    failures++;
}

static inline void expect_number(const char *what, uint64_t got, uint64_t wanted)
{
    if (got != wanted)
        fail("%s: %" PRIu64 ", expected %" PRIu64, what, got, wanted);
}

static inline void expect_text(const char *what, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0)
        fail("%s: %s, expected %s", what, got, wanted);
}

static inline void expect_bytes(const char *what, const uint8_t *got, size_t got_size,
                                const uint8_t *wanted, size_t wanted_size)
{
    size_t at = 0;
    while (at < got_size && at < wanted_size && got[at] == wanted[at])
        at++;
    if (at < got_size || at < wanted_size)
        fail("%s: %zu bytes, expected %zu; they differ from byte %zu on", what, got_size,
             wanted_size, at);
}

/* Returns how many bytes. */
static inline size_t put_hex(uint8_t *at, size_t room, const char *text)
{
    size_t size = strlen(text) / 2;
    if (size > room)
        abort();
    for (size_t i = 0; i < size; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        at[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return size;
}

static inline void put_pieces(uint8_t *bytes, size_t size, const json_t *pieces)
{
    for (size_t i = 0; i < json_array_size(pieces); i++) {
        const json_t *piece = json_array_get(pieces, i);
        size_t at = (size_t)json_integer_value(json_array_get(piece, 0));
        put_hex(bytes + at, size - at, json_string_value(json_array_get(piece, 1)));
    }
}

/* The bytes of the vector, in a block of exactly their size. */
static inline uint8_t *bytes_of(size_t *size)
{
    *size = number_at(vector, "size");
    uint8_t *bytes = calloc(*size + (*size == 0), 1);
    if (bytes == NULL)
        abort();
    put_pieces(bytes, *size, json_object_get(vector, "pieces"));
    return bytes;
}

/* Lines of the vector's id, a tab, and a reason. */
static inline bool list_has(const char *path, const char *id)
{
    FILE *file = fopen(path, "r");
    char line[1000];
    bool found = false;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, id, strlen(id)) == 0 && line[strlen(id)] == '\t')
            found = true;
    if (file != NULL)
        fclose(file);
    return found;
}

/* Runs `test` over all vectors; `known` lists those that have to fail. Returns the exit code. */
static inline int run_vectors(const char *path, const char *known, void (*test)(void))
{
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    int failed = 0;
    int known_count = 0;
    for (size_t i = 0; i < json_array_size(all); i++) {
        int before = failures;
        vector = json_array_get(all, i);
        test();
        bool fails = failures > before;
        if (list_has(known, text_of(vector, "id"))) {
            known_count++;
            if (!fails)
                fail("passes; %s says that it fails", known);
            else
                printf("%s: is known to fail\n", text_of(vector, "id"));
            fails = !fails;
        }
        failed += fails;
    }
    printf("%zu vectors, %d failed, %d are known to fail\n", json_array_size(all), failed,
           known_count);
    failed += json_array_size(all) == 0;
    json_decref(all);
    return failed > 0;
}

#endif
