#include "src/read/fixture_test.h"

#define USERSPACE(process, name, args) (6 | AT(process, 16) | AT(name, 24) | AT(args, 40))
#define KERNEL(type, name, args) (7 | AT(type, 16) | AT(name, 24) | AT(args, 40))
#define RESERVED UINT64_C(0xfffff00000000000)

Test(userspace_object, with_an_inline_process_has_its_koid_and_no_thread)
{
    struct fxt_record record = RECORD(USERSPACE(0, INLINE(3), 1) | RESERVED, UINT64_MAX, AT(1, 63),
                                      text_word("obj"), 1 | AT(1, 4));
    struct fxt_userspace_object object;
    struct fxt_error error;
    cr_assert_eq(fxt_read_userspace_object(&record, &object, &error), FXT_OK);
    cr_expect_eq(object.pointer, UINT64_MAX);
    expect_thread(object.process, 0, AT(1, 63), 0);
    expect_inline(object.name, "obj");
    cr_expect_eq(object.args.count, 1);
    cr_expect_eq(object.args.bytes, record.bytes + 32);
    cr_expect_eq(object.args.offset, record.offset + 32);
    cr_expect_eq(object.tail.words, 0);
}

Test(userspace_object, with_an_indexed_process_has_the_name_behind_the_pointer)
{
    for (unsigned index = 1; index <= 255; index++) {
        struct fxt_record record = RECORD(USERSPACE(index, INLINE(3), 0), 5, text_word("obj"));
        struct fxt_userspace_object object;
        struct fxt_error error;
        cr_assert_eq(fxt_read_userspace_object(&record, &object, &error), FXT_OK);
        cr_expect_eq(object.pointer, 5);
        expect_thread(object.process, (uint8_t)index, 0, 0);
        expect_inline(object.name, "obj");
        cr_expect_eq(object.args.count, 0);
    }
}

Test(userspace_object, has_fields_at_their_ends)
{
    uint64_t words[17] = {USERSPACE(255, 32767, 15), 0};
    for (unsigned i = 0; i < 15; i++)
        words[2 + i] = AT(1, 4);
    struct fxt_record record = record_of(words, 17);
    struct fxt_userspace_object object;
    struct fxt_error error;
    cr_assert_eq(fxt_read_userspace_object(&record, &object, &error), FXT_OK);
    expect_thread(object.process, 255, 0, 0);
    expect_indexed(object.name, 32767);
    cr_expect_eq(object.args.count, 15);
    record = RECORD(USERSPACE(0, 0, 0), 0, 0);
    cr_assert_eq(fxt_read_userspace_object(&record, &object, &error), FXT_OK);
    cr_expect_eq(object.pointer, 0);
    expect_thread(object.process, 0, 0, 0);
    expect_indexed(object.name, 0);
    cr_expect_eq(object.args.count, 0);
}

Test(kernel_object, has_koid_name_and_arguments)
{
    struct fxt_record record = RECORD(KERNEL(2, INLINE(4), 1) | RESERVED, UINT64_MAX,
                                      text_word("\xff\xfe\x80\xc0"), 8 | AT(2, 4), AT(1, 63));
    struct fxt_kernel_object object;
    struct fxt_error error;
    cr_assert_eq(fxt_read_kernel_object(&record, &object, &error), FXT_OK);
    cr_expect_eq(object.koid, UINT64_MAX);
    cr_expect_eq(object.object_type, FXT_OBJECT_THREAD);
    expect_inline(object.name, "\xff\xfe\x80\xc0");
    cr_expect_eq(object.args.count, 1);
    cr_expect_eq(object.args.words, 2);
    cr_expect_eq(object.tail.words, 0);
}

Test(kernel_object, has_any_object_type)
{
    for (unsigned type = 0; type <= 255; type++) {
        struct fxt_record record = RECORD(KERNEL(type, 32767, 0), 0);
        struct fxt_kernel_object object;
        struct fxt_error error;
        cr_assert_eq(fxt_read_kernel_object(&record, &object, &error), FXT_OK);
        cr_expect_eq(object.object_type, type);
        cr_expect_eq(object.koid, 0);
        expect_indexed(object.name, 32767);
    }
}

Test(kernel_object, has_a_name_as_long_as_fits)
{
    static uint64_t words[4095];
    words[0] = KERNEL(1, INLINE(32744), 0);
    struct fxt_record record = record_of(words, 4095);
    struct fxt_kernel_object object;
    struct fxt_error error;
    cr_assert_eq(fxt_read_kernel_object(&record, &object, &error), FXT_OK);
    cr_expect_eq(fxt_string_ref_length(object.name), 32744);
    words[0] = KERNEL(1, INLINE(32745), 0);
    record = record_of(words, 4095);
    cr_assert_eq(fxt_read_kernel_object(&record, &object, &error), FXT_MALFORMED);
    expect_error(&error, FXT_RULE_STR_03, record.offset + 16, "name");
}
