/* Recognises a mistake by the words of a record. No state; check.c counts. All sizes are compared with the
   words that the record has before they are used. */
#include "src/cli/hint.h"

#include <stdbool.h>

#include "src/base/word.h"
#include "src/wire/layout.h"

static uint64_t word_at(const struct fxt_record *record, uint32_t at)
{
    return fxt_load_word(record->bytes + (size_t)FXT_WORD_BYTES * at);
}

static uint32_t inline_words(uint16_t ref)
{
    return (fxt_string_ref_length((struct fxt_string_ref){.ref = ref}) + 7) / 8;
}

/* The word of an event where its arguments begin, or its end. */
static uint32_t args_of(const struct fxt_record *record)
{
    uint64_t h = record->header;
    uint32_t at = (fxt_event_header_thread(h) == 0 ? 4u : 2u) +
                  inline_words(fxt_event_header_category(h)) +
                  inline_words(fxt_event_header_name(h));
    return at < record->words ? at : record->words;
}

/* Whether so many arguments of defined types, none of them null, fill the words. */
static bool are_args(const struct fxt_record *record, uint32_t at, uint32_t end, uint32_t count)
{
    while (count > 0 && at < end) {
        uint64_t h = word_at(record, at);
        uint32_t size = fxt_arg_header_size(h);
        uint8_t type = fxt_arg_header_type(h);
        if (size == 0 || size > end - at || type == 0 || type > FXT_ARG_BLOB)
            return false;
        at += size;
        count--;
    }
    return count == 0 && at == end;
}

/* Whether an argument's header stands behind the id and the value, and counts the value. */
static bool is_header_late(const struct fxt_record *record, uint32_t at)
{
    if (record->words - at < 3)
        return false;
    uint64_t h = word_at(record, at + 2);
    uint8_t type = fxt_arg_header_type(h);
    return type > 0 && type <= FXT_ARG_DOUBLE && fxt_arg_header_size(h) == record->words - at - 1;
}

static bool is_id_early(const struct fxt_record *record)
{
    uint32_t at = args_of(record), end = record->words;
    uint32_t count = fxt_event_header_arg_count(record->header);
    if (fxt_event_header_event_type(record->header) != FXT_EVENT_COUNTER || count == 0 ||
        end - at < 2 || are_args(record, at, end - 1, count))
        return false;
    return are_args(record, at + 1, end, count) || (count == 1 && is_header_late(record, at));
}

static bool has_blob_of_no_size(const struct fxt_record *record)
{
    uint32_t at = args_of(record);
    for (uint32_t left = fxt_event_header_arg_count(record->header); left > 0 && at < record->words;
         left--) {
        uint64_t h = word_at(record, at);
        uint32_t size = fxt_arg_header_size(h), name = inline_words(fxt_arg_header_name(h));
        if (size == 0 || size > record->words - at || size < 1 + name)
            return false;
        uint64_t room = 8 * (uint64_t)(size - 1 - name);
        uint32_t payload = fxt_arg_blob_header_payload_size(h);
        if (fxt_arg_header_type(h) == FXT_ARG_BLOB && room > 0 && (payload == 0 || payload > room))
            return true;
        at += size;
    }
    return false;
}

/* An index that is too large reaches into the reserved bits above it, in the lower half of the header. */
static bool is_in_lower_half(uint64_t reserved)
{
    return (uint32_t)reserved != 0;
}

enum hint hint_of(const struct fxt_record *record)
{
    switch (record->type) {
    case FXT_RECORD_STRING:
        return is_in_lower_half(fxt_string_header_reserved(record->header)) ? HINT_STRING_INDEX
                                                                            : HINT_NONE;
    case FXT_RECORD_THREAD:
        return is_in_lower_half(fxt_thread_header_reserved(record->header)) ? HINT_THREAD_INDEX
                                                                            : HINT_NONE;
    case FXT_RECORD_EVENT:
        return is_id_early(record)           ? HINT_COUNTER_ID
               : has_blob_of_no_size(record) ? HINT_BLOB_SIZE
                                             : HINT_NONE;
    default:
        return HINT_NONE;
    }
}

const char *hint_text(enum hint hint)
{
    static const char *const texts[HINT_COUNT] = {
        [HINT_NONE] = "",
        [HINT_COUNTER_ID] =
            "the id of a counter seems to stand before its arguments; it belongs behind them",
        [HINT_BLOB_SIZE] = "the size of a blob argument is not in bits 32 to 63 of its header",
        [HINT_STRING_INDEX] = "a string index seems to be 32768 or more; the last one is 32767",
        [HINT_THREAD_INDEX] = "a thread index seems to be 256 or more; the last one is 255",
    };
    return texts[hint];
}
