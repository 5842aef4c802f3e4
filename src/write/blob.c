/* Blob records: a named chunk of bytes. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_blob(struct fxt_writer *writer, const struct fxt_blob *in)
{
    uint64_t words = 1 + fxt_i_write_string_words(in->name) +
                     fxt_i_stream_words(in->payload, FXT_STRING_INDEX_MAX);

    if (in->blob_type > UINT8_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_blob_record_words(in); */
    uint64_t header = fxt_pack_blob_header((uint16_t)words, fxt_i_string_wire(in->name),
                                           (uint16_t)in->payload.size, (uint8_t)in->blob_type);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_string(p, in->name);
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8, in->name.bytes, in->name.ref); */
    /*@ assert same: stream_same{Pre, Here}(in->payload.bytes, in->payload.size); */
    fxt_i_put_stream(p, in->payload.bytes, in->payload.size);
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8, in->name.bytes, in->name.ref); */
    /*@ assert payload: stream_at{Pre, Here}(l_place(writer) + 8 * (1 +
      @   l_string_words(in->name.ref)), in->payload.bytes, in->payload.size); */
    /*@ assert header: word_at(l_place(writer), header); */
    return fxt_i_commit(writer, words);
}
