/* Interning of strings and threads for a writer. The state is struct fxt_interner: an
   open-addressed table that the caller provides, at most half full, with a copy of each string's
   text. */
#include <fxt/intern.h>

#include "src/base/word.h"

/* The multiplication wraps on purpose. */
/*@ requires readable(bytes, length);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint32_t hash_of(const uint8_t *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + length;
    /*@ loop invariant 0 <= i <= length;
      @ loop assigns i, hash;
      @ loop variant length - i;
      @*/
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)((hash ^ hash / UINT64_C(4294967296)) % UINT64_C(4294967296));
}

/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ terminates \true;
  @ assigns interner->string_count, interner->text_used, interner->strings_full;
  @ assigns interner->slots[0 .. interner->slot_count - 1];
  @ ensures fxt_interner_ok(interner);
  @ ensures interner->string_count == 0 && interner->text_used == 0 && interner->strings_full == 0;
  @ ensures free: \forall integer k; 0 <= k < interner->slot_count ==>
  @     interner->slots[k].index == 0;
  @*/
static void forget_strings(struct fxt_interner *interner)
{
    struct fxt_intern_slot *slots = interner->slots;
    uint32_t slot_count = interner->slot_count;
    /*@ loop invariant 0 <= i <= slot_count;
      @ loop invariant \forall integer k; 0 <= k < i ==> slots[k].index == 0;
      @ loop assigns i, slots[0 .. slot_count - 1].index;
      @ loop variant slot_count - i;
      @*/
    for (uint32_t i = 0; i < slot_count; i++)
        slots[i].index = 0;
    interner->string_count = 0;
    interner->text_used = 0;
    interner->strings_full = 0;
}

enum fxt_status fxt_intern_init(struct fxt_interner *interner, struct fxt_intern_slot *slots,
                                uint32_t slot_count, uint8_t *text, uint32_t text_size,
                                enum fxt_intern_policy policy)
{
    bool valid = slot_count >= 2 && slot_count <= 65536 && (slot_count & (slot_count - 1)) == 0;
    if (!valid)
        slot_count = 0;
    interner->slots = slots;
    interner->slot_count = slot_count;
    interner->writer = NULL;
    interner->text = text;
    interner->text_size = text_size;
    interner->text_used = 0;
    interner->string_count = 0;
    interner->string_max = (uint16_t)(slot_count / 2 - (slot_count == 65536 ? 1 : 0));
    interner->policy = policy;
    interner->thread_count = 0;
    interner->threads_full = 0;
    forget_strings(interner);
    return valid ? FXT_OK : FXT_INVALID;
}

void fxt_intern_begin_record(struct fxt_interner *interner)
{
    if (interner->policy != FXT_INTERN_EVICT)
        return;
    if (interner->threads_full != 0) {
        interner->thread_count = 0;
        interner->threads_full = 0;
    }
    /*@ assert threads: fxt_interner_ok(interner); */
    if (interner->strings_full != 0)
        forget_strings(interner);
}

/*@ requires readable(a, length) && readable(b, length);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> (\forall integer k; 0 <= k < length ==> a[k] == b[k]);
  @*/
