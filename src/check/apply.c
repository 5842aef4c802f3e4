/* fxt_tables_apply: which records register what. No state of its own. */
#include <fxt/read.h>

#include "src/check/lookup.h"

/* MET-10: a magic number record that is not the first record begins a new trace. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(record);
  @ terminates \true;
  @ assigns tables->generation, tables->epoch, tables->arena_used, tables->arena_garbage,
  @         tables->provider_count, tables->current, tables->object_count,
  @         tables->providers[0], tables->provider_ids[0];
  @ ensures ok: fxt_tables_ok(tables);
  @*/
static void apply_magic(struct fxt_tables *tables, const struct fxt_record *record)
{
    if (record->header == FXT_MAGIC && record->offset > 0)
        fxt_tables_reset(tables);
}

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ requires \valid_read(record) && fxt_record_ok(record) && \valid(error);
  @ requires \separated(record, error);
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires fxt_tables_apart(tables, record->bytes, 8 * record->words);
  @ requires \separated(error, tables) && \separated(record, tables);
  @ requires record->type == FXT_RECORD_METADATA;
  @ terminates \true;
  @ assigns tables->generation, tables->epoch, tables->arena_used, tables->arena_garbage,
  @         tables->provider_count, tables->current, tables->object_count, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL};
  @*/
static enum fxt_status apply_metadata(struct fxt_tables *tables, const struct fxt_record *record,
                                      struct fxt_error *error)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    enum fxt_status status = FXT_OK;

    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_INFO:
        status = fxt_read_provider_info(record, &info, error);
        return status == FXT_OK ? fxt_tables_introduce(tables, &info) : status;
    case FXT_METADATA_PROVIDER_SECTION:
        status = fxt_read_provider_section(record, &section, error);
        return status == FXT_OK ? fxt_tables_select(tables, section.provider_id) : status;
    case FXT_METADATA_TRACE_INFO:
        apply_magic(tables, record);
        return FXT_OK;
    default:
        return FXT_OK;
    }
}

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ requires \valid_read(record) && fxt_record_ok(record) && \valid(error);
  @ requires \separated(record, error);
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires fxt_tables_apart(tables, record->bytes, 8 * record->words);
  @ requires \separated(error, tables) && \separated(record, tables);
  @ requires record->type \in {FXT_RECORD_KERNEL_OBJECT, FXT_RECORD_USERSPACE_OBJECT};
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL};
  @*/
static enum fxt_status apply_object(struct fxt_tables *tables, const struct fxt_record *record,
                                    struct fxt_error *error)
{
    struct fxt_kernel_object kernel;
    struct fxt_userspace_object userspace;
    enum fxt_status status;

    if (record->type == FXT_RECORD_KERNEL_OBJECT) {
        status = fxt_read_kernel_object(record, &kernel, error);
        return status == FXT_OK ? fxt_tables_set_kernel_object(tables, &kernel) : status;
    }
    status = fxt_read_userspace_object(record, &userspace, error);
    return status == FXT_OK ? fxt_tables_set_userspace_object(tables, &userspace) : status;
}

enum fxt_status fxt_tables_apply(struct fxt_tables *tables, const struct fxt_record *record,
                                 struct fxt_error *error)
{
    struct fxt_initialization initialization;
    struct fxt_string string;
    struct fxt_thread thread;
    enum fxt_status status;

    switch (record->type) {
    case FXT_RECORD_METADATA:
        return apply_metadata(tables, record, error);
    case FXT_RECORD_INITIALIZATION:
        status = fxt_read_initialization(record, &initialization, error);
        if (status == FXT_OK)
            fxt_tables_set_ticks(tables, initialization.ticks_per_second);
        return status;
    case FXT_RECORD_STRING:
        status = fxt_read_string(record, &string, error);
        return status == FXT_OK ? fxt_tables_set_string(tables, &string) : status;
    case FXT_RECORD_THREAD:
        status = fxt_read_thread(record, &thread, error);
        if (status == FXT_OK)
            fxt_tables_set_thread(tables, &thread);
        return status;
    case FXT_RECORD_KERNEL_OBJECT:
    case FXT_RECORD_USERSPACE_OBJECT:
        return apply_object(tables, record, error);
    default:
        return FXT_OK;
    }
}
