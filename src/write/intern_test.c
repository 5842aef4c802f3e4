/* The interner: an index for what was seen, a record for what is new, and what happens when full. */
#include <criterion/criterion.h>
#include <fxt/intern.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 16

static struct fxt_intern_slot slots[SLOTS];
static struct fxt_interner interner;
static struct fxt_writer writer;
static uint8_t text[256];
static uint8_t bytes[65536];

static void start(enum fxt_intern_policy policy)
{
    cr_assert_eq(fxt_intern_init(&interner, slots, SLOTS, text, sizeof text, policy), FXT_OK);
    fxt_writer_init(&writer, bytes, sizeof bytes);
}

static struct fxt_string_ref intern(const char *string)
{
    struct fxt_string_ref ref;
    cr_assert_eq(
        fxt_intern_string(&interner, &writer, &ref, (const uint8_t *)string, strlen(string)),
        FXT_OK);
    return ref;
}

Test(intern, a_string_is_written_once_and_has_one_index)
{
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern("one").ref, 1);
    cr_assert_eq(writer.size, 16);
    cr_assert_eq(intern("two").ref, 2);
    cr_assert_eq(intern("one").ref, 1);
    cr_assert_eq(writer.size, 32);
}

Test(intern, strings_of_one_hash_are_two)
{
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern("name15391...").ref, 1);
    cr_assert_eq(intern("name20625...").ref, 2);
    uint32_t hashes[3] = {0};
    for (int i = 0; i < SLOTS; i++)
        hashes[slots[i].index] = slots[i].hash;
    cr_assert_eq(hashes[1], hashes[2]);
    cr_assert_eq(intern("name15391...").ref, 1);
}

Test(intern, the_empty_string_needs_no_record)
{
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern("").ref, 0);
    cr_assert_eq(writer.size, 0);
}

static void fill(void)
{
    char string[16];
    for (int i = 1; i <= SLOTS / 2; i++) {
        snprintf(string, sizeof string, "string %d", i);
        cr_assert_eq(intern(string).ref, i);
    }
}

Test(intern, a_full_table_goes_inline)
{
    start(FXT_INTERN_INLINE);
    fill();
    uint64_t size = writer.size;
    struct fxt_string_ref ref = intern("new");
    cr_assert_eq(ref.ref, FXT_STRING_INLINE + 3);
    cr_assert_eq(memcmp(ref.bytes, "new", 3), 0);
    cr_assert_eq(writer.size, size);
    cr_assert_eq(intern("string 3").ref, 3);
}

Test(intern, a_table_that_had_no_room_starts_again_with_the_next_record)
{
    start(FXT_INTERN_EVICT);
    fill();
    fxt_intern_begin_record(&interner); /* full, but nothing was missed yet */
    cr_assert_eq(intern("string 3").ref, 3);
    cr_assert_eq(intern("new").ref, FXT_STRING_INLINE + 3);
    cr_assert_eq(intern("string 3").ref, 3, "the refs of a record stay valid");
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern("new").ref, 1);
    cr_assert_eq(intern("string 3").ref, 2);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern("new").ref, 1);
}

Test(intern, nothing_starts_again_with_the_policy_inline)
{
    start(FXT_INTERN_INLINE);
    fill();
    intern("new");
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern("new").ref, FXT_STRING_INLINE + 3);
    cr_assert_eq(intern("string 3").ref, 3);
}

Test(intern, text_memory_counts_like_the_table)
{
    static char long_text[200];
    memset(long_text, 'x', sizeof long_text - 1);
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern(long_text).ref, 1);
    long_text[0] = 'y';
    cr_assert_eq(intern(long_text).ref, FXT_STRING_INLINE + 199);
    start(FXT_INTERN_EVICT);
    cr_assert_eq(intern(long_text).ref, 1);
    long_text[0] = 'z';
    cr_assert_eq(intern(long_text).ref, FXT_STRING_INLINE + 199);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern(long_text).ref, 1);
}

