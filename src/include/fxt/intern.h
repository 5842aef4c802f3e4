/* Interning: gives strings and threads a table index, and writes the string or thread record on
   first use.

     struct fxt_names {
         struct fxt_interner interner;
         struct fxt_intern_slot slots[1024];
         uint8_t text[16384];
     };

     void fxt_names_init(struct fxt_names *names)
     {
         fxt_intern_init(&names->interner, names->slots, 1024, names->text, sizeof names->text,
                         FXT_INTERN_EVICT);
     }

     enum fxt_status write_named(struct fxt_writer *writer, struct fxt_names *names,
                                 struct fxt_event *event, const uint8_t *name, size_t length)
     {
         fxt_intern_begin_record(&names->interner);
         enum fxt_status status = fxt_intern_thread(&names->interner, writer, &event->thread, 1, 2);
         if (status == FXT_OK)
             status = fxt_intern_string(&names->interner, writer, &event->name, name, length);
         return status == FXT_OK ? fxt_write_event(writer, event, NULL, 0) : status;
     }

   The caller provides the memory. One interner belongs to one writer, that is, to one provider: the
   first call with a writer binds it, and a call with another `struct fxt_writer` gives FXT_INVALID,
   because its trace would lack the records of earlier refs. A writer that begins another trace needs
   fxt_intern_init again. Only one thread at a time may use an interner.

   A string or a thread for which a table has no room is written inline. With FXT_INTERN_EVICT, a
   table that had no room starts again from index 1 when the next record begins, and replaces old
   registrations (STT-03): that record's refs are new ones, and all earlier refs are invalid.

   The contents of the slots and the text are not trusted: whatever they are, no call reads or
   writes outside the given memory, and every call returns. The interner, its slots, its text, the
   writer, the writer's memory and the bytes to intern must not overlap. */
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
    const struct fxt_writer *writer; /* the one that it is bound to; NULL before */
    uint32_t slot_count;             /* 0: fxt_intern_init failed */
    uint32_t text_size;
    uint32_t text_used;
    uint16_t string_count;
    uint16_t string_max; /* at most 32767 and at most half of slot_count */
    uint16_t thread_count;
    uint16_t strings_full; /* 1: a string found no room that would fit into an empty table */
    uint16_t threads_full; /* 1: a thread found no room */
    enum fxt_intern_policy policy;
    struct fxt_interned_thread threads[FXT_THREAD_INDEX_MAX];
};

/* Initializes an interner and clears its slots. slot_count is a power of two from 2 to 65536; the
   table holds half as many strings, at most 32767. text_size is the room for their text in bytes.
   Returns FXT_OK, or FXT_INVALID for any other slot_count; then the interner interns nothing and
   every call for a string or a thread returns FXT_INVALID. */
FXT_API enum fxt_status fxt_intern_init(struct fxt_interner *interner,
                                        struct fxt_intern_slot *slots, uint32_t slot_count,
                                        uint8_t *text, uint32_t text_size,
                                        enum fxt_intern_policy policy);

/* Call this before interning what a record refers to. With FXT_INTERN_EVICT, tables that had no room
   start again here, and only here. With FXT_INTERN_INLINE it does nothing. */
FXT_API void fxt_intern_begin_record(struct fxt_interner *interner);

/* Stores in *ref the ref for these bytes: the empty string, an index, or inline. Writes the string
   record if the index is new. An inline ref points to the caller's bytes. Returns FXT_FULL if the
   writer has no room for the string record (the table is unchanged). Returns FXT_INVALID if length is
   over 32000, if it is not 0 and `bytes` is NULL, if fxt_intern_init failed, or if the interner is
   bound to another writer. */
FXT_API enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_string_ref *ref, const uint8_t *bytes,
                                          size_t length);

/* The same for a thread. The table holds 255 threads. Returns FXT_INVALID only for one of the last two
   reasons. */
FXT_API enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer,
                                          struct fxt_thread_ref *ref, uint64_t process,
                                          uint64_t thread);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/intern.h"
#endif

#endif
