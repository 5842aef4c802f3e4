/* What the writer must refuse, one thing at a time; with room and without, it is FXT_INVALID and
   nothing changes. */
#include "src/write/fixture_test.h"

#define ARGS(...)                                                                                  \
    (const struct fxt_arg[]){__VA_ARGS__},                                                         \
        sizeof((const struct fxt_arg[]){__VA_ARGS__}) / sizeof(struct fxt_arg)
#define NO_ARGS NULL, 0
#define IN(type, ...)                                                                              \
    &(const struct fxt_##type)                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define ROOM 65536
static uint8_t memory[ROOM];
static const uint8_t content[40000]; /* of streams that are too long */

static struct fxt_writer writer_with(uint64_t capacity)
{
    struct fxt_writer writer;
    memset(memory, PATTERN, ROOM);
    fxt_writer_init(&writer, memory, capacity);
    return writer;
}

#define EXPECT(status, call)                                                                       \
    do {                                                                                           \
        struct fxt_writer writer = writer_with(ROOM);                                              \
        struct fxt_writer *w = &writer;                                                            \
        cr_expect_eq(call, status, "%s", #call);                                                   \
        if (status != FXT_INVALID)                                                                 \
            break;                                                                                 \
        cr_expect_eq(writer.size, 0);                                                              \
        cr_expect(all_pattern(memory, ROOM), "%s", #call);                                         \
        writer = writer_with(0);                                                                   \
        cr_expect_eq(call, FXT_INVALID, "%s", #call);                                              \
    } while (0)
#define INVALID(call) EXPECT(FXT_INVALID, call)
#define VALID(call) EXPECT(FXT_OK, call)

static struct fxt_bytes content_of(uint64_t size)
{
    return (struct fxt_bytes){content, size};
}

static struct fxt_bytes missing(uint64_t size)
{
    return (struct fxt_bytes){NULL, size};
}

static struct fxt_string_ref missing_text(uint16_t ref)
{
    return (struct fxt_string_ref){NULL, ref};
}

Test(invalid, names_of_providers_above_255_bytes)
{
    VALID(fxt_write_provider_info(w, IN(provider_info, .name = content_of(255))));
    INVALID(fxt_write_provider_info(w, IN(provider_info, .name = content_of(256))));
    INVALID(fxt_write_provider_info(w, IN(provider_info, .name = content_of(UINT64_MAX))));
    INVALID(fxt_write_provider_info(w, IN(provider_info, .name = missing(1))));
}

Test(invalid, provider_events_above_15)
{
    VALID(fxt_write_provider_event(w, IN(provider_event, .event_id = 15)));
    INVALID(fxt_write_provider_event(w, IN(provider_event, .event_id = 16)));
    INVALID(fxt_write_provider_event(w, IN(provider_event, .event_id = 255)));
}

Test(invalid, registrations_that_mean_nothing)
{
    INVALID(fxt_write_initialization(w, IN(initialization, .ticks_per_second = 0)));
    INVALID(fxt_write_string(w, IN(string, .index = 0)));
    INVALID(fxt_write_string(w, IN(string, .index = 0, .value = content_of(1))));
    INVALID(fxt_write_string(w, IN(string, .index = 32768)));
    INVALID(fxt_write_string(w, IN(string, .index = 65535)));
    INVALID(fxt_write_thread(w, IN(thread, .index = 0)));
}

Test(invalid, strings_that_are_too_long_or_not_there)
{
    INVALID(fxt_write_string(w, IN(string, .index = 1, .value = content_of(32768))));
    INVALID(fxt_write_string(w, IN(string, .index = 1, .value = content_of(UINT64_MAX))));
    INVALID(fxt_write_string(w, IN(string, .index = 1, .value = missing(1))));
    VALID(fxt_write_string(w, IN(string, .index = 1, .value = missing(0))));
}

#define EVENT(...) IN(event, .event_type = 2, .thread = fxt_thread_index(1), __VA_ARGS__)

Test(invalid, events_of_unknown_type_or_scope)
{
    for (unsigned type = 0; type <= 10; type++)
        VALID(fxt_write_event(w, IN(event, .event_type = (uint8_t)type), NO_ARGS));
    for (unsigned type = 11; type <= 255; type++)
        INVALID(fxt_write_event(w, IN(event, .event_type = (uint8_t)type), NO_ARGS));
    VALID(fxt_write_event(w, IN(event, .has_scope = 1, .scope = 2), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .has_scope = 1, .scope = 3), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .has_scope = 1, .scope = 255), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .has_scope = 2, .scope = 0), NO_ARGS));
}

Test(invalid, inline_strings_without_bytes)
{
    INVALID(fxt_write_event(w, EVENT(.category = missing_text(0x8001)), NO_ARGS));
    INVALID(fxt_write_event(w, EVENT(.name = missing_text(0xffff)), NO_ARGS));
    INVALID(fxt_write_blob(w, IN(blob, .name = missing_text(0x8001))));
    INVALID(
        fxt_write_userspace_object(w, IN(userspace_object, .name = missing_text(0x8001)), NO_ARGS));
    INVALID(fxt_write_kernel_object(w, IN(kernel_object, .name = missing_text(0x8001)), NO_ARGS));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .category = missing_text(0x8001)), NO_ARGS));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .name = missing_text(0x8001)), NO_ARGS));
}

