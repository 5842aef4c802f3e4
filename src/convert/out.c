/* Buffered text output; see out.h. The invariant is size <= capacity between calls. */
#include "src/convert/out.h"

#include "src/convert/number.h"

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

void fxt_out_u64(struct fxt_out *out, uint64_t number)
{
    char *room = fxt_out_room(out, FXT_NUMBER_BYTES);
    out->size += (size_t)(fxt_number_u64(room, number) - room);
}

void fxt_out_i64(struct fxt_out *out, int64_t number)
{
    char *room = fxt_out_room(out, FXT_NUMBER_BYTES);
    out->size += (size_t)(fxt_number_i64(room, number) - room);
}

void fxt_out_hex(struct fxt_out *out, uint64_t number)
{
    char *room = fxt_out_room(out, FXT_NUMBER_BYTES);
    out->size += (size_t)(fxt_number_hex(room, number) - room);
}
