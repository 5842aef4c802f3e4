/* The smallest memory, and what is judged only when something came before: objects and threads that
   find no place, types of the same koid, names of both forms, and a rate that changes late. */
#include "src/check/fixture_test.h"
#include "src/check/lookup.h"

static struct bench *bench_of(uint32_t objects, uint32_t threads, uint32_t opens)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 2, 1 << 12, objects, threads, opens);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

static void kernel_object(struct bench *b, uint64_t koid, uint8_t type)
{
    struct fxt_kernel_object in = {.koid = koid, .object_type = type, .name = fxt_string_index(2)};
    cr_assert_eq(fxt_write_kernel_object(&b->writer, &in, NULL, 0), FXT_OK);
}

static void userspace_object(struct bench *b, uint64_t pointer)
{
    struct fxt_userspace_object in = {
        .pointer = pointer, .process = fxt_thread_inline(0, 0), .name = fxt_string_index(2)};
    cr_assert_eq(fxt_write_userspace_object(&b->writer, &in, NULL, 0), FXT_OK);
}

static void initialization(struct bench *b, uint64_t ticks_per_second)
{
    word(b, 1 + 16 * 2);
    word(b, ticks_per_second);
}

static const char *found_of(struct bench *b)
{
    static char text[1024];
    run_check(b, FXT_EDITION_CURRENT);
    snprintf(text, sizeof text, "%.1023s", findings(b));
    free_bench(b);
    return text;
}

/* A table is filled to the half. */
Test(limits, objects_of_one_koid_and_several_types_need_a_place_each)
{
    struct bench *b = bench_of(2, 8, 8);
    prologue(b);
    kernel_object(b, 5, 1);
    kernel_object(b, 5, 2);
    cr_expect_str_eq(found_of(b), "LIM-01@80");
    b = bench_of(2, 8, 8);
    prologue(b);
    kernel_object(b, 5, 0);
    userspace_object(b, 5);
    cr_expect_str_eq(found_of(b), "LIM-01@80");
}

Test(limits, without_memory_for_objects_none_is_found)
{
    struct bench *b = bench_of(0, 8, 8);
    prologue(b);
    kernel_object(b, 5, 1);
    run_check(b, FXT_EDITION_CURRENT);
    cr_expect_str_eq(findings(b), "");
    cr_expect_null(fxt_tables_kernel_object(&b->checker.tables, 1, 5));
    free_bench(b);
}

Test(limits, many_threads_have_a_place_where_there_are_many_places)
{
    struct bench *b = bench_of(0, 300, 8);
    prologue(b);
    for (uint64_t koid = 1; koid <= 20; koid++) {
        thread(b, 1, 7, koid);
        event(b, FXT_EVENT_INSTANT, 1, 0);
    }
    cr_expect_str_eq(found_of(b), "");
}

/* All kinds of records with a timestamp rely on the rate, unless they are refused. */
Test(limits, a_rate_changes_too_late_behind_any_timestamp)
{
    const struct fxt_log log = {.thread = fxt_thread_index(1), .timestamp = 5};
    const struct fxt_mmap map = {.thread = fxt_thread_index(1), .timestamp = 5};
    const struct fxt_thread_wakeup wakeup = {.timestamp = 5, .waking_thread = 200};
    const struct fxt_large_blob blob = {.blob_format = FXT_LARGE_BLOB_METADATA,
                                        .category = fxt_string_index(1),
                                        .name = fxt_string_index(2),
                                        .thread = fxt_thread_index(1),
                                        .timestamp = 5};
    for (int i = 0; i < 4; i++) {
        char text[32];
        struct bench *b = new_bench();
        prologue(b);
        if (i == 0)
            fxt_write_log(&b->writer, &log);
        else if (i == 1)
            fxt_write_mmap(&b->writer, &map);
        else if (i == 2)
            fxt_write_thread_wakeup(&b->writer, &wakeup, NULL, 0);
        else
            fxt_write_large_blob(&b->writer, &blob, NULL, 0);
        snprintf(text, sizeof text, "INI-03@%d", (int)b->writer.size + 8);
        initialization(b, 1000);
        cr_expect_str_eq(found_of(b), text, "kind %d", i);
    }
}

Test(limits, a_record_of_an_unknown_type_relies_on_no_rate)
{
    static const uint64_t headers[] = {UINT64_C(0xf000000000000028), UINT64_C(0x00000000000f002a),
                                       UINT64_C(0x000000f00000002f)};
    static const char *const rules[] = {"SCH-02@64", "PRF-01@64", "LRG-01@64"};
    for (int i = 0; i < 3; i++) {
        struct bench *b = new_bench();
        prologue(b);
        word(b, headers[i]);
        word(b, 5);
        initialization(b, 1000);
        cr_expect_str_eq(found_of(b), rules[i]);
    }
}

