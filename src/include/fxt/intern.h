/* Interning: gives strings and threads their table index and writes the string or thread record
   on first use. The caller gives the memory; one interner belongs to one writer (one provider).

   A string that is too long for the memory, or that comes when the table is full, is either
   written inline (FXT_INTERN_INLINE) or makes the table start again from index 1, replacing old
   registrations (FXT_INTERN_EVICT, STT-03). Refs that were given before a restart are void: use a
   ref in the next record only.

   What the slots and the text hold need not be trusted: whatever it is, no call reads or writes
   outside the memory that was given, and every call ends. The interner, its slots, its text, the
   writer, the writer's memory and what is to be interned do not overlap. */
#ifndef FXT_INTERN_H
#define FXT_INTERN_H

#include <fxt/write.h>

enum fxt_intern_policy { FXT_INTERN_INLINE, FXT_INTERN_EVICT };

struct fxt_intern_slot {
    uint32_t hash;
    uint32_t offset; /* of the text in the interner's memory */
    uint16_t length;
    uint16_t index; /* 0: the slot is free */
};

struct fxt_intern_thread {
    uint64_t process;
    uint64_t thread;
};

struct fxt_interner {
    struct fxt_intern_slot *slots; /* slot_count of them, a power of two */
    uint8_t *text;
    uint32_t slot_count;
    uint32_t text_size;
    uint32_t text_used;
    uint16_t string_count;
    uint16_t string_max; /* at most 32767 and at most half of slot_count */
    uint16_t thread_count;
    enum fxt_intern_policy policy;
    struct fxt_intern_thread threads[FXT_THREAD_INDEX_MAX];
};

/*@ // The interner's memory is there and apart, and the counts are within it. What the slots and
  @ // the text hold is not trusted.
  @ predicate fxt_interner_ok(struct fxt_interner *i) =
  @   2 <= i->slot_count <= 65536 && \valid(i->slots + (0 .. i->slot_count - 1)) &&
  @   writable(i->text, i->text_size) && i->text_used <= i->text_size &&
  @   i->string_count <= 32767 && i->string_max <= 32767 && i->thread_count <= 255 &&
  @   \separated(i, i->slots + (0 .. i->slot_count - 1)) &&
  @   \separated(i, i->text + (0 .. i->text_size - 1)) &&
  @   \separated(i->slots + (0 .. i->slot_count - 1), i->text + (0 .. i->text_size - 1));
  @ // The interner and its memory, the writer and the free part of its memory, and the ref.
  @ predicate interner_apart(struct fxt_interner *i, struct fxt_writer *w) =
  @   \separated(w, i) && \separated(w, i->slots + (0 .. i->slot_count - 1)) &&
  @   \separated(w, i->text + (0 .. i->text_size - 1)) &&
  @   \separated(i, w->bytes + (w->size .. w->capacity - 1)) &&
  @   \separated(i->slots + (0 .. i->slot_count - 1), w->bytes + (w->size .. w->capacity - 1)) &&
  @   \separated(i->text + (0 .. i->text_size - 1), w->bytes + (w->size .. w->capacity - 1));
  @*/

/* slot_count: a power of two, 2 … 65536; half of it is how many strings the table holds (32767 at
   most). text_size: bytes for the strings' text. Clears the slots. FXT_INVALID for a slot_count
   that is no such power. */
/*@ requires \valid(interner) && \valid(slots + (0 .. slot_count - 1));
  @ requires writable(text, text_size);
  @ requires apart: \separated(interner, slots + (0 .. slot_count - 1)) &&
  @     \separated(interner, text + (0 .. text_size - 1)) &&
  @     \separated(slots + (0 .. slot_count - 1), text + (0 .. text_size - 1));
  @ terminates \true;
  @ assigns *interner, slots[0 .. slot_count - 1];
  @ ensures \result \in {FXT_OK, FXT_INVALID};
  @ ensures ok: \result == FXT_OK ==> fxt_interner_ok(interner) && interner->slots == slots &&
  @     interner->text == text && interner->string_count == 0 && interner->thread_count == 0;
  @*/
FXT_API enum fxt_status fxt_intern_init(struct fxt_interner *interner,
                                        struct fxt_intern_slot *slots, uint32_t slot_count,
                                        uint8_t *text, uint32_t text_size,
                                        enum fxt_intern_policy policy);

/* The ref for these bytes: the empty string, an index (its record is written now if it is new), or
   inline. FXT_FULL when the writer has no room for the string record (the table is unchanged),
   FXT_INVALID when length is over 32000. An inline ref points at the caller's bytes. */
/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ requires \valid(writer) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @ requires given: stream_given(writer, bytes, length);
  @ requires apart: bytes != \null ==>
  @     \separated(bytes + (0 .. length - 1), interner->text + (0 .. interner->text_size - 1));
  @ requires ref: \valid(ref) && \separated(ref, interner, writer) &&
  @     \separated(ref, interner->slots + (0 .. interner->slot_count - 1));
  @ terminates \true;
  @ assigns *ref, interner->string_count, interner->text_used;
  @ assigns interner->slots[0 .. interner->slot_count - 1];
  @ assigns interner->text[0 .. interner->text_size - 1];
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures writer: fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> length > 32000 || (length > 0 && bytes == \null);
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size) &&
  @     interner->string_count == \old(interner->string_count) &&
  @     interner->text_used == \old(interner->text_used);
  @ ensures ref: \result == FXT_OK ==> ref->ref <= 32767 ||
  @     (ref->ref == 32768 + length && ref->bytes == bytes);
  @*/
FXT_API enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_string_ref *ref, const uint8_t *bytes,
                                          size_t length);

/* The same for a thread; 255 fit. */
/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ requires \valid(writer) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @ requires ref: \valid(ref) && \separated(ref, interner, writer);
  @ terminates \true;
  @ assigns *ref, interner->thread_count, interner->threads[0 .. 254];
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures writer: fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL};
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size) &&
  @     interner->thread_count == \old(interner->thread_count);
  @ ensures ref: \result == FXT_OK && ref->ref == 0 ==>
  @     ref->process == process && ref->thread == thread;
  @*/
FXT_API enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_thread_ref *ref, uint64_t process,
                                          uint64_t thread);

#endif
