/* Buffered text output; see out.h. The invariant is size <= capacity between calls. */
#include "src/convert/out.h"

void fxt_out_flush(struct fxt_out *out)
{
    if (out->size > 0 && !out->failed && !out->flush(out->context, out->bytes, out->size))
        out->failed = true;
    out->size = 0;
}

void fxt_out_bytes_slow(struct fxt_out *out, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t piece = out->capacity - out->size;
        if (piece == 0) {
            fxt_out_flush(out);
            continue;
        }
        if (piece > size)
            piece = size;
        memcpy(out->bytes + out->size, bytes, piece);
        out->size += piece;
        bytes += piece;
        size -= piece;
    }
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536"
                            "37383940414243444546474849505152535455565758596061626364656667686970717273"
                            "7475767778798081828384858687888990919293949596979899";

void fxt_out_u64(struct fxt_out *out, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    while (number >= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * number, 2);
    } else {
        digits[--at] = (char)('0' + number);
    }
    char *room = fxt_out_room(out, sizeof digits);
    memcpy(room, digits + at, sizeof digits - at);
    out->size += sizeof digits - at;
}

void fxt_out_i64(struct fxt_out *out, int64_t number)
{
    if (number >= 0) {
        fxt_out_u64(out, (uint64_t)number);
        return;
    }
    fxt_out_char(out, '-');
    fxt_out_u64(out, (uint64_t)(-(number + 1)) + 1);
}

void fxt_out_hex(struct fxt_out *out, uint64_t number)
{
    char digits[18];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0);
    digits[--at] = 'x';
    digits[--at] = '0';
    fxt_out_bytes(out, digits + at, sizeof digits - at);
}
