/* The canonical form (CAN-01) is what decoding and encoding leaves as it is: for records of every
   kind, and for what becomes of them when they are damaged a little. */
#include <fxt/check.h>

#include "src/check/records_test.h"

#define ROUNDS 400
#define DAMAGES 250
#define ROOM 65536

static uint8_t bytes[ROOM + 8];
static uint8_t copy[ROOM];

/* How often the two were seen to agree on each answer. */
struct tally {
    unsigned canonical;
    unsigned others;
};

/* Whether decoding and encoding the record gives these very bytes. */
static bool stays(const struct fxt_record *record)
{
    struct fxt_writer writer;
    uint64_t size = UINT64_C(8) * record->words;
    fxt_writer_init(&writer, copy, sizeof copy);
    enum fxt_status status = copy_kinds(&writer, record);
    if (status == FXT_WRONG_TYPE && record->header == FXT_MAGIC)
        status = fxt_write_magic(&writer);
    return status == FXT_OK && writer.size == size && memcmp(copy, record->bytes, size) == 0;
}

/* Damaged bytes may be no record any more, or a shorter one; what is framed is a record to judge. */
static void expect_agreement(struct tally *tally, uint64_t size, const char *kind)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, bytes, size);
    if (fxt_reader_next(&reader, &record, &error) != FXT_OK)
        return;
    bool same = stays(&record);
    error.rule = FXT_RULE_NONE;
    bool canonical = fxt_check_canonical(&record, &error) == FXT_OK;
    cr_assert_eq(canonical, same, "%s, header %#llx, words %u: %s, but the copy is %s", kind,
                 (unsigned long long)record.header, record.words,
                 canonical ? "canonical" : fxt_rule_id(error.rule), same ? "the same" : "another");
    cr_assert(canonical || (error.status == FXT_INVALID && error.offset <= size));
    tally->canonical += canonical;
    tally->others += !canonical;
}

/* One bit of the record; bits of the first words, where the headers are, more often. */
static uint64_t any_bit(struct random *r, uint64_t size)
{
    uint64_t words = below(r, 2) == 0 ? size / 8 : 1 + below(r, size / 8 < 4 ? size / 8 : 4);
    return below(r, 64 * (words < size / 8 ? words : size / 8));
}

static uint64_t damage(struct random *r, uint64_t size)
{
    uint64_t bit = any_bit(r, size);
    uint16_t refs[] = {0, 0x8000, 0x8001, 1};
    switch (below(r, 8)) {
    case 0: /* a word more, and the size that goes with it */
        memset(bytes + size, (int)below(r, 4), 8);
        bytes[0] = (uint8_t)(bytes[0] + 16);
        bytes[1] = (uint8_t)(bytes[1] + (bytes[0] < 16 ? 1 : 0));
        return size + 8;
    case 1: /* a ref, or some other 16 bits */
        memcpy(bytes + bit / 16 * 2, &refs[below(r, 4)], 2);
        return size;
    case 2: /* two bits */
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        bit = any_bit(r, size);
        break;
    default:
        break;
    }
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    return size;
}

/* Judges the record that was written to `bytes`, and a number of damaged ones like it. */
static void judge(struct random *r, struct tally *tally, uint64_t size, const char *kind)
{
    static uint8_t clean[ROOM];
    struct tally before = *tally;
    expect_agreement(tally, size, kind);
    cr_assert_eq(tally->canonical, before.canonical + 1, "what the writer wrote is canonical");
    memcpy(clean, bytes, size);
    for (uint64_t i = 0; i < DAMAGES; i++) {
        uint64_t damaged = size;
        if (i < 64)
            bytes[i / 8] ^= (uint8_t)(1u << i % 8); /* each bit of the header */
        else
            damaged = damage(r, size);
        expect_agreement(tally, damaged, kind);
        memcpy(bytes, clean, size);
    }
}

static void expect_both(const struct tally *tally)
{
    cr_assert_gt(tally->canonical, ROUNDS);
    cr_assert_gt(tally->others, ROUNDS);
}

#define CANONICAL(name, write)                                                                     \
    Test(canonical, name)                                                                          \
    {                                                                                              \
        struct random r = {4711};                                                                  \
        struct tally tally = {0, 0};                                                               \
        make_noise();                                                                              \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            struct fxt_writer writer;                                                              \
            struct fxt_##name in = make_##name(&r);                                                \
            fxt_writer_init(&writer, bytes, ROOM);                                                 \
            cr_assert_eq(write, FXT_OK);                                                           \
            judge(&r, &tally, writer.size, #name);                                                 \
        }                                                                                          \
        expect_both(&tally);                                                                       \
    }

static struct fxt_arg args[15];

static size_t some_args(struct random *r, const char *kind, const void *in)
{
    size_t count = below(r, 3) == 0 ? 0 : below(r, has_args(kind, in) ? 4 : 1);
    for (size_t i = 0; i < count; i++)
        args[i] = random_arg(r);
    return count;
}

#define PLAIN(name) CANONICAL(name, fxt_write_##name(&writer, &in))
#define WITH_ARGS(name)                                                                            \
    CANONICAL(name, fxt_write_##name(&writer, &in, args, some_args(&r, #name, &in)))

PLAIN(provider_info)
PLAIN(provider_section)
PLAIN(provider_event)
PLAIN(initialization)
PLAIN(string)
PLAIN(thread)
WITH_ARGS(event)
PLAIN(blob)
WITH_ARGS(userspace_object)
WITH_ARGS(kernel_object)
PLAIN(legacy_switch)
WITH_ARGS(context_switch)
WITH_ARGS(thread_wakeup)
PLAIN(log)
PLAIN(module)
PLAIN(mmap)
PLAIN(backtrace)
WITH_ARGS(large_blob)

Test(canonical, magic)
{
    struct random r = {4711};
    struct tally tally = {0, 0};
    struct fxt_writer writer;
    fxt_writer_init(&writer, bytes, ROOM);
    cr_assert_eq(fxt_write_magic(&writer), FXT_OK);
    judge(&r, &tally, writer.size, "magic");
    cr_assert_gt(tally.others, 64);
}
