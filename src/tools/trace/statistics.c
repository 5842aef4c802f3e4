/* The table of providers. */
#include "src/tools/trace/statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/tools/message.h"
#include "src/tools/trace/words.h"

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

/* The name, cut where a character begins and with its control characters replaced. */
static void printable(char out[NAME_COLUMNS + 1], const char *name)
{
    size_t length = strlen(name);
    if (length > NAME_COLUMNS) {
        length = NAME_COLUMNS;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
            length--;
    }
    memcpy(out, name, length);
    out[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)out[i] < 0x20 || out[i] == 0x7f)
            out[i] = '?';
}

static const char *fate(const struct trace_provider_statistics *it)
{
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
    printable(name, it->name);
    if (verbose)
        snprintf(more, sizeof more, "  %-9s  %7u", mode(it->mode), it->wrapped_count);
    message_at("%-20s  %10llu  %12llu  %9llu  %9llu  %6u %%%s%s", name,
               (unsigned long long)it->process, (unsigned long long)it->bytes_written,
               (unsigned long long)it->records_dropped, (unsigned long long)it->records_refused,
               it->durable_percent, more, fate(it));
}

/* What a user should know of in any case. */
static void warn(const struct trace_provider_statistics *it)
{
    char name[NAME_COLUMNS + 1];
    printable(name, it->name);
    if (it->records_dropped > 0)
        message("%s (%llu): %llu records found no room in its buffer", name,
                (unsigned long long)it->process, (unsigned long long)it->records_dropped);
    if (it->records_refused > 0)
        message("%s (%llu): %llu records broke the format and were left out", name,
                (unsigned long long)it->process, (unsigned long long)it->records_refused);
    if (it->misbehaved)
        message("%s (%llu): broke the protocol and was taken out", name,
                (unsigned long long)it->process);
}

void statistics_print(struct statistics *statistics, bool verbose, bool quiet)
{
    if (!quiet && statistics->count > 0)
        message_at("%-20s  %10s  %12s  %9s  %9s  %8s%s", "provider", "process", "bytes", "dropped",
                   "refused", "durable", verbose ? "  mode       wrapped" : "");
    for (size_t i = 0; i < statistics->count; i++)
        if (quiet)
            warn(&statistics->it[i]);
        else
            print_row(&statistics->it[i], verbose);
    if (statistics->count == 0 && statistics->lost == 0 && !quiet)
        message("no provider took part");
    if (statistics->lost > 0)
        message("no memory for the statistics of %zu more", statistics->lost);
    free(statistics->it);
    *statistics = (struct statistics){.it = NULL};
}
