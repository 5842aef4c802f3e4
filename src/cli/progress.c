/* The progress line. It owns one line of the terminal while `shown` is set. The input layer
   begins, updates and ends it. Code that writes to a terminal hides it first. */
#include "src/cli/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/convert/printable.h"

#define FIRST_NS UINT64_C(1000000000)
#define EVERY_NS UINT64_C(200000000)
#define NAME_COLUMNS 40

static struct {
    const char *name;
    uint64_t size;
    uint64_t begin;
    uint64_t next;
    unsigned lines; /* that progress_show has ended: the cursor is below them */
    bool active;
    bool shown;
} progress;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

void progress_begin(const char *name, uint64_t size)
{
    progress.active = isatty(STDERR_FILENO) == 1;
    progress.name = name;
    progress.size = size;
    progress.begin = now();
    progress.next = progress.begin + FIRST_NS;
}

void progress_update(uint64_t done)
{
    if (!progress.active)
        return;
    uint64_t time = now();
    if (time < progress.next)
        return;
    progress.next = time + EVERY_NS;

    char shown[FXT_I_PRINTABLE_GROWTH * NAME_COLUMNS + 1];
    double rate = (double)done * 1e3 / (double)(time - progress.begin);
    const char *name = progress.name;
    size_t length = strlen(name);
    const char *dots = "";
    if (length > NAME_COLUMNS) {
        name += length - NAME_COLUMNS;
        dots = "...";
    }
    fxt_i_printable(shown, sizeof shown, name, strlen(name));
    if (progress.size > 0 && done <= progress.size)
        fprintf(stderr, "\r\033[K%s%s: %3.0f %% of %.1f MB, %.0f MB/s", dots, shown,
                100.0 * (double)done / (double)progress.size, (double)progress.size / 1e6, rate);
    else
        fprintf(stderr, "\r\033[K%s%s: %.1f MB, %.0f MB/s", dots, shown, (double)done / 1e6, rate);
    fflush(stderr);
    progress.shown = true;
}

/* To the begin of the first line, and erases all of them. */
static void erase(void)
{
    if (progress.lines > 0)
        fprintf(stderr, "\r\033[%uA\033[J", progress.lines);
    else
        fputs("\r\033[K", stderr);
    progress.lines = 0;
}

void progress_show(const char *text)
{
    erase();
    fputs(text, stderr);
    fflush(stderr);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        progress.lines++;
    progress.shown = true;
}

void progress_hide(void)
{
    if (!progress.shown)
        return;
    erase();
    fflush(stderr);
    progress.shown = false;
}

void progress_end(void)
{
    progress_hide();
    progress.active = false;
}
