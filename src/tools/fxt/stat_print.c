/* Prints the counts of fxt stat as a page of text or as one JSON object on one line. No state.
   fxt.1 lists the members of the object: keep them in step. */
#include <string.h>

#include "src/convert/quote.h"
#include "src/cli/finding.h"
#include "src/cli/output.h"
#include "src/tools/fxt/report/print.h"
#include "src/tools/fxt/stat.h"

#define NAME_COLUMNS 22u
#define NUMBER_COLUMNS 14u

static unsigned digits_of(uint64_t number)
{
    unsigned count = 1;
    for (; number >= 10; number /= 10)
        count++;
    return count;
}

static void pad(struct fxt_out *out, size_t from, size_t to)
{
    for (; from < to; from++)
        fxt_out_char(out, ' ');
}

static void number_column(struct fxt_out *out, uint64_t number)
{
    pad(out, digits_of(number), NUMBER_COLUMNS);
    fxt_out_u64(out, number);
}

static void row(struct fxt_out *out, const char *name, uint64_t number)
{
    fxt_out_text(out, "  ");
    fxt_out_text(out, name);
    pad(out, strlen(name), NAME_COLUMNS);
    number_column(out, number);
}

static void line(struct fxt_out *out, const char *name, uint64_t number)
{
    if (number == 0)
        return;
    row(out, name, number);
    fxt_out_char(out, '\n');
}

static void time_line(struct fxt_out *out, const char *name, uint64_t ticks, uint64_t ns)
{
    char text[READABLE_BYTES];
    readable_ns(text, ns);
    row(out, name, ticks);
    fxt_out_text(out, "  ");
    fxt_out_text(out, text);
    fxt_out_char(out, '\n');
}

static void span_lines(struct fxt_out *out, struct stat_span ticks, struct stat_span ns)
{
    if (stat_is_empty(ticks))
        return;
    time_line(out, "first ticks", ticks.first, ns.first);
    time_line(out, "last ticks", ticks.last, ns.last);
    time_line(out, "span ticks", ticks.last - ticks.first, ns.last - ns.first);
    row(out, "span ns", ns.last - ns.first);
    fxt_out_char(out, '\n');
}

static void style(struct fxt_out *out, bool colour, const char *code)
{
    if (colour)
        fxt_out_text(out, code);
}

static void heading(struct fxt_out *out, bool colour, const char *text)
{
    style(out, colour, OUTPUT_HEADING);
    fxt_out_text(out, text);
    style(out, colour, OUTPUT_PLAIN);
    fxt_out_char(out, '\n');
}

static void print_provider(struct fxt_out *out, const struct stat_provider *provider, bool colour)
{
    style(out, colour, OUTPUT_HEADING);
    fxt_out_text(out, "provider ");
    fxt_out_u64(out, provider->id);
    if (provider->introduced) {
        fxt_out_char(out, ' ');
        fxt_convert_quote(out, (const uint8_t *)provider->name, provider->name_length);
    }
    style(out, colour, OUTPUT_PLAIN);
    fxt_out_char(out, '\n');
    line(out, "records", provider->records);
    line(out, "bytes", provider->bytes);
    line(out, "events", provider->events);
    line(out, "strings", provider->strings);
    line(out, "threads", provider->threads);
    line(out, "ticks per second", provider->ticks_per_second);
    span_lines(out, provider->ticks, provider->ns);
}

/* Provider 0 always exists, but is mostly unused. */
static bool is_listed(const struct stat_provider *provider)
{
    return provider->records > 0 || provider->introduced;
}

static void print_problems(struct fxt_out *out, const struct stats *stat)
{
    line(out, "malformed", stat->malformed);
    line(out, "zero words", stat->zero_words);
    line(out, "passed over", stat->passed_over);
    if (stat->stopped_by == FXT_RULE_NONE)
        return;
    fxt_out_text(out, "  stopped at ");
    fxt_out_hex(out, stat->stopped_at);
    fxt_out_text(out, " by ");
    fxt_out_text(out, fxt_rule_id(stat->stopped_by));
    fxt_out_char(out, '\n');
}

static const char *known(const char *name)
{
    return name != NULL ? name : "unknown";
}

static const char *event_name(unsigned event_type)
{
    return known(fxt_convert_name_of(&fxt_convert_event_types, event_type));
}

static const char *arg_name(unsigned arg_type)
{
    return known(fxt_convert_name_of(&fxt_convert_arg_types, arg_type));
}

void stat_print_text(struct fxt_out *out, const struct stats *stat, bool colour)
{
    style(out, colour, OUTPUT_TITLE);
    shown_string(out, stat->file);
    style(out, colour, OUTPUT_PLAIN);
    fxt_out_char(out, '\n');
    row(out, "bytes", stat->bytes);
    fxt_out_char(out, '\n');
    row(out, "records", stat->record_count);
    fxt_out_char(out, '\n');
    print_problems(out, stat);
    span_lines(out, stat_ticks(stat), stat_ns(stat));
    line(out, stat->threads_full ? "threads seen, or more" : "threads seen", stat->threads.count);
    line(out, "string bytes", stat->string_bytes);
    line(out, "inline strings", stat->inline_strings);

    heading(out, colour, "records                          count         bytes");
    for (enum fxt_kind kind = FXT_KIND_MAGIC; kind < FXT_KIND_COUNT; kind++) {
        if (stat->records[kind] == 0)
            continue;
        row(out, fxt_kind_name(kind), stat->records[kind]);
        number_column(out, stat->record_bytes[kind]);
        fxt_out_char(out, '\n');
    }
    heading(out, colour, "events");
    for (unsigned type = 0; type < EVENT_NAMES; type++)
        line(out, event_name(type), stat->events[type]);
    heading(out, colour, "arguments");
    for (unsigned type = 0; type < ARG_NAMES; type++)
        line(out, arg_name(type), stat->args[type]);
    for (uint32_t i = 0; i < stat->provider_count; i++)
        if (is_listed(&stat->providers[i]))
            print_provider(out, &stat->providers[i], colour);
}

