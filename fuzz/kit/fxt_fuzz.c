/* The kit: encoder, generator, table of mistakes, mutator, comparison. Bits are numbers here,
   written from the tables of spec/format.md, so that no other encoder's mistake repeats itself. */
#include "fxt_fuzz.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choices ---- */

/* splitmix64: every state is good, so every seed is. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Below `bound`, which is not 0. */
static uint64_t pick(uint64_t *state, uint64_t bound)
{
    return draw(state) % bound;
}

/* A liking for the values at which things change. */
static uint64_t pick_value(uint64_t *state)
{
    uint64_t power = UINT64_C(1) << pick(state, 64);
    switch (pick(state, 6)) {
    case 0:
        return pick(state, 3);
    case 1:
        return UINT64_MAX - pick(state, 3);
    case 2:
        return power;
    case 3:
        return power - 1;
    case 4:
        return pick(state, 256);
    default:
        return draw(state);
    }
}

/* One of the bits of `mask`; 0 for 0. */
static uint64_t pick_bit(uint64_t *state, uint64_t mask)
{
    unsigned count = 0;
    for (uint64_t m = mask; m != 0; m &= m - 1)
        count++;
    if (count == 0)
        return 0;
    for (uint64_t skip = pick(state, count); skip > 0; skip--)
        mask &= mask - 1;
    return mask & (~mask + 1);
}

/* ---- Words ---- */

#define MAGIC_WORD UINT64_C(0x0016547846040010)