Test(limits, a_rate_of_0_is_no_change)
{
    struct bench *b = new_bench();
    prologue(b);
    initialization(b, 1000);
    initialization(b, 0);
    cr_expect_str_eq(found_of(b), "INI-02@88");
}

Test(limits, a_trace_that_begins_with_another_metadata_record_lacks_its_magic_number)
{
    struct bench *b = new_bench();
    provider(b, 3, "first");
    cr_expect_str_eq(found_of(b), "MET-07@0");
}

Test(limits, a_provider_that_has_a_section_only_is_never_introduced)
{
    struct bench *b = new_bench();
    magic(b);
    section(b, 7);
    section(b, 7);
    cr_expect_str_eq(found_of(b), "MET-03@8 MET-03@16");
}

Test(limits, short_names_are_compared_to_the_last_byte)
{
    const struct fxt_event in = {.category = fxt_string_index(1),
                                 .name = fxt_string_index(2),
                                 .thread = fxt_thread_index(1)};
    const uint8_t *ab = (const uint8_t *)"abac";
    const struct fxt_arg different[] = {fxt_make_null(fxt_string_inline(ab, 2)),
                                        fxt_make_null(fxt_string_inline(ab + 2, 2))};
    const struct fxt_arg same[] = {fxt_make_null(fxt_string_index(1)),
                                   fxt_make_null(fxt_string_inline((const uint8_t *)"cat", 3))};
    struct bench *b = new_bench();
    prologue(b);
    cr_assert_eq(fxt_write_event(&b->writer, &in, different, 2), FXT_OK);
    cr_expect_str_eq(found_of(b), "");
    b = new_bench();
    prologue(b);
    cr_assert_eq(fxt_write_event(&b->writer, &in, same, 2), FXT_OK);
    cr_expect_str_eq(found_of(b), "ARG-06@88");
}

/* Nobody knows who left the processor, so nothing contradicts who ran there. */
Test(limits, a_switch_from_an_unknown_thread_contradicts_nothing)
{
    struct bench *b = new_bench();
    const struct fxt_legacy_switch first = {.timestamp = 1,
                                            .outgoing = fxt_thread_inline(100, 1),
                                            .incoming = fxt_thread_inline(100, 2)};
    const struct fxt_legacy_switch second = {
        .timestamp = 2, .outgoing = fxt_thread_index(9), .incoming = fxt_thread_inline(100, 3)};
    prologue(b);
    cr_assert_eq(fxt_write_legacy_switch(&b->writer, &first), FXT_OK);
    char text[32];
    snprintf(text, sizeof text, "THR-02@%d", (int)b->writer.size);
    cr_assert_eq(fxt_write_legacy_switch(&b->writer, &second), FXT_OK);
    cr_expect_str_eq(found_of(b), text);
}

#define PLACES 1024u
#define PROBES 128 /* after which a search ends */

/* The next key of the given kind behind `key` whose search begins at the first place. */
static uint64_t next_collision(uint64_t key, uint64_t process, uint64_t kind)
{
    do
        key++;
    while (fxt_i_hash(key, process, kind) % PLACES != 0);
    return key;
}

/* So a hostile trace costs memory, and not time. */
Test(limits, a_thread_whose_key_collides_with_128_others_finds_no_place)
{
    struct bench *b = bench_of(0, PLACES, 8);
    char text[32];
    uint64_t koid = 0;
    prologue(b);
    for (unsigned i = 0; i <= PROBES; i++) {
        koid = next_collision(koid, 7, 0);
        thread(b, 1, 7, koid);
        snprintf(text, sizeof text, "LIM-01@%d", (int)b->writer.size);
        event(b, FXT_EVENT_INSTANT, 1, 0);
    }
    cr_expect_str_eq(found_of(b), text, "only the last one");
}

Test(limits, an_object_whose_key_collides_with_128_others_finds_no_place)
{
    struct bench *b = bench_of(PLACES, 8, 8);
    char text[32];
    uint64_t koid = 0;
    prologue(b);
    for (unsigned i = 0; i <= PROBES; i++) {
        koid = next_collision(koid, 0, UINT64_C(2) * 2);
        snprintf(text, sizeof text, "LIM-01@%d", (int)b->writer.size);
        kernel_object(b, koid, 2);
    }
    run_check(b, FXT_EDITION_CURRENT);
    cr_expect_str_eq(findings(b), text, "only the last one");
    cr_expect_null(fxt_tables_kernel_object(&b->checker.tables, 2, koid));
    free_bench(b);
}
