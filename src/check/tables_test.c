/* The tables: what is registered is found, in the right provider, however often it is replaced. */
#include "src/check/fixture_test.h"

static enum fxt_status apply_all(struct fxt_tables *tables, struct bench *b)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status worst = FXT_OK;
    fxt_reader_init(&reader, b->bytes, b->writer.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        enum fxt_status status = fxt_tables_apply(tables, &record, &error);
        if (status != FXT_OK)
            worst = status;
    }
    return worst;
}

static void expect_string(const struct fxt_tables *tables, uint16_t index, const char *text)
{
    struct fxt_bytes found;
    bool known = fxt_tables_string(tables, &found, fxt_string_index(index));
    cr_assert_eq(known, text != NULL, "index %u", index);
    if (text == NULL)
        return;
    cr_assert_eq(found.size, strlen(text));
    cr_assert_eq(memcmp(found.size > 0 ? found.bytes : (const uint8_t *)"", text, found.size), 0,
                 "index %u", index);
}

Test(tables, a_string_is_found_by_its_index_and_the_last_registration_wins)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    fxt_tables_init(&tables, &b->memory.tables);
    name(b, 1, "first");
    name(b, 32767, "last");
    name(b, 1, "second, and longer");
    name(b, 2, "");
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 1, "second, and longer");
    expect_string(&tables, 32767, "last");
    expect_string(&tables, 2, "");
    expect_string(&tables, 3, NULL);
    expect_string(&tables, 0, "");
    free_bench(b);
}

Test(tables, an_inline_string_needs_no_table)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_bytes text;
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert(fxt_tables_string(&tables, &text, fxt_string_inline("abc", 3)));
    cr_assert_eq(text.size, 3);
    free_bench(b);
}

Test(tables, index_0_cannot_be_registered)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_thread_ref koids;
    fxt_tables_init(&tables, &b->memory.tables);
    word(b, 2 + 16 * 2 + UINT64_C(4294967296) * 3);
    word(b, 0x636261);
    word(b, 3 + 16 * 3);
    word(b, 1);
    word(b, 2);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 0, "");
    cr_assert(fxt_tables_thread(&tables, &koids, fxt_thread_inline(8, 9)));
    cr_assert_eq(koids.process, 8);
    free_bench(b);
}

Test(tables, thread_refs_above_255_are_never_registered)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_thread_ref koids;
    fxt_tables_init(&tables, &b->memory.tables);
    fxt_tables_set_thread(&tables, &(struct fxt_thread){.thread = 2, .index = 256});
    fxt_tables_set_thread(&tables, &(struct fxt_thread){.thread = 2, .index = UINT16_MAX});
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        struct fxt_thread_ref ref = {0, 0, (uint16_t)i};
        cr_assert_eq(fxt_tables_thread(&tables, &koids, ref), i == 0);
    }
    free_bench(b);
}

Test(tables, each_provider_has_its_own_and_keeps_them_when_it_is_introduced_again)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_thread_ref koids;
    fxt_tables_init(&tables, &b->memory.tables);
    name(b, 1, "of nobody");
    provider(b, 7, "seven");
    name(b, 1, "of seven");
    thread(b, 255, 70, 71);
    provider(b, 8, "eight");
    name(b, 1, "of eight");
    provider(b, 7, "seven again");
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 1, "of seven");
    cr_assert(fxt_tables_thread(&tables, &koids, fxt_thread_index(255)));
    cr_assert_eq(koids.process, 70);
    cr_assert_eq(koids.thread, 71);
    cr_assert_eq(fxt_tables_provider(&tables)->name_length, 11);
    fxt_tables_select(&tables, 8);
    expect_string(&tables, 1, "of eight");
    cr_assert_not(fxt_tables_thread(&tables, &koids, fxt_thread_index(255)));
    fxt_tables_select(&tables, 0);
    expect_string(&tables, 1, "of nobody");
    free_bench(b);
}

