/* Records that are no events, to rows: providers, objects, scheduling, logs, blobs. */
#include "src/convert/args.h"
#include "src/timeline/importer.h"

static void import_provider_info(struct importer *importer, const struct fxt_provider_info *info)
{
    struct provider_row *row = providers_at(importer->timeline, import_provider(importer));
    row->introduced = 1;
    row->name = texts_add(&importer->timeline->texts, info->name);
}

static void import_provider_event(struct importer *importer, const struct fxt_provider_event *event)
{
    uint32_t before = fxt_tables_provider(&importer->refs.tables)->id;
    if (event->event_id != FXT_PROVIDER_EVENT_BUFFER_FULL ||
        !refs_select(&importer->refs, event->provider_id))
        return;
    providers_at(importer->timeline, import_provider(importer))->full_events++;
    refs_select(&importer->refs, before);
}

static bool find_koid(const struct importer *importer, struct fxt_args args, const char *name,
                      uint64_t *koid)
{
    struct fxt_arg arg;
    bool found = fxt_convert_find_arg(&arg, &importer->refs.tables, args, FXT_ARG_KOID, name);
    if (found)
        *koid = arg.value;
    return found;
}

/* [WHO-02] */
static void name_object(struct importer *importer, const struct object_row *object)
{
    struct timeline *timeline = importer->timeline;
    if (object->type == FXT_OBJECT_PROCESS) {
        uint32_t row = import_process(importer, object->key);
        processes_at(timeline, row)->name = object->name;
    } else if (object->type == FXT_OBJECT_THREAD && object->has_process) {
        uint32_t row = import_thread_of_koids(importer, object->process, object->key);
        threads_at(timeline, row)->name = object->name;
    } else if (object->type == FXT_OBJECT_THREAD) {
        import_thread_of_koid(importer, importer->trace, object->key);
        *import_row(importer, &importer->koid_names, importer->trace, object->key, 0) =
            object->name;
    }
}

static void import_kernel_object(struct importer *importer, const struct fxt_kernel_object *in,
                                 uint64_t offset)
{
    struct object_row row = {
        .key = in->koid,
        .offset = offset,
        .type = in->object_type,
        .name = import_text(importer, in->name),
        .args = import_args(importer, in->args),
        .provider = import_provider(importer),
    };
    row.has_process = find_koid(importer, in->args, "process", &row.process);
    *(struct object_row *)array_add(&importer->timeline->objects) = row;
    name_object(importer, &row);
}

static void import_userspace_object(struct importer *importer,
                                    const struct fxt_userspace_object *in, uint64_t offset)
{
    struct fxt_thread_ref process = in->process;
    struct object_row row = {
        .key = in->pointer,
        .offset = offset,
        .type = ROW_NONE,
        .name = import_text(importer, in->name),
        .args = import_args(importer, in->args),
        .provider = import_provider(importer),
    };
    row.has_process =
        in->process.ref == 0 || fxt_tables_thread(&importer->refs.tables, &process, in->process);
    row.process = process.process;
    *(struct object_row *)array_add(&importer->timeline->objects) = row;
}

/* A switch is of the first thread of its koid, and names the one of its process [WHO-03]. */
static uint32_t switched_thread(struct importer *importer, struct fxt_thread_ref ref)
{
    struct fxt_thread_ref koids = ref;
    if (ref.ref != 0 && !fxt_tables_thread(&importer->refs.tables, &koids, ref))
        return import_thread(importer, ref);
    import_thread_of_koids(importer, koids.process, koids.thread);
    return import_known(importer, importer->trace, koids.thread);
}

static void import_legacy_switch(struct importer *importer, const struct fxt_legacy_switch *in,
                                 uint64_t offset)
{
    const struct switch_row row = {
        .ts = import_time(importer, in->timestamp),
        .offset = offset,
        .outgoing_thread = switched_thread(importer, in->outgoing),
        .incoming_thread = switched_thread(importer, in->incoming),
        .args = ROW_NONE,
        .trace = importer->trace,
        .provider = import_provider(importer),
        .priority = in->incoming_priority,
        .cpu = in->cpu,
        .state = (uint8_t)in->outgoing_state,
        .type = FXT_SCHEDULING_LEGACY_SWITCH,
        .outgoing_idle = refs_is_idle(&importer->refs, in->outgoing, in->outgoing_priority),
        .incoming_idle = refs_is_idle(&importer->refs, in->incoming, in->incoming_priority),
    };
    *(struct switch_row *)array_add(&importer->switches) = row;
}

static void import_context_switch(struct importer *importer, const struct fxt_context_switch *in,
                                  uint64_t offset)
{
    int32_t outgoing = refs_weight(&importer->refs, in->args, "outgoing_weight");
    int32_t incoming = refs_weight(&importer->refs, in->args, "incoming_weight");
    const struct switch_row row = {
        .ts = import_time(importer, in->timestamp),
        .offset = offset,
        .outgoing = in->outgoing_thread,
        .incoming = in->incoming_thread,
        .outgoing_thread = ROW_NONE,
        .incoming_thread = ROW_NONE,
        .args = import_args(importer, in->args),
        .trace = importer->trace,
        .provider = import_provider(importer),
        .priority = incoming,
        .cpu = in->cpu,
        .state = (uint8_t)in->outgoing_state,
        .type = FXT_SCHEDULING_CONTEXT_SWITCH,
        .outgoing_idle = in->outgoing_thread == 0 || outgoing == REFS_IDLE,
        .incoming_idle = in->incoming_thread == 0 || incoming == REFS_IDLE,
    };
    *(struct switch_row *)array_add(&importer->switches) = row;
}