/* ,"name":number */
static void member(struct fxt_out *out, const char *name, uint64_t number)
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":");
    fxt_out_u64(out, number);
}

/* ,"name":"number" for what may need 64 bits */
static void wide_member(struct fxt_out *out, const char *name, uint64_t number)
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":\"");
    fxt_out_u64(out, number);
    fxt_out_char(out, '"');
}

static void counts(struct fxt_out *out, const char *name, const uint64_t *numbers, unsigned count,
                   const char *(*name_of)(unsigned))
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":{");
    for (unsigned i = 0; i < count; i++) {
        fxt_out_text(out, i > 0 ? ",\"" : "\"");
        fxt_out_text(out, name_of(i));
        fxt_out_text(out, "\":");
        fxt_out_u64(out, numbers[i]);
    }
    fxt_out_char(out, '}');
}

static const char *record_name(unsigned kind)
{
    return fxt_kind_name((enum fxt_kind)kind);
}

static void time_member(struct fxt_out *out, struct stat_span ticks, struct stat_span ns)
{
    if (stat_is_empty(ticks)) {
        fxt_out_text(out, ",\"time\":null");
        return;
    }
    fxt_out_text(out, ",\"time\":{\"first_ticks\":\"");
    fxt_out_u64(out, ticks.first);
    fxt_out_char(out, '"');
    wide_member(out, "last_ticks", ticks.last);
    wide_member(out, "span_ticks", ticks.last - ticks.first);
    wide_member(out, "first_ns", ns.first);
    wide_member(out, "last_ns", ns.last);
    wide_member(out, "span_ns", ns.last - ns.first);
    fxt_out_char(out, '}');
}

static void provider_object(struct fxt_out *out, const struct stat_provider *provider)
{
    fxt_out_text(out, "{\"trace\":");
    fxt_out_u64(out, provider->trace + 1);
    fxt_out_text(out, ",\"id\":");
    fxt_out_u64(out, provider->id);
    fxt_out_text(out, ",\"name\":");
    if (provider->introduced)
        json_string(out, provider->name, provider->name_length);
    else
        fxt_out_text(out, "null");
    member(out, "records", provider->records);
    member(out, "bytes", provider->bytes);
    member(out, "events", provider->events);
    member(out, "strings", provider->strings);
    member(out, "threads", provider->threads);
    wide_member(out, "ticks_per_second", provider->ticks_per_second);
    time_member(out, provider->ticks, provider->ns);
    fxt_out_char(out, '}');
}

static void stopped_member(struct fxt_out *out, const struct stats *stat)
{
    if (stat->stopped_by == FXT_RULE_NONE) {
        fxt_out_text(out, ",\"stopped\":null");
        return;
    }
    fxt_out_text(out, ",\"stopped\":{\"rule\":\"");
    fxt_out_text(out, fxt_rule_id(stat->stopped_by));
    fxt_out_char(out, '"');
    member(out, "offset", stat->stopped_at);
    fxt_out_char(out, '}');
}

void stat_print_json(struct fxt_out *out, const struct stats *stat)
{
    fxt_out_text(out, "{\"file\":");
    json_string(out, stat->file, strlen(stat->file));
    member(out, "bytes", stat->bytes);
    member(out, "record_count", stat->record_count);
    member(out, "malformed", stat->malformed);
    member(out, "zero_words", stat->zero_words);
    member(out, "passed_over", stat->passed_over);
    stopped_member(out, stat);
    counts(out, "records", stat->records, FXT_KIND_COUNT, record_name);
    counts(out, "record_bytes", stat->record_bytes, FXT_KIND_COUNT, record_name);
    counts(out, "events", stat->events, EVENT_NAMES, event_name);
    counts(out, "arguments", stat->args, ARG_NAMES, arg_name);
    fxt_out_text(out, ",\"strings\":{\"registered\":");
    fxt_out_u64(out, stat->records[FXT_KIND_STRING]);
    member(out, "bytes", stat->string_bytes);
    member(out, "inline", stat->inline_strings);
    fxt_out_text(out, "},\"threads\":{\"registered\":");
    fxt_out_u64(out, stat->records[FXT_KIND_THREAD]);
    member(out, "seen", stat->threads.count);
    fxt_out_text(out, stat->threads_full ? ",\"all_seen\":false}" : ",\"all_seen\":true}");
    time_member(out, stat_ticks(stat), stat_ns(stat));
    fxt_out_text(out, ",\"providers\":[");
    const char *before = "";
    for (uint32_t i = 0; i < stat->provider_count; i++) {
        if (!is_listed(&stat->providers[i]))
            continue;
        fxt_out_text(out, before);
        provider_object(out, &stat->providers[i]);
        before = ",";
    }
    fxt_out_text(out, "]}\n");
}
