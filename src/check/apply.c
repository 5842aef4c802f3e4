/* fxt_tables_apply: registers what a record defines. No state of its own. */
#include <fxt/read.h>

#include "src/check/lookup.h"

/*@ // What every function here is given: the tables, a record outside of their memory, an error.
  @ predicate apply_ok(struct fxt_tables *t, struct fxt_record *r, struct fxt_error *e) =
  @   fxt_tables_ok(t) && fxt_record_ok(r) && fxt_tables_apart(t, r->bytes, 8 * r->words) &&
  @   \separated(t, r) && \separated(t, e) && \separated(r, e) &&
  @   \separated(e, r->bytes + (0 .. 8 * r->words - 1));
  @
  @ // The text of the ref, when it is inline, lies in the record.
  @ predicate name_inside(uint8_t *record, integer words, uint8_t *bytes, integer ref) =
  @   readable(bytes, l_inline_length(ref)) &&
  @   (ref > 32768 ==> (bytes == record + 16 && 16 + (ref - 32768) <= 8 * words) ||
  @                    (bytes == record + 24 && 24 + (ref - 32768) <= 8 * words));
  @*/

/* Decodes the record. The contract states only what the tables need. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out) && \valid(error);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures right: \result == FXT_WRONG_TYPE ==> record->type != 7;
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args);
  @ ensures name: \result == FXT_OK
  @         ==> name_inside(\old(record->bytes), \old(record->words), out->name.bytes,
  @                         out->name.ref);
  @*/
static enum fxt_status read_kernel(const struct fxt_record *record, struct fxt_kernel_object *out,
                                   struct fxt_error *error)
{
    return fxt_read_kernel_object(record, out, error);
}

/* Decodes the record. The contract states only what the tables need. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out) && \valid(error);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures right: \result == FXT_WRONG_TYPE ==> record->type != 6;
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args);
  @ ensures name: \result == FXT_OK
  @         ==> name_inside(\old(record->bytes), \old(record->words), out->name.bytes,
  @                         out->name.ref);
  @*/
static enum fxt_status read_userspace(const struct fxt_record *record,
                                      struct fxt_userspace_object *out, struct fxt_error *error)
{
    enum fxt_status status = fxt_read_userspace_object(record, out, error);

    /*@ assert word: l_userspace_object_name(\at(record->header, Pre)) == 2
      @   || l_userspace_object_name(\at(record->header, Pre)) == 3; */
    /*@ assert text: status == FXT_OK
      @   ==> readable(out->name.bytes, l_inline_length(out->name.ref)); */
    /*@ assert place: status == FXT_OK && out->name.ref > 32768
      @   ==> out->name.bytes == \at(record->bytes, Pre)
      @       + 8 * l_userspace_object_name(\at(record->header, Pre)); */
    /*@ assert length: status == FXT_OK
      @   ==> l_userspace_object_name(\at(record->header, Pre)) + l_string_words(out->name.ref)
      @       <= \at(record->words, Pre); */
    /*@ assert room: status == FXT_OK && out->name.ref > 32768
      @   ==> 8 * l_userspace_object_name(\at(record->header, Pre)) + (out->name.ref - 32768)
      @       <= 8 * \at(record->words, Pre); */
    return status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns tables->generation, tables->provider_count, tables->current, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> !\old(is_provider_info(record));
  @*/
static enum fxt_status apply_info(struct fxt_tables *tables, const struct fxt_record *record,
                                  struct fxt_error *error)
{
    struct fxt_provider_info info;

