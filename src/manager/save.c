/* Copies records from a buffer into an archive. The contents of the buffer are copied once, into
   a block of the archive, and everything that follows uses the copy. Records that break the
   format, metadata records and fillers are left out, and the remaining records are moved
   together.

   The definitions to which a piece of a rolling part refers were in the durable part before the
   piece was copied. So the new records of the durable part are copied after the piece, and
   written before it. Only the loop's thread calls this. */
#include "src/manager/manager.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/write.h>

#include "src/base/word.h"
#include "src/buffer/chunk.h"
#include "src/convert/salvage.h"
#include "src/manager/size.h"
#include "src/socket/shared.h"

#define CLOSE 1000 /* rates are equal if they differ by less than this fraction */

static void check_bytes(struct fxt_i_section *section, const uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init(&reader, bytes, size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_i_section_check(section, &record);
}

static void put_head(struct fxt_i_save *save, struct fxt_i_block *block)
{
    struct fxt_writer writer;
    struct fxt_i_section *section = save->section;
    const struct fxt_i_tracee *tracee = save->tracee;
    const struct fxt_provider_info info = {
        .name = {(const uint8_t *)tracee->name, strlen(tracee->name)}, .provider_id = tracee->id};
    const struct fxt_provider_section again = {.provider_id = tracee->id};

    fxt_writer_init(&writer, block->bytes, FXT_I_SAVE_HEAD);
    if (!section->introduced)
        fxt_write_provider_info(&writer, &info);
    else
        fxt_write_provider_section(&writer, &again);
    section->introduced = true;
    block->size = writer.size;
    check_bytes(section, block->bytes, block->size);
}

/* True if a finding is nonconforming or worse, or if a reference dangles because the record that
   defined it was dropped. */
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

static bool is_definition(const struct fxt_record *record)
{
    return record->type == FXT_RECORD_STRING || record->type == FXT_RECORD_THREAD ||
           record->type == FXT_RECORD_INITIALIZATION;
}

static void log_clock(const struct fxt_i_tracee *tracee, uint64_t rate)
{
    fxt_i_log(tracee->session->manager,
              "%s (process %llu): its clock, of %llu ticks a second, is not that of the other "
              "programs, and its times cannot be compared with theirs",
              tracee->name, (unsigned long long)tracee->process, (unsigned long long)rate);
}

/* Each provider measures the tick rate of this machine, with slightly different results, so the
   times of two providers could not be compared. So the first rate replaces all that are close to
   it. A rate that is close to none begins a group of its own and does not affect the others: it is of
   another clock. */
static uint64_t agreed_rate(struct fxt_i_save *save, uint64_t rate)
{
    uint64_t *rates = save->archive->rates;
    uint64_t agreed = rate;
    uint32_t i = 0;

    while (i < FXT_I_RATES && rates[i] != 0) {
        uint64_t away = rates[i] > rate ? rates[i] - rate : rate - rates[i];
        if (away <= (rates[i] - 1) / CLOSE) {
            agreed = rates[i];
            break;
        }
        i++;
    }
    if (i > 0 && (i == FXT_I_RATES || rates[i] == 0) && save->kind != FXT_I_SAVE_ALL)
        log_clock(save->tracee, rate);
    if (i == FXT_I_RATES) /* the oldest rate is forgotten */
        i--;
    memmove(rates + 1, rates, i * sizeof *rates); /* the latest rate comes first */
    rates[0] = agreed;
    return agreed;
}

static void agree_on_ticks(struct fxt_i_save *save, const struct fxt_record *record, uint8_t *bytes)
{
    struct fxt_initialization it;
    struct fxt_error error;
    struct fxt_writer writer;

    if (fxt_read_initialization(record, &it, &error) != FXT_OK || it.tail.words != 0 ||
        it.ticks_per_second == 0)
        return;
    it.ticks_per_second = agreed_rate(save, it.ticks_per_second);
    fxt_writer_init(&writer, bytes, 8 * (uint64_t)record->words);
    fxt_write_initialization(&writer, &it);
}

/* The archive's checker must not learn a definition that is left out, so a checker without state
   judges it first. */
static bool is_good(struct fxt_i_section *section, const struct fxt_record *record)
{
    if (is_definition(record) && is_bad(section->alone, fxt_i_section_check_alone(section, record)))
        return false;
    return !is_bad(section->checker, fxt_i_section_check(section, record));
}

static void refuse(struct fxt_i_save *save, uint64_t records)
{
    if (save->kind != FXT_I_SAVE_ALL) /* refused records count once */
        save->tracee->records_refused += records;
}

/* Whether the record goes into the archive. May change the record, which is at `bytes`. */
static bool is_wanted(struct fxt_i_save *save, const struct fxt_record *record, uint8_t *bytes)
{
    if (record->type == FXT_RECORD_INITIALIZATION)
        agree_on_ticks(save, record, bytes);
    bool good = is_good(save->section, record);
    refuse(save, !good);
    return good;
}

static void move_run(struct fxt_i_block *block, const uint8_t *run, uint64_t size)
{
    memmove(block->bytes + block->size, run, size);
    block->size += size;
}

/* Moves the wanted records of a copy, which lies in the block, to the end of the records that the
   block has. */
static void take_records(struct fxt_i_save *save, struct fxt_i_block *block, uint8_t *copy,
                         uint64_t size, uint32_t chunk_bytes)
{
    struct fxt_salvage salvage;
    struct fxt_record record;
    uint64_t run = 0; /* start of wanted records that are not moved yet */
    uint64_t end = 0;

    fxt_salvage_init_copy(&salvage, copy, size, chunk_bytes);
    while (fxt_salvage_next(&salvage, &record)) {
        if (!is_wanted(save, &record, copy + record.offset))
            continue;
        if (record.offset != end) {
            move_run(block, copy + run, end - run);
            run = record.offset;
        }
        end = record.offset + FXT_WORD_BYTES * (uint64_t)record.words;
    }
    move_run(block, copy + run, end - run);
    refuse(save, salvage.metadata_count);
}

static void put(struct fxt_i_save *save, struct fxt_i_block *block)
{
    if (save->kind != FXT_I_SAVE_ALL)
        save->tracee->bytes_written += block->size;
    fxt_i_archive_put(save->archive, block);
}

static void put_piece(struct fxt_i_save *save, struct fxt_i_piece *piece)
{
    put_head(save, piece->block);
    take_records(save, piece->block, fxt_i_piece_bytes(piece), piece->size, piece->chunk_bytes);
    put(save, piece->block);
    free(piece);
}

static void put_first_piece(struct fxt_i_save *save)
{
    struct fxt_i_piece *piece = save->first;

    assert(save->ahead >= piece->size);
    save->first = piece->next;
    if (save->first == NULL)
        save->last = &save->first;
    save->ahead -= piece->size;
    put_piece(save, piece);
}

/* Definitions. */

static bool ends_are_kept(const struct fxt_i_save *save)
{
    return (save->header.flags & FXT_BUFFER_ENDS_KEPT) != 0;
}

/* How many bytes of the durable part may hold records now. */
static uint64_t definitions_end(const struct fxt_i_save *save)
{
    uint64_t end = save->definitions_end;

    if (ends_are_kept(save))
        end = fxt_i_shared_word(save->tracee->buffer + FXT_I_HEADER_DURABLE_END) / 8 * 8;
    return end < save->header.durable_size ? end : save->header.durable_size;
}

/* The size of the definition that begins with `word`, with `left` bytes up to the end of the data
   and `behind` bytes up to the end of the part. 0 if no definition is there yet: the filler of
   the rest of the part is not a definition. */
static uint64_t definition_bytes(uint64_t word, uint64_t left, uint64_t behind)
{
    bool filler = fxt_i_is_filler(word) || fxt_record_header_type(word) == FXT_RECORD_METADATA;
    uint64_t bytes = fxt_i_record_bytes(word);
    return bytes > left || (filler && bytes == behind) ? 0 : bytes;
}

/* Copies new records of the durable part, or some of them, into the archive. False if there are
   none. */
static bool put_definitions(struct fxt_i_save *save)
{
    const uint8_t *durable = save->tracee->buffer + FXT_BUFFER_HEADER_BYTES;
    uint64_t part = save->header.durable_size;
    uint64_t from = save->section->durable_end;
    uint64_t end = definitions_end(save);

    if (from >= end)
        return false;
    uint64_t size = definition_bytes(fxt_i_shared_word(durable + from), end - from, part - from);
    if (size == 0)
        return false;
    if (size < FXT_I_DEFINITIONS)
        size = end - from < FXT_I_DEFINITIONS ? end - from : FXT_I_DEFINITIONS;
    struct fxt_i_block *block = fxt_i_archive_block(save->archive, FXT_I_SAVE_HEAD + size);
    if (block == NULL)
        return false;
    uint8_t *copy = block->bytes + FXT_I_SAVE_HEAD;
    assert(from % 8 == 0 && size % 8 == 0 && from + size <= part);
    fxt_copy_shared(copy, durable + from, size);
    uint64_t whole = 0;
    uint64_t next = 8;
    while (next > 0 && whole < size) {
        next = definition_bytes(fxt_load_word(copy + whole), size - whole, part - from - whole);
        whole += next;
    }
    put_head(save, block);
    take_records(save, block, copy, whole, 0);
    put(save, block);
    save->section->durable_end = from + whole;
    return whole > 0;
}

static void put_drops(struct fxt_i_save *save)
{
    struct fxt_i_archive *archive = save->archive;

    if (save->header.records_dropped == 0 && !save->overrun)
        return;
    struct fxt_i_block *block = fxt_i_archive_block(archive, FXT_I_SAVE_HEAD + FXT_WORD_BYTES);
    if (block == NULL)
        return;
    put_head(save, block);
    fxt_store_word(block->bytes + block->size, fxt_i_drops_record(save->tracee->id));
    block->size += FXT_WORD_BYTES;
    assert(block->size <= block->room);
    fxt_i_archive_put(archive, block);
}

/* Writes a blob that reports inlined definitions: no provider event does. */
static void put_inlined(struct fxt_i_save *save)
{
    static const char name[] = "definitions inlined";
    struct fxt_i_archive *archive = save->archive;
    struct fxt_writer writer;
    char text[100];

    if (save->header.definitions_inlined == 0)
        return;
    struct fxt_i_block *block =
        fxt_i_archive_block(archive, FXT_I_SAVE_HEAD + 16 + sizeof name + sizeof text);
    if (block == NULL)
        return;
    int length =
        snprintf(text, sizeof text,
                 "%" PRIu64 " times a name found no room in the durable part of the buffer",
                 save->header.definitions_inlined);
    const struct fxt_blob blob = {.name = fxt_string_inline(name, sizeof name - 1),
                                  .payload = {(const uint8_t *)text, (uint64_t)length},
                                  .blob_type = FXT_BLOB_DATA};
    put_head(save, block);
    fxt_writer_init(&writer, block->bytes + block->size, block->room - block->size);
    fxt_write_blob(&writer, &blob);
    block->size += writer.size;
    fxt_i_archive_put(archive, block);
}

/* Reads the header from a copy of it. */
static bool read_header(const struct fxt_i_tracee *tracee, struct fxt_buffer_header *out)
{
    uint64_t copy[FXT_BUFFER_HEADER_BYTES / 8];
    struct fxt_error error;

    fxt_copy_shared(copy, tracee->buffer, sizeof copy);
    return fxt_buffer_read_header(out, (const uint8_t *)copy, sizeof copy, tracee->bytes, &error) ==
               FXT_OK &&
           out->buffering_mode + 1 == (uint16_t)tracee->session->mode;
}

void fxt_i_save_reread_header(struct fxt_i_tracee *tracee)
{
    struct fxt_buffer_header header;
    if (tracee->buffer != NULL && read_header(tracee, &header))
        tracee->header = header;
}

/* Begin. */

static bool has_stopped_properly(const struct fxt_i_tracee *tracee)
{
    return tracee->state == FXT_I_TRACEE_STOPPED && !tracee->died && !tracee->misbehaved;
}

/* A half may be saved in streaming mode, if its wrapped count is the next one and the definitions
   have not shrunk. */
static bool may_be_saved(const struct fxt_i_tracee *tracee, const struct fxt_buffer_header *header)
{
    return header->buffering_mode == FXT_BUFFERING_STREAMING &&
           tracee->save_durable_end <= header->durable_size && tracee->save_durable_end % 8 == 0 &&
           tracee->save_durable_end >= tracee->last_durable_end &&
           tracee->save_wrapped == tracee->next_wrapped;
}

static void add_half(struct fxt_i_save *save)
{
    struct fxt_i_tracee *tracee = save->tracee;

    fxt_i_half_source(&save->sources[0], &save->header, tracee->save_wrapped);
    save->source_count = 1;
    save->definitions_end = tracee->save_durable_end;
    tracee->last_durable_end = tracee->save_durable_end;
}

/* Adds each part up to the end of its records, but no half of a lap below `next_wrapped`. */
static void add_parts(struct fxt_i_save *save, uint32_t next_wrapped)
{
    const struct fxt_i_tracee *tracee = save->tracee;

    save->source_count =
        fxt_i_sources(save->sources, &save->header, has_stopped_properly(tracee), next_wrapped);
    save->is_live = tracee->provider != NULL && tracee->state != FXT_I_TRACEE_STOPPED;
    if (!save->sources[0].is_durable)
        return;
    save->definitions_end = save->sources[0].size;
    save->source = 1;
}

static enum fxt_i_save_verdict may_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind)
{
    struct fxt_buffer_header header;

