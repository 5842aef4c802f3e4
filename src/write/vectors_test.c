/* Records byte for byte. What each call must write is worked out from the text of the format by
   hand; those named after the original are the cases of the unit tests of its writer. */
#include "src/write/fixture_test.h"

/* The write that is under test, and its words. */
#define VECTOR(name, call, ...)                                                                    \
    static enum fxt_status write_##name(struct fxt_writer *w)                                      \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    static const uint64_t words_##name[] = {__VA_ARGS__};

#define ARGS(...)                                                                                  \
    (const struct fxt_arg[]){__VA_ARGS__},                                                         \
        sizeof((const struct fxt_arg[]){__VA_ARGS__}) / sizeof(struct fxt_arg)
#define NO_ARGS NULL, 0
#define IN(type, ...)                                                                              \
    &(const struct fxt_##type)                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define CAT UINT64_C(0x0000000000746163)  /* "cat" */
#define NAME UINT64_C(0x00000000656d616e) /* "name" */

VECTOR(magic, fxt_write_magic(w), 0x0016547846040010)

VECTOR(provider_info,
       fxt_write_provider_info(w, IN(provider_info, .provider_id = 0xaabbccdd,
                                     .name = bytes_of("test_provider"))),
       0x00daabbccdd10030, 0x6f72705f74736574, 0x0000007265646976)
VECTOR(provider_info_without_name,
       fxt_write_provider_info(w, IN(provider_info, .provider_id = 0xffffffff)), 0x000ffffffff10010)
VECTOR(provider_section,
       fxt_write_provider_section(w, IN(provider_section, .provider_id = 0xaabbccdd)),
       0x000aabbccdd20010)
VECTOR(provider_event,
       fxt_write_provider_event(w, IN(provider_event, .provider_id = 0xaabbccdd, .event_id = 7)),
       0x007aabbccdd30010)

VECTOR(initialization, fxt_write_initialization(w, IN(initialization, .ticks_per_second = 0xabcd)),
       0x21, 0xabcd)

VECTOR(string, fxt_write_string(w, IN(string, .index = 1, .value = bytes_of("name"))),
       0x0000000400010022, NAME)
VECTOR(string_of_8, fxt_write_string(w, IN(string, .index = 0x7fff, .value = bytes_of("8 bytes!"))),
       0x000000087fff0022, 0x2173657479622038)
VECTOR(string_of_9,
       fxt_write_string(w, IN(string, .index = 0x7fff, .value = bytes_of("9 bytes!!"))),
       0x000000097fff0032, 0x2173657479622039, 0x21)
VECTOR(empty_string, fxt_write_string(w, IN(string, .index = 2)), 0x0000000000020012)

VECTOR(thread,
       fxt_write_thread(w, IN(thread, .index = 0xff, .process = 0xffffffffffffffff, .thread = 9)),
       0x0000000000ff0033, 0xffffffffffffffff, 9)

#define EVENT(kind, number, ...)                                                                   \
    IN(event, .event_type = FXT_EVENT_##kind, .timestamp = 0x1234, .thread = fxt_thread_index(1),  \
       .category = index_of(2), .name = index_of(3), .value = number, __VA_ARGS__)
#define PLAIN(kind, number) EVENT(kind, number, .has_scope = 0)

VECTOR(instant, fxt_write_event(w, PLAIN(INSTANT, 0), NO_ARGS), 0x0003000201000024, 0x1234)
VECTOR(instant_ignores_value, fxt_write_event(w, PLAIN(INSTANT, 77), NO_ARGS), 0x0003000201000024,
       0x1234)
VECTOR(instant_of_thread,
       fxt_write_event(w, EVENT(INSTANT, 0, .has_scope = 1, .scope = FXT_SCOPE_THREAD), NO_ARGS),
       0x0003000201000034, 0x1234, 0)
VECTOR(instant_of_process,
       fxt_write_event(w, EVENT(INSTANT, 9, .has_scope = 1, .scope = FXT_SCOPE_PROCESS), NO_ARGS),
       0x0003000201000034, 0x1234, 1)
VECTOR(instant_of_all,
       fxt_write_event(w, EVENT(INSTANT, 9, .has_scope = 1, .scope = FXT_SCOPE_GLOBAL), NO_ARGS),
       0x0003000201000034, 0x1234, 2)
VECTOR(counter, fxt_write_event(w, PLAIN(COUNTER, 5), ARGS(fxt_make_uint32(index_of(4), 9))),
       0x0003000201110044, 0x1234, 0x0000000900040012, 5)
VECTOR(duration_begin, fxt_write_event(w, PLAIN(DURATION_BEGIN, 5), NO_ARGS), 0x0003000201020024,
       0x1234)
VECTOR(duration_end, fxt_write_event(w, PLAIN(DURATION_END, 5), NO_ARGS), 0x0003000201030024,
       0x1234)
VECTOR(duration_complete, fxt_write_event(w, PLAIN(DURATION_COMPLETE, 0x5678), NO_ARGS),
       0x0003000201040034, 0x1234, 0x5678)
VECTOR(async_begin, fxt_write_event(w, PLAIN(ASYNC_BEGIN, 7), NO_ARGS), 0x0003000201050034, 0x1234,
       7)
VECTOR(async_instant, fxt_write_event(w, PLAIN(ASYNC_INSTANT, 7), NO_ARGS), 0x0003000201060034,
       0x1234, 7)
VECTOR(async_end, fxt_write_event(w, PLAIN(ASYNC_END, 7), NO_ARGS), 0x0003000201070034, 0x1234, 7)
VECTOR(flow_begin, fxt_write_event(w, PLAIN(FLOW_BEGIN, 7), NO_ARGS), 0x0003000201080034, 0x1234, 7)
VECTOR(flow_step, fxt_write_event(w, PLAIN(FLOW_STEP, 7), NO_ARGS), 0x0003000201090034, 0x1234, 7)
VECTOR(flow_end, fxt_write_event(w, PLAIN(FLOW_END, 7), NO_ARGS), 0x00030002010a0034, 0x1234, 7)

VECTOR(inline_event,
       fxt_write_event(w,
                       IN(event, .event_type = FXT_EVENT_DURATION_BEGIN, .timestamp = 1,
                          .thread = fxt_thread_inline(2, 3), .category = text("cat"),
                          .name = text("nine byte")),
                       NO_ARGS),
       0x8009800300020074, 1, 2, 3, CAT, 0x74796220656e696e, 0x65)

#define N index_of(0x7fff)
/* The thirteen arguments of the original's test, in two events. */
VECTOR(arguments_in_the_header,
       fxt_write_event(w, PLAIN(DURATION_BEGIN, 0),
                       ARGS(fxt_make_null(N), fxt_make_bool(N, true), fxt_make_int32(N, 0x12345678),
                            fxt_make_uint32(N, 0x567890ab), fxt_make_string(N, index_of(11)),
                            fxt_make_bool(N, false), fxt_make_int32(N, -1))),
       0x0003000201720094, 0x1234, 0x000000007fff0010, 0x000000017fff0019, 0x123456787fff0011,
       0x567890ab7fff0012, 0x0000000b7fff0016, 0x000000007fff0019, 0xffffffff7fff0011)
VECTOR(arguments_of_a_word,
       fxt_write_event(w, PLAIN(DURATION_BEGIN, 0),
                       ARGS(fxt_make_int64(N, -2), fxt_make_uint64(N, 0xff00ff00ff00ff00),
                            fxt_make_double(N, 1.5), fxt_make_pointer(N, 0xabc),
                            fxt_make_koid(N, 0x8000000000000001))),
       0x00030002015200c4, 0x1234, 0x000000007fff0023, 0xfffffffffffffffe, 0x000000007fff0024,
       0xff00ff00ff00ff00, 0x000000007fff0025, 0x3ff8000000000000, 0x000000007fff0027, 0xabc,
       0x000000007fff0028, 0x8000000000000001)
VECTOR(arguments_of_streams,
       fxt_write_event(w, PLAIN(DURATION_BEGIN, 0),
                       ARGS(fxt_make_string(N, text("abcdef")),
                            fxt_make_string(text("ABCDEF"), text("abcdef")),
                            fxt_make_blob(N, "12345", 5), fxt_make_blob(N, NULL, 0))),
       0x00030002014200a4, 0x1234, 0x000080067fff0026, 0x0000666564636261, 0x0000800680060036,
       0x0000464544434241, 0x0000666564636261, 0x000000057fff002a, 0x0000003534333231,
       0x000000007fff001a)
VECTOR(argument_with_inline_name,
       fxt_write_event(w, PLAIN(DURATION_BEGIN, 0), ARGS(fxt_make_koid(text("cat"), 5))),
       0x0003000201120054, 0x1234, 0x0000000080030038, CAT, 5)
#define EMPTY                                                                                      \
    {                                                                                              \
        NULL, 0x8000                                                                               \
    }
VECTOR(empty_inline_strings_become_ref_0,
       fxt_write_event(w,
                       IN(event, .event_type = FXT_EVENT_DURATION_BEGIN, .timestamp = 0x1234,
                          .thread = fxt_thread_index(1), .category = EMPTY,
                          .name = {(const uint8_t *)"x", 0x8000}),
                       ARGS({.type = FXT_ARG_STRING, .name = EMPTY, .text = EMPTY})),
       0x0000000001120034, 0x1234, 0x0000000000000016)

#define LONG "0123456789abcdefghijklmnopqrstuvwxyzA" /* 37 bytes */
#define LONG_WORDS                                                                                 \
    0x3736353433323130, 0x6665646362613938, 0x6e6d6c6b6a696867, 0x767574737271706f,                \
        0x000000417a797877

VECTOR(blob,
       fxt_write_blob(w, IN(blob, .name = index_of(0x7fff), .blob_type = FXT_BLOB_DATA,
                            .payload = bytes_of(LONG))),
       0x000100257fff0065, LONG_WORDS)
VECTOR(blob_with_inline_name, fxt_write_blob(w, IN(blob, .name = text("name"), .blob_type = 0xff)),
       0x00ff000080040025, NAME)

VECTOR(userspace_object,
       fxt_write_userspace_object(w,
                                  IN(userspace_object, .pointer = 0xdeadbeef,
                                     .process = fxt_thread_index(1), .name = index_of(0x7fff)),
                                  ARGS(fxt_make_null(index_of(5)))),
       0x0000017fff010036, 0xdeadbeef, 0x0000000000050010)
VECTOR(userspace_object_inline,
       fxt_write_userspace_object(w,
                                  IN(userspace_object, .pointer = 0xdeadbeef,
                                     .process = fxt_thread_inline(2, 0), .name = text("name")),
                                  NO_ARGS),
       0x0000008004000046, 0xdeadbeef, 2, NAME)

VECTOR(kernel_object,
       fxt_write_kernel_object(w,
                               IN(kernel_object, .koid = 0x8000000000000002, .object_type = 2,
                                  .name = index_of(6)),
                               ARGS(fxt_make_koid(index_of(5), 1))),
       0x0000010006020047, 0x8000000000000002, 0x0000000000050028, 1)
VECTOR(kernel_object_inline,
       fxt_write_kernel_object(
           w, IN(kernel_object, .koid = 5, .object_type = 0xff, .name = text("name")), NO_ARGS),
       0x0000008004ff0037, 5, NAME)

VECTOR(legacy_switch,
       fxt_write_legacy_switch(w, IN(legacy_switch, .cpu = 0xaa, .outgoing_state = 3,
                                     .outgoing = fxt_thread_index(0xbb),
                                     .incoming = fxt_thread_index(0xcc), .outgoing_priority = 0xdd,
                                     .incoming_priority = 0xee, .timestamp = 9)),
       0x0eeddccbb3aa0028, 9)
VECTOR(legacy_switch_inline,
       fxt_write_legacy_switch(w, IN(legacy_switch, .cpu = 1, .outgoing_state = 5,
                                     .outgoing = fxt_thread_inline(2, 3),
                                     .incoming = fxt_thread_inline(4, 5), .timestamp = 9)),
       0x0000000005010068, 9, 2, 3, 4, 5)
VECTOR(context_switch,
       fxt_write_context_switch(w,
                                IN(context_switch, .cpu = 0xabcd, .outgoing_state = 2,
                                   .timestamp = 123, .outgoing_thread = 5, .incoming_thread = 6),
                                ARGS(fxt_make_int32(index_of(7), 7),
                                     fxt_make_int32(index_of(8), 8))),
       0x1000002abcd20068, 123, 5, 6, 0x0000000700070011, 0x0000000800080011)
VECTOR(thread_wakeup,
       fxt_write_thread_wakeup(w,
                               IN(thread_wakeup, .cpu = 0xffff, .timestamp = 123,
                                  .waking_thread = 5),
                               ARGS(fxt_make_int32(index_of(7), 7))),
       0x2000000ffff10048, 123, 5, 0x0000000700070011)

VECTOR(log,
       fxt_write_log(w, IN(log, .timestamp = 123, .thread = fxt_thread_index(0xff),
                           .message = bytes_of("name"))),
       0x000000ff00040039, 123, NAME)
VECTOR(log_inline, fxt_write_log(w, IN(log, .timestamp = 123, .thread = fxt_thread_inline(4, 5))),
       0x0000000000000049, 123, 4, 5)

VECTOR(module,
       fxt_write_module(w, IN(module, .timestamp = 4, .thread = fxt_thread_inline(2, 3),
                              .module_id = 0xabcd, .name = bytes_of("name"),
                              .build_id = bytes_of("8 bytes!"))),
       0x00804abcd000006a, 4, 2, 3, NAME, 0x2173657479622038)
VECTOR(module_indexed,
       fxt_write_module(w, IN(module, .timestamp = 4, .thread = fxt_thread_index(0xee))),
       0x000000000ee0002a, 4)
VECTOR(mmap,
       fxt_write_mmap(w, IN(mmap, .timestamp = 4, .thread = fxt_thread_inline(2, 3),
                            .module_id = 0xabcd, .start_address = 0x1000, .address_range = 0x2000,
                            .vaddr = 0x3000, .flags = 7)),
       0x00007abcd001007a, 4, 2, 3, 0x1000, 0x2000, 0x3000)
VECTOR(backtrace,
       fxt_write_backtrace(w, IN(backtrace, .timestamp = 4, .thread = fxt_thread_index(1),
                                 .frames = bytes_of("8 bytes!8 bytes!"))),
       0x000000002012004a, 4, 0x2173657479622038, 0x2173657479622038)
VECTOR(backtrace_without_frames,
       fxt_write_backtrace(w, IN(backtrace, .timestamp = 4, .thread = fxt_thread_inline(2, 3))),
       0x000000000002004a, 4, 2, 3)

VECTOR(large_blob_with_metadata,
       fxt_write_large_blob(w,
                            IN(large_blob, .blob_format = FXT_LARGE_BLOB_METADATA,
                               .category = text("cat"), .name = text("name"), .timestamp = 9,
                               .thread = fxt_thread_inline(2, 3), .payload = bytes_of(LONG)),
                            ARGS(fxt_make_bool(index_of(5), true))),
       0x00000000000000ef, 0x0000000180048003, CAT, NAME, 9, 2, 3, 0x0000000100050019, 37,
       LONG_WORDS)
VECTOR(large_blob_indexed,
       fxt_write_large_blob(w,
                            IN(large_blob, .blob_format = FXT_LARGE_BLOB_METADATA,
                               .category = index_of(1), .name = index_of(0x7fff), .timestamp = 9,
                               .thread = fxt_thread_index(0xff)),
                            NO_ARGS),
       0x000000000000004f, 0x00000ff07fff0001, 9, 0)
VECTOR(large_blob_without_metadata,
       fxt_write_large_blob(w,
                            IN(large_blob, .blob_format = FXT_LARGE_BLOB_NO_METADATA,
                               .category = text("cat"), .name = index_of(2), .timestamp = 9,
                               .thread = fxt_thread_index(1), .payload = bytes_of("name")),
                            NO_ARGS),
       0x000001000000005f, 0x0000000000028003, CAT, 4, NAME)

VECTOR(raw, fxt_write_raw(w, (const uint8_t *)"8 bytes!8 bytes!", 16), 0x2173657479622038,
       0x2173657479622038)

#define ROW(name)                                                                                  \
    {                                                                                              \
#name, write_##name, words_##name, sizeof words_##name                                     \
    }
static const struct {
    const char *name;
    enum fxt_status (*write)(struct fxt_writer *w);
    const uint64_t *words;
    uint64_t size;
} vectors[] = {
    ROW(magic),
    ROW(provider_info),
    ROW(provider_info_without_name),
    ROW(provider_section),
    ROW(provider_event),
    ROW(initialization),
    ROW(string),
    ROW(string_of_8),
    ROW(string_of_9),
    ROW(empty_string),
    ROW(thread),
    ROW(instant),
    ROW(instant_ignores_value),
    ROW(instant_of_thread),
    ROW(instant_of_process),
    ROW(instant_of_all),
    ROW(counter),
    ROW(duration_begin),
    ROW(duration_end),
    ROW(duration_complete),
    ROW(async_begin),
    ROW(async_instant),
    ROW(async_end),
    ROW(flow_begin),
    ROW(flow_step),
    ROW(flow_end),
    ROW(inline_event),
    ROW(arguments_in_the_header),
    ROW(arguments_of_a_word),
    ROW(arguments_of_streams),
    ROW(argument_with_inline_name),
    ROW(empty_inline_strings_become_ref_0),
    ROW(blob),
    ROW(blob_with_inline_name),
    ROW(userspace_object),
    ROW(userspace_object_inline),
    ROW(kernel_object),
    ROW(kernel_object_inline),
    ROW(legacy_switch),
    ROW(legacy_switch_inline),
    ROW(context_switch),
    ROW(thread_wakeup),
    ROW(log),
    ROW(log_inline),
    ROW(module),
    ROW(module_indexed),
    ROW(mmap),
    ROW(backtrace),
    ROW(backtrace_without_frames),
    ROW(large_blob_with_metadata),
    ROW(large_blob_indexed),
    ROW(large_blob_without_metadata),
    ROW(raw),
};

#define ROOM 512

/* A writer on dirty memory that holds `before` bytes already. */
static struct fxt_writer writer_on(uint8_t *memory, uint64_t before, uint64_t capacity)
{
    struct fxt_writer writer;
    memset(memory, PATTERN, ROOM);
    fxt_writer_init(&writer, memory, capacity);
    writer.size = before;
    return writer;
}

Test(write, each_record_has_exactly_the_bytes_of_the_text)
{
    for (unsigned i = 0; i < LENGTH(vectors); i++) {
        uint8_t memory[ROOM];
        struct fxt_writer writer = writer_on(memory, 0, ROOM);
        cr_expect_eq(vectors[i].write(&writer), FXT_OK, "%s", vectors[i].name);
        cr_assert_eq(writer.size, vectors[i].size, "%s", vectors[i].name);
        for (uint64_t at = 0; at < vectors[i].size; at += 8) {
            uint64_t word;
            memcpy(&word, memory + at, 8);
            cr_expect_eq(le64toh(word), vectors[i].words[at / 8], "%s, word %lu: %016lx", vectors[i].name,
                         at / 8, word);
        }
        cr_expect(all_pattern(memory + writer.size, ROOM - writer.size), "%s", vectors[i].name);
    }
}

static void expect_all_or_nothing(unsigned i, uint64_t before, uint64_t capacity)
{
    uint8_t memory[ROOM];
    struct fxt_writer writer = writer_on(memory, before, capacity);
    enum fxt_status status = vectors[i].write(&writer);
    uint64_t end = before + vectors[i].size;

    cr_assert_eq(status, capacity < end ? FXT_FULL : FXT_OK, "%s in %lu", vectors[i].name,
                 capacity);
    cr_assert_eq(writer.size, capacity < end ? before : end);
    cr_assert_eq(writer.capacity, capacity);
    cr_assert_eq(writer.bytes, memory);
    cr_assert(all_pattern(memory, before));
    cr_assert(all_pattern(memory + writer.size, ROOM - writer.size), "%s", vectors[i].name);
    if (status == FXT_OK)
        cr_assert_arr_eq(memory + before, vectors[i].words, vectors[i].size);
}

Test(write, each_record_is_written_whole_or_not_at_all_in_any_capacity)
{
    for (unsigned i = 0; i < LENGTH(vectors); i++)
        for (uint64_t before = 0; before <= 16; before += 8)
            for (uint64_t capacity = before; capacity <= before + vectors[i].size + 9; capacity++)
                expect_all_or_nothing(i, before, capacity);
}

Test(write, records_follow_one_another_until_the_memory_is_full)
{
    uint8_t memory[ROOM];
    struct fxt_writer writer = writer_on(memory, 0, 44);
    for (unsigned i = 0; i < 5; i++)
        cr_assert_eq(fxt_write_magic(&writer), FXT_OK);
    cr_assert_eq(fxt_write_magic(&writer), FXT_FULL);
    cr_assert_eq(writer.size, 40);
    cr_expect(all_pattern(memory + 40, ROOM - 40));
}

Test(write, memory_of_no_bytes_is_full)
{
    struct fxt_writer writer;
    fxt_writer_init(&writer, NULL, 0);
    for (unsigned i = 0; i < LENGTH(vectors); i++)
        cr_expect_eq(vectors[i].write(&writer), FXT_FULL, "%s", vectors[i].name);
    cr_expect_eq(fxt_write_raw(&writer, NULL, 0), FXT_OK);
    cr_expect_eq(writer.size, 0);
}
