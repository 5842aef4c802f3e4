/* Copies rolling parts out of a buffer, piece by piece, while the provider may go on writing.

   A piece consists of whole leases, so no record spans two pieces. The code that follows uses the
   copy only.

   A provider stores a record's first word last, with release order. So a reader that loads words
   in ascending order, each with acquire order, sees a whole record behind every first word that
   it has seen. On x86 these are plain loads.

   A half of the buffer may be used again while it is copied. Before the provider writes anything
   new into a half, it stores 0 into the first word of every chunk. An acquire load orders later
   loads after it. So a reader that has copied a new word, and then loads the first word of the
   lease again, finds it changed. Such a lease is voided in the copy. If this happens in the older
   half, everything of that half that is not in the archive yet is discarded. If it happens in the
   half that was current, what is left of that half is lost. The archive tells both.

   Only the loop's thread calls this. Assertions check the manager's own sums, never words of the
   buffer. */
#include "src/manager/copy.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/word.h"
#include "src/buffer/chunk.h"
#include "src/manager/size.h"
#include "src/socket/shared.h"

#define EMPTY (UINT64_C(1) << 16) /* empty chunks skipped at a time */

uint64_t fxt_i_shared_word(const uint8_t *at)
{
    uint64_t word;
    fxt_copy_shared(&word, at, sizeof word);
    return fxt_load_word((const uint8_t *)&word);
}

/* The size of the lease or empty chunk that begins with that word. Any other word begins a part
   without lease headers, which fills all that is left. While a provider that writes lease headers
   is running, only the first word of the part tells the two apart. */
static uint64_t lease_bytes(const struct fxt_i_save *save, uint64_t at, uint64_t word)
{
    const struct fxt_i_source *source = &save->sources[save->source];
    uint64_t left = source->size - at;
    if (source->chunk_bytes == 0)
        return left;
    uint64_t chunks = source->room / source->chunk_bytes;
    uint64_t count = 1;

    if (fxt_i_is_lease_head(word))
        count = fxt_i_lease_head_chunks(word);
    else if (word != 0 && (at == 0 || !save->is_live))
        return left;
    if (at / source->chunk_bytes + count >= chunks) /* the last chunk is larger */
        return left;
    uint64_t bytes = count * source->chunk_bytes;
    if (word == 0 && left < bytes + source->chunk_bytes) /* the data end cuts the next: BUF-11 */
        return left;
    return bytes < left ? bytes : left;
}

static void void_lease(const struct fxt_i_source *source, uint8_t *lease, uint64_t bytes)
{
    uint64_t step = source->chunk_bytes != 0 ? source->chunk_bytes : bytes;
    for (uint64_t at = 0; at + 8 <= bytes; at += step)
        memset(lease + at, 0, 8);
}

static void free_piece(struct fxt_i_piece *piece)
{
    if (piece != NULL)
        free(piece->block);
    free(piece);
}

void fxt_i_copy_discard(struct fxt_i_save *save)
{
    while (save->first != NULL) {
        struct fxt_i_piece *next = save->first->next;
        free_piece(save->first);
        save->first = next;
    }
    save->last = &save->first;
    save->ahead = 0;
    free_piece(save->open);
    save->open = NULL;
}

/* The provider uses the older half again while it is copied. Discards the copies that are not in
   the archive yet. So the current half follows a gap, and not a fragment of the older half,
   unless a fragment is already in the archive. */
static void discard_older(struct fxt_i_save *save)
{
    save->overrun = true;
    fxt_i_copy_discard(save);
    save->at = save->sources[save->source].size;
}

/* The provider sets the data end of a half to 0 before it clears the half's lease headers, and
   raises the wrapped count afterwards. */
static bool is_reused(const struct fxt_i_save *save, const uint8_t *buffer)
{
    const struct fxt_i_source *source = &save->sources[save->source];
    const struct fxt_buffer_header *header = &save->header;
    uint32_t half = source->lap & 1;
    uint64_t end = fxt_i_shared_word(buffer + FXT_I_HEADER_ROLLING_END + 8 * half);
    uint64_t second = fxt_i_shared_word(buffer + FXT_I_HEADER_SECOND);

    if ((header->flags & FXT_BUFFER_ENDS_KEPT) != 0 && end < header->rolling_data_end[half])
        return true;
    return fxt_i_header_wrapped(second) - source->lap > 1;
}

/* Whether the lease or empty chunk stayed unchanged while it was copied. Another first word
   belongs to a lease whose header has been overwritten meanwhile, a lease of another lap was
   written after the half was used again, and a chunk is empty, too, while the half is being
   cleared. */
