/* Where converted text goes: a buffer of the caller, emptied by a function of the caller when full.
   convert/ itself does no I/O. After a failed flush everything is dropped and `failed` stays set,
   so that a converter needs to look at it only between records. */
#ifndef FXT_CONVERT_OUT_H
#define FXT_CONVERT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FXT_OUT_CAPACITY_MIN 4096u

struct fxt_out {
    char *bytes;
    size_t capacity; /* at least FXT_OUT_CAPACITY_MIN */
    size_t size;
    bool (*flush)(void *context, const char *bytes, size_t size); /* false: could not write */
    void *context;
    bool failed;
};

/* Hands the buffer to flush and empties it. */
void fxt_out_flush(struct fxt_out *out);

/* Makes room for `size` bytes (at most FXT_OUT_CAPACITY_MIN) and returns where they go; the caller
   then adds to out->size what it wrote. */
static inline char *fxt_out_room(struct fxt_out *out, size_t size)
{
    if (out->capacity - out->size < size)
        fxt_out_flush(out);
    return out->bytes + out->size;
}

void fxt_out_bytes_slow(struct fxt_out *out, const char *bytes, size_t size);

static inline void fxt_out_bytes(struct fxt_out *out, const char *bytes, size_t size)
{
    if (out->capacity - out->size < size) {
        fxt_out_bytes_slow(out, bytes, size);
        return;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static inline void fxt_out_text(struct fxt_out *out, const char *text)
{
    fxt_out_bytes(out, text, strlen(text));
}

static inline void fxt_out_char(struct fxt_out *out, char c)
{
    *fxt_out_room(out, 1) = c;
    out->size++;
}

void fxt_out_u64(struct fxt_out *out, uint64_t number);  /* decimal */
void fxt_out_i64(struct fxt_out *out, int64_t number);   /* decimal */
void fxt_out_hex(struct fxt_out *out, uint64_t number);  /* 0x and lower case digits, no leading zeros */

#endif