static uint64_t get_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static void put_word(uint8_t *bytes, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* A record that is being written. Its header comes last, when its refs and its size are known. */
struct put {
    uint8_t *start;
    uint8_t *at;
    size_t left; /* for texts: no text takes more than a quarter of it */
};

static struct put put_record(uint8_t *out)
{
    struct put put = {out, out + 8, 31000};
    return put;
}

static void put(struct put *put, uint64_t word)
{
    put_word(put->at, word);
    put->at += 8;
}

static size_t put_header(const struct put *put, uint64_t header)
{
    size_t size = (size_t)(put->at - put->start);
    put_word(put->start, header | (uint64_t)(size / 8) << 4);
    return size;
}

/* ---- Texts ----

   A text is known by a number. Texts of different numbers have different lengths, hence are
   different. Lengths lie around the multiples of 8, where padding changes. */

#define TEXTS 32u
#define TEXTS_SHORT 17u

static const uint16_t text_sizes[TEXTS] = {1,  2,  3,  4,  5,   6,   7,   8,    9,    10,   11,
                                           12, 13, 14, 15, 16,  17,  23,  24,   25,   31,   32,
                                           33, 63, 64, 65, 127, 255, 256, 1000, 4000, 32000};

static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

/* Behind the bytes of a stream. */
static void end_stream(struct put *put, size_t size)
{
    memset(put->at + size, 0, padded(size) - size);
    put->at += padded(size);
    put->left -= padded(size) < put->left ? padded(size) : put->left;
}

static void put_text(struct put *put, unsigned text)
{
    static const struct character {
        const char *bytes;
        size_t size;
    } characters[] = {{"a", 1},  {"\xc3\xa4", 2}, {"Z", 1}, {"\xe2\x82\xac", 3},
                      {"\"", 1}, {"\\", 1},       {"0", 1}, {"\xf0\x9f\x98\x80", 4},
                      {"", 1},   {"/", 1},        {"<", 1}, {" ", 1},
                      {"\n", 1}};
    enum { COUNT = sizeof characters / sizeof characters[0] };
    size_t size = text_sizes[text], at = 0;
    for (unsigned i = text; at < size; i++) {
        const struct character *it = &characters[i % COUNT];
        if (it->size > size - at)
            it = &characters[0];
        memcpy(put->at + at, it->bytes, it->size);
        at += it->size;
    }
    end_stream(put, size);
}

/* A text that fits and is not in the set `used`: there are more short ones than arguments. */
static unsigned pick_text(uint64_t *random, const struct put *put, size_t max, uint32_t used)
{
    unsigned text = (unsigned)pick(random, pick(random, 16) > 0 ? TEXTS_SHORT : TEXTS);
    size_t room = put->left / 4 < max ? put->left / 4 : max;
    while (text >= TEXTS_SHORT && text_sizes[text] > room)
        text--;
    while ((used >> text & 1) != 0 || text_sizes[text] > max)
        text = (text + 1) % TEXTS_SHORT;
    return text;
}

/* A text, or seldom none. Returns its size. */
static uint64_t put_text_or_none(uint64_t *random, struct put *put, size_t max)
{
    unsigned text = pick_text(random, put, max, 0);
    if (pick(random, 8) == 0)
        return 0;
    put_text(put, text);
    return text_sizes[text];
}

/* What a blob holds: a text, any bytes, or seldom nothing. Returns its size. */
static uint64_t put_payload(uint64_t *random, struct put *put)
{
    if (pick(random, 2) == 0)
        return put_text_or_none(random, put, 4000);
    size_t size = text_sizes[pick_text(random, put, 4000, 0)];
    for (size_t i = 0; i < size; i++)
        put->at[i] = (uint8_t)draw(random);
    end_stream(put, size);
    return size;
}

/* ---- Kinds ---- */

enum kind {
    MAGIC,
    PROVIDER_INFO,
    PROVIDER_SECTION,
    PROVIDER_EVENT,
    TRACE_INFO, /* the only valid one is the magic number: never generated */
    INITIALIZATION,
    STRING,
    THREAD,
    INSTANT,
    COUNTER,
    DURATION_BEGIN,
    DURATION_END,
    DURATION_COMPLETE,
    ASYNC_BEGIN,
    ASYNC_INSTANT,
    ASYNC_END,
    FLOW_BEGIN,
    FLOW_STEP,
    FLOW_END,
    ARG_NULL,
    ARG_INT32,
    ARG_UINT32,
    ARG_INT64,
    ARG_UINT64,
    ARG_DOUBLE,
    ARG_STRING,
    ARG_POINTER,
    ARG_KOID,
    ARG_BOOL,
    ARG_BLOB,
    BLOB,
    USERSPACE_OBJECT,
    KERNEL_OBJECT,
    LEGACY_SWITCH,
    CONTEXT_SWITCH,
    THREAD_WAKEUP,
    LOG,
    MODULE,
    MMAP,
    BACKTRACE,
    LARGE_BLOB,
    KINDS
};

static const char *const kind_names[KINDS + 1] = {"magic",
                                                  "provider_info",
                                                  "provider_section",
                                                  "provider_event",
                                                  "trace_info",
                                                  "initialization",
                                                  "string",
                                                  "thread",
                                                  "instant",
                                                  "counter",
                                                  "duration_begin",
                                                  "duration_end",
                                                  "duration_complete",
                                                  "async_begin",
                                                  "async_instant",
                                                  "async_end",
                                                  "flow_begin",
                                                  "flow_step",
                                                  "flow_end",
                                                  "arg.null",
                                                  "arg.int32",
                                                  "arg.uint32",
                                                  "arg.int64",
                                                  "arg.uint64",
                                                  "arg.double",
                                                  "arg.string",
                                                  "arg.pointer",
                                                  "arg.koid",
                                                  "arg.bool",
                                                  "arg.blob",
                                                  "blob",
                                                  "userspace_object",
                                                  "kernel_object",
                                                  "legacy_switch",
                                                  "context_switch",
                                                  "thread_wakeup",
                                                  "log",
                                                  "module",
                                                  "mmap",
                                                  "backtrace",
                                                  "large_blob",
                                                  NULL};

#define SET(kind) (UINT64_C(1) << (kind))
#define SET_RANGE(first, last) ((SET(last) << 1) - SET(first))
#define ALL (SET(KINDS) - 1)
#define EVENTS SET_RANGE(INSTANT, FLOW_END)
#define FLOWS SET_RANGE(FLOW_BEGIN, FLOW_END)
#define NUMERIC SET_RANGE(ARG_INT32, ARG_DOUBLE)
#define WITH_ARGS                                                                                  \
    (EVENTS | SET(USERSPACE_OBJECT) | SET(KERNEL_OBJECT) | SET(CONTEXT_SWITCH) |                   \
     SET(THREAD_WAKEUP) | SET(LARGE_BLOB))
#define AFTER_2020                                                                                 \
    (SET(ARG_BOOL) | SET(ARG_BLOB) | SET(CONTEXT_SWITCH) | SET(THREAD_WAKEUP) |                    \
     SET_RANGE(MODULE, LARGE_BLOB))

const char *fxt_fuzz_kind(unsigned bit)
{
    return bit < KINDS ? kind_names[bit] : NULL;
}

/* A name, or a group of names. */
static uint64_t kinds_named(const char *name, size_t size)
{
    static const struct {
        const char *name;
        uint64_t kinds;
    } groups[] = {{"all", ALL},
                  {"tables", SET_RANGE(MAGIC, THREAD)},
                  {"events", EVENTS},
                  {"args", SET_RANGE(ARG_NULL, ARG_BLOB)}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strlen(groups[i].name) == size && memcmp(groups[i].name, name, size) == 0)
            return groups[i].kinds;
    for (unsigned i = 0; i < KINDS; i++)
        if (strlen(kind_names[i]) == size && memcmp(kind_names[i], name, size) == 0)
            return SET(i);
    return 0;
}

/* Whether all names of a list are to be taken away. */
static bool only_takes_away(const char *list)
{
    const char *at = list;
    while (*at == '-') {
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return *list != '\0' && *at == '\0';
}

uint64_t fxt_fuzz_kinds(const char *list, const char **bad)
{
    uint64_t kinds = only_takes_away(list) ? ALL : 0;
    *bad = NULL;
    for (const char *at = list; *at != '\0';) {
        size_t size = strcspn(at, ",");
        bool minus = *at == '-';
        uint64_t named = kinds_named(at + minus, size - minus);
        if (named == 0) {
            *bad = at;
            return 0;
        }
        kinds = minus ? kinds & ~named : kinds | named;
        at += size + (at[size] == ',');
    }
    return kinds;
}

uint64_t fxt_fuzz_kinds_made(uint64_t kinds, int edition)
{
    static const struct {
        uint64_t needed, of;
    } needs[] = {
        {NUMERIC, SET(COUNTER)},
        {SET(DURATION_BEGIN), SET(DURATION_END)},
        {SET(DURATION_END), SET(DURATION_BEGIN)},
        {SET(ASYNC_BEGIN), SET(ASYNC_INSTANT) | SET(ASYNC_END)},
        {SET(ASYNC_END), SET(ASYNC_BEGIN) | SET(ASYNC_INSTANT)},
        {SET(DURATION_BEGIN), SET(FLOW_BEGIN)},
        {SET(FLOW_END), SET(FLOW_BEGIN)},
        {SET(FLOW_BEGIN), SET(FLOW_STEP) | SET(FLOW_END)},
        {SET(FLOW_END), SET(FLOW_STEP)},
        {SET(PROVIDER_INFO), SET(PROVIDER_SECTION) | SET(PROVIDER_EVENT)},
        {WITH_ARGS, SET_RANGE(ARG_NULL, ARG_BLOB)},
    };
    kinds = (kinds != 0 ? kinds & ALL : ALL) & ~SET(TRACE_INFO);
    if (edition == 2020)
        kinds &= ~AFTER_2020;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if ((kinds & needs[i].needed) == 0)
            kinds &= ~needs[i].of;
    return kinds | SET(MAGIC);
}

/* ---- Mistakes ----

   Records that break exactly one rule wherever they stand: their threads, indices, processors and
   ids are used by nothing else. The words are one record or several. */

enum where { ANYWHERE, AT_END };

struct mistake {
    const char *rule;
    enum where where; /* AT_END: reading stops here, or the provider or its clock changes */
    int edition;      /* 0: all; 2020 or 1 (current): only this one */
    unsigned at;      /* the word that the finding names */
    size_t count;
    uint64_t any; /* bits of word 0 that may have any value */
    uint64_t one; /* bits of word `at`, of which one is set */
    uint64_t words[25];
};

#define B(value, lo) ((uint64_t)(value) << (lo))
#define BITS(lo, hi) ((~UINT64_C(0) >> (63 - (hi))) & (~UINT64_C(0) << (lo)))
#define REC(type, size) (B(size, 4) | (type))
#define EVENT(size, type, args) (REC(4, size) | B(type, 16) | B(args, 20))
#define AT(time) time, P, T /* time and thread of an event */
#define ARG(type, size, name, data) (REC(type, size) | B(name, 16) | B(data, 32))
#define STRING_AT(size, length) (REC(2, size) | B(0x5eed, 16) | B(length, 32))
#define LEGACY(size) (REC(8, size) | B(254, 16) | B(3, 24)) /* threads inline */
#define CONTEXT(size) (REC(8, size) | B(0x7eed, 20) | B(3, 36) | B(1, 60))
#define WAKEUP(size) (REC(8, size) | B(0xffff, 20) | B(2, 60))
#define P 0x7eed0001u
#define T 0x7eed0002u
#define ID 0x7eed0003u
#define INLINE_X 0x8001
#define X 'x'

/* rule, word of the finding, bits of word 0, bits of that word, words */
#define COUNT(...) (sizeof((uint64_t[]){__VA_ARGS__}) / 8)
#define ROW(rule, where, edition, at, any, one, ...)                                               \
    {                                                                                              \
        rule, where, edition, at, COUNT(__VA_ARGS__), any, one,                                    \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define BREAKS(rule, ...) ROW(rule, ANYWHERE, 0, __VA_ARGS__)
#define BREAKS_AT_END(rule, ...) ROW(rule, AT_END, 0, __VA_ARGS__)
#define BREAKS_CURRENT(rule, ...) ROW(rule, ANYWHERE, 1, __VA_ARGS__)
#define BREAKS_CURRENT_AT_END(rule, ...) ROW(rule, AT_END, 1, __VA_ARGS__)
#define BREAKS_2020(rule, ...) ROW(rule, ANYWHERE, 2020, __VA_ARGS__)

/* clang-format off */
static const struct mistake mistakes[] = {
    BREAKS_AT_END("REC-02", 0, BITS(0, 3), 0, B(1, 60)),
    BREAKS_AT_END("REC-03", 0, 0, 0, REC(3, 5) | B(253, 16)),
    BREAKS_CURRENT_AT_END("REC-03", 0, 0, 0, REC(15, 0xffffffff), 1),
    BREAKS("REC-04", 0, 0, BITS(24, 63), REC(3, 3) | B(253, 16), P, T),
    BREAKS("REC-04", 0, 0, BITS(31, 31) | BITS(47, 63), STRING_AT(2, 1), X),
    BREAKS("REC-04", 0, 0, BITS(47, 47) | BITS(56, 63), REC(5, 1) | B(1, 48)),
    BREAKS("REC-04", 0, 0, BITS(44, 63), REC(6, 3), 1, P),
    BREAKS("REC-04", 0, 0, BITS(44, 63), REC(7, 2) | B(5, 16), ID),
    BREAKS("REC-04", 0, 0, BITS(31, 31) | BITS(40, 63), REC(9, 4), AT(1)),
    BREAKS("REC-04", 4, 0, BITS(32, 63), EVENT(6, 0, 1), AT(1), ARG(0, 2, INLINE_X, 0), X),
    BREAKS("REC-04", 4, 0, BITS(48, 63), EVENT(6, 0, 1), AT(1), ARG(6, 2, INLINE_X, 0), X),
    BREAKS_CURRENT("REC-04", 4, 0, BITS(33, 63), EVENT(6, 0, 1), AT(1), ARG(9, 2, INLINE_X, 1), X),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(40, 59), CONTEXT(4), 1, T, T + 1),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(36, 59), WAKEUP(3), 1, T),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(60, 63), REC(10, 4), AT(1)),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(47, 63), REC(10, 7) | B(1, 16), AT(1), 1, 2, 3),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(36, 63), REC(10, 4) | B(2, 16), AT(1)),
    BREAKS_CURRENT("REC-04", 0, 0, BITS(44, 63), REC(15, 3) | B(1, 40), 0, 0),
    BREAKS("REC-05", 1, 0, BITS(24, 63), STRING_AT(2, 3), 0x636261),
    BREAKS("REC-05", 1, 0, BITS(32, 63), REC(5, 2) | B(4, 32) | B(1, 48), 0x64636261),
    BREAKS("REC-05", 4, 0, BITS(8, 63), REC(9, 5) | B(1, 16), AT(1), X),
    BREAKS("REC-06", 0, BITS(16, 63), 0, REC(11, 1)),
    BREAKS("REC-06", 0, BITS(16, 63), 0, REC(14, 2), 1),
    BREAKS("REC-08", 3, 0, 0, REC(3, 4) | B(253, 16), P, T, 9),
    BREAKS("REC-08", 1, 0, 0, REC(5, 2) | B(1, 48), 9),
    BREAKS("REC-08", 5, 0, 0, EVENT(6, 0, 0), AT(1), 2, 9),
    BREAKS("REC-08", 6, 0, 0, EVENT(7, 0, 1), AT(1), ARG(1, 3, INLINE_X, 5), X, 9),
    BREAKS("REC-09", 0, 0, 0, 0),
    BREAKS("REC-09", 0, 0, 0, 0, 0, 0),
    BREAKS("STR-02", 0, 0, 0, EVENT(4, 0, 0) | B(0x5eee, 32), AT(1)),
    BREAKS("STR-02", 0, 0, 0, EVENT(4, 0, 0) | B(0x5eee, 48), AT(1)),
    BREAKS("STR-02", 4, 0, 0, EVENT(5, 0, 1), AT(1), ARG(0, 1, 0x5eee, 0)),
    BREAKS("STR-02", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(6, 2, INLINE_X, 0x5eee), X),
    BREAKS("STR-03", 4, 0, 0, EVENT(4, 0, 0) | B(0x8009, 32), AT(1)),
    BREAKS("STR-03", 5, 0, 0, EVENT(5, 0, 1), AT(1), ARG(0, 1, INLINE_X, 0)),
    BREAKS("STR-05", 1, 0, 0, STRING_AT(2, 2), 0x80c0),
    BREAKS("STR-05", 1, 0, 0, STRING_AT(2, 3), 0x80a0ed),
    BREAKS("STR-05", 4, 0, 0, REC(9, 5) | B(1, 16), AT(1), 0xff),
    BREAKS("STR-05", 4, 0, 0, EVENT(5, 0, 0) | B(INLINE_X, 48), AT(1), 0xff),
    BREAKS("STR-06", 0, 0, 0, EVENT(4, 0, 0) | B(0x8000, 48), AT(1)),
    BREAKS("THR-02", 0, 0, 0, EVENT(2, 0, 0) | B(254, 24), 1),
    BREAKS("THR-03", 2, 0, 0, EVENT(2, 0, 0), 1),
    BREAKS("THR-03", 2, 0, 0, EVENT(3, 0, 0), 1, P),
    BREAKS("THR-03", 2, 0, 0, REC(9, 2), 1),
    BREAKS("MET-01", 0, BITS(20, 63), 0, REC(0, 1)),
    BREAKS("MET-01", 0, BITS(20, 63), 0, REC(0, 2) | B(5, 16), 1),
    BREAKS("MET-02", 1, BITS(20, 51), 0, REC(0, 1) | B(1, 16) | B(9, 52)),
    BREAKS("MET-03", 0, 0, 0, REC(0, 1) | B(3, 16) | B(0x5eed, 20)),
    BREAKS_AT_END("MET-03", 0, 0, 0, REC(0, 1) | B(2, 16) | B(0x5eed, 20)),
    BREAKS_AT_END("MET-04", 2, 0, BITS(52, 55), REC(0, 2) | B(1, 16) | B(0x5eed, 20) | B(1, 52),
            X, REC(0, 1) | B(3, 16) | B(0x5eed, 20)),
    BREAKS("MET-05", 0, BITS(24, 63), BITS(20, 23), REC(0, 1) | B(4, 16)),
    BREAKS("MET-06", 0, 0, BITS(24, 63) & ~MAGIC_WORD, MAGIC_WORD),
    BREAKS("MET-06", 0, 0, 0, MAGIC_WORD + 16, 0),
    BREAKS("INI-01", 1, 0, 0, REC(1, 1)),
    BREAKS("INI-02", 1, 0, 0, REC(1, 2), 0),
    BREAKS_AT_END("INI-03", 3, 0, 0, REC(1, 2), 0, REC(1, 2), 1),
    BREAKS("STT-01", 1, 0, 0, STRING_AT(1, 5)),
    BREAKS("STT-02", 0, 0, 0, REC(2, 2) | B(1, 32), X),
    BREAKS("STT-04", 0, 0, 0, STRING_AT(1, 0)),
    BREAKS("THT-01", 1, 0, 0, REC(3, 1) | B(253, 16)),
    BREAKS("THT-01", 2, 0, 0, REC(3, 2) | B(253, 16), P),
    BREAKS("THT-02", 0, 0, 0, REC(3, 3), P, T),
    BREAKS("EVT-01", 1, 0, 0, EVENT(1, 0, 0)),
    BREAKS("EVT-02", 0, 0, 0, EVENT(4, 11, 0), AT(1)),
    BREAKS("EVT-02", 0, 0, 0, EVENT(5, 15, 0), AT(1), 1),
    BREAKS("EVT-03", 4, 0, 0, EVENT(4, 1, 0), AT(1)),
    BREAKS("EVT-03", 4, 0, 0, EVENT(4, 4, 0), AT(1)),
    BREAKS("EVT-03", 4, 0, 0, EVENT(4, 7, 0), AT(1)),
    BREAKS("EVT-03", 4, 0, 0, EVENT(4, 9, 0), AT(1)),
    BREAKS("EVT-04", 0, 0, 0, EVENT(4, 2, 0), AT(1)),
    BREAKS("EVT-04", 0, 0, 0, EVENT(4, 3, 0), AT(1)),
    BREAKS("EVT-05", 4, 0, 0, EVENT(5, 4, 0), AT(20), 10),
    BREAKS("EVT-06", 0, 0, 0, EVENT(5, 5, 0), AT(1), ID),
    BREAKS("EVT-06", 0, 0, 0, EVENT(5, 7, 0), AT(1), ID),
    BREAKS("EVT-07", 5, 0, 0, EVENT(5, 4, 0), AT(10), 30, EVENT(5, 8, 0), AT(20), ID),
    BREAKS("EVT-08", 5, 0, 0, EVENT(4, 0, 0), AT(20), EVENT(4, 0, 0), AT(10)),
    BREAKS("EVT-09", 0, 0, 0, EVENT(5, 1, 0), AT(1), ID),
    BREAKS("EVT-09", 4, 0, 0, EVENT(7, 1, 1), AT(1), ARG(0, 2, INLINE_X, 0), X, ID),
    BREAKS_CURRENT("EVT-10", 4, 0, BITS(2, 63), EVENT(5, 0, 0), AT(1), 1),
    BREAKS("EVT-11", 0, 0, 0, EVENT(5, 8, 0), AT(10), ID, EVENT(5, 10, 0), AT(20), ID),
    BREAKS("EVT-12", 5, 0, 0, EVENT(5, 4, 0), AT(10), 30, EVENT(5, 4, 0), AT(20), 40),
    BREAKS("EVT-13", 10, 0, 0, EVENT(5, 4, 0), AT(10), 50, EVENT(5, 8, 0), AT(20), ID, EVENT(5, 8,
            0), AT(25), ID, EVENT(5, 10, 0), AT(30), ID, EVENT(5, 10, 0), AT(40), ID),
    BREAKS("ARG-01", 4, 0, 0, EVENT(4, 0, 1), AT(1)),
    BREAKS("ARG-01", 2, 0, 0, REC(7, 2) | B(5, 16) | B(1, 40), ID),
    BREAKS("ARG-02", 4, 0, 0, EVENT(5, 0, 1), AT(1), ARG(0, 0, 0x8000, 0)),
    BREAKS("ARG-03", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(3, 3, INLINE_X, 0), X),
    BREAKS("ARG-03", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(6, 4095, INLINE_X, 0), X),
    BREAKS("ARG-04", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(11, 2, INLINE_X, 0), X),
    BREAKS("ARG-04", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(15, 2, INLINE_X, 7), X),
    BREAKS("ARG-05", 6, 0, 0, EVENT(6, 0, 1), AT(1), ARG(3, 2, INLINE_X, 0), X),
    BREAKS("ARG-05", 6, 0, 0, EVENT(6, 0, 1), AT(1), ARG(8, 2, INLINE_X, 0), X),
    BREAKS("ARG-06", 6, 0, 0, EVENT(8, 0, 2), AT(1), ARG(0, 2, INLINE_X, 0), X, ARG(1, 2,
            INLINE_X, 0), X),
    BREAKS("ARG-07", 4, 0, 0, EVENT(5, 0, 1), AT(1), ARG(1, 1, 0, 0)),
    BREAKS_CURRENT("ARG-08", 6, 0, 0, EVENT(6, 0, 1), AT(1), ARG(10, 2, INLINE_X, 1), X),
    BREAKS("BLB-01", 1, 0, 0, REC(5, 1) | B(9, 32) | B(1, 48)),
    BREAKS("BLB-02", 0, 0, 0, REC(5, 1)),
    BREAKS("BLB-02", 0, 0, BITS(50, 55), REC(5, 1)),
    BREAKS("UOB-01", 1, 0, 0, REC(6, 1)),
    BREAKS("UOB-01", 2, 0, 0, REC(6, 2), 1),
    BREAKS("KOB-01", 1, 0, 0, REC(7, 1) | B(5, 16)),
    BREAKS("SCH-01", 1, 0, 0, LEGACY(1)),
    BREAKS("SCH-01", 2, 0, 0, LEGACY(2), 1),
    BREAKS("SCH-02", 0, BITS(16, 59), 0, REC(8, 1) | B(3, 60)),
    BREAKS("SCH-02", 0, BITS(16, 59), 0, REC(8, 1) | B(15, 60)),
    BREAKS("SCH-03", 0, 0, BITS(26, 26), LEGACY(6), AT(1), P, T + 1),
    BREAKS_CURRENT("SCH-03", 0, 0, BITS(38, 38), CONTEXT(4), 1, T, T + 1),
    BREAKS_CURRENT("SCH-04", 1, 0, 0, CONTEXT(1)),
    BREAKS_CURRENT("SCH-04", 3, 0, 0, CONTEXT(3), 1, T),
    BREAKS_CURRENT("SCH-05", 2, 0, 0, WAKEUP(2), 1),
    BREAKS("SCH-06", 7, 0, 0, LEGACY(6), AT(20), P, T + 1, LEGACY(6), AT(10) + AT(1)),
    BREAKS("SCH-07", 6, 0, 0, LEGACY(6), AT(10), P, T + 1, LEGACY(6), AT(20) + AT(2)),
    BREAKS("SCH-08", 0, 0, 0, LEGACY(6), AT(10), P, T),
    BREAKS("LOG-01", 1, 0, 0, REC(9, 1)),
    BREAKS("LOG-01", 4, 0, 0, REC(9, 4) | B(5, 16), AT(1)),
    BREAKS_CURRENT("PRF-01", 0, BITS(20, 63), 0, REC(10, 1) | B(3, 16)),
    BREAKS_CURRENT("PRF-02", 4, 0, 0, REC(10, 4) | B(5, 44), AT(1)),
    BREAKS_CURRENT("PRF-02", 5, 0, 0, REC(10, 5) | B(1, 44) | B(255, 52), AT(1), X),
    BREAKS_CURRENT("PRF-03", 5, 0, 0, REC(10, 5) | B(1, 16), AT(1), 1),
    BREAKS_CURRENT("PRF-04", 4, 0, 0, REC(10, 5) | B(2, 16) | B(2, 28), AT(1), 1),
    BREAKS_CURRENT("LRG-01", 0, BITS(40, 63), 0, REC(15, 2) | B(1, 36), 1),
    BREAKS_CURRENT("LRG-02", 0, BITS(44, 63), 0, REC(15, 2) | B(2, 40), 1),
    BREAKS_CURRENT("LRG-03", 1, 0, 0, REC(15, 1) | B(1, 40)),
    BREAKS_CURRENT("LRG-03", 2, 0, 0, REC(15, 2) | B(1, 40), 0),
    BREAKS_CURRENT("LRG-04", 3, 0, 0, REC(15, 3) | B(1, 40), 0, 1),
    BREAKS_CURRENT("LRG-04", 3, 0, 0, REC(15, 4) | B(1, 40), 0, UINT64_MAX, 1),
    BREAKS_2020("EDN-01", 0, 0, 0, CONTEXT(4), 1, T, T + 1),
    BREAKS_2020("EDN-01", 0, 0, 0, WAKEUP(3), 1, T),
    BREAKS_2020("EDN-01", 0, 0, 0, REC(10, 4), AT(1)),
    BREAKS_2020("EDN-01", 0, 0, 0, REC(15, 3) | B(1, 40), 0, 0),
    BREAKS_2020("EDN-01", 0, 0, 0, REC(5, 1) | B(3, 48)),
    BREAKS_2020("EDN-01", 4, 0, 0, EVENT(6, 0, 1), AT(1), ARG(9, 2, INLINE_X, 1), X),
    BREAKS_2020("EDN-01", 4, 0, 0, EVENT(7, 0, 1), AT(1), ARG(10, 3, INLINE_X, 1), X, 1),
};
/* clang-format on */

