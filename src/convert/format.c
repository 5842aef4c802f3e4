/* What all of rewriting needs; see format.h. The state is struct fxt_format: its counts. format_record.c
   writes records again, format_large.c cuts large blobs. */
#include "src/convert/format_i.h"

void fxt_format_init(struct fxt_format *format, struct fxt_out *out,
                     const struct fxt_tables *tables, enum fxt_format_large large, uint8_t *scratch,
                     uint64_t scratch_size)
{
    *format = (struct fxt_format){.out = out,
                                  .tables = tables,
                                  .scratch = scratch,
                                  .scratch_size = scratch_size,
                                  .large = large};
}

size_t fxt_i_format_args(struct fxt_arg *out, struct fxt_args args)
{
    struct fxt_error error;
    size_t count = 0;
    while (count < FXT_ARGS_MAX && fxt_args_next(&args, &out[count], &error) == FXT_OK)
        count++;
    return count;
}

void fxt_i_format_put(struct fxt_format *format, const uint8_t *bytes, uint64_t size)
{
    fxt_out_bytes(format->out, (const char *)bytes, (size_t)size);
}
