/* The records that fill the tables: initialization, string, thread. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_initialization(struct fxt_writer *writer,
                                         const struct fxt_initialization *in)
{
    uint64_t words = 2;

    if (in->ticks_per_second == 0)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_initialization_header((uint16_t)words);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    fxt_i_put_word(p, in->ticks_per_second);
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_string(struct fxt_writer *writer, const struct fxt_string *in)
{
    uint64_t words = 1 + fxt_i_stream_words(in->value, FXT_STRING_INDEX_MAX);

    if (in->index == 0 || in->index > FXT_STRING_INDEX_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_string_record_words(in); */
    uint64_t header = fxt_pack_string_header((uint16_t)words, in->index, (uint16_t)in->value.size);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    /*@ assert same: stream_same{Pre, Here}(in->value.bytes, in->value.size); */
    fxt_i_put_stream(p, in->value.bytes, in->value.size);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert value: stream_at{Pre, Here}(l_place(writer) + 8, in->value.bytes, in->value.size); */
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_thread(struct fxt_writer *writer, const struct fxt_thread *in)
{
    uint64_t words = 3;

    if (in->index == 0 || in->index > FXT_THREAD_INDEX_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_thread_header((uint16_t)words, (uint8_t)in->index);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->process);
    fxt_i_put_word(p, in->thread);
    return fxt_i_commit(writer, words);
}
