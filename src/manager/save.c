/* From a buffer into an archive. What is in the buffer is copied once, into a block of the archive;
   all that follows looks at the copy. Records that break the format are left out, as are metadata
   records and fillers: what is in the block is moved together. */
#include <string.h>

#include <fxt/write.h>

#include "src/manager/manager.h"
#include "src/wire/layout.h"

/* Blocks begin with these: who wrote what follows. */
#define HEAD_BYTES (8 + 8 + 104)

#define CHUNK 14   /* metadata type: the head of a chunk; the one behind it is a filler */
#define FILLER 15  /* large type */
#define CLOSE 1000 /* ticks a second that differ by less than this part */

struct save {
    struct fxt_i_tracee *tracee;
    struct fxt_i_archive *archive;
    bool introduced; /* the tracee, in this archive */
};

static void check_bytes(struct fxt_checker *checker, const uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init(&reader, bytes, size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_check_record(checker, &record);
}

static void put_head(struct save *save, struct fxt_i_block *block)
{
    struct fxt_writer writer;
    const struct fxt_provider_info info = {
        .name = {(const uint8_t *)save->tracee->name, strlen(save->tracee->name)},
        .provider_id = save->tracee->id};
    const struct fxt_provider_section section = {.provider_id = save->tracee->id};

    fxt_writer_init(&writer, block->bytes, HEAD_BYTES);
    if (!save->introduced)
        fxt_write_provider_info(&writer, &info);
    else
        fxt_write_provider_section(&writer, &section);
    save->introduced = true;
    block->size = writer.size;
    check_bytes(&save->archive->checker, block->bytes, block->size);
}

/* Whether what the checker found is worse than odd; or a reference to what is not there, which comes
   of a record that was left out. */
static bool is_bad(const struct fxt_checker *checker, uint32_t count)
{
    if (count > FXT_FINDINGS_MAX)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        enum fxt_rule rule = checker->findings[i].rule;
        if (fxt_rule_class(rule) >= FXT_NONCONFORMING || rule == FXT_RULE_STR_02 ||
            rule == FXT_RULE_THR_02)
            return true;
    }
    return false;
}

/* A definition that is left out must not be known to the archive's checker: it is looked at by
   another one first. */
static bool is_bad_definition(const struct fxt_record *record)
{
    static struct fxt_provider provider;
    static uint32_t id;
    static uint8_t arena[65536];
    static struct fxt_check_thread thread[16];
    static struct fxt_check_open open[16];
    static struct fxt_checker checker;
    const struct fxt_check_memory memory = {.tables = {.providers = &provider,
                                                       .provider_ids = &id,
                                                       .arena = arena,
                                                       .provider_max = 1,
                                                       .arena_size = sizeof arena},
                                            .threads = thread,
                                            .opens = open,
                                            .thread_max = 16,
                                            .open_max = 16};
    fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
    return is_bad(&checker, fxt_check_record(&checker, record));
}

static bool is_definition(const struct fxt_record *record)
{
    return record->type == FXT_RECORD_STRING || record->type == FXT_RECORD_THREAD ||
           record->type == FXT_RECORD_INITIALIZATION;
}

/* What covers room, and the heads of chunks. */
static bool is_filler(const struct fxt_record *record)
{
    if (record->type == FXT_RECORD_METADATA)
        return fxt_metadata_header_metadata_type(record->header) >= CHUNK;
    return record->type == FXT_RECORD_LARGE && fxt_record_large_type(record) == FILLER;
}

/* Each provider has measured how fast this machine counts, and none quite the same: times of two of
   them could not be compared. So the first measure holds for all that are close to it. */
