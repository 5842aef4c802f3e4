/* What the manager takes from a buffer that a provider may have written anything into. The archive has
   to be well-formed, and to hold each record of the buffer that may be in it exactly once and in
   order. struct model says which those are, from section 6 of spec/system.md. The input is described
   in lib/image.h. */
#include <fxt/write.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/lib/frame.h"
#include "fuzz/lib/image.h"
#include "fuzz/lib/judge.h"
#include "fuzz/lib/oracle.h"
#include "src/manager/manager.h"

#define RECORDS (2 * FUZZ_IMAGE_MAX / 8)
#define ID 7

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct trace_manager manager;
static struct fxt_i_session session;
static struct fxt_i_tracee tracee;
static struct fxt_i_provider provider;
static uint8_t image[FUZZ_IMAGE_MAX];                              /* as the provider left it */
static uint8_t buffer[FUZZ_IMAGE_MAX] __attribute__((aligned(8))); /* the manager's */
static int file;                                                   /* of the archive */

static void nothing(void *self)
{
    (void)self;
}

enum state {
    STOPPED = 1,
    DIED = 2,
    ASKS = 4,  /* to save a half, first */
    FLUSH = 8, /* everything, not the rest */
    ALIVE = 16,
    SCRIBBLES = 32, /* over the header, when the manager has read it */
};

/* head: see image.h. */
static void make_tracee(const uint8_t *head, size_t size)
{
    static bool made;

    if (!made)
        FUZZ_CHECK(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager.loop) == ZX_OK);
    made = true;
    memset(&tracee, 0, sizeof tracee);
    memset(&session, 0, sizeof session);
    session.manager = &manager;
    session.mode = (enum trace_mode)((head[0] & 3) + 1);
    tracee.session = &session;
    tracee.buffer = buffer;
    tracee.bytes = size;
    tracee.fifo = -1;
    tracee.id = ID;
    tracee.started_once = true;
    tracee.state = (head[10] & STOPPED) != 0 ? FXT_I_TRACEE_STOPPED : FXT_I_TRACEE_STARTED;
    tracee.died = (head[10] & DIED) != 0;
    tracee.provider = (head[10] & ALIVE) != 0 ? &provider : NULL;
    if (session.mode == TRACE_MODE_STREAMING)
        tracee.next_wrapped = head[11];
    tracee.section.durable_end = 8u * head[12];
    tracee.last_durable_end = 8u * head[12];
    tracee.save_wrapped = head[13];
    tracee.save_durable_end = 8u * head[14];
    strcpy(tracee.name, "fuzzed");
}

/* The records that the archive has to hold. */
static struct model {
    struct fuzz_judge judge;
    struct fuzz_judge alone;
    struct fuzz_found found;
    struct fxt_record expected[RECORDS];
    size_t count;
    uint64_t inlined; /* how often definitions were inlined, as the archive has to tell */
    unsigned drops;   /* how often it has to tell that records were dropped */
    bool exact;       /* the provider wrote nothing that the manager reads */
    bool overtaken;
    uint8_t *seen; /* the image, without the leases that are void */
} model;

/* The provider of which the section is: strings and threads belong to it. */
static void introduce(struct fuzz_judge *judge)
{
    uint8_t bytes[64];
    struct fxt_writer writer;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    const struct fxt_provider_info info = {.name = {(const uint8_t *)"fuzzed", 6},
                                           .provider_id = ID};

    fuzz_judge_begin(judge, 2);
    fxt_writer_init(&writer, bytes, sizeof bytes);
    FUZZ_CHECK(fxt_write_provider_info(&writer, &info) == FXT_OK);
    fxt_reader_init(&reader, bytes, writer.size);
    FUZZ_CHECK(fxt_reader_next(&reader, &record, &error) == FXT_OK);
    fxt_check_record(&judge->checker, &record);
}

static void expect_record(const uint8_t *bytes, uint64_t words)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t word = fuzz_word(bytes);
    unsigned type = word % 16;

    if (type == 0 || (type == 15 && (word >> 36 & 15) == 15)) /* metadata; BUF-09 */
        return;
    fxt_reader_init(&reader, bytes, 8 * words);
    FUZZ_CHECK(fxt_reader_next(&reader, &record, &error) == FXT_OK);
    if (type <= FXT_RECORD_THREAD) { /* a definition that is left out defines nothing */
        fuzz_judge_begin(&model.alone, 2);
        if (!fuzz_judge_is_good(&model.alone, &record))
            return;
    }
    if (!fuzz_judge_is_good(&model.judge, &record))
        return;
    FUZZ_CHECK(model.count < RECORDS);
    model.expected[model.count++] = record;
}

