/* The JSON Lines say what was decoded: a parser of the canonical form, written from
   conformance/schema/dump.md, gives back each field that the decoders gave. With the writer of the
   lines it shares the decoders and the tables, which have laws of their own, and the ids of rules. */
#include <string.h>

#include <fxt/tables.h>

#include "fuzz/lib/any.h"
#include "fuzz/lib/check_laws.h"
#include "fuzz/lib/frame.h"
#include "fuzz/lib/lines.h"

static bool skips(struct fuzz_lines *lines, const char *token)
{
    size_t length = strlen(token);
    if ((size_t)(lines->end - lines->at) < length || memcmp(lines->at, token, length) != 0)
        return false;
    lines->at += length;
    return true;
}

static void token(struct fuzz_lines *lines, const char *text)
{
    FUZZ_CHECK(skips(lines, text));
}

static void key(struct fuzz_lines *lines, const char *name)
{
    token(lines, ",\"");
    token(lines, name);
    token(lines, "\":");
}

static char next(struct fuzz_lines *lines)
{
    FUZZ_CHECK(lines->at < lines->end);
    return *lines->at++;
}

static bool at_digit(const struct fuzz_lines *lines)
{
    return lines->at < lines->end && *lines->at >= '0' && *lines->at <= '9';
}

/* Values: decimal numbers without leading zeros. */

static uint64_t digits(struct fuzz_lines *lines)
{
    bool zero = lines->at < lines->end && *lines->at == '0';
    uint64_t value = 0;
    FUZZ_CHECK(at_digit(lines));
    do {
        uint64_t digit = (uint64_t)(next(lines) - '0');
        FUZZ_CHECK(value <= (UINT64_MAX - digit) / 10);
        value = 10 * value + digit;
    } while (!zero && at_digit(lines));
    return value;
}

static void number(struct fuzz_lines *lines, uint64_t value)
{
    FUZZ_CHECK(digits(lines) == value);
}

static void signed_number(struct fuzz_lines *lines, uint64_t value)
{
    bool negative = value >> 63 != 0;
    FUZZ_CHECK(skips(lines, "-") == negative);
    number(lines, negative ? 0 - value : value);
}

static void wide(struct fuzz_lines *lines, uint64_t value)
{
    token(lines, "\"");
    number(lines, value);
    token(lines, "\"");
}

static uint64_t hex_digits(struct fuzz_lines *lines, unsigned count)
{
    static const char all[] = "0123456789abcdef";
    uint64_t value = 0;
    while (count-- > 0) {
        const char *digit = memchr(all, next(lines), 16);
        FUZZ_CHECK(digit != NULL);
        value = value << 4 | (uint64_t)(digit - all);
    }
    return value;
}

static void word(struct fuzz_lines *lines, uint64_t value)
{
    token(lines, "\"0x");
    FUZZ_CHECK(hex_digits(lines, 16) == value);
    token(lines, "\"");
}

static void hex(struct fuzz_lines *lines, struct fxt_bytes bytes)
{
    token(lines, "\"");
    for (uint64_t i = 0; i < bytes.size; i++)
        FUZZ_CHECK(hex_digits(lines, 2) == bytes.bytes[i]);
    token(lines, "\"");
}

/* One byte of a string. Each has one way to be written. */
static uint8_t unescaped(struct fuzz_lines *lines)
{
    static const char escapes[] = "\"\\bfnrt", meant[] = "\"\\\b\f\n\r\t";
    char c = next(lines);
    if (c != '\\') {
        FUZZ_CHECK(c != '"' && (uint8_t)c >= 0x20);
        return (uint8_t)c;
    }
    if (skips(lines, "u00")) {
        uint64_t value = hex_digits(lines, 2);
        FUZZ_CHECK(value < 0x20 && memchr(meant, (int)value, 7) == NULL);
        return (uint8_t)value;
    }
    const char *escape = memchr(escapes, next(lines), 7);
    FUZZ_CHECK(escape != NULL);
    return (uint8_t)meant[escape - escapes];
}

