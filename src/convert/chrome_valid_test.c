// Whatever the bytes, the text is strict JSON (RFC 8259): UTF-8, no name twice in an object.

#include <criterion/criterion.h>
#include <fxt/check.h>

#include "src/convert/chrome_test.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#define DEPTH_MAX 16
#define NAMES_MAX 64

struct level {
    const char *names[NAMES_MAX];
    size_t lengths[NAMES_MAX];
    size_t count; // of names or elements
    bool object;
};

struct json {
    const char *at;
    const char *end;
    struct level levels[DEPTH_MAX];
    size_t depth;
};

static void skip_space(struct json *json)
{
    while (json->at < json->end && strchr(" \t\n\r", *json->at) != NULL && *json->at != 0)
        json->at++;
}

static bool take(struct json *json, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, text, length) != 0)
        return false;
    json->at += length;
    return true;
}

static bool take_digits(struct json *json)
{
    const char *start = json->at;
    while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
        json->at++;
    return json->at > start;
}

static bool take_number(struct json *json)
{
    take(json, "-");
    const char *start = json->at;
    if (!take_digits(json) || (*start == '0' && json->at > start + 1))
        return false;
    if (take(json, ".") && !take_digits(json))
        return false;
    if (take(json, "e") || take(json, "E")) {
        if (!take(json, "+"))
            take(json, "-");
        return take_digits(json);
    }
    return true;
}

static bool take_escape(struct json *json)
{
    if (json->at == json->end)
        return false;
    char c = *json->at++;
    if (c != 'u')
        return c != 0 && strchr("\"\\/bfnrt", c) != NULL;
    for (int i = 0; i < 4; i++) {
        if (json->at == json->end || *json->at == 0 ||
            strchr("0123456789abcdefABCDEF", *json->at) == NULL)
            return false;
        json->at++;
    }
    return true;
}

static bool take_string(struct json *json, const char **text, size_t *length)
{
    if (!take(json, "\""))
        return false;
    *text = json->at;
    while (json->at < json->end) {
        uint8_t c = (uint8_t)*json->at++;
        if (c == '"') {
            *length = (size_t)(json->at - 1 - *text);
            return true;
        }
        if (c < 0x20 || (c == '\\' && !take_escape(json)))
            return false;
    }
    return false;
}

static bool take_scalar(struct json *json)
{
    const char *text;
    size_t length;
    if (json->at < json->end && *json->at == '"')
        return take_string(json, &text, &length);
    return take(json, "true") || take(json, "false") || take(json, "null") || take_number(json);
}

static bool open_level(struct json *json, bool object)
{
    if (json->depth == DEPTH_MAX)
        return false;
    json->levels[json->depth++] = (struct level){.object = object};
    return true;
}

// The name of the next member, with its colon.
static bool take_name(struct json *json, struct level *level)
{
    const char *text;
    size_t length;
    skip_space(json);
    if (level->count == NAMES_MAX || !take_string(json, &text, &length))
        return false;
    for (size_t i = 0; i < level->count; i++)
        if (level->lengths[i] == length && memcmp(level->names[i], text, length) == 0)
            return false;
    level->names[level->count] = text;
    level->lengths[level->count] = length;
    skip_space(json);
    return take(json, ":");
}

// From before an element or the end of the level, to behind it.
static bool take_next(struct json *json)
{
    struct level *level = &json->levels[json->depth - 1];
    skip_space(json);
    if (take(json, level->object ? "}" : "]")) {
        json->depth--;
        return true;
    }
    if (level->count > 0 && !take(json, ","))
        return false;
    if (level->object && !take_name(json, level))
        return false;
    level->count++;
    skip_space(json);
    if (take(json, "{"))
        return open_level(json, true);
    if (take(json, "["))
        return open_level(json, false);
    return take_scalar(json);
}

// Whether the text is one JSON object and nothing else. NULL, or where it is not.
static const char *json_fault(const char *text, size_t size)
{
    static struct json json;
    memset(&json, 0, sizeof json);
    json.at = text;
    json.end = text + size;
    skip_space(&json);
    if (!fxt_utf8_valid((const uint8_t *)text, size) || !take(&json, "{"))
        return text;
    open_level(&json, true);
    while (json.depth > 0)
        if (!take_next(&json))
            return json.at < json.end ? json.at : "the end";
    skip_space(&json);
    return json.at == json.end ? NULL : json.at;
}

