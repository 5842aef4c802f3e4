/* What holds for all decoders alike: a record that ends before any of its words is refused with the
   right rule at the right offset and nothing is written; one that goes on has a tail; a decoder
   takes its own kind of record and no other. */
#include "src/read/fixture_test.h"
#include "src/wire/layout.h"

#define KINDS(K)                                                                                   \
    K(provider_info, PROVIDER_INFO_HEADER)                                                         \
    K(provider_section, PROVIDER_SECTION_HEADER)                                                   \
    K(provider_event, PROVIDER_EVENT_HEADER)                                                       \
    K(trace_info, EVENT_HEADER) /* all bits are delivered */                                       \
    K(initialization, INITIALIZATION_HEADER)                                                       \
    K(string, STRING_HEADER)                                                                       \
    K(thread, THREAD_HEADER)                                                                       \
    K(event, EVENT_HEADER)                                                                         \
    K(blob, BLOB_HEADER)                                                                           \
    K(userspace_object, USERSPACE_OBJECT_HEADER)                                                   \
    K(kernel_object, KERNEL_OBJECT_HEADER)                                                         \
    K(legacy_switch, LEGACY_SWITCH_HEADER)                                                         \
    K(context_switch, CONTEXT_SWITCH_HEADER)                                                       \
    K(thread_wakeup, THREAD_WAKEUP_HEADER)                                                         \
    K(log, LOG_HEADER)                                                                             \
    K(module, MODULE_HEADER)                                                                       \
    K(mmap, MMAP_HEADER)                                                                           \
    K(backtrace, BACKTRACE_HEADER)                                                                 \
    K(large_blob, LARGE_BLOB_HEADER)

#define KIND_NUMBER(name, header) KIND_##name,
enum kind { KINDS(KIND_NUMBER) KIND_COUNT };

#define DECODER(name, header)                                                                      \
    static enum fxt_status decode_##name(const struct fxt_record *record, void *out,               \
                                         struct fxt_error *error)                                  \
    {                                                                                              \
        return fxt_read_##name(record, out, error);                                                \
    }
KINDS(DECODER)

