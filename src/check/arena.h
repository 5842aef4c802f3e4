/* The copies of registered text. The arena is a row of blocks: a word that names the owner, a word
   with the length, then the text, padded to a word. A block is live while its owner points to it.
   The other blocks are garbage, which compaction removes. */
#ifndef FXT_CHECK_ARENA_H
#define FXT_CHECK_ARENA_H

#include <fxt/tables.h>

#include "spec/acsl/check.h"

#define FXT_I_OWNER_OBJECT UINT32_MAX /* other numbers: the owner is a string of that provider */

/* Makes room for a text of that length. If necessary, compacts, which may move every other text.
   FXT_FULL if there is no room even after compaction. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && length <= 65535;
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @ ensures room: \result == FXT_OK
  @         <==> tables->arena_used + l_block(length) <= tables->arena_size;
  @*/
enum fxt_status fxt_i_arena_room(struct fxt_tables *tables, uint64_t length);

/* Copies `text` (not empty) into the room that was made for it, and returns the offset of the copy.
   The text may be in the arena itself. */
/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ requires text.size <= 65535 && readable(text.bytes, text.size);
  @ requires tables->arena_used + l_block(text.size) <= tables->arena_size;
  @ requires \separated(text.bytes + (0 .. text.size - 1),
  @                     tables->arena + (tables->arena_used .. tables->arena_size - 1));
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena[tables->arena_used .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures place: \result == \old(tables->arena_used) + 16
  @         && tables->arena_used == \old(tables->arena_used) + l_block(text.size);
  @ ensures copied: \forall integer i; 0 <= i < text.size
  @         ==> tables->arena[\result + i] == \old(text.bytes[i]);
  @*/
uint32_t fxt_i_arena_put(struct fxt_tables *tables, uint32_t owner, uint32_t index,
                         struct fxt_bytes text);

/* Counts a text of that length as garbage. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && length <= 65535;
  @ terminates \true;
  @ assigns tables->arena_garbage;
  @ ensures ok: fxt_tables_ok(tables);
  @*/
void fxt_i_arena_drop(struct fxt_tables *tables, uint64_t length);

#endif
