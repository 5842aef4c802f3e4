/* Programs that scribble on their buffers, while they are recorded or before they are read: what they
   leave is not in the archive, what the others wrote is. */
#include <inttypes.h>
#include <sys/mman.h>

#include <fxt/buffer.h>
#include <fxt/write.h>

#include "src/manager/system_test.h"

#define EVENTS 200

/* The buffer of this process. */
static uint8_t *find_buffer(uint64_t *bytes)
{
    char line[300];
    uint8_t *found = NULL;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t first;
        uintptr_t end;
        if (strstr(line, "memfd:fxt-trace") == NULL || strstr(line, " rw-s ") == NULL ||
            sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &first, &end) != 2)
            continue;
        found = (uint8_t *)first;
        *bytes = end - first;
    }
    if (maps != NULL)
        fclose(maps);
    if (found == NULL)
        _exit(20);
    return found;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 16 ^ *seed << 32;
}

static void fill_randomly(uint8_t *bytes, uint64_t size, uint64_t seed)
{
    for (uint64_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word = draw(&seed);
        memcpy(bytes + i, &word, 8);
    }
}

/* The header. */

static const struct {
    uint32_t at;
    uint32_t size;
    const char *name;
} fields[] = {
    {0, 8, "magic"},        {8, 2, "version"},     {10, 1, "mode"},         {11, 1, "flags"},
    {12, 4, "wrapped"},     {16, 8, "total size"}, {24, 8, "durable size"}, {32, 8, "rolling size"},
    {40, 8, "durable end"}, {48, 8, "end 0"},      {56, 8, "end 1"},        {64, 8, "dropped"},
    {72, 8, "inlined"},     {120, 8, "reserved"},
};

static const uint64_t values[] = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  8,
                                  16,
                                  4096,
                                  (1 << 20) - 128,
                                  1 << 20,
                                  UINT32_MAX,
                                  UINT64_C(1) << 32,
                                  INT64_MAX,
                                  UINT64_C(1) << 63,
                                  UINT64_MAX - 7,
                                  UINT64_MAX};

#define FIELDS (sizeof fields / sizeof *fields)
#define VALUES (sizeof values / sizeof *values)

static void scribble_on_header(uint64_t number)
{
    uint64_t bytes;
    uint8_t *buffer = find_buffer(&bytes);
    memcpy(buffer + fields[number / VALUES].at, &values[number % VALUES],
           fields[number / VALUES].size);
}

/* Records. */

static void put_word(struct fxt_writer *writer, uint64_t word)
{
    memcpy(writer->bytes + writer->size, &word, 8);
    writer->size += 8;
}

static void put_event(struct fxt_writer *writer, struct fxt_thread_ref thread,
                      struct fxt_string_ref name)
{
    const struct fxt_event event = {.thread = thread,
                                    .category = fxt_string_inline("bad", 3),
                                    .name = name,
                                    .timestamp = 1,
                                    .event_type = FXT_EVENT_INSTANT};
    fxt_write_event(writer, &event, NULL, 0);
}

static void put_bad_references(struct fxt_writer *writer)
{
    const struct fxt_blob blob = {.name = fxt_string_index(0x7eed), .blob_type = FXT_BLOB_DATA};
    const struct fxt_log log = {.thread = fxt_thread_index(250), .timestamp = 1};
    put_event(writer, fxt_thread_index(251), fxt_string_inline("event", 5));
    put_event(writer, fxt_thread_inline(1, 2), fxt_string_index(0x7eed));
    fxt_write_blob(writer, &blob);
    fxt_write_log(writer, &log);
}

/* Providers 1 and 2 are the two of this test. */
static void put_metadata(struct fxt_writer *writer)
{
    for (uint32_t id = 0; id < 4; id++) {
        const struct fxt_provider_info info = {.name = {(const uint8_t *)"well", 4},
                                               .provider_id = id};
        const struct fxt_provider_section section = {.provider_id = id};
        const struct fxt_provider_event event = {.provider_id = id};
        fxt_write_provider_info(writer, &info);
        put_event(writer, fxt_thread_inline(1, 2), fxt_string_inline("planted", 7));
        fxt_write_provider_section(writer, &section);
        put_event(writer, fxt_thread_inline(1, 2), fxt_string_inline("planted", 7));
        fxt_write_provider_event(writer, &event);
    }
    fxt_write_magic(writer);
    put_event(writer, fxt_thread_inline(1, 2), fxt_string_inline("planted", 7));
}