    /*@ assert apart: \separated(tables, &info); */
    enum fxt_status status = fxt_read_provider_info(record, &info, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    return status == FXT_OK ? fxt_tables_introduce(tables, &info) : status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns tables->generation, tables->provider_count, tables->current, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> !\old(is_provider_section(record));
  @*/
static enum fxt_status apply_section(struct fxt_tables *tables, const struct fxt_record *record,
                                     struct fxt_error *error)
{
    struct fxt_provider_section section;

    /*@ assert apart: \separated(tables, &section); */
    enum fxt_status status = fxt_read_provider_section(record, &section, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    return status == FXT_OK ? fxt_tables_select(tables, section.provider_id) : status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns *error, tables->providers[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> !\old(is_initialization(record));
  @*/
static enum fxt_status apply_initialization(struct fxt_tables *tables,
                                            const struct fxt_record *record,
                                            struct fxt_error *error)
{
    struct fxt_initialization initialization;

    /*@ assert apart: \separated(tables, &initialization); */
    enum fxt_status status = fxt_read_initialization(record, &initialization, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    if (status == FXT_OK)
        fxt_tables_set_ticks(tables, initialization.ticks_per_second);
    /*@ assert pointers_after: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes_after: same_sizes{Pre, Here}(tables); */
    /*@ assert counts_after: same_counts{Pre, Here}(tables); */
    return status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> !\old(is_string(record));
  @*/
static enum fxt_status apply_string(struct fxt_tables *tables, const struct fxt_record *record,
                                    struct fxt_error *error)
{
    struct fxt_string string;

    /*@ assert apart: \separated(tables, &string); */
    enum fxt_status status = fxt_read_string(record, &string, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    return status == FXT_OK ? fxt_tables_set_string(tables, &string) : status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns *error, tables->providers[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> !\old(is_thread(record));
  @*/
static enum fxt_status apply_thread(struct fxt_tables *tables, const struct fxt_record *record,
                                    struct fxt_error *error)
{
    struct fxt_thread thread;

    /*@ assert apart: \separated(tables, &thread); */
    enum fxt_status status = fxt_read_thread(record, &thread, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    if (status == FXT_OK)
        fxt_tables_set_thread(tables, &thread);
    /*@ assert pointers_after: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes_after: same_sizes{Pre, Here}(tables); */
    /*@ assert counts_after: same_counts{Pre, Here}(tables); */
    return status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> \old(record->type) != 7;
  @*/
static enum fxt_status apply_kernel(struct fxt_tables *tables, const struct fxt_record *record,
                                    struct fxt_error *error)
{
    struct fxt_kernel_object kernel;

    /*@ assert apart: \separated(tables, &kernel); */
    enum fxt_status status = read_kernel(record, &kernel, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    return status == FXT_OK ? fxt_tables_set_kernel_object(tables, &kernel) : status;
}

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL, FXT_WRONG_TYPE};
  @ ensures right: \result == FXT_WRONG_TYPE ==> \old(record->type) != 6;
  @*/
static enum fxt_status apply_userspace(struct fxt_tables *tables, const struct fxt_record *record,
                                       struct fxt_error *error)
{
    struct fxt_userspace_object userspace;

    /*@ assert apart: \separated(tables, &userspace); */
    enum fxt_status status = read_userspace(record, &userspace, error);

    /*@ assert pointers: same_pointers{Pre, Here}(tables); */
    /*@ assert sizes: same_sizes{Pre, Here}(tables); */
    /*@ assert counts: same_counts{Pre, Here}(tables); */
    /*@ assert ok: fxt_tables_ok(tables); */
    return status == FXT_OK ? fxt_tables_set_userspace_object(tables, &userspace) : status;
}

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

/*@ requires \valid(tables) && \valid_read(record) && \valid(error);
  @ requires apply_ok(tables, record, error) && record->type == FXT_RECORD_METADATA;
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
    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_INFO:
        return apply_info(tables, record, error);
    case FXT_METADATA_PROVIDER_SECTION:
        return apply_section(tables, record, error);
    case FXT_METADATA_TRACE_INFO:
        apply_magic(tables, record);
        return FXT_OK;
    default:
        return FXT_OK;
    }
}

enum fxt_status fxt_tables_apply(struct fxt_tables *tables, const struct fxt_record *record,
                                 struct fxt_error *error)
{
    switch (record->type) {
    case FXT_RECORD_METADATA:
        return apply_metadata(tables, record, error);
    case FXT_RECORD_INITIALIZATION:
        return apply_initialization(tables, record, error);
    case FXT_RECORD_STRING:
        return apply_string(tables, record, error);
    case FXT_RECORD_THREAD:
        return apply_thread(tables, record, error);
    case FXT_RECORD_KERNEL_OBJECT:
        return apply_kernel(tables, record, error);
    case FXT_RECORD_USERSPACE_OBJECT:
        return apply_userspace(tables, record, error);
    default:
        return FXT_OK;
    }
}
