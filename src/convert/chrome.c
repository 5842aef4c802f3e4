/* FXT to Chrome JSON: the document around the events, and which record goes where; see chrome.h.
   chrome_event.c, chrome_object.c, chrome_sched.c, chrome_instant.c write the events. */
#include "src/convert/chrome_i.h"
#include "src/convert/kinds.h"
#include "src/wire/layout.h"

void fxt_chrome_init(struct fxt_chrome *chrome, struct fxt_out *out,
                     const struct fxt_tables *tables, struct fxt_chrome_memory *memory)
{
    memset(chrome, 0, sizeof *chrome);
    memset(memory->strings, 0, sizeof memory->strings);
    memset(memory->threads, 0, sizeof memory->threads);
    memset(memory->moved, 0, sizeof memory->moved);
    memset(memory->cpus, 0, sizeof memory->cpus);
    memory->cpu_blocks_used = 0;
    memset(memory->cpu_blocks, 0, sizeof memory->cpu_blocks);
    memset(memory->busy, 0, sizeof memory->busy);
    memset(memory->busy_words, 0, sizeof memory->busy_words);
    memset(&memory->tracks, 0, sizeof memory->tracks);
    memset(&memory->window, 0, offsetof(struct fxt_chrome_window, heap));
    memory->window.blocks_free = FXT_CHROME_WINDOW_BLOCKS;
    chrome->out = out;
    chrome->tables = tables;
    chrome->memory = memory;
    chrome->epoch = 1;
    chrome->trace = 1;
    fxt_out_text(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

/* A magic number after the first begins a new trace (MET-10), whose clock may be another one. */
static void new_trace(struct fxt_chrome *chrome)
{
    fxt_i_chrome_end_cpus(chrome);
    chrome->trace++;
    memset(&chrome->memory->tracks, 0, sizeof chrome->memory->tracks);
}

/* A record that only the tables need. */
static enum fxt_status definition(const struct fxt_record *record)
{
    struct fxt_error error;
    return fxt_kind_malformed(record, &error) ? FXT_MALFORMED : FXT_OK;
}

static enum fxt_status metadata(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_EVENT:
        return fxt_i_chrome_provider_event(chrome, record);
    default:
        return definition(record);
    }
}

static enum fxt_status blob(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_blob unused;
    struct fxt_error error;
    if (fxt_read_blob(record, &unused, &error) != FXT_OK)
        return FXT_MALFORMED;
    chrome->omitted.blobs++;
    return FXT_OK;
}

static enum fxt_status userspace_object(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_userspace_object unused;
    struct fxt_error error;
    if (fxt_read_userspace_object(record, &unused, &error) != FXT_OK)
        return FXT_MALFORMED;
    chrome->omitted.userspace_objects++;
    return FXT_OK;
}

static enum fxt_status convert(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    switch (record->type) {
    case FXT_RECORD_EVENT:
        return fxt_i_chrome_event(chrome, record);
    case FXT_RECORD_METADATA:
        return metadata(chrome, record);
    case FXT_RECORD_STRING:
        fxt_i_chrome_forget_string(chrome, fxt_string_header_index(record->header));
        return definition(record);
    case FXT_RECORD_INITIALIZATION:
    case FXT_RECORD_THREAD:
        return definition(record);
    case FXT_RECORD_BLOB:
        return blob(chrome, record);
    case FXT_RECORD_USERSPACE_OBJECT:
        return userspace_object(chrome, record);
    case FXT_RECORD_KERNEL_OBJECT:
        return fxt_i_chrome_kernel_object(chrome, record);
    case FXT_RECORD_SCHEDULING:
        return fxt_i_chrome_scheduling(chrome, record);
    case FXT_RECORD_LOG:
        return fxt_i_chrome_log(chrome, record);
    case FXT_RECORD_PROFILER:
        return fxt_i_chrome_profiler(chrome, record);
    case FXT_RECORD_LARGE:
        return fxt_i_chrome_large(chrome, record);
    default:
        chrome->omitted.unknown++;
        return FXT_OK;
    }
}

void fxt_chrome_before_record(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    if (record->header == FXT_MAGIC && record->offset > 0)
        new_trace(chrome);
}

enum fxt_status fxt_chrome_record(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    if (chrome->text_full || chrome->generation != chrome->tables->generation)
        fxt_i_chrome_forget_all(chrome);
    enum fxt_status status = convert(chrome, record);
    if (chrome->unknown_thread != 0)
        fxt_i_chrome_name_unknown(chrome);
    if (status != FXT_OK)
        chrome->omitted.malformed++;
    return status;
}

static char *put_count(char *to, const char *name, uint64_t count)
{
    size_t length = strlen(name);
    memcpy(to, name, length);
    return fxt_number_u64(to + length, count);
}

void fxt_chrome_end(struct fxt_chrome *chrome)
{
    fxt_i_chrome_end_cpus(chrome);
    const struct fxt_chrome_omitted *omitted = &chrome->omitted;
    char *to = fxt_i_chrome_room(chrome);
    to = FXT_I_PUT(to, "\n],\"otherData\":{\"base_ns\":\"");
    to = fxt_number_u64(to, chrome->base);
    to = FXT_I_PUT(to, "\",\"omitted\":{");
    to = put_count(to, "\"malformed\":", omitted->malformed);
    to = put_count(to, ",\"unknown\":", omitted->unknown);
    to = put_count(to, ",\"blobs\":", omitted->blobs);
    to = put_count(to, ",\"large_blobs\":", omitted->large_blobs);
    to = put_count(to, ",\"userspace_objects\":", omitted->userspace_objects);
    to = put_count(to, ",\"kernel_objects\":", omitted->kernel_objects);
    to = put_count(to, ",\"provider_events\":", omitted->provider_events);
    to = put_count(to, ",\"late_switches\":", omitted->late_switches);
    to = put_count(to, ",\"ends_before_begin\":", omitted->ends_before_begin);
    to = put_count(to, ",\"cpus\":", omitted->cpus);
    to = put_count(to, ",\"counters\":", omitted->counters);
    to = FXT_I_PUT(to, "}}}\n");
    fxt_i_chrome_commit(chrome, to);
}
