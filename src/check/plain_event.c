/* The fast path of the checker. Most events consist of indexed references and plain arguments, and
   break no rule. This file accepts exactly such events and reads each word once. It leaves all
   others to the walk, so the only rule that it reports is LIM-01, if the memory for asyncs and
   flows is full. plain_event_test.c compares it with the walk. The state is struct fxt_checker.

   Where the type of an event or an argument matters, the code uses numbers from a table instead of
   a branch. The types in a trace follow no pattern, and a mispredicted branch costs more than the
   rest of the event. */
#include "src/check/history.h"
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* For each argument type: its words if nothing in it is inline, and the bits of its header that are
   0 unless there is something to report. For types that are left to the walk, these are all
   bits. */
struct plain_arg {
    uint64_t forbidden;
    uint8_t words;
    uint8_t numeric;
    uint8_t string;
};

static const struct plain_arg plain_args[16] = {
    [FXT_ARG_NULL] = {FXT_ARG_PLAIN_HEADER_RESERVED, 1, 0, 0},
    [FXT_ARG_INT32] = {0, 1, 1, 0},
    [FXT_ARG_UINT32] = {0, 1, 1, 0},
    [FXT_ARG_INT64] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1, 0},
    [FXT_ARG_UINT64] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1, 0},
    [FXT_ARG_DOUBLE] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 1, 0},
    [FXT_ARG_STRING] = {FXT_ARG_STRING_HEADER_RESERVED, 1, 0, 1},
    [FXT_ARG_POINTER] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 0, 0},
    [FXT_ARG_KOID] = {FXT_ARG_PLAIN_HEADER_RESERVED, 2, 0, 0},
    [FXT_ARG_BOOL] = {FXT_ARG_BOOL_HEADER_RESERVED, 1, 0, 0},
    [FXT_ARG_BLOB] = {UINT64_MAX, 0, 0, 0},
    [11] = {UINT64_MAX, 0, 0, 0},
    [12] = {UINT64_MAX, 0, 0, 0},
    [13] = {UINT64_MAX, 0, 0, 0},
    [14] = {UINT64_MAX, 0, 0, 0},
    [15] = {UINT64_MAX, 0, 0, 0},
};

/* For each event type: the number of words after the arguments (for types that are left to the
   walk, more than any record has), and what the event adds to the depth of its thread. */
struct plain_type {
    uint32_t words;
    uint32_t begins;
    uint32_t ends;
};

#define NOT_PLAIN                                                                                  \
    {                                                                                              \
        UINT32_MAX / 2, 0, 0                                                                       \
    }

static const struct plain_type plain_types[16] = {
    [FXT_EVENT_INSTANT] = {0, 0, 0},
    [FXT_EVENT_COUNTER] = {1, 0, 0},
    [FXT_EVENT_DURATION_BEGIN] = {0, 1, 0},
    [FXT_EVENT_DURATION_END] = {0, 0, 1},
    [FXT_EVENT_DURATION_COMPLETE] = {1, 0, 0},
    [FXT_EVENT_ASYNC_BEGIN] = {1, 0, 0},
    [FXT_EVENT_ASYNC_INSTANT] = {1, 0, 0},
    [FXT_EVENT_ASYNC_END] = {1, 0, 0},
    [FXT_EVENT_FLOW_BEGIN] = {1, 0, 0},
    [FXT_EVENT_FLOW_STEP] = {1, 0, 0},
    [FXT_EVENT_FLOW_END] = {1, 0, 0},
    [11] = NOT_PLAIN,
    [12] = NOT_PLAIN,
    [13] = NOT_PLAIN,
    [14] = NOT_PLAIN,
    [15] = NOT_PLAIN,
};

/*@ requires type < 16; terminates \true; assigns \nothing; @*/
static inline struct plain_arg kind_of_arg(uint8_t type)
{
    return plain_args[type];
}

/*@ requires type < 16; terminates \true; assigns \nothing; @*/
static inline struct plain_type kind_of(uint8_t type)
{
    return plain_types[type];
}

