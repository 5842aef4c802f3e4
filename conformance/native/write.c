/* Level write: a script of events, JSON Lines as conformance/schema/events.md has them, becomes a trace
   by <fxt/write.h> and <fxt/intern.h>. Strings and threads are interned for each provider by itself;
   the fields of each record are those of src/convert/kinds.h.

   The types of arguments that a script names are not looked at: an integer gets the narrowest type that
   holds it, and hex stays text if a string can hold it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/intern.h>

#include "conformance/native/json.h"
#include "conformance/native/native.h"
#include "src/convert/kinds.h"

enum { TRACE_MAX = 64 << 20, NODES = 4096, SOURCES = 16, SLOTS = 1024, TEXT = 1 << 16 };

/* A provider and its tables. */
struct source {
    struct fxt_bytes name; /* in the script */
    uint32_t id;
    struct fxt_interner interner;
    struct fxt_intern_slot slots[SLOTS];
    uint8_t text[TEXT];
};

static struct source sources[SOURCES];
static size_t source_count;
static struct source *source; /* of the events that follow */
static struct fxt_writer writer;
static enum fxt_edition edition;
static uint8_t frames[8 * 256];

static struct source *add_source(uint32_t id)
{
    if (source_count == SOURCES)
        return NULL;
    struct source *added = &sources[source_count++];
    added->id = id;
    fxt_intern_init(&added->interner, added->slots, SLOTS, added->text, TEXT, FXT_INTERN_INLINE);
    return added;
}

/* ---- values */

static bool whole(const struct json *value, uint64_t *out)
{
    if (value == NULL || value->type != JSON_INTEGER || value->negative)
        return false;
    *out = value->magnitude;
    return true;
}