static const char *fault_of(const char *text)
{
    return json_fault(text, strlen(text));
}

Test(chrome_valid, the_judge_knows_right_from_wrong)
{
    static const char *const right[] = {"{}", " {\"a\":[1,-0.5e+3,\"\\u00ffx\",null,true,{}]} ",
                                        "{\"a\":0,\"b\":{\"a\":[]}}"};
    static const char *const wrong[] = {
        "",          "[]",           "{\"a\":01}",   "{\"a\":1.}",   "{\"a\":NaN}",  "{\"a\":,}",
        "{\"a\":1,}", "{,\"a\":1}",  "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":\"\n\"}", "{\"a\"1}",
        "{\"a\":1}x", "{\"a\":\"\\x\"}", "{\"a\":1",  "{\"a\":1,\"a\":2}", "{\"\x80\":1}",
        "{\"a\":[1}}", "{a:1}",      "{\"a\":-}",    "{\"a\":+1}",   "{\"a\":1e}",   "{\"a\":.5}"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        cr_assert_null(fault_of(right[i]), "%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_not_null(fault_of(wrong[i]), "%s", wrong[i]);
}

static struct chrome_test test;

static void expect_valid(const uint8_t *bytes, uint64_t size, size_t capacity, uint64_t number)
{
    chrome_test_run_bytes(&test, bytes, size, capacity);
    const char *fault = json_fault(test.text, test.size);
    cr_assert_null(fault, "input %lu at %.80s", (unsigned long)number, fault);
}

// Texts that are hard on an escaper, and few different ones, so that names repeat.
static struct fxt_string_ref random_string(uint64_t *state)
{
    static const char *const texts[] = {"a",    "b",    "a#2",  "",         "\x80", "\xef\xbf\xbd",
                                        "\"",   "\\",   "\xc3", "\xe2\x82", "size", "thread",
                                        "\x01", "name", "process"};
    static uint8_t long_text[32000];
    uint64_t r = next_random(state);
    if (r % 4 == 0)
        return fxt_string_index((uint16_t)(r / 4 % 12));
    if (r % 256 != 1)
        return chrome_test_string(texts[r / 256 % 15]);
    for (size_t i = 0; i < 2000; i++)
        long_text[i] = (uint8_t)(r >> i % 57);
    return fxt_string_inline(long_text, (uint16_t)(r / 256 % 2000));
}

static struct fxt_thread_ref random_thread(uint64_t *state)
{
    uint64_t r = next_random(state);
    return r % 2 == 0 ? fxt_thread_index((uint8_t)(1 + r / 2 % 4))
                      : fxt_thread_inline(next_random(state) >> r % 64, r);
}

static size_t random_args(struct fxt_arg *args, uint64_t *state)
{
    static const uint8_t blob[] = "0123456789";
    size_t count = next_random(state) % 16;
    for (size_t i = 0; i < count; i++) {
        uint64_t r = next_random(state);
        args[i] = (struct fxt_arg){.name = random_string(state), .type = (uint8_t)(r % 11)};
        args[i].value = next_random(state) >> r / 16 % 64;
        if (args[i].type == FXT_ARG_INT32 || args[i].type == FXT_ARG_UINT32)
            args[i].value &= UINT32_MAX;
        if (args[i].type == FXT_ARG_BOOL || args[i].type == FXT_ARG_NULL)
            args[i].value &= args[i].type == FXT_ARG_BOOL;
        if (args[i].type == FXT_ARG_DOUBLE && r / 4096 % 4 == 0)
            args[i].value |= UINT64_C(2047) << 52;
        args[i].text = random_string(state);
        args[i].blob = (struct fxt_bytes){blob, r / 65536 % sizeof blob};
    }
    return count;
}

struct thing {
    struct fxt_arg args[16];
    struct fxt_thread_ref thread;
    struct fxt_string_ref name;
    struct fxt_bytes text;
    size_t arg_count;
    uint64_t time;
    uint64_t r; // random
};

static void write_state(struct fxt_writer *writer, const struct thing *t)
{
    struct fxt_string string = {.index = (uint16_t)(1 + t->r / 256 % 12), .value = t->text};
    struct fxt_thread thread = {
        .index = (uint8_t)(1 + t->r / 256 % 4), .process = t->time, .thread = t->r};
    struct fxt_initialization clock = {.ticks_per_second = t->time};
    struct fxt_provider_section section = {.provider_id = (uint32_t)(t->r / 256 % 6)};
    switch (t->r % 4) {
    case 0:
        fxt_write_string(writer, &string);
        break;
    case 1:
        fxt_write_thread(writer, &thread);
        break;
    case 2:
        fxt_write_initialization(writer, &clock);
        break;
    default:
        fxt_write_provider_section(writer, &section);
        break;
    }
}

static void write_system(struct fxt_writer *writer, const struct thing *t)
{
    struct fxt_kernel_object object = {
        .object_type = (uint8_t)(t->r / 256 % 4), .koid = t->time % 9, .name = t->name};
    struct fxt_context_switch change = {.timestamp = t->time,
                                        .incoming_thread = t->r / 256 % 9,
                                        .outgoing_thread = t->r / 4096 % 9,
                                        .outgoing_state = (uint8_t)(t->r / 65536 % 6),
                                        .cpu = (uint16_t)(t->r / 256)};
    struct fxt_thread_wakeup wakeup = {.timestamp = t->time, .waking_thread = t->r / 256 % 9};
    switch (t->r % 3) {
    case 0:
        fxt_write_kernel_object(writer, &object, t->args, t->arg_count);
        break;
    case 1:
        fxt_write_context_switch(writer, &change, t->args, t->arg_count);
        break;
    default:
        fxt_write_thread_wakeup(writer, &wakeup, t->args, t->arg_count);
        break;
    }
}

static void write_instant(struct fxt_writer *writer, const struct thing *t)
{
    struct fxt_log log = {.timestamp = t->time, .thread = t->thread, .message = t->text};
    struct fxt_large_blob blob = {.timestamp = t->time, .thread = t->thread, .category = t->name,
                                  .name = t->name, .payload = t->text};
    struct fxt_bytes part = {t->text.bytes, t->text.size % 256};
    struct fxt_module module = {
        .timestamp = t->time, .thread = t->thread, .name = part, .build_id = part};
    switch (t->r % 3) {
    case 0:
        fxt_write_log(writer, &log);
        break;
    case 1:
        fxt_write_large_blob(writer, &blob, t->args, t->arg_count);
        break;
    default:
        fxt_write_module(writer, &module);
        break;
    }
}

static void write_thing(struct fxt_writer *writer, uint64_t *state)
{
    struct thing t = {.r = next_random(state)};
    uint64_t kind = t.r % 16;
    t.r /= 16;
    t.arg_count = random_args(t.args, state);
    t.thread = random_thread(state);
    t.name = random_string(state);
    t.text = (struct fxt_bytes){t.name.bytes, fxt_string_ref_length(t.name)};
    t.time = next_random(state) >> t.r / 256 % 64;
    if (kind < 3) {
        write_state(writer, &t);
    } else if (kind < 6) {
        write_system(writer, &t);
    } else if (kind < 9) {
        write_instant(writer, &t);
    } else {
        struct fxt_event event = {.event_type = (uint8_t)(t.r / 256 % 11), .timestamp = t.time,
                                  .thread = t.thread, .category = random_string(state),
                                  .name = t.name, .value = t.r >> t.time % 64};
        fxt_write_event(writer, &event, t.args, t.arg_count);
    }
}

static void damage(uint8_t *bytes, uint64_t size, uint64_t *state)
{
    uint64_t count = 1 + next_random(state) % 30;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t r = next_random(state);
        uint8_t *byte = &bytes[(r >> 8) % size];
        *byte = r % 4 == 0 ? (uint8_t)r : (uint8_t)(*byte ^ 1u << r / 4 % 8);
    }
}

Test(chrome_valid, intact_damaged_and_cut_traces_give_strict_json, .timeout = 120)
{
    uint64_t state = 11;
    uint64_t events = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        chrome_test_init(&test);
        uint64_t records = 1 + next_random(&state) % 60;
        fxt_write_magic(&test.writer);
        for (uint64_t k = 0; k < records; k++)
            write_thing(&test.writer, &state);
        uint64_t size = test.writer.size;
        expect_valid(chrome_test_trace, size, FXT_OUT_CAPACITY_MIN + i % 500, i);
        cr_assert_eq(test.chrome.omitted.malformed, 0);
        events += test.chrome.events;
        damage(chrome_test_trace, size, &state);
        expect_valid(chrome_test_trace, size, FXT_OUT_CAPACITY_MIN, i);
        expect_valid(chrome_test_trace, next_random(&state) % size, 1 << 16, i);
        free(test.text);
    }
    cr_assert_gt(events, 20000); // the generator has not gone quiet
}

