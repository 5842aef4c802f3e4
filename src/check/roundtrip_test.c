/* The reader and the writer together: what is written reads back as it was given, and what the
   writer wrote is written again byte for byte. */
#include "src/check/records_test.h"
#include "src/wire/layout.h"

#define ROUNDS 20000

static bool same_bytes(struct fxt_bytes a, struct fxt_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

static bool same_string(struct fxt_string_ref a, struct fxt_string_ref b)
{
    uint32_t length = fxt_string_ref_length(a);
    return a.ref == b.ref && (length == 0 || memcmp(a.bytes, b.bytes, length) == 0);
}

static bool same_thread(struct fxt_thread_ref a, struct fxt_thread_ref b)
{
    return a.ref == b.ref && a.process == b.process && a.thread == b.thread;
}

static bool same_arg(const struct fxt_arg *a, const struct fxt_arg *b)
{
    if (a->type != b->type || !same_string(a->name, b->name))
        return false;
    if (a->type == FXT_ARG_STRING)
        return same_string(a->text, b->text);
    if (a->type == FXT_ARG_BLOB)
        return same_bytes(a->blob, b->blob);
    return a->value == b->value;
}

/* same_<kind>: whether two are equal, but for arguments and tail. */
static bool same_provider_info(const struct fxt_provider_info *a, const struct fxt_provider_info *b)
{
    return a->provider_id == b->provider_id && same_bytes(a->name, b->name);
}

static bool same_provider_section(const struct fxt_provider_section *a,
                                  const struct fxt_provider_section *b)
{
    return a->provider_id == b->provider_id;
}

static bool same_provider_event(const struct fxt_provider_event *a,
                                const struct fxt_provider_event *b)
{
    return a->provider_id == b->provider_id && a->event_id == b->event_id;
}

static bool same_initialization(const struct fxt_initialization *a,
                                const struct fxt_initialization *b)
{
    return a->ticks_per_second == b->ticks_per_second;
}

static bool same_string_record(const struct fxt_string *a, const struct fxt_string *b)
{
    return a->index == b->index && same_bytes(a->value, b->value);
}

static bool same_thread_record(const struct fxt_thread *a, const struct fxt_thread *b)
{
    return a->index == b->index && a->process == b->process && a->thread == b->thread;
}

static bool same_event(const struct fxt_event *a, const struct fxt_event *b)
{
    bool valued = a->event_type != FXT_EVENT_INSTANT;
    return same_thread(a->thread, b->thread) && same_string(a->category, b->category) &&
           same_string(a->name, b->name) && a->timestamp == b->timestamp &&
           a->event_type == b->event_type && a->has_scope == b->has_scope && a->scope == b->scope &&
           (!valued || a->value == b->value);
}

static bool same_blob(const struct fxt_blob *a, const struct fxt_blob *b)
{
    return same_string(a->name, b->name) && same_bytes(a->payload, b->payload) &&
           a->blob_type == b->blob_type;
}

static bool same_userspace_object(const struct fxt_userspace_object *a,
                                  const struct fxt_userspace_object *b)
{
    return same_thread(a->process, b->process) && same_string(a->name, b->name) &&
           a->pointer == b->pointer;
}

static bool same_kernel_object(const struct fxt_kernel_object *a, const struct fxt_kernel_object *b)
{
    return same_string(a->name, b->name) && a->koid == b->koid && a->object_type == b->object_type;
}

static bool same_legacy_switch(const struct fxt_legacy_switch *a, const struct fxt_legacy_switch *b)
{
    return same_thread(a->outgoing, b->outgoing) && same_thread(a->incoming, b->incoming) &&
           a->timestamp == b->timestamp && a->cpu == b->cpu &&
           a->outgoing_state == b->outgoing_state && a->outgoing_priority == b->outgoing_priority &&
           a->incoming_priority == b->incoming_priority;
}

static bool same_context_switch(const struct fxt_context_switch *a,
                                const struct fxt_context_switch *b)
{
    return a->timestamp == b->timestamp && a->outgoing_thread == b->outgoing_thread &&
           a->incoming_thread == b->incoming_thread && a->cpu == b->cpu &&
           a->outgoing_state == b->outgoing_state;
}

static bool same_thread_wakeup(const struct fxt_thread_wakeup *a, const struct fxt_thread_wakeup *b)
{
    return a->timestamp == b->timestamp && a->waking_thread == b->waking_thread && a->cpu == b->cpu;
}

static bool same_log(const struct fxt_log *a, const struct fxt_log *b)
{
    return same_thread(a->thread, b->thread) && same_bytes(a->message, b->message) &&
           a->timestamp == b->timestamp;
}

static bool same_module(const struct fxt_module *a, const struct fxt_module *b)
{
    return same_thread(a->thread, b->thread) && same_bytes(a->name, b->name) &&
           same_bytes(a->build_id, b->build_id) && a->timestamp == b->timestamp &&
           a->module_id == b->module_id;
}

static bool same_mmap(const struct fxt_mmap *a, const struct fxt_mmap *b)
{
    return same_thread(a->thread, b->thread) && a->timestamp == b->timestamp &&
           a->start_address == b->start_address && a->address_range == b->address_range &&
           a->vaddr == b->vaddr && a->module_id == b->module_id && a->flags == b->flags;
}

static bool same_backtrace(const struct fxt_backtrace *a, const struct fxt_backtrace *b)
{
    return same_thread(a->thread, b->thread) && same_bytes(a->frames, b->frames) &&
           a->timestamp == b->timestamp && a->frame_count == b->frame_count;
}

static bool same_large_blob(const struct fxt_large_blob *a, const struct fxt_large_blob *b)
{
    return same_string(a->category, b->category) && same_string(a->name, b->name) &&
           same_bytes(a->payload, b->payload) && same_thread(a->thread, b->thread) &&
           a->timestamp == b->timestamp && a->blob_format == b->blob_format;
}

static uint8_t first[65536];
static uint8_t second[65536];

static void expect_same_copy(const struct fxt_writer *writer, const struct fxt_record *record)
{
    struct fxt_writer copy = on(second);
    cr_assert_eq(copy_kinds(&copy, record), FXT_OK);
    cr_assert_eq(copy.size, writer->size);
    cr_assert_arr_eq(copy.bytes, writer->bytes, copy.size);
}

static void no_more(const struct fxt_tail *tail)
{
    cr_assert_eq(tail->words, 0);
    cr_assert_null(tail->bytes);
}

#define ROUND_TRIP(name, same)                                                                     \
    Test(roundtrip, name)                                                                          \
    {                                                                                              \
        struct random r = {4711};                                                                  \
        make_noise();                                                                              \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            struct fxt_writer writer = on(first);                                                  \
            struct fxt_##name in = make_##name(&r);                                                \
            struct fxt_##name out;                                                                 \
            struct fxt_error error;                                                                \
            cr_assert_eq(fxt_write_##name(&writer, &in), FXT_OK);                                  \
            struct fxt_record record = written(&writer);                                           \
            cr_assert_eq(fxt_read_##name(&record, &out, &error), FXT_OK);                          \
            cr_assert(same(&in, &out));                                                            \
            no_more(&out.tail);                                                                    \
            expect_same_copy(&writer, &record);                                                    \
        }                                                                                          \
    }

#define ROUND_TRIP_ARGS(name)                                                                      \
    Test(roundtrip, name)                                                                          \
    {                                                                                              \
        struct random r = {4711};                                                                  \
        make_noise();                                                                              \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            struct fxt_writer writer = on(first);                                                  \
            struct fxt_##name in = make_##name(&r);                                                \
            struct fxt_##name out;                                                                 \
            struct fxt_arg args[15];                                                               \
            struct fxt_error error;                                                                \
            size_t count = up_to(&r, has_args(#name, &in) ? 15 : 0);                               \
            for (size_t k = 0; k < count; k++)                                                     \
                args[k] = random_arg(&r);                                                          \
            cr_assert_eq(fxt_write_##name(&writer, &in, args, count), FXT_OK);                     \
            struct fxt_record record = written(&writer);                                           \
            cr_assert_eq(fxt_read_##name(&record, &out, &error), FXT_OK);                          \
            cr_assert(same_##name(&in, &out));                                                     \
            no_more(&out.tail);                                                                    \
            expect_same_args(out.args, args, count);                                               \
            expect_same_copy(&writer, &record);                                                    \
        }                                                                                          \
    }

static void expect_same_args(struct fxt_args args, const struct fxt_arg *given, size_t count)
{
    struct fxt_arg read[15];
    cr_assert_eq(collect(args, read), count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(same_arg(&given[i], &read[i]), "argument of type %u", given[i].type);
        no_more(&read[i].tail);
    }
}

ROUND_TRIP(provider_info, same_provider_info)
ROUND_TRIP(provider_section, same_provider_section)
ROUND_TRIP(provider_event, same_provider_event)
ROUND_TRIP(initialization, same_initialization)
ROUND_TRIP(string, same_string_record)
ROUND_TRIP(thread, same_thread_record)
ROUND_TRIP_ARGS(event)
ROUND_TRIP(blob, same_blob)
ROUND_TRIP_ARGS(userspace_object)
ROUND_TRIP_ARGS(kernel_object)
ROUND_TRIP(legacy_switch, same_legacy_switch)
ROUND_TRIP_ARGS(context_switch)
ROUND_TRIP_ARGS(thread_wakeup)
ROUND_TRIP(log, same_log)
ROUND_TRIP(module, same_module)
ROUND_TRIP(mmap, same_mmap)
ROUND_TRIP(backtrace, same_backtrace)
ROUND_TRIP_ARGS(large_blob)

/* A record with all that can be dirty: reserved bits, padding, tails. */
struct dirty {
    const char *name;
    uint64_t clean[8];
    uint64_t mess[8]; /* bits that a reader ignores */
    uint32_t words;
};

#define REST(bits) (UINT64_MAX << (bits)) /* padding above so many bits of a stream's word */

static const struct dirty dirty[] = {
    {"provider info",
     {0x0030000000110020, 0x636261},
     {FXT_PROVIDER_INFO_HEADER_RESERVED, REST(24)},
     2},
    {"provider section", {0x0000000000520010}, {FXT_PROVIDER_SECTION_HEADER_RESERVED}, 1},
    {"provider event", {0x0010000000530010}, {FXT_PROVIDER_EVENT_HEADER_RESERVED}, 1},
    {"initialization", {0x21, 5}, {FXT_INITIALIZATION_HEADER_RESERVED}, 2},
    {"string", {0x0000000300010022, 0x636261}, {FXT_STRING_HEADER_RESERVED, REST(24)}, 2},
    {"thread", {0x0000000000010033, 5, 6}, {FXT_THREAD_HEADER_RESERVED}, 3},
    {"event",
     {0x8001800201120074, 5, 0x6261, 0x61, 0x0000800180010036, 0x61, 0x62},
     {0, 0, REST(16), REST(8), UINT64_C(0xffff000000000000), REST(8), REST(8)},
     7},
    {"blob", {0x0001000180010035, 0x61, 0x62}, {FXT_BLOB_HEADER_RESERVED, REST(8), REST(8)}, 3},
    {"userspace object",
     {0x0000018001010046, 5, 0x61, 0x0000000000010010},
     {FXT_USERSPACE_OBJECT_HEADER_RESERVED, 0, REST(8), REST(32)},
     4},
    {"kernel object",
     {0x0000018001010047, 5, 0x61, 0x0000000100010019},
     {FXT_KERNEL_OBJECT_HEADER_RESERVED, 0, REST(8), REST(33)},
     4},
    {"context switch",
     {0x1000000000010068, 5, 6, 7, 0x0000000000010023, 9},
     {FXT_CONTEXT_SWITCH_HEADER_RESERVED, 0, 0, 0, REST(32), 0},
     6},
    {"thread wakeup",
     {0x2000000000010058, 5, 6, 0x000000030001002a, 0x636261},
     {FXT_THREAD_WAKEUP_HEADER_RESERVED, 0, 0, 0, REST(24)},
     5},
    {"log", {0x0000000100010039, 5, 0x61}, {FXT_LOG_HEADER_RESERVED, 0, REST(8)}, 3},
    {"module",
     {0x001010000010004a, 5, 0x61, 0x62},
     {FXT_MODULE_HEADER_RESERVED, 0, REST(8), REST(8)},
     4},
    {"mmap", {0x000000000011005a, 5, 6, 7, 8}, {FXT_MMAP_HEADER_RESERVED}, 5},
    {"backtrace", {0x000000001012003a, 5, 6}, {FXT_BACKTRACE_HEADER_RESERVED}, 3},
    {"large blob with metadata",
     {0x000000000000008f, 0x0000001180018001, 0x61, 0x62, 5, 0x0000000000010025, 9, 0},
     {FXT_LARGE_BLOB_HEADER_RESERVED, FXT_LARGE_BLOB_METADATA_RESERVED, REST(8), REST(8), 0,
      REST(32)},
     8},
    {"large blob without metadata",
     {0x000001000000006f, 0x0000000080018001, 0x61, 0x62, 1, 0x63},
     {FXT_LARGE_BLOB_HEADER_RESERVED, FXT_LARGE_BLOB_NO_METADATA_RESERVED, REST(8), REST(8), 0,
      REST(8)},
     6},
};

/* The record with that mess on it, decoded and written again. */
static struct fxt_writer washed(const struct dirty *record, const uint64_t *mess)
{
    uint64_t words[8];
    for (uint32_t i = 0; i < record->words; i++)
        words[i] = record->clean[i] | mess[i];
    struct fxt_writer raw = on(first);
    struct fxt_writer copy = on(second);
    cr_assert_eq(fxt_write_raw(&raw, (const uint8_t *)words, 8 * record->words), FXT_OK);
    struct fxt_record framed = written(&raw);
    cr_assert_eq(copy_kinds(&copy, &framed), FXT_OK, "%s", record->name);
    return copy;
}

static void expect_clean(const struct dirty *record, const uint64_t *mess)
{
    static const uint64_t none[8] = {0};
    uint64_t clean[8];
    struct fxt_writer copy = washed(record, none);
    cr_assert_eq(copy.size, 8 * record->words, "%s", record->name);
    memcpy(clean, copy.bytes, copy.size);
    copy = washed(record, mess);
    cr_assert_eq(copy.size, 8 * record->words, "%s", record->name);
    cr_expect_arr_eq(copy.bytes, (const uint8_t *)clean, copy.size, "%s", record->name);
}

Test(roundtrip, reserved_bits_and_padding_are_lost_and_nothing_else)
{
    for (unsigned i = 0; i < sizeof dirty / sizeof dirty[0]; i++) {
        expect_clean(&dirty[i], dirty[i].mess);
        for (unsigned bit = 0; bit < 64 * dirty[i].words; bit++) {
            uint64_t mess[8] = {0};
            mess[bit / 64] = dirty[i].mess[bit / 64] & UINT64_C(1) << bit % 64;
            expect_clean(&dirty[i], mess);
        }
    }
}

/* One bit of a record is flipped: when the result is read and written again, that is canonical. */
Test(roundtrip, what_is_read_and_written_once_stays_the_same_from_then_on)
{
    static uint8_t third[65536];
    for (unsigned i = 0; i < sizeof dirty / sizeof dirty[0]; i++)
        for (unsigned bit = 16; bit < 64 * dirty[i].words; bit++) {
            uint64_t words[8];
            memcpy(words, dirty[i].clean, sizeof words);
            words[bit / 64] ^= UINT64_C(1) << bit % 64;
            struct fxt_reader reader;
            struct fxt_record record;
            struct fxt_error error;
            fxt_reader_init(&reader, (const uint8_t *)words, UINT64_C(8) * dirty[i].words);
            if (fxt_reader_next(&reader, &record, &error) != FXT_OK)
                continue;
            struct fxt_writer once = on(first);
            if (copy_kinds(&once, &record) != FXT_OK)
                continue;
            struct fxt_record again = written(&once);
            struct fxt_writer twice = on(third);
            cr_assert_eq(copy_kinds(&twice, &again), FXT_OK);
            cr_assert_eq(twice.size, once.size);
            cr_assert_arr_eq(twice.bytes, once.bytes, once.size);
        }
}
