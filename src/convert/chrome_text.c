/* Strings, koids and threads as JSON text; see chrome_i.h. Owns the two caches in struct
   fxt_chrome_memory.

   String cache: one entry for each string index, shared by the providers. An entry is valid when
   its epoch is that of the converter and its provider the current one; a string record drops the
   entry of its index, a record that begins a provider's tables drops all. When the text memory is full
   the cache starts again, at the next record only, so that the entries of one record stay.
   Thread cache: keyed by the koids themselves, so it never goes stale. */
#include "src/convert/chrome_i.h"

static struct fxt_chrome_string *string_entry(const struct fxt_chrome *chrome, uint16_t index)
{
    uint32_t spread = chrome->tables->current * 2654435761u;
    return &chrome->memory->strings[(index + spread) % FXT_CHROME_STRINGS];
}

void fxt_i_chrome_forget_string(struct fxt_chrome *chrome, uint16_t index)
{
    string_entry(chrome, index)->epoch = 0;
}

void fxt_i_chrome_forget_all(struct fxt_chrome *chrome)
{
    chrome->text_used = 0;
    chrome->text_full = false;
    chrome->generation = chrome->tables->generation;
    chrome->epoch++;
    if (chrome->epoch == 0) {
        memset(chrome->memory->strings, 0, sizeof chrome->memory->strings);
        chrome->epoch = 1;
    }
}

char *fxt_i_chrome_put_bytes(struct fxt_chrome *chrome, char *to, struct fxt_bytes text)
{
    *to++ = '"';
    fxt_i_chrome_commit(chrome, to);
    fxt_escape_out(chrome->out, text.bytes, (size_t)text.size);
    to = fxt_i_chrome_room(chrome);
    *to = '"';
    return to + 1;
}

char *fxt_i_chrome_put_unknown(char *to, const char *what, uint32_t number)
{
    size_t length = strlen(what);
    to = FXT_I_PUT(to, "\"<unknown ");
    memcpy(to, what, length);
    to = fxt_number_u64(to + length, number);
    return FXT_I_PUT(to, ">\"");
}

/* An indexed string that is not in the cache. */
static char *put_missing(struct fxt_chrome *chrome, char *to, uint16_t *hash,
                         struct fxt_string_ref ref)
{
    struct fxt_chrome_memory *memory = chrome->memory;
    struct fxt_chrome_string *entry = string_entry(chrome, ref.ref);
    struct fxt_bytes text;

    *hash = FXT_I_CHROME_NO_HASH;
    if (!fxt_tables_string(chrome->tables, &text, ref)) {
        char *end = fxt_i_chrome_put_unknown(to, "#", ref.ref);
        *hash = fxt_i_chrome_hash(to + 1, (size_t)(end - to) - 2);
        return end;
    }
    if (text.size + 2 > FXT_I_CHROME_CACHED_MAX)
        return fxt_i_chrome_put_bytes(chrome, to, text);
    size_t most = FXT_ESCAPE_GROWTH * (size_t)text.size + FXT_ESCAPE_SLACK + 2 + 32;
    if (most > FXT_CHROME_TEXT_BYTES - chrome->text_used) {
        chrome->text_full = true;
        return fxt_i_chrome_put_bytes(chrome, to, text);
    }
    char *start = memory->text + chrome->text_used;
    start[0] = '"';
    char *end = fxt_escape(start + 1, text.bytes, (size_t)text.size);
    *end++ = '"';
    uint32_t length = (uint32_t)(end - start);
    if (length > FXT_I_CHROME_CACHED_MAX)
        return fxt_i_chrome_put_bytes(chrome, to, text);
    *hash = fxt_i_chrome_hash(start + 1, length - 2);
    entry->epoch = chrome->epoch;
    entry->provider = chrome->tables->current;
    entry->offset = chrome->text_used;
    entry->length = (uint16_t)length;
    entry->hash = *hash;
    chrome->text_used += (length + 15) / 16 * 16;
    return fxt_i_chrome_copy(to, start, length);
}

char *fxt_i_chrome_put_string(struct fxt_chrome *chrome, char *to, uint16_t *hash,
                              struct fxt_string_ref ref)
{
    if (ref.ref < FXT_STRING_INLINE) {
        const struct fxt_chrome_string *entry = string_entry(chrome, ref.ref);
        if (entry->epoch != chrome->epoch || entry->provider != chrome->tables->current)
            return put_missing(chrome, to, hash, ref);
        *hash = entry->hash;
        return fxt_i_chrome_copy(to, chrome->memory->text + entry->offset, entry->length);
    }
    struct fxt_bytes text = {ref.bytes, fxt_string_ref_length(ref)};
    if (text.size > FXT_I_CHROME_CACHED_MAX / FXT_ESCAPE_GROWTH - FXT_ESCAPE_SLACK) {
        *hash = FXT_I_CHROME_NO_HASH;
        return fxt_i_chrome_put_bytes(chrome, to, text);
    }
    *to++ = '"';
    char *end = fxt_escape(to, text.bytes, (size_t)text.size);
    *hash = fxt_i_chrome_hash(to, (size_t)(end - to));
    *end = '"';
    return end + 1;
}

