/* Log records. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_log(struct fxt_writer *writer, const struct fxt_log *in)
{
    uint64_t words = 2 + fxt_i_write_thread_words(in->thread) +
                     fxt_i_stream_words(in->message, FXT_STRING_INDEX_MAX);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_log_record_words(in); */
    uint64_t header =
        fxt_pack_log_header((uint16_t)words, (uint16_t)in->message.size, (uint8_t)in->thread.ref);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->thread);
    /*@ assert same: stream_same{Pre, Here}(in->message.bytes, in->message.size); */
    fxt_i_put_stream(p, in->message.bytes, in->message.size);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert thread: thread_at(l_place(writer) + 16, \at(in->thread.ref, Pre),
      @   in->thread.process, in->thread.thread); */
    /*@ assert message: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->message.bytes, in->message.size); */
    return fxt_i_commit(writer, words);
}
