/* One loop that waits for everything that can happen during a recording: a signal, the command's
   exit, an alert, the end of the output, the manager's death, and time. */
#include "src/tools/trace/recording.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/cli/progress.h"
#include "src/cli/terminal.h"
#include "src/convert/printable.h"
#include "src/tools/trace/host.h"
#include "src/tools/trace/result.h"

#define TICK_MS 250
#define FIRST_LINE_MS 2000
#define LINE_MS 10000
#define LIVE_MS 500
#define LIVE_ROWS 10
#define LIVE_ROW_BYTES 400u
#define GRACE_MS 20
#define GRACE_STEPS 5
#define LAST_MS 100

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

struct clock {
    int64_t end; /* end of the duration; INT64_MAX: none */
    int64_t tick;
    bool ticks;            /* the progress line is shown */
    bool ends_lines;       /* a command prints to the terminal, too */
    uint64_t shown_ns;     /* time of the recording at the last line ... */
    uint64_t shown_bytes;  /* ... and what it had recorded */
    uint64_t shown_events; /* the same of --live */
};

/* "12.3 MB recorded (4.1 MB/s), buffers 37 % full". A manager of another process tells only what it has
   written. */
static void describe(char *text, size_t size, struct watch *watch,
                     const struct trace_status *status, struct clock *clock)
{
    char bytes[READABLE_SIZE];
    char rate[READABLE_SIZE];
    struct trace_manager_fill fill;
    bool is_known = host_fill(watch->host, &fill);
    uint64_t all = is_known ? fill.recorded : status->bytes_written;
    uint64_t ns = status->started_ns - clock->shown_ns;
    uint64_t more = all > clock->shown_bytes ? all - clock->shown_bytes : 0;
    readable_bytes(bytes, all);
    readable_bytes(rate, ns > 0 ? (uint64_t)((double)more * 1e9 / (double)ns) : 0);
    int at = snprintf(text, size, "%s %s (%s/s)", bytes, is_known ? "recorded" : "written", rate);
    if (is_known && fill.room > 0)
        snprintf(text + at, size - (size_t)at, ", buffers %.0f %% full",
                 100.0 * (double)fill.used / (double)fill.room);
    clock->shown_ns = status->started_ns;
    clock->shown_bytes = all;
}

/* "1.234 ms": four digits. */
static void readable_time(char out[READABLE_SIZE], uint64_t ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double time = (double)ns;
    int unit = 0;
    for (; unit < 3 && time >= 999.95; unit++)
        time /= 1000;
    snprintf(out, READABLE_SIZE, "%.*f %s", unit == 0 ? 0 : 1, time, units[unit]);
}

/* Appends a line, cut to the width of the terminal. */
static size_t add_line(char *to, const char *line)
{
    struct terminal_fit fit = {.columns = terminal_columns(STDERR_FILENO)};
    size_t size = terminal_fit(&fit, to, line, strlen(line));
    to[size++] = '\n';
    return size;
}

/* The table of --live: the usual line, the events, and the names with the most self time. `ns`: since the
   last table. */
static void show_live(struct watch *watch, struct clock *clock, const char *line, uint64_t ns)
{
    char text[(LIVE_ROWS + 3) * TERMINAL_FIT_BYTES(LIVE_ROW_BYTES)];
    char row[LIVE_ROW_BYTES], name[FXT_I_PRINTABLE_GROWTH * TOP_NAME_BYTES], time[READABLE_SIZE];
    struct top_row rows[LIVE_ROWS];
    struct top_sum sum;
    size_t count = top_rows(watch->drain->top, rows, LIVE_ROWS, &sum);
    uint64_t more = sum.events - clock->shown_events;
    size_t at = add_line(text, line);
    snprintf(row, sizeof row, "%llu events (%.0f/s)", (unsigned long long)sum.events,
             ns > 0 ? (double)more * 1e9 / (double)ns : 0.0);
    at += add_line(text + at, row);
    at += add_line(text + at, "     count       self  name");
    for (size_t i = 0; i < count; i++) {
        readable_time(time, rows[i].self_ns);
        fxt_i_printable(name, sizeof name, rows[i].name, strlen(rows[i].name));
        snprintf(row, sizeof row, "%10llu %10s  %s", (unsigned long long)rows[i].count,
                 rows[i].self_ns > 0 ? time : "-", name);
        at += add_line(text + at, row);
    }
    text[at - 1] = '\0'; /* instead of the last line's end */
    clock->shown_events = sum.events;
    progress_show(text);
}

static void show(struct watch *watch, const struct trace_status *status, struct clock *clock)
{
    uint64_t ns = status->started_ns - clock->shown_ns;
    char buffers[120];
    char line[240];
    describe(buffers, sizeof buffers, watch, status, clock);
    snprintf(line, sizeof line, "%.1f s, %u provider%s, %s, %llu dropped",
             (double)status->started_ns / 1e9, status->providers, status->providers == 1 ? "" : "s",
             buffers, (unsigned long long)status->records_dropped);
    if (watch->options->live)
        show_live(watch, clock, line, ns);
    else if (clock->ends_lines)
        message_at("%s", line);
    else
        progress_show(line);
}