/* Whether the string is registered; index 0, the empty string, always is. */
/*@ requires \valid_read(provider);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result ==> ref < 32768;
  @*/
static inline bool plain_ref(const struct fxt_provider *provider, uint16_t ref)
{
    return ref < FXT_STRING_INLINE && provider->strings[ref].generation == provider->generation;
}

/* Whether the words are the inline text of a string argument and break no rule. */
/*@ requires words > 0 && \valid_read(bytes + (0 .. 8 * words - 1)) && ref >= 32768;
  @ terminates \true;
  @ assigns \nothing;
  @*/
static bool plain_text(const uint8_t *bytes, uint32_t words, uint16_t ref)
{
    uint32_t length = (uint32_t)ref - FXT_STRING_INLINE;

    if (length == 0 || length > FXT_STRING_LENGTH_MAX || words != (length + 7) / 8 ||
        !fxt_utf8_valid(bytes, length))
        return false;
    uint64_t last = fxt_load_word(bytes + UINT64_C(8) * words - 8);
    return length % 8 == 0 || last >> (8 * (length % 8)) == 0;
}

/* Whether the argument with that header is plain. `left`: words up to the end of the record. */
/*@ requires \valid_read(checker) && \valid_read(provider);
  @ requires left > 0 && \valid_read(bytes + (0 .. 8 * left - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures named: \result ==> l_arg_header_name(header) < 32768;
  @*/
static inline bool plain_arg(const struct fxt_checker *checker, const struct fxt_provider *provider,
                             const uint8_t *bytes, uint64_t header, uint32_t left)
{
    struct plain_arg plain = kind_of_arg(fxt_arg_header_type(header));
    uint16_t text = (uint16_t)(plain.string % 2u * fxt_arg_string_header_value(header));
    uint16_t name = fxt_arg_header_name(header);
    uint32_t size = fxt_arg_header_size(header);

    if (!plain_ref(provider, name) || provider->strings[name].length == 0 ||
        (header & plain.forbidden) != 0)
        return false;
    if (text >= FXT_STRING_INLINE)
        return size > 1 && size <= left && plain_text(bytes + 8, size - 1, text);
    return plain.words == size && provider->strings[text].generation == provider->generation &&
           (checker->edition != FXT_EDITION_2020 || fxt_arg_header_type(header) != FXT_ARG_BOOL);
}

/* The digests of the argument names so far, for ARG-06. Most events have few arguments, so the last
   three are compared without a loop. */
struct names {
    uint32_t last[3];
    uint16_t all[FXT_ARGS_MAX];
};

#define NO_DIGEST UINT32_MAX

/*@ requires \valid(names) && count < 15;
  @ terminates \true;
  @ assigns *names;
  @*/
static inline bool new_name(struct names *names, uint16_t digest, uint32_t count)
{
    uint32_t same = (uint32_t)(names->last[0] == digest) + (uint32_t)(names->last[1] == digest) +
                    (uint32_t)(names->last[2] == digest);

    /*@ loop invariant 3 <= i && (i <= count || i == 3) && same <= i;
      @ loop assigns i, same;
      @ loop variant count - i;
      @*/
    for (uint32_t i = 3; i < count; i++)
        same += names->all[i - 3] == digest;
    names->last[2] = names->last[1];
    names->last[1] = names->last[0];
    names->last[0] = digest;
    names->all[count] = digest;
    return same == 0;
}

/* The position after `count` plain arguments with different names; 0 if one is not plain. */
/*@ requires \valid_read(checker) && \valid_read(provider);
  @ requires \valid_read(record) && fxt_record_ok(record) && record->words <= 4095 && count <= 15;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result <= 8190;
  @*/
