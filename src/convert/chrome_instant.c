/* Log records, profiler records, large blobs and provider events as instants; see chrome.h. No state
   of its own. */
#include "src/convert/chrome_i.h"
#include "src/convert/names.h"

static const char start[24] = FXT_I_CHROME_START("i");

/* All of an instant up to its arguments, but for category and name. */
static char *begin(struct fxt_chrome *chrome, uint64_t timestamp, struct fxt_thread_ref thread)
{
    char *to = fxt_i_chrome_begin(chrome, start);
    to = fxt_i_chrome_put_ts(chrome, to, fxt_i_chrome_ticks(chrome, timestamp));
    return fxt_i_chrome_put_thread(chrome, to, thread);
}

enum fxt_status fxt_i_chrome_log(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_log log;
    struct fxt_error error;
    if (fxt_read_log(record, &log, &error) != FXT_OK)
        return FXT_MALFORMED;
    char *to = begin(chrome, log.timestamp, log.thread);
    to = FXT_I_PUT(to, ",\"s\":\"g\",\"name\":\"log\",\"args\":{\"message\":");
    to = fxt_i_chrome_put_bytes(chrome, to, log.message);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

static char *put_hex_bytes(struct fxt_chrome *chrome, char *to, struct fxt_bytes bytes)
{
    to = fxt_i_chrome_more(chrome, to);
    *to++ = '"';
    for (uint64_t i = 0; i < bytes.size; i++) { /* at most 255 */
        *to++ = "0123456789abcdef"[bytes.bytes[i] / 16];
        *to++ = "0123456789abcdef"[bytes.bytes[i] % 16];
    }
    *to = '"';
    return to + 1;
}

static enum fxt_status module(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_module module;
    struct fxt_error error;
    if (fxt_read_module(record, &module, &error) != FXT_OK)
        return FXT_MALFORMED;
    char *to = begin(chrome, module.timestamp, module.thread);
    to = FXT_I_PUT(to, ",\"s\":\"p\",\"cat\":\"profiler\",\"name\":\"module\"");
    to = FXT_I_PUT(to, ",\"args\":{\"module_id\":");
    to = fxt_number_u64(to, module.module_id);
    to = FXT_I_PUT(to, ",\"name\":");
    to = fxt_i_chrome_put_bytes(chrome, to, module.name);
    to = FXT_I_PUT(to, ",\"build_id\":");
    to = put_hex_bytes(chrome, to, module.build_id);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

static enum fxt_status mmap(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_mmap map;
    struct fxt_error error;
    if (fxt_read_mmap(record, &map, &error) != FXT_OK)
        return FXT_MALFORMED;
    char *to = begin(chrome, map.timestamp, map.thread);
    to = FXT_I_PUT(to, ",\"s\":\"p\",\"cat\":\"profiler\",\"name\":\"mmap\"");
    to = FXT_I_PUT(to, ",\"args\":{\"module_id\":");
    to = fxt_number_u64(to, map.module_id);
    to = FXT_I_PUT(to, ",\"start_address\":");
    to = fxt_i_chrome_put_id(to, map.start_address);
    to = FXT_I_PUT(to, ",\"address_range\":");
    to = fxt_i_chrome_put_id(to, map.address_range);
    to = FXT_I_PUT(to, ",\"vaddr\":");
    to = fxt_i_chrome_put_id(to, map.vaddr);
    to = FXT_I_PUT(to, ",\"flags\":");
    to = fxt_number_u64(to, map.flags);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

static enum fxt_status backtrace(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_backtrace backtrace;
    struct fxt_error error;
    if (fxt_read_backtrace(record, &backtrace, &error) != FXT_OK)
        return FXT_MALFORMED;
    char *to = begin(chrome, backtrace.timestamp, backtrace.thread);
    to = FXT_I_PUT(to, ",\"s\":\"t\",\"cat\":\"profiler\",\"name\":\"backtrace\"");
    to = FXT_I_PUT(to, ",\"args\":{\"frames\":[");
    for (uint8_t i = 0; i < backtrace.frame_count; i++) {
        to = fxt_i_chrome_more(chrome, to);
        if (i > 0)
            *to++ = ',';
        to = fxt_i_chrome_put_id(to, fxt_backtrace_frame(&backtrace, i));
    }
    to = FXT_I_PUT(to, "]}");
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

enum fxt_status fxt_i_chrome_profiler(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    switch (fxt_record_profiler_type(record)) {
    case FXT_PROFILER_MODULE:
        return module(chrome, record);
    case FXT_PROFILER_MMAP:
        return mmap(chrome, record);
    case FXT_PROFILER_BACKTRACE:
        return backtrace(chrome, record);
    default:
        chrome->omitted.unknown++;
        return FXT_OK;
    }
}

static bool is_fidl(const struct fxt_chrome *chrome, struct fxt_string_ref category)
{
    struct fxt_bytes text;
    return fxt_tables_string(chrome->tables, &text, category) && text.size == 9 &&
           memcmp(text.bytes, "fidl:blob", 9) == 0;
}

enum fxt_status fxt_i_chrome_large(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_large_blob blob;
    struct fxt_error error;
    struct fxt_i_chrome_names names = {0};
    uint16_t hash;

    if (fxt_record_large_type(record) != FXT_LARGE_BLOB ||
        fxt_record_blob_format(record) > FXT_LARGE_BLOB_NO_METADATA) {
        chrome->omitted.unknown++;
        return FXT_OK;
    }
    if (fxt_read_large_blob(record, &blob, &error) != FXT_OK)
        return FXT_MALFORMED;
    if (blob.blob_format != FXT_LARGE_BLOB_METADATA) {
        chrome->omitted.large_blobs++;
        return FXT_OK;
    }
    char *to = begin(chrome, blob.timestamp, blob.thread);
    to = FXT_I_PUT(to, ",\"s\":\"t\",\"cat\":");
    to = fxt_i_chrome_put_string(chrome, to, &hash, blob.category);
    to = FXT_I_PUT(to, ",\"name\":");
    to = fxt_i_chrome_put_string(chrome, to, &hash, blob.name);
    to = FXT_I_PUT(to, ",\"args\":{");
    to = fxt_i_chrome_put_key(chrome, to, &names, "size");
    to = fxt_i_chrome_put_koid(to, blob.payload.size);
    if (is_fidl(chrome, blob.category)) {
        to = fxt_i_chrome_put_key(chrome, to, &names, "blob");
        to = fxt_i_chrome_put_base64(chrome, to, blob.payload);
    }
    to = fxt_i_chrome_put_args(chrome, to, &names, blob.args, false);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

/* The place of a provider in the tables, or provider_count. */
static uint32_t index_of(const struct fxt_tables *tables, uint32_t provider_id)
{
    uint32_t index = 0;
    while (index < tables->provider_count && tables->provider_ids[index] != provider_id)
        index++;
    return index;
}

/* The latest time of that provider, else of any; 0 when there is none. */
static uint64_t latest(const struct fxt_chrome *chrome, uint32_t index)
{
    uint64_t own = chrome->memory->tracks.latest[index % FXT_CHROME_PROVIDERS];
    return own > 0 ? own : fxt_i_chrome_latest(chrome);
}

static char *put_event_name(char *to, uint16_t event_id)
{
    const char *name = fxt_convert_name_of(&fxt_convert_provider_events, event_id);
    if (name == NULL)
        return fxt_i_chrome_put_unknown(to, "provider event ", event_id);
    *to++ = '"';
    size_t length = strlen(name);
    memcpy(to, name, length);
    to[length] = '"';
    return to + length + 1;
}

enum fxt_status fxt_i_chrome_provider_event(struct fxt_chrome *chrome,
                                            const struct fxt_record *record)
{
    struct fxt_provider_event event;
    struct fxt_error error;
    if (fxt_read_provider_event(record, &event, &error) != FXT_OK)
        return FXT_MALFORMED;
    uint32_t index = index_of(chrome->tables, event.provider_id);
    uint64_t ns = latest(chrome, index);
    if (index == chrome->tables->provider_count || ns == 0) {
        chrome->omitted.provider_events++;
        return FXT_OK;
    }
    fxt_i_chrome_name_provider(chrome, index);
    char *to = fxt_i_chrome_begin(chrome, start);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = FXT_I_PUT(to, ",\"s\":\"t\"");
    to = fxt_i_chrome_put_track(to, FXT_CHROME_PROVIDER_PID, fxt_i_chrome_provider_tid(index));
    to = FXT_I_PUT(to, ",\"cat\":\"provider\",\"name\":");
    to = put_event_name(to, event.event_id);
    to = FXT_I_PUT(to, ",\"args\":{\"provider_id\":");
    to = fxt_number_u64(to, event.provider_id);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}
