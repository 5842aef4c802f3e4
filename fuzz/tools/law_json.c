/* Chrome's JSON. Events come in the order of their records; among them are records of other kinds, which
   are recognized by what only these have. Times are µs with three decimals, from a base on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"
#include "src/convert/chrome.h"

static uint64_t time_of(struct value object, const char *name, uint64_t base)
{
    struct value value = value_member(object, name);
    uint64_t ns = 0;
    bool is_before = base > 0 && *value.at == '-';
    value.at += is_before;
    const char *point = memchr(value.at, '.', (size_t)(value.end - value.at));
    FUZZ_CHECK(point != NULL && value.end - point == 4);
    for (const char *at = value.at; at < value.end; at++)
        if (at != point) {
            FUZZ_CHECK(*at >= '0' && *at <= '9');
            ns = 10 * ns + (uint64_t)(*at - '0');
        }
    return is_before ? base - ns : base + ns;
}

/* A string of digits. */
static uint64_t base_of(struct value document)
{
    struct value value = value_member(value_member(document, "otherData"), "base_ns");
    uint64_t base;
    FUZZ_CHECK(*value.at == '"');
    FUZZ_CHECK(value_number((struct value){value.at + 1, value.end - 1}, &base));
    return base;
}

/* Digits of base 16, in a string. */
static bool is_hex(struct value value, uint64_t number)
{
    char *end;
    return value.end - value.at > 4 && memcmp(value.at, "\"0x", 3) == 0 &&
           strtoull(value.at + 1, &end, 16) == number && end == value.end - 1;
}

static bool is_double(struct value value, uint64_t bits)
{
    char *end;
    double number, read;
    memcpy(&number, &bits, sizeof number);
    if (isnan(number))
        return value_is(value, "\"NaN\"");
    if (isinf(number))
        return value_is(value, number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    read = strtod(value.at, &end);
    return end == value.end && memcmp(&read, &number, sizeof read) == 0;
}

static bool is_signed(struct value value, int64_t number)
{
    uint64_t size;
    if (number >= 0)
        return value_number(value, &size) && size == (uint64_t)number;
    bool is_text = *value.at == '"';
    value.at += is_text;
    value.end -= is_text;
    return *value.at == '-' && value_number((struct value){value.at + 1, value.end}, &size) &&
           size == 0 - (uint64_t)number;
}

static bool is_base64(struct value value, struct fxt_bytes blob)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = value.at + 1;
    uint32_t bits = 0, count = 0;
    uint64_t size = 0;
    for (; at < value.end - 1 && *at != '='; at++) {
        const char *digit = strchr(digits, *at);
        FUZZ_CHECK(digit != NULL);
        bits = bits << 6 | (uint32_t)(digit - digits);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (size == blob.size || (uint8_t)(bits >> count) != blob.bytes[size++])
            return false;
    }
    return size == blob.size;
}

/* From 2^63 on, a sample of a counter has an exponent, which a double reads. */
static bool is_sample(struct value value, uint64_t number)
{
    char digits[32] = "";
    size_t count = 0;
    uint64_t read;
    if (number <= INT64_MAX)
        return *value.at != '"' && value_number(value, &read) && read == number;
    for (const char *at = value.at; at < value.end && *at != 'e' && count < 30; at++)
        if (*at != '.')
            digits[count++] = *at;
    return strtoull(digits, NULL, 10) == number && strtod(value.at, NULL) == (double)number;
}

static bool is_arg(struct value value, const struct model_arg *arg, bool counter)
{
    uint64_t number = arg->arg.value, read;
    switch (arg->arg.type) {
    case FXT_ARG_NULL:
        return value_is(value, "null");
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return is_signed(value, fxt_arg_int64(&arg->arg));
    case FXT_ARG_UINT64:
        if (counter)
            return is_sample(value, number);
        return value_number(value, &read) && read == number;
    case FXT_ARG_UINT32:
        return value_number(value, &read) && read == number;
    case FXT_ARG_KOID:
        return value_number(value, &read) && read == number;
    case FXT_ARG_DOUBLE:
        return is_double(value, number);
    case FXT_ARG_STRING:
        return value_is_text(value, arg->text);
    case FXT_ARG_POINTER:
        return is_hex(value, number);
    case FXT_ARG_BOOL:
        if (counter)
            return value_is(value, number != 0 ? "1" : "0");
        return value_is(value, number != 0 ? "true" : "false");
    case FXT_ARG_BLOB:
        return is_base64(value, arg->text);
    default:
        return true;
    }
}