static char *put_below(char *to, uint64_t number, uint64_t limit)
{
    if (number < limit)
        return fxt_number_u64(to, number);
    *to = '"';
    to = fxt_number_u64(to + 1, number);
    *to = '"';
    return to + 1;
}

char *fxt_i_chrome_put_koid(char *to, uint64_t koid)
{
    return put_below(to, koid, FXT_I_CHROME_NUMBER_LIMIT);
}

char *fxt_i_chrome_put_pid(char *to, uint64_t koid)
{
    return put_below(to, koid, FXT_I_CHROME_PID_LIMIT);
}

char *fxt_i_chrome_put_number(char *to, int64_t number)
{
    if (number >= 0)
        return fxt_i_chrome_put_koid(to, (uint64_t)number);
    if (number > -(int64_t)FXT_I_CHROME_NUMBER_LIMIT)
        return fxt_number_i64(to, number);
    *to = '"';
    to = fxt_number_i64(to + 1, number);
    *to = '"';
    return to + 1;
}

char *fxt_i_chrome_put_id(char *to, uint64_t id)
{
    *to = '"';
    to = fxt_number_hex(to + 1, id);
    *to = '"';
    return to + 1;
}

char *fxt_i_chrome_put_track(char *to, uint32_t pid, uint32_t tid)
{
    to = FXT_I_PUT(to, ",\"pid\":");
    to = fxt_number_u64(to, pid);
    to = FXT_I_PUT(to, ",\"tid\":");
    return fxt_number_u64(to, tid);
}

static char *put_unregistered(struct fxt_chrome *chrome, char *to, uint16_t index)
{
    chrome->unknown_thread = fxt_i_chrome_unknown_tid(chrome, index);
    to = fxt_i_chrome_put_track(to, FXT_CHROME_UNKNOWN_PID, chrome->unknown_thread);
    to = FXT_I_PUT(to, ",\"thread_ref\":");
    return fxt_number_u64(to, index);
}

static void fill_thread(struct fxt_chrome_thread *entry, uint64_t process, uint64_t thread)
{
    char text[128];
    char *end = FXT_I_PUT(text, ",\"pid\":");
    end = fxt_i_chrome_put_pid(end, process);
    end = FXT_I_PUT(end, ",\"tid\":");
    end = fxt_i_chrome_put_pid(end, thread);
    entry->process = process;
    entry->thread = thread;
    entry->length = (uint32_t)(end - text); /* at most 58 */
    entry->trace = 0;
    memset(entry->text, 0, sizeof entry->text);
    memcpy(entry->text, text, entry->length);
}

struct fxt_chrome_thread *fxt_i_chrome_thread(struct fxt_chrome *chrome,
                                              const struct fxt_thread_ref *ref)
{
    uint64_t process = ref->process;
    uint64_t thread = ref->thread;
    if (ref->ref != 0) {
        const struct fxt_thread_slot *slot =
            fxt_i_thread_slot(fxt_i_current_provider(chrome->tables), ref->ref);
        if (slot == NULL)
            return NULL;
        process = slot->process;
        thread = slot->thread;
    }
    uint64_t mixed = (process * 31 + thread) * UINT64_C(0x9e3779b97f4a7c15);
    struct fxt_chrome_thread *entry = &chrome->memory->threads[(mixed >> 32) % FXT_CHROME_THREADS];
    if (entry->length == 0 || entry->process != process || entry->thread != thread)
        fill_thread(entry, process, thread);
    return entry;
}

char *fxt_i_chrome_put_entry(struct fxt_chrome *chrome, char *to,
                             const struct fxt_chrome_thread *entry, uint16_t ref)
{
    if (entry == NULL)
        return put_unregistered(chrome, to, ref);
    memcpy(to, entry->text, sizeof entry->text);
    return to + entry->length;
}

char *fxt_i_chrome_put_thread(struct fxt_chrome *chrome, char *to, struct fxt_thread_ref ref)
{
    return fxt_i_chrome_put_entry(chrome, to, fxt_i_chrome_thread(chrome, &ref), ref.ref);
}

static char *put_base64_group(char *to, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t group = (uint32_t)bytes[0] << 16;
    if (size > 1)
        group |= (uint32_t)bytes[1] << 8;
    if (size > 2)
        group |= bytes[2];
    to[0] = digits[group >> 18];
    to[1] = digits[group >> 12 & 63];
    to[2] = size > 1 ? digits[group >> 6 & 63] : '=';
    to[3] = size > 2 ? digits[group & 63] : '=';
    return to + 4;
}

char *fxt_i_chrome_put_base64(struct fxt_chrome *chrome, char *to, struct fxt_bytes blob)
{
    *to++ = '"';
    while (blob.size > 0) {
        size_t piece = blob.size < 2700 ? (size_t)blob.size : 2700; /* 3600 digits */
        to = fxt_i_chrome_more(chrome, to);
        for (size_t i = 0; i < piece; i += 3)
            to = put_base64_group(to, blob.bytes + i, piece - i);
        blob.bytes += piece;
        blob.size -= piece;
    }
    to = fxt_i_chrome_more(chrome, to);
    *to = '"';
    return to + 1;
}