static void put_broken_definitions(struct fxt_writer *writer)
{
    put_word(writer, 0x11); /* initialization without its word */
    put_word(writer, 0x21); /* 0 ticks per second */
    put_word(writer, 0);
    put_word(writer, 0x22 | UINT64_C(2) << 32 | UINT64_C(1) << 16); /* a string that is no UTF-8 */
    put_word(writer, 0xffff);
    put_word(writer, 0x22 | UINT64_C(2) << 32); /* string 0 */
    put_word(writer, 0x6161);
    put_word(writer, 0x12 | UINT64_C(20000) << 32 | UINT64_C(1) << 16); /* not all of it */
    put_word(writer, 0x33);                                             /* thread 0 */
    put_word(writer, 1);
    put_word(writer, 2);
}

static void put_strange_types(struct fxt_writer *writer)
{
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t high = 0; high < 3; high++)
            put_word(writer, 0x10 | type | high << 24 | high << 60);
}

static void put_huge_record(struct fxt_writer *writer)
{
    put_word(writer, UINT64_C(0xffffffff) << 4 | 15);
    put_word(writer, UINT64_MAX);
}

static void put_ones(struct fxt_writer *writer)
{
    memset(writer->bytes + writer->size, 0xff, writer->capacity - writer->size);
    writer->size = writer->capacity;
}

static void put_noise(struct fxt_writer *writer)
{
    static uint64_t times;
    fill_randomly(writer->bytes, writer->capacity, (uint64_t)getpid() + times++);
    writer->size = writer->capacity;
}

/* Random words behind headers that are about right. */
static void put_records_of_noise(struct fxt_writer *writer)
{
    uint64_t seed = (uint64_t)getpid();
    while (writer->size + 8 * 16 <= writer->capacity) {
        uint64_t word = draw(&seed);
        put_word(writer, (word & ~UINT64_C(0xffff)) | (word % 11) | (1 + word % 15) << 4);
        for (uint64_t i = 0; i < word % 15; i++)
            put_word(writer, draw(&seed) >> draw(&seed) % 64);
    }
}

static void (*const puts_them[])(struct fxt_writer *writer) = {
    put_bad_references, put_metadata, put_broken_definitions, put_strange_types, put_huge_record,
    put_ones,           put_noise,    put_records_of_noise};

#define PUTS (sizeof puts_them / sizeof *puts_them)

/* Into the durable part and into each half, where there are any. */
static void scribble_on_records(uint64_t number)
{
    uint64_t bytes;
    uint8_t *buffer = find_buffer(&bytes);
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;
    struct fxt_writer writer;
    if (fxt_buffer_read_header(&header, buffer, bytes, bytes, &error) != FXT_OK)
        _exit(21);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++) {
        fxt_writer_init(&writer, buffer + parts[i].offset, parts[i].room);
        puts_them[number](&writer);
    }
}

static void do_as_told(struct provider_self *self, char order, uint64_t number)
{
    uint64_t bytes;
    uint8_t *buffer;
    (void)self;
    switch (order) {
    case 'H':
        scribble_on_header(number);
        break;
    case 'R':
        scribble_on_records(number);
        break;
    case 'K':
        raise(SIGKILL);
        break;
    case 'W': /* wildly, for so many ms */
        buffer = find_buffer(&bytes);
        for (uint64_t end = now_ms() + number, seed = number; now_ms() < end;)
            for (int i = 0; i < 1000; i++) {
                uint64_t word = draw(&seed);
                uint64_t at = draw(&seed) % (bytes / 8) * 8;
                memcpy(buffer + (i % 10 == 0 ? at % 128 : at), &word, 8);
            }
        break;
    default:
        break;
    }
}

static void begin(void)
{
    own_order = do_as_told;
    start_manager_with(NULL, 400);
}

TestSuite(buffer_faults, .init = begin, .fini = clean_up, .timeout = 240);

enum after { GOES_ON, DIES, AFTER };

struct scribbled {
    uint64_t refused;
    bool misbehaved;
    uint64_t events;
    uint64_t strange;
    uint64_t providers;
};