Test(tables, one_provider_too_many_takes_the_place_of_the_last)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_bytes text;
    struct fxt_thread_ref koids;
    fxt_tables_init(&tables, &b->memory.tables);
    provider(b, 1, "one");
    name(b, 1, "of one");
    provider(b, 2, "two");
    provider(b, 3, "three");
    name(b, 1, "of three");
    name(b, 2, "of three alone");
    thread(b, 5, 30, 31);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    fxt_tables_set_ticks(&tables, 1000);
    provider(b, 4, "four");
    cr_assert_eq(apply_all(&tables, b), FXT_FULL);
    cr_expect_eq(fxt_tables_provider(&tables)->id, 4);
    cr_expect_eq(fxt_tables_provider(&tables)->ticks_per_second, 1000000000);
    cr_expect_eq(fxt_tables_provider(&tables)->name_length, 4);
    cr_expect_not(fxt_tables_string(&tables, &text, fxt_string_index(1)), "that of three");
    cr_expect_not(fxt_tables_thread(&tables, &koids, fxt_thread_index(5)));
    name(b, 1, "of four");
    cr_assert_eq(apply_all(&tables, b), FXT_FULL);
    expect_string(&tables, 1, "of four");
    cr_assert_eq(fxt_tables_select(&tables, 1), FXT_OK);
    expect_string(&tables, 1, "of one");
    cr_assert_eq(fxt_tables_select(&tables, 3), FXT_FULL);
    cr_expect_not(fxt_tables_string(&tables, &text, fxt_string_index(1)));
    cr_expect_not(fxt_tables_string(&tables, &text, fxt_string_index(2)));
    free_bench(b);
}

Test(tables, ticks_per_second_belong_to_the_provider_and_zero_is_ignored)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(fxt_tables_provider(&tables)->ticks_per_second, 1000000000);
    fxt_tables_set_ticks(&tables, 24000000);
    fxt_tables_set_ticks(&tables, 0);
    cr_assert_eq(fxt_tables_provider(&tables)->ticks_per_second, 24000000);
    fxt_tables_select(&tables, 1);
    cr_assert_eq(fxt_tables_provider(&tables)->ticks_per_second, 1000000000);
    free_bench(b);
}

Test(tables, a_later_magic_number_forgets_everything)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_thread_ref koids;
    fxt_tables_init(&tables, &b->memory.tables);
    magic(b);
    name(b, 1, "old");
    thread(b, 1, 1, 1);
    magic(b);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 1, NULL);
    cr_assert_not(fxt_tables_thread(&tables, &koids, fxt_thread_index(1)));
    cr_assert_eq(tables.arena_used, 0);
    free_bench(b);
}

Test(tables, full_text_memory_drops_the_old_registration_too)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    set_memory(b, 1, 48, 0, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    fxt_tables_init(&tables, &b->memory.tables);
    name(b, 1, "short");
    name(b, 2, "also");
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    name(b, 1, "this text is longer than what is left");
    cr_assert_eq(apply_all(&tables, b), FXT_FULL);
    expect_string(&tables, 1, NULL);
    expect_string(&tables, 2, "also");
    free_bench(b);
}

/* Texts of many lengths replace one another in little memory; each must always read back right. */
Test(tables, compaction_keeps_every_live_text)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    char expected[16][128] = {{0}};
    uint64_t state = 1;
    set_memory(b, 2, 4096, 16, 2, 2);
    fxt_tables_init(&tables, &b->memory.tables);
    for (unsigned round = 0; round < 20000; round++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned index = 1 + (unsigned)(state >> 33) % 15;
        unsigned length = 1 + (unsigned)(state >> 40) % 100;
        memset(expected[index], 'a' + (int)(round % 26), length);
        expected[index][length] = '\0';
        fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
        name(b, (uint16_t)index, expected[index]);
        cr_assert_eq(apply_all(&tables, b), FXT_OK);
        for (unsigned i = 1; i < 16; i++)
            if (expected[i][0] != '\0')
                expect_string(&tables, (uint16_t)i, expected[i]);
    }
    free_bench(b);
}

static void object(struct bench *b, uint64_t koid, const char *text, uint64_t process)
{
    struct fxt_kernel_object in = {.koid = koid,
                                   .object_type = FXT_OBJECT_THREAD,
                                   .name = fxt_string_inline(text, (uint16_t)strlen(text))};
    struct fxt_arg arg = fxt_make_koid(fxt_string_inline("process", 7), process);
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &in, &arg, process != 0), FXT_OK);
}

static void expect_object(const struct fxt_tables *tables, const struct fxt_object *found,
                          const char *text)
{
    cr_assert_not_null(found);
    struct fxt_bytes bytes = fxt_tables_object_name(tables, found);
    cr_assert_eq(bytes.size, strlen(text));
    cr_assert(bytes.size == 0 || memcmp(bytes.bytes, text, bytes.size) == 0);
}

