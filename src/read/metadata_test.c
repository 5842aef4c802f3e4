#include "src/read/fixture_test.h"

Test(provider_info, has_its_id_and_name)
{
    struct fxt_record record = RECORD(AT(1, 16) | AT(UINT64_C(0xaabbccdd), 20) | AT(13, 52),
                                      text_word("test_pro"), text_word("vider"));
    struct fxt_provider_info info;
    struct fxt_error error;
    cr_assert_eq(fxt_read_provider_info(&record, &info, &error), FXT_OK);
    cr_expect_eq(info.provider_id, UINT32_C(0xaabbccdd));
    expect_bytes(info.name, "test_provider", 13);
}

Test(provider_info, has_names_of_0_to_255_bytes)
{
    for (uint64_t length = 0; length <= 255; length++) {
        uint64_t words[33];
        memset(words, 0xc3, sizeof words); /* padding too */
        words[0] = AT(1, 16) | AT(UINT32_MAX, 20) | AT(length, 52) | AT(15, 60);
        struct fxt_record record = record_of(words, 1 + (length + 7) / 8);
        struct fxt_provider_info info;
        struct fxt_error error;
        cr_assert_eq(fxt_read_provider_info(&record, &info, &error), FXT_OK);
        cr_expect_eq(info.provider_id, UINT32_MAX);
        cr_expect_eq(info.tail.words, 0);
        expect_bytes(info.name, words + 1, length);
    }
}

Test(provider_section, has_its_id)
{
    static const uint32_t ids[] = {0, 1, UINT32_MAX};
    for (unsigned i = 0; i < LENGTH(ids); i++) {
        struct fxt_record record = RECORD(AT(2, 16) | AT(ids[i], 20) | AT(0xfff, 52));
        struct fxt_provider_section section;
        struct fxt_error error;
        cr_assert_eq(fxt_read_provider_section(&record, &section, &error), FXT_OK);
        cr_expect_eq(section.provider_id, ids[i]);
    }
}

Test(provider_event, has_its_provider_and_its_event_known_or_not)
{
    for (unsigned event = 0; event <= 15; event++) {
        struct fxt_record record =
            RECORD(AT(3, 16) | AT(UINT32_MAX, 20) | AT(event, 52) | AT(0xff, 56));
        struct fxt_provider_event out;
        struct fxt_error error;
        cr_assert_eq(fxt_read_provider_event(&record, &out, &error), FXT_OK);
        cr_expect_eq(out.provider_id, UINT32_MAX);
        cr_expect_eq(out.event_id, event);
    }
    struct fxt_record record = RECORD(AT(3, 16));
    struct fxt_provider_event out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_provider_event(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.provider_id, 0);
    cr_expect_eq(out.event_id, 0);
}

Test(trace_info, of_the_magic_number_has_that_number)
{
    struct fxt_record record = RECORD(FXT_MAGIC & ~UINT64_C(0xfff0));
    struct fxt_trace_info info;
    struct fxt_error error;
    cr_assert_eq(record.header, FXT_MAGIC);
    cr_assert_eq(fxt_read_trace_info(&record, &info, &error), FXT_OK);
    cr_expect_eq(info.trace_info_type, FXT_TRACE_INFO_MAGIC);
    cr_expect_eq(info.data, UINT64_C(0x16547846));
    cr_expect_eq(info.tail.words, 0);
}

Test(trace_info, has_all_40_bits_of_its_data_and_any_type)
{
    for (unsigned type = 0; type <= 15; type++) {
        struct fxt_record record =
            RECORD(AT(4, 16) | AT(type, 20) | UINT64_C(0xffffffffff000000), 5);
        struct fxt_trace_info info;
        struct fxt_error error;
        cr_assert_eq(fxt_read_trace_info(&record, &info, &error), FXT_OK);
        cr_expect_eq(info.trace_info_type, type);
        cr_expect_eq(info.data, UINT64_C(0xffffffffff));
        cr_assert_eq(info.tail.words, 1);
        cr_expect_eq(fxt_tail_word(&info.tail, 0), 5);
    }
}
