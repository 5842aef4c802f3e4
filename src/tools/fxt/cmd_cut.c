/* fxt cut: the part of a trace between two times. What is open at an edge is an operation with
   events on both sides of it; --open says what becomes of it. The value of a counter and the thread
   of a processor are open at the first edge, too: they last until the next one. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/cli/memory.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/cut.h"
#include "src/tools/fxt/edit/states.h"
#include "src/tools/fxt/edit/times.h"

enum cut_open { CUT_OPEN_KEEP, CUT_OPEN_CLOSE, CUT_OPEN_DROP };

struct cut_options {
    struct options common; /* the first member */
    struct part_options part;
    enum cut_open open;
};

/* The notes of an operation: where its events are, whether it ended, and whether one is at the time
   where the part begins and what is open there is closed. */
enum { CUT_BEFORE = 1, CUT_INSIDE = 2, CUT_AFTER = 4, CUT_ENDED = 8, CUT_EDGE = 16 };

struct cut {
    struct selector selector; /* the first member */
    enum cut_open open;
    struct times_point from_point;
    struct times_point to_point;
    uint64_t first; /* the time span of the trace */
    uint64_t last;
    uint64_t from;         /* the part: from <= time < to */
    uint64_t to;           /* UINT64_MAX: no end, for a record may have this time, too */
    const char *command;   /* named in messages */
    const char *from_text; /* as they were given, or NULL */
    const char *to_text;
    struct meaning_rules rules;
    struct states *states; /* before the part; NULL if they are dropped */
    uint64_t rate;         /* for which rate_has_ticks was found; 0: none */
    bool rate_has_ticks;
};

static struct cut *cut_of(struct selector *selector)
{
    return (struct cut *)selector;
}

static void survey(struct selector *selector, const struct walk *walk, const struct item *item)
{
    struct cut *cut = cut_of(selector);
    (void)walk;
    if (!item->timed)
        return;
    if (item->time < cut->first)
        cut->first = item->time;
    uint64_t last = item->end > item->time ? item->end : item->time;
    if (last > cut->last)
        cut->last = last;
}

static bool has_times(const struct cut *cut)
{
    return cut->first <= cut->last;
}

static uint64_t end_of(const struct cut *cut)
{
    return cut->last == UINT64_MAX ? UINT64_MAX : cut->last + 1;
}

static bool has_end(const struct cut *cut)
{
    return cut->to != UINT64_MAX;
}

static bool is_empty(const struct cut *cut)
{
    return has_end(cut) && cut->from == cut->to;
}

static bool ready(struct selector *selector)
{
    struct cut *cut = cut_of(selector);
    uint64_t first = has_times(cut) ? cut->first : 0;
    char length[TIMES_TEXT];
    cut->from = times_resolve(cut->from_point, first, end_of(cut));
    cut->to = cut->to_text != NULL ? times_resolve(cut->to_point, first, end_of(cut)) : UINT64_MAX;
    if (cut->from <= cut->to)
        return true;
    times_print(length, end_of(cut) - first);
    message("%s: --from=%s is later than --to=%s; the trace lasts %s", cut->command,
            cut->from_text != NULL ? cut->from_text : "0%", cut->to_text, length);
    return false;
}

/* ---- a part with nothing in it */

/* The time in the other spelling, without its sign, if that lies in the trace; else NULL. */
static const char *other_spelling(const struct cut *cut, struct times_point point, const char *text)
{
    uint64_t length = end_of(cut) - cut->first;
    if (point.from == TIMES_CLOCK && point.ns <= length)
        return text + 1; /* without the @ */
    bool is_clock = point.from == TIMES_START && *text != '+' && point.ns >= cut->first &&
                    point.ns <= end_of(cut);
    return is_clock ? text : NULL;
}

static void suggest(char *out, size_t size, const char *option, const struct cut *cut,
                    struct times_point point, const char *text)
{
    const char *other = text != NULL ? other_spelling(cut, point, text) : NULL;
    size_t used = strlen(out);
    if (other != NULL)
        snprintf(out + used, size - used, "%s--%s=%s%s", used == 0 ? "; do you mean " : " ", option,
                 point.from == TIMES_CLOCK ? "" : "@", other);
}

static void report_empty(const struct cut *cut, const char *file)
{
    char first[TIMES_TEXT];
    char end[TIMES_TEXT];
    char length[TIMES_TEXT];
    char other[160] = "";
    times_print(first, cut->first);
    times_print(end, end_of(cut));
    times_print(length, end_of(cut) - cut->first);
    suggest(other, sizeof other, "from", cut, cut->from_point, cut->from_text);
    suggest(other, sizeof other, "to", cut, cut->to_point, cut->to_text);
    message(
        "%s: the part holds no record of the trace, which lasts %s, by its clock from @%s to @%s%s",
        file, length, first, end, other);
}