static void expect_part(uint64_t offset, uint64_t from, uint64_t end, uint64_t chunk_bytes)
{
    model.found.count = 0;
    if (from < end)
        fuzz_find_records(&model.found, model.seen, offset + from, end - from, chunk_bytes);
    for (size_t i = 0; i < model.found.count; i++)
        expect_record(model.seen + model.found.records[i].offset, model.found.records[i].words);
}

static uint64_t half_at(const struct fxt_buffer_header *header, uint32_t half)
{
    return FXT_BUFFER_HEADER_BYTES + header->durable_size + half * header->rolling_size;
}

static bool is_kept(const struct fxt_buffer_header *header)
{
    return (header->flags & FXT_BUFFER_ENDS_KEPT) != 0;
}

/* Of a rolling part; 0: it has no chunks (BUF-10). */
static uint64_t chunk_of(const struct fxt_buffer_header *header)
{
    return is_kept(header) ? fuzz_chunk_bytes(header->rolling_size) : 0;
}

/* The data end is right: BUF-11. */
static uint64_t end_of(const struct fxt_buffer_header *header, uint64_t end, uint64_t room)
{
    bool stopped = tracee.state == FXT_I_TRACEE_STOPPED && !tracee.died && !tracee.misbehaved;
    return is_kept(header) || (stopped && end > 0) ? end : room;
}

/* The half that is handed over: one turn after the other, with what it refers to. */
static void expect_half(const struct fxt_buffer_header *header)
{
    uint32_t half = tracee.save_wrapped % 2;
    uint64_t durable_end = is_kept(header) ? header->durable_data_end : tracee.save_durable_end;

    expect_part(FXT_BUFFER_HEADER_BYTES, 8u * (tracee.last_durable_end / 8), durable_end, 0);
    expect_part(half_at(header, half), 0, header->rolling_data_end[half], chunk_of(header));
}

static bool may_hand_over(const struct fxt_buffer_header *header)
{
    return header->buffering_mode == FXT_BUFFERING_STREAMING &&
           tracee.save_wrapped == tracee.next_wrapped &&
           tracee.save_durable_end >= tracee.last_durable_end &&
           tracee.save_durable_end <= header->durable_size;
}

static bool is_alive(void)
{
    return tracee.provider != NULL && tracee.state != FXT_I_TRACEE_STOPPED;
}

/* Whether the lease may be read while the provider may write: its head (BUF-10) is of that turn. A
   half whose first word is no head has no leases. */
static bool is_of(uint64_t word, uint64_t at, uint32_t turn)
{
    bool head = (word & 0xfffff) == 0xe0010;
    return word == 0 || (head ? word >> 40 == (turn & 0xffffff) : at == 0);
}

/* The bytes of the lease, or of the chunk that nobody has taken. The last chunk is larger. */
static uint64_t lease_bytes(uint64_t word, uint64_t at, uint64_t size, uint64_t room)
{
    uint64_t chunk = fuzz_chunk_bytes(room);
    bool head = (word & 0xfffff) == 0xe0010;
    uint64_t count = head ? (word >> 20 & 0xfffff) + 1 : 1;
    bool is_cut = word == 0 && size - at < 2 * chunk; /* the next chunk is not read: BUF-11 */
    if ((word != 0 && !head && at == 0) || at / chunk + count >= room / chunk || is_cut)
        return size - at;
    return count * chunk < size - at ? count * chunk : size - at;
}

/* Takes the leases of other turns out of a half. False if there were any. */
static bool void_leases(uint8_t *half, uint64_t size, uint64_t room, uint32_t turn)
{
    uint64_t chunk = fuzz_chunk_bytes(room);
    bool all = true;
    for (uint64_t at = 0; at < size;) {
        uint64_t word = fuzz_word(half + at);
        uint64_t end = at + lease_bytes(word, at, size, room);
        bool good = is_of(word, at, turn);
        all &= good;
        for (; at < end; at += chunk)
            if (!good)
                memset(half + at, 0, 8);
        at = end;
    }
    return all;
}