static void text(struct fuzz_lines *lines, struct fxt_bytes bytes)
{
    if (!fuzz_utf8(bytes.bytes, bytes.size)) {
        token(lines, "{\"hex\":");
        hex(lines, bytes);
        token(lines, "}");
        return;
    }
    token(lines, "\"");
    for (uint64_t i = 0; i < bytes.size; i++)
        FUZZ_CHECK(unescaped(lines) == bytes.bytes[i]);
    token(lines, "\"");
}

static void string_ref(struct fuzz_lines *lines, struct fxt_string_ref ref)
{
    struct fxt_bytes value = {ref.bytes, ref.ref > 32768 ? ref.ref - 32768u : 0};
    bool inline_or_empty = ref.ref == 0 || ref.ref >= 32768;
    token(lines, "{\"ref\":");
    number(lines, ref.ref);
    key(lines, "value");
    if (inline_or_empty || fxt_tables_string(lines->tables, &value, ref))
        text(lines, value);
    else
        token(lines, "null");
    token(lines, "}");
}

static void koid(struct fuzz_lines *lines, const char *name, bool known, uint64_t value)
{
    key(lines, name);
    if (known)
        wide(lines, value);
    else
        token(lines, "null");
}

static void process_ref(struct fuzz_lines *lines, struct fxt_thread_ref ref, bool and_thread)
{
    struct fxt_thread_ref koids = ref;
    bool known = ref.ref == 0 || fxt_tables_thread(lines->tables, &koids, ref);
    token(lines, "{\"ref\":");
    number(lines, ref.ref);
    koid(lines, "process", known, koids.process);
    if (and_thread)
        koid(lines, "thread", known, koids.thread);
    token(lines, "}");
}

static void word_list(struct fuzz_lines *lines, const uint8_t *bytes, uint64_t words)
{
    token(lines, "[");
    for (uint64_t i = 0; i < words; i++) {
        if (i > 0)
            token(lines, ",");
        word(lines, fuzz_word(bytes + 8 * i));
    }
    token(lines, "]");
}

static void tail_of(struct fuzz_lines *lines, struct fxt_tail tail)
{
    if (tail.words == 0)
        return;
    key(lines, "tail");
    word_list(lines, tail.bytes, tail.words);
}

/* Section 6. A number that has no name there is a number. */

#define NAMES_MAX 16
static const char *const event_types[NAMES_MAX] = {
    "instant",           "counter",     "duration_begin", "duration_end",
    "duration_complete", "async_begin", "async_instant",  "async_end",
    "flow_begin",        "flow_step",   "flow_end"};
static const char *const scopes[NAMES_MAX] = {"thread", "process", "global"};
#define ARG_NAME(name, value) #name,
static const char *const arg_types[NAMES_MAX] = {FUZZ_ARGS(ARG_NAME)};
static const char *const blob_types[NAMES_MAX] = {NULL, "data", "last_branch", "perfetto"};
static const char *const object_types[NAMES_MAX] = {NULL, "process", "thread"};
static const char *const states[NAMES_MAX] = {"new",     "running", "suspended",
                                              "blocked", "dying",   "dead"};
static const char *const provider_events[NAMES_MAX] = {"buffer_full"};

static void named(struct fuzz_lines *lines, const char *const names[NAMES_MAX], uint64_t value)
{
    if (value >= NAMES_MAX || names[value] == NULL) {
        number(lines, value);
        return;
    }
    token(lines, "\"");
    token(lines, names[value]);
    token(lines, "\"");
}

/* Section 4. */

