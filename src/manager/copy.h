/* A save in progress: from a buffer into an archive, a bounded amount at a time. */
#ifndef FXT_MANAGER_COPY_H
#define FXT_MANAGER_COPY_H

#include "src/buffer/parts.h"
#include "src/manager/archive.h"
#include "src/manager/section.h"

enum fxt_i_save_kind {
    FXT_I_SAVE_NOTHING,
    FXT_I_SAVE_HALF, /* the half that the tracee has handed over */
    FXT_I_SAVE_REST, /* everything that is not in the session's archive yet */
    FXT_I_SAVE_ALL,  /* the whole buffer, into an archive of its own */
};

/* Whole leases that were copied out of the buffer and not examined yet. The copy lies in a block
   of the archive, after room for the records that the manager writes first. */
#define FXT_I_SAVE_HEAD (8 + 8 + 104)
struct fxt_i_piece {
    struct fxt_i_piece *next;
    struct fxt_i_block *block;
    uint64_t offset; /* in the buffer */
    uint64_t size;
    uint64_t copied;
    uint32_t chunk_bytes;
};
static inline uint8_t *fxt_i_piece_bytes(const struct fxt_i_piece *piece)
{
    return piece->block->bytes + FXT_I_SAVE_HEAD;
}

struct fxt_i_save {
    enum fxt_i_save_kind kind;
    struct fxt_i_tracee *tracee;
    struct fxt_buffer_header header; /* as it was when the save began */
    struct fxt_i_archive *archive;
    struct fxt_i_section *section; /* of the tracee in the archive */
    struct fxt_i_section own;      /* the section of FXT_I_SAVE_ALL */
    struct fxt_i_source sources[FXT_BUFFER_PARTS_MAX];
    uint32_t source_count;
    uint32_t source;          /* the rolling part that is being copied */
    uint64_t at;              /* copied bytes of that source */
    uint64_t definitions_end; /* bytes of the durable part, unless its header keeps count */
    struct fxt_i_piece *open; /* the piece that is being copied */
    struct fxt_i_piece *first;
    struct fxt_i_piece **last;
    uint64_t ahead; /* bytes of the pieces */
    bool is_live;   /* the provider may be writing to the rolling parts */
    bool overrun;   /* the ring overwrote something before it was copied */
};

/* Loads a word of a buffer while the provider may write to it. */
uint64_t fxt_i_shared_word(const uint8_t *at);
/* Copies some more into the open piece, or opens one. False if everything is copied. */
bool fxt_i_copy_some(struct fxt_i_save *save, const uint8_t *buffer);
/* Discards the copies that are not in the archive. */
void fxt_i_copy_discard(struct fxt_i_save *save);

#endif