#define MISTAKES (sizeof mistakes / sizeof mistakes[0])

/* Rules whose mistake is no record. */
static const char *const special[] = {"REC-01", "REC-10", "MET-07", "STR-04"};

#define SPECIAL (sizeof special / sizeof special[0])

static bool mistake_fits(const struct mistake *mistake, int edition)
{
    return mistake->edition == 0 || (mistake->edition == 2020) == (edition == 2020);
}

const char *fxt_fuzz_rule(unsigned number, int edition)
{
    const char *last = "";
    if (number < SPECIAL)
        return special[number];
    number -= (unsigned)SPECIAL;
    for (size_t i = 0; i < MISTAKES; i++) {
        if (!mistake_fits(&mistakes[i], edition) || strcmp(last, mistakes[i].rule) == 0)
            continue;
        last = mistakes[i].rule;
        if (number-- == 0)
            return last;
    }
    return NULL;
}

/* The others of the list are malformed. */
static const char nonconforming[] =
    "ARG-04 BLB-02 EDN-01 EVT-02 EVT-10 INI-02 LRG-01 LRG-02 MET-01 MET-04 MET-05 "
    "MET-06 PRF-01 REC-04 REC-05 REC-06 SCH-02 SCH-03 STR-04 STR-05 STT-02 THT-02";
static const char suspicious[] =
    "ARG-06 ARG-07 EVT-04 EVT-05 EVT-06 EVT-07 EVT-08 EVT-09 EVT-11 EVT-12 EVT-13 "
    "INI-03 MET-03 MET-07 REC-08 SCH-06 SCH-07 SCH-08 STR-02 STR-06 STT-04 THR-02";

const char *fxt_fuzz_rule_class(const char *rule)
{
    if (strlen(rule) == 6 && strstr(nonconforming, rule) != NULL)
        return "nonconforming";
    if (strlen(rule) == 6 && strstr(suspicious, rule) != NULL)
        return "suspicious";
    return "malformed";
}

static size_t put_mistake(uint8_t *out, const struct mistake *mistake, uint64_t *random)
{
    for (size_t i = 0; i < mistake->count; i++) {
        uint64_t word = mistake->words[i];
        if (i == 0)
            word |= draw(random) & mistake->any;
        if (i == mistake->at)
            word |= pick_bit(random, mistake->one);
        put_word(out + 8 * i, word);
    }
    return 8 * mistake->count;
}

/* One of the mistakes that break a rule. */
static const struct mistake *pick_mistake(const char *rule, int edition, uint64_t *random)
{
    const struct mistake *picked = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < MISTAKES; i++)
        if (strcmp(mistakes[i].rule, rule) == 0 && mistake_fits(&mistakes[i], edition) &&
            pick(random, ++count) == 0)
            picked = &mistakes[i];
    return picked;
}

/* ---- Generator ---- */

#define PROVIDERS 4u
#define STRINGS 16u /* places of the string table in use */
#define INDICES 6u  /* of the thread table */
#define THREADS 6u  /* of a provider; threads 0 … 2 are of one process, 3 … 5 of another */
#define CPUS 4u
#define OPERATIONS 8u /* of async events, of flows */
#define DEPTH 8u