static bool judge(struct selector *selector, const char *file, uint64_t stayed)
{
    const struct cut *cut = cut_of(selector);
    if (cut->from_text == NULL && cut->to_text == NULL)
        return true;
    if (!has_times(cut)) {
        message("%s: no record of the trace has a time", file);
        return false;
    }
    bool is_outside = cut->from > cut->last || (has_end(cut) && cut->to <= cut->first);
    if (stayed > 0 && !is_outside)
        return true;
    if (cut->open == CUT_OPEN_DROP && !is_outside)
        message("%s: the part holds nothing that is not open at an edge (--open=drop)", file);
    else
        report_empty(cut, file);
    return false;
}

static uint8_t place(const struct cut *cut, uint64_t time)
{
    if (time < cut->from)
        return CUT_BEFORE;
    return has_end(cut) && time >= cut->to ? CUT_AFTER : CUT_INSIDE;
}

static void look(struct selector *selector, const struct walk *walk, const struct item *item)
{
    struct cut *cut = cut_of(selector);
    struct meaning what;
    if (item->timed && place(cut, item->time) == CUT_BEFORE &&
        meaning_of_state(&what, walk, item, &cut->rules))
        states_note(cut->states, &what, item);
}

/* Whether the record is the state at the begin of the part. */
static bool is_carried(const struct cut *cut, const struct walk *walk, const struct item *item)
{
    struct meaning what;
    if (place(cut, item->time) != CUT_BEFORE || is_empty(cut))
        return false;
    return item_is_mapping(item) ||
           (cut->states != NULL && meaning_of_state(&what, walk, item, &cut->rules) &&
            states_has(cut->states, &what, item));
}

static bool is_closed_at(const struct cut *cut, uint64_t time)
{
    return cut->open == CUT_OPEN_CLOSE && time == cut->from;
}

/* Closed at the time of its end, nothing would be left of an operation. */
static uint8_t place_end(const struct cut *cut, uint64_t time)
{
    return is_closed_at(cut, time) ? CUT_BEFORE : place(cut, time);
}

static uint8_t places(const struct cut *cut, const struct item *item)
{
    uint16_t type = item_is_event(item) ? item->any.event.event_type : FXT_EVENT_INSTANT;
    if (type == FXT_EVENT_DURATION_END || type == FXT_EVENT_ASYNC_END)
        return place_end(cut, item->time);
    return place(cut, item->time) | (item->complete ? place_end(cut, item->end) : 0);
}

/* Whether a time of the part can be written for the provider: its clock may have no tick there. */
static bool has_ticks(struct cut *cut, const struct walk *walk)
{
    uint64_t rate = fxt_tables_provider(&walk->tables)->ticks_per_second;
    if (rate != cut->rate) {
        cut->rate = rate;
        cut->rate_has_ticks =
            place(cut, fxt_ticks_to_ns(item_ticks_at(cut->from, rate), rate)) == CUT_INSIDE;
    }
    return cut->rate_has_ticks;
}

static uint8_t note(struct selector *selector, const struct walk *walk, const struct item *item,
                    bool ends)
{
    struct cut *cut = cut_of(selector);
    if (item->timed && cut->open == CUT_OPEN_CLOSE && !has_ticks(cut, walk))
        return CUT_AFTER | (ends ? CUT_ENDED : 0);
    if (!item->timed || is_carried(cut, walk, item))
        return CUT_INSIDE;
    return places(cut, item) | (ends ? CUT_ENDED : 0) |
           (is_closed_at(cut, item->time) ? CUT_EDGE : 0);
}

/* What began before and has no end in the trace goes on to its end. */
static bool overlaps(const struct cut *cut, uint8_t note)
{
    if (is_empty(cut))
        return false;
    return (note & CUT_INSIDE) != 0 ||
           ((note & CUT_BEFORE) != 0 && ((note & CUT_AFTER) != 0 || (note & CUT_ENDED) == 0));
}

static bool is_between(const struct item *item)
{
    uint16_t type = item->any.event.event_type;
    return type == FXT_EVENT_ASYNC_INSTANT || type == FXT_EVENT_FLOW_STEP;
}

static bool keeps(struct selector *selector, const struct item *item, uint8_t note, bool alone)
{
    const struct cut *cut = cut_of(selector);
    bool crosses = (note & (CUT_BEFORE | CUT_AFTER)) != 0;
    if (alone)
        return (note & CUT_INSIDE) != 0;
    if (item_is_flow(item))
        return (note & CUT_INSIDE) != 0 && (!crosses || cut->open == CUT_OPEN_KEEP);
    if (!overlaps(cut, note) || (crosses && cut->open == CUT_OPEN_DROP))
        return false;
    return cut->open == CUT_OPEN_KEEP || !is_between(item) || place(cut, item->time) == CUT_INSIDE;
}