Test(chrome_valid, random_words_give_strict_json, .timeout = 120)
{
    uint64_t state = 12;
    static uint64_t words[512];
    chrome_test_init(&test);
    for (uint64_t i = 0; i < 5000; i++) {
        for (size_t k = 0; k < 512; k++) {
            words[k] = next_random(&state);
            if (k % 8 == 0) /* a header of a plausible size */
                words[k] = (words[k] & ~UINT64_C(0xff0)) | (next_random(&state) % 16) << 4;
        }
        expect_valid((const uint8_t *)words, sizeof words, FXT_OUT_CAPACITY_MIN, i);
    }
}

// More text than the cache holds, each string twice, and names too long for it.
Test(chrome_valid, strings_beyond_the_cache_come_out_right)
{
    static char text[32001];
    char expected[1200];
    chrome_test_init(&test);
    for (uint16_t i = 1; i <= 2500; i++) {
        snprintf(text, sizeof text, "%0900d", i);
        chrome_test_register(&test, i, text);
    }
    for (int round = 0; round < 2; round++)
        for (uint16_t i = 1; i <= 2500; i++) {
            struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, i);
            event.name = fxt_string_index(i);
            cr_assert_eq(fxt_write_event(&test.writer, &event, NULL, 0), FXT_OK);
        }
    expect_valid(chrome_test_trace, test.writer.size, FXT_OUT_CAPACITY_MIN, 0);
    const char *at = test.text;
    for (int round = 0; round < 2; round++)
        for (int i = 1; i <= 2500; i++) {
            snprintf(expected, sizeof expected, "\"%0900d\"", i);
            at = strstr(at, "\"name\":");
            cr_assert_not_null(at);
            at += strlen("\"name\":");
            cr_assert_eq(strncmp(at, expected, strlen(expected)), 0);
        }
}