static uint32_t behind_args(const struct fxt_checker *checker, const struct fxt_provider *provider,
                            const struct fxt_record *record, uint8_t count)
{
    struct names names = {.last = {NO_DIGEST, NO_DIGEST, NO_DIGEST}};
    uint32_t counter = fxt_event_header_event_type(record->header) == FXT_EVENT_COUNTER;
    uint32_t position = 2;

    /*@ loop invariant 0 <= i <= count && position <= 8190;
      @ loop assigns i, position, names;
      @ loop variant count - i;
      @*/
    for (uint8_t i = 0; i < count; i++) {
        if (position >= record->words)
            return 0;
        const uint8_t *bytes = record->bytes + UINT64_C(8) * position;
        uint64_t header = fxt_load_word(bytes);
        if (!plain_arg(checker, provider, bytes, header, record->words - position) ||
            !new_name(&names, provider->strings[fxt_arg_header_name(header)].digest, i) ||
            kind_of_arg(fxt_arg_header_type(header)).numeric < counter)
            return 0;
        position += fxt_arg_header_size(header);
    }
    return position;
}

/* Returns `yes` if choice is 1, `no` if it is 0. */
/*@ requires choice <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (choice == 1 ? yes : no);
  @*/
static inline uint64_t select(uint64_t choice, uint64_t yes, uint64_t no)
{
    /*@ assert either: choice == 0 || choice == 1; */
    return choice * yes + (1 - choice) * no;
}

/* Updates the state of the event's thread. False, without a change, if there would be a finding. */
/*@ requires \valid(thread) && \valid_read(record) && fxt_record_ok(record) && type < 16;
  @ requires \separated(thread, record);
  @ terminates \true;
  @ assigns *thread;
  @ ensures refused: !\result ==> *thread == \old(*thread);
  @*/
static inline bool take(struct fxt_check_thread *thread, const struct fxt_record *record,
                        uint8_t type, uint64_t timestamp)
{
    struct plain_type plain = kind_of(type);
    uint64_t complete = type == FXT_EVENT_DURATION_COMPLETE;
    uint64_t last_word = fxt_load_word(record->bytes + UINT64_C(8) * record->words - 8);
    uint64_t later = select(complete, last_word, timestamp);
    uint64_t earlier = select(complete, timestamp, thread->last_timestamp);

    if (later < earlier || thread->depth < plain.ends || thread->depth == UINT32_MAX ||
        (complete && fxt_i_crosses(thread, timestamp, last_word)))
        return false;
    if (complete)
        fxt_i_note_complete(thread, timestamp, last_word);
    else if (type >= FXT_EVENT_FLOW_BEGIN)
        fxt_i_note_flow(thread, record->offset, timestamp, last_word);
    thread->begin_offset =
        select(plain.begins & (uint64_t)(thread->depth == 0), record->offset, thread->begin_offset);
    thread->depth = thread->depth - plain.ends + plain.begins % 2;
    thread->last_timestamp = select(complete, thread->last_timestamp, timestamp);
    return true;
}

/* Whether the extra word after the arguments is the scope of an instant event. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && position <= 8190;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures last: \result ==> position + 1 == record->words;
  @*/
static inline bool is_scope(const struct fxt_record *record, uint8_t type, uint32_t position)
{
    return type == FXT_EVENT_INSTANT && position + 1 == record->words &&
           fxt_load_word(record->bytes + UINT64_C(8) * position) <= FXT_SCOPE_GLOBAL;
}

/* The number of the event's thread, from 1; 0 if the event is not plain. */
/*@ requires \valid_read(checker) && fxt_tables_ok(&checker->tables);
  @ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result <= checker->thread_max;
  @ ensures words: \result > 0 ==> record->words >= 2;
  @*/
