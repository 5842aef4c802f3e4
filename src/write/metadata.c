/* Metadata: the magic number, provider info, provider section, provider event. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_magic(struct fxt_writer *writer)
{
    enum fxt_status status = fxt_i_reserve(writer, 1, 1);

    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_magic_header();
    fxt_i_put_word(fxt_i_place(writer), header);
    return fxt_i_commit(writer, 1);
}

enum fxt_status fxt_write_provider_info(struct fxt_writer *writer,
                                        const struct fxt_provider_info *in)
{
    uint64_t words = 1 + fxt_i_stream_words(in->name, 255);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_provider_info_record_words(in); */
    uint64_t header =
        fxt_pack_provider_info_header((uint16_t)words, in->provider_id, (uint8_t)in->name.size);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, in->name.size); */
    fxt_i_put_stream(p, in->name.bytes, in->name.size);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert name: stream_at{Pre, Here}(l_place(writer) + 8, in->name.bytes, in->name.size); */
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_provider_section(struct fxt_writer *writer,
                                           const struct fxt_provider_section *in)
{
    uint64_t words = 1;

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_provider_section_header((uint16_t)words, in->provider_id);
    fxt_i_put_word(fxt_i_place(writer), header);
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_provider_event(struct fxt_writer *writer,
                                         const struct fxt_provider_event *in)
{
    uint64_t words = 1;

    if (in->event_id > 15)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header =
        fxt_pack_provider_event_header((uint16_t)words, in->provider_id, (uint8_t)in->event_id);
    fxt_i_put_word(fxt_i_place(writer), header);
    return fxt_i_commit(writer, words);
}