static void arg_value(struct fuzz_lines *lines, const struct fxt_arg *arg)
{
    enum fuzz_value value = fuzz_value_of(arg->type);
    key(lines, value != FUZZ_VALUE_UNKNOWN ? "value" : "data");
    switch (value) {
    case FUZZ_VALUE_NOTHING:
        token(lines, "null");
        break;
    case FUZZ_VALUE_SIGNED32:
        signed_number(lines, (uint64_t)(int64_t)(int32_t)(uint32_t)arg->value);
        break;
    case FUZZ_VALUE_SIGNED64:
        token(lines, "\"");
        signed_number(lines, arg->value);
        token(lines, "\"");
        break;
    case FUZZ_VALUE_UNSIGNED64:
        wide(lines, arg->value);
        break;
    case FUZZ_VALUE_BITS:
        word(lines, arg->value);
        break;
    case FUZZ_VALUE_TEXT:
        string_ref(lines, arg->text);
        break;
    case FUZZ_VALUE_TRUTH:
        token(lines, arg->value != 0 ? "true" : "false");
        break;
    case FUZZ_VALUE_BYTES:
        hex(lines, arg->blob);
        break;
    case FUZZ_VALUE_UNSIGNED32:
    case FUZZ_VALUE_UNKNOWN:
        number(lines, arg->value);
    }
}

static void args_of(struct fuzz_lines *lines, const struct fuzz_record *in)
{
    key(lines, "args");
    token(lines, "[");
    for (uint8_t i = 0; i < in->arg_count; i++) {
        token(lines, i > 0 ? ",{\"name\":" : "{\"name\":");
        string_ref(lines, in->args[i].name);
        key(lines, "type");
        named(lines, arg_types, in->args[i].type);
        arg_value(lines, &in->args[i]);
        tail_of(lines, in->args[i].tail);
        token(lines, "}");
    }
    token(lines, "]");
}

/* Sections 2 and 3: a line here is a row there. */

#define SAYS(name, shape, ...) (key(lines, name), shape(lines, __VA_ARGS__))

static void last_field(struct fuzz_lines *lines, const struct fxt_event *event)
{
    switch (event->event_type) {
    case FXT_EVENT_INSTANT:
        key(lines, "scope");
        if (event->has_scope != 0)
            named(lines, scopes, event->value <= 2 ? event->value : 0);
        else
            token(lines, "null");
        break;
    case FXT_EVENT_DURATION_COMPLETE:
        SAYS("end", wide, event->value);
        break;
    case FXT_EVENT_DURATION_BEGIN:
    case FXT_EVENT_DURATION_END:
        break;
    default:
        if (event->event_type <= FXT_EVENT_FLOW_END)
            SAYS("id", wide, event->value);
    }
}

static void event(struct fuzz_lines *lines, const struct fxt_event *in)
{
    SAYS("event_type", named, event_types, in->event_type);
    SAYS("timestamp", wide, in->timestamp);
    SAYS("thread", process_ref, in->thread, true);
    SAYS("category", string_ref, in->category);
    SAYS("name", string_ref, in->name);
    last_field(lines, in);
}

static void legacy_switch(struct fuzz_lines *lines, const struct fxt_legacy_switch *in)
{
    SAYS("timestamp", wide, in->timestamp);
    SAYS("cpu", number, in->cpu);
    SAYS("outgoing_state", named, states, in->outgoing_state);
    SAYS("outgoing_thread", process_ref, in->outgoing, true);
    SAYS("incoming_thread", process_ref, in->incoming, true);
    SAYS("outgoing_priority", number, in->outgoing_priority);
    SAYS("incoming_priority", number, in->incoming_priority);
}

static void context_switch(struct fuzz_lines *lines, const struct fxt_context_switch *in)
{
    SAYS("timestamp", wide, in->timestamp);
    SAYS("cpu", number, in->cpu);
    SAYS("outgoing_state", named, states, in->outgoing_state);
    SAYS("outgoing_thread", wide, in->outgoing_thread);
    SAYS("incoming_thread", wide, in->incoming_thread);
}

static void module(struct fuzz_lines *lines, const struct fxt_module *in)
{
    SAYS("timestamp", wide, in->timestamp);
    SAYS("thread", process_ref, in->thread, true);
    SAYS("module_id", number, in->module_id);
    SAYS("name", text, in->name);
    SAYS("build_id", hex, in->build_id);
}