static int tick(struct watch *watch, struct clock *clock)
{
    struct trace_status status;
    if (!clock->ticks || now_ms() < clock->tick)
        return 0;
    clock->tick = now_ms() + (watch->options->live ? LIVE_MS
                              : clock->ends_lines  ? LINE_MS
                                                   : TICK_MS);
    watch->interrupt->asks = true;
    interrupt_begin(watch->interrupt, watch->controller, watch->drain);
    int error = trace_controller_get_status(watch->controller, &status);
    interrupt_end(watch->interrupt);
    watch->interrupt->asks = false;
    if (error == 0)
        show(watch, &status, clock);
    return error;
}

static bool is_trigger(const struct watch *watch, const char *alert)
{
    const struct name_list *list = &watch->options->triggers;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->it[i], alert) == 0)
            return true;
    return false;
}

/* Handles the next alert. Sets *is if it ends the trace. -ETIMEDOUT: there is none. */
static int handle_alert(struct watch *watch, int timeout_ms, bool *is)
{
    char name[15];
    int error = trace_controller_next_alert(watch->controller, timeout_ms, name);
    if (error != 0)
        return error;
    *is = is_trigger(watch, name);
    if (watch->options->result.verbose)
        message("alert: %s", name);
    return *is ? 0 : trace_controller_watch_alert(watch->controller);
}

/* Prints the alerts that a command sent before it ended. Others may go on for ever. */
static void handle_last_alerts(struct watch *watch)
{
    bool is_over = !watch->options->result.verbose;
    for (int64_t end = now_ms() + LAST_MS; !is_over && now_ms() < end;)
        is_over = handle_alert(watch, (int)(end - now_ms()), &(bool){false}) != 0;
}

/* Ctrl-C interrupts the command as well. Then the signal is the reason, whichever is seen first. */
static bool was_interrupted(const struct watch *watch)
{
    struct pollfd wait = {.fd = watch->signals->ends[0], .events = POLLIN};
    if (!WIFSIGNALED(watch->child->status) || WTERMSIG(watch->child->status) != SIGINT)
        return false;
    for (int i = 0; i < GRACE_STEPS; i++) {
        poll(&wait, 1, GRACE_MS);
        if (signals_take(watch->signals))
            return true;
    }
    return false;
}

static int timeout(const struct clock *clock)
{
    int64_t until = clock->ticks && clock->tick < clock->end ? clock->tick : clock->end;
    int64_t left = until - now_ms();
    if (until == INT64_MAX)
        return -1;
    return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

enum { SIGNALS, OUTPUT, MANAGER, PLACES };

static void wait_for_any(const struct watch *watch, const struct clock *clock,
                         struct pollfd places[PLACES])
{
    places[SIGNALS] = (struct pollfd){.fd = watch->signals->ends[0], .events = POLLIN};
    places[OUTPUT] = (struct pollfd){.fd = watch->output, .events = POLLIN};
    places[MANAGER] =
        (struct pollfd){.fd = trace_controller_descriptor(watch->controller), .events = POLLIN};
    if (poll(places, PLACES, timeout(clock)) < 0)
        for (int i = 0; i < PLACES; i++)
            places[i].revents = 0;
}

/* One round of the loop: whether the recording is over, and why. */
static bool over(struct watch *watch, struct clock *clock, enum end *end)
{
    struct pollfd places[PLACES];
    bool alerted = false;

    wait_for_any(watch, clock, places);
    if (places[SIGNALS].revents != 0 && signals_take(watch->signals)) {
        *end = END_SIGNAL;
        return true;
    }
    if (child_has_ended(watch->child) && !watch->options->decouple) {
        watch->child->ended = !was_interrupted(watch);
        *end = watch->child->ended ? END_COMMAND : END_SIGNAL;
        if (watch->child->ended)
            handle_last_alerts(watch);
        return true;
    }
    if (places[OUTPUT].revents != 0) {
        *end = END_OUTPUT;
        return true;
    }
    watch->error = tick(watch, clock);
    if (watch->error == 0) /* an alert before tick's answer has left nothing to read */
        watch->error = handle_alert(watch, 0, &alerted);
    if (watch->error == TRACE_ERROR_ABORTED) { /* the end of the session says why */
        watch->error = 0;
        *end = END_DURATION;
        return true;
    }
    if (watch->error == -ETIMEDOUT)
        watch->error = 0;
    if (watch->interrupt->interrupted) {
        *end = END_SIGNAL;
        return true;
    }
    *end = watch->error != 0 ? END_MANAGER : alerted ? END_ALERT : END_DURATION;
    return watch->error != 0 || alerted || now_ms() >= clock->end;
}

enum end watch_run(struct watch *watch)
{
    double duration = watch->options->duration;
    struct clock clock = {
        .end = duration > 0 ? now_ms() + (int64_t)(duration * 1000 + 0.5) : INT64_MAX,
        .ticks = isatty(STDERR_FILENO) == 1 && !watch->options->result.quiet,
        .ends_lines = watch->options->result.operands.count > 0,
    };
    if (clock.ends_lines && !watch->options->live)
        clock.tick = now_ms() + FIRST_LINE_MS;
    enum end end = END_MANAGER;
    watch->error = trace_controller_watch_alert(watch->controller);
    while (watch->error == 0 && !over(watch, &clock, &end))
        ;
    progress_hide();
    return end;
}