/* Durations that are open at an edge stay, except with --open=drop, and with --open=close those that
   end at the edge. */
static bool lacks(struct selector *selector, uint8_t note)
{
    const struct cut *cut = cut_of(selector);
    bool crosses = (note & (CUT_BEFORE | CUT_AFTER)) != 0;
    return (note & CUT_INSIDE) != 0 && (cut->open == CUT_OPEN_DROP || (note & CUT_EDGE) != 0 ||
                                        (cut->open == CUT_OPEN_KEEP && crosses));
}

/* The nearest time of the part, in ticks. */
static bool clamp(const struct cut *cut, uint64_t *ticks, uint64_t time, uint64_t rate)
{
    if (place(cut, time) == CUT_INSIDE)
        return false;
    *ticks = item_ticks_at(time < cut->from ? cut->from : cut->to, rate);
    return true;
}

static unsigned patch(struct selector *selector, const struct walk *walk, const struct item *item,
                      struct item_patch patches[2])
{
    const struct cut *cut = cut_of(selector);
    uint64_t rate = fxt_tables_provider(&walk->tables)->ticks_per_second;
    unsigned count = 0;
    uint64_t ticks;
    if (!item->timed)
        return 0;
    if (clamp(cut, &ticks, item->time, rate))
        patches[count++] = (struct item_patch){item->time_offset, ticks};
    if (item->complete && clamp(cut, &ticks, item->end, rate))
        patches[count++] = (struct item_patch){item->end_offset, ticks};
    return count;
}

static enum exit_code carry(struct cut *cut, const struct options *options, struct edit_sink *sink)
{
    cut->states = memory_zeroed(sizeof *cut->states);
    if (cut->states == NULL)
        return EXIT_IO;
    if (getentropy(&cut->rules.seed, sizeof cut->rules.seed) != 0)
        cut->rules.seed = (struct meaning){1, 1};
    cut->selector.look = look;
    enum exit_code code = edit_run(&cut->selector, options, sink);
    if (cut->states->full) {
        message("%s: the trace has more than %u counters and processors: some begin with their "
                "first value in the part",
                cut->command, STATES_MAX);
        code = exit_worse(code, EXIT_FINDINGS);
    }
    map_clear(&cut->states->numbers);
    munmap(cut->states, sizeof *cut->states);
    return code;
}

static enum exit_code cut_to(const struct cut_options *options, const char *command,
                             struct edit_sink *sink)
{
    struct cut cut = {
        .selector = {.ready = ready,
                     .note = note,
                     .keeps = keeps,
                     .lacks = lacks,
                     .judge = judge,
                     .keeps_untimed = true},
        .open = options->open,
        .first = UINT64_MAX,
        .command = command,
        .from_text = options->part.from,
        .to_text = options->part.to,
    };
    if (options->part.from != NULL)
        times_parse(&cut.from_point, options->part.from);
    if (options->part.to != NULL)
        times_parse(&cut.to_point, options->part.to);
    if (part_is_given(&options->part))
        cut.selector.survey = survey;
    cut.selector.refuses = cut.open == CUT_OPEN_DROP;
    if (cut.open == CUT_OPEN_CLOSE)
        cut.selector.patch = patch;
    return cut.open == CUT_OPEN_DROP ? edit_run(&cut.selector, &options->common, sink)
                                     : carry(&cut, &options->common, sink);
}

enum exit_code cut_clipped(const struct options *options, const struct part_options *part,
                           const char *command, struct edit_sink *sink)
{
    const struct cut_options close = {.common = *options, .part = *part, .open = CUT_OPEN_CLOSE};
    return cut_to(&close, command, sink);
}

static enum exit_code run(const void *given)
{
    return cut_to(given, "cut", NULL);
}

static const struct cut_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_cut[] = {
    {"from", 'f', "TIME", "leave out what is before TIME: 20ms (after the start), -20ms, 25%, @1s",
     part_set_time, offsetof(struct cut_options, part.from)},
    {"to", 't', "TIME", "leave out TIME and what is after it", part_set_time,
     offsetof(struct cut_options, part.to)},
    {"open", 0, "keep|close|drop",
     "keep whole what is open at an edge, close it there, or drop it (keep)", option_choice,
     offsetof(struct cut_options, open)},
    OPTION_MAX_FINDINGS,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_END,
};

const struct command command_cut = {
    .name = "cut",
    .group = "make another trace",
    .title = "Copies the part of a trace between two times, as a complete trace.",
    .usage = "[FILE]",
    .options = options_of_cut,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