static void mmap_record(struct fuzz_lines *lines, const struct fxt_mmap *in)
{
    SAYS("timestamp", wide, in->timestamp);
    SAYS("thread", process_ref, in->thread, true);
    SAYS("module_id", number, in->module_id);
    SAYS("flags", number, in->flags);
    SAYS("start_address", wide, in->start_address);
    SAYS("address_range", wide, in->address_range);
    SAYS("vaddr", wide, in->vaddr);
}

static void backtrace(struct fuzz_lines *lines, const struct fxt_backtrace *in)
{
    SAYS("timestamp", wide, in->timestamp);
    SAYS("thread", process_ref, in->thread, true);
    key(lines, "frames");
    token(lines, "[");
    for (uint64_t i = 0; i < in->frame_count; i++) {
        if (i > 0)
            token(lines, ",");
        wide(lines, fuzz_word(in->frames.bytes + 8 * i));
    }
    token(lines, "]");
}

static void large_blob(struct fuzz_lines *lines, const struct fxt_large_blob *in)
{
    SAYS("blob_format", number, in->blob_format);
    SAYS("category", string_ref, in->category);
    SAYS("name", string_ref, in->name);
    if (in->blob_format == FXT_LARGE_BLOB_METADATA) {
        SAYS("timestamp", wide, in->timestamp);
        SAYS("thread", process_ref, in->thread, true);
    }
    SAYS("payload", hex, in->payload);
}

/* The fields; returns the record's tail. *has_args: whether "args" follows. */
static struct fxt_tail fields(struct fuzz_lines *lines, const union fuzz_any *in,
                              enum fuzz_kind_id kind, bool *has_args)
{
    *has_args = false;
    switch (kind) {
    case FUZZ_PROVIDER_INFO:
        SAYS("provider_id", number, in->provider_info.provider_id);
        SAYS("name", text, in->provider_info.name);
        return in->provider_info.tail;
    case FUZZ_PROVIDER_SECTION:
        SAYS("provider_id", number, in->provider_section.provider_id);
        return in->provider_section.tail;
    case FUZZ_PROVIDER_EVENT:
        SAYS("provider_id", number, in->provider_event.provider_id);
        SAYS("event_id", named, provider_events, in->provider_event.event_id);
        return in->provider_event.tail;
    case FUZZ_TRACE_INFO:
        SAYS("trace_info_type", number, in->trace_info.trace_info_type);
        SAYS("data", wide, in->trace_info.data);
        return in->trace_info.tail;
    case FUZZ_INITIALIZATION:
        SAYS("ticks_per_second", wide, in->initialization.ticks_per_second);
        return in->initialization.tail;
    case FUZZ_STRING:
        SAYS("index", number, in->string.index);
        SAYS("value", text, in->string.value);
        return in->string.tail;
    case FUZZ_THREAD:
        SAYS("index", number, in->thread.index);
        SAYS("process", wide, in->thread.process);
        SAYS("thread", wide, in->thread.thread);
        return in->thread.tail;
    case FUZZ_EVENT:
        event(lines, &in->event);
        *has_args = true;
        return in->event.tail;
    case FUZZ_BLOB:
        SAYS("blob_type", named, blob_types, in->blob.blob_type);
        SAYS("name", string_ref, in->blob.name);
        SAYS("payload", hex, in->blob.payload);
        return in->blob.tail;
    case FUZZ_USERSPACE_OBJECT:
        SAYS("pointer", wide, in->userspace_object.pointer);
        SAYS("process", process_ref, in->userspace_object.process, false);
        SAYS("name", string_ref, in->userspace_object.name);
        *has_args = true;
        return in->userspace_object.tail;
    case FUZZ_KERNEL_OBJECT:
        SAYS("object_type", named, object_types, in->kernel_object.object_type);
        SAYS("koid", wide, in->kernel_object.koid);
        SAYS("name", string_ref, in->kernel_object.name);
        *has_args = true;
        return in->kernel_object.tail;
    case FUZZ_LEGACY_SWITCH:
        legacy_switch(lines, &in->legacy_switch);
        return in->legacy_switch.tail;
    case FUZZ_CONTEXT_SWITCH:
        context_switch(lines, &in->context_switch);
        *has_args = true;
        return in->context_switch.tail;
    case FUZZ_THREAD_WAKEUP:
        SAYS("timestamp", wide, in->thread_wakeup.timestamp);
        SAYS("cpu", number, in->thread_wakeup.cpu);
        SAYS("waking_thread", wide, in->thread_wakeup.waking_thread);
        *has_args = true;
        return in->thread_wakeup.tail;
    case FUZZ_LOG:
        SAYS("timestamp", wide, in->log.timestamp);
        SAYS("thread", process_ref, in->log.thread, true);
        SAYS("message", text, in->log.message);
        return in->log.tail;
    case FUZZ_MODULE:
        module(lines, &in->module);
        return in->module.tail;
    case FUZZ_MMAP:
        mmap_record(lines, &in->mmap);
        return in->mmap.tail;
    case FUZZ_BACKTRACE:
        backtrace(lines, &in->backtrace);
        return in->backtrace.tail;
    case FUZZ_LARGE_BLOB:
        large_blob(lines, &in->large_blob);
        *has_args = in->large_blob.blob_format == FXT_LARGE_BLOB_METADATA;
        return in->large_blob.tail;
    case FUZZ_KIND_COUNT:
        break;
    }
    return (struct fxt_tail){NULL, 0};
}