Test(intern, a_string_larger_than_all_text_memory_goes_inline_even_when_evicting)
{
    static char long_text[300];
    memset(long_text, 'x', sizeof long_text - 1);
    start(FXT_INTERN_EVICT);
    cr_assert_eq(intern("kept").ref, 1);
    cr_assert_eq(intern(long_text).ref, FXT_STRING_INLINE + 299);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern("kept").ref, 1);
    cr_assert_eq(writer.size, 16);
}

Test(intern, no_room_for_the_record_changes_nothing)
{
    struct fxt_string_ref ref = fxt_string_index(99);
    start(FXT_INTERN_INLINE);
    writer.capacity = 8;
    cr_assert_eq(fxt_intern_string(&interner, &writer, &ref, (const uint8_t *)"abc", 3), FXT_FULL);
    cr_assert_eq(ref.ref, 99);
    writer.capacity = sizeof bytes;
    cr_assert_eq(intern("abc").ref, 1);
    cr_assert_eq(writer.size, 16);
}

Test(intern, a_string_over_32000_bytes_is_refused)
{
    static uint8_t long_text[32002];
    struct fxt_string_ref ref;
    memset(long_text, 'x', sizeof long_text);
    start(FXT_INTERN_INLINE);
    cr_assert_eq(fxt_intern_string(&interner, &writer, &ref, long_text, 32001), FXT_INVALID);
    cr_assert_eq(fxt_intern_string(&interner, &writer, &ref, long_text, 32000), FXT_OK);
    cr_assert_eq(fxt_intern_string(&interner, &writer, &ref, NULL, 1), FXT_INVALID);
}

Test(intern, the_number_of_slots_is_a_power_of_two_in_range)
{
    static struct fxt_intern_slot many[65536];
    cr_assert_eq(fxt_intern_init(&interner, slots, 0, text, 1, FXT_INTERN_INLINE), FXT_INVALID);
    cr_assert_eq(fxt_intern_init(&interner, slots, 1, text, 1, FXT_INTERN_INLINE), FXT_INVALID);
    cr_assert_eq(fxt_intern_init(&interner, slots, 12, text, 1, FXT_INTERN_INLINE), FXT_INVALID);
    cr_assert_eq(fxt_intern_init(&interner, many, 131072, text, 1, FXT_INTERN_INLINE), FXT_INVALID);
    cr_assert_eq(fxt_intern_init(&interner, many, 65536, text, 1, FXT_INTERN_INLINE), FXT_OK);
    cr_assert_eq(interner.string_max, 32767);
}

static struct fxt_thread_ref intern_thread(uint64_t koid)
{
    struct fxt_thread_ref ref;
    cr_assert_eq(fxt_intern_thread(&interner, &writer, &ref, 1, koid), FXT_OK);
    return ref;
}

Test(intern, threads_have_indices_from_1_to_255_then_go_inline)
{
    start(FXT_INTERN_INLINE);
    for (uint64_t koid = 1; koid <= 255; koid++)
        cr_assert_eq(intern_thread(koid).ref, koid);
    cr_assert_eq(writer.size, 255 * 24);
    cr_assert_eq(intern_thread(256).ref, 0);
    cr_assert_eq(intern_thread(256).thread, 256);
    cr_assert_eq(intern_thread(17).ref, 17);
    cr_assert_eq(writer.size, 255 * 24);
}

Test(intern, threads_of_one_koid_and_two_processes_are_two)
{
    struct fxt_thread_ref ref;
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern_thread(7).ref, 1);
    cr_assert_eq(fxt_intern_thread(&interner, &writer, &ref, 2, 7), FXT_OK);
    cr_assert_eq(ref.ref, 2);
}