Test(tables, kernel_objects_are_found_in_their_own_provider_first_then_in_any)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    fxt_tables_init(&tables, &b->memory.tables);
    provider(b, 1, "one");
    object(b, 5, "five of one", 50);
    object(b, 6, "six of one", 0);
    provider(b, 2, "two");
    object(b, 5, "five of two", 51);
    object(b, 5, "five of two, renamed", 52);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5),
                  "five of two, renamed");
    cr_assert_eq(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5)->parent, 52);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 6), "six of one");
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 7));
    cr_assert_null(fxt_tables_userspace_object(&tables, 0, 5));
    fxt_tables_select(&tables, 1);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5), "five of one");
    free_bench(b);
}

Test(tables, userspace_objects_belong_to_a_process)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_userspace_object in = {
        .pointer = 0x1000, .process = {.process = 42}, .name = fxt_string_inline("thing", 5)};
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(fxt_write_userspace_object(&b->writer, &in, NULL, 0), FXT_OK);
    thread(b, 1, 43, 1);
    in.process.ref = 1;
    in.name = fxt_string_inline("other", 5);
    cr_assert_eq(fxt_write_userspace_object(&b->writer, &in, NULL, 0), FXT_OK);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_userspace_object(&tables, 42, 0x1000), "thing");
    expect_object(&tables, fxt_tables_userspace_object(&tables, 43, 0x1000), "other");
    cr_assert_null(fxt_tables_userspace_object(&tables, 44, 0x1000));
    free_bench(b);
}

Test(tables, an_object_named_by_a_registered_string_keeps_its_name_through_compaction)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    struct fxt_kernel_object in = {
        .koid = 1, .object_type = FXT_OBJECT_THREAD, .name = fxt_string_index(1)};
    set_memory(b, 1, 512, 16, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    fxt_tables_init(&tables, &b->memory.tables);
    name(b, 2, "0123456789012345678901234567890123456789");
    name(b, 1, "the name of the object");
    for (int i = 0; i < 40; i++) {
        cr_assert_eq(fxt_write_kernel_object(&b->writer, &in, NULL, 0), FXT_OK);
        name(b, 2, "another text of forty bytes, or nearly so");
    }
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 1),
                  "the name of the object");
    expect_string(&tables, 1, "the name of the object");
    free_bench(b);
}

Test(tables, more_objects_than_fit_are_refused_and_the_others_stay)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    set_memory(b, 1, 4096, 8, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    fxt_tables_init(&tables, &b->memory.tables);
    for (uint64_t koid = 1; koid <= 5; koid++)
        object(b, koid, "thread", 0);
    cr_assert_eq(apply_all(&tables, b), FXT_FULL);
    for (uint64_t koid = 1; koid <= 4; koid++)
        expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, koid),
                      "thread");
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5));
    free_bench(b);
}

static void userspace(struct bench *b, uint64_t process, uint64_t pointer, const char *text)
{
    struct fxt_userspace_object in = {.pointer = pointer,
                                      .process = {.process = process},
                                      .name = fxt_string_inline(text, (uint16_t)strlen(text))};
    cr_assert_eq(fxt_write_userspace_object(&b->writer, &in, NULL, 0), FXT_OK);
}

static const char *numbered(const char *what, unsigned number)
{
    static char text[32];
    snprintf(text, sizeof text, "%s %u", what, number);
    return text;
}

/* As many as the table takes, so that they get in each other's way. */
Test(tables, objects_are_told_apart_by_each_part_of_the_key)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    fxt_tables_init(&tables, &b->memory.tables);
    for (unsigned i = 0; i < 10; i++) {
        userspace(b, 7, i, numbered("pointer", i));
        userspace(b, 100 + i, 99, numbered("process", i));
        userspace(b, 0, i, numbered("at", i));
    }
    object(b, 1, "kernel", 0);
    object(b, 2, "kernel", 0);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    for (unsigned i = 0; i < 10; i++) {
        expect_object(&tables, fxt_tables_userspace_object(&tables, 7, i), numbered("pointer", i));
        expect_object(&tables, fxt_tables_userspace_object(&tables, 100 + i, 99),
                      numbered("process", i));
        expect_object(&tables, fxt_tables_userspace_object(&tables, 0, i), numbered("at", i));
    }
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 1), "kernel");
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 2), "kernel");
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 3));
    free_bench(b);
}