static const uint32_t provider_ids[PROVIDERS] = {0, 1, 77, UINT32_MAX};
static const uint16_t string_indices[STRINGS] = {1,   2,   3,    4,    127,  128,   255,   256,
                                                 257, 511, 4095, 4096, 8191, 16384, 32766, 32767};
static const uint8_t thread_indices[INDICES] = {1, 2, 3, 127, 128, 255};
/* The last is not for legacy switches. */
static const uint16_t cpu_numbers[CPUS] = {0, 1, 255, 65535};

/* Time advances in steps of 5000 ns. In a step, each of these clocks has at least one tick. */
#define STEPS_PER_SECOND UINT64_C(200000)

static const uint64_t clocks[] = {1000000000, 999999937,  1000000,    19200000,
                                  24000000,   2400000000, 4294967311, 5000000029};

/* With the clocks 1 … LATE_CLOCKS, the ticks do not overflow shortly before and behind 2^64 ns, where the
   nanoseconds do, which a reader then takes for 2^64 - 1. */
#define LATE_CLOCKS 4u
#define LATE (UINT64_MAX / 5000)

static uint64_t ticks_of(unsigned clock, uint64_t steps)
{
    return steps / STEPS_PER_SECOND * clocks[clock] +
           steps % STEPS_PER_SECOND * clocks[clock] / STEPS_PER_SECOND;
}

struct thread {
    uint64_t outer; /* where the outermost duration complete that is not written yet begins */
    uint64_t inner; /* where the last one within it ended */
    unsigned depth; /* open duration begins */
    unsigned flows; /* open flows that began inside them */
};

struct provider {
    uint64_t koid; /* of thread 0 */
    unsigned clock;
    bool introduced;
    bool dated;               /* its clock is settled: an initialization record, or a timestamp */
    unsigned open;            /* durations, async operations and flows that must end */
    uint8_t strings[STRINGS]; /* 1 + text, 0 for none */
    uint8_t indices[INDICES]; /* 1 + thread */
    struct thread threads[THREADS];
    unsigned running[CPUS]; /* 1 + thread, 0 for idle */
};

/* An async operation or a flow. The id is the same each time that the place is used. */
struct operation {
    bool open;
    unsigned provider, thread;
    uint64_t id;
};

struct fxt_fuzz_generator {
    uint64_t random;
    uint64_t kinds;
    int edition;
    uint64_t left;   /* records */
    uint64_t offset; /* of the next record */
    uint64_t now;    /* in steps */
    uint64_t open;   /* of all providers */
    unsigned current;
    bool started;
    bool late;         /* it is about 2^64 ns; a provider has a clock before a time */
    const char *rule;  /* to be broken; NULL when nothing is left to break */
    uint64_t break_at; /* when this many records are left */
    const char *broken;
    uint64_t broken_at;
    struct provider providers[PROVIDERS];
    struct operation async[OPERATIONS], flows[OPERATIONS];
};

static uint64_t timestamp(struct fxt_fuzz_generator *g)
{
    struct provider *p = &g->providers[g->current];
    g->now += pick(&g->random, 4);
    p->dated = true;
    return ticks_of(p->clock, g->now);
}

/* Puts the stream of an inline string, if it is one, and returns the ref. */
static uint64_t put_string(struct fxt_fuzz_generator *g, struct put *out, uint32_t *used,
                           bool empty)
{
    const struct provider *p = &g->providers[g->current];
    unsigned text = p->strings[pick(&g->random, STRINGS)];
    if (empty && pick(&g->random, 8) == 0)
        return 0;
    if (text-- == 0 || (*used >> text & 1) != 0 || pick(&g->random, 4) == 0)
        text = pick_text(&g->random, out, 4000, *used);
    *used |= UINT32_C(1) << text;
    for (unsigned i = 0; i < STRINGS; i++)
        if (p->strings[i] == text + 1)
            return string_indices[i];
    put_text(out, text);
    return 0x8000u | text_sizes[text];
}

static uint64_t put_any_string(struct fxt_fuzz_generator *g, struct put *out)
{
    uint32_t used = 0;
    return put_string(g, out, &used, true);
}

static uint64_t process_of(const struct provider *p, unsigned thread)
{
    return p->koid + 50 + thread / 3;
}

/* The same for a thread ref. `words` is 1 where only the process is written. */
static uint64_t put_thread(struct fxt_fuzz_generator *g, struct put *out, unsigned thread,
                           unsigned words)
{
    const struct provider *p = &g->providers[g->current];
    unsigned first = (unsigned)pick(&g->random, INDICES);
    for (unsigned i = first; i < INDICES; i++)
        if (p->indices[i] == thread + 1)
            return thread_indices[i];
    put(out, process_of(p, thread));
    if (words == 2)
        put(out, p->koid + thread);
    return 0;
}

/* Its word: one in four is infinite, a zero or no number. */
static uint64_t pick_double(uint64_t *random)
{
    static const uint64_t odd[] = {0x7ff0000000000000, 0xfff0000000000000, 0x8000000000000000,
                                   0x7ff8000000000000};
    uint64_t value = pick_value(random);
    uint64_t choice = pick(random, 16);
    return choice < 4 ? odd[choice] : value;
}

static uint64_t put_arg_value(struct fxt_fuzz_generator *g, struct put *out, unsigned type)
{
    uint32_t used = 0;
    switch (type) {
    case 0:
        return 0;
    case 1:
    case 2:
        return pick_value(&g->random) & UINT32_MAX;
    case 6:
        return put_string(g, out, &used, true);
    case 9:
        return pick(&g->random, 2);
    case 10:
        return put_payload(&g->random, out);
    case 5:
        put(out, pick_double(&g->random));
        return 0;
    default:
        put(out, pick_value(&g->random));
        return 0;
    }
}

static void put_arg(struct fxt_fuzz_generator *g, struct put *out, uint64_t kinds, uint32_t *names)
{
    struct put arg = put_record(out->at);
    unsigned type = 0;
    for (uint64_t bit = pick_bit(&g->random, kinds) >> ARG_NULL; bit > 1; bit >>= 1)
        type++;
    arg.left = out->left;
    uint64_t name = put_string(g, &arg, names, false);
    uint64_t data = put_arg_value(g, &arg, type);
    put_header(&arg, type | name << 16 | data << 32);
    out->at = arg.at;
    out->left = arg.left;
}

/* Returns their count. */
static uint64_t put_args(struct fxt_fuzz_generator *g, struct put *out, uint64_t kinds,
                         unsigned least)
{
    static const uint8_t most[] = {0, 0, 1, 1, 2, 3, 4, 15};
    uint64_t count = most[pick(&g->random, 8)];
    uint32_t names = 0;
    kinds &= g->kinds & SET_RANGE(ARG_NULL, ARG_BLOB);
    if (kinds == 0)
        return 0;
    if (count < least)
        count = least;
    for (uint64_t i = 0; i < count; i++)
        put_arg(g, out, kinds, &names);
    return count;
}

/* The last word of an event: a number, or an end. `value` is taken as it is. */
static size_t put_event(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned thread,
                        uint64_t time, uint64_t value)
{
    struct put r = put_record(out);
    put(&r, time);
    uint64_t ref = put_thread(g, &r, thread, 2);
    uint64_t category = put_any_string(g, &r);
    uint64_t name = put_any_string(g, &r);
    uint64_t args = put_args(g, &r, kind == COUNTER ? NUMERIC : ALL, kind == COUNTER);
    if ((kind == INSTANT && value < 3) || kind == COUNTER || kind >= DURATION_COMPLETE)
        put(&r, value);
    return put_header(&r, 4 | (uint64_t)(kind - INSTANT) << 16 | args << 20 | ref << 24 |
                              category << 32 | name << 48);
}

/* -- records that describe the trace */

static size_t put_provider_info(struct fxt_fuzz_generator *g, uint8_t *out)
{
    unsigned number = (unsigned)pick(&g->random, PROVIDERS);
    unsigned text = pick_text(&g->random, &(struct put){.left = 4000}, 255, 0);
    struct put r = put_record(out);
    g->current = number;
    g->providers[number].introduced = true;
    put_text(&r, text);
    return put_header(&r, 1 << 16 | (uint64_t)provider_ids[number] << 20 |
                              (uint64_t)text_sizes[text] << 52);
}

static size_t put_provider_ref(struct fxt_fuzz_generator *g, uint8_t *out, bool section)
{
    struct put r = put_record(out);
    unsigned number = (unsigned)pick(&g->random, PROVIDERS);
    while (!g->providers[number].introduced)
        number = (number + 1) % PROVIDERS;
    if (section)
        g->current = number;
    return put_header(&r, (section ? 2u : 3u) << 16 | (uint64_t)provider_ids[number] << 20);
}

static size_t put_initialization(struct fxt_fuzz_generator *g, uint8_t *out)
{
    struct provider *p = &g->providers[g->current];
    struct put r = put_record(out);
    if (!p->dated)
        p->clock = g->late ? 1 + (unsigned)pick(&g->random, LATE_CLOCKS)
                           : (unsigned)pick(&g->random, sizeof clocks / sizeof clocks[0]);
    p->dated = true;
    put(&r, clocks[p->clock]);
    return put_header(&r, 1);
}

static size_t put_string_record(struct fxt_fuzz_generator *g, uint8_t *out)
{
    struct put r = put_record(out);
    unsigned place = (unsigned)pick(&g->random, STRINGS);
    unsigned text = (unsigned)pick(&g->random, TEXTS_SHORT);
    if (pick(&g->random, 16) == 0)
        text = (unsigned)pick(&g->random, TEXTS - (pick(&g->random, 64) > 0));
    g->providers[g->current].strings[place] = (uint8_t)(text + 1);
    put_text(&r, text);
    return put_header(&r,
                      2 | (uint64_t)string_indices[place] << 16 | (uint64_t)text_sizes[text] << 32);
}

static size_t put_thread_record(struct fxt_fuzz_generator *g, uint8_t *out)
{
    struct put r = put_record(out);
    struct provider *p = &g->providers[g->current];
    unsigned place = (unsigned)pick(&g->random, INDICES);
    unsigned thread = (unsigned)pick(&g->random, THREADS);
    p->indices[place] = (uint8_t)(thread + 1);
    put(&r, process_of(p, thread));
    put(&r, p->koid + thread);
    return put_header(&r, 3 | (uint64_t)thread_indices[place] << 16);
}

/* -- events that begin and end */

static void opened(struct fxt_fuzz_generator *g, int by)
{
    g->open += (uint64_t)by;
    g->providers[g->current].open += (unsigned)by;
}

static size_t put_duration(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned t)
{
    struct thread *thread = &g->providers[g->current].threads[t];
    bool begin = kind == DURATION_BEGIN;
    thread->depth += begin ? 1u : -1u;
    opened(g, begin ? 1 : -1);
    return put_event(g, out, kind, t, timestamp(g), 0);
}