static void decoded(struct fuzz_lines *lines, const struct fuzz_record *in)
{
    bool has_args;
    struct fxt_tail tail = fields(lines, &in->any, in->kind, &has_args);
    if (has_args)
        args_of(lines, in);
    tail_of(lines, tail);
}

static const char *name_of(const struct fxt_record *record, enum fuzz_kind_id kind)
{
#define NAME(id, name, ...) [FUZZ_##id] = #name,
    static const char *const names[] = {
        FUZZ_KINDS(NAME)[FUZZ_KIND_COUNT] = "unknown",
    };
    return record->header == FXT_MAGIC ? "magic" : names[kind];
}

static void begin(struct fuzz_lines *lines, uint64_t offset, const char *what, const char *value)
{
    token(lines, "{\"offset\":");
    wide(lines, offset);
    key(lines, what);
    token(lines, "\"");
    token(lines, value);
    token(lines, "\"");
}

static void rule(struct fuzz_lines *lines, enum fxt_rule rule)
{
    key(lines, "rule");
    token(lines, "\"");
    token(lines, fxt_rule_id(rule));
    token(lines, "\"");
}

void fuzz_lines_record(struct fuzz_lines *lines, const struct fxt_record *record)
{
    struct fuzz_record in;
    struct fxt_error error;
    enum fxt_status status = fuzz_decode_all(&in, record, &error);

    begin(lines, record->offset, "record",
          status == FXT_MALFORMED ? "malformed" : name_of(record, in.kind));
    SAYS("size", number, record->words);
    if (status == FXT_MALFORMED) {
        rule(lines, error.rule);
        SAYS("at", wide, error.offset);
    } else if (in.kind == FUZZ_KIND_COUNT) {
        SAYS("type", number, record->header & 15);
        SAYS("words", word_list, record->bytes, record->words);
    } else if (record->header != FXT_MAGIC) {
        decoded(lines, &in);
    }
    token(lines, "}\n");
}

void fuzz_lines_error(struct fuzz_lines *lines, const struct fxt_error *error)
{
    if (error->status == FXT_ZERO_WORD) {
        begin(lines, error->offset, "record", "zero_word");
    } else {
        begin(lines, error->offset, "error",
              error->status == FXT_TRUNCATED   ? "truncated"
              : error->status == FXT_ZERO_SIZE ? "zero_size"
                                               : "byte_order");
        rule(lines, error->rule);
    }
    token(lines, "}\n");
}