static inline bool same_bytes(const uint8_t *a, const uint8_t *b, size_t length)
{
    /*@ loop invariant 0 <= i <= length;
      @ loop invariant \forall integer k; 0 <= k < i ==> a[k] == b[k];
      @ loop assigns i;
      @ loop variant length - i;
      @*/
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/*@ requires writable(to, length) && readable(from, length);
  @ requires \separated(to + (0 .. length - 1), from + (0 .. length - 1));
  @ terminates \true;
  @ assigns to[0 .. length - 1];
  @ ensures \forall integer k; 0 <= k < length ==> to[k] == from[k];
  @*/
static inline void copy(uint8_t *restrict to, const uint8_t *restrict from, size_t length)
{
    /*@ loop invariant 0 <= i <= length;
      @ loop invariant \forall integer k; 0 <= k < i ==> to[k] == from[k];
      @ loop assigns i, to[0 .. length - 1];
      @ loop variant length - i;
      @*/
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

/* Whether the slot has these bytes. The contents of the slot are validated first. */
/*@ requires \valid_read(interner) && fxt_interner_ok(interner) && \valid_read(slot);
  @ requires readable(bytes, length) && length <= 32000;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result ==> slot->index <= interner->string_count;
  @ ensures size: \result ==> slot->length == length && slot->offset + length <= interner->text_size;
  @ ensures text: \result ==> \forall integer j; 0 <= j < length ==>
  @     interner->text[slot->offset + j] == bytes[j];
  @*/
static bool holds(const struct fxt_interner *interner, const struct fxt_intern_slot *slot,
                  uint32_t hash, const uint8_t *bytes, size_t length)
{
    return slot->hash == hash && slot->length == length && slot->index <= interner->string_count &&
           length <= interner->text_size && slot->offset <= interner->text_size - length &&
           same_bytes(interner->text + slot->offset, bytes, length);
}

/* The slot of these bytes, or the free slot for them, or slot_count if there is neither. */
/*@ requires \valid_read(interner) && fxt_interner_ok(interner);
  @ requires interner->slot_count > 0 && readable(bytes, length) && length <= 32000;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= interner->slot_count;
  @ ensures index: \result < interner->slot_count ==>
  @     interner->slots[\result].index <= interner->string_count;
  @ ensures free: (\forall integer k; 0 <= k < interner->slot_count ==>
  @     interner->slots[k].index == 0) ==> \result < interner->slot_count;
  @ ensures says: \result < interner->slot_count && interner->slots[\result].index != 0 ==>
  @     slot_says{Post, Post}(interner, \result, bytes, length);
  @*/
static uint32_t find(const struct fxt_interner *interner, uint32_t hash, const uint8_t *bytes,
                     size_t length)
{
    uint32_t at = hash % interner->slot_count;
    /*@ loop invariant 0 <= i <= interner->slot_count && at < interner->slot_count;
      @ loop invariant i > 0 ==> \exists integer k; 0 <= k < interner->slot_count &&
      @   interner->slots[k].index != 0;
      @ loop assigns i, at;
      @ loop variant interner->slot_count - i;
      @*/
    for (uint32_t i = 0; i < interner->slot_count; i++) {
        const struct fxt_intern_slot *slot = &interner->slots[at];
        if (slot->index == 0 || holds(interner, slot, hash, bytes, length))
            return at;
        at = at + 1 < interner->slot_count ? at + 1 : 0;
    }
    return interner->slot_count;
}

/*@ requires \valid_read(interner) && fxt_interner_ok(interner);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> interner->string_count < interner->string_max &&
  @     length <= interner->text_size - interner->text_used;
  @*/
static bool has_room(const struct fxt_interner *interner, size_t length)
{
    return interner->string_count < interner->string_max &&
           length <= interner->text_size - interner->text_used;
}

/* Stores the string in the slot, and appends its text to the others. */
/*@ requires \valid(interner) && fxt_interner_ok(interner) && at < interner->slot_count;
  @ requires index <= 32767 && readable(bytes, length) && 1 <= length <= 32000;
  @ requires length <= interner->text_size - interner->text_used;
  @ requires \separated(bytes + (0 .. length - 1), interner->text + (0 .. interner->text_size - 1));
  @ terminates \true;
  @ assigns interner->string_count, interner->text_used;
  @ assigns interner->slots[0 .. interner->slot_count - 1];
  @ assigns interner->text[0 .. interner->text_size - 1];
  @ ensures fxt_interner_ok(interner);
  @ ensures count: interner->string_count == index;
  @ ensures index: interner->slots[at].index == index;
  @ ensures says: slot_says{Post, Pre}(interner, at, bytes, length);
  @ ensures others: \forall integer k; 0 <= k < interner->slot_count && k != at ==>
  @     interner->slots[k] == \old(interner->slots[k]);
  @ ensures texts: \forall integer j; 0 <= j < \old(interner->text_used) ==>
  @     interner->text[j] == \old(interner->text[j]);
  @*/
static void enter(struct fxt_interner *interner, uint32_t at, uint32_t hash, const uint8_t *bytes,
                  size_t length, uint16_t index)
{
    struct fxt_intern_slot *slot = &interner->slots[at];

    slot->hash = hash;
    slot->offset = interner->text_used;
    slot->length = (uint16_t)length;
    slot->index = index;
    copy(interner->text + interner->text_used, bytes, length);
    interner->text_used += (uint32_t)length;
    interner->string_count = index;
}

/*@ requires \valid(writer) && fxt_writer_ok(writer) && 1 <= index <= 32767;
  @ requires given: 1 <= length <= 32000 && readable(bytes, length) &&
  @     stream_given(writer, bytes, length) && bytes != \null;
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL};
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures written: \result == FXT_OK ==>
  @     writer->size == \old(writer->size) + 8 * (1 + l_words_of(length)) &&
  @     registers_string{Pre, Post}(writer->bytes + \old(writer->size), index, bytes, length);
  @*/
static enum fxt_status write_string(struct fxt_writer *writer, uint16_t index, const uint8_t *bytes,
                                    size_t length)
{
    struct fxt_string record = {.value = {bytes, length}, .index = index};
    /*@ assert writable: writable_string(&record); */
    return fxt_write_string(writer, &record);
}

/* Whether the interner works and is the writer's. The first call with a writer makes it so. */
/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ requires \valid(writer) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @ terminates \true;
  @ assigns interner->writer;
  @ ensures \result <==> \old(interner_of(interner, writer));
  @ ensures fxt_interner_ok(interner) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @*/
static bool bind(struct fxt_interner *interner, const struct fxt_writer *writer)
{
    if (interner->slot_count > 0 && interner->writer == NULL)
        interner->writer = writer;
    return interner->slot_count > 0 && interner->writer == writer;
}

enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer,
                                  struct fxt_string_ref *ref, const uint8_t *bytes, size_t length)
{
    if (!bind(interner, writer) || length > FXT_STRING_LENGTH_MAX || (length > 0 && bytes == NULL))
        return FXT_INVALID;
    if (length == 0) {
        *ref = fxt_string_index(0);
        /*@ assert empty: fxt_interner_ok(interner); */
        return FXT_OK;
    }
    uint32_t hash = hash_of(bytes, length);
    uint32_t at = find(interner, hash, bytes, length);
    if (at < interner->slot_count && interner->slots[at].index != 0) {
        *ref = fxt_string_index(interner->slots[at].index);
        /*@ assert found: fxt_interner_ok(interner); */
        /*@ assert says: slot_says{Here, Pre}(interner, at, bytes, length); */
        return FXT_OK;
    }
    if (at == interner->slot_count || !has_room(interner, length)) {
        if (length <= interner->text_size)
            interner->strings_full = 1;
        ref->bytes = bytes;
        ref->ref = (uint16_t)(FXT_STRING_INLINE + length);
        /*@ assert as_it_is: fxt_interner_ok(interner); */
        return FXT_OK;
    }
    uint16_t index = (uint16_t)(interner->string_count + 1);
    enum fxt_status status = write_string(writer, index, bytes, length);
    /*@ assert kept: fxt_interner_ok(interner); */
    if (status != FXT_OK)
        return status;
    enter(interner, at, hash, bytes, length, index);
    /*@ assert says: slot_says{Here, Pre}(interner, at, bytes, length); */
    /*@ assert interner: fxt_interner_ok(interner); */
    /*@ assert writer: fxt_writer_ok(writer); */
    *ref = fxt_string_index(index);
    /*@ assert says_still: slot_says{Here, Pre}(interner, at, bytes, length); */
    /*@ assert end: fxt_interner_ok(interner); */
    return FXT_OK;
}

/* The index of a thread, or 0 if it is not in the table. */
/*@ requires \valid_read(interner) && fxt_interner_ok(interner);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= interner->thread_count;
  @ ensures says: \result > 0 ==> interner->threads[\result - 1].process == process &&
  @     interner->threads[\result - 1].thread == thread;
  @*/
static uint16_t find_thread(const struct fxt_interner *interner, uint64_t process, uint64_t thread)
{
    /*@ loop invariant 0 <= i <= interner->thread_count;
      @ loop assigns i;
      @ loop variant interner->thread_count - i;
      @*/
    for (uint16_t i = 0; i < interner->thread_count; i++)
        if (interner->threads[i].process == process && interner->threads[i].thread == thread)
            return (uint16_t)(i + 1);
    return 0;
}

/*@ requires \valid(writer) && fxt_writer_ok(writer) && 1 <= index <= 255;
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL};
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures written: \result == FXT_OK ==> writer->size == \old(writer->size) + 24 &&
  @     registers_thread(writer->bytes + \old(writer->size), index, process, thread);
  @*/
static enum fxt_status write_thread(struct fxt_writer *writer, uint16_t index, uint64_t process,
                                    uint64_t thread)
{
    struct fxt_thread record = {.process = process, .thread = thread, .index = index};
    return fxt_write_thread(writer, &record);
}

enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer,
                                  struct fxt_thread_ref *ref, uint64_t process, uint64_t thread)
{
    if (!bind(interner, writer))
        return FXT_INVALID;
    uint16_t index = find_thread(interner, process, thread);
    if (index == 0) {
        if (interner->thread_count == FXT_THREAD_INDEX_MAX) {
            interner->threads_full = 1;
            *ref = fxt_thread_inline(process, thread);
            return FXT_OK;
        }
        index = (uint16_t)(interner->thread_count + 1);
        enum fxt_status status = write_thread(writer, index, process, thread);
        if (status != FXT_OK)
            return status;
        interner->thread_count = index;
        interner->threads[index - 1].process = process;
        interner->threads[index - 1].thread = thread;
        /*@ assert interner: fxt_interner_ok(interner); */
        /*@ assert writer: fxt_writer_ok(writer); */
    }
    *ref = fxt_thread_index(index);
    return FXT_OK;
}
