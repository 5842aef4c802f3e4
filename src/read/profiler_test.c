#include "src/read/fixture_test.h"

#define MODULE(thread, id, name, build_id)                                                         \
    (10 | AT(thread, 20) | AT(id, 28) | AT(name, 44) | AT(build_id, 52))
#define MMAP(thread, id, flags) (10 | AT(1, 16) | AT(thread, 20) | AT(id, 28) | AT(flags, 44))
#define BACKTRACE(thread, frames) (10 | AT(2, 16) | AT(thread, 20) | AT(frames, 28))

Test(module, has_name_and_build_id_behind_the_inline_thread)
{
    struct fxt_record record = RECORD(MODULE(0, 1, 4, 9) | AT(15, 60), 4, 2, 3, text_word("test"),
                                      UINT64_C(0x8877665544332211), 0x99);
    struct fxt_module module;
    struct fxt_error error;
    cr_assert_eq(fxt_read_module(&record, &module, &error), FXT_OK);
    cr_expect_eq(module.timestamp, 4);
    expect_thread(module.thread, 0, 2, 3);
    cr_expect_eq(module.module_id, 1);
    expect_bytes(module.name, "test", 4);
    expect_bytes(module.build_id, "\x11\x22\x33\x44\x55\x66\x77\x88\x99", 9);
    cr_expect_eq(module.tail.words, 0);
}

static void expect_module(uint64_t name, uint64_t build_id)
{
    uint64_t words[66];
    uint64_t name_words = (name + 7) / 8;
    memset(words, 0x3d, sizeof words);
    words[0] = MODULE(255, 65535, name, build_id);
    words[1] = UINT64_MAX;
    words[2] ^= name;
    words[2 + name_words] ^= UINT64_MAX;
    struct fxt_record record = record_of(words, 2 + name_words + (build_id + 7) / 8);
    struct fxt_module module;
    struct fxt_error error;
    cr_assert_eq(fxt_read_module(&record, &module, &error), FXT_OK);
    expect_thread(module.thread, 255, 0, 0);
    cr_expect_eq(module.module_id, 65535);
    cr_expect_eq(module.timestamp, UINT64_MAX);
    expect_bytes(module.name, words + 2, name);
    expect_bytes(module.build_id, words + 2 + name_words, build_id);
    cr_expect_eq(module.tail.words, 0);
}

Test(module, has_names_and_build_ids_of_any_length)
{
    static const uint64_t lengths[] = {0, 1, 7, 8, 9, 20, 248, 254, 255};
    for (unsigned i = 0; i < LENGTH(lengths); i++)
        for (unsigned j = 0; j < LENGTH(lengths); j++)
            expect_module(lengths[i], lengths[j]);
}

Test(mmap, has_its_words_in_their_order)
{
    struct fxt_record record = RECORD(MMAP(0, 65535, 7) | UINT64_C(0xffff800000000000), 4, 2, 3,
                                      0x1000, 0x2000, UINT64_MAX);
    struct fxt_mmap mapping;
    struct fxt_error error;
    cr_assert_eq(fxt_read_mmap(&record, &mapping, &error), FXT_OK);
    cr_expect_eq(mapping.timestamp, 4);
    expect_thread(mapping.thread, 0, 2, 3);
    cr_expect_eq(mapping.module_id, 65535);
    cr_expect_eq(mapping.flags, 7);
    cr_expect_eq(mapping.start_address, 0x1000);
    cr_expect_eq(mapping.address_range, 0x2000);
    cr_expect_eq(mapping.vaddr, UINT64_MAX);
    cr_expect_eq(mapping.tail.words, 0);
}

Test(mmap, with_an_indexed_thread_has_no_koids)
{
    struct fxt_record record = RECORD(MMAP(255, 0, 0), 4, 1, 2, 3);
    struct fxt_mmap mapping;
    struct fxt_error error;
    cr_assert_eq(fxt_read_mmap(&record, &mapping, &error), FXT_OK);
    expect_thread(mapping.thread, 255, 0, 0);
    cr_expect_eq(mapping.module_id, 0);
    cr_expect_eq(mapping.flags, 0);
    cr_expect_eq(mapping.start_address, 1);
    cr_expect_eq(mapping.address_range, 2);
    cr_expect_eq(mapping.vaddr, 3);
}

Test(backtrace, has_an_address_for_each_counted_frame)
{
    for (unsigned frames = 0; frames <= 255; frames++) {
        uint64_t words[259] = {BACKTRACE(0, frames) | UINT64_C(0xfffffff000000000), 4, 2, 3};
        for (unsigned i = 0; i < frames; i++)
            words[4 + i] = UINT64_MAX - i;
        struct fxt_record record = record_of(words, 4 + frames);
        struct fxt_backtrace backtrace;
        struct fxt_error error;
        cr_assert_eq(fxt_read_backtrace(&record, &backtrace, &error), FXT_OK);
        expect_thread(backtrace.thread, 0, 2, 3);
        cr_expect_eq(backtrace.timestamp, 4);
        cr_assert_eq(backtrace.frame_count, frames);
        expect_bytes(backtrace.frames, words + 4, 8 * frames);
        for (unsigned i = 0; i < frames; i++)
            cr_expect_eq(fxt_backtrace_frame(&backtrace, (uint8_t)i), UINT64_MAX - i);
    }
}