static void agree_on_ticks(struct fxt_i_archive *archive, const struct fxt_record *record,
                           uint8_t *bytes)
{
    struct fxt_initialization it;
    struct fxt_error error;
    struct fxt_writer writer;

    if (fxt_read_initialization(record, &it, &error) != FXT_OK || it.tail.words != 0 ||
        it.ticks_per_second == 0)
        return;
    if (archive->ticks_per_second == 0)
        archive->ticks_per_second = it.ticks_per_second;
    uint64_t agreed = archive->ticks_per_second;
    uint64_t away =
        agreed > it.ticks_per_second ? agreed - it.ticks_per_second : it.ticks_per_second - agreed;
    if (away > agreed / CLOSE)
        return;
    it.ticks_per_second = agreed;
    fxt_writer_init(&writer, bytes, 8 * (uint64_t)record->words);
    fxt_write_initialization(&writer, &it);
}

/* Metadata is the manager's to write. */
static bool is_good(struct fxt_checker *checker, const struct fxt_record *record)
{
    if (record->type == FXT_RECORD_METADATA || (is_definition(record) && is_bad_definition(record)))
        return false;
    return !is_bad(checker, fxt_check_record(checker, record));
}

/* bytes: the record's own. */
static bool is_wanted(struct save *save, const struct fxt_record *record, uint8_t *bytes)
{
    if (is_filler(record))
        return false;
    if (record->type == FXT_RECORD_INITIALIZATION)
        agree_on_ticks(save->archive, record, bytes);
    bool good = is_good(&save->archive->checker, record);
    save->tracee->records_refused += !good;
    return good;
}

/* Appends the wanted records of a span, which lies in the block behind all that was appended. */
static void take_span(struct save *save, struct fxt_i_block *block, uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    const uint8_t *run = bytes; /* wanted, and not moved yet */
    const uint8_t *end = bytes;

    fxt_reader_init(&reader, bytes, size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        uint8_t *at = bytes + record.offset;
        if (is_wanted(save, &record, at)) {
            end = at + 8 * (uint64_t)record.words;
            continue;
        }
        memmove(block->bytes + block->size, run, (size_t)(end - run));
        block->size += (uint64_t)(end - run);
        run = at + 8 * (uint64_t)record.words;
        end = run;
    }
    memmove(block->bytes + block->size, run, (size_t)(end - run));
    block->size += (uint64_t)(end - run);
}

/* The records of `size` bytes of the buffer. chunk_bytes: as of fxt_buffer_salvage. */
static void save_bytes(struct save *save, uint64_t offset, uint64_t size, uint32_t chunk_bytes)
{
    struct fxt_buffer_span span;
    uint64_t at = 0;

    if (size == 0 || save->archive->error != 0)
        return;
    struct fxt_i_block *block = fxt_i_archive_block(save->archive, HEAD_BYTES + size);
    if (block == NULL)
        return;
    uint8_t *copy = block->bytes + HEAD_BYTES;
    memcpy(block->bytes + HEAD_BYTES, save->tracee->buffer + offset, size);
    put_head(save, block);
    while (fxt_buffer_salvage(&span, &at, copy, size, chunk_bytes))
        take_span(save, block, copy + span.offset, span.size);
    save->tracee->bytes_written += block->size;
    fxt_i_archive_put(save->archive, block);
}

static void save_drops(struct save *save)
{
    const struct fxt_provider_event event = {.provider_id = save->tracee->id,
                                             .event_id = FXT_PROVIDER_EVENT_BUFFER_FULL};
    struct fxt_writer writer;

    if (save->tracee->header.records_dropped == 0 || save->archive->error != 0)
        return;
    struct fxt_i_block *block = fxt_i_archive_block(save->archive, HEAD_BYTES + 8);
    if (block == NULL)
        return;
    put_head(save, block);
    fxt_writer_init(&writer, block->bytes + block->size, 8);
    fxt_write_provider_event(&writer, &event);
    block->size += writer.size;
    fxt_i_archive_put(save->archive, block);
}

/* The header, of which a copy is looked at. */
static bool read_header(struct fxt_i_tracee *tracee, struct fxt_buffer_header *out)
{
    uint8_t copy[FXT_BUFFER_HEADER_BYTES];
    struct fxt_error error;

    memcpy(copy, tracee->buffer, sizeof copy);
    return fxt_buffer_read_header(out, copy, sizeof copy, tracee->bytes, &error) == FXT_OK &&
           out->buffering_mode + 1 == (uint16_t)tracee->session->mode;
}

