/* The fast path of the checker: most events of most traces are built of indexed references and
   plain arguments and break no rule. This accepts exactly such events, by looking at each word
   once; whatever is out of the ordinary is left to the walk, so nothing is ever reported from here.
   plain_event_test.c holds it against the walk. The state is that of struct fxt_checker. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* By argument type: its words when its name is not inline, 0 for a type that the walk looks at;
   and the bits of its header that are not zero only when there is something to report. */
struct plain_arg {
    uint64_t forbidden;
    uint8_t words;
    uint8_t numeric;
};

static const struct plain_arg plain_args[16] = {
    [FXT_ARG_NULL] = {FXT_ARG_PLAIN_HEADER_RESERVED, 1, 0},
    [FXT_ARG_INT32] = {0, 1, 1},
    [FXT_ARG_UINT32] = {0, 1, 1},
    [FXT_ARG_INT64] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1},
    [FXT_ARG_UINT64] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1},
    [FXT_ARG_DOUBLE] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1},
    [FXT_ARG_STRING] = {FXT_ARG_STRING_HEADER_RESERVED, 1, 0},
    [FXT_ARG_POINTER] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 0},
    [FXT_ARG_KOID] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 0},
};

/* The words behind the arguments, by event type; 0xff for the types that the walk looks at: asyncs
   and flows, which are paired by id, and unknown ones. */
static const uint8_t plain_tail[16] = {0,    1,    0,    0,    1,    0xff, 0xff, 0xff,
                                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

static inline bool plain_ref(const struct fxt_provider *provider, uint16_t ref)
{
    return ref < FXT_STRING_INLINE &&
           (ref == 0 || provider->strings[ref].generation == provider->generation);
}

/* The word behind `count` plain arguments with different names; 0 when one is not plain. */
static uint32_t behind_args(const struct fxt_provider *provider, const struct fxt_record *record,
                            uint8_t count, bool counter)
{
    uint16_t digests[FXT_ARGS_MAX];
    uint32_t position = 2;

    for (uint8_t i = 0; i < count; i++) {
        if (position >= record->words)
            return 0;
        uint64_t header = fxt_load_word(record->bytes + UINT64_C(8) * position);
        const struct plain_arg *plain = &plain_args[fxt_arg_header_type(header)];
        uint16_t name = fxt_arg_header_name(header);
        if (plain->words == 0 || fxt_arg_header_size(header) != plain->words ||
            (header & plain->forbidden) != 0 || (counter && !plain->numeric))
            return 0;
        if (name == 0 || !plain_ref(provider, name))
            return 0;
        if (fxt_arg_header_type(header) == FXT_ARG_STRING &&
            !plain_ref(provider, fxt_arg_string_header_value(header)))
            return 0;
        digests[i] = provider->strings[name].digest;
        for (uint8_t k = 0; k < i; k++)
            if (digests[k] == digests[i])
                return 0;
        position += plain->words;
    }
    return position;
}

/* Takes the event into the state of its thread; false when that would be a finding. */
static inline bool take(struct fxt_check_thread *thread, const struct fxt_record *record,
                        uint8_t type, uint64_t timestamp)
{
    if (type == FXT_EVENT_DURATION_COMPLETE)
        return fxt_load_word(record->bytes + UINT64_C(8) * record->words - 8) >= timestamp;
    if (timestamp < thread->last_timestamp || thread->depth == UINT32_MAX)
        return false;
    if (type == FXT_EVENT_DURATION_END) {
        if (thread->depth == 0)
            return false;
        thread->depth--;
    } else if (type == FXT_EVENT_DURATION_BEGIN) {
        thread->depth++;
        thread->begin_offset = record->offset;
    }
    thread->last_timestamp = timestamp;
    return true;
}

bool fxt_i_plain_event(struct fxt_checker *checker, const struct fxt_record *record)
{
    struct fxt_provider *provider = fxt_i_provider(&checker->tables);
    uint64_t header = record->header;
    uint8_t type = fxt_event_header_event_type(header);
    uint8_t count = fxt_event_header_arg_count(header);
    const struct fxt_thread_slot *slot = &provider->threads[fxt_event_header_thread(header)];
    uint32_t position = 2;

    if (record->words < 2 || slot->generation != provider->generation || slot->cookie == 0 ||
        !plain_ref(provider, fxt_event_header_category(header)) ||
        !plain_ref(provider, fxt_event_header_name(header)))
        return false;
    if (count > 0)
        position = behind_args(provider, record, count, type == FXT_EVENT_COUNTER);
    if (position == 0 || (count == 0 && type == FXT_EVENT_COUNTER))
        return false;
    if (position + plain_tail[type] != record->words) {
        bool scope = type == FXT_EVENT_INSTANT && position + 1 == record->words;
        if (!scope || fxt_load_word(record->bytes + UINT64_C(8) * position) > FXT_SCOPE_GLOBAL)
            return false;
    }
    return take(&checker->threads[slot->cookie - 1], record, type,
                fxt_load_word(record->bytes + 8));
}
