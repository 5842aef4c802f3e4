/* See laws.h. No state: the models of a trace and of what a command made of it are compared event by
   event, in the order of their records, which no command changes. */
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"

typedef bool wanted(const struct model *model, const struct model_event *event, const void *with);

/* The next wanted event from *at on; NULL: there is none. */
static const struct model_event *next_of(const struct model *model, uint32_t *at, wanted *is_wanted,
                                         const void *with)
{
    while (*at < model->event_count) {
        const struct model_event *event = &model->events[(*at)++];
        if (is_wanted(model, event, with))
            return event;
    }
    return NULL;
}

static void check_same(const struct model_event *event, const struct model_event *other)
{
    FUZZ_CHECK(event->event.event_type == other->event.event_type);
    FUZZ_CHECK(model_is_thread(event, other));
    FUZZ_CHECK(model_is_text(event->name, other->name));
    FUZZ_CHECK(model_is_text(event->category, other->category));
}

/* ---- cut */

static bool is_duration(const struct model_event *event)
{
    return model_is(event, FXT_EVENT_DURATION_BEGIN) || model_is(event, FXT_EVENT_DURATION_END) ||
           model_is(event, FXT_EVENT_DURATION_COMPLETE);
}

static bool is_flow(const struct model_event *event)
{
    return event->event.event_type >= FXT_EVENT_FLOW_BEGIN;
}

/* No two times of a thread are equal. */
static const struct model_slice *slice_of(const struct model *model,
                                          const struct model_event *event)
{
    for (uint32_t i = 0; i < model->duration_count; i++) {
        const struct model_slice *slice = &model->slices[i];
        if (slice->event == event ||
            (model_is(event, FXT_EVENT_DURATION_END) &&
             model_is(slice->event, FXT_EVENT_DURATION_BEGIN) &&
             model_is_thread(slice->event, event) && slice->end == event->ns))
            return slice;
    }
    return NULL;
}

static bool is_in(uint64_t ns, const struct law_window *window)
{
    return window->from <= ns && ns < window->to;
}

static bool is_duration_of_part(const struct model *model, const struct model_event *event,
                                const void *with)
{
    const struct law_window *window = with;
    const struct model_slice *slice = is_duration(event) ? slice_of(model, event) : NULL;
    if (slice == NULL)
        return false;
    if (window->open == LAW_DROP)
        return is_in(slice->start, window) && is_in(slice->end, window);
    return window->from < window->to && slice->start < window->to &&
           slice->end >= window->from + (window->open == LAW_CLOSE);
}

static bool is_any_duration(const struct model *model, const struct model_event *event,
                            const void *with)
{
    (void)model;
    (void)with;
    return is_duration(event);
}

static uint64_t clamped(uint64_t ns, const struct law_window *window)
{
    if (window->open != LAW_CLOSE || is_in(ns, window))
        return ns;
    return ns < window->from ? window->from : window->to;
}

/* What overlaps the part stays; what is open at a border, as it is or closed there, or not at all.
   Flows bring durations from outside of the part, so nothing is said if there are some. */
static void check_durations(const struct model *whole, const struct model *part,
                            const struct law_window *window)
{
    const struct model_event *event, *found;
    uint32_t at = 0, in_part = 0;
    do {
        event = next_of(whole, &at, is_duration_of_part, window);
        found = next_of(part, &in_part, is_any_duration, NULL);
        FUZZ_CHECK((event == NULL) == (found == NULL));
        if (event == NULL)
            return;
        check_same(event, found);
        FUZZ_CHECK(found->ns == clamped(event->ns, window));
        FUZZ_CHECK(!model_is(event, FXT_EVENT_DURATION_COMPLETE) ||
                   found->end == clamped(event->end, window));
    } while (true);
}

static bool is_any_flow(const struct model *model, const struct model_event *event,
                        const void *with)
{
    (void)model;
    (void)with;
    return is_flow(event);
}

/* Whether some or all events of the flow are in the part. */
static bool is_flow_of_part(const struct model *model, const struct model_event *event,
                            const void *with)
{
    const struct law_window *window = with;
    bool some = false, all = true;
    if (!is_flow(event))
        return false;
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *other = &model->events[i];
        if (!is_flow(other) || other->event.value != event->event.value)
            continue;
        some |= is_in(other->ns, window);
        all &= is_in(other->ns, window);
    }
    return window->open == LAW_KEEP ? some : all;
}

