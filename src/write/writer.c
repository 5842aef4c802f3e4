/* The state of a writer: see struct fxt_writer. `size` is a multiple of 8, and the bytes below it
   are whole records. */
#include "src/write/emit.h"

void fxt_writer_init(struct fxt_writer *writer, uint8_t *bytes, uint64_t capacity)
{
    writer->bytes = bytes;
    writer->capacity = capacity;
    writer->size = 0;
}

enum fxt_status fxt_write_raw(struct fxt_writer *writer, const uint8_t *bytes, uint64_t size)
{
    if (size == 0)
        return FXT_OK;
    if (size % 8 != 0 || bytes == NULL)
        return FXT_INVALID;
    if (size > writer->capacity - writer->size)
        return FXT_FULL;
    fxt_i_put_stream(writer->bytes + writer->size, bytes, size);
    return fxt_i_commit(writer, size / 8);
}