/* In every record that has arguments. */
static void expect_args_invalid(const struct fxt_arg *args, size_t count)
{
    INVALID(fxt_write_event(w, EVENT(.value = 0), args, count));
    INVALID(fxt_write_userspace_object(w, IN(userspace_object, .pointer = 1), args, count));
    INVALID(fxt_write_kernel_object(w, IN(kernel_object, .koid = 1), args, count));
    INVALID(fxt_write_context_switch(w, IN(context_switch, .cpu = 1), args, count));
    INVALID(fxt_write_thread_wakeup(w, IN(thread_wakeup, .cpu = 1), args, count));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .blob_format = 0), args, count));
}

static void expect_arg_invalid(struct fxt_arg arg)
{
    struct fxt_arg args[15];
    expect_args_invalid(&arg, 1);
    for (unsigned i = 0; i < 15; i++)
        args[i] = fxt_make_null(index_of(1));
    args[14] = arg;
    expect_args_invalid(args, 15);
}

Test(invalid, more_than_15_arguments_or_none_where_some_are_announced)
{
    struct fxt_arg args[17];
    for (unsigned i = 0; i < 17; i++)
        args[i] = fxt_make_null(index_of(1));
    VALID(fxt_write_event(w, EVENT(.value = 0), args, 15));
    expect_args_invalid(args, 16);
    expect_args_invalid(args, 17);
    expect_args_invalid(args, 256);
    expect_args_invalid(args, SIZE_MAX);
    expect_args_invalid(NULL, 1);
    expect_args_invalid(NULL, 15);
    VALID(fxt_write_event(w, EVENT(.value = 0), args, 0));
    VALID(fxt_write_event(w, EVENT(.value = 0), NULL, 0));
}

Test(invalid, arguments_of_unknown_type)
{
    for (unsigned type = 11; type <= 255; type++)
        expect_arg_invalid(fxt_make_arg((uint8_t)type, index_of(1), 0));
}

Test(invalid, argument_values_that_do_not_fit)
{
    expect_arg_invalid(fxt_make_arg(FXT_ARG_INT32, index_of(1), UINT64_C(4294967296)));
    expect_arg_invalid(fxt_make_arg(FXT_ARG_INT32, index_of(1), UINT64_MAX));
    expect_arg_invalid(fxt_make_arg(FXT_ARG_UINT32, index_of(1), UINT64_C(4294967296)));
    expect_arg_invalid(fxt_make_arg(FXT_ARG_BOOL, index_of(1), 2));
    expect_arg_invalid(fxt_make_arg(FXT_ARG_BOOL, index_of(1), UINT64_MAX));
    VALID(fxt_write_event(w, EVENT(.value = 0),
                          ARGS(fxt_make_arg(FXT_ARG_INT32, index_of(1), UINT32_MAX),
                               fxt_make_arg(FXT_ARG_UINT32, index_of(1), UINT32_MAX),
                               fxt_make_arg(FXT_ARG_BOOL, index_of(1), 1))));
}