/* Each flow begins once, then has steps, then ends once, at different times. */
static bool has_plain_flows(const struct model *model)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        bool has_begin = model_is(event, FXT_EVENT_FLOW_BEGIN);
        bool has_end = model_is(event, FXT_EVENT_FLOW_END);
        for (uint32_t j = 0; is_flow(event) && j < model->event_count; j++) {
            const struct model_event *other = &model->events[j];
            if (i == j || !is_flow(other) || other->event.value != event->event.value)
                continue;
            bool is_early = model_is(other, FXT_EVENT_FLOW_BEGIN);
            bool is_late = model_is(other, FXT_EVENT_FLOW_END);
            if (other->ns == event->ns || (i < j) != (event->ns < other->ns) ||
                (is_early && (has_begin || j > i)) || (is_late && (has_end || j < i)))
                return false;
            has_begin |= is_early;
            has_end |= is_late;
        }
        if (is_flow(event) && (!has_begin || !has_end))
            return false;
    }
    return true;
}

/* All of a flow that is kept; of another one nothing, or all if it is in the part with what it needs. */
static void check_flows(const struct model *whole, const struct model *part,
                        const struct law_window *window)
{
    const struct model_event *event, *found;
    uint32_t at = 0, in_part = 0;
    while ((found = next_of(part, &in_part, is_any_flow, NULL)) != NULL) {
        do {
            event = next_of(whole, &at, is_flow_of_part, window);
            FUZZ_CHECK(event != NULL);
        } while (window->open != LAW_KEEP &&
                 (event->event.value != found->event.value || event->ns != found->ns));
        check_same(event, found);
        FUZZ_CHECK(event->event.value == found->event.value && event->ns == found->ns);
    }
    FUZZ_CHECK(window->open != LAW_KEEP || next_of(whole, &at, is_flow_of_part, window) == NULL);
}

static bool has_flows(const struct model *model)
{
    uint32_t at = 0;
    return next_of(model, &at, is_any_flow, NULL) != NULL;
}

void law_cut(const struct model *whole, const struct model *part, const struct law_window *window)
{
    bool is_exact = window->open != LAW_CLOSE || !whole->has_rate;
    if (!whole->is_good || !part->is_good)
        return;
    if (whole->is_plain && is_exact && !has_flows(whole))
        check_durations(whole, part, window);
    if (has_plain_flows(whole))
        check_flows(whole, part, window);
}

/* ---- filter */

/* Which begins of the text the pattern matches, one character of it after the other. */
static bool matches(const char *pattern, struct fxt_bytes text)
{
    bool reached[LAW_TEXT_MAX + 1] = {true};
    for (; *pattern != '\0'; pattern++) {
        bool next[LAW_TEXT_MAX + 1] = {false};
        for (uint64_t i = 0; i <= text.size; i++) {
            if (*pattern == '*')
                next[i] = reached[i] || (i > 0 && next[i - 1]);
            else
                next[i] = i > 0 && reached[i - 1] &&
                          (*pattern == '?' || (uint8_t)*pattern == text.bytes[i - 1]);
        }
        memcpy(reached, next, sizeof reached);
    }
    return reached[text.size];
}

/* Of instants and counters no begin decides. */
static bool is_alone(const struct model_event *event)
{
    return (model_is(event, FXT_EVENT_INSTANT) || model_is(event, FXT_EVENT_COUNTER)) &&
           event->name.size <= LAW_TEXT_MAX && event->category.size <= LAW_TEXT_MAX;
}

static bool is_selected(const struct model *model, const struct model_event *event,
                        const void *with)
{
    const struct law_pattern *pattern = with;
    (void)model;
    return is_alone(event) &&
           matches(pattern->text, pattern->is_category ? event->category : event->name);
}

static bool is_any_alone(const struct model *model, const struct model_event *event,
                         const void *with)
{
    (void)model;
    (void)with;
    return is_alone(event);
}

void law_filter(const struct model *whole, const struct model *part,
                const struct law_pattern *pattern)
{
    const struct model_event *event, *found;
    uint32_t at = 0, in_part = 0;
    if (!whole->is_good || !part->is_good)
        return;
    do {
        event = next_of(whole, &at, is_selected, pattern);
        found = next_of(part, &in_part, is_any_alone, NULL);
        FUZZ_CHECK((event == NULL) == (found == NULL));
        if (event != NULL) {
            check_same(event, found);
            FUZZ_CHECK(event->ns == found->ns);
        }
    } while (event != NULL);
}

/* ---- merge */

void law_merge(const struct model *whole, uint64_t half, int64_t shift, const struct model *merged)
{
    uint32_t at = 0;
    if (!merged->is_good)
        return;
    for (uint32_t i = 0; i < merged->event_count; i++, at++) {
        const struct model_event *found = &merged->events[i];
        uint64_t moved = i < whole->event_count ? 0 : (uint64_t)shift;
        at = i == whole->event_count ? 0 : at;
        const struct model_event *event = &whole->events[at];
        FUZZ_CHECK(at < whole->event_count && (moved == 0 || event->offset < half));
        check_same(event, found);
        FUZZ_CHECK(found->ns == event->ns + moved && found->end == event->end + moved);
    }
    FUZZ_CHECK(merged->event_count >= whole->event_count);
    FUZZ_CHECK(at == whole->event_count || whole->events[at].offset >= half);
}