static bool is_unchanged(const struct fxt_i_save *save, const uint8_t *buffer, uint64_t at,
                         uint64_t word)
{
    const struct fxt_i_source *source = &save->sources[save->source];

    if (!save->is_live)
        return true;
    if (word == 0)
        return !is_reused(save, buffer);
    if (source->chunk_bytes == 0 || !fxt_i_is_lease_head(word))
        return at == 0;
    return fxt_i_lease_head_is_of(word, source->lap) &&
           fxt_i_shared_word(buffer + source->offset + at) == word;
}

/* Cuts the piece after its last whole lease. If it holds only a fragment of one lease, it grows
   instead. */
static void close_piece(struct fxt_i_save *save, const uint8_t *buffer)
{
    const struct fxt_i_source *source = &save->sources[save->source];
    struct fxt_i_piece *piece = save->open;
    uint64_t whole = 0;

    assert(piece->copied == piece->size && save->source < save->source_count);
    assert(piece->offset == source->offset + save->at);
    while (whole < piece->size) {
        uint8_t *lease = fxt_i_piece_bytes(piece) + whole;
        uint64_t word = fxt_load_word(lease);
        uint64_t bytes = lease_bytes(save, save->at + whole, word);
        if (bytes > piece->size - whole) {
            if (whole == 0)
                piece->size = bytes;
            break;
        }
        if (!is_unchanged(save, buffer, save->at + whole, word)) {
            if (source->is_older) {
                discard_older(save);
                return;
            }
            void_lease(source, lease, bytes);
            save->overrun = true;
        }
        whole += bytes;
    }
    if (whole == 0)
        return;
    assert(whole <= piece->size && whole <= source->size - save->at);
    piece->size = whole;
    save->at += whole;
    save->ahead += whole;
    save->open = NULL;
    *save->last = piece;
    save->last = &piece->next;
}

static bool make_room(struct fxt_i_piece *piece, uint64_t bytes)
{
    struct fxt_i_block *block = realloc(piece->block, sizeof *block + FXT_I_SAVE_HEAD + bytes);
    if (block == NULL)
        return false;
    *block = (struct fxt_i_block){.room = FXT_I_SAVE_HEAD + bytes};
    piece->block = block;
    return true;
}

/* Skips chunks that nobody has taken. Chunks are also empty while the half is being prepared for
   reuse, which is checked here. False at the end of the source. */
static bool skip_empty(struct fxt_i_save *save, const uint8_t *buffer)
{
    const struct fxt_i_source *source = &save->sources[save->source];

    for (uint64_t i = 0; i < EMPTY && save->at < source->size; i++) {
        if (fxt_i_shared_word(buffer + source->offset + save->at) != 0)
            return true;
        if (!is_unchanged(save, buffer, save->at, 0)) {
            if (source->is_older) {
                discard_older(save);
                return false;
            }
            save->overrun = true;
        }
        save->at += lease_bytes(save, save->at, 0);
    }
    return save->at < source->size;
}

/* Opens a piece of the next source that is not empty. NULL if there is none, or no memory. */
static struct fxt_i_piece *open_piece(struct fxt_i_save *save, const uint8_t *buffer)
{
    while (save->source < save->source_count && !skip_empty(save, buffer)) {
        save->source++;
        save->at = 0;
    }
    if (save->source == save->source_count)
        return NULL;
    const struct fxt_i_source *source = &save->sources[save->source];
    uint64_t left = source->size - save->at;
    struct fxt_i_piece *piece = calloc(1, sizeof *piece);
    if (piece == NULL) {
        fxt_i_archive_fail(save->archive, ENOMEM);
        return NULL;
    }
    piece->offset = source->offset + save->at;
    piece->size = left < FXT_I_PIECE ? left : FXT_I_PIECE;
    piece->chunk_bytes = source->chunk_bytes;
    return piece;
}

bool fxt_i_copy_some(struct fxt_i_save *save, const uint8_t *buffer)
{
    if (save->open == NULL)
        save->open = open_piece(save, buffer);
    struct fxt_i_piece *piece = save->open;
    if (piece == NULL)
        return false;
    if ((piece->block == NULL || piece->block->room < FXT_I_SAVE_HEAD + piece->size) &&
        !make_room(piece, piece->size)) {
        fxt_i_archive_fail(save->archive, ENOMEM);
        return false;
    }
    uint64_t left = piece->size - piece->copied;
    uint64_t size = left < FXT_I_PIECE ? left : FXT_I_PIECE;
    assert(size % 8 == 0 && (piece->offset + piece->copied) % 8 == 0);
    assert(piece->copied + size <= piece->size);
    fxt_copy_shared(fxt_i_piece_bytes(piece) + piece->copied,
                    buffer + piece->offset + piece->copied, size);
    piece->copied += size;
    if (piece->copied == piece->size)
        close_piece(save, buffer);
    return true;
}