/* It begins where the one around it begins, or behind the last one inside of that. */
static size_t put_complete(struct fxt_fuzz_generator *g, uint8_t *out, unsigned t)
{
    struct thread *thread = &g->providers[g->current].threads[t];
    uint64_t end = timestamp(g);
    bool outer = pick(&g->random, 4) == 0;
    uint64_t begin =
        outer ? thread->outer : thread->inner + pick(&g->random, g->now - thread->inner + 1);
    thread->inner = g->now;
    if (outer)
        thread->outer = g->now;
    begin = ticks_of(g->providers[g->current].clock, begin);
    return put_event(g, out, DURATION_COMPLETE, t, begin, end);
}

/* An operation of the current provider, and for async ones of the thread's process. */
static struct operation *operation_of(struct fxt_fuzz_generator *g, bool flow, unsigned t)
{
    for (unsigned i = 0; i < OPERATIONS; i++) {
        struct operation *o = flow ? &g->flows[i] : &g->async[i];
        if (o->open && o->provider == g->current && (flow || o->thread / 3 == t / 3))
            return o;
    }
    return NULL;
}

static struct operation *operation_free(struct fxt_fuzz_generator *g, bool flow)
{
    unsigned first = (unsigned)pick(&g->random, OPERATIONS);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        unsigned place = (first + i) % OPERATIONS;
        struct operation *o = flow ? &g->flows[place] : &g->async[place];
        if (!o->open)
            return o;
    }
    return NULL;
}

static size_t put_operation(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned t)
{
    bool flow = kind >= FLOW_BEGIN;
    bool begin = kind == FLOW_BEGIN || kind == ASYNC_BEGIN;
    struct operation *o = begin ? operation_free(g, flow) : operation_of(g, flow, t);
    struct thread *threads = g->providers[g->current].threads;
    if (begin) {
        o->open = true;
        o->provider = g->current;
        o->thread = t;
        threads[t].flows += flow;
        opened(g, 1);
    } else if (kind == FLOW_END || kind == ASYNC_END) {
        o->open = false;
        threads[o->thread].flows -= flow;
        opened(g, -1);
    }
    return put_event(g, out, kind, t, timestamp(g), o->id);
}

/* -- the other records */

static size_t put_blob(struct fxt_fuzz_generator *g, uint8_t *out)
{
    struct put r = put_record(out);
    uint64_t name = put_any_string(g, &r);
    uint64_t size = put_payload(&g->random, &r);
    uint64_t type = 1 + pick(&g->random, g->edition == 2020 ? 2 : 3);
    return put_header(&r, 5 | name << 16 | size << 32 | type << 48);
}

static size_t put_object(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned t)
{
    struct put r = put_record(out);
    uint64_t process = 0, name;
    if (kind == USERSPACE_OBJECT) {
        put(&r, pick_value(&g->random));
        process = put_thread(g, &r, t, 1);
    } else {
        put(&r, pick(&g->random, 4) > 0 ? g->providers[g->current].koid + t
                                        : pick_value(&g->random) % 4096);
    }
    if (kind == KERNEL_OBJECT && g->edition != 2020 && pick(&g->random, 8) == 0) {
        name = 0x8002; /* not UTF-8: allowed here alone [KOB-02] */
        put(&r, 0x80ff);
    } else {
        name = put_any_string(g, &r);
    }
    uint64_t args = put_args(g, &r, ALL, 0);
    if (kind == USERSPACE_OBJECT)
        return put_header(&r, 6 | process << 16 | name << 24 | args << 40);
    return put_header(&r, 7 | pick(&g->random, 256) << 16 | name << 24 | args << 40);
}

static uint64_t koid_running(const struct provider *p, unsigned running)
{
    return running == 0 ? 0 : p->koid + running - 1;
}

static uint64_t put_running(struct fxt_fuzz_generator *g, struct put *out, unsigned running)
{
    if (running > 0)
        return put_thread(g, out, running - 1, 2);
    put(out, 0);
    put(out, 0);
    return 0;
}

static size_t put_switch(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind)
{
    static const uint8_t states[] = {0, 2, 3, 4, 5};
    struct put r = put_record(out);
    struct provider *p = &g->providers[g->current];
    unsigned cpu = (unsigned)pick(&g->random, kind == CONTEXT_SWITCH ? CPUS : CPUS - 1);
    unsigned outgoing = p->running[cpu];
    unsigned incoming = (unsigned)pick(&g->random, THREADS + 1);
    uint64_t state = states[pick(&g->random, sizeof states)];
    if (incoming == outgoing)
        incoming = 0; /* idle may follow on itself */
    p->running[cpu] = incoming;
    put(&r, timestamp(g));
    if (kind == CONTEXT_SWITCH) {
        put(&r, koid_running(p, outgoing));
        put(&r, koid_running(p, incoming));
        uint64_t args = put_args(g, &r, ALL, 0);
        return put_header(&r, 8 | args << 16 | (uint64_t)cpu_numbers[cpu] << 20 | state << 36 |
                                  UINT64_C(1) << 60);
    }
    uint64_t out_ref = put_running(g, &r, outgoing);
    uint64_t in_ref = put_running(g, &r, incoming);
    return put_header(&r, 8 | (uint64_t)cpu_numbers[cpu] << 16 | state << 24 | out_ref << 28 |
                              in_ref << 36 | pick(&g->random, 65536) << 44);
}

static size_t put_wakeup(struct fxt_fuzz_generator *g, uint8_t *out, unsigned t)
{
    struct put r = put_record(out);
    put(&r, timestamp(g));
    put(&r, g->providers[g->current].koid + t);
    uint64_t args = put_args(g, &r, ALL, 0);
    return put_header(&r, 8 | args << 16 | pick(&g->random, 65536) << 20 | UINT64_C(2) << 60);
}

static size_t put_log(struct fxt_fuzz_generator *g, uint8_t *out, unsigned t)
{
    struct put r = put_record(out);
    put(&r, timestamp(g));
    uint64_t ref = put_thread(g, &r, t, 2);
    uint64_t size = put_text_or_none(&g->random, &r, 4000);
    return put_header(&r, 9 | size << 16 | ref << 32);
}

static size_t put_module(struct fxt_fuzz_generator *g, uint8_t *out, unsigned t)
{
    struct put r = put_record(out);
    put(&r, timestamp(g));
    uint64_t ref = put_thread(g, &r, t, 2);
    uint64_t name = put_text_or_none(&g->random, &r, 255);
    uint64_t build_id = put_text_or_none(&g->random, &r, 255);
    return put_header(&r,
                      10 | ref << 20 | pick(&g->random, 65536) << 28 | name << 44 | build_id << 52);
}

static size_t put_profile(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned t)
{
    struct put r = put_record(out);
    uint64_t frames = kind == MMAP ? 3 : pick(&g->random, pick(&g->random, 8) > 0 ? 9 : 256);
    put(&r, timestamp(g));
    uint64_t ref = put_thread(g, &r, t, 2);
    for (uint64_t i = 0; i < frames; i++)
        put(&r, pick_value(&g->random));
    if (kind == MMAP) {
        uint64_t module = pick(&g->random, 65536);
        return put_header(&r, 10 | 1 << 16 | ref << 20 | module << 28 | pick(&g->random, 8) << 44);
    }
    return put_header(&r, 10 | 2 << 16 | ref << 20 | frames << 28);
}

static size_t put_large_blob(struct fxt_fuzz_generator *g, uint8_t *out, unsigned t)
{
    struct put r = put_record(out);
    bool metadata = pick(&g->random, 2) == 0;
    uint8_t *format = r.at;
    uint64_t ref = 0, args = 0;
    put(&r, 0);
    uint64_t category = put_any_string(g, &r);
    uint64_t name = put_any_string(g, &r);
    if (metadata) {
        put(&r, timestamp(g));
        ref = put_thread(g, &r, t, 2);
        args = put_args(g, &r, ALL, 0);
    }
    put_word(format, category | name << 16 | args << 32 | ref << 36);
    uint8_t *size = r.at;
    put(&r, 0);
    if (pick(&g->random, 8) == 0) { /* so that the record has about 4095 words, or more */
        put_word(size, text_sizes[TEXTS - 1]);
        put_text(&r, TEXTS - 1);
        size_t more = 8 * pick(&g->random, 192);
        memset(r.at, 'x', more);
        r.at += more;
        put_word(size, text_sizes[TEXTS - 1] + more);
    } else {
        put_word(size, put_payload(&g->random, &r));
    }
    return put_header(&r, 15 | (uint64_t)!metadata << 40);
}

/* -- what comes next */

static bool may_leave(const struct fxt_fuzz_generator *g)
{
    const struct provider *p = &g->providers[g->current];
    return p->open == 0 || (p->introduced && (g->kinds & SET(PROVIDER_SECTION)) != 0);
}

/* Records that end what is open: one each, and those that return to the other providers. */
static uint64_t ends(const struct fxt_fuzz_generator *g)
{
    return g->open + ((g->kinds & SET(PROVIDER_SECTION)) != 0 ? PROVIDERS - 1 : 0);
}

/* All that the magic number makes a reader forget. */
static void forget(struct fxt_fuzz_generator *g)
{
    for (unsigned i = 0; i < PROVIDERS; i++) {
        struct provider *p = &g->providers[i];
        *p = (struct provider){.koid = p->koid};
        for (unsigned t = 0; t < THREADS; t++)
            p->threads[t].outer = p->threads[t].inner = g->now;
    }
    g->current = 0;
}

/* Another trace begins. */
static size_t put_magic(struct fxt_fuzz_generator *g, uint8_t *out)
{
    forget(g);
    put_word(out, MAGIC_WORD);
    return 8;
}

/* The kinds that are possible now, on this thread. */
static uint64_t possible(struct fxt_fuzz_generator *g, unsigned t)
{
    const struct thread *thread = &g->providers[g->current].threads[t];
    bool room = g->left >= ends(g) + 2;
    bool introduced = false;
    uint64_t kinds = g->kinds & ~(SET(MAGIC) | SET_RANGE(ARG_NULL, ARG_BLOB));
    for (unsigned i = 0; i < PROVIDERS; i++)
        introduced |= g->providers[i].introduced;
    if (!may_leave(g))
        kinds &= ~(SET(PROVIDER_INFO) | SET(PROVIDER_SECTION));
    if (!introduced)
        kinds &= ~(SET(PROVIDER_SECTION) | SET(PROVIDER_EVENT));
    if (!room || thread->depth == DEPTH)
        kinds &= ~SET(DURATION_BEGIN);
    if (thread->depth == 0 || (thread->depth == 1 && thread->flows > 0))
        kinds &= ~SET(DURATION_END);
    if (!room || operation_free(g, false) == NULL)
        kinds &= ~SET(ASYNC_BEGIN);
    if (operation_of(g, false, t) == NULL)
        kinds &= ~(SET(ASYNC_INSTANT) | SET(ASYNC_END));
    if (!room || operation_free(g, true) == NULL || thread->depth == 0)
        kinds &= ~SET(FLOW_BEGIN);
    if (operation_of(g, true, t) == NULL || thread->depth == 0)
        kinds &= ~(SET(FLOW_STEP) | SET(FLOW_END));
    return kinds;
}