static void import_wakeup(struct importer *importer, const struct fxt_thread_wakeup *in,
                          uint64_t offset)
{
    int32_t weight = refs_weight(&importer->refs, in->args, "weight");
    struct switch_row row = {
        .ts = import_time(importer, in->timestamp),
        .offset = offset,
        .incoming = in->waking_thread,
        .outgoing_thread = ROW_NONE,
        .incoming_thread = ROW_NONE,
        .args = import_args(importer, in->args),
        .trace = importer->trace,
        .provider = import_provider(importer),
        .cpu = in->cpu,
        .type = FXT_SCHEDULING_THREAD_WAKEUP,
        .incoming_idle = in->waking_thread == 0 || weight == REFS_IDLE,
    };
    row.has_waker = find_koid(importer, in->args, "waker", &row.waker);
    *(struct switch_row *)array_add(&importer->switches) = row;
}

static void import_log(struct importer *importer, const struct fxt_log *in, uint64_t offset)
{
    const struct log_row row = {
        .ts = import_time(importer, in->timestamp),
        .offset = offset,
        .thread = import_thread(importer, in->thread),
        .message = texts_add(&importer->timeline->texts, in->message),
        .provider = import_provider(importer),
    };
    *(struct log_row *)array_add(&importer->timeline->logs) = row;
}

static void import_blob(struct importer *importer, const struct fxt_blob *in, uint64_t offset)
{
    const struct blob_row row = {
        .offset = offset,
        .ts = DUR_NONE,
        .name = import_text(importer, in->name),
        .category = ROW_NONE,
        .thread = ROW_NONE,
        .args = ROW_NONE,
        .payload = texts_keep(&importer->timeline->texts, in->payload),
        .provider = import_provider(importer),
        .type = in->blob_type,
    };
    *(struct blob_row *)array_add(&importer->timeline->blobs) = row;
}

static void import_large_blob(struct importer *importer, const struct fxt_large_blob *in,
                              uint64_t offset)
{
    bool has_metadata = in->blob_format == FXT_LARGE_BLOB_METADATA;
    const struct blob_row row = {
        .offset = offset,
        .ts = has_metadata ? import_time(importer, in->timestamp) : DUR_NONE,
        .name = import_text(importer, in->name),
        .category = import_text(importer, in->category),
        .thread = has_metadata ? import_thread(importer, in->thread) : ROW_NONE,
        .args = has_metadata ? import_args(importer, in->args) : ROW_NONE,
        .payload = texts_keep(&importer->timeline->texts, in->payload),
        .provider = import_provider(importer),
        .type = in->blob_format,
        .large = 1,
    };
    *(struct blob_row *)array_add(&importer->timeline->blobs) = row;
}

void import_other(struct importer *importer, enum fxt_kind kind,
                  const union fxt_convert_any *fields, uint64_t offset)
{
    switch (kind) {
    case FXT_KIND_PROVIDER_INFO:
        import_provider_info(importer, &fields->provider_info);
        break;
    case FXT_KIND_PROVIDER_EVENT:
        import_provider_event(importer, &fields->provider_event);
        break;
    case FXT_KIND_KERNEL_OBJECT:
        import_kernel_object(importer, &fields->kernel_object, offset);
        break;
    case FXT_KIND_USERSPACE_OBJECT:
        import_userspace_object(importer, &fields->userspace_object, offset);
        break;
    case FXT_KIND_LEGACY_SWITCH:
        import_legacy_switch(importer, &fields->legacy_switch, offset);
        break;
    case FXT_KIND_CONTEXT_SWITCH:
        import_context_switch(importer, &fields->context_switch, offset);
        break;
    case FXT_KIND_THREAD_WAKEUP:
        import_wakeup(importer, &fields->thread_wakeup, offset);
        break;
    case FXT_KIND_LOG:
        import_log(importer, &fields->log, offset);
        break;
    case FXT_KIND_BLOB:
        import_blob(importer, &fields->blob, offset);
        break;
    case FXT_KIND_LARGE_BLOB:
        import_large_blob(importer, &fields->large_blob, offset);
        break;
    case FXT_KIND_MODULE:
    case FXT_KIND_MMAP:
    case FXT_KIND_BACKTRACE:
        importer->notes.profiler++;
        break;
    case FXT_KIND_UNKNOWN:
        importer->notes.unknown++;
        break;
    case FXT_KIND_MAGIC: /* import.c sees to these */
    case FXT_KIND_PROVIDER_SECTION:
    case FXT_KIND_TRACE_INFO:
    case FXT_KIND_INITIALIZATION:
    case FXT_KIND_STRING:
    case FXT_KIND_THREAD:
    case FXT_KIND_EVENT:
    case FXT_KIND_COUNT:
        break;
    }
}
