/* Profiler records: modules, their mappings, and backtraces. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_module(const struct fxt_record *record, struct fxt_module *out,
                                struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_module_header_thread(header);
    uint8_t name_size = fxt_module_header_name_length(header);
    uint8_t build_id_size = fxt_module_header_build_id_length(header);
    uint64_t name = 2 + fxt_i_read_thread_words(thread);
    uint64_t build_id = name + fxt_words_of(name_size);
    uint64_t end = build_id + fxt_words_of(build_id_size);

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_MODULE)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_PRF_02);
    if (name > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (build_id > words)
        return fxt_i_malformed(error, record, name, FXT_RULE_PRF_02);
    if (end > words)
        return fxt_i_malformed(error, record, build_id, FXT_RULE_PRF_02);
    out->timestamp = fxt_load_word(bytes + 8);
    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->name.bytes = fxt_i_stream(bytes, name, words, name_size);
    out->name.size = name_size;
    out->build_id.bytes = fxt_i_stream(bytes, build_id, words, build_id_size);
    out->build_id.size = build_id_size;
    out->module_id = fxt_module_header_module_id(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert name: says_stream(out->name.bytes, out->name.size, bytes, l_profiler_body(header),
      @     l_module_header_name_length(header)); */
    /*@ assert build_id: says_stream(out->build_id.bytes, out->build_id.size, bytes,
      @     l_module_build_id(header), l_module_header_build_id_length(header)); */
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_module_header_thread(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, l_module_end(header),
      @     words); */
    return FXT_OK;
}

/* The position after the timestamp and the thread. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_profiler_body(header) && 2 <= \result <= 4;
  @*/
static inline uint64_t body_of(uint64_t header)
{
    return UINT64_C(2) + fxt_i_read_thread_words(fxt_profiler_header_thread(header));
}

enum fxt_status fxt_read_mmap(const struct fxt_record *record, struct fxt_mmap *out,
                              struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_mmap_header_thread(header);
    uint64_t body = body_of(header);
    uint64_t end = body + 3;

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_MMAP)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_PRF_03);
    if (body > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (end > words)
        return fxt_i_malformed(error, record, words, FXT_RULE_PRF_03);
    out->timestamp = fxt_load_word(bytes + 8);
    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->start_address = fxt_load_word(bytes + 8 * body);
    out->address_range = fxt_load_word(bytes + 8 * body + 8);
    out->vaddr = fxt_load_word(bytes + 8 * body + 16);
    out->module_id = fxt_mmap_header_module_id(header);
    out->flags = fxt_mmap_header_flags(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_mmap_header_thread(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, l_profiler_body(header) + 3,
      @     words); */
    return FXT_OK;
}

enum fxt_status fxt_read_backtrace(const struct fxt_record *record, struct fxt_backtrace *out,
                                   struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_backtrace_header_thread(header);
    uint8_t count = fxt_backtrace_header_frame_count(header);
    uint64_t frames = 2 + fxt_i_read_thread_words(thread);
    uint64_t end = frames + count;

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_BACKTRACE)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_PRF_04);
    if (frames > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (end > words)
        return fxt_i_malformed(error, record, frames, FXT_RULE_PRF_04);
    out->timestamp = fxt_load_word(bytes + 8);
    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->frames.bytes = fxt_i_stream(bytes, frames, words, 8 * (uint64_t)count);
    out->frames.size = 8 * (uint64_t)count;
    out->frame_count = count;
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert frames: says_stream(out->frames.bytes, out->frames.size, bytes,
      @     l_profiler_body(header), 8 * l_backtrace_header_frame_count(header)); */
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_backtrace_header_thread(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, l_backtrace_end(header),
      @     words); */
    return FXT_OK;
}

uint64_t fxt_backtrace_frame(const struct fxt_backtrace *backtrace, uint8_t index)
{
    return fxt_load_word(backtrace->frames.bytes + UINT64_C(8) * index);
}