static size_t put_kind(struct fxt_fuzz_generator *g, uint8_t *out, enum kind kind, unsigned t)
{
    uint64_t time;
    switch (kind) {
    case PROVIDER_INFO:
        return put_provider_info(g, out);
    case PROVIDER_SECTION:
    case PROVIDER_EVENT:
        return put_provider_ref(g, out, kind == PROVIDER_SECTION);
    case INITIALIZATION:
        return put_initialization(g, out);
    case STRING:
        return put_string_record(g, out);
    case THREAD:
        return put_thread_record(g, out);
    case INSTANT:
        time = timestamp(g);
        return put_event(g, out, kind, t, time, pick(&g->random, 4));
    case COUNTER:
        time = timestamp(g);
        return put_event(g, out, kind, t, time, pick_value(&g->random));
    case DURATION_BEGIN:
    case DURATION_END:
        return put_duration(g, out, kind, t);
    case DURATION_COMPLETE:
        return put_complete(g, out, t);
    case BLOB:
        return put_blob(g, out);
    case USERSPACE_OBJECT:
    case KERNEL_OBJECT:
        return put_object(g, out, kind, t);
    case LEGACY_SWITCH:
    case CONTEXT_SWITCH:
        return put_switch(g, out, kind);
    case THREAD_WAKEUP:
        return put_wakeup(g, out, t);
    case LOG:
        return put_log(g, out, t);
    case MODULE:
        return put_module(g, out, t);
    case MMAP:
    case BACKTRACE:
        return put_profile(g, out, kind, t);
    case LARGE_BLOB:
        return put_large_blob(g, out, t);
    default:
        return put_operation(g, out, kind, t);
    }
}

/* Most traces begin with a provider that can be left while something is open. About half of the records
   are events, if there may be any. What much else needs gets a part of its own: tables, clocks, the
   records after which another provider is current, and flows. */
static size_t put_next(struct fxt_fuzz_generator *g, uint8_t *out)
{
    unsigned t = (unsigned)pick(&g->random, THREADS);
    bool dated = g->providers[g->current].dated;
    uint64_t kinds = possible(g, t), clock = kinds & SET(INITIALIZATION);
    uint64_t provider = kinds & (SET(PROVIDER_INFO) | SET(PROVIDER_SECTION));
    uint64_t table = kinds & (SET(STRING) | SET(THREAD));
    if (kinds == 0)
        return 0;
    if (g->offset > 8 && g->open == 0 && pick(&g->random, 32) == 0)
        return put_magic(g, out);
    if (provider != 0 && pick(&g->random, 8) < (g->offset == 8 ? 6 : 1))
        kinds = provider;
    else if (clock != 0 && !dated && (g->late || pick(&g->random, 4) == 0))
        kinds = clock;
    else if (table != 0 && pick(&g->random, 6) == 0)
        kinds = table;
    else if ((kinds & EVENTS) != 0 && pick(&g->random, 2) == 0)
        kinds &= EVENTS;
    if ((kinds & FLOWS) != 0 && pick(&g->random, 3) == 0)
        kinds &= (kinds & SET(FLOW_STEP)) != 0 && pick(&g->random, 2) == 0 ? SET(FLOW_STEP) : FLOWS;
    unsigned kind = 0;
    for (uint64_t bit = pick_bit(&g->random, kinds); bit > 1; bit >>= 1)
        kind++;
    return put_kind(g, out, (enum kind)kind, t);
}

/* The records that end what is open, flows first, because they lie in durations. */
static size_t put_end(struct fxt_fuzz_generator *g, uint8_t *out)
{
    const struct provider *p = &g->providers[g->current];
    if (p->open == 0) {
        unsigned other = 0;
        while (g->providers[other].open == 0)
            other++;
        struct put r = put_record(out);
        g->current = other;
        return put_header(&r, 2u << 16 | (uint64_t)provider_ids[other] << 20);
    }
    const struct operation *flow = operation_of(g, true, 0);
    if (flow != NULL)
        return put_operation(g, out, FLOW_END, flow->thread);
    for (unsigned t = 0; t < THREADS; t++) {
        if (operation_of(g, false, t) != NULL)
            return put_operation(g, out, ASYNC_END, t);
        if (p->threads[t].depth > 0)
            return put_duration(g, out, DURATION_END, t);
    }
    return 0;
}

/* -- what is broken */

static void broken(struct fxt_fuzz_generator *g, uint64_t offset)
{
    g->broken = g->rule;
    g->broken_at = g->offset + offset;
    g->rule = NULL;
}

static bool rule_is(const struct fxt_fuzz_generator *g, const char *rule)
{
    return g->rule != NULL && strcmp(g->rule, rule) == 0;
}

/* The first word of the trace. */
static size_t put_start(struct fxt_fuzz_generator *g, uint8_t *out)
{
    uint64_t magic = MAGIC_WORD;
    if (rule_is(g, "MET-07")) {
        broken(g, 0);
        return 0;
    }
    if (rule_is(g, "REC-10")) {
        broken(g, 0);
        magic = UINT64_C(0x1000044678541600);
    }
    put_word(out, magic);
    return 8;
}

/* A string of more than 32000 bytes. */
static size_t put_long_string(struct fxt_fuzz_generator *g, uint8_t *out)
{
    size_t length = 32001 + pick(&g->random, 752);
    memset(out + 8, 'x', length);
    memset(out + 8 + length, 0, padded(length) - length);
    put_word(out, STRING_AT((8 + padded(length)) / 8, length));
    broken(g, 8);
    return 8 + padded(length);
}

static size_t put_broken(struct fxt_fuzz_generator *g, uint8_t *out, bool end)
{
    const struct provider *p = &g->providers[g->current];
    if (rule_is(g, "REC-01")) {
        if (!end)
            return 0;
        memset(out, 0x55, 7);
        broken(g, 0);
        return 1 + pick(&g->random, 7);
    }
    if (rule_is(g, "STR-04"))
        return put_long_string(g, out);
    const struct mistake *mistake = pick_mistake(g->rule, g->edition, &g->random);
    if (mistake->where == AT_END && !end) {
        g->break_at = 0; /* try again when it is allowed */
        return 0;
    }
    size_t size = put_mistake(out, mistake, &g->random);
    if (rule_is(g, "INI-03")) {
        put_word(out + 8, clocks[p->clock]); /* states the clock, then changes it */
        put_word(out + 24, clocks[p->clock] + 1);
    }
    broken(g, 8 * (uint64_t)mistake->at);
    g->providers[g->current].dated = true;
    return size;
}

size_t fxt_fuzz_generator_next(struct fxt_fuzz_generator *g, uint8_t *out)
{
    bool end = g->left == 0 && g->open == 0;
    size_t size = 0;
    if (!g->started && g->left > 0)
        size = put_start(g, out);
    g->started = true;
    if (size == 0 && g->rule != NULL && (end || g->left <= g->break_at)) {
        size = put_broken(g, out, end);
        g->left += size > 0; /* this one is not counted */
    }
    if (size == 0 && !end && (g->open == 0 || g->left > ends(g)))
        size = put_next(g, out);
    if (size == 0 && g->open > 0)
        size = put_end(g, out);
    if (size == 0 && !end && g->rule != NULL) /* of these kinds no record is possible */
        size = put_broken(g, out, true);
    if (size == 0 && g->offset == 0 && g->broken != NULL) /* an empty trace lacks no magic number */
        size = put_initialization(g, out);
    g->left -= g->left > 0;
    g->offset += size;
    return size;
}

/* The rule of that name, or any, or any of that class; NULL: there is none. */
static const char *rule_named(const char *name, int edition, uint64_t *random)
{
    const char *rule, *picked = NULL;
    unsigned count = 0;
    for (unsigned i = 0; (rule = fxt_fuzz_rule(i, edition)) != NULL; i++)
        if (strcmp(name, rule) == 0)
            picked = rule;
        else if (strcmp(name, "any") == 0 || strcmp(name, fxt_fuzz_rule_class(rule)) == 0)
            picked = pick(random, ++count) == 0 ? rule : picked;
    return picked;
}

fxt_fuzz_generator *fxt_fuzz_generator_create(const struct fxt_fuzz_options *options)
{
    static const uint64_t ids[OPERATIONS] = {0,          1,        255,      65536,
                                             UINT32_MAX, B(1, 32), B(1, 63), UINT64_MAX};
    static const uint8_t starts[] = {0, 16, 32, 49, 49}, koids[] = {10, 31, 32, 63};
    uint64_t random = options->seed;
    const char *rule = NULL;
    if (options->invalid != NULL) {
        rule = rule_named(options->invalid, options->edition, &random);
        if (rule == NULL)
            return NULL;
    }
    struct fxt_fuzz_generator *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->random = random;
    g->rule = rule;
    g->edition = options->edition;
    g->kinds = fxt_fuzz_kinds_made(options->kinds, options->edition);
    g->left = options->records > 0 || rule == NULL ? options->records : 1;
    g->break_at = g->left < UINT64_MAX ? pick(&g->random, g->left + 1) : draw(&g->random);
    uint64_t start = pick(&g->random, sizeof starts);
    g->late = start == sizeof starts - 1 && rule == NULL && g->left < UINT64_C(1) << 24 &&
              (g->kinds & SET(INITIALIZATION)) != 0;
    g->now = g->late ? LATE - pick(&g->random, 40) : UINT64_C(1) << starts[start];
    uint64_t koid = UINT64_C(1) << koids[pick(&g->random, sizeof koids)];
    for (unsigned i = 0; i < PROVIDERS; i++)
        g->providers[i].koid = koid + 100 * i;
    forget(g);
    for (unsigned i = 0; i < OPERATIONS; i++)
        g->async[i].id = g->flows[i].id = ids[i];
    return g;
}

void fxt_fuzz_generator_free(fxt_fuzz_generator *generator)
{
    free(generator);
}

const char *fxt_fuzz_generator_broken(const fxt_fuzz_generator *g, uint64_t *offset)
{
    *offset = g->broken_at;
    return g->broken;
}

/* ---- Mutator ---- */

#define RECORDS_MAX 1024u

/* Records, one behind the other: all, or of a long trace so many from anywhere. */
struct layout {
    size_t at[RECORDS_MAX + 1]; /* at[count] is where they end */
    size_t count;
    size_t rest; /* where what cannot be framed begins */
};

/* The size of the record at `at` in bytes; 0 when none fits. A zero word is a record. */
static size_t record_size(const uint8_t *bytes, size_t size, size_t at)
{
    if (size - at < 8)
        return 0;
    uint64_t header = get_word(bytes + at);
    uint64_t words = header >> 4 & (header % 16 == 15 ? UINT32_MAX : 4095u);
    if (header == 0)
        return 8;
    return words <= (size - at) / 8 ? 8 * (size_t)words : 0;
}