Test(intern, no_room_for_the_record_of_a_thread_changes_nothing)
{
    struct fxt_thread_ref ref;
    start(FXT_INTERN_INLINE);
    fxt_writer_init(&writer, bytes, 16); /* the record has 24 bytes */
    cr_assert_eq(fxt_intern_thread(&interner, &writer, &ref, 1, 7), FXT_FULL);
    cr_assert_eq(interner.thread_count, 0);
    cr_assert_eq(writer.size, 0);
}

Test(intern, threads_start_again_when_told_to)
{
    start(FXT_INTERN_EVICT);
    for (uint64_t koid = 1; koid <= 255; koid++)
        intern_thread(koid);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern_thread(255).ref, 255);
    cr_assert_eq(intern_thread(256).ref, 0);
    cr_assert_eq(intern_thread(1).ref, 1);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern_thread(256).ref, 1);
    cr_assert_eq(intern_thread(1).ref, 2);
}

Test(intern, slots_that_are_all_taken_end_the_search)
{
    start(FXT_INTERN_INLINE);
    for (int i = 0; i < SLOTS; i++)
        slots[i].index = 1;
    cr_assert_eq(intern("one").ref, FXT_STRING_INLINE + 3);
    start(FXT_INTERN_EVICT);
    for (int i = 0; i < SLOTS; i++)
        slots[i].index = 1;
    cr_assert_eq(intern("one").ref, FXT_STRING_INLINE + 3);
    fxt_intern_begin_record(&interner);
    cr_assert_eq(intern("one").ref, 1);
    cr_assert_eq(intern("one").ref, 1);
    cr_assert_eq(writer.size, 16);
}

Test(intern, a_slot_that_points_outside_the_text_holds_nothing)
{
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern("one").ref, 1);
    for (int i = 0; i < SLOTS; i++)
        slots[i].offset = sizeof text - 2;
    cr_assert_eq(intern("one").ref, 2);
}

Test(intern, a_slot_with_an_index_that_was_not_given_holds_nothing)
{
    start(FXT_INTERN_INLINE);
    cr_assert_eq(intern("one").ref, 1);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].index == 1)
            slots[i].index = FXT_STRING_INLINE + 3;
    cr_assert_eq(intern("one").ref, 2);
}

static void expect_refused(struct fxt_interner *refusing, struct fxt_writer *by)
{
    struct fxt_string_ref string;
    struct fxt_thread_ref thread;
    uint64_t size = by->size;
    fxt_intern_begin_record(refusing);
    cr_expect_eq(fxt_intern_string(refusing, by, &string, (const uint8_t *)"a", 1), FXT_INVALID);
    cr_expect_eq(fxt_intern_string(refusing, by, &string, NULL, 0), FXT_INVALID);
    cr_expect_eq(fxt_intern_thread(refusing, by, &thread, 1, 2), FXT_INVALID);
    cr_expect_eq(by->size, size);
}

Test(intern, after_a_failed_init_every_call_is_refused)
{
    const uint32_t counts[] = {0, 1, 3, 65535, 65537, 131072, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        start(FXT_INTERN_EVICT);
        memset(&interner, 0xa5, sizeof interner);
        cr_expect_eq(
            fxt_intern_init(&interner, slots, counts[i], text, sizeof text, FXT_INTERN_EVICT),
            FXT_INVALID);
        expect_refused(&interner, &writer);
    }
}

Test(intern, another_writer_is_refused)
{
    static uint8_t more[4096];
    struct fxt_writer other;
    fxt_writer_init(&other, more, sizeof more);
    start(FXT_INTERN_EVICT);
    cr_assert_eq(intern("one").ref, 1);
    expect_refused(&interner, &other);
    cr_assert_eq(intern("one").ref, 1);
    start(FXT_INTERN_EVICT); /* binds anew */
    struct fxt_thread_ref thread;
    cr_assert_eq(fxt_intern_thread(&interner, &other, &thread, 1, 2), FXT_OK);
    expect_refused(&interner, &writer);
}