/* Names that come again get a number: only those that do not are compared. */
static bool comes_again(const struct model_event *event, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (event->args[i].name.size <= event->args[number].name.size + 3 &&
            event->args[number].name.size <= event->args[i].name.size + 3)
            return true;
    return false;
}

static bool is_counted(const struct fxt_arg *arg)
{
    switch (arg->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_BOOL:
        return true;
    default:
        return false;
    }
}

/* The arguments that are values of a counter, or those that are not; of other events all. */
static void check_object(struct value object, const struct model_event *event, bool are_values)
{
    struct value rest = value_inside(object), name, value;
    bool is_counter = model_is(event, FXT_EVENT_COUNTER);
    for (uint32_t i = 0; i < event->arg_count; i++) {
        if (is_counter && is_counted(&event->args[i].arg) != are_values)
            continue;
        FUZZ_CHECK(value_next_member(&rest, &name, &value));
        FUZZ_CHECK(comes_again(event, i) || value_is_text(name, event->args[i].name));
        FUZZ_CHECK(is_arg(value, &event->args[i], is_counter && are_values));
    }
    FUZZ_CHECK(!value_next_member(&rest, &name, &value));
}

static void check_args(struct value object, const struct model_event *event)
{
    struct value args, others;
    uint32_t counted = 0;
    for (uint32_t i = 0; i < event->arg_count; i++)
        counted += is_counted(&event->args[i].arg);
    bool has_others = model_is(event, FXT_EVENT_COUNTER) && counted < event->arg_count;
    FUZZ_CHECK(value_has(object, "other_args", &others) == has_others);
    if (has_others)
        check_object(others, event, false);
    if (value_has(object, "args", &args))
        check_object(args, event, true);
    else
        FUZZ_CHECK(event->arg_count == 0);
}

/* Whether another event of the thread stands where it may push this one to a later ns. */
static bool may_be_pushed(const struct model *model, const struct model_event *event, uint64_t ns)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *other = &model->events[i];
        bool is_near = (other->ns <= ns && ns - other->ns <= model->event_count) ||
                       (other->end <= ns && ns - other->end <= model->event_count);
        if (other != event && is_near &&
            other->event.thread.process == event->event.thread.process &&
            other->event.thread.thread == event->event.thread.thread)
            return true;
    }
    return false;
}

/* An event that shares its ns with others of its thread is shown later by as many ns at most as there are
   events. A flow that shares its ns with the tick before is shown 1 ns later. */
static bool is_time(const struct model *model, const struct model_event *event, uint64_t ns,
                    uint64_t shown)
{
    bool is_flow = event->event.event_type >= FXT_EVENT_FLOW_BEGIN;
    bool is_counter_or_async = model_is(event, FXT_EVENT_COUNTER) ||
                               (event->event.event_type >= FXT_EVENT_ASYNC_BEGIN && !is_flow);
    if (shown == ns || (model->has_rate && is_flow && shown == ns + 1))
        return true;
    return !is_counter_or_async && shown > ns && shown - ns <= model->event_count + 1 &&
           may_be_pushed(model, event, ns);
}

static void check_id(struct value object, const struct model_event *event)
{
    uint64_t id = event->event.value;
    switch (event->event.event_type) {
    case FXT_EVENT_ASYNC_BEGIN:
    case FXT_EVENT_ASYNC_INSTANT:
    case FXT_EVENT_ASYNC_END:
        FUZZ_CHECK(is_hex(value_member(value_member(object, "id2"), "local"), id));
        break;
    case FXT_EVENT_FLOW_BEGIN:
    case FXT_EVENT_FLOW_STEP:
    case FXT_EVENT_FLOW_END:
        FUZZ_CHECK(is_hex(value_member(object, "id"), id));
        break;
    case FXT_EVENT_COUNTER:
        FUZZ_CHECK(id == 0 || is_hex(value_member(object, "id"), id));
        break;
    default:
        break;
    }
}