    if (kind == FXT_I_SAVE_REST) {
        if (tracee->written)
            return FXT_I_SAVE_NONE;
        tracee->written = true;
    }
    if (tracee->buffer == NULL || tracee->ignored ||
        (kind == FXT_I_SAVE_REST && !tracee->started_once))
        return FXT_I_SAVE_NONE;
    if (!read_header(tracee, &header))
        return tracee->started_once && !tracee->misbehaved ? FXT_I_SAVE_BROKEN : FXT_I_SAVE_NONE;
    if (kind == FXT_I_SAVE_HALF && !may_be_saved(tracee, &header))
        return FXT_I_SAVE_NONE;
    tracee->header = header;
    return FXT_I_SAVE_BEGUN;
}

enum fxt_i_save_verdict fxt_i_save_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind,
                                         struct fxt_i_archive *archive)
{
    struct fxt_i_save *save = fxt_i_save_of(tracee, kind);

    enum fxt_i_save_verdict verdict = may_begin(tracee, kind);
    if (verdict != FXT_I_SAVE_BEGUN)
        return verdict;
    assert(save->kind == FXT_I_SAVE_NOTHING && save->first == NULL && save->open == NULL);
    memset(save, 0, sizeof *save);
    save->tracee = tracee;
    save->header = tracee->header;
    save->kind = kind;
    save->archive = archive;
    save->section = kind == FXT_I_SAVE_ALL ? &save->own : &tracee->section;
    save->last = &save->first;
    if (!fxt_i_section_begin(save->section))
        fxt_i_archive_fail(archive, ENOMEM);
    if (kind == FXT_I_SAVE_HALF)
        add_half(save);
    else
        add_parts(save, kind == FXT_I_SAVE_REST ? tracee->next_wrapped : 0);
    return FXT_I_SAVE_BEGUN;
}

/* Go on. */

void fxt_i_save_end(struct fxt_i_save *save)
{
    fxt_i_copy_discard(save);
    fxt_i_section_end(&save->own);
    save->kind = FXT_I_SAVE_NOTHING;
}

/* Copies as far ahead as allowed: the provider can no longer overwrite what is copied. */
static void copy_ahead(struct fxt_i_save *save)
{
    for (int i = 0; i < FXT_I_AT_ONCE && save->ahead < FXT_I_AHEAD; i++)
        if (!fxt_i_copy_some(save, save->tracee->buffer))
            return;
}

bool fxt_i_save_some(struct fxt_i_save *save)
{
    assert(save->kind != FXT_I_SAVE_NOTHING);
    assert(save->tracee->buffer != NULL);
    if (save->archive->error == 0)
        copy_ahead(save);
    if (save->archive->error == 0 && put_definitions(save))
        return false;
    if (save->archive->error == 0 && save->first != NULL) {
        put_first_piece(save);
        return false;
    }
    if (save->archive->error == 0 && save->open != NULL)
        return false;
    if (save->archive->error == 0 && save->kind != FXT_I_SAVE_HALF) {
        put_drops(save);
        put_inlined(save);
    }
    fxt_i_save_end(save);
    return true;
}
