/* Large blobs: with metadata (format 0), whose strings come before the timestamp, and without
   (format 1). */
#include "src/wire/layout.h"
#include "src/write/emit.h"

#define LARGE_BYTES_MAX UINT64_C(34359738360) /* 2^32 - 1 words */

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static inline uint64_t format_word(const struct fxt_large_blob *in, size_t arg_count)
{
    uint16_t category = fxt_i_string_wire(in->category);
    uint16_t name = fxt_i_string_wire(in->name);

    if (in->blob_format == FXT_LARGE_BLOB_NO_METADATA)
        return fxt_pack_large_blob_no_metadata(category, name);
    return fxt_pack_large_blob_metadata(category, name, (uint8_t)arg_count,
                                        (uint8_t)in->thread.ref);
}

enum fxt_status fxt_write_large_blob(struct fxt_writer *writer, const struct fxt_large_blob *in,
                                     const struct fxt_arg *args, size_t arg_count)
{
    bool metadata = in->blob_format == FXT_LARGE_BLOB_METADATA;
    uint64_t words = 3 + fxt_i_string_words(in->category) + fxt_i_string_words(in->name) +
                     fxt_i_stream_words(in->payload, LARGE_BYTES_MAX);

    if (in->blob_format > FXT_LARGE_BLOB_NO_METADATA || (!metadata && arg_count > 0))
        return FXT_INVALID;
    if (metadata)
        words += 1 + fxt_i_thread_words(in->thread) + fxt_i_args_words(args, arg_count);
    enum fxt_status status = fxt_i_reserve(writer, words, UINT32_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_large_blob_header((uint32_t)words, (uint8_t)in->blob_format);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, format_word(in, arg_count));
    p = fxt_i_put_string(p, in->category);
    p = fxt_i_put_string(p, in->name);
    if (metadata) {
        p = fxt_i_put_word(p, in->timestamp);
        p = fxt_i_put_thread(p, in->thread);
        p = fxt_i_put_args(p, args, arg_count);
    }
    p = fxt_i_put_word(p, in->payload.size);
    fxt_i_put_stream(p, in->payload.bytes, in->payload.size);
    return fxt_i_commit(writer, words);
}