/* A half of that turn. When it is in disorder, the provider has used it again: the older half is then
   left out whole. */
static void expect_turn(const struct fxt_buffer_header *header, uint32_t turn)
{
    bool oneshot = header->buffering_mode == FXT_BUFFERING_ONESHOT;
    uint32_t half = oneshot ? 0 : turn % 2;
    uint64_t room = header->rolling_size;
    uint64_t end = end_of(header, header->rolling_data_end[half], room);
    uint64_t at = half_at(header, half);

    if (is_alive() && is_kept(header) && !void_leases(model.seen + at, end, room, turn)) {
        model.overtaken = true;
        if (turn != header->wrapped_count)
            return;
    }
    expect_part(at, 0, end, chunk_of(header));
}

/* Every part but the halves of turns below `next`. */
static void expect_parts(const struct fxt_buffer_header *header, uint64_t durable_from,
                         uint32_t next)
{
    bool oneshot = header->buffering_mode == FXT_BUFFERING_ONESHOT;
    uint32_t turn = header->wrapped_count;

    model.overtaken = false;
    if (!oneshot)
        expect_part(FXT_BUFFER_HEADER_BYTES, durable_from,
                    end_of(header, header->durable_data_end, header->durable_size), 0);
    if (!oneshot && turn > next)
        expect_turn(header, turn - 1);
    if (turn >= next)
        expect_turn(header, turn);
    model.inlined = header->definitions_inlined;
    model.drops += header->records_dropped != 0 || model.overtaken;
}

/* As save() is called. False if the manager must not begin. */
static bool expect_save(enum fxt_i_save_kind kind)
{
    static uint8_t seen[2][FUZZ_IMAGE_MAX];
    struct fxt_buffer_header header;
    struct fxt_error error;

    if (fxt_buffer_read_header(&header, image, tracee.bytes, tracee.bytes, &error) != FXT_OK)
        return false;
    header = fuzz_header(image);
    if (header.buffering_mode + 1 != (uint16_t)session.mode ||
        (kind == FXT_I_SAVE_HALF && !may_hand_over(&header)))
        return false;
    model.seen = seen[kind == FXT_I_SAVE_HALF];
    memcpy(model.seen, image, tracee.bytes);
    if (kind == FXT_I_SAVE_ALL)
        introduce(&model.judge);
    if (kind == FXT_I_SAVE_HALF)
        expect_half(&header);
    else
        expect_parts(&header, kind == FXT_I_SAVE_ALL ? 0 : tracee.section.durable_end,
                     kind == FXT_I_SAVE_ALL ? 0 : tracee.next_wrapped);
    return true;
}

/* One archive for all inputs, made new for each: mapping its memory takes longer than all else. */
static struct fxt_i_archive *new_archive(void)
{
    static struct fxt_i_archive *archive;
    struct fxt_writer writer;

    if (archive == NULL) {
        file = memfd_create("archive", MFD_CLOEXEC);
        archive = fxt_i_archive_create(manager.loop, 0, dup(file), false, nothing, NULL);
        FUZZ_CHECK(file >= 0 && archive != NULL);
    }
    FUZZ_CHECK(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    archive->bytes_written = 0;
    memset(archive->rates, 0, sizeof archive->rates);
    struct fxt_i_block *block = fxt_i_archive_block(archive, 8);
    FUZZ_CHECK(block != NULL);
    fxt_writer_init(&writer, block->bytes, 8);
    fxt_write_magic(&writer);
    block->size = writer.size;
    fxt_i_archive_put(archive, block);
    return archive;
}

/* The parts are copied in the first step. What the provider does to the halves then changes nothing. */
static void go_on(struct fxt_i_save *save, uint8_t scribble)
{
    uint64_t begin = FXT_BUFFER_HEADER_BYTES + save->header.durable_size;
    if (scribble != 0)
        memset(buffer, scribble, FXT_BUFFER_HEADER_BYTES);
    if (fxt_i_save_some(save))
        return;
    memset(buffer + begin, 0x5a, tracee.bytes - begin);
    while (!fxt_i_save_some(save))
        ;
}

/* False when it could not begin. scribble: not 0 is written over the header. */
static bool save(enum fxt_i_save_kind kind, uint8_t scribble)
{
    memcpy(buffer, image, tracee.bytes);
    bool expected = expect_save(kind);
    model.exact &= scribble == 0;
    enum fxt_i_save_verdict verdict = fxt_i_save_begin(&tracee, kind, session.archive);
    if (verdict == FXT_I_SAVE_BROKEN)
        tracee.misbehaved = true;
    FUZZ_CHECK(expected == (verdict == FXT_I_SAVE_BEGUN));
    if (verdict != FXT_I_SAVE_BEGUN)
        return false;
    go_on(fxt_i_save_of(&tracee, kind), scribble);
    return true;
}

/* What is in the archive. */
struct contents {
    size_t count;
    unsigned drops;
    bool inlined;
};

/* Of its metadata only the manager's own. */
static void take_metadata(struct contents *contents, const struct fxt_record *record)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_provider_event event;
    struct fxt_error error;

