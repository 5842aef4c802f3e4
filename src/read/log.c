/* Log records. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_log(const struct fxt_record *record, struct fxt_log *out,
                             struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_log_header_thread(header);
    uint16_t size = fxt_log_header_length(header);
    uint64_t message = 2 + fxt_i_read_thread_words(thread);
    uint64_t end = message + fxt_words_of(size);

    if (record->type != FXT_RECORD_LOG)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_LOG_01);
    if (message > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (end > words)
        return fxt_i_malformed(error, record, message, FXT_RULE_LOG_01);
    out->timestamp = fxt_load_word(bytes + 8);
    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->message.bytes = fxt_i_stream(bytes, message, words, size);
    out->message.size = size;
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert message: says_stream(out->message.bytes, out->message.size, bytes,
      @     l_log_message(header), l_log_header_length(header)); */
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_log_header_thread(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, l_log_end(header), words);
      @     */
    return FXT_OK;
}
