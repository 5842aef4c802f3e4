/* Each member that the writer refuses is named, and nothing is named that the writer accepts. */
#include <fxt/explain.h>

#include "src/write/fixture_test.h"

static uint8_t memory[65536];
static const uint8_t content[40000];

static const char *checked(const char *why, enum fxt_status status)
{
    cr_expect_eq(why != NULL, status == FXT_INVALID, "%s", why != NULL ? why : "accepted");
    return why != NULL ? why : "";
}

static struct fxt_writer fresh(void)
{
    struct fxt_writer writer;
    fxt_writer_init(&writer, memory, sizeof memory);
    return writer;
}

#define IN(type, ...) (&(const struct fxt_##type){__VA_ARGS__})
#define NAMES(field, type, ...)                                                                    \
    do {                                                                                           \
        struct fxt_writer w = fresh();                                                             \
        const struct fxt_##type *in = IN(type, __VA_ARGS__);                                       \
        cr_expect_str_eq(checked(fxt_explain_##type(in), fxt_write_##type(&w, in)), field);        \
    } while (0)
#define NAMES_WITH(field, type, args, count, ...)                                                  \
    do {                                                                                           \
        struct fxt_writer w = fresh();                                                             \
        const struct fxt_##type *in = IN(type, __VA_ARGS__);                                       \
        cr_expect_str_eq(                                                                          \
            checked(fxt_explain_##type(in, args, count), fxt_write_##type(&w, in, args, count)),   \
            field);                                                                                \
    } while (0)

#define WIDE fxt_thread_index(300)
#define LONG fxt_string_inline(content, 40000)
#define HALF fxt_string_inline(content, 20000)
#define BYTES(size) fxt_bytes_of(content, size)

Test(explain, members_of_records_without_arguments)
{
    NAMES("", provider_info, .name = BYTES(255));
    NAMES("name", provider_info, .name = BYTES(256));
    NAMES("event_id", provider_event, .event_id = 16);
    NAMES("", provider_event, .event_id = 15);
    NAMES("ticks_per_second", initialization, .ticks_per_second = 0);
    NAMES("", initialization, .ticks_per_second = 1);
    NAMES("index", string, .index = 0);
    NAMES("index", string, .index = 32768);
    NAMES("value", string, .index = 1, .value = BYTES(32768));
    NAMES("size", string, .index = 1, .value = BYTES(32753));
    NAMES("", string, .index = 1, .value = BYTES(32752));
    NAMES("index", thread, .index = 0);
    NAMES("index", thread, .index = 256);
    NAMES("", thread, .index = 255);
    NAMES("blob_type", blob, .blob_type = 256);
    NAMES("name", blob, .name = LONG);
    NAMES("payload", blob, .payload = {NULL, 1});
    NAMES("size", blob, .name = HALF, .payload = BYTES(20000));
    NAMES("", blob, .name = HALF);
    NAMES("thread", log, .thread = WIDE);
    NAMES("message", log, .message = BYTES(32768));
    NAMES("size", log, .message = BYTES(32729));
    NAMES("", log, .message = BYTES(32728));
}

Test(explain, members_of_switches_and_profiler_records)
{
    NAMES("cpu", legacy_switch, .cpu = 256);
    NAMES("outgoing_state", legacy_switch, .outgoing_state = 6);
    NAMES("outgoing_priority", legacy_switch, .outgoing_priority = 256);
    NAMES("incoming_priority", legacy_switch, .incoming_priority = 256);
    NAMES("outgoing", legacy_switch, .outgoing = WIDE);
    NAMES("incoming", legacy_switch, .incoming = WIDE);
    NAMES("", legacy_switch, .cpu = 255);
    NAMES("thread", module, .thread = WIDE);
    NAMES("name", module, .name = BYTES(256));
    NAMES("build_id", module, .build_id = BYTES(256));
    NAMES("", module, .name = BYTES(255), .build_id = BYTES(255));
    NAMES("flags", mmap, .flags = 8);
    NAMES("thread", mmap, .thread = WIDE);
    NAMES("", mmap, .flags = 7);
    NAMES("thread", backtrace, .thread = WIDE);
    NAMES("frames", backtrace, .frames = BYTES(7));
    NAMES("frames", backtrace, .frames = BYTES(2048));
    NAMES("", backtrace, .frames = BYTES(2040));
}

Test(explain, members_of_records_with_arguments)
{
    NAMES_WITH("event_type", event, NULL, 0, .event_type = 11);
    NAMES_WITH("has_scope", event, NULL, 0, .has_scope = 2);
    NAMES_WITH("scope", event, NULL, 0, .scope = 3);
    NAMES_WITH("thread", event, NULL, 0, .thread = WIDE);
    NAMES_WITH("category", event, NULL, 0, .category = LONG);
    NAMES_WITH("name", event, NULL, 0, .name = fxt_string_index(40000));
    NAMES_WITH("size", event, NULL, 0, .category = HALF, .name = HALF);
    NAMES_WITH("", event, NULL, 0, .category = HALF);
    NAMES_WITH("process", userspace_object, NULL, 0, .process = WIDE);
    NAMES_WITH("name", userspace_object, NULL, 0, .name = LONG);
    NAMES_WITH("", userspace_object, NULL, 0, .name = HALF);
    NAMES_WITH("", userspace_object, NULL, 0, .process = fxt_thread_index(1));
    NAMES_WITH("object_type", kernel_object, NULL, 0, .object_type = 256);
    NAMES_WITH("name", kernel_object, NULL, 0, .name = LONG);
    NAMES_WITH("", kernel_object, NULL, 0, .name = HALF);
    NAMES_WITH("outgoing_state", context_switch, NULL, 0, .outgoing_state = 6);
    NAMES_WITH("", context_switch, NULL, 0, .outgoing_state = 5);
    NAMES_WITH("", thread_wakeup, NULL, 0, .cpu = 5);
    NAMES_WITH("blob_format", large_blob, NULL, 0, .blob_format = 2);
    NAMES_WITH("thread", large_blob, NULL, 0, .thread = WIDE);
    NAMES_WITH("", large_blob, NULL, 0, .thread = WIDE, .blob_format = 1);
    NAMES_WITH("arg_count", large_blob, NULL, 1, .blob_format = 1);
    NAMES_WITH("category", large_blob, NULL, 0, .category = LONG);
    NAMES_WITH("name", large_blob, NULL, 0, .name = LONG);
    NAMES_WITH("payload", large_blob, NULL, 0, .payload = {NULL, 1});
    NAMES_WITH("size", large_blob, NULL, 0, .payload = {content, UINT64_C(34359738360)});
    NAMES_WITH("size", large_blob, NULL, 0, .payload = {content, UINT64_C(34359738360)},
               .blob_format = 1);
}

/* Those that have a word of their own may have one word less of anything else. */
Test(explain, sizes_of_events)
{
    static const struct {
        uint8_t type, has_scope;
        uint32_t fits;
    } events[] = {
        {FXT_EVENT_DURATION_BEGIN, 1, 12744},    {FXT_EVENT_INSTANT, 0, 12744},
        {FXT_EVENT_INSTANT, 1, 12736},           {FXT_EVENT_COUNTER, 0, 12736},
        {FXT_EVENT_DURATION_COMPLETE, 0, 12736},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        uint32_t fits = events[i].fits;
        NAMES_WITH("", event, NULL, 0, .event_type = events[i].type,
                   .has_scope = events[i].has_scope, .thread = fxt_thread_index(1),
                   .category = HALF, .name = fxt_string_inline(content, fits));
        NAMES_WITH("size", event, NULL, 0, .event_type = events[i].type,
                   .has_scope = events[i].has_scope, .thread = fxt_thread_index(1),
                   .category = HALF, .name = fxt_string_inline(content, fits + 8));
    }
}

static void names_in_each(const char *field, const struct fxt_arg *args, size_t count)
{
    NAMES_WITH(field, event, args, count, .event_type = 2);
    NAMES_WITH(field, userspace_object, args, count, .pointer = 1);
    NAMES_WITH(field, kernel_object, args, count, .koid = 1);
    NAMES_WITH(field, context_switch, args, count, .cpu = 1);
    NAMES_WITH(field, thread_wakeup, args, count, .cpu = 1);
}

Test(explain, arguments)
{
    struct fxt_arg args[16];
    for (unsigned i = 0; i < 16; i++)
        args[i] = fxt_make_null(fxt_string_index(1));
    names_in_each("", args, 15);
    names_in_each("arg_count", args, 16);
    names_in_each("arg_count", NULL, 16);
    names_in_each("args", NULL, 1);
    args[7] = fxt_make_blob(fxt_string_index(1), NULL, 1);
    names_in_each("args", args, 15);
    NAMES_WITH("args", large_blob, args, 15, .thread = fxt_thread_index(1));
    args[1] = args[0] = fxt_make_blob(fxt_string_index(1), content, 20000);
    names_in_each("size", args, 2);
    NAMES_WITH("", large_blob, args, 2, .thread = fxt_thread_index(1));
}

static void expect_arg(const char *field, struct fxt_arg arg)
{
    const char *why = fxt_explain_arg(&arg);
    cr_expect_str_eq(why != NULL ? why : "", field);
    names_in_each(why != NULL ? "args" : "", &arg, 1);
}

Test(explain, members_of_arguments)
{
    const struct fxt_string_ref name = fxt_string_index(1);
    expect_arg("", fxt_make_uint32(name, UINT32_MAX));
    expect_arg("", fxt_make_uint64(name, UINT64_MAX));
    expect_arg("", fxt_make_arg(FXT_ARG_BOOL, name, 1));
    expect_arg("type", fxt_make_arg(11, name, 0));
    expect_arg("name", fxt_make_null(LONG));
    expect_arg("value", fxt_make_arg(FXT_ARG_INT32, name, UINT64_MAX));
    expect_arg("value", fxt_make_arg(FXT_ARG_UINT32, name, UINT64_C(4294967296)));
    expect_arg("value", fxt_make_arg(FXT_ARG_BOOL, name, 2));
    expect_arg("text", fxt_make_string(name, LONG));
    expect_arg("blob", fxt_make_blob(name, content, 32761));
    expect_arg("blob", fxt_make_blob(name, NULL, 1));
    expect_arg("size", fxt_make_string(HALF, HALF));
}