static void lay_out(struct layout *layout, const uint8_t *bytes, size_t size, uint64_t *random)
{
    size_t at = 0, length, all = 0;
    for (; (length = record_size(bytes, size, at)) > 0; all++)
        at += length;
    layout->rest = at;
    layout->count = all < RECORDS_MAX ? all : RECORDS_MAX;
    at = 0;
    for (size_t skip = all > RECORDS_MAX ? pick(random, all - RECORDS_MAX + 1) : 0; skip > 0;
         skip--)
        at += record_size(bytes, size, at);
    for (size_t i = 0; i < layout->count; i++) {
        layout->at[i] = at;
        at += record_size(bytes, size, at);
    }
    layout->at[layout->count] = at;
}

/* Where the parts of a record lie: what a mutation needs to know of a type. A bit is counted from the
   begin of the record; 0 is none. */
struct shape {
    unsigned refs[2]; /* bits of the string refs */
    unsigned thread;  /* bits of the thread ref */
    unsigned count;   /* bits of the count of arguments */
    unsigned fixed;   /* words that are always in front of the arguments; 0: no arguments */
    unsigned koids;   /* of the inline thread */
};

static struct shape shape_of(const uint8_t *record, size_t size)
{
    uint64_t header = get_word(record);
    static const struct shape shapes[16] = {
        [4] = {{32, 48}, 24, 20, 2, 2}, [5] = {{16, 0}, 0, 0, 0, 0}, [6] = {{24, 0}, 16, 40, 2, 1},
        [7] = {{24, 0}, 0, 40, 2, 0},   [9] = {{0, 0}, 32, 0, 0, 0}, [10] = {{0, 0}, 20, 0, 0, 0}};
    static const struct shape scheduling[] = {
        {{0, 0}, 28, 0, 0, 0}, {{0, 0}, 0, 16, 4, 0}, {{0, 0}, 0, 16, 3, 0}};
    static const struct shape large[] = {{{64, 80}, 100, 96, 3, 2}, {{64, 80}, 0, 0, 0, 0}};
    if (header % 16 == 8)
        return header >> 60 < 3 ? scheduling[header >> 60] : shapes[0];
    if (header % 16 == 15)
        return size >= 16 && (header >> 40 & 15) < 2 ? large[header >> 40 & 15] : shapes[0];
    return shapes[header % 16];
}

static uint64_t field(const uint8_t *record, unsigned bit, uint64_t mask)
{
    return get_word(record + bit / 64 * 8) >> bit % 64 & mask;
}

static size_t ref_words(uint64_t ref)
{
    return (ref & 0x8000) != 0 ? ((ref & 0x7fff) + 7) / 8 : 0;
}

/* The arguments of a record, as offsets from its start. args[count] is where they end. */
struct args {
    size_t at[16];
    unsigned count;
};

static struct args args_of(const uint8_t *record, size_t size)
{
    struct shape shape = shape_of(record, size);
    struct args args = {{0}, 0};
    unsigned count = shape.fixed > 0 ? (unsigned)field(record, shape.count, 15) : 0;
    size_t at = shape.fixed;
    if (shape.thread > 0 && field(record, shape.thread, 255) == 0)
        at += shape.koids;
    for (unsigned i = 0; i < 2 && shape.refs[i] > 0; i++)
        at += ref_words(field(record, shape.refs[i], 0xffff));
    at *= 8;
    args.at[0] = at;
    while (args.count < count && at < size) {
        size_t words = get_word(record + at) >> 4 & 4095;
        if (words == 0 || words > (size - at) / 8)
            break;
        at += 8 * words;
        args.at[++args.count] = at;
    }
    return args;
}

/* A trace that is being changed. */
struct edit {
    uint8_t *bytes;
    size_t size, max;
    uint64_t random;
    struct layout layout;
};

/* Makes room for bytes at `at`; false when there is none. */
static bool insert(struct edit *e, size_t at, const uint8_t *bytes, size_t size)
{
    if (size > e->max - e->size)
        return false;
    memmove(e->bytes + at + size, e->bytes + at, e->size - at);
    memcpy(e->bytes + at, bytes, size);
    e->size += size;
    return true;
}

static void take_out(struct edit *e, size_t from, size_t to)
{
    memmove(e->bytes + from, e->bytes + to, e->size - to);
    e->size -= to - from;
}

static void change_word(struct edit *e, size_t at, uint64_t mask, uint64_t value)
{
    uint64_t word = get_word(e->bytes + at);
    put_word(e->bytes + at, (word & ~mask) | (value & mask));
}

static void change_field(struct edit *e, size_t at, unsigned bit, uint64_t mask, uint64_t value)
{
    change_word(e, at + bit / 64 * 8, B(mask, bit % 64), B(value, bit % 64));
}

static size_t pick_record(struct edit *e)
{
    return e->layout.at[pick(&e->random, e->layout.count)];
}

static size_t size_at(const struct edit *e, size_t at)
{
    return record_size(e->bytes, e->size, at);
}

/* A place between records, begin and end included. */
static size_t pick_place(struct edit *e)
{
    return e->layout.at[pick(&e->random, e->layout.count + 1)];
}

/* Each of these changes one thing, and says whether it did. */

static bool insert_generated(struct edit *e)
{
    uint8_t record[FXT_FUZZ_RECORD_MAX];
    struct fxt_fuzz_options options = {.seed = draw(&e->random), .records = 64};
    fxt_fuzz_generator *g = fxt_fuzz_generator_create(&options);
    bool done = false;
    if (g == NULL)
        return false;
    for (uint64_t skip = pick(&e->random, 16); skip > 0; skip--)
        fxt_fuzz_generator_next(g, record);
    size_t place = pick_place(e);
    for (uint64_t more = 1 + pick(&e->random, 4); more > 0; more--) {
        size_t size = fxt_fuzz_generator_next(g, record);
        if (!insert(e, place, record, size))
            break;
        place += size;
        done = true;
    }
    fxt_fuzz_generator_free(g);
    return done;
}

static bool insert_mistake(struct edit *e)
{
    uint8_t record[8 * 25];
    const struct mistake *mistake = &mistakes[pick(&e->random, MISTAKES)];
    size_t size = put_mistake(record, mistake, &e->random);
    return insert(e, mistake->where == AT_END ? e->layout.rest : pick_place(e), record, size);
}

/* To another place; the old one stays or goes. */
static bool copy_record(struct edit *e, bool move)
{
    uint8_t record[FXT_FUZZ_RECORD_MAX];
    size_t from = pick_record(e), size = size_at(e, from), to = pick_place(e);
    if (size > sizeof record)
        return false;
    memcpy(record, e->bytes + from, size);
    if (move) {
        take_out(e, from, from + size);
        to -= to > from ? size : 0;
    }
    return insert(e, to, record, size);
}

/* One record, or a run of them: what grows has to shrink again. */
static bool remove_records(struct edit *e)
{
    size_t from = pick(&e->random, e->layout.count), to = from + 1;
    if (pick(&e->random, 4) == 0)
        to += pick(&e->random, e->layout.count - from);
    take_out(e, e->layout.at[from], e->layout.at[to]);
    return true;
}

static bool select_provider(struct edit *e)
{
    uint8_t record[8];
    put_word(record, 2 << 16 | (uint64_t)provider_ids[pick(&e->random, PROVIDERS)] << 20 | 1 << 4);
    return insert(e, pick_place(e), record, 8);
}

/* Writes the size of the record at `at`. */
static void set_size(struct edit *e, size_t at, uint64_t words)
{
    bool large = get_word(e->bytes + at) % 16 == 15;
    change_word(e, at, large ? BITS(4, 35) : BITS(4, 15), words << 4);
}

static bool break_size(struct edit *e)
{
    size_t at = pick_record(e), words = size_at(e, at) / 8;
    static const uint16_t sizes[] = {0, 1, 2, 4095};
    switch (pick(&e->random, 3)) {
    case 0:
        set_size(e, at, words + 1);
        break;
    case 1:
        set_size(e, at, words - 1);
        break;
    default:
        set_size(e, at, sizes[pick(&e->random, 4)]);
    }
    return true;
}

/* What cannot be framed becomes one record. */
static bool mend_size(struct edit *e)
{
    size_t at = e->layout.rest, words = (e->size - at) / 8;
    if (words == 0 || words > 4095)
        return false;
    set_size(e, at, words);
    return true;
}

/* A word is taken out of a record or put into it; its size, or that of an argument, follows. */
static bool stretch_record(struct edit *e)
{
    size_t at = pick_record(e), words = size_at(e, at) / 8;
    struct args args = args_of(e->bytes + at, 8 * words);
    uint8_t word[8];
    bool longer = words < 2 || pick(&e->random, 2) == 0;
    size_t place =
        at + 8 * (longer ? 1 + pick(&e->random, words) : 2 + pick(&e->random, words - 1));
    put_word(word, pick_value(&e->random));
    if (words >= 4095 || (longer && !insert(e, place, word, 8)))
        return false;
    if (!longer)
        take_out(e, place - 8, place);
    set_size(e, at, longer ? words + 1 : words - 1);
    for (unsigned i = 0; i < args.count && pick(&e->random, 4) > 0; i++)
        if (place > at + args.at[i] && place <= at + args.at[i + 1])
            change_word(e, at + args.at[i], BITS(4, 15),
                        get_word(e->bytes + at + args.at[i]) + (longer ? 16 : -UINT64_C(16)));
    return true;
}

/* An argument is copied before another one, or taken out; sizes and the count follow. */
static bool copy_arg(struct edit *e, bool move)
{
    uint8_t arg[8 * 4096];
    size_t at = pick_record(e), size = size_at(e, at);
    struct args args = args_of(e->bytes + at, size);
    if (args.count == 0)
        return false;
    unsigned from = (unsigned)pick(&e->random, args.count);
    size_t start = args.at[from], length = args.at[from + 1] - start;
    size_t to = args.at[pick(&e->random, args.count + 1u)];
    unsigned bit = shape_of(e->bytes + at, size).count;
    memcpy(arg, e->bytes + at + start, length);
    if (move) {
        take_out(e, at + start, at + start + length);
        if (pick(&e->random, 3) > 0)
            return insert(e, at + (to > start ? to - length : to), arg, length);
        set_size(e, at, (size - length) / 8);
        change_field(e, at, bit, 15, args.count - 1);
        return true;
    }
    if ((size + length) / 8 > 4095 || !insert(e, at + to, arg, length))
        return false;
    set_size(e, at, (size + length) / 8);
    change_field(e, at, bit, 15, args.count + 1);
    return true;
}