void fxt_i_save_look(struct fxt_i_tracee *tracee)
{
    struct fxt_buffer_header header;
    if (tracee->buffer != NULL && read_header(tracee, &header))
        tracee->header = header;
}

bool fxt_i_save_half(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive)
{
    struct save save = {tracee, archive, tracee->introduced};
    struct fxt_buffer_header header;

    if (!read_header(tracee, &header) || tracee->save_durable_end > header.durable_size ||
        tracee->save_durable_end % 8 != 0 || tracee->save_durable_end < tracee->saved_durable_end ||
        tracee->save_wrapped != tracee->next_wrapped)
        return false;
    uint32_t half = tracee->save_wrapped & 1;
    tracee->header = header;
    save_bytes(&save, FXT_BUFFER_HEADER_BYTES + tracee->saved_durable_end,
               tracee->save_durable_end - tracee->saved_durable_end, 0);
    save_bytes(&save, FXT_BUFFER_HEADER_BYTES + header.durable_size + half * header.rolling_size,
               header.rolling_data_end[half], fxt_buffer_chunk_bytes(header.rolling_size));
    tracee->introduced = save.introduced;
    tracee->saved_durable_end = tracee->save_durable_end;
    tracee->next_wrapped++;
    return true;
}

/* All parts, each as far as it holds records; but not the first `durable_from` bytes of the durable
   one, nor halves below `next_wrapped`. When it has not stopped in order, nobody knows where its data
   ends. */
static void save_parts(struct save *save, uint64_t durable_from, uint32_t next_wrapped)
{
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    const struct fxt_buffer_header *header = &save->tracee->header;
    bool orderly = save->tracee->state == FXT_I_TRACEE_STOPPED && !save->tracee->died &&
                   !save->tracee->misbehaved;
    uint32_t count = fxt_buffer_parts(parts, header);

    for (uint32_t i = 0; i < count; i++) {
        bool durable = i == 0 && header->buffering_mode != FXT_BUFFERING_ONESHOT;
        bool older = i == 1 && header->wrapped_count > 0;
        uint64_t size = orderly && parts[i].size > 0 ? parts[i].size : parts[i].room;
        uint64_t from = durable && durable_from < size ? durable_from : 0;
        if (durable && durable_from >= size)
            continue;
        if (older && next_wrapped >= header->wrapped_count)
            continue;
        save_bytes(save, parts[i].offset + from, size - from,
                   durable ? 0 : fxt_buffer_chunk_bytes(parts[i].room));
    }
    save_drops(save);
}

static void save_now(struct save *save, uint64_t durable_from, uint32_t next_wrapped)
{
    struct fxt_i_tracee *tracee = save->tracee;
    struct fxt_buffer_header header;

    if (tracee->buffer == NULL || !tracee->started_once || tracee->ignored)
        return;
    if (!read_header(tracee, &header)) {
        if (!tracee->misbehaved)
            fxt_i_tracee_misbehaves(tracee, "the header of its buffer breaks the rules");
        return;
    }
    tracee->header = header;
    save_parts(save, durable_from, next_wrapped);
}

void fxt_i_save_rest(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive)
{
    struct save save = {tracee, archive, tracee->introduced};
    if (tracee->written)
        return;
    tracee->written = true;
    save_now(&save, tracee->saved_durable_end, tracee->next_wrapped);
    tracee->introduced = save.introduced;
}

void fxt_i_save_all(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive)
{
    struct save save = {tracee, archive, false};
    uint64_t written = tracee->bytes_written;
    uint64_t refused = tracee->records_refused;
    save_now(&save, 0, 0);
    tracee->bytes_written = written; /* they count once */
    tracee->records_refused = refused;
}