Test(tables, a_process_and_a_thread_of_one_koid_are_two_objects)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_kernel_object process = {
        .koid = 5, .object_type = FXT_OBJECT_PROCESS, .name = fxt_string_inline("process", 7)};
    struct fxt_kernel_object file = {
        .koid = 5, .object_type = 3, .name = fxt_string_inline("file", 4)};
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &process, NULL, 0), FXT_OK);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5));
    object(b, 5, "thread", 5);
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &file, NULL, 0), FXT_OK);
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_PROCESS, 5), "process");
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5), "thread");
    expect_object(&tables, fxt_tables_kernel_object(&tables, 3, 5), "file");
    cr_assert_eq(fxt_tables_kernel_object(&tables, FXT_OBJECT_PROCESS, 5)->parent, 0);
    cr_assert_eq(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5)->parent, 5);
    free_bench(b);
}

/* The same koid or pointer, once of the kernel and once of process 0. */
Test(tables, a_kernel_object_is_not_one_of_process_0)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    set_memory(b, 1, 1024, 2, 2, 2); /* both lie in one place of two */
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    for (uint64_t koid = 1; koid <= 8; koid++) {
        fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
        fxt_tables_init(&tables, &b->memory.tables);
        userspace(b, 0, koid, "pointer");
        cr_assert_eq(apply_all(&tables, b), FXT_OK);
        cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, koid));
        cr_assert_not_null(fxt_tables_userspace_object(&tables, 0, koid));
        cr_assert_null(fxt_tables_userspace_object(&tables, 1, koid));
    }
    free_bench(b);
}

Test(tables, only_a_koid_names_the_process_of_a_thread)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    struct fxt_kernel_object in = {.koid = 5, .object_type = FXT_OBJECT_THREAD};
    struct fxt_arg args[4] = {fxt_make_uint64(fxt_string_inline("process", 7), 6),
                              fxt_make_koid(fxt_string_inline("processe", 8), 7),
                              fxt_make_koid(fxt_string_inline("progress", 7), 9),
                              fxt_make_koid(fxt_string_inline("process", 7), 8)};
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &in, args, 4), FXT_OK);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    cr_assert_eq(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 5)->parent, 8);
    free_bench(b);
}

Test(tables, a_new_trace_has_room_for_all_objects_again)
{
    struct bench *b = calloc(1, sizeof *b);
    struct fxt_tables tables;
    set_memory(b, 1, 4096, 8, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    fxt_tables_init(&tables, &b->memory.tables);
    for (uint64_t trace = 0; trace < 3; trace++) {
        magic(b);
        for (uint64_t koid = 1; koid <= 4; koid++)
            object(b, 10 * trace + koid, "thread", 0);
    }
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 11));
    free_bench(b);
}

/* The objects of one user, the providers of nobody. */
Test(tables, objects_that_other_tables_left_are_not_found)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    fxt_tables_init(&tables, &b->memory.tables);
    object(b, 1, "left", 0);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    memset(b->memory.tables.providers, 0, 4 * sizeof(struct fxt_provider));
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_null(fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 1));
    free_bench(b);
}

/* The text memory of a bench of its own, with objects or without. */
static struct bench *text_bench(struct fxt_tables *tables, uint64_t arena)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 1, arena, 8, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    fxt_tables_init(tables, &b->memory.tables);
    return b;
}

static const char *text_of(unsigned length)
{
    static char text[1024];
    memset(text, 'x', length);
    text[length] = '\0';
    return text;
}

Test(tables, an_eighth_of_garbage_is_enough_to_be_used_again)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    name(b, 1, text_of(112)); /* 128 bytes with its head */
    name(b, 2, text_of(784)); /* 800 */
    name(b, 1, "");
    name(b, 3, text_of(200)); /* 216 of 1024 - 800 */
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 3, text_of(200));
    expect_string(&tables, 2, text_of(784));
    free_bench(b);
}

/* As much as fxt/check.h says. */
Test(tables, strings_that_replace_others_find_room)
{
    static const unsigned lengths[] = {16, 1000, 8, 504, 304, 96, 904, 48};
    struct fxt_tables tables;
    uint64_t registered = 0;
    unsigned random = 1;
    for (unsigned i = 0; i < 8; i++)
        registered += lengths[i] + 16;
    struct bench *b = text_bench(&tables, (registered + 1016) * 8 / 7 / 8 * 8 + 8);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned which = i;
        if (i >= 8)
            which = (random = random * 1103515245 + 12345) >> 16;
        fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
        name(b, (uint16_t)(1 + which % 8), text_of(lengths[which % 8]));
        cr_assert_eq(apply_all(&tables, b), FXT_OK, "string %u", i);
    }
    free_bench(b);
}