static int nibble(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes take the place of their digits. */
static bool hex(const struct json *value, struct fxt_bytes *out)
{
    if (value == NULL || value->type != JSON_TEXT || value->text.size % 2 != 0)
        return false;
    uint8_t *to = (uint8_t *)value->text.bytes;
    out->bytes = to;
    out->size = value->text.size / 2;
    for (uint64_t i = 0; i < out->size; i++) {
        int high = nibble(value->text.bytes[2 * i]);
        int low = nibble(value->text.bytes[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

static bool text(const struct json *value, struct fxt_bytes *out)
{
    if (value != NULL && value->type == JSON_OBJECT)
        return hex(json_get(value, "hex"), out);
    if (value == NULL || value->type != JSON_TEXT)
        return false;
    *out = value->text;
    return true;
}

static bool named(const struct json *value, const struct fxt_convert_names *names, uint64_t *out)
{
    uint16_t number;
    if (whole(value, out))
        return true;
    if (value == NULL || value->type != JSON_TEXT || names == NULL ||
        !fxt_convert_number_of(names, &number, (const char *)value->text.bytes,
                               (size_t)value->text.size))
        return false;
    *out = number;
    return true;
}

/* Only the inline name of a kernel object may be no UTF-8 [KOB-02]. */
static bool intern(struct fxt_bytes bytes, struct fxt_string_ref *ref)
{
    if (bytes.size > FXT_STRING_LENGTH_MAX || !fxt_utf8_valid(bytes.bytes, bytes.size)) {
        *ref = fxt_string_inline(bytes.bytes, (size_t)bytes.size);
        return bytes.size < FXT_STRING_INLINE;
    }
    return fxt_intern_string(&source->interner, &writer, ref, bytes.bytes, (size_t)bytes.size) ==
           FXT_OK;
}

/* ---- arguments */

static bool integer(const struct json *value, struct fxt_string_ref name, struct fxt_arg *out)
{
    uint64_t magnitude = value->magnitude;
    if (value->negative) {
        int64_t number = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1;
        *out = number >= INT32_MIN ? fxt_make_int32(name, (int32_t)number)
                                   : fxt_make_int64(name, number);
    } else if (magnitude <= UINT32_MAX) {
        *out = magnitude <= INT32_MAX ? fxt_make_int32(name, (int32_t)magnitude)
                                      : fxt_make_uint32(name, (uint32_t)magnitude);
    } else {
        *out = magnitude <= INT64_MAX ? fxt_make_int64(name, (int64_t)magnitude)
                                      : fxt_make_uint64(name, magnitude);
    }
    return true;
}

/* Hex that is too long for a string was a blob. */
static bool string(const struct json *value, struct fxt_string_ref name, struct fxt_arg *out)
{
    struct fxt_string_ref ref;
    struct fxt_bytes bytes;
    if (!text(value, &bytes))
        return false;
    if (bytes.size > FXT_STRING_LENGTH_MAX && hex(value, &bytes)) {
        *out = fxt_make_blob(name, bytes.bytes, bytes.size);
        return true;
    }
    bool fits = intern(bytes, &ref);
    *out = fxt_make_string(name, ref);
    return fits;
}

static bool arg(const struct json *value, struct fxt_arg *out)
{
    struct fxt_string_ref name;
    if (!intern(value->key, &name))
        return false;
    switch (value->type) {
    case JSON_NULL:
        *out = fxt_make_null(name);
        return true;
    case JSON_FALSE:
    case JSON_TRUE:
        *out = fxt_make_bool(name, value->type == JSON_TRUE);
        return true;
    case JSON_INTEGER:
        return integer(value, name, out);
    case JSON_REAL:
        *out = fxt_make_double(name, value->real);
        return true;
    default:
        return string(value, name, out);
    }
}

static bool all_args(const struct json *event, struct fxt_arg *out, size_t *count)
{
    const struct json *object = json_get(event, "args");
    const struct json *value = NULL;
    *count = 0;
    while (object != NULL && (value = json_next(object, value)) != NULL) {
        if (object->type != JSON_OBJECT || *count == FXT_ARGS_MAX || !arg(value, &out[*count]))
            return false;
        ++*count;
    }
    return true;
}

/* ---- fields */

static bool own_thread(const struct json *event, struct fxt_thread_ref *ref)
{
    uint64_t process;
    uint64_t thread;
    return whole(json_get(event, "process"), &process) &&
           whole(json_get(event, "thread"), &thread) &&
           fxt_intern_thread(&source->interner, &writer, ref, process, thread) == FXT_OK;
}

/* The thread of the record has a process. Those of a legacy switch have lost theirs. */
static bool thread(const struct json *event, const char *key, struct fxt_thread_ref *ref)
{
    uint64_t koid;
    if (strcmp(key, "thread") == 0)
        return own_thread(event, ref);
    bool found = whole(json_get(event, key), &koid);
    if (found)
        *ref =
            strcmp(key, "process") == 0 ? fxt_thread_inline(koid, 0) : fxt_thread_inline(0, koid);
    return found;
}

static bool all_frames(const struct json *list, struct fxt_backtrace *backtrace)
{
    const struct json *frame = NULL;
    uint64_t address;
    size_t count = 0;
    while (list != NULL && (frame = json_next(list, frame)) != NULL) {
        if (count == 255 || !whole(frame, &address))
            return false;
        for (int i = 0; i < 8; i++)
            frames[8 * count + (size_t)i] = (uint8_t)(address >> 8 * i);
        count++;
    }
    backtrace->frames = (struct fxt_bytes){frames, 8 * count};
    return list != NULL && list->type == JSON_ARRAY;
}

/* A field of a number's shape. What the format cannot say, the writer refuses. */
static bool set_number(void *at, uint8_t shape, uint64_t value)
{
    switch (shape) {
    case FXT_CONVERT_U64:
    case FXT_CONVERT_ADDRESS:
        *(uint64_t *)at = value;
        return true;
    case FXT_CONVERT_U32:
        *(uint32_t *)at = (uint32_t)value;
        return value <= UINT32_MAX;
    default:
        *(uint16_t *)at = (uint16_t)value;
        return value <= UINT16_MAX;
    }
}

static bool set_field(const struct json *event, union fxt_convert_any *any,
                      const struct fxt_convert_field *field)
{
    const char *key = strcmp(field->name, "timestamp") == 0 ? "ts" : field->name;
    void *at = (uint8_t *)any + field->at;
    const struct json *value = json_get(event, key);
    struct fxt_bytes bytes;
    uint64_t number = 0;
    switch (field->shape) {
    case FXT_CONVERT_WHICH: /* set already */
        return true;
    case FXT_CONVERT_TEXT:
        return text(value, at);
    case FXT_CONVERT_PAYLOAD:
        return hex(value, at);
    case FXT_CONVERT_STRING:
        return text(value, &bytes) && intern(bytes, at);
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        return thread(event, key, at);
    case FXT_CONVERT_FRAMES:
        return all_frames(value, &any->backtrace);
    case FXT_CONVERT_SCOPE:
        any->event.has_scope = 1;
        break;
    default:
        break;
    }
    if (value == NULL && strstr(key, "_priority") != NULL) /* a script has none */
        return true;
    return named(value, field->names, &number) && set_number(at, field->shape, number);
}

/* ---- lines */

static const struct fxt_convert_kind *kind_of(const struct json *name, union fxt_convert_any *any)
{
    const char *bytes = (const char *)name->text.bytes;
    size_t size = (size_t)name->text.size;
    if (fxt_convert_number_of(&fxt_convert_event_types, &any->event.event_type, bytes, size))
        return fxt_convert_kind_by_name("event", strlen("event"));
    if (edition == FXT_EDITION_2020 && fxt_convert_text_is(bytes, size, "context_switch"))
        return fxt_convert_kind_by_name("legacy_switch", strlen("legacy_switch"));
    return fxt_convert_kind_by_name(bytes, size);
}

static bool event(const struct json *line, const struct json *name)
{
    union fxt_convert_any any;
    struct fxt_arg args[FXT_ARGS_MAX];
    size_t count;
    memset(&any, 0, sizeof any);
    const struct fxt_convert_kind *kind = kind_of(name, &any);
    if (kind == NULL || !all_args(line, args, &count))
        return false;
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct fxt_convert_field *field = &kind->fields[i];
        if (fxt_convert_has(kind, &any, field->only) && !set_field(line, &any, field))
            return false;
    }
    return kind->encode(&writer, &any, args, count) == FXT_OK;
}

static bool ticks(const struct json *line)
{
    struct fxt_initialization in = {{NULL, 0}, 0};
    return whole(json_get(line, "ticks_per_second"), &in.ticks_per_second) &&
           fxt_write_initialization(&writer, &in) == FXT_OK;
}

/* Introduces a provider that is new or has another name, and returns to the others. */
static bool provider(const struct json *line)
{
    struct fxt_bytes name;
    uint64_t id;
    if (!whole(json_get(line, "id"), &id) || id > UINT32_MAX ||
        !text(json_get(line, "name"), &name))
        return false;
    struct source *known = NULL;
    for (size_t i = 0; i < source_count; i++)
        if (sources[i].id == id)
            known = &sources[i];
    source = known != NULL ? known : add_source((uint32_t)id);
    if (source == NULL)
        return false;
    bool same = known != NULL && known->name.bytes != NULL && known->name.size == name.size &&
                memcmp(known->name.bytes, name.bytes, (size_t)name.size) == 0;
    struct fxt_provider_info info = {name, {NULL, 0}, (uint32_t)id};
    struct fxt_provider_section section = {{NULL, 0}, (uint32_t)id};
    source->name = name;
    return (same ? fxt_write_provider_section(&writer, &section)
                 : fxt_write_provider_info(&writer, &info)) == FXT_OK;
}

static bool line_of(const struct json *line)
{
    const struct json *what = json_get(line, "write");
    if (line->type != JSON_OBJECT)
        return false;
    if (what == NULL) {
        what = json_get(line, "event");
        return what != NULL && what->type == JSON_TEXT && event(line, what);
    }
    if (fxt_convert_text_is((const char *)what->text.bytes, (size_t)what->text.size, "provider"))
        return provider(line);
    return fxt_convert_text_is((const char *)what->text.bytes, (size_t)what->text.size,
                               "initialization") &&
           ticks(line);
}

static bool script(char *at, char *end)
{
    static struct json nodes[NODES];
    for (size_t number = 1; at < end; number++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (stop > at && !(json_read(nodes, NODES, at, (size_t)(stop - at)) && line_of(nodes))) {
            fprintf(stderr, "native: line %zu is no event that can be written\n", number);
            return false;
        }
        at = stop + 1;
    }
    return true;
}

int level_write(const struct job *job)
{
    static uint8_t *trace;
    char *copy = malloc(job->size + 1);
    if (trace == NULL)
        trace = malloc(TRACE_MAX);
    if (trace == NULL || copy == NULL)
        abort();
    if (job->size > 0)
        memcpy(copy, job->bytes, job->size);
    edition = job->edition;
    source_count = 0;
    source = add_source(0);
    source->name = (struct fxt_bytes){NULL, 0};
    fxt_writer_init(&writer, trace, TRACE_MAX);
    bool written = fxt_write_magic(&writer) == FXT_OK && script(copy, copy + job->size);
    if (written)
        fxt_out_bytes(job->out, (const char *)trace, (size_t)writer.size);
    free(copy);
    return written ? 0 : 1;
}
