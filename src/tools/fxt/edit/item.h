/* A record of a trace that is edited: decoded, with its times. */
#ifndef FXT_TOOLS_FXT_EDIT_ITEM_H
#define FXT_TOOLS_FXT_EDIT_ITEM_H

#include "src/convert/kinds.h"
#include "src/convert/out.h"
#include "src/cli/stream.h"

struct item {
    const struct fxt_record *record;
    enum fxt_kind kind;
    bool timed;     /* it has a timestamp */
    bool complete;  /* it has an end, too */
    uint64_t time;  /* ns */
    uint64_t end;   /* ns; of a record without an end its time */
    uint64_t ticks; /* of the provider's clock: finer than ns, or finite where these are not */
    uint64_t end_ticks;
    uint64_t time_offset; /* of the timestamp in the record, in bytes */
    uint64_t end_offset;  /* of the word after the arguments of an event */
    union fxt_convert_any any;
};

/* A word of a record that is written with another value. */
struct item_patch {
    uint64_t offset; /* in the record, in bytes */
    uint64_t value;
};

/* Decodes a record, whose tables are up to date. FXT_MALFORMED with *error. */
enum fxt_status item_read(struct item *item, const struct fxt_tables *tables,
                          const struct fxt_record *record, struct fxt_error *error);

/* Whether the record defines or describes, and so stays in every part of the trace: metadata,
   initialization, strings, threads and objects. */
bool item_is_definition(const struct item *item);

static inline bool item_is_event(const struct item *item)
{
    return item->kind == FXT_KIND_EVENT;
}

static inline bool item_is_flow(const struct item *item)
{
    return item->kind == FXT_KIND_EVENT && item->any.event.event_type >= FXT_EVENT_FLOW_BEGIN &&
           item->any.event.event_type <= FXT_EVENT_FLOW_END;
}

/* Without the modules and mappings of its process, the frames of a backtrace mean nothing. */
static inline bool item_is_mapping(const struct item *item)
{
    return item->kind == FXT_KIND_MODULE || item->kind == FXT_KIND_MMAP;
}

#define ITEM_KOIDS_MAX (4u + FXT_ARGS_MAX)

/* Where the koids of the record lie, in bytes, ascending. Returns their number. */
unsigned item_koids(const struct item *item, uint64_t offsets[ITEM_KOIDS_MAX]);

/* The word at `offset` of the record. */
uint64_t item_word(const struct fxt_record *record, uint64_t offset);

/* Writes the record; `count` patches in the order of their offsets. */
void item_write(struct fxt_out *out, const struct fxt_record *record,
                const struct item_patch *patches, unsigned count);

/* Writes the patches into the record where it lies, in the memory of the stream. */
void item_patch(struct stream *stream, const struct fxt_record *record,
                const struct item_patch *patches, unsigned count);

/* The smallest number of ticks that is not before `ns`; UINT64_MAX if there is none. */
uint64_t item_ticks_at(uint64_t ns, uint64_t ticks_per_second);

#endif