Test(tables, what_was_dropped_for_a_text_without_room_is_used_again)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    name(b, 1, text_of(400));
    name(b, 2, text_of(400));
    name(b, 1, text_of(700)); /* does not fit, and 1 is not registered any more */
    cr_assert_eq(apply_all(&tables, b), FXT_FULL);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    name(b, 3, text_of(500));
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 1, NULL);
    expect_string(&tables, 2, text_of(400));
    expect_string(&tables, 3, text_of(500));
    free_bench(b);
}

Test(tables, the_old_names_of_objects_are_used_again)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    for (unsigned i = 0; i < 100; i++) {
        object(b, 1, text_of(i), 0);
        object(b, 2, text_of(99 - i), 0);
    }
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 1), text_of(99));
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 2), "");
    free_bench(b);
}

/* The memory belongs to the caller, who may have changed it. */
Test(tables, the_name_of_an_object_that_is_dead_leaves_its_room_to_others)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    object(b, 1, text_of(400), 0);
    name(b, 1, text_of(200));
    name(b, 1, ""); /* 216 bytes of garbage: enough to be removed */
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    for (unsigned i = 0; i < 8; i++)
        b->memory.tables.objects[i].generation = 0;
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    name(b, 2, text_of(704)); /* no room beside the 416 bytes of the name */
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 2, text_of(704));
    free_bench(b);
}

Test(tables, a_name_that_moves_while_room_is_made_for_its_copy_is_copied_from_its_new_place)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    struct fxt_kernel_object in = {
        .koid = 1, .object_type = FXT_OBJECT_THREAD, .name = fxt_string_index(2)};
    name(b, 1, text_of(304));
    name(b, 2, "the name of the object");
    name(b, 3, text_of(640));
    name(b, 1, "");
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &in, NULL, 0), FXT_OK);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 1),
                  "the name of the object");
    expect_string(&tables, 2, "the name of the object");
    free_bench(b);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fill(void *memory, size_t size, uint64_t *state, unsigned kind)
{
    uint8_t *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = kind == 0   ? 0xff
                   : kind == 1 ? (uint8_t)(i % 8 == 0)
                               : (uint8_t)next_random(state);
}

/* Each text and name that can be asked for, to its last byte. */
static uint64_t read_everything(const struct fxt_tables *tables, const struct bench *b)
{
    struct fxt_bytes text;
    struct fxt_thread_ref koids;
    uint64_t sum = 0;
    for (uint32_t i = 0; i <= FXT_STRING_INDEX_MAX; i += i < 64 ? 1 : 97) {
        bool known = fxt_tables_string(tables, &text, fxt_string_index((uint16_t)i));
        cr_assert(known || text.size == 0);
        for (uint64_t k = 0; k < text.size; k++)
            sum += text.bytes[k];
    }
    for (uint8_t i = 1; i < 255; i++)
        sum += fxt_tables_thread(tables, &koids, fxt_thread_index(i));
    for (uint32_t i = 0; i < tables->object_max; i++) {
        text = fxt_tables_object_name(tables, &b->memory.tables.objects[i]);
        for (uint64_t k = 0; k < text.size; k++)
            sum += text.bytes[k];
        sum += fxt_tables_kernel_object(tables, b->memory.tables.objects[i].object_type,
                                        b->memory.tables.objects[i].key) != NULL;
        sum += fxt_tables_userspace_object(tables, i, i) != NULL;
    }
    return sum + fxt_ticks_to_ns(1, fxt_tables_provider(tables)->ticks_per_second);
}

