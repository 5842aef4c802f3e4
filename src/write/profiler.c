/* Profiler records: modules, their mappings, and backtraces. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_module(struct fxt_writer *writer, const struct fxt_module *in)
{
    uint64_t words = 2 + fxt_i_write_thread_words(in->thread) + fxt_i_stream_words(in->name, 255) +
                     fxt_i_stream_words(in->build_id, 255);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_module_record_words(in); */
    uint64_t header =
        fxt_pack_module_header((uint16_t)words, (uint8_t)in->thread.ref, in->module_id,
                               (uint8_t)in->name.size, (uint8_t)in->build_id.size);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->thread);
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, in->name.size); */
    /*@ assert same: stream_same{Pre, Here}(in->build_id.bytes, in->build_id.size); */
    p = fxt_i_put_stream(p, in->name.bytes, in->name.size);
    /*@ assert name: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->name.bytes, in->name.size); */
    /*@ assert next: p == l_place(writer) + 8 * (2 + l_thread_words(in->thread.ref) +
      @   l_words_of(in->name.size)); */
    /*@ assert same: stream_same{Pre, Here}(in->build_id.bytes, in->build_id.size); */
    fxt_i_put_stream(p, in->build_id.bytes, in->build_id.size);
    /*@ assert build_id: stream_at{Pre, Here}(p, in->build_id.bytes, in->build_id.size); */
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert thread: thread_at(l_place(writer) + 16, \at(in->thread.ref, Pre),
      @   in->thread.process, in->thread.thread); */
    /*@ assert name: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->name.bytes, in->name.size); */
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_mmap(struct fxt_writer *writer, const struct fxt_mmap *in)
{
    uint64_t words = 5 + fxt_i_write_thread_words(in->thread);

    if (in->flags > 7)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_mmap_record_words(in); */
    uint64_t header = fxt_pack_mmap_header((uint16_t)words, (uint8_t)in->thread.ref, in->module_id,
                                           (uint8_t)in->flags);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->thread);
    p = fxt_i_put_word(p, in->start_address);
    p = fxt_i_put_word(p, in->address_range);
    fxt_i_put_word(p, in->vaddr);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert thread: thread_at(l_place(writer) + 16, \at(in->thread.ref, Pre),
      @   in->thread.process, in->thread.thread); */
    /*@ assert start_address: word_at(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->start_address); */
    /*@ assert address_range: word_at(l_place(writer) + 8 * (3 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->address_range); */
    /*@ assert vaddr: word_at(l_place(writer) + 8 * (4 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->vaddr); */
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_backtrace(struct fxt_writer *writer, const struct fxt_backtrace *in)
{
    uint64_t words =
        2 + fxt_i_write_thread_words(in->thread) + fxt_i_stream_words(in->frames, 2040);

    if (in->frames.size % 8 != 0)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_backtrace_record_words(in); */
    uint64_t header = fxt_pack_backtrace_header((uint16_t)words, (uint8_t)in->thread.ref,
                                                (uint8_t)(in->frames.size / 8));
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->thread);
    /*@ assert same: stream_same{Pre, Here}(in->frames.bytes, in->frames.size); */
    fxt_i_put_stream(p, in->frames.bytes, in->frames.size);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert thread: thread_at(l_place(writer) + 16, \at(in->thread.ref, Pre),
      @   in->thread.process, in->thread.thread); */
    /*@ assert frames: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->thread.ref, Pre))), in->frames.bytes, in->frames.size); */
    return fxt_i_commit(writer, words);
}