#define KIND_ROW(name, header)                                                                     \
    {#name, decode_##name, sizeof(struct fxt_##name), offsetof(struct fxt_##name, tail),           \
     FXT_##header##_RESERVED},
static const struct {
    const char *name;
    enum fxt_status (*decode)(const struct fxt_record *record, void *out, struct fxt_error *error);
    size_t size;
    size_t tail;
    uint64_t reserved;
} kinds[] = {KINDS(KIND_ROW)};

/* A word, and what a record that ends before it breaks, at which word. */
struct word {
    uint64_t value;
    enum fxt_rule missing; /* FXT_RULE_NONE: it may be missing */
    uint32_t at;
};

/* The size of the record is that of the list. */
struct example {
    const char *name;
    enum kind kind;
    uint32_t count;
    struct word words[16];
};

#define KOID UINT64_C(0x8000000000000001)
#define NONE FXT_RULE_NONE
#define R(rule) FXT_RULE_##rule

static const struct example examples[] = {
    {"provider info",
     KIND_provider_info,
     3,
     {{AT(1, 16) | AT(7, 20) | AT(9, 52), NONE, 0}, {1, R(MET_02), 1}, {2, R(MET_02), 1}}},
    {"provider info without a name", KIND_provider_info, 1, {{AT(1, 16) | AT(7, 20), NONE, 0}}},
    {"provider section", KIND_provider_section, 1, {{AT(2, 16) | AT(7, 20), NONE, 0}}},
    {"provider event", KIND_provider_event, 1, {{AT(3, 16) | AT(7, 20), NONE, 0}}},
    {"trace info", KIND_trace_info, 1, {{AT(4, 16) | AT(0x16547846, 24), NONE, 0}}},
    {"initialization", KIND_initialization, 2, {{1, NONE, 0}, {1000, R(INI_01), 1}}},
    {"string",
     KIND_string,
     4,
     {{2 | AT(1, 16) | AT(17, 32), NONE, 0},
      {1, R(STT_01), 1},
      {2, R(STT_01), 1},
      {3, R(STT_01), 1}}},
    {"string of whole words",
     KIND_string,
     3,
     {{2 | AT(1, 16) | AT(16, 32), NONE, 0}, {1, R(STT_01), 1}, {2, R(STT_01), 1}}},
    {"thread",
     KIND_thread,
     3,
     {{3 | AT(1, 16), NONE, 0}, {KOID, R(THT_01), 1}, {KOID, R(THT_01), 2}}},
    {"event, all inline",
     KIND_event,
     13,
     {{4 | AT(1, 16) | AT(2, 20) | AT(INLINE(9), 32) | AT(INLINE(3), 48), NONE, 0},
      {5, R(EVT_01), 1},
      {KOID, R(THR_03), 2},
      {KOID, R(THR_03), 2},
      {1, R(STR_03), 4},
      {2, R(STR_03), 4},
      {3, R(STR_03), 6},
      {1 | AT(1, 4) | AT(9, 32), R(ARG_01), 7},
      {6 | AT(4, 4) | AT(INLINE(3), 16) | AT(INLINE(9), 32), R(ARG_01), 8},
      {1, R(ARG_03), 8},
      {2, R(ARG_03), 8},
      {3, R(ARG_03), 8},
      {77, R(EVT_03), 12}}},
    {"event, all indexed",
     KIND_event,
     2,
     {{4 | AT(3, 16) | AT(1, 24) | AT(1, 32) | AT(2, 48), NONE, 0}, {5, R(EVT_01), 1}}},
    {"instant with scope",
     KIND_event,
     3,
     {{4 | AT(1, 24), NONE, 0}, {5, R(EVT_01), 1}, {1, NONE, 0}}},
    {"blob",
     KIND_blob,
     4,
     {{5 | AT(INLINE(1), 16) | AT(9, 32) | AT(1, 48), NONE, 0},
      {1, R(STR_03), 1},
      {2, R(BLB_01), 2},
      {3, R(BLB_01), 2}}},
    {"userspace object, all inline",
     KIND_userspace_object,
     6,
     {{6 | AT(INLINE(8), 24) | AT(1, 40), NONE, 0},
      {1, R(UOB_01), 1},
      {KOID, R(UOB_01), 2},
      {1, R(STR_03), 3},
      {3 | AT(2, 4), R(ARG_01), 4},
      {5, R(ARG_03), 4}}},
    {"userspace object, all indexed",
     KIND_userspace_object,
     2,
     {{6 | AT(1, 16) | AT(5, 24), NONE, 0}, {1, R(UOB_01), 1}}},
    {"kernel object",
     KIND_kernel_object,
     5,
     {{7 | AT(1, 16) | AT(INLINE(8), 24) | AT(1, 40), NONE, 0},
      {KOID, R(KOB_01), 1},
      {1, R(STR_03), 2},
      {8 | AT(2, 4), R(ARG_01), 3},
      {KOID, R(ARG_03), 3}}},
    {"legacy switch, inline",
     KIND_legacy_switch,
     6,
     {{8, NONE, 0},
      {5, R(SCH_01), 1},
      {KOID, R(SCH_01), 2},
      {KOID, R(SCH_01), 2},
      {KOID, R(SCH_01), 4},
      {KOID, R(SCH_01), 4}}},
    {"legacy switch, one indexed",
     KIND_legacy_switch,
     4,
     {{8 | AT(1, 28), NONE, 0}, {5, R(SCH_01), 1}, {KOID, R(SCH_01), 2}, {KOID, R(SCH_01), 2}}},
    {"legacy switch, other indexed",
     KIND_legacy_switch,
     4,
     {{8 | AT(1, 36), NONE, 0}, {5, R(SCH_01), 1}, {KOID, R(SCH_01), 2}, {KOID, R(SCH_01), 2}}},
    {"context switch",
     KIND_context_switch,
     6,
     {{8 | AT(1, 16) | AT(1, 60), NONE, 0},
      {5, R(SCH_04), 1},
      {KOID, R(SCH_04), 2},
      {KOID, R(SCH_04), 3},
      {4 | AT(2, 4), R(ARG_01), 4},
      {1, R(ARG_03), 4}}},
    {"thread wakeup",
     KIND_thread_wakeup,
     5,
     {{8 | AT(1, 16) | AT(2, 60), NONE, 0},
      {5, R(SCH_05), 1},
      {KOID, R(SCH_05), 2},
      {5 | AT(2, 4), R(ARG_01), 3},
      {1, R(ARG_03), 3}}},
    {"log, inline",
     KIND_log,
     6,
     {{9 | AT(9, 16), NONE, 0},
      {5, R(LOG_01), 1},
      {KOID, R(THR_03), 2},
      {KOID, R(THR_03), 2},
      {1, R(LOG_01), 4},
      {2, R(LOG_01), 4}}},
    {"log, indexed",
     KIND_log,
     3,
     {{9 | AT(8, 16) | AT(1, 32), NONE, 0}, {5, R(LOG_01), 1}, {1, R(LOG_01), 2}}},
    {"module",
     KIND_module,
     7,
     {{10 | AT(9, 44) | AT(1, 52), NONE, 0},
      {5, R(PRF_02), 1},
      {KOID, R(THR_03), 2},
      {0, R(THR_03), 2},
      {1, R(PRF_02), 4},
      {2, R(PRF_02), 4},
      {3, R(PRF_02), 6}}},
    {"mmap",
     KIND_mmap,
     7,
     {{10 | AT(1, 16), NONE, 0},
      {5, R(PRF_03), 1},
      {KOID, R(THR_03), 2},
      {0, R(THR_03), 2},
      {1, R(PRF_03), 4},
      {2, R(PRF_03), 5},
      {3, R(PRF_03), 6}}},
    {"mmap, indexed",
     KIND_mmap,
     5,
     {{10 | AT(1, 16) | AT(1, 20), NONE, 0},
      {5, R(PRF_03), 1},
      {1, R(PRF_03), 2},
      {2, R(PRF_03), 3},
      {3, R(PRF_03), 4}}},
    {"backtrace",
     KIND_backtrace,
     7,
     {{10 | AT(2, 16) | AT(3, 28), NONE, 0},
      {5, R(PRF_04), 1},
      {KOID, R(THR_03), 2},
      {KOID, R(THR_03), 2},
      {1, R(PRF_04), 4},
      {2, R(PRF_04), 4},
      {3, R(PRF_04), 4}}},
    {"large blob with metadata",
     KIND_large_blob,
     12,
     {{15, NONE, 0},
      {AT(INLINE(8), 0) | AT(INLINE(1), 16) | AT(1, 32), R(LRG_03), 1},
      {1, R(STR_03), 2},
      {2, R(STR_03), 3},
      {5, R(LRG_03), 4},
      {KOID, R(THR_03), 5},
      {KOID, R(THR_03), 5},
      {7 | AT(2, 4), R(ARG_01), 7},
      {1, R(ARG_03), 7},
      {9, R(LRG_03), 9},
      {1, R(LRG_04), 10},
      {2, R(LRG_04), 10}}},
    {"large blob without metadata",
     KIND_large_blob,
     7,
     {{15 | AT(1, 40), NONE, 0},
      {AT(INLINE(1), 0) | AT(INLINE(9), 16), R(LRG_03), 1},
      {1, R(STR_03), 2},
      {2, R(STR_03), 3},
      {3, R(STR_03), 3},
      {8, R(LRG_03), 5},
      {1, R(LRG_04), 6}}},
    {"large blob without anything",
     KIND_large_blob,
     3,
     {{15 | AT(1, 40), NONE, 0}, {0, R(LRG_03), 1}, {0, R(LRG_03), 2}}},
};

union any {
    uint8_t bytes[512];
    uint64_t word;
};

/* The record of the example with its first `count` words, then zeros. */
static struct fxt_record record_of_example(const struct example *example, uint32_t count)
{
    uint64_t words[32] = {0};
    for (uint32_t i = 0; i < example->count; i++)
        words[i] = example->words[i].value;
    return record_of(words, count);
}

static enum fxt_status decode(enum kind kind, const struct fxt_record *record, union any *out,
                              struct fxt_error *error)
{
    cr_assert_leq(kinds[kind].size, sizeof *out);
    memset(out, PATTERN, sizeof *out);
    memset(error, PATTERN, sizeof *error);
    return kinds[kind].decode(record, out, error);
}

static struct fxt_tail tail_of(enum kind kind, const union any *out)
{
    struct fxt_tail tail;
    memcpy(&tail, out->bytes + kinds[kind].tail, sizeof tail);
    return tail;
}

Test(decode, a_record_of_the_right_size_is_taken_whole)
{
    for (size_t i = 0; i < LENGTH(examples); i++) {
        const struct example *example = &examples[i];
        struct fxt_record record = record_of_example(example, example->count);
        struct fxt_error error;
        union any out;
        cr_expect_eq(decode(example->kind, &record, &out, &error), FXT_OK, "%s", example->name);
        cr_expect_eq(tail_of(example->kind, &out).words, 0, "%s", example->name);
        cr_expect_null(tail_of(example->kind, &out).bytes, "%s", example->name);
        cr_expect(untouched(&error, sizeof error), "%s", example->name);
    }
}

static void expect_short(const struct example *example, uint32_t count)
{
    struct fxt_record record = record_of_example(example, count);
    const struct word *missing = &example->words[count];
    struct fxt_error error;
    union any out;
    enum fxt_status status = decode(example->kind, &record, &out, &error);

    if (missing->missing == FXT_RULE_NONE) {
        cr_expect_eq(status, FXT_OK, "%s", example->name);
        return;
    }
    cr_expect_eq(status, FXT_MALFORMED, "%s", example->name);
    expect_error(&error, missing->missing, record.offset + 8 * missing->at, example->name);
    cr_expect(untouched(&out, sizeof out), "%s", example->name);
}

Test(decode, a_record_that_ends_before_a_word_breaks_the_rule_of_that_word)
{
    for (size_t i = 0; i < LENGTH(examples); i++)
        for (uint32_t count = 1; count < examples[i].count; count++)
            expect_short(&examples[i], count);
}

Test(decode, words_after_the_last_are_the_tail)
{
    for (size_t i = 0; i < LENGTH(examples); i++) {
        const struct example *example = &examples[i];
        for (uint32_t more = 1; more <= 3; more++) {
            struct fxt_record record = record_of_example(example, example->count + more);
            struct fxt_error error;
            union any out;
            cr_expect_eq(decode(example->kind, &record, &out, &error), FXT_OK);
            struct fxt_tail tail = tail_of(example->kind, &out);
            cr_expect_eq(tail.words, more, "%s", example->name);
            cr_expect_eq(tail.bytes, record.bytes + 8 * example->count, "%s", example->name);
            cr_expect_eq(fxt_tail_word(&tail, more - 1), 0);
        }
    }
}

Test(decode, a_decoder_takes_no_other_kind)
{
    for (size_t i = 0; i < LENGTH(examples); i++) {
        struct fxt_record record = record_of_example(&examples[i], examples[i].count);
        for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
            struct fxt_error error;
            union any out;
            if (kind == examples[i].kind)
                continue;
            cr_expect_eq(decode(kind, &record, &out, &error), FXT_WRONG_TYPE, "%s as %s",
                         examples[i].name, kinds[kind].name);
            cr_expect(untouched(&out, sizeof out));
            cr_expect_eq(error.status, FXT_WRONG_TYPE);
            cr_expect_eq(error.rule, FXT_RULE_NONE);
            cr_expect_eq(error.offset, record.offset);
        }
    }
}

