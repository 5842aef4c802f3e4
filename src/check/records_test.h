/* For the tests of reader and writer together: random records of every kind that can be written,
   and the copy of a record, decoded and written again. */
#ifndef FXT_CHECK_RECORDS_TEST_H
#define FXT_CHECK_RECORDS_TEST_H

#include <criterion/criterion.h>
#include <string.h>

#include <fxt/read.h>
#include <fxt/write.h>

#define PIECE 64 /* longest random stream */

struct random {
    uint64_t state;
};

static inline uint64_t any(struct random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state;
}

static inline uint64_t below(struct random *r, uint64_t limit)
{
    return any(r) % limit;
}

/* 0 .. most, the ends more often than chance has it. */
static inline uint64_t up_to(struct random *r, uint64_t most)
{
    switch (below(r, 4)) {
    case 0:
        return 0;
    case 1:
        return most;
    default:
        return most == UINT64_MAX ? any(r) : any(r) % (most + 1);
    }
}

static uint8_t noise[1024];

static inline void make_noise(void)
{
    struct random r = {99};
    for (unsigned i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)any(&r);
}

static inline struct fxt_bytes random_bytes(struct random *r, uint64_t most)
{
    struct fxt_bytes bytes = {noise + below(r, 100), up_to(r, most)};
    if (bytes.size == 0)
        bytes.bytes = NULL;
    return bytes;
}

static inline struct fxt_string_ref random_string(struct random *r)
{
    if (below(r, 2) == 0)
        return fxt_string_index((uint16_t)up_to(r, FXT_STRING_INDEX_MAX));
    return fxt_string_inline(noise + below(r, 100), (uint16_t)up_to(r, PIECE));
}

static inline struct fxt_thread_ref random_thread(struct random *r)
{
    if (below(r, 2) == 0)
        return fxt_thread_index((uint8_t)(1 + up_to(r, 254)));
    return fxt_thread_inline(up_to(r, UINT64_MAX), up_to(r, UINT64_MAX));
}

static inline struct fxt_arg random_arg(struct random *r)
{
    struct fxt_string_ref name = random_string(r);
    uint8_t type = (uint8_t)below(r, 11);
    switch (type) {
    case FXT_ARG_NULL:
        return fxt_make_null(name);
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
        return fxt_make_arg(type, name, up_to(r, UINT32_MAX));
    case FXT_ARG_STRING:
        return fxt_make_string(name, random_string(r));
    case FXT_ARG_BOOL:
        return fxt_make_bool(name, below(r, 2));
    case FXT_ARG_BLOB: {
        struct fxt_bytes blob = random_bytes(r, PIECE);
        return fxt_make_blob(name, blob.bytes, blob.size);
    }
    default:
        return fxt_make_arg(type, name, up_to(r, UINT64_MAX));
    }
}

#define TICKS(r) up_to(r, UINT64_MAX)

/* make_<kind>: a random record, without its arguments. */
static inline struct fxt_provider_info make_provider_info(struct random *r)
{
    return (struct fxt_provider_info){.provider_id = (uint32_t)up_to(r, UINT32_MAX),
                                      .name = random_bytes(r, 255)};
}

static inline struct fxt_provider_section make_provider_section(struct random *r)
{
    return (struct fxt_provider_section){.provider_id = (uint32_t)up_to(r, UINT32_MAX)};
}

static inline struct fxt_provider_event make_provider_event(struct random *r)
{
    return (struct fxt_provider_event){.provider_id = (uint32_t)up_to(r, UINT32_MAX),
                                       .event_id = (uint8_t)up_to(r, 15)};
}

static inline struct fxt_initialization make_initialization(struct random *r)
{
    return (struct fxt_initialization){.ticks_per_second = 1 + up_to(r, UINT64_MAX - 1)};
}

static inline struct fxt_string make_string(struct random *r)
{
    return (struct fxt_string){.index = (uint16_t)(1 + up_to(r, 32766)),
                               .value = random_bytes(r, PIECE)};
}

static inline struct fxt_thread make_thread(struct random *r)
{
    return (struct fxt_thread){.index = (uint8_t)(1 + up_to(r, 254)),
                               .process = up_to(r, UINT64_MAX),
                               .thread = up_to(r, UINT64_MAX)};
}

static inline struct fxt_event make_event(struct random *r)
{
    struct fxt_event event = {.thread = random_thread(r),
                              .category = random_string(r),
                              .name = random_string(r),
                              .timestamp = TICKS(r),
                              .event_type = (uint8_t)below(r, 11)};
    if (event.event_type == FXT_EVENT_INSTANT && below(r, 2) == 0) {
        event.has_scope = 1;
        event.scope = (uint8_t)below(r, 3);
    }
    if (event.event_type == FXT_EVENT_COUNTER || event.event_type >= FXT_EVENT_DURATION_COMPLETE)
        event.value = up_to(r, UINT64_MAX);
    return event;
}

static inline struct fxt_blob make_blob(struct random *r)
{
    return (struct fxt_blob){.name = random_string(r),
                             .payload = random_bytes(r, PIECE),
                             .blob_type = (uint8_t)up_to(r, 255)};
}

static inline struct fxt_userspace_object make_userspace_object(struct random *r)
{
    struct fxt_userspace_object object = {
        .process = random_thread(r), .name = random_string(r), .pointer = up_to(r, UINT64_MAX)};
    object.process.thread = 0; /* not in the record */
    return object;
}

static inline struct fxt_kernel_object make_kernel_object(struct random *r)
{
    return (struct fxt_kernel_object){.name = random_string(r),
                                      .koid = up_to(r, UINT64_MAX),
                                      .object_type = (uint8_t)up_to(r, 255)};
}

