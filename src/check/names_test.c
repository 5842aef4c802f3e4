/* ARG-06 of names that are registered: equal texts under different indices, different texts of one
   digest, and what comparing them may cost. */
#include "src/check/fixture_test.h"

/* The word of a null argument of that name. */
static void null_arg(struct bench *b, uint64_t ref)
{
    word(b, 0x10 | ref << 16);
}

/* An instant event of thread 1 with so many arguments to come. */
static void event_with(struct bench *b, uint64_t count)
{
    word(b, UINT64_C(0x0002000101000004) | count << 20 | (2 + count) << 4);
    word(b, 1);
}

Test(check_names, equal_texts_of_different_indices_are_equal_names)
{
    struct bench *b = new_bench();
    prologue(b);
    name(b, 3, "length");
    name(b, 4, "length");
    name(b, 5, "longer than a word");
    name(b, 6, "longer than a word");
    name(b, 7, "longer than a worD");
    uint64_t at = b->writer.size + 16;
    event_with(b, 5);
    for (uint64_t ref = 3; ref <= 7; ref++)
        null_arg(b, ref);
    run_check(b, FXT_EDITION_CURRENT);
    cr_assert_eq(b->kept.count, 2, "%s", findings(b));
    cr_expect_eq(b->kept.findings[0].offset, at + 8);
    cr_expect_eq(b->kept.findings[0].number, 0);
    cr_expect_eq(b->kept.findings[1].offset, at + 24);
    cr_expect_eq(b->kept.findings[1].number, 2);
    free_bench(b);
}

/* Two texts whose digests are the same, among those that count in letters. */
static void find_twins(struct bench *b, char twins[2][9])
{
    static uint32_t seen[65536];
    struct bench *other = new_bench();
    fxt_tables_init(&other->checker.tables, &other->memory.tables);
    for (uint32_t number = 1;; number++) {
        char text[9];
        snprintf(text, sizeof text, "%08x", (unsigned)(number * UINT32_C(2654435761)));
        struct fxt_string string = {.index = 1, .value = {(const uint8_t *)text, 8}};
        fxt_tables_set_string(&other->checker.tables, &string);
        uint16_t digest = other->checker.tables.providers[0].strings[1].digest;
        if (seen[digest] != 0) {
            snprintf(twins[0], 9, "%08x", (unsigned)(seen[digest] * UINT32_C(2654435761)));
            memcpy(twins[1], text, 9);
            break;
        }
        seen[digest] = number;
    }
    free_bench(other);
    name(b, 3, twins[0]);
    name(b, 4, twins[1]);
}

Test(check_names, texts_of_one_digest_are_different_names)
{
    struct bench *b = new_bench();
    char twins[2][9];
    prologue(b);
    find_twins(b, twins);
    cr_assert_str_neq(twins[0], twins[1]);
    event(b, FXT_EVENT_INSTANT, 1, 0); /* from here on the thread is known: events may be plain */
    event_with(b, 2);
    null_arg(b, 3);
    null_arg(b, 4);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

/* What provider 0 has registered is no name of a provider for which there is no memory. */
Test(check_names, names_of_another_provider_are_not_compared)
{
    struct bench *b = new_bench();
    free_bench(b);
    b = calloc(1, sizeof *b);
    set_memory(b, 1, 1024, 0, 8, 8);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    prologue(b);
    provider(b, 5, "");
    word(b, UINT64_C(0x0002000101200054)); /* an event of two arguments, of three words together */
    word(b, 1);
    null_arg(b, 1);
    word(b, 0x80030020); /* inline */
    word(b, 0x746163);   /* "cat" */
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@64");
    free_bench(b);
}

/* All pairs of 15 names of 32000 bytes in each record of 17 words would take minutes. */
Test(check_names, chosen_names_do_not_keep_the_checker_busy, .timeout = 20)
{
    static char text[FXT_STRING_LENGTH_MAX + 1];
    struct bench *b = new_bench();
    free_bench(b);
    b = calloc(1, sizeof *b);
    set_memory(b, 1, 1 << 20, 0, 8, 8);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    prologue(b);
    memset(text, 'x', FXT_STRING_LENGTH_MAX);
    for (uint16_t index = 3; index < 18; index++)
        name(b, index, text);
    uint64_t at = b->writer.size;
    event_with(b, 15);
    for (uint64_t ref = 3; ref < 18; ref++)
        null_arg(b, ref);
    run_check(b, FXT_EDITION_CURRENT);
    cr_expect_eq(b->kept.count, 14, "%s", findings(b));

    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, b->bytes + at, b->writer.size - at);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    for (unsigned i = 0; i < 200000; i++)
        fxt_check_record(&b->checker, &record);
    free_bench(b);
}