static void check_event(const struct model *model, struct value object,
                        const struct model_event *event, uint64_t base)
{
    static const char *const phases[] = {
        [FXT_EVENT_INSTANT] = "\"i\"",           [FXT_EVENT_COUNTER] = "\"C\"",
        [FXT_EVENT_DURATION_BEGIN] = "\"B\"",    [FXT_EVENT_DURATION_END] = "\"E\"",
        [FXT_EVENT_DURATION_COMPLETE] = "\"X\"", [FXT_EVENT_ASYNC_BEGIN] = "\"b\"",
        [FXT_EVENT_ASYNC_INSTANT] = "\"n\"",     [FXT_EVENT_ASYNC_END] = "\"e\"",
        [FXT_EVENT_FLOW_BEGIN] = "\"s\"",        [FXT_EVENT_FLOW_STEP] = "\"t\"",
        [FXT_EVENT_FLOW_END] = "\"f\"",
    };
    static const char *const scopes[] = {"\"t\"", "\"p\"", "\"g\""};
    unsigned type = event->event.event_type;
    FUZZ_CHECK(value_is(value_member(object, "ph"), phases[type]));
    uint64_t shown = time_of(object, "ts", base);
    FUZZ_CHECK(is_time(model, event, event->ns, shown));
    FUZZ_CHECK(value_u64(object, "pid") == event->event.thread.process);
    FUZZ_CHECK(value_u64(object, "tid") == event->event.thread.thread);
    if (type == FXT_EVENT_DURATION_COMPLETE) {
        FUZZ_CHECK(is_time(model, event, event->end, shown + time_of(object, "dur", 0)));
    }
    if (type == FXT_EVENT_INSTANT && event->event.has_scope && event->event.scope < 3)
        FUZZ_CHECK(value_is(value_member(object, "s"), scopes[event->event.scope]));
    if (type != FXT_EVENT_DURATION_END) {
        FUZZ_CHECK(value_is_text(value_member(object, "cat"), event->category));
        FUZZ_CHECK(value_is_text(value_member(object, "name"), event->name));
    }
    check_id(object, event);
    check_args(object, event);
}

/* Whether it is made of a record of another kind. */
static bool is_other(struct value object)
{
    struct value phase = value_member(object, "ph"), category, args, size;
    uint64_t pid;
    if (value_is(phase, "\"M\"") || !value_number(value_member(object, "pid"), &pid) ||
        (pid >= FXT_CHROME_CPU_PID && pid <= FXT_CHROME_UNKNOWN_PID))
        return true;
    if (!value_is(phase, "\"i\""))
        return false;
    return !value_has(object, "cat", &category) || value_is(category, "\"profiler\"") ||
           (value_has(object, "args", &args) && value_has(args, "size", &size));
}

/* Whether an event looks like what is made of others. */
static bool looks_other(const struct model_event *event)
{
    static const struct fxt_bytes profiler = {(const uint8_t *)"profiler", 8};
    static const struct fxt_bytes size = {(const uint8_t *)"size", 4};
    uint64_t process = event->event.thread.process;
    bool looks = model_is_text(event->category, profiler) ||
                 (process >= FXT_CHROME_CPU_PID && process <= FXT_CHROME_UNKNOWN_PID);
    for (uint32_t i = 0; i < event->arg_count; i++)
        looks |= model_is_text(event->args[i].name, size);
    return looks;
}

/* The first event from `next` on that is shown: no complete duration that ends before it begins is. */
static uint32_t skip_backward(const struct model *model, uint32_t next)
{
    while (next < model->event_count &&
           model_is(&model->events[next], FXT_EVENT_DURATION_COMPLETE) &&
           model->events[next].end < model->events[next].ns)
        next++;
    return next;
}

void law_json(const struct model *model, const char *text, size_t size)
{
    struct value document = value_of(text, size);
    struct value list = value_inside(value_member(document, "traceEvents"));
    uint64_t base = base_of(document);
    struct value object;
    uint32_t next = 0;
    if (!model->is_good)
        return;
    for (uint32_t i = 0; i < model->event_count; i++)
        if (looks_other(&model->events[i]))
            return;
    while (value_next(&list, &object)) {
        if (is_other(object))
            continue;
        next = skip_backward(model, next);
        FUZZ_CHECK(next < model->event_count);
        check_event(model, object, &model->events[next++], base);
    }
    FUZZ_CHECK(skip_backward(model, next) == model->event_count);
}