/* A session of two programs, one of which scribbles and then goes on or dies. */
static struct scribbled scribble(struct test_provider *well, enum trace_mode mode, char what,
                                 uint64_t number, enum after after)
{
    const struct trace_config config = {.mode = mode, .buffer_megabytes = 1};
    struct test_provider bad = start_provider("bad");
    struct session session;
    struct scribbled result;

    begin_session(&session, &config);
    wait_for_providers(session.controller, 2);
    start_session(&session);
    cr_assert_eq(order(well, 's', 5000), 'k');
    cr_assert_eq(order(well, 'e', EVENTS), 'k');
    cr_assert_eq(order(&bad, 's', 5000), 'k');
    cr_assert_eq(order(&bad, 'e', EVENTS), 'k');
    cr_assert_eq(order(&bad, what, number), 'k');
    if (after == DIES)
        cr_assert_eq(order(&bad, 'K', 0), 0);
    cr_assert_eq(order(well, 'e', EVENTS), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "well");
    cr_expect_eq(found.events, 2 * EVENTS, "%lu of the other", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(found.strange, 0);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    const struct trace_provider_statistics *it = statistics_of(&session, "bad");
    cr_assert_not_null(it);
    found = find_events(&session.archive, "bad");
    result = (struct scribbled){it->records_refused, it->misbehaved, found.events, found.strange,
                                find_events(&session.archive, NULL).providers};
    free(session.archive.bytes);
    end_provider(&bad);
    return result;
}

static void scribble_on_all_headers(enum trace_mode mode, enum after after)
{
    int descriptors = count_descriptors(manager_process);
    struct test_provider well = start_provider("well");
    for (uint64_t i = 0; i < FIELDS * VALUES; i++) {
        struct scribbled it = scribble(&well, mode, 'H', i, after);
        cr_expect(it.misbehaved || it.events <= EVENTS, "%s %lu", fields[i / VALUES].name,
                  (unsigned long)values[i % VALUES]);
        cr_expect_leq(it.providers, 2);
        /* It says itself that it has fewer definitions: what refers to the others is left out. */
        bool fewer = strcmp(fields[i / VALUES].name, "durable end") == 0;
        cr_expect(it.refused == 0 || fewer, "%s %lu", fields[i / VALUES].name,
                  (unsigned long)values[i % VALUES]);
    }
    end_provider(&well);
    wait_for_descriptors(descriptors);
    cr_expect_eq(stop_manager(), 0);
}

Test(buffer_faults, header_of_a_oneshot_buffer_and_death)
{
    scribble_on_all_headers(TRACE_MODE_ONESHOT, DIES);
}

Test(buffer_faults, header_of_a_circular_buffer_and_death)
{
    scribble_on_all_headers(TRACE_MODE_CIRCULAR, DIES);
}

Test(buffer_faults, header_of_a_streaming_buffer_and_death)
{
    scribble_on_all_headers(TRACE_MODE_STREAMING, DIES);
}

Test(buffer_faults, header_of_a_oneshot_buffer)
{
    scribble_on_all_headers(TRACE_MODE_ONESHOT, GOES_ON);
}

Test(buffer_faults, header_of_a_streaming_buffer)
{
    scribble_on_all_headers(TRACE_MODE_STREAMING, GOES_ON);
}

Test(buffer_faults, records)
{
    struct test_provider well = start_provider("well");
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_STREAMING; mode++)
        for (int after = GOES_ON; after < AFTER; after++)
            for (uint64_t i = 0; i < PUTS; i++) {
                struct scribbled it =
                    scribble(&well, (enum trace_mode)mode, 'R', i, (enum after)after);
                bool none = puts_them[i] == put_huge_record || puts_them[i] == put_ones ||
                            puts_them[i] == put_noise; /* has no record that fits, or may have */
                cr_expect(none || it.refused > 0 || it.misbehaved, "%lu in mode %d",
                          (unsigned long)i, mode);
                cr_expect_leq(it.providers, 2);
            }
    end_provider(&well);
    cr_expect_eq(stop_manager(), 0);
}

Test(buffer_faults, wild_writes_while_it_is_saved)
{
    struct test_provider well = start_provider("well");
    for (int mode = TRACE_MODE_ONESHOT; mode <= TRACE_MODE_STREAMING; mode++)
        for (int i = 0; i < 4; i++) {
            const struct trace_config config = {.mode = (enum trace_mode)mode,
                                                .buffer_megabytes = 1};
            struct test_provider bad = start_provider("bad");
            struct session session;
            begin_session(&session, &config);
            wait_for_providers(session.controller, 2);
            start_session(&session);
            cr_assert_eq(order(&well, 's', 5000), 'k');
            cr_assert_eq(order(&bad, 's', 5000), 'k');
            cr_assert_eq(order(&bad, 'e', EVENTS), 'k');
            send_order(&bad, 'W', 300);
            sleep_ms(20 * i);
            cr_assert_eq(order(&well, 'p', 20000), 'k');
            cr_expect_eq(end_session(&session), 0);
            struct found found = find_events(&session.archive, "well");
            cr_expect_eq(
                found.events + statistics_of(&session, "well")->records_dropped +
                    (mode == TRACE_MODE_CIRCULAR ? found.first - 20000 * (i + 4 * (mode - 1)) : 0),
                20000);
            cr_expect_eq(found.gaps, 0);
            cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
            free(session.archive.bytes);
            end_provider(&bad);
        }
    end_provider(&well);
    cr_expect_eq(stop_manager(), 0);
}
