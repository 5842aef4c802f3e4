/* The longest records: exactly 4095 words are written, one byte more is refused. */
#include "src/write/fixture_test.h"

#define IN(type, ...)                                                                              \
    &(const struct fxt_##type)                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define LARGE_MAX UINT64_C(34359738360) /* bytes of 2^32 - 1 words */
#define ROOM 1000000
static uint8_t memory[ROOM];
static uint8_t content[ROOM];

static struct fxt_bytes content_of(uint64_t size)
{
    return (struct fxt_bytes){content, size};
}

static struct fxt_string_ref inline_of(uint64_t size)
{
    return fxt_string_inline(content, (uint16_t)size);
}

/* Each writes a record in which a stream of that size is the last thing. */
static enum fxt_status string(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_string(w, IN(string, .index = 1, .value = content_of(size)));
}

static enum fxt_status blob(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_blob(w, IN(blob, .payload = content_of(size)));
}

static enum fxt_status blob_name(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_blob(w, IN(blob, .name = inline_of(size)));
}

static enum fxt_status log_message(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_log(w, IN(log, .thread = fxt_thread_index(1), .message = content_of(size)));
}

static enum fxt_status log_message_inline(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_log(w, IN(log, .message = content_of(size)));
}

static enum fxt_status event_name(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_event(
        w, IN(event, .event_type = 2, .thread = fxt_thread_index(1), .name = inline_of(size)), NULL,
        0);
}

static enum fxt_status event_inline(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_event(w, IN(event, .event_type = 1, .category = inline_of(size)), NULL, 0);
}

static enum fxt_status object_name(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_kernel_object(w, IN(kernel_object, .name = inline_of(size)), NULL, 0);
}

static enum fxt_status pointer_name(struct fxt_writer *w, uint64_t size)
{
    return fxt_write_userspace_object(w, IN(userspace_object, .name = inline_of(size)), NULL, 0);
}

static enum fxt_status switch_args(struct fxt_writer *w, uint64_t size)
{
    struct fxt_arg args[] = {fxt_make_string(inline_of(1), inline_of(8)),
                             fxt_make_blob(inline_of(9), content, size)};
    return fxt_write_context_switch(w, IN(context_switch, .cpu = 1), args, 2);
}

static enum fxt_status wakeup_args(struct fxt_writer *w, uint64_t size)
{
    struct fxt_arg arg = fxt_make_string(index_of(1), inline_of(size));
    return fxt_write_thread_wakeup(w, IN(thread_wakeup, .cpu = 1), &arg, 1);
}

static const struct {
    const char *name;
    enum fxt_status (*write)(struct fxt_writer *w, uint64_t size);
    uint64_t others; /* words besides the stream */
} longest[] = {{"string", string, 1},
               {"blob", blob, 1},
               {"blob name", blob_name, 1},
               {"log", log_message, 2},
               {"log inline", log_message_inline, 4},
               {"event name", event_name, 2},
               {"event inline", event_inline, 5},
               {"kernel object", object_name, 2},
               {"userspace object", pointer_name, 3},
               {"context switch", switch_args, 4 + 3 + 3},
               {"thread wakeup", wakeup_args, 3 + 1}};

static struct fxt_writer new_writer(void)
{
    struct fxt_writer writer;
    memset(memory, PATTERN, ROOM);
    fxt_writer_init(&writer, memory, ROOM);
    return writer;
}

Test(limits, a_record_of_4095_words_is_written)
{
    for (unsigned i = 0; i < LENGTH(longest); i++)
        for (uint64_t less = 0; less < 8; less++) {
            struct fxt_writer writer = new_writer();
            uint64_t size = 8 * (4095 - longest[i].others) - less;
            cr_expect_eq(longest[i].write(&writer, size), FXT_OK, "%s", longest[i].name);
            cr_assert_eq(writer.size, FXT_RECORD_BYTES_MAX, "%s", longest[i].name);
            cr_expect_eq(memory[0] / 16 + 16 * memory[1], 4095);
            for (uint64_t padding = 0; padding < less; padding++)
                cr_expect_eq(memory[FXT_RECORD_BYTES_MAX - 1 - padding], 0);
        }
}

Test(limits, a_record_of_4096_words_is_not)
{
    for (unsigned i = 0; i < LENGTH(longest); i++)
        for (uint64_t more = 1; more <= 9; more++) {
            struct fxt_writer writer = new_writer();
            uint64_t size = 8 * (4095 - longest[i].others) + more;
            cr_expect_eq(longest[i].write(&writer, size), FXT_INVALID, "%s", longest[i].name);
            cr_expect_eq(writer.size, 0);
            cr_expect(all_pattern(memory, ROOM), "%s", longest[i].name);
        }
}

Test(limits, two_long_strings_do_not_fit_into_one_event)
{
    struct fxt_writer writer = new_writer();
    cr_expect_eq(fxt_write_event(&writer,
                                 IN(event, .event_type = 2, .category = inline_of(32767),
                                    .name = inline_of(32767)),
                                 NULL, 0),
                 FXT_INVALID);
}

static void fill_args(struct fxt_arg *args, uint64_t size)
{
    for (unsigned i = 0; i < 15; i++)
        args[i] = fxt_make_blob(index_of(1), content, size);
}

Test(limits, a_large_blob_has_15_arguments_of_4095_words)
{
    struct fxt_writer writer = new_writer();
    struct fxt_arg args[15];
    fill_args(args, 32752);
    cr_assert_eq(fxt_write_large_blob(&writer,
                                      IN(large_blob, .category = inline_of(32767),
                                         .name = inline_of(32767), .payload = content_of(1)),
                                      args, 15),
                 FXT_OK);
    cr_expect_eq(writer.size, 8 * (1 + 1 + 2 * 4096 + 1 + 2 + 15 * 4095 + 1 + 1));
}

Test(limits, a_large_blob_has_no_argument_of_4096_words)
{
    for (unsigned i = 0; i < 15; i++) {
        struct fxt_writer writer = new_writer();
        struct fxt_arg args[15];
        fill_args(args, 8);
        args[i] = fxt_make_blob(index_of(1), content, 32753);
        cr_expect_eq(fxt_write_large_blob(&writer, IN(large_blob, .timestamp = 1), args, 15),
                     FXT_INVALID);
        args[i] = fxt_make_string(inline_of(32744), inline_of(9));
        cr_expect_eq(fxt_write_large_blob(&writer, IN(large_blob, .timestamp = 1), args, 15),
                     FXT_INVALID);
        cr_expect(all_pattern(memory, ROOM));
    }
}

/* The payload is never looked at: there is no room, or there can be none. */
static enum fxt_status write_payload(uint8_t format, uint64_t size)
{
    struct fxt_writer writer = new_writer();
    enum fxt_status status =
        fxt_write_large_blob(&writer,
                             IN(large_blob, .blob_format = format, .thread = fxt_thread_index(1),
                                .payload = content_of(size)),
                             NULL, 0);
    cr_expect_eq(writer.size, 0);
    return status;
}

Test(limits, a_large_blob_has_at_most_32_bits_of_words)
{
    cr_expect_eq(write_payload(1, LARGE_MAX - 24), FXT_FULL);
    cr_expect_eq(write_payload(1, LARGE_MAX - 23), FXT_INVALID);
    cr_expect_eq(write_payload(0, LARGE_MAX - 32), FXT_FULL);
    cr_expect_eq(write_payload(0, LARGE_MAX - 31), FXT_INVALID);
    for (uint8_t format = 0; format <= 1; format++) {
        cr_expect_eq(write_payload(format, LARGE_MAX), FXT_INVALID);
        cr_expect_eq(write_payload(format, LARGE_MAX + 1), FXT_INVALID);
        cr_expect_eq(write_payload(format, UINT64_C(1) << 63), FXT_INVALID);
        cr_expect_eq(write_payload(format, UINT64_MAX - 7), FXT_INVALID);
        cr_expect_eq(write_payload(format, UINT64_MAX), FXT_INVALID);
    }
}

Test(limits, a_large_blob_that_fits_is_written_whole)
{
    struct fxt_writer writer = new_writer();
    for (uint64_t i = 0; i < ROOM; i++)
        content[i] = (uint8_t)(i * 7 + 1);
    cr_assert_eq(
        fxt_write_large_blob(
            &writer, IN(large_blob, .blob_format = 1, .payload = content_of(70001)), NULL, 0),
        FXT_OK);
    cr_assert_eq(writer.size, 24 + 70008);
    cr_expect_arr_eq(memory + 24, content, 70001);
    for (unsigned i = 24 + 70001; i < 24 + 70008; i++)
        cr_expect_eq(memory[i], 0);
    cr_expect(all_pattern(memory + writer.size, ROOM - writer.size));
}

Test(limits, raw_bytes_larger_than_the_memory_do_not_fit)
{
    struct fxt_writer writer = new_writer();
    cr_expect_eq(fxt_write_raw(&writer, content, ROOM + 8), FXT_FULL);
    cr_expect_eq(fxt_write_raw(&writer, content, UINT64_MAX - 7), FXT_FULL);
    cr_expect_eq(fxt_write_raw(&writer, content, UINT64_C(1) << 63), FXT_FULL);
    cr_expect_eq(writer.size, 0);
    cr_expect(all_pattern(memory, ROOM));
    cr_expect_eq(fxt_write_raw(&writer, content, ROOM), FXT_OK);
    cr_expect_eq(writer.size, ROOM);
    cr_expect_eq(fxt_write_raw(&writer, content, 8), FXT_FULL);
}
