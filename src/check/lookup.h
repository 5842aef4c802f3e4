/* The lookups that run for every record, inline for the checker and the converters. */
#ifndef FXT_CHECK_LOOKUP_H
#define FXT_CHECK_LOOKUP_H

#include <fxt/tables.h>

static inline struct fxt_provider *fxt_i_provider(const struct fxt_tables *tables)
{
    return &tables->providers[tables->current];
}

/* The slot of an indexed string ref (1..32767), or NULL when it is not registered. */
static inline const struct fxt_string_slot *fxt_i_string_slot(const struct fxt_provider *provider,
                                                              uint16_t ref)
{
    const struct fxt_string_slot *slot = &provider->strings[ref];
    return slot->generation == provider->generation ? slot : NULL;
}

/* The slot of an indexed thread ref (1..255), or NULL. */
static inline struct fxt_thread_slot *fxt_i_thread_slot(struct fxt_provider *provider, uint8_t ref)
{
    struct fxt_thread_slot *slot = &provider->threads[ref];
    return slot->generation == provider->generation ? slot : NULL;
}

static inline bool fxt_i_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                                struct fxt_string_ref ref)
{
    text->bytes = NULL;
    text->size = 0;
    if (ref.ref == 0)
        return true;
    if (ref.ref >= FXT_STRING_INLINE) {
        text->bytes = ref.bytes;
        text->size = fxt_string_ref_length(ref);
        return true;
    }
    const struct fxt_string_slot *slot = fxt_i_string_slot(fxt_i_provider(tables), ref.ref);
    if (slot == NULL)
        return false;
    text->size = slot->length;
    if (slot->length > 0)
        text->bytes = tables->arena + slot->offset;
    return true;
}

/* A well-spread 32-bit hash of up to three numbers. */
static inline uint32_t fxt_i_hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f) + c;
    h = (h + h / UINT64_C(4294967296)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(h / UINT64_C(4294967296));
}

#endif
