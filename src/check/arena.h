/* The copies of registered text. The arena is a row of blocks: one word that names the owner, one
   word with the length, then the text padded to a word. A block is live while its owner still
   points at it; the others are garbage, and compaction squeezes them out. */
#ifndef FXT_CHECK_ARENA_H
#define FXT_CHECK_ARENA_H

#include <fxt/tables.h>

#define FXT_I_OWNER_OBJECT UINT32_MAX /* else the owner is a string of that provider */

/* Copies `text` (not empty) and gives the offset of the copy. FXT_FULL when there is no room even
   without the garbage; then nothing changed. May move every other text. */
enum fxt_status fxt_i_arena_add(struct fxt_tables *tables, uint32_t *offset, uint32_t owner,
                                uint32_t index, struct fxt_bytes text);

/* Makes room for a text of that length, if need be by compaction, which moves every other text.
   After FXT_OK fxt_i_arena_add of such a text does not move anything. */
enum fxt_status fxt_i_arena_room(struct fxt_tables *tables, uint64_t length);

/* Says that a text of that length is not needed any more. */
void fxt_i_arena_drop(struct fxt_tables *tables, uint64_t length);

#endif
