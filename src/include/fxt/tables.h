/* The state that a trace builds up while it is read: the strings, threads, tick rate and objects of
   each provider. Implements MET-08, MET-09, STT-03, THT-03 and INI-04.

   Call fxt_tables_apply with every record, in order. The lookups then answer for the provider of
   the latest record. The tables use the caller's memory only. They copy strings, so the input may
   be freed. Only one thread at a time may use them.

   The tables trust struct fxt_tables, but not the memory that it points to: they validate the
   contents before use, and never access anything outside of that memory. */
#ifndef FXT_TABLES_H
#define FXT_TABLES_H

#include <fxt/read.h>

struct fxt_string_slot {
    uint64_t generation; /* registered if equal to the provider's */
    uint32_t offset;     /* of the text in the arena */
    uint16_t length;
    uint16_t digest; /* of the text: texts with different digests differ */
};

struct fxt_thread_slot {
    uint64_t generation;
    uint64_t process;
    uint64_t thread;
    uint32_t cookie; /* for the user of the tables; 0 after each registration */
};

struct fxt_provider {
    uint64_t generation;
    uint64_t ticks_per_second;
    uint32_t id;
    uint16_t introduced; /* a provider info record named it */
    uint16_t initialized;
    uint16_t timed; /* for the user of the tables; 0 when the provider is new */
    uint16_t name_length;
    uint8_t name[255];
    struct fxt_string_slot strings[FXT_STRING_INDEX_MAX + 1];
    struct fxt_thread_slot threads[FXT_THREAD_INDEX_MAX + 1];
};

/* A named object: a koid (kernel objects), or a pointer in a process (userspace objects). */
struct fxt_object {
    uint64_t generation;
    uint64_t key;     /* koid or pointer */
    uint64_t process; /* userspace: the process koid; kernel: 0 */
    uint64_t parent;  /* kernel: the "process" argument, or 0 */
    uint32_t provider;
    uint32_t name_offset;
    uint16_t name_length;
    uint16_t userspace;
    uint16_t object_type;
};

struct fxt_tables {
    struct fxt_provider *providers; /* provider_max of them */
    uint32_t *provider_ids;         /* provider_max of them */
    struct fxt_object *objects;     /* object_max of them, a power of two or 0 */
    uint8_t *arena;
    uint64_t generation; /* counts providers and resets; UINT64_MAX is followed by 1 */
    uint64_t epoch;      /* generation of the last reset; an object of another one is dead */
    uint64_t arena_used;
    uint64_t arena_garbage;
    uint64_t arena_size;
    uint32_t provider_max;
    uint32_t provider_count;
    uint32_t current; /* provider of the records that follow */
    uint32_t object_max;
    uint32_t object_count;
};

/* The memory of the tables, which the caller owns. providers and objects hold zeros, or what
   another fxt_tables has left there. If `zeroed` tells that they hold zeros, fxt_tables_init
   does not look through them, which takes most of the time of a small trace. Whatever they hold, the
   tables access no other memory. The parts overlap neither each other nor the tables. */
struct fxt_tables_memory {
    struct fxt_provider *providers;
    uint32_t *provider_ids;
    struct fxt_object *objects;
    uint8_t *arena;        /* for strings */
    uint32_t provider_max; /* of providers and of provider_ids, at least 1 */
    uint32_t object_max;   /* a power of two, of which half is used; 0: objects are not kept */
    uint64_t arena_size;   /* in bytes, less than 4 GiB: of each string 16 and its whole words */
    uint32_t zeroed;       /* 1: providers and objects hold zeros */
};

/* Begins a trace. Provider 0 exists from the start (MET-09). */
FXT_API void fxt_tables_init(struct fxt_tables *tables, const struct fxt_tables_memory *memory);

/* Registers what the record defines, if anything. Returns
   FXT_OK         also for a record that defines nothing
   FXT_MALFORMED  if the record does not decode; the tables are as before
   FXT_FULL       if the memory is full (LIM-01). The reference stays unresolved, even if it was
                  registered before. If it was a provider, it takes the place of the provider that
                  came last, which is forgotten: when that comes back, its references are unresolved
                  and its rate is the default.
   Only FXT_MALFORMED fills `error`. The record, its bytes and `error` overlap neither each other nor
   the tables and their memory. */
FXT_API enum fxt_status fxt_tables_apply(struct fxt_tables *tables, const struct fxt_record *record,
                                         struct fxt_error *error);

/* The parts of fxt_tables_apply, for callers that have already decoded the record. The strings must
   not be in the memory of the tables. An index of a string is at most 32767, a string at most 32767
   bytes and a provider's name at most 255, as the decoders make them; others would be written
   outside of the tables. */
FXT_API void fxt_tables_reset(struct fxt_tables *tables); /* MET-10 */
FXT_API enum fxt_status fxt_tables_select(struct fxt_tables *tables, uint32_t provider_id);
FXT_API enum fxt_status fxt_tables_introduce(struct fxt_tables *tables,
                                             const struct fxt_provider_info *info);
FXT_API void fxt_tables_set_ticks(struct fxt_tables *tables, uint64_t ticks_per_second);
FXT_API enum fxt_status fxt_tables_set_string(struct fxt_tables *tables,
                                              const struct fxt_string *string);
FXT_API void fxt_tables_set_thread(struct fxt_tables *tables, const struct fxt_thread *thread);
FXT_API enum fxt_status fxt_tables_set_kernel_object(struct fxt_tables *tables,
                                                     const struct fxt_kernel_object *object);
FXT_API enum fxt_status fxt_tables_set_userspace_object(struct fxt_tables *tables,
                                                        const struct fxt_userspace_object *object);

/* Returns the current provider. */
FXT_API const struct fxt_provider *fxt_tables_provider(const struct fxt_tables *tables);

/* Resolves a string ref of the latest record: the same index of an earlier record may have been
   registered again, or be another provider's. Returns false if its index is not registered (STR-02).
   The text is valid until the next fxt_tables_* call that registers something; the text of an inline ref is part of
   the input. */
FXT_API bool fxt_tables_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                               struct fxt_string_ref ref);

/* Resolves a thread ref. Returns false if its index is not registered (THR-02). */
FXT_API bool fxt_tables_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                               struct fxt_thread_ref ref);

/* Look up an object. Return NULL if there is none. A kernel object may belong to any provider, but
   an object of the current provider is preferred. object_type is FXT_OBJECT_PROCESS,
   FXT_OBJECT_THREAD, or any other type in a record. Objects of different types may have the same
   koid. */
FXT_API const struct fxt_object *fxt_tables_kernel_object(const struct fxt_tables *tables,
                                                          uint16_t object_type, uint64_t koid);
FXT_API const struct fxt_object *fxt_tables_userspace_object(const struct fxt_tables *tables,
                                                             uint64_t process, uint64_t pointer);
/* Returns the name of the object, which is not NULL, or an empty text if it has none. The text is
   valid as long as that of fxt_tables_string. */
FXT_API struct fxt_bytes fxt_tables_object_name(const struct fxt_tables *tables,
                                                const struct fxt_object *object);

/* Returns floor(ticks * 1e9 / ticks_per_second), exactly; UINT64_MAX if the result is larger, or if
   ticks_per_second is 0. */
FXT_API uint64_t fxt_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/tables.h"
#endif

#endif