Test(chrome_valid, the_longest_names_are_told_apart)
{
    static uint8_t bytes[32000];
    struct fxt_arg args[15] = {0};
    memset(bytes, 1, sizeof bytes);
    chrome_test_init(&test);
    for (uint16_t i = 1; i <= 3; i++) {
        struct fxt_string string = {.index = i, .value = {bytes, sizeof bytes}};
        bytes[31999] = i < 3 ? 1 : 2; // 1 and 2 are the same
        fxt_write_string(&test.writer, &string);
    }
    for (uint16_t i = 0; i < 15; i++)
        args[i].name = fxt_string_index((uint16_t)(1 + i % 3));
    struct fxt_event event = chrome_test_event(FXT_EVENT_INSTANT, 0);
    cr_assert_eq(fxt_write_event(&test.writer, &event, args, 15), FXT_OK);
    expect_valid(chrome_test_trace, test.writer.size, FXT_OUT_CAPACITY_MIN, 0);
    cr_assert_not_null(strstr(test.text, "\\u0001#10\":null"));
    cr_assert_not_null(strstr(test.text, "\\u0002#5\":null"));
}

static bool refuse(void *context, const char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return false;
}

Test(chrome_valid, a_sink_that_fails_is_noticed)
{
    static char buffer[FXT_OUT_CAPACITY_MIN];
    static struct fxt_chrome_memory memory;
    static struct fxt_provider provider;
    uint32_t id;
    uint8_t arena[8];
    struct fxt_tables tables;
    struct fxt_tables_memory tables_memory = {.providers = &provider, .provider_ids = &id,
                                              .arena = arena, .provider_max = 1,
                                              .arena_size = sizeof arena};
    struct fxt_out out = {buffer, sizeof buffer, 0, refuse, NULL, false};
    struct fxt_chrome chrome;
    fxt_tables_init(&tables, &tables_memory);
    fxt_chrome_init(&chrome, &out, &tables, &memory);
    fxt_chrome_end(&chrome);
    fxt_out_flush(&out);
    cr_assert(out.failed);
}
