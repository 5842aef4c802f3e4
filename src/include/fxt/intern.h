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

struct fxt_interned_thread {
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
    struct fxt_interned_thread threads[FXT_THREAD_INDEX_MAX];
};

/* slot_count: a power of two, 2 … 65536; half of it is how many strings the table holds (32767 at
   most). text_size: bytes for the strings' text. Clears the slots. FXT_INVALID for a slot_count
   that is no such power. */
FXT_API enum fxt_status fxt_intern_init(struct fxt_interner *interner,
                                        struct fxt_intern_slot *slots, uint32_t slot_count,
                                        uint8_t *text, uint32_t text_size,
                                        enum fxt_intern_policy policy);

/* The ref for these bytes: the empty string, an index (its record is written now if it is new), or
   inline. FXT_FULL when the writer has no room for the string record (the table is unchanged),
   FXT_INVALID when length is over 32000. An inline ref points at the caller's bytes. */
FXT_API enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_string_ref *ref, const uint8_t *bytes,
                                          size_t length);

/* The same for a thread; 255 fit. */
FXT_API enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_thread_ref *ref, uint64_t process,
                                          uint64_t thread);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/intern.h"
#endif

#endif