Test(invalid, argument_streams_that_are_too_long_or_not_there)
{
    expect_arg_invalid(fxt_make_null(missing_text(0x8001)));
    expect_arg_invalid(fxt_make_string(index_of(1), missing_text(0x8001)));
    expect_arg_invalid(fxt_make_blob(index_of(1), NULL, 1));
    expect_arg_invalid(fxt_make_blob(index_of(1), content, 32753));
    expect_arg_invalid(fxt_make_blob(index_of(1), content, 32761));
    expect_arg_invalid(fxt_make_blob(index_of(1), content, UINT32_MAX));
    expect_arg_invalid(fxt_make_blob(index_of(1), content, UINT64_C(4294967296)));
    expect_arg_invalid(fxt_make_blob(index_of(1), content, UINT64_MAX));
    expect_arg_invalid(
        fxt_make_string(fxt_string_inline(content, 1), fxt_string_inline(content, 32752)));
}

Test(invalid, thread_states_that_are_not_defined)
{
    for (unsigned state = 0; state <= 255; state++) {
        enum fxt_status status = state <= 5 ? FXT_OK : FXT_INVALID;
        EXPECT(status,
               fxt_write_legacy_switch(w, IN(legacy_switch, .outgoing_state = (uint8_t)state)));
        EXPECT(status, fxt_write_context_switch(
                           w, IN(context_switch, .outgoing_state = (uint8_t)state), NO_ARGS));
    }
}

Test(invalid, blobs_and_messages_that_are_too_long_or_not_there)
{
    INVALID(fxt_write_blob(w, IN(blob, .payload = content_of(32768))));
    INVALID(fxt_write_blob(w, IN(blob, .payload = missing(1))));
    INVALID(fxt_write_log(w, IN(log, .message = content_of(32768))));
    INVALID(fxt_write_log(w, IN(log, .message = missing(1))));
    INVALID(fxt_write_log(w, IN(log, .message = content_of(UINT64_MAX))));
}

Test(invalid, profiler_records_with_fields_out_of_range)
{
    INVALID(fxt_write_module(w, IN(module, .name = content_of(256))));
    INVALID(fxt_write_module(w, IN(module, .name = missing(1))));
    INVALID(fxt_write_module(w, IN(module, .build_id = content_of(256))));
    INVALID(fxt_write_module(w, IN(module, .build_id = missing(1))));
    VALID(fxt_write_module(w, IN(module, .name = content_of(255), .build_id = content_of(255))));
    INVALID(fxt_write_mmap(w, IN(mmap, .flags = 8)));
    INVALID(fxt_write_mmap(w, IN(mmap, .flags = 255)));
    VALID(fxt_write_backtrace(w, IN(backtrace, .frames = content_of(8 * 255))));
    INVALID(fxt_write_backtrace(w, IN(backtrace, .frames = content_of(8 * 256))));
    INVALID(fxt_write_backtrace(w, IN(backtrace, .frames = content_of(8 * 255 + 1))));
    for (uint64_t size = 1; size < 8; size++)
        INVALID(fxt_write_backtrace(w, IN(backtrace, .frames = content_of(size))));
    INVALID(fxt_write_backtrace(w, IN(backtrace, .frames = missing(8))));
}

Test(invalid, large_blobs_of_unknown_format_or_with_what_their_format_has_not)
{
    for (unsigned format = 2; format <= 255; format++)
        INVALID(fxt_write_large_blob(w, IN(large_blob, .blob_format = (uint8_t)format), NO_ARGS));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .blob_format = 1),
                                 ARGS(fxt_make_null(index_of(1)))));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .blob_format = 1), NULL, 1));
    INVALID(
        fxt_write_large_blob(w, IN(large_blob, .blob_format = 1, .payload = missing(1)), NO_ARGS));
}