/* No decoder takes a record with this header, whatever its size. */
static void expect_unknown(uint64_t header)
{
    uint64_t words[8] = {header};
    for (uint32_t count = 1; count <= LENGTH(words); count++) {
        struct fxt_record record = record_of(words, count);
        for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
            struct fxt_error error;
            union any out;
            cr_expect_eq(decode(kind, &record, &out, &error), FXT_WRONG_TYPE, "%lx as %s", header,
                         kinds[kind].name);
            cr_expect(untouched(&out, sizeof out));
        }
    }
}

Test(decode, unknown_types_and_subtypes_are_of_no_kind)
{
    for (uint64_t type = 11; type <= 14; type++) {
        expect_unknown(type);
        expect_unknown(type | UINT64_C(0xffffffffffff0000));
    }
    expect_unknown(0);
    for (uint64_t type = 5; type <= 15; type++)
        expect_unknown(AT(type, 16));
    for (uint64_t type = 3; type <= 15; type++) {
        expect_unknown(8 | AT(type, 60));
        expect_unknown(10 | AT(type, 16));
    }
    for (uint64_t type = 1; type <= 15; type++)
        expect_unknown(15 | AT(type, 36));
    for (uint64_t format = 2; format <= 15; format++)
        expect_unknown(15 | AT(format, 40));
}