    if (record->header == FXT_MAGIC)
        return;
    if (fxt_read_provider_info(record, &info, &error) == FXT_OK) {
        FUZZ_CHECK(info.provider_id == ID && info.name.size == 6);
    } else if (fxt_read_provider_section(record, &section, &error) == FXT_OK) {
        FUZZ_CHECK(section.provider_id == ID);
    } else {
        FUZZ_CHECK(fxt_read_provider_event(record, &event, &error) == FXT_OK);
        FUZZ_CHECK(event.provider_id == ID);
        contents->drops++;
    }
}

/* But for the rate of an initialization record, which may differ by a thousandth. */
static bool is_same(const struct fxt_record *is, const struct fxt_record *was)
{
    struct fxt_initialization a, b;
    struct fxt_error error;

    if (is->words != was->words || is->header != was->header)
        return false;
    if (memcmp(is->bytes, was->bytes, 8 * (size_t)is->words) == 0)
        return true;
    if (fxt_read_initialization(is, &a, &error) != FXT_OK || is->words != 2 ||
        fxt_read_initialization(was, &b, &error) != FXT_OK)
        return false;
    uint64_t away = a.ticks_per_second > b.ticks_per_second
                        ? a.ticks_per_second - b.ticks_per_second
                        : b.ticks_per_second - a.ticks_per_second;
    return away <= a.ticks_per_second / 1000;
}

static void take_record(struct contents *contents, const struct fxt_record *record)
{
    struct fxt_blob blob;
    struct fxt_error error;

    if (record->type == FXT_RECORD_METADATA) {
        take_metadata(contents, record);
        return;
    }
    if (model.exact && contents->count < model.count)
        FUZZ_CHECK(is_same(record, &model.expected[contents->count]));
    else if (model.exact) { /* the manager's own, at the end */
        FUZZ_CHECK(model.inlined != 0 && contents->count == model.count);
        FUZZ_CHECK(fxt_read_blob(record, &blob, &error) == FXT_OK);
        contents->inlined = true;
    }
    contents->count++;
}

static void check_archive(const uint8_t *bytes, uint64_t size)
{
    static struct fuzz_judge judge;
    struct contents contents = {0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fuzz_judge_begin(&judge, 2);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        FUZZ_CHECK(fuzz_judge_is_good(&judge, &record));
        take_record(&contents, &record);
    }
    FUZZ_CHECK(status == FXT_END);
    if (!model.exact)
        return;
    FUZZ_CHECK(contents.count == model.count + (model.inlined != 0));
    FUZZ_CHECK(contents.inlined == (model.inlined != 0) && contents.drops == model.drops);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t archive[4 * FUZZ_IMAGE_MAX];
    size_t total = fuzz_image(image, bytes, size);

    if (total == 0)
        return 0;
    const uint8_t *head = bytes + 8;
    uint8_t scribble = (head[10] & SCRIBBLES) != 0 ? head[15] : 0;
    make_tracee(head, total);
    session.archive = new_archive();
    introduce(&model.judge);
    model.count = 0;
    model.inlined = 0;
    model.drops = 0;
    model.exact = true;
    if ((head[10] & ASKS) != 0 && save(FXT_I_SAVE_HALF, scribble))
        tracee.next_wrapped++;
    save((head[10] & FLUSH) != 0 ? FXT_I_SAVE_ALL : FXT_I_SAVE_REST, scribble);
    fxt_i_section_end(&tracee.section);
    ssize_t got = pread(file, archive, sizeof archive, 0);
    FUZZ_CHECK(got >= 8 && (uint64_t)got == session.archive->bytes_written);
    check_archive(archive, (uint64_t)got);
    return 0;
}