/* The type or the size of an argument, and nothing around it. */
static bool break_arg(struct edit *e)
{
    size_t at = pick_record(e);
    struct args args = args_of(e->bytes + at, size_at(e, at));
    if (args.count == 0)
        return false;
    at += args.at[pick(&e->random, args.count)];
    if (pick(&e->random, 2) == 0)
        change_word(e, at, BITS(0, 3), pick(&e->random, 16));
    else
        change_word(e, at, BITS(4, 15), pick(&e->random, 5) << 4);
    return true;
}

static uint64_t pick_string_ref(uint64_t *random)
{
    static const uint16_t refs[] = {0, 1, 2, 3, 0x7fff, 0x8000, 0x8001, 0x8008, 0x8009, 0xffff};
    return refs[pick(random, sizeof refs / sizeof refs[0])];
}

/* A ref of another kind: of the record or of an argument. The streams stay as they are. */
static bool flip_ref(struct edit *e)
{
    size_t at = pick_record(e);
    struct shape shape = shape_of(e->bytes + at, size_at(e, at));
    struct args args = args_of(e->bytes + at, size_at(e, at));
    unsigned ref = shape.refs[pick(&e->random, 2)];
    if (args.count > 0 && pick(&e->random, 2) == 0) {
        at += args.at[pick(&e->random, args.count)];
        ref = get_word(e->bytes + at) % 16 == 6 && pick(&e->random, 2) == 0 ? 32 : 16;
    } else if (shape.thread > 0 && pick(&e->random, 3) == 0) {
        static const uint8_t refs[] = {0, 1, 2, 3, 127, 128, 255};
        change_field(e, at, shape.thread, 255, refs[pick(&e->random, 7)]);
        return true;
    }
    if (ref == 0)
        return false;
    change_field(e, at, ref, 0xffff, pick_string_ref(&e->random));
    return true;
}

/* Another index for a string or a thread; or the same one again later, for other contents. */
static bool renumber(struct edit *e)
{
    size_t at = pick_record(e), size = size_at(e, at);
    uint64_t header = get_word(e->bytes + at), type = header % 16;
    uint8_t again[24];
    if (type != 2 && type != 3)
        return false;
    if (pick(&e->random, 2) == 0) {
        uint64_t index = type == 2 ? string_indices[pick(&e->random, STRINGS)]
                                   : thread_indices[pick(&e->random, INDICES)];
        change_word(e, at, type == 2 ? BITS(16, 30) : BITS(16, 23), index << 16);
        return true;
    }
    if (size > sizeof again || size < 16)
        return false;
    memcpy(again, e->bytes + at, size);
    again[8] ^= 1;
    return insert(e, pick_place(e), again, size);
}

/* A byte behind the end of a stream, or bits that are reserved in most headers. */
static bool touch_padding(struct edit *e)
{
    size_t at = pick_record(e), size = size_at(e, at);
    if (pick(&e->random, 2) == 0) {
        at += size - 1 - pick(&e->random, 7);
        e->bytes[at] ^= (uint8_t)draw(&e->random);
    } else {
        change_word(e, at, BITS(40, 63), draw(&e->random));
    }
    return true;
}

static bool change_value(struct edit *e)
{
    size_t at = pick_record(e);
    at += 8 * pick(&e->random, size_at(e, at) / 8);
    if (pick(&e->random, 2) == 0) {
        put_word(e->bytes + at, pick_value(&e->random));
        return true;
    }
    unsigned lo = 4 * (unsigned)pick(&e->random, 16), width = 4u << pick(&e->random, 3);
    unsigned hi = lo + width > 64 ? 63 : lo + width - 1;
    uint64_t word = get_word(e->bytes + at);
    uint64_t near = pick(&e->random, 2) == 0 ? B(1, lo) : -B(1, lo);
    change_word(e, at, BITS(lo, hi), pick(&e->random, 2) == 0 ? word + near : draw(&e->random));
    return true;
}

/* As of a file that was not written to its end: within a word, too. */
static bool cut_end(struct edit *e)
{
    size_t at = pick_record(e);
    e->size = at + pick(&e->random, size_at(e, at)) + 1;
    return true;
}

static bool change(struct edit *e)
{
    /* Where no record can be framed, half of the changes mend the first one. */
    if (e->layout.count == 0 && pick(&e->random, 2) == 0)
        return mend_size(e);
    switch (pick(&e->random, e->layout.count == 0 ? 2 : 19)) {
    case 0:
        return insert_generated(e);
    case 1:
        return insert_mistake(e);
    case 2:
        return copy_record(e, false);
    case 3:
        return copy_record(e, true);
    case 4:
        return remove_records(e);
    case 5:
        return select_provider(e);
    case 6:
        return break_size(e);
    case 7:
        return mend_size(e);
    case 8:
        return stretch_record(e);
    case 9:
        return copy_arg(e, false);
    case 10:
        return copy_arg(e, true);
    case 11:
        return break_arg(e);
    case 12:
    case 13:
        return flip_ref(e);
    case 14:
        return renumber(e);
    case 15:
        return touch_padding(e);
    case 16:
        return pick(&e->random, 4) == 0 ? cut_end(e) : change_value(e);
    default:
        return change_value(e);
    }
}

size_t fxt_fuzz_mutate(uint8_t *bytes, size_t size, size_t max, uint64_t seed)
{
    struct edit e = {.bytes = bytes, .size = size < max ? size : max, .max = max, .random = seed};
    uint64_t changes = 1 + pick(&e.random, 3);
    for (unsigned tries = 0; changes > 0 && tries < 8; tries++) {
        lay_out(&e.layout, e.bytes, e.size, &e.random);
        changes -= change(&e);
    }
    if (changes > 0 && e.size > 0) { /* no room, or nothing that can be framed */
        size_t at = pick(&e.random, e.size);
        e.bytes[at] ^= (uint8_t)(1 + pick(&e.random, 255));
    }
    return e.size;
}

static bool is_equal(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

size_t fxt_fuzz_splice(uint8_t *out, size_t max, const uint8_t *a, size_t a_size, const uint8_t *b,
                       size_t b_size, uint64_t seed)
{
    struct layout layout;
    lay_out(&layout, a, a_size, &seed);
    size_t first = layout.at[pick(&seed, layout.count + 1)];
    lay_out(&layout, b, b_size, &seed);
    size_t from = layout.at[pick(&seed, layout.count + 1)];
    first = first < max ? first : max;
    size_t second = b_size - from < max - first ? b_size - from : max - first;
    if (first > 0) /* what is empty may be NULL */
        memcpy(out, a, first);
    if (second > 0)
        memcpy(out + first, b + from, second);
    if (first + second > 0 && !is_equal(out, first + second, a, a_size) &&
        !is_equal(out, first + second, b, b_size))
        return first + second;
    return fxt_fuzz_mutate(out, first + second, max, seed);
}

size_t fxt_fuzz_remove(uint8_t *bytes, size_t size, size_t number)
{
    size_t at = 0, length;
    while ((length = record_size(bytes, size, at)) > 0 && number-- > 0)
        at += length;
    if (length == 0)
        return size;
    memmove(bytes + at, bytes + at + length, size - at - length);
    return size - length;
}

/* ---- Differential ---- */

struct fxt_fuzz_lines {
    char *text;
    size_t size, room;
};

void fxt_fuzz_line(fxt_fuzz_lines *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        abort();
    if (out->room - out->size < (size_t)length + 1) {
        out->room = 2 * (out->room + (size_t)length + 1);
        out->text = realloc(out->text, out->room);
        if (out->text == NULL)
            abort();
    }
    va_start(args, format);
    vsnprintf(out->text + out->size, (size_t)length + 1, format, args);
    va_end(args);
    out->size += (size_t)length + 1; /* with the byte 0, which no line has */
}

/* The size of the first character of a text, or of what one U+FFFD stands for. */
static size_t character(const uint8_t *text, size_t size, bool *valid)
{
    unsigned first = text[0];
    unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    size_t need = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    size_t have = 1;
    if (first < 0x80 || (first >= 0xc2 && first <= 0xf4)) {
        for (; have < need && have < size && text[have] >= low && text[have] <= high; have++) {
            low = 0x80;
            high = 0xbf;
        }
    } else {
        need = 0;
    }
    *valid = have == need;
    return have;
}

static char *room_for(size_t size)
{
    char *room = malloc(size);
    if (room == NULL)
        abort();
    return room;
}

void fxt_fuzz_text(fxt_fuzz_lines *out, const char *key, const void *text, size_t size)
{
    if (text == NULL) {
        fxt_fuzz_line(out, "%s null", key);
        return;
    }
    char *line = room_for(4 * size + 1), *to = line;
    const uint8_t *from = text;
    while (size > 0) {
        bool valid;
        size_t length = character(from, size, &valid);
        if (!valid)
            to += sprintf(to, "\xef\xbf\xbd");
        else if (*from < ' ' || *from == '"' || *from == '\\' || *from == 0x7f)
            to += sprintf(to, "\\x%02x", *from);
        else
            to = (char *)memcpy(to, from, length) + length;
        from += length;
        size -= length;
    }
    *to = '\0';
    fxt_fuzz_line(out, "%s \"%s\"", key, line);
    free(line);
}

void fxt_fuzz_bytes(fxt_fuzz_lines *out, const char *key, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *line = room_for(2 * size + 1), *to = line;
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = '\0';
    fxt_fuzz_line(out, "%s %s", key, line);
    free(line);
}

/* The line that begins at `at`, hostile bytes escaped. */
static void print_line(const char *who, const fxt_fuzz_lines *lines, size_t at)
{
    fprintf(stderr, "  %s: ", who);
    if (at >= lines->size)
        fputs("(nothing more)", stderr);
    for (; at < lines->size && lines->text[at] != '\0'; at++)
        fprintf(stderr, lines->text[at] < ' ' || lines->text[at] > '~' ? "\\x%02x" : "%c",
                (unsigned char)lines->text[at]);
    fputc('\n', stderr);
}

void fxt_fuzz_diff(const uint8_t *bytes, size_t size, fxt_fuzz_reader *expected,
                   fxt_fuzz_reader *actual)
{
    fxt_fuzz_lines one = {NULL, 0, 0}, other = {NULL, 0, 0};
    expected(&one, bytes, size);
    actual(&other, bytes, size);
    size_t line = 0, event = SIZE_MAX, number = 1, at = 0;
    while (at < one.size && at < other.size && one.text[at] == other.text[at]) {
        if (one.text[at++] == '\0') {
            if (strncmp(one.text + line, "event ", 6) == 0)
                event = line;
            line = at;
            number++;
        }
    }
    if (at < one.size || at < other.size) {
        fprintf(stderr, "fxt_fuzz: the readers differ in line %zu:\n", number);
        if (event != SIZE_MAX)
            print_line("both    ", &one, event);
        print_line("expected", &one, line);
        print_line("actual  ", &other, line);
        abort();
    }
    if (getenv("FXT_FUZZ_TELL") != NULL)
        fprintf(stderr, "fxt_fuzz: %zu equal lines\n", number - 1);
    free(one.text);
    free(other.text);
}