static inline uint32_t plain_thread(const struct fxt_checker *checker,
                                    const struct fxt_record *record)
{
    struct fxt_provider *provider = fxt_i_current_provider(&checker->tables);
    uint64_t header = record->header;
    uint8_t type = fxt_event_header_event_type(header);
    uint8_t count = fxt_event_header_arg_count(header);
    const struct fxt_thread_slot *slot = &provider->threads[fxt_event_header_thread(header)];
    uint32_t position = 2;

    if (record->words < 2 || record->words > FXT_RECORD_WORDS_MAX ||
        slot->generation != provider->generation || slot->cookie == 0 ||
        slot->cookie > checker->thread_max ||
        !plain_ref(provider, fxt_event_header_category(header)) ||
        !plain_ref(provider, fxt_event_header_name(header)))
        return 0;
    if (count > 0)
        position = behind_args(checker, provider, record, count);
    if (position == 0 || (count == 0 && type == FXT_EVENT_COUNTER))
        return 0;
    if ((uint64_t)position + kind_of(type).words != record->words &&
        !is_scope(record, type, position))
        return 0;
    return slot->cookie;
}

/* Counts the event. The contract adds what does not change. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten,
  @         walk->checker->opens[0 .. walk->checker->open_max - 1];
  @ ensures kept: checker_kept{Old,Here}(walk->checker);
  @ ensures tables: tables_kept{Old,Here}(&walk->checker->tables);
  @ ensures record: record_kept{Old,Here}(walk->record);
  @ ensures little: \old(walk->checker->finding_count) == 0 ==> walk->checker->finding_count <= 1;
  @*/
static inline void count_pair(struct fxt_i_walk *walk, uint8_t type, uint64_t timestamp,
                              uint64_t id, uint64_t process)
{
    fxt_i_check_pair(walk, type, timestamp, id, process);
}

/* Counts an async or flow event at that time and of that process. */
/*@ requires checks(walk, walk->checker, walk->record);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten,
  @         walk->checker->opens[0 .. walk->checker->open_max - 1];
  @ ensures ok: checks(walk, walk->checker, walk->record);
  @ ensures little: \old(walk->checker->finding_count) == 0 ==> walk->checker->finding_count <= 1;
  @*/
static inline void walk_pair(struct fxt_i_walk *walk, uint8_t type, uint64_t timestamp,
                             uint64_t process)
{
    const struct fxt_record *record = walk->record;
    uint64_t id = fxt_load_word(record->bytes + UINT64_C(8) * record->words - 8);

    /*@ assert notes: walk_notes(walk); */
    count_pair(walk, type, timestamp, id, process);
}

/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid_read(record) && fxt_record_ok(record) && fxt_checker_apart(checker, record);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. 63], checker->full,
  @         checker->open_count, checker->last_open, checker->forgotten,
  @         checker->opens[0 .. checker->open_max - 1];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures little: \old(checker->finding_count) == 0 ==> checker->finding_count <= 1;
  @*/
static inline void take_pair(struct fxt_checker *checker, const struct fxt_record *record,
                             uint8_t type, uint64_t timestamp, uint64_t process)
{
    struct fxt_i_walk walk = {.checker = checker, .record = record};

    /*@ assert apart: walk_apart(&walk, checker); */
    /*@ assert ok: checks(&walk, checker, record); */
    walk_pair(&walk, type, timestamp, process);
    /*@ assert still: checks(&walk, checker, record); */
}

bool fxt_i_plain_event(struct fxt_checker *checker, const struct fxt_record *record)
{
    uint32_t number = plain_thread(checker, record);

    if (number == 0)
        return false;
    struct fxt_check_thread *thread = &checker->threads[number - 1];
    uint8_t type = fxt_event_header_event_type(record->header);
    uint64_t timestamp = fxt_load_word(record->bytes + 8);
    /*@ assert apart: \separated(record, thread) && \separated(checker, thread); */
    bool taken = take(thread, record, type, timestamp);
    /*@ assert kept: checker_kept{Pre,Here}(checker); */
    /*@ assert tables: tables_kept{Pre,Here}(&checker->tables); */
    /*@ assert record: record_kept{Pre,Here}(record); */
    /*@ assert ok: fxt_checker_ok(checker); */
    if (!taken)
        return false;
    if (type >= FXT_EVENT_ASYNC_BEGIN)
        take_pair(checker, record, type, timestamp, thread->process);
    return true;
}
