/* The lookups that run for every record, inline for the checker and the converters. */
#ifndef FXT_CHECK_LOOKUP_H
#define FXT_CHECK_LOOKUP_H

#include <fxt/tables.h>

/*@ // What is relied on in the tables is the same.
  @ predicate same_pointers{A, B}(struct fxt_tables *t) =
  @   \at(t->providers, A) == \at(t->providers, B) &&
  @   \at(t->provider_ids, A) == \at(t->provider_ids, B) &&
  @   \at(t->objects, A) == \at(t->objects, B) && \at(t->arena, A) == \at(t->arena, B);
  @ predicate same_sizes{A, B}(struct fxt_tables *t) =
  @   \at(t->arena_used, A) == \at(t->arena_used, B) &&
  @   \at(t->arena_garbage, A) == \at(t->arena_garbage, B) &&
  @   \at(t->arena_size, A) == \at(t->arena_size, B);
  @ predicate same_counts{A, B}(struct fxt_tables *t) =
  @   \at(t->provider_max, A) == \at(t->provider_max, B) &&
  @   \at(t->provider_count, A) == \at(t->provider_count, B) &&
  @   \at(t->current, A) == \at(t->current, B) &&
  @   \at(t->object_max, A) == \at(t->object_max, B);
  @*/

/*@ requires \valid_read(tables) && \valid(tables->providers + tables->current);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == tables->providers + tables->current && \valid(\result);
  @*/
static inline struct fxt_provider *fxt_i_current_provider(const struct fxt_tables *tables)
{
    return &tables->providers[tables->current];
}

/* The slot of an indexed string ref (1..32767), or NULL if it is not registered. Does not validate
   the slot's offset and length: fxt_i_string does. */
/*@ requires \valid_read(provider) && ref <= 32767;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures known: \result != \null
  @         <==> provider->strings[ref].generation == provider->generation;
  @ ensures slot: \result != \null
  @         ==> \result == &provider->strings[ref] && \valid_read(\result);
  @*/
static inline const struct fxt_string_slot *fxt_i_string_slot(const struct fxt_provider *provider,
                                                              uint16_t ref)
{
    const struct fxt_string_slot *slot = &provider->strings[ref];
    return slot->generation == provider->generation ? slot : NULL;
}

/* The slot of an indexed thread ref (1..255), or NULL. */
/*@ requires \valid_read(provider);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures known: \result != \null
  @         <==> ref <= 255 && provider->threads[ref].generation == provider->generation;
  @ ensures slot: \result != \null
  @         ==> \result == &provider->threads[ref] && \valid_read(\result);
  @*/
static inline struct fxt_thread_slot *fxt_i_thread_slot(struct fxt_provider *provider, uint16_t ref)
{
    if (ref > FXT_THREAD_INDEX_MAX)
        return NULL;
    struct fxt_thread_slot *slot = &provider->threads[ref];
    return slot->generation == provider->generation ? slot : NULL;
}

/*@ requires \valid_read(tables) && \valid(tables->providers + tables->current);
  @ requires readable(tables->arena, tables->arena_used);
  @ requires \valid(text) && \separated(text, tables);
  @ requires readable(ref.bytes, l_inline_length(ref.ref));
  @ terminates \true;
  @ assigns *text;
  @ ensures readable: readable(text->bytes, text->size) && text->size <= 65535;
  @ ensures empty: ref.ref == 0 ==> \result && text->size == 0;
  @ ensures inline: ref.ref >= 32768 ==> \result && text->bytes == ref.bytes
  @         && text->size == ref.ref - 32768;
  @ ensures unknown: !\result ==> text->size == 0;
  @ ensures known: 1 <= ref.ref < 32768
  @         ==> (\result <==> \old(fxt_string_known(tables, ref.ref)));
  @ ensures indexed: \result && 1 <= ref.ref < 32768
  @         ==> text->size == \old(fxt_string_slot(tables, ref.ref)->length);
  @ ensures place: 1 <= ref.ref < 32768 && text->size > 0
  @         ==> text->bytes == tables->arena + \old(fxt_string_slot(tables, ref.ref)->offset)
  @          && \old(fxt_string_slot(tables, ref.ref)->offset) + text->size <= tables->arena_used;
  @*/
static inline bool fxt_i_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                                struct fxt_string_ref ref)
{
    const struct fxt_string_slot *slot = NULL;
    bool known = true;

    if (ref.ref > 0 && ref.ref < FXT_STRING_INLINE) {
        slot = fxt_i_string_slot(fxt_i_current_provider(tables), ref.ref);
        known = slot != NULL && (uint64_t)slot->offset + slot->length <= tables->arena_used;
    }
    if (ref.ref >= FXT_STRING_INLINE) {
        text->bytes = ref.bytes;
        text->size = fxt_string_ref_length(ref);
    } else if (slot != NULL && known && slot->length > 0) {
        text->bytes = tables->arena + slot->offset;
        text->size = slot->length;
    } else {
        text->bytes = NULL;
        text->size = 0;
    }
    return known;
}

#define FXT_I_HALF UINT64_C(4294967296)

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 8589934590;
  @*/
static inline uint64_t fxt_i_fold(uint64_t product)
{
    return product / FXT_I_HALF + product % FXT_I_HALF;
}

/* A well-distributed 32-bit hash of up to three numbers. It multiplies only 32-bit numbers, so
   nothing wraps: each half of a and b has its own multiplier, and two rounds mix the sum. */
/*@ terminates \true;
  @ assigns \nothing;
  @*/
static inline uint32_t fxt_i_hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = fxt_i_fold(a % FXT_I_HALF * UINT64_C(0x9e3779b1)) +
                   fxt_i_fold(a / FXT_I_HALF * UINT64_C(0x85ebca77)) +
                   fxt_i_fold(b % FXT_I_HALF * UINT64_C(0xc2b2ae3d)) +
                   fxt_i_fold(b / FXT_I_HALF * UINT64_C(0xa7d4eb2f)) + fxt_i_fold(c);
    uint64_t mixed = sum % FXT_I_HALF * UINT64_C(0xd6e8feb9);
    uint64_t folded = (mixed / FXT_I_HALF ^ mixed) % FXT_I_HALF;
    return (uint32_t)(folded * UINT64_C(0xcfa5f4c7) / FXT_I_HALF);
}

#endif
