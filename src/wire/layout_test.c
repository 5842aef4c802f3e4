/* The list of bit fields against the functions that are generated from it. The table says where a
   field lies; here shifts and masks say what follows from that, and the functions must agree. */
#include "src/wire/layout.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct field {
    const char *word;
    const char *name;
    unsigned lo;
    unsigned width;
    int64_t constant; /* -1: none */
};

static const struct field fields[] = {
#include "src/wire/layout_table.inc"
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

/* F(word, field) for each row of the table, in its order. */
#define FIELDS(F)                                                                                  \
    F(record_header, type)                                                                         \
    F(record_header, size)                                                                         \
    F(metadata_header, type)                                                                       \
    F(metadata_header, size)                                                                       \
    F(metadata_header, metadata_type)                                                              \
    F(provider_info_header, type)                                                                  \
    F(provider_info_header, size)                                                                  \
    F(provider_info_header, metadata_type)                                                         \
    F(provider_info_header, provider_id)                                                           \
    F(provider_info_header, name_length)                                                           \
    F(provider_section_header, type)                                                               \
    F(provider_section_header, size)                                                               \
    F(provider_section_header, metadata_type)                                                      \
    F(provider_section_header, provider_id)                                                        \
    F(provider_event_header, type)                                                                 \
    F(provider_event_header, size)                                                                 \
    F(provider_event_header, metadata_type)                                                        \
    F(provider_event_header, provider_id)                                                          \
    F(provider_event_header, event_id)                                                             \
    F(trace_info_header, type)                                                                     \
    F(trace_info_header, size)                                                                     \
    F(trace_info_header, metadata_type)                                                            \
    F(trace_info_header, trace_info_type)                                                          \
    F(trace_info_header, data)                                                                     \
    F(magic_header, type)                                                                          \
    F(magic_header, size)                                                                          \
    F(magic_header, metadata_type)                                                                 \
    F(magic_header, trace_info_type)                                                               \
    F(magic_header, magic)                                                                         \
    F(initialization_header, type)                                                                 \
    F(initialization_header, size)                                                                 \
    F(string_header, type)                                                                         \
    F(string_header, size)                                                                         \
    F(string_header, index)                                                                        \
    F(string_header, length)                                                                       \
    F(thread_header, type)                                                                         \
    F(thread_header, size)                                                                         \
    F(thread_header, index)                                                                        \
    F(event_header, type)                                                                          \
    F(event_header, size)                                                                          \
    F(event_header, event_type)                                                                    \
    F(event_header, arg_count)                                                                     \
    F(event_header, thread)                                                                        \
    F(event_header, category)                                                                      \
    F(event_header, name)                                                                          \
    F(blob_header, type)                                                                           \
    F(blob_header, size)                                                                           \
    F(blob_header, name)                                                                           \
    F(blob_header, payload_size)                                                                   \
    F(blob_header, blob_type)                                                                      \
    F(userspace_object_header, type)                                                               \
    F(userspace_object_header, size)                                                               \
    F(userspace_object_header, process)                                                            \
    F(userspace_object_header, name)                                                               \
    F(userspace_object_header, arg_count)                                                          \
    F(kernel_object_header, type)                                                                  \
    F(kernel_object_header, size)                                                                  \
    F(kernel_object_header, object_type)                                                           \
    F(kernel_object_header, name)                                                                  \
    F(kernel_object_header, arg_count)                                                             \
    F(scheduling_header, type)                                                                     \
    F(scheduling_header, size)                                                                     \
    F(scheduling_header, scheduling_type)                                                          \
    F(legacy_switch_header, type)                                                                  \
    F(legacy_switch_header, size)                                                                  \
    F(legacy_switch_header, cpu)                                                                   \
    F(legacy_switch_header, outgoing_state)                                                        \
    F(legacy_switch_header, outgoing_thread)                                                       \
    F(legacy_switch_header, incoming_thread)                                                       \
    F(legacy_switch_header, outgoing_priority)                                                     \
    F(legacy_switch_header, incoming_priority)                                                     \
    F(legacy_switch_header, scheduling_type)                                                       \
    F(context_switch_header, type)                                                                 \
    F(context_switch_header, size)                                                                 \
    F(context_switch_header, arg_count)                                                            \
    F(context_switch_header, cpu)                                                                  \
    F(context_switch_header, outgoing_state)                                                       \
    F(context_switch_header, scheduling_type)                                                      \
    F(thread_wakeup_header, type)                                                                  \
    F(thread_wakeup_header, size)                                                                  \
    F(thread_wakeup_header, arg_count)                                                             \
    F(thread_wakeup_header, cpu)                                                                   \
    F(thread_wakeup_header, scheduling_type)                                                       \
    F(log_header, type)                                                                            \
    F(log_header, size)                                                                            \
    F(log_header, length)                                                                          \
    F(log_header, thread)                                                                          \
    F(profiler_header, type)                                                                       \
    F(profiler_header, size)                                                                       \
    F(profiler_header, profiler_type)                                                              \
    F(profiler_header, thread)                                                                     \
    F(module_header, type)                                                                         \
    F(module_header, size)                                                                         \
    F(module_header, profiler_type)                                                                \
    F(module_header, thread)                                                                       \
    F(module_header, module_id)                                                                    \
    F(module_header, name_length)                                                                  \
    F(module_header, build_id_length)                                                              \
    F(mmap_header, type)                                                                           \
    F(mmap_header, size)                                                                           \
    F(mmap_header, profiler_type)                                                                  \
    F(mmap_header, thread)                                                                         \
    F(mmap_header, module_id)                                                                      \
    F(mmap_header, flags)                                                                          \
    F(backtrace_header, type)                                                                      \
    F(backtrace_header, size)                                                                      \
    F(backtrace_header, profiler_type)                                                             \
    F(backtrace_header, thread)                                                                    \
    F(backtrace_header, frame_count)                                                               \
    F(large_header, type)                                                                          \
    F(large_header, size)                                                                          \
    F(large_header, large_type)                                                                    \
    F(large_blob_header, type)                                                                     \
    F(large_blob_header, size)                                                                     \
    F(large_blob_header, large_type)                                                               \
    F(large_blob_header, blob_format)                                                              \
    F(large_blob_metadata, category)                                                               \
    F(large_blob_metadata, name)                                                                   \
    F(large_blob_metadata, arg_count)                                                              \
    F(large_blob_metadata, thread)                                                                 \
    F(large_blob_no_metadata, category)                                                            \
    F(large_blob_no_metadata, name)                                                                \
    F(arg_header, type)                                                                            \
    F(arg_header, size)                                                                            \
    F(arg_header, name)                                                                            \
    F(arg_header, data)                                                                            \
    F(arg_plain_header, type)                                                                      \
    F(arg_plain_header, size)                                                                      \
    F(arg_plain_header, name)                                                                      \
    F(arg_string_header, type)                                                                     \
    F(arg_string_header, size)                                                                     \
    F(arg_string_header, name)                                                                     \
    F(arg_string_header, value)                                                                    \
    F(arg_bool_header, type)                                                                       \
    F(arg_bool_header, size)                                                                       \
    F(arg_bool_header, name)                                                                       \
    F(arg_bool_header, value)                                                                      \
    F(arg_blob_header, type)                                                                       \
    F(arg_blob_header, size)                                                                       \
    F(arg_blob_header, name)                                                                       \
    F(arg_blob_header, payload_size)

/* W(name, word, WORD) for each word. */
#define WORDS(W)                                                                                   \
    W("record.header", record_header, RECORD_HEADER)                                               \
    W("metadata.header", metadata_header, METADATA_HEADER)                                         \
    W("provider_info.header", provider_info_header, PROVIDER_INFO_HEADER)                          \
    W("provider_section.header", provider_section_header, PROVIDER_SECTION_HEADER)                 \
    W("provider_event.header", provider_event_header, PROVIDER_EVENT_HEADER)                       \
    W("trace_info.header", trace_info_header, TRACE_INFO_HEADER)                                   \
    W("magic.header", magic_header, MAGIC_HEADER)                                                  \
    W("initialization.header", initialization_header, INITIALIZATION_HEADER)                       \
    W("string.header", string_header, STRING_HEADER)                                               \
    W("thread.header", thread_header, THREAD_HEADER)                                               \
    W("event.header", event_header, EVENT_HEADER)                                                  \
    W("blob.header", blob_header, BLOB_HEADER)                                                     \
    W("userspace_object.header", userspace_object_header, USERSPACE_OBJECT_HEADER)                 \
    W("kernel_object.header", kernel_object_header, KERNEL_OBJECT_HEADER)                          \
    W("scheduling.header", scheduling_header, SCHEDULING_HEADER)                                   \
    W("legacy_switch.header", legacy_switch_header, LEGACY_SWITCH_HEADER)                          \
    W("context_switch.header", context_switch_header, CONTEXT_SWITCH_HEADER)                       \
    W("thread_wakeup.header", thread_wakeup_header, THREAD_WAKEUP_HEADER)                          \
    W("log.header", log_header, LOG_HEADER)                                                        \
    W("profiler.header", profiler_header, PROFILER_HEADER)                                         \
    W("module.header", module_header, MODULE_HEADER)                                               \
    W("mmap.header", mmap_header, MMAP_HEADER)                                                     \
    W("backtrace.header", backtrace_header, BACKTRACE_HEADER)                                      \
    W("large.header", large_header, LARGE_HEADER)                                                  \
    W("large_blob.header", large_blob_header, LARGE_BLOB_HEADER)                                   \
    W("large_blob.metadata", large_blob_metadata, LARGE_BLOB_METADATA)                             \
    W("large_blob.no_metadata", large_blob_no_metadata, LARGE_BLOB_NO_METADATA)                    \
    W("arg.header", arg_header, ARG_HEADER)                                                        \
    W("arg_plain.header", arg_plain_header, ARG_PLAIN_HEADER)                                      \
    W("arg_string.header", arg_string_header, ARG_STRING_HEADER)                                   \
    W("arg_bool.header", arg_bool_header, ARG_BOOL_HEADER)                                         \
    W("arg_blob.header", arg_blob_header, ARG_BLOB_HEADER)

#define EXTRACTOR(word, field)                                                                     \
    static uint64_t get_##word##_##field(uint64_t w)                                               \
    {                                                                                              \
        return fxt_##word##_##field(w);                                                            \
    }
FIELDS(EXTRACTOR)

#define EXTRACTOR_ROW(word, field) {#word "_" #field, get_##word##_##field},
static const struct {
    const char *name;
    uint64_t (*get)(uint64_t w);
} extractors[] = {FIELDS(EXTRACTOR_ROW)};

/* The packers take the fields that are not constant, in the order of the table. */

static uint64_t pack_record_header(const uint64_t *v)
{
    return fxt_pack_record_header(v[0], v[1]);
}

static uint64_t pack_metadata_header(const uint64_t *v)
{
    return fxt_pack_metadata_header(v[0], v[1]);
}

static uint64_t pack_provider_info_header(const uint64_t *v)
{
    return fxt_pack_provider_info_header(v[0], v[1], v[2]);
}

static uint64_t pack_provider_section_header(const uint64_t *v)
{
    return fxt_pack_provider_section_header(v[0], v[1]);
}

static uint64_t pack_provider_event_header(const uint64_t *v)
{
    return fxt_pack_provider_event_header(v[0], v[1], v[2]);
}

static uint64_t pack_trace_info_header(const uint64_t *v)
{
    return fxt_pack_trace_info_header(v[0], v[1], v[2]);
}

static uint64_t pack_magic_header(const uint64_t *v)
{
    (void)v;
    return fxt_pack_magic_header();
}

static uint64_t pack_initialization_header(const uint64_t *v)
{
    return fxt_pack_initialization_header(v[0]);
}

static uint64_t pack_string_header(const uint64_t *v)
{
    return fxt_pack_string_header(v[0], v[1], v[2]);
}

static uint64_t pack_thread_header(const uint64_t *v)
{
    return fxt_pack_thread_header(v[0], v[1]);
}

static uint64_t pack_event_header(const uint64_t *v)
{
    return fxt_pack_event_header(v[0], v[1], v[2], v[3], v[4], v[5]);
}

static uint64_t pack_blob_header(const uint64_t *v)
{
    return fxt_pack_blob_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_userspace_object_header(const uint64_t *v)
{
    return fxt_pack_userspace_object_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_kernel_object_header(const uint64_t *v)
{
    return fxt_pack_kernel_object_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_scheduling_header(const uint64_t *v)
{
    return fxt_pack_scheduling_header(v[0], v[1]);
}

static uint64_t pack_legacy_switch_header(const uint64_t *v)
{
    return fxt_pack_legacy_switch_header(v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
}

static uint64_t pack_context_switch_header(const uint64_t *v)
{
    return fxt_pack_context_switch_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_thread_wakeup_header(const uint64_t *v)
{
    return fxt_pack_thread_wakeup_header(v[0], v[1], v[2]);
}

static uint64_t pack_log_header(const uint64_t *v)
{
    return fxt_pack_log_header(v[0], v[1], v[2]);
}

static uint64_t pack_profiler_header(const uint64_t *v)
{
    return fxt_pack_profiler_header(v[0], v[1], v[2]);
}

static uint64_t pack_module_header(const uint64_t *v)
{
    return fxt_pack_module_header(v[0], v[1], v[2], v[3], v[4]);
}

static uint64_t pack_mmap_header(const uint64_t *v)
{
    return fxt_pack_mmap_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_backtrace_header(const uint64_t *v)
{
    return fxt_pack_backtrace_header(v[0], v[1], v[2]);
}

static uint64_t pack_large_header(const uint64_t *v)
{
    return fxt_pack_large_header(v[0], v[1]);
}

static uint64_t pack_large_blob_header(const uint64_t *v)
{
    return fxt_pack_large_blob_header(v[0], v[1]);
}

static uint64_t pack_large_blob_metadata(const uint64_t *v)
{
    return fxt_pack_large_blob_metadata(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_large_blob_no_metadata(const uint64_t *v)
{
    return fxt_pack_large_blob_no_metadata(v[0], v[1]);
}

static uint64_t pack_arg_header(const uint64_t *v)
{
    return fxt_pack_arg_header(v[0], v[1], v[2], v[3]);
}

static uint64_t pack_arg_plain_header(const uint64_t *v)
{
    return fxt_pack_arg_plain_header(v[0], v[1], v[2]);
}

static uint64_t pack_arg_string_header(const uint64_t *v)
{
    return fxt_pack_arg_string_header(v[0], v[1], v[2]);
}

static uint64_t pack_arg_bool_header(const uint64_t *v)
{
    return fxt_pack_arg_bool_header(v[0], v[1], v[2]);
}

static uint64_t pack_arg_blob_header(const uint64_t *v)
{
    return fxt_pack_arg_blob_header(v[0], v[1], v[2]);
}

#define WORD_ROW(name, word, MACRO)                                                                \
    {name, pack_##word, FXT_##MACRO##_RESERVED, fxt_##word##_reserved},
static const struct {
    const char *name;
    uint64_t (*pack)(const uint64_t *values);
    uint64_t reserved;
    uint64_t (*get_reserved)(uint64_t w);
} words[] = {WORDS(WORD_ROW)};
enum { WORD_COUNT = sizeof words / sizeof words[0] };

static uint64_t mask_of(unsigned width)
{
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* The name of an extractor: word_field, the dots of the word being underscores. */
static void name_of(const struct field *field, char *name, size_t size)
{
    snprintf(name, size, "%s_%s", field->word, field->name);
    for (char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot, '.'))
        *dot = '_';
}

static void expect_field(const struct field *field, uint64_t (*get)(uint64_t), uint64_t w)
{
    cr_expect_eq(get(w), w >> field->lo & mask_of(field->width), "%s.%s of %016lx", field->word,
                 field->name, w);
}

Test(layout, the_list_of_this_test_is_the_list_of_the_table)
{
    cr_assert_eq(sizeof extractors / sizeof extractors[0], FIELD_COUNT);
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        char name[80];
        name_of(&fields[i], name, sizeof name);
        cr_assert_str_eq(name, extractors[i].name);
    }
}

Test(layout, a_field_is_the_bits_that_shifting_and_masking_give)
{
    uint64_t state = 3;
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            expect_field(&fields[i], extractors[i].get, UINT64_C(1) << bit);
            expect_field(&fields[i], extractors[i].get, ~(UINT64_C(1) << bit));
        }
        for (unsigned n = 0; n < 100; n++)
            expect_field(&fields[i], extractors[i].get, next_random(&state));
    }
}

/* The bits of all fields of the word; fails when two fields share one. */
static uint64_t bits_of(const char *word)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        if (strcmp(fields[i].word, word) != 0)
            continue;
        cr_assert_leq(fields[i].lo + fields[i].width, 64);
        uint64_t mask = mask_of(fields[i].width) << fields[i].lo;
        cr_expect_eq(bits & mask, 0, "%s.%s overlaps", word, fields[i].name);
        bits |= mask;
    }
    return bits;
}

Test(layout, fields_do_not_overlap_and_reserved_is_all_the_rest)
{
    for (unsigned i = 0; i < WORD_COUNT; i++)
        cr_expect_eq(words[i].reserved, ~bits_of(words[i].name), "%s", words[i].name);
}

Test(layout, the_reserved_bits_of_a_word_are_what_the_mask_leaves)
{
    uint64_t state = 4;
    for (unsigned i = 0; i < WORD_COUNT; i++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            uint64_t w = UINT64_C(1) << bit;
            cr_expect_eq(words[i].get_reserved(w), w & words[i].reserved, "%s", words[i].name);
        }
        for (unsigned n = 0; n < 100; n++) {
            uint64_t w = next_random(&state);
            cr_expect_eq(words[i].get_reserved(w), w & words[i].reserved, "%s", words[i].name);
        }
    }
}

/* What the packer must give when parameter `which` has that value and all others are 0. */
static uint64_t packed(const char *word, unsigned which, uint64_t value)
{
    uint64_t w = 0;
    unsigned parameter = 0;
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        if (strcmp(fields[i].word, word) != 0)
            continue;
        if (fields[i].constant >= 0)
            w |= (uint64_t)fields[i].constant << fields[i].lo;
        else if (parameter++ == which)
            w |= value << fields[i].lo;
    }
    return w;
}

/* The width of a parameter of the packer, or 0 when it has no such parameter. */
static unsigned width_of(const char *word, unsigned which)
{
    unsigned parameter = 0;
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        if (strcmp(fields[i].word, word) == 0 && fields[i].constant < 0 && parameter++ == which)
            return fields[i].width;
    return 0;
}

static void expect_packed(unsigned word, unsigned which, uint64_t value)
{
    uint64_t values[8] = {0};
    values[which] = value;
    cr_expect_eq(words[word].pack(values), packed(words[word].name, which, value), "%s, %u",
                 words[word].name, which);
}

Test(layout, a_packer_puts_each_field_in_its_place_beside_the_constants)
{
    for (unsigned i = 0; i < WORD_COUNT; i++) {
        unsigned which = 0;
        unsigned width;
        expect_packed(i, 7, 0);
        for (; (width = width_of(words[i].name, which)) != 0; which++) {
            cr_assert_lt(which, 7);
            expect_packed(i, which, mask_of(width));
            for (unsigned bit = 0; bit < width; bit++)
                expect_packed(i, which, UINT64_C(1) << bit);
        }
    }
}

Test(layout, a_packer_with_all_fields_at_their_maximum_sets_all_bits_that_are_not_reserved)
{
    for (unsigned i = 0; i < WORD_COUNT; i++) {
        uint64_t values[8] = {0};
        uint64_t expected = 0;
        for (unsigned which = 0; width_of(words[i].name, which) != 0; which++) {
            values[which] = mask_of(width_of(words[i].name, which));
            expected |= packed(words[i].name, which, values[which]);
        }
        expected |= packed(words[i].name, 8, 0);
        cr_expect_eq(words[i].pack(values), expected, "%s", words[i].name);
        cr_expect_eq(words[i].pack(values) & words[i].reserved, 0);
    }
}

static uint64_t packed_constant(const char *word, const char *name)
{
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        if (strcmp(fields[i].word, word) == 0 && strcmp(fields[i].name, name) == 0)
            return (uint64_t)fields[i].constant;
    cr_assert_fail("%s.%s is not in the table", word, name);
    return UINT64_MAX;
}

Test(layout, constants_have_the_values_of_the_table)
{
    cr_expect_eq(FXT_METADATA_HEADER_TYPE, packed_constant("metadata.header", "type"));
    cr_expect_eq(FXT_PROVIDER_INFO_HEADER_TYPE, packed_constant("provider_info.header", "type"));
    cr_expect_eq(FXT_PROVIDER_INFO_HEADER_METADATA_TYPE,
                 packed_constant("provider_info.header", "metadata_type"));
    cr_expect_eq(FXT_PROVIDER_SECTION_HEADER_TYPE,
                 packed_constant("provider_section.header", "type"));
    cr_expect_eq(FXT_PROVIDER_SECTION_HEADER_METADATA_TYPE,
                 packed_constant("provider_section.header", "metadata_type"));
    cr_expect_eq(FXT_PROVIDER_EVENT_HEADER_TYPE, packed_constant("provider_event.header", "type"));
    cr_expect_eq(FXT_PROVIDER_EVENT_HEADER_METADATA_TYPE,
                 packed_constant("provider_event.header", "metadata_type"));
    cr_expect_eq(FXT_TRACE_INFO_HEADER_TYPE, packed_constant("trace_info.header", "type"));
    cr_expect_eq(FXT_TRACE_INFO_HEADER_METADATA_TYPE,
                 packed_constant("trace_info.header", "metadata_type"));
    cr_expect_eq(FXT_MAGIC_HEADER_TYPE, packed_constant("magic.header", "type"));
    cr_expect_eq(FXT_MAGIC_HEADER_SIZE, packed_constant("magic.header", "size"));
    cr_expect_eq(FXT_MAGIC_HEADER_METADATA_TYPE, packed_constant("magic.header", "metadata_type"));
    cr_expect_eq(FXT_MAGIC_HEADER_TRACE_INFO_TYPE,
                 packed_constant("magic.header", "trace_info_type"));
    cr_expect_eq(FXT_MAGIC_HEADER_MAGIC, packed_constant("magic.header", "magic"));
    cr_expect_eq(FXT_INITIALIZATION_HEADER_TYPE, packed_constant("initialization.header", "type"));
    cr_expect_eq(FXT_STRING_HEADER_TYPE, packed_constant("string.header", "type"));
    cr_expect_eq(FXT_THREAD_HEADER_TYPE, packed_constant("thread.header", "type"));
    cr_expect_eq(FXT_EVENT_HEADER_TYPE, packed_constant("event.header", "type"));
    cr_expect_eq(FXT_BLOB_HEADER_TYPE, packed_constant("blob.header", "type"));
    cr_expect_eq(FXT_USERSPACE_OBJECT_HEADER_TYPE,
                 packed_constant("userspace_object.header", "type"));
    cr_expect_eq(FXT_KERNEL_OBJECT_HEADER_TYPE, packed_constant("kernel_object.header", "type"));
    cr_expect_eq(FXT_SCHEDULING_HEADER_TYPE, packed_constant("scheduling.header", "type"));
    cr_expect_eq(FXT_LEGACY_SWITCH_HEADER_TYPE, packed_constant("legacy_switch.header", "type"));
    cr_expect_eq(FXT_LEGACY_SWITCH_HEADER_SCHEDULING_TYPE,
                 packed_constant("legacy_switch.header", "scheduling_type"));
    cr_expect_eq(FXT_CONTEXT_SWITCH_HEADER_TYPE, packed_constant("context_switch.header", "type"));
    cr_expect_eq(FXT_CONTEXT_SWITCH_HEADER_SCHEDULING_TYPE,
                 packed_constant("context_switch.header", "scheduling_type"));
    cr_expect_eq(FXT_THREAD_WAKEUP_HEADER_TYPE, packed_constant("thread_wakeup.header", "type"));
    cr_expect_eq(FXT_THREAD_WAKEUP_HEADER_SCHEDULING_TYPE,
                 packed_constant("thread_wakeup.header", "scheduling_type"));
    cr_expect_eq(FXT_LOG_HEADER_TYPE, packed_constant("log.header", "type"));
    cr_expect_eq(FXT_PROFILER_HEADER_TYPE, packed_constant("profiler.header", "type"));
    cr_expect_eq(FXT_MODULE_HEADER_TYPE, packed_constant("module.header", "type"));
    cr_expect_eq(FXT_MODULE_HEADER_PROFILER_TYPE,
                 packed_constant("module.header", "profiler_type"));
    cr_expect_eq(FXT_MMAP_HEADER_TYPE, packed_constant("mmap.header", "type"));
    cr_expect_eq(FXT_MMAP_HEADER_PROFILER_TYPE, packed_constant("mmap.header", "profiler_type"));
    cr_expect_eq(FXT_BACKTRACE_HEADER_TYPE, packed_constant("backtrace.header", "type"));
    cr_expect_eq(FXT_BACKTRACE_HEADER_PROFILER_TYPE,
                 packed_constant("backtrace.header", "profiler_type"));
    cr_expect_eq(FXT_LARGE_HEADER_TYPE, packed_constant("large.header", "type"));
    cr_expect_eq(FXT_LARGE_BLOB_HEADER_TYPE, packed_constant("large_blob.header", "type"));
    cr_expect_eq(FXT_LARGE_BLOB_HEADER_LARGE_TYPE,
                 packed_constant("large_blob.header", "large_type"));
    cr_expect_eq(FXT_ARG_STRING_HEADER_TYPE, packed_constant("arg_string.header", "type"));
    cr_expect_eq(FXT_ARG_BOOL_HEADER_TYPE, packed_constant("arg_bool.header", "type"));
    cr_expect_eq(FXT_ARG_BLOB_HEADER_TYPE, packed_constant("arg_blob.header", "type"));
}

Test(layout, words_of_the_text_have_the_fields_that_the_text_says)
{
    cr_expect_eq(fxt_pack_magic_header(), UINT64_C(0x0016547846040010));
    cr_expect_eq(fxt_pack_event_header(2, 10, 15, 1, 2, 3), UINT64_C(0x0003000201fa0024));
    cr_expect_eq(fxt_pack_string_header(2, 1, 3), UINT64_C(0x0000000300010022));
    cr_expect_eq(fxt_pack_large_blob_header(UINT32_MAX, 1), UINT64_C(0x0000010fffffffff));
    cr_expect_eq(fxt_pack_context_switch_header(4, 0, 65535, 5), UINT64_C(0x1000005ffff00048));
    cr_expect_eq(fxt_pack_arg_blob_header(2, 0x7fff, 5), UINT64_C(0x000000057fff002a));
}
