/* The state that a trace builds up while it is read: strings, threads, tick rates and objects, for
   each provider by itself (MET-08, MET-09, STT-03, THT-03, INI-04). The caller gives the memory and
   it is all that is ever used; registered strings are copied, so that the input may go away.

   fxt_tables_apply is to be called with every record in order; the lookups then answer for the
   provider of the last one. Not thread-safe.

   Only struct fxt_tables is relied on. What is found in the memory that the caller gave is checked
   before it is used, so that no content of it leads outside of it. */
#ifndef FXT_TABLES_H
#define FXT_TABLES_H

#include <fxt/read.h>

struct fxt_string_slot {
    uint64_t generation; /* registered when equal to the provider's */
    uint32_t offset;     /* of the text in the arena */
    uint16_t length;
    uint16_t digest; /* of the text: different digests, different texts */
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
    uint64_t generation; /* counts providers and resets; begins again at 1 behind UINT64_MAX */
    uint64_t epoch;      /* generation of the last reset: objects are live when equal */
    uint64_t arena_used;
    uint64_t arena_garbage;
    uint64_t arena_size;
    uint32_t provider_max;
    uint32_t provider_count;
    uint32_t current; /* provider of the records that follow */
    uint32_t object_max;
    uint32_t object_count;
};

/* The memory for the tables: at least one provider; object_max a power of two or 0 (then objects
   are not kept); arena_size below 4 GiB. Nothing needs to be cleared except that objects and
   providers must be zero bytes or memory that another fxt_tables used before. */
struct fxt_tables_memory {
    struct fxt_provider *providers;
    uint32_t *provider_ids;
    struct fxt_object *objects;
    uint8_t *arena;
    uint32_t provider_max;
    uint32_t object_max;
    uint64_t arena_size;
};

/* Provider 0 exists from the start (MET-09). */
FXT_API void fxt_tables_init(struct fxt_tables *tables, const struct fxt_tables_memory *memory);

/* Takes what the record registers. FXT_OK also for the records that register nothing;
   FXT_MALFORMED for a record that does not decode (nothing changed); FXT_FULL when the memory is
   used up: the reference then stays unresolved (an older registration of it is dropped), or, for a
   provider, its records count as those of the provider before. LIM-01. */
FXT_API enum fxt_status fxt_tables_apply(struct fxt_tables *tables, const struct fxt_record *record,
                                         struct fxt_error *error);

/* The parts of fxt_tables_apply, for callers that have decoded the record already. Texts do not lie
   in the memory of the tables. */
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

/* The provider of the records now being read. */
FXT_API const struct fxt_provider *fxt_tables_provider(const struct fxt_tables *tables);

/* The text of a string ref: false when its index is not registered (STR-02). The bytes live until
   the next fxt_tables_* call that registers something; those of an inline ref as long as the
   input. */
FXT_API bool fxt_tables_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                               struct fxt_string_ref ref);

/* The koids of a thread ref: false when its index is not registered (THR-02). */
FXT_API bool fxt_tables_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                               struct fxt_thread_ref ref);

/* Objects: the current provider's entry first, then any other provider's for kernel objects.
   NULL when there is none. fxt_tables_object_name gives its name. A process and a thread may have
   the same koid: object_type is an enum fxt_object_type, or another number of a record. */
FXT_API const struct fxt_object *fxt_tables_kernel_object(const struct fxt_tables *tables,
                                                          uint16_t object_type, uint64_t koid);
FXT_API const struct fxt_object *fxt_tables_userspace_object(const struct fxt_tables *tables,
                                                             uint64_t process, uint64_t pointer);
/* Empty when the object has none. The bytes live as those of fxt_tables_string. */
FXT_API struct fxt_bytes fxt_tables_object_name(const struct fxt_tables *tables,
                                                const struct fxt_object *object);

/* Ticks to nanoseconds, exact: floor(ticks * 1e9 / ticks_per_second), UINT64_MAX when that is
   larger or ticks_per_second is 0. */
FXT_API uint64_t fxt_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/tables.h"
#endif

#endif
