/* The table of providers. */
#include "src/tools/trace/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/convert/printable.h"
#include "src/cli/message.h"

#define NAME_COLUMNS 32

void statistics_take(void *data, const struct trace_provider_statistics *it)
{
    struct statistics *statistics = data;
    size_t size = (statistics->count + 1) * sizeof *it;
    struct trace_provider_statistics *larger = realloc(statistics->it, size);
    if (larger == NULL) {
        statistics->lost++;
        return;
    }
    statistics->it = larger;
    statistics->it[statistics->count++] = *it;
}

/* The printable name, cut at the start of a character. */
static void shown(char out[NAME_COLUMNS + 1], const char *name)
{
    fxt_i_printable(out, NAME_COLUMNS + 1, name, strlen(name));
}

void statistics_tell_drop(void *data, const struct trace_provider_statistics *it)
{
    char name[NAME_COLUMNS + 1];
    (void)data;
    shown(name, it->name);
    message("%s (process %llu): %s", name, (unsigned long long)it->process,
            it->mode == TRACE_MODE_ONESHOT ? "its buffer is full, and drops records from now on"
                                           : "drops records that find no room in its buffer");
}

static const char *fate(const struct trace_provider_statistics *it)
{
    if (it->start == TRACE_PROVIDER_ENDED)
        return "  exited before it started";
    if (it->start == TRACE_PROVIDER_DECLINED)
        return "  took no part";
    if (it->timed_out || it->start == TRACE_PROVIDER_SILENT)
        return "  did not answer";
    if (it->misbehaved)
        return it->died ? "  misbehaved, exited" : "  misbehaved";
    return it->died ? "  exited" : "";
}

static const char *mode(enum trace_mode mode)
{
    static const char *const names[] = {"", "oneshot", "circular", "streaming"};
    return (unsigned)mode < 4 ? names[mode] : "?";
}

static void print_row(const struct trace_provider_statistics *it, bool verbose)
{
    char name[NAME_COLUMNS + 1];
    char more[64] = "";
    shown(name, it->name);
    if (verbose)
        snprintf(more, sizeof more, "  %-9s  %7u", mode(it->mode), it->wrapped_count);
    message_at("%-20s  %10llu  %12llu  %9llu  %9llu  %6u %%%s%s%s", name,
               (unsigned long long)it->process, (unsigned long long)it->bytes_written,
               (unsigned long long)it->records_dropped, (unsigned long long)it->records_refused,
               it->durable_percent, more, fate(it), it->definitions_inlined ? "  inlined" : "");
}

/* Warnings that are printed even with --quiet. */
static void warn(const struct trace_provider_statistics *it)
{
    char name[NAME_COLUMNS + 1];
    shown(name, it->name);
    if (it->records_dropped > 0)
        message("%s (%llu): %llu records found no room in its buffer", name,
                (unsigned long long)it->process, (unsigned long long)it->records_dropped);
    if (it->records_refused > 0)
        message("%s (%llu): %llu records broke the format and were left out", name,
                (unsigned long long)it->process, (unsigned long long)it->records_refused);
    if (it->misbehaved && !it->timed_out)
        message("%s (%llu): broke the protocol and was removed", name,
                (unsigned long long)it->process);
}

bool statistics_has(const struct statistics *statistics, const char *name, size_t length)
{
    for (size_t i = 0; i < statistics->count; i++)
        if (strlen(statistics->it[i].name) == length &&
            memcmp(statistics->it[i].name, name, length) == 0)
            return true;
    return statistics->lost > 0; /* then it is not known */
}

bool statistics_started(const struct statistics *statistics)
{
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->it[i].start == TRACE_PROVIDER_STARTED)
            return true;
    return statistics->lost > 0; /* then it is not known */
}

bool statistics_is_whole(const struct statistics *statistics)
{
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->it[i].records_dropped > 0 || statistics->it[i].records_refused > 0)
            return false;
    return statistics->lost == 0;
}

uint64_t statistics_dropped(const struct statistics *statistics)
{
    uint64_t dropped = 0;
    for (size_t i = 0; i < statistics->count; i++)
        dropped += statistics->it[i].records_dropped;
    return dropped;
}

enum trace_mode statistics_dropped_mode(const struct statistics *statistics)
{
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->it[i].records_dropped > 0)
            return statistics->it[i].mode;
    return TRACE_MODE_ONESHOT;
}

void statistics_advise(uint64_t dropped, enum trace_mode mode)
{
    if (dropped > 0)
        message("%llu records found no room; next time record with a larger --buffer-size, or %s",
                (unsigned long long)dropped,
                mode == TRACE_MODE_ONESHOT
                    ? "with --buffering-mode=streaming (writes while it records) or circular "
                      "(keeps the last records)"
                    : "with fewer --categories");
}

/* What to tell of a provider that stopped late, or never started. NULL: nothing. */
static const char *trouble(const struct trace_provider_statistics *it)
{
    switch (it->start) {
    case TRACE_PROVIDER_ENDED:
        return "exited before it had started to trace; a short program waits for TRACE_ENABLED() "
               "after trace_provider_create_synchronously(), and a daemon makes its provider after "
               "daemon()";
    case TRACE_PROVIDER_SILENT:
        return "registered and never answered: its program is suspended, or nothing runs the async "
               "loop of its provider (async_loop_start_thread, async_loop_run)";
    case TRACE_PROVIDER_DECLINED:
        return "did not take part: it has no memory for its buffer, or traces into a file with "
               "fxt_trace_start()";
    default:
        return it->timed_out ? "did not answer in time; its buffer was salvaged" : NULL;
    }
}

/* How many of the providers from `begin` on have this trouble. */
static size_t count_troubled(const struct statistics *statistics, size_t begin, const char *what)
{
    size_t count = 0;
    for (size_t i = begin; i < statistics->count; i++)
        count += trouble(&statistics->it[i]) == what;
    return count;
}

/* Always printed: the user may wonder what took so long, or what is missing. Each trouble is told once,
   of the first provider that has it. */
static void report_troubles(const struct statistics *statistics)
{
    for (size_t i = 0; i < statistics->count; i++) {
        const struct trace_provider_statistics *it = &statistics->it[i];
        const char *what = trouble(it);
        size_t count = what != NULL ? count_troubled(statistics, i, what) : 0;
        char name[NAME_COLUMNS + 1];
        char more[48] = "";
        if (what == NULL || count < count_troubled(statistics, 0, what))
            continue;
        shown(name, it->name);
        if (count > 1)
            snprintf(more, sizeof more, "; the same is true of %zu more", count - 1);
        message("%s (process %llu) %s%s", name, (unsigned long long)it->process, what, more);
    }
}

void statistics_print(const struct statistics *statistics, bool verbose, bool quiet)
{
    if (!quiet && statistics->count > 0)
        message_at("%-20s  %10s  %12s  %9s  %9s  %8s%s", "provider", "process", "bytes", "dropped",
                   "refused", "durable", verbose ? "  mode       wrapped" : "");
    for (size_t i = 0; i < statistics->count; i++)
        if (quiet)
            warn(&statistics->it[i]);
        else
            print_row(&statistics->it[i], verbose);
    report_troubles(statistics);
    if (statistics->is_crowded)
        message(
            "there were more providers than the 100 that a trace manager holds: some waited until "
            "others had left, and what they traced meanwhile is missing");
    if (statistics->lost > 0)
        message("no memory for the statistics of %zu more providers", statistics->lost);
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->it);
    *statistics = (struct statistics){.it = NULL};
}