/* A few registrations, and between them anything at all in the memory that was given. */
static void use_spoilt(struct fxt_tables *tables, struct bench *b, uint64_t *state, unsigned kind)
{
    struct fxt_tables_memory *memory = &b->memory.tables;
    for (unsigned round = 0; round < 24; round++) {
        uint64_t random = next_random(state);
        struct fxt_string string = {.index = (uint16_t)(random % 40),
                                    .value = {b->bytes, next_random(state) % 60}};
        struct fxt_kernel_object kernel = {.koid = random % 6,
                                           .name = fxt_string_index((uint16_t)(random / 8 % 40))};
        struct fxt_userspace_object user = {.pointer = random % 5,
                                            .process = fxt_thread_index((uint8_t)(random / 64)),
                                            .name = fxt_string_inline(b->bytes, 40)};
        struct fxt_thread thread = {.index = (uint8_t)random};
        fxt_tables_set_string(tables, &string);
        fxt_tables_set_kernel_object(tables, &kernel);
        fxt_tables_set_userspace_object(tables, &user);
        fxt_tables_set_thread(tables, &thread);
        fxt_tables_select(tables, (uint32_t)random % 8);
        if (random / 128 % 4 == 0)
            fill(memory->arena, memory->arena_size, state, kind);
        if (random / 512 % 4 == 0)
            fill(memory->objects, memory->object_max * sizeof(struct fxt_object), state, kind);
        if (random / 2048 % 4 == 0)
            fill(memory->providers, sizeof(struct fxt_provider), state, kind);
        if (random / 8192 % 16 == 0)
            fxt_tables_reset(tables);
        cr_assert_leq(tables->arena_used, tables->arena_size);
        cr_assert_leq(tables->arena_garbage, tables->arena_used);
    }
}

Test(tables, no_content_of_the_memory_leads_outside_of_it)
{
    uint64_t state = 88172645463325252u;
    for (unsigned trial = 0; trial < 30; trial++) {
        struct bench *b = calloc(1, sizeof *b);
        struct fxt_tables_memory *memory = &b->memory.tables;
        struct fxt_tables tables;
        set_memory(b, 3, 512, trial % 4 == 0 ? 0 : 16, 2, 2);
        fill(memory->providers, 3 * sizeof(struct fxt_provider), &state, trial % 3);
        fill(memory->objects, memory->object_max * sizeof(struct fxt_object), &state, trial % 3);
        fill(memory->arena, memory->arena_size, &state, trial % 3);
        fxt_tables_init(&tables, memory);
        use_spoilt(&tables, b, &state, trial % 3);
        read_everything(&tables, b);
        free_bench(b);
    }
}

/* A slot that was registered, and then spoilt. */
Test(tables, a_text_that_does_not_lie_in_the_memory_is_not_registered)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 1024);
    name(b, 1, "first");
    name(b, 2, "last");
    object(b, 7, "seven", 0);
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    struct fxt_string_slot *slot = &b->memory.tables.providers[0].strings[2];
    slot->length++;
    while (slot->offset + slot->length <= tables.arena_used)
        slot->length++;
    expect_string(&tables, 2, NULL);
    slot->length = 4;
    slot->offset = UINT32_MAX;
    expect_string(&tables, 2, NULL);
    expect_string(&tables, 1, "first");
    struct fxt_object *seven = NULL;
    for (unsigned i = 0; i < 8; i++)
        if (b->memory.tables.objects[i].key == 7)
            seven = &b->memory.tables.objects[i];
    seven->name_offset = (uint32_t)tables.arena_used - 4;
    expect_object(&tables, fxt_tables_kernel_object(&tables, FXT_OBJECT_THREAD, 7), "");
    free_bench(b);
}

Test(tables, a_block_that_does_not_end_in_the_memory_ends_the_compaction)
{
    struct fxt_tables tables;
    struct bench *b = text_bench(&tables, 256);
    name(b, 1, text_of(40)); /* 56 bytes with its head */
    name(b, 2, text_of(32)); /* 48 */
    name(b, 3, text_of(80)); /* 96 */
    name(b, 1, "");
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    memset(b->memory.tables.arena + 56 + 48 + 8, 0xff, 8);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    name(b, 4, text_of(100));
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 2, text_of(32));
    expect_string(&tables, 4, text_of(100));
    cr_assert_eq(tables.arena_used, 48 + 120);
    free_bench(b);
}

Test(tables, the_generation_behind_the_largest_is_1)
{
    struct bench *b = new_bench();
    struct fxt_tables tables;
    b->memory.tables.providers[1].generation = UINT64_MAX;
    fxt_tables_init(&tables, &b->memory.tables);
    cr_assert_eq(tables.epoch, 1);
    cr_assert_eq(fxt_tables_provider(&tables)->generation, 2);
    expect_string(&tables, 0, "");
    expect_string(&tables, 1, NULL);
    name(b, 1, "first");
    cr_assert_eq(apply_all(&tables, b), FXT_OK);
    expect_string(&tables, 1, "first");
    free_bench(b);
}
