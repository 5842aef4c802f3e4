/* What the manager takes from a buffer that a provider may have written anything into: the archive
   has to be well-formed, and every record in it the provider's own. The first bytes of the input say
   how the provider ended; the others are the buffer. */
#include <fxt/check.h>
#include <fxt/write.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/manager/save.h"

#define BUFFER 8192u
#define HEAD 16u
#define INPUT_MAX (HEAD + BUFFER)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct trace_manager manager;
static struct fxt_i_session session;
static struct fxt_i_tracee tracee;
static struct fxt_i_provider provider;
static uint8_t buffer[BUFFER];
static int file; /* of the archive */

static void nothing(void *self)
{
    (void)self;
}

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static uint64_t number_at(const uint8_t *bytes)
{
    return bytes[0] + 256u * bytes[1];
}

/* A header that is right but for where the data ends; or whatever the input has there. */
static void fill_buffer(const uint8_t *head, const uint8_t *bytes, size_t size)
{
    struct fxt_buffer_header header;

    memset(buffer, 0, sizeof buffer);
    if ((head[0] & 4) != 0) {
        memcpy(buffer, bytes, size);
        return;
    }
    expect(fxt_buffer_sizes(&header, BUFFER, head[0] & 3) == FXT_OK);
    header.wrapped_count = head[1];
    header.durable_data_end = 8 * number_at(head + 2) % (header.durable_size + 8);
    header.rolling_data_end[0] = 8 * number_at(head + 4) % (header.rolling_size + 8);
    header.rolling_data_end[1] = 8 * number_at(head + 6) % (header.rolling_size + 8);
    if ((head[0] & 3) == FXT_BUFFERING_ONESHOT)
        header.rolling_data_end[1] = 0;
    header.records_dropped = head[8];
    fxt_buffer_write_header(buffer, &header);
    size_t room = sizeof buffer - FXT_BUFFER_HEADER_BYTES;
    memcpy(buffer + FXT_BUFFER_HEADER_BYTES, bytes, size < room ? size : room);
}

static void make_tracee(const uint8_t *head)
{
    static bool made;

    if (!made)
        expect(uv_loop_init(&manager.loop) == 0);
    made = true;
    memset(&tracee, 0, sizeof tracee);
    memset(&session, 0, sizeof session);
    session.manager = &manager;
    session.mode = (enum trace_mode)((head[0] & 3) + 1);
    tracee.session = &session;
    tracee.buffer = buffer;
    tracee.bytes = BUFFER;
    tracee.fifo = -1;
    tracee.id = 7;
    tracee.started_once = true;
    tracee.state = (head[9] & 1) != 0 ? FXT_I_TRACEE_STOPPED : FXT_I_TRACEE_STARTED;
    tracee.died = (head[9] & 2) != 0;
    tracee.provider = (head[9] & 16) != 0 ? &provider : NULL; /* then it may be writing */
    tracee.next_wrapped = head[10];
    tracee.section.durable_end = 8u * head[11];
    tracee.last_durable_end = 8u * head[11];
    tracee.save_wrapped = head[12];
    tracee.save_durable_end = 8u * head[13];
    strcpy(tracee.name, "fuzzed");
}

/* The oracle's own. */
static struct fxt_check_memory memory_of(void)
{
    static struct {
        struct fxt_provider providers[2];
        struct fxt_check_thread threads[1024];
        struct fxt_check_open opens[1024];
        uint32_t ids[2];
        uint8_t arena[1 << 16];
    } all;
    return (struct fxt_check_memory){.tables = {.providers = all.providers,
                                                .provider_ids = all.ids,
                                                .arena = all.arena,
                                                .provider_max = 2,
                                                .arena_size = sizeof all.arena},
                                     .threads = all.threads,
                                     .opens = all.opens,
                                     .thread_max = 1024,
                                     .open_max = 1024};
}

/* One archive for all inputs, made new for each: mapping its memory takes longer than all else. */
static struct fxt_i_archive *new_archive(void)
{
    static struct fxt_i_archive *archive;
    struct fxt_writer writer;

    if (archive == NULL) {
        file = memfd_create("archive", MFD_CLOEXEC);
        archive = fxt_i_archive_create(&manager.loop, 0, dup(file), false, nothing, NULL);
        expect(file >= 0 && archive != NULL);
    }
    expect(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    archive->bytes_written = 0;
    memset(archive->rates, 0, sizeof archive->rates);
    struct fxt_i_block *block = fxt_i_archive_block(archive, 8);
    expect(block != NULL);
    fxt_writer_init(&writer, block->bytes, 8);
    fxt_write_magic(&writer);
    block->size = writer.size;
    fxt_i_archive_put(archive, block);
    return archive;
}

static void expect_good(const struct fxt_checker *checker, uint32_t count)
{
    expect(count <= FXT_FINDINGS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        enum fxt_rule rule = checker->findings[i].rule;
        expect(fxt_rule_class(rule) < FXT_NONCONFORMING);
        expect(rule != FXT_RULE_STR_02 && rule != FXT_RULE_THR_02);
    }
}

/* Of its metadata only the manager's own. */
static void expect_own(const struct fxt_record *record)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_provider_event event;
    struct fxt_error error;

    if (record->type != FXT_RECORD_METADATA || record->header == FXT_MAGIC)
        return;
    if (fxt_read_provider_info(record, &info, &error) == FXT_OK)
        expect(info.provider_id == 7 && info.name.size == 6);
    else if (fxt_read_provider_section(record, &section, &error) == FXT_OK)
        expect(section.provider_id == 7);
    else
        expect(fxt_read_provider_event(record, &event, &error) == FXT_OK && event.provider_id == 7);
}

static void expect_well_formed(const uint8_t *bytes, uint64_t size)
{
    static struct fxt_checker checker;
    struct fxt_check_memory memory = memory_of();
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        expect_own(&record);
        expect_good(&checker, fxt_check_record(&checker, &record));
    }
    expect(status == FXT_END);
}

/* False when it could not begin. */
static bool save(enum fxt_i_save_kind kind)
{
    enum fxt_i_save_verdict verdict = fxt_i_save_begin(&tracee, kind, session.archive);
    if (verdict == FXT_I_SAVE_BROKEN)
        tracee.misbehaved = true;
    if (verdict != FXT_I_SAVE_BEGUN)
        return false;
    while (!fxt_i_save_some(fxt_i_save_of(&tracee, kind)))
        ;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t archive[4 * BUFFER];

    if (size < HEAD || size > INPUT_MAX || (bytes[0] & 3) == 3)
        return 0;
    make_tracee(bytes);
    fill_buffer(bytes, bytes + HEAD, size - HEAD);
    session.archive = new_archive();
    if ((bytes[9] & 4) != 0 && save(FXT_I_SAVE_HALF))
        tracee.next_wrapped++;
    save((bytes[9] & 8) != 0 ? FXT_I_SAVE_ALL : FXT_I_SAVE_REST);
    fxt_i_section_end(&tracee.section);
    ssize_t got = pread(file, archive, sizeof archive, 0);
    expect(got >= 8 && (uint64_t)got == session.archive->bytes_written);
    expect_well_formed(archive, (uint64_t)got);
    return 0;
}