static inline struct fxt_legacy_switch make_legacy_switch(struct random *r)
{
    return (struct fxt_legacy_switch){.outgoing = random_thread(r),
                                      .incoming = random_thread(r),
                                      .timestamp = TICKS(r),
                                      .cpu = (uint8_t)up_to(r, 255),
                                      .outgoing_state = (uint8_t)up_to(r, 5),
                                      .outgoing_priority = (uint8_t)up_to(r, 255),
                                      .incoming_priority = (uint8_t)up_to(r, 255)};
}

static inline struct fxt_context_switch make_context_switch(struct random *r)
{
    return (struct fxt_context_switch){.timestamp = TICKS(r),
                                       .outgoing_thread = up_to(r, UINT64_MAX),
                                       .incoming_thread = up_to(r, UINT64_MAX),
                                       .cpu = (uint16_t)up_to(r, 65535),
                                       .outgoing_state = (uint8_t)up_to(r, 5)};
}

static inline struct fxt_thread_wakeup make_thread_wakeup(struct random *r)
{
    return (struct fxt_thread_wakeup){.timestamp = TICKS(r),
                                      .waking_thread = up_to(r, UINT64_MAX),
                                      .cpu = (uint16_t)up_to(r, 65535)};
}

static inline struct fxt_log make_log(struct random *r)
{
    return (struct fxt_log){
        .thread = random_thread(r), .message = random_bytes(r, PIECE), .timestamp = TICKS(r)};
}

static inline struct fxt_module make_module(struct random *r)
{
    return (struct fxt_module){.thread = random_thread(r),
                               .name = random_bytes(r, 255),
                               .build_id = random_bytes(r, 255),
                               .timestamp = TICKS(r),
                               .module_id = (uint16_t)up_to(r, 65535)};
}

static inline struct fxt_mmap make_mmap(struct random *r)
{
    return (struct fxt_mmap){.thread = random_thread(r),
                             .timestamp = TICKS(r),
                             .start_address = up_to(r, UINT64_MAX),
                             .address_range = up_to(r, UINT64_MAX),
                             .vaddr = up_to(r, UINT64_MAX),
                             .module_id = (uint16_t)up_to(r, 65535),
                             .flags = (uint8_t)up_to(r, 7)};
}

static inline struct fxt_backtrace make_backtrace(struct random *r)
{
    struct fxt_backtrace backtrace = {.thread = random_thread(r), .timestamp = TICKS(r)};
    backtrace.frame_count = (uint8_t)up_to(r, 100);
    backtrace.frames.size = UINT64_C(8) * backtrace.frame_count;
    backtrace.frames.bytes = backtrace.frame_count > 0 ? noise : NULL;
    return backtrace;
}

static inline struct fxt_large_blob make_large_blob(struct random *r)
{
    struct fxt_large_blob blob = {.category = random_string(r),
                                  .name = random_string(r),
                                  .payload = random_bytes(r, 200),
                                  .blob_format = (uint8_t)below(r, 2)};
    if (blob.blob_format == FXT_LARGE_BLOB_METADATA) {
        blob.thread = random_thread(r);
        blob.timestamp = TICKS(r);
    }
    return blob;
}

/* The one record that the writer has written. */
static inline struct fxt_record written(const struct fxt_writer *writer)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, writer->bytes, writer->size);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_assert_eq(fxt_reader_rest(&reader), 0);
    return record;
}

static inline struct fxt_writer on(uint8_t *memory)
{
    struct fxt_writer writer;
    memset(memory, 0x5a, 65536);
    fxt_writer_init(&writer, memory, 65536);
    return writer;
}

static inline size_t collect(struct fxt_args args, struct fxt_arg *out)
{
    struct fxt_error error;
    size_t count = 0;
    while (fxt_args_next(&args, &out[count], &error) == FXT_OK)
        count++;
    return count;
}

/* Decodes a record of any kind that has a writer, and writes it again. */
static inline enum fxt_status copy_kinds(struct fxt_writer *w, const struct fxt_record *record)
{
    struct fxt_arg args[15];
    struct fxt_error error;

#define TRY(name, write)                                                                           \
    do {                                                                                           \
        struct fxt_##name in;                                                                      \
        enum fxt_status status = fxt_read_##name(record, &in, &error);                             \
        if (status == FXT_OK)                                                                      \
            return write;                                                                          \
        if (status == FXT_MALFORMED)                                                               \
            return status;                                                                         \
    } while (0)
#define TRY_PLAIN(name) TRY(name, fxt_write_##name(w, &in))
#define TRY_ARGS(name) TRY(name, fxt_write_##name(w, &in, args, collect(in.args, args)))
    TRY_PLAIN(provider_info);
    TRY_PLAIN(provider_section);
    TRY_PLAIN(provider_event);
    TRY_PLAIN(initialization);
    TRY_PLAIN(string);
    TRY_PLAIN(thread);
    TRY_ARGS(event);
    TRY_PLAIN(blob);
    TRY_ARGS(userspace_object);
    TRY_ARGS(kernel_object);
    TRY_PLAIN(legacy_switch);
    TRY_ARGS(context_switch);
    TRY_ARGS(thread_wakeup);
    TRY_PLAIN(log);
    TRY_PLAIN(module);
    TRY_PLAIN(mmap);
    TRY_PLAIN(backtrace);
    TRY_ARGS(large_blob);
    return FXT_WRONG_TYPE;
}

/* All but the large blob without metadata. */
static inline bool has_args(const char *kind, const void *in)
{
    return strcmp(kind, "large_blob") != 0 ||
           ((const struct fxt_large_blob *)in)->blob_format == FXT_LARGE_BLOB_METADATA;
}

#undef TRY
#undef TRY_PLAIN
#undef TRY_ARGS

#endif
