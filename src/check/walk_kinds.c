/* The rules of metadata, objects, scheduling, profiler and large records. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

/*@ requires walk_ok(walk) && \valid_read(error);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures same: \result <==> status == FXT_OK;
  @*/
static bool decoded(struct fxt_i_walk *walk, enum fxt_status status, const struct fxt_error *error)
{
    if (status != FXT_OK)
        fxt_i_report(walk, error->rule, error->offset, 0);
    return status == FXT_OK;
}

/* MET-03: whether the provider that a section or an event names was introduced. */
/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_introduced(struct fxt_i_walk *walk, uint32_t id)
{
    if (!fxt_i_judges_references(walk))
        return;
    const struct fxt_tables *tables = &walk->checker->tables;
    /*@ loop invariant i <= tables->provider_count;
      @ loop assigns i;
      @ loop variant tables->provider_count - i;
      @*/
    for (uint32_t i = 0; i < tables->provider_count; i++)
        if (tables->provider_ids[i] == id && tables->providers[i].introduced)
            return;
    fxt_i_report(walk, FXT_RULE_MET_03, walk->record->offset, id);
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_trace_info(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;

    if (fxt_trace_info_header_trace_info_type(record->header) != FXT_TRACE_INFO_MAGIC)
        fxt_i_report(walk, FXT_RULE_MET_05, record->offset,
                     fxt_trace_info_header_trace_info_type(record->header));
    else if (record->header != FXT_MAGIC)
        fxt_i_report(walk, FXT_RULE_MET_06, record->offset, record->header);
}

void fxt_i_walk_metadata(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_provider_event event;
    struct fxt_error error;

    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_INFO:
        if (!decoded(walk, fxt_read_provider_info(record, &info, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_provider_info_header_reserved(record->header),
                            record->offset);
        fxt_i_walk_text(walk, info.name);
        fxt_i_walk_tail(walk, info.tail);
        break;
    case FXT_METADATA_PROVIDER_SECTION:
        if (!decoded(walk, fxt_read_provider_section(record, &section, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_provider_section_header_reserved(record->header),
                            record->offset);
        walk_introduced(walk, section.provider_id);
        fxt_i_walk_tail(walk, section.tail);
        break;
    case FXT_METADATA_PROVIDER_EVENT:
        if (!decoded(walk, fxt_read_provider_event(record, &event, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_provider_event_header_reserved(record->header),
                            record->offset);
        if (event.event_id != FXT_PROVIDER_EVENT_BUFFER_FULL)
            fxt_i_report(walk, FXT_RULE_MET_04, record->offset, event.event_id);
        walk_introduced(walk, event.provider_id);
        fxt_i_walk_tail(walk, event.tail);
        break;
    case FXT_METADATA_TRACE_INFO:
        walk_trace_info(walk);
        break;
    default:
        fxt_i_report(walk, FXT_RULE_MET_01, record->offset, fxt_record_metadata_type(record));
        break;
    }
}

/*@ requires walk_ok(walk)
  @          && in_record(walk->record, name.bytes, 8 * l_string_words(name.ref));
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_kernel_name(struct fxt_i_walk *walk, struct fxt_string_ref name)
{
    bool any = walk->checker == NULL || walk->checker->edition >= FXT_EDITION_CURRENT;
    if (name.ref >= FXT_STRING_INLINE)
        fxt_i_walk_inline_string(walk, name, walk->record->offset, any);
    else
        fxt_i_walk_string(walk, name, walk->record->offset);
}

void fxt_i_walk_object(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_userspace_object userspace;
    struct fxt_kernel_object kernel;
    struct fxt_error error;

    if (record->type == FXT_RECORD_USERSPACE_OBJECT) {
        if (!decoded(walk, fxt_read_userspace_object(record, &userspace, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_userspace_object_header_reserved(record->header),
                            record->offset);
        fxt_i_walk_thread(walk, userspace.process.ref, record->offset);
        fxt_i_walk_string(walk, userspace.name, record->offset);
        fxt_i_walk_args(walk, userspace.args);
        fxt_i_walk_tail(walk, userspace.tail);
        return;
    }
    if (!decoded(walk, fxt_read_kernel_object(record, &kernel, &error), &error))
        return;
    fxt_i_walk_reserved(walk, fxt_kernel_object_header_reserved(record->header), record->offset);
    walk_kernel_name(walk, kernel.name);
    fxt_i_walk_args(walk, kernel.args);
    fxt_i_walk_tail(walk, kernel.tail);
}

/* SCH-03 */
/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_state(struct fxt_i_walk *walk, uint16_t state)
{
    if (state > FXT_THREAD_DEAD || state == FXT_THREAD_RUNNING)
        fxt_i_report(walk, FXT_RULE_SCH_03, walk->record->offset, state);
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_legacy_switch(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_legacy_switch in;
    struct fxt_error error;

    if (!decoded(walk, fxt_read_legacy_switch(record, &in, &error), &error))
        return;
    fxt_i_walk_reserved(walk, fxt_legacy_switch_header_reserved(record->header), record->offset);
    walk_state(walk, in.outgoing_state);
    fxt_i_walk_thread(walk, in.outgoing.ref, record->offset);
    fxt_i_walk_thread(walk, in.incoming.ref, record->offset);
    fxt_i_walk_tail(walk, in.tail);
}

void fxt_i_walk_scheduling(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_context_switch context;
    struct fxt_thread_wakeup wakeup;
    struct fxt_error error;
    uint8_t kind = fxt_record_scheduling_type(record);

    if (kind == FXT_SCHEDULING_CONTEXT_SWITCH || kind == FXT_SCHEDULING_THREAD_WAKEUP)
        fxt_i_walk_edition(walk, record->offset, kind);
    if (kind == FXT_SCHEDULING_LEGACY_SWITCH) {
        walk_legacy_switch(walk);
    } else if (kind == FXT_SCHEDULING_CONTEXT_SWITCH) {
        if (!decoded(walk, fxt_read_context_switch(record, &context, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_context_switch_header_reserved(record->header),
                            record->offset);
        walk_state(walk, context.outgoing_state);
        fxt_i_walk_args(walk, context.args);
        fxt_i_walk_tail(walk, context.tail);
    } else if (kind == FXT_SCHEDULING_THREAD_WAKEUP) {
        if (!decoded(walk, fxt_read_thread_wakeup(record, &wakeup, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_thread_wakeup_header_reserved(record->header),
                            record->offset);
        fxt_i_walk_args(walk, wakeup.args);
        fxt_i_walk_tail(walk, wakeup.tail);
    } else {
        fxt_i_report(walk, FXT_RULE_SCH_02, record->offset, kind);
    }
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_module(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_module in;
    struct fxt_error error;

    if (!decoded(walk, fxt_read_module(record, &in, &error), &error))
        return;
    fxt_i_walk_reserved(walk, fxt_module_header_reserved(record->header), record->offset);
    fxt_i_walk_thread(walk, in.thread.ref, record->offset);
    fxt_i_walk_text(walk, in.name);
    fxt_i_walk_padding(walk, in.build_id);
    fxt_i_walk_tail(walk, in.tail);
}

void fxt_i_walk_profiler(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_mmap mmap;
    struct fxt_backtrace backtrace;
    struct fxt_error error;

    fxt_i_walk_edition(walk, record->offset, record->type);
    switch (fxt_record_profiler_type(record)) {
    case FXT_PROFILER_MODULE:
        walk_module(walk);
        break;
    case FXT_PROFILER_MMAP:
        if (!decoded(walk, fxt_read_mmap(record, &mmap, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_mmap_header_reserved(record->header), record->offset);
        fxt_i_walk_thread(walk, mmap.thread.ref, record->offset);
        fxt_i_walk_tail(walk, mmap.tail);
        break;
    case FXT_PROFILER_BACKTRACE:
        if (!decoded(walk, fxt_read_backtrace(record, &backtrace, &error), &error))
            return;
        fxt_i_walk_reserved(walk, fxt_backtrace_header_reserved(record->header), record->offset);
        fxt_i_walk_thread(walk, backtrace.thread.ref, record->offset);
        fxt_i_walk_tail(walk, backtrace.tail);
        break;
    default:
        fxt_i_report(walk, FXT_RULE_PRF_01, record->offset, fxt_record_profiler_type(record));
        break;
    }
}

void fxt_i_walk_large(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_large_blob in;
    struct fxt_error error;

    fxt_i_walk_edition(walk, record->offset, record->type);
    if (fxt_record_large_type(record) != FXT_LARGE_BLOB) {
        fxt_i_report(walk, FXT_RULE_LRG_01, record->offset, fxt_record_large_type(record));
        return;
    }
    if (fxt_record_blob_format(record) > FXT_LARGE_BLOB_NO_METADATA) {
        fxt_i_report(walk, FXT_RULE_LRG_02, record->offset, fxt_record_blob_format(record));
        return;
    }
    if (!decoded(walk, fxt_read_large_blob(record, &in, &error), &error))
        return;
    fxt_i_walk_reserved(walk, fxt_large_blob_header_reserved(record->header), record->offset);
    uint64_t format = fxt_load_word(record->bytes + 8);
    fxt_i_walk_reserved(walk,
                        in.blob_format == FXT_LARGE_BLOB_METADATA
                            ? fxt_large_blob_metadata_reserved(format)
                            : fxt_large_blob_no_metadata_reserved(format),
                        record->offset + 8);
    fxt_i_walk_string(walk, in.category, record->offset + 8);
    fxt_i_walk_string(walk, in.name, record->offset + 8);
    if (in.blob_format == FXT_LARGE_BLOB_METADATA) {
        fxt_i_walk_thread(walk, in.thread.ref, record->offset + 8);
        fxt_i_walk_args(walk, in.args);
    }
    fxt_i_walk_padding(walk, in.payload);
    fxt_i_walk_tail(walk, in.tail);
}