/* What is delivered is the same, too: the tests that decode and encode again see to that. */
Test(decode, reserved_bits_are_no_reason_to_refuse)
{
    for (size_t i = 0; i < LENGTH(examples); i++) {
        struct example example = examples[i];
        example.words[0].value |= kinds[example.kind].reserved;
        struct fxt_record record = record_of_example(&example, example.count);
        struct fxt_error error;
        union any out;
        cr_expect_eq(decode(example.kind, &record, &out, &error), FXT_OK, "%s", example.name);
        cr_expect_eq(tail_of(example.kind, &out).words, 0, "%s", example.name);
    }
}

/* Headers of known types with all other bits at random: the body is too small for most of what they
   announce. Either the record is delivered, or nothing is written and the error lies inside it. */
static void decode_random(uint64_t *state)
{
    uint64_t words[24];
    uint32_t count = 1 + (uint32_t)(next_random(state) % LENGTH(words));
    for (uint32_t i = 0; i < count; i++)
        words[i] = next_random(state) & next_random(state);
    words[0] &= words[0] % 16 == FXT_RECORD_LARGE ? ~UINT64_C(0xffffffff0) : ~UINT64_C(0xfff0);
    struct fxt_record record = record_of(words, count);
    for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
        struct fxt_error error;
        union any out;
        enum fxt_status status = decode(kind, &record, &out, &error);
        if (status == FXT_OK)
            continue;
        cr_assert(untouched(&out, sizeof out), "%s", kinds[kind].name);
        cr_assert_geq(error.offset, record.offset);
        cr_assert_leq(error.offset, record.offset + 8 * count);
        if (status == FXT_MALFORMED)
            cr_assert_eq(fxt_rule_class(error.rule), FXT_MALFORMED_CLASS);
    }
}

Test(decode, random_records_are_delivered_whole_or_not_at_all)
{
    uint64_t state = 11;
    for (int i = 0; i < 200000; i++)
        decode_random(&state);
}