Test(invalid, raw_bytes_that_are_no_words_or_not_there)
{
    for (uint64_t size = 1; size < 8; size++)
        INVALID(fxt_write_raw(w, content, size));
    INVALID(fxt_write_raw(w, content, 17));
    INVALID(fxt_write_raw(w, NULL, 8));
    INVALID(fxt_write_raw(w, content, UINT64_MAX));
    VALID(fxt_write_raw(w, NULL, 0));
}

/* Fields of 8 bits come in members of 16. */
Test(invalid, numbers_that_do_not_fit_their_8_bits)
{
    const struct fxt_thread_ref wide = {0, 0, 256};
    const struct fxt_thread_ref last = {0, 0, 255};

    INVALID(fxt_write_thread(w, IN(thread, .index = 256)));
    INVALID(fxt_write_thread(w, IN(thread, .index = 257)));
    VALID(fxt_write_event(w, IN(event, .thread = last), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .thread = wide), NO_ARGS));
    INVALID(fxt_write_userspace_object(w, IN(userspace_object, .process = wide), NO_ARGS));
    INVALID(fxt_write_kernel_object(w, IN(kernel_object, .object_type = 256), NO_ARGS));
    INVALID(fxt_write_blob(w, IN(blob, .blob_type = 256)));
    VALID(fxt_write_legacy_switch(w, IN(legacy_switch, .outgoing = last, .cpu = 255)));
    INVALID(fxt_write_legacy_switch(w, IN(legacy_switch, .outgoing = wide)));
    INVALID(fxt_write_legacy_switch(w, IN(legacy_switch, .incoming = wide)));
    INVALID(fxt_write_legacy_switch(w, IN(legacy_switch, .cpu = 256)));
    INVALID(fxt_write_legacy_switch(w, IN(legacy_switch, .outgoing_priority = 256)));
    INVALID(fxt_write_legacy_switch(w, IN(legacy_switch, .incoming_priority = 256)));
    INVALID(fxt_write_log(w, IN(log, .thread = wide)));
    INVALID(fxt_write_module(w, IN(module, .thread = wide)));
    INVALID(fxt_write_mmap(w, IN(mmap, .thread = wide)));
    INVALID(fxt_write_backtrace(w, IN(backtrace, .thread = wide)));
    INVALID(fxt_write_large_blob(w, IN(large_blob, .thread = wide), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .event_type = 256), NO_ARGS));
    INVALID(fxt_write_event(w, IN(event, .value = 0), ARGS({.type = 256})));
}

Test(invalid, refs_that_cannot_be_encoded)
{
    const size_t lengths[] = {32768, 40000, 65535, 65536, 65539, SIZE_MAX};
    const uint32_t strings[] = {32768, 40000, 65535, 65536, 65537, UINT32_MAX};
    const uint32_t threads[] = {0, 256, 257, 300, 65536, 65537, UINT32_MAX};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct fxt_string_ref ref = fxt_string_inline(content, lengths[i]);
        INVALID(fxt_write_event(w, EVENT(.name = ref), NO_ARGS));
        expect_arg_invalid(fxt_make_string(index_of(1), ref));
    }
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const struct fxt_string_ref ref = fxt_string_index(strings[i]);
        INVALID(fxt_write_event(w, EVENT(.category = ref), NO_ARGS));
        expect_arg_invalid(fxt_make_null(ref));
    }
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        INVALID(fxt_write_event(w, IN(event, .thread = fxt_thread_index(threads[i])), NO_ARGS));
    VALID(fxt_write_event(w, EVENT(.name = fxt_string_inline(content, 32000)), NO_ARGS));
    VALID(fxt_write_event(w, EVENT(.name = fxt_string_index(32767)), NO_ARGS));
    VALID(fxt_write_event(w, IN(event, .thread = fxt_thread_index(255)), NO_ARGS));
}
