/* The records that the events become: switches, wakeups, spans, counters and logs, in the order in
   which they are written. The names of threads and processes are not modelled. One trace at a time. */
#include "fuzz/kernel/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lib/trace-engine/instrumentation.h>

#include "fuzz/lib/oracle.h"

#define RECORDS_MAX 8192
#define THREADS_MAX 16384
#define PROCESSORS 1024u
#define TRACK (UINT64_C(1) << 63) /* the thread koid of a processor's track, with its number */

enum kind { SWITCH, WAKEUP, SPAN, COUNTER };

struct record {
    enum kind kind;
    uint64_t ticks;
    uint64_t end; /* span: its end; counter: its id */
    uint64_t process;
    uint64_t thread;
    uint64_t other; /* switch: the incoming thread */
    uint32_t cpu;
    uint32_t state;
    uint16_t args;
    int64_t values[2]; /* of a span's or counter's arguments */
};

struct thread {
    uint32_t tid;
    uint32_t process;
    bool gone;
    bool woken;
    bool in_call;
    int64_t call;
    uint64_t start;
};

struct handler {
    bool running;
    int64_t number;
    uint64_t start;
};

static struct {
    uint32_t groups;
    bool whole;
    bool begun;
    uint64_t first_ns;
    uint64_t first_ticks;
    uint64_t latest;
    uint64_t lost;
    uint64_t lost_at;
    uint64_t told;
    size_t count;
    size_t found;
    size_t next; /* the first record that may be the next in the trace */
    size_t thread_count;
    struct record records[RECORDS_MAX];
    struct thread threads[THREADS_MAX];
    struct handler handlers[2][PROCESSORS];
} model;

void kernel_model_begin(uint32_t groups, bool whole)
{
    memset(model.handlers, 0, sizeof model.handlers);
    model.groups = groups;
    model.whole = whole;
    model.begun = false;
    model.latest = model.lost = model.lost_at = model.told = 0;
    model.count = model.found = model.next = model.thread_count = 0;
}

/* What was sent arrives as it is, or counts as lost. */
static void check_sent(const struct fxt_kernel_event *sent, const struct fxt_kernel_event *event)
{
    struct fxt_kernel_event expected = *sent;
    bool good = sent->kind >= 1 && sent->kind <= 13 && sent->cpu < 65536 && sent->state <= 5 &&
                sent->state != 1 && (sent->kind != FXT_KERNEL_LOST || sent->number >= 0);
    expected.name[31] = '\0';
    expected.other_name[15] = '\0';
    if (good) {
        FUZZ_CHECK(memcmp(event, &expected, sizeof expected) == 0);
        return;
    }
    FUZZ_CHECK(event->kind == FXT_KERNEL_LOST && event->number == 1 && event->ns == sent->ns);
}

/* Intervals are kept, up to ten years. */
static void check_ticks(uint64_t ns, uint64_t ticks)
{
    const uint64_t most = UINT64_C(10) * 366 * 86400 * UINT64_C(1000000000);
    if (!model.begun) {
        model.begun = true;
        model.first_ns = ns;
        model.first_ticks = ticks;
    }
    uint64_t past = ns > model.first_ns ? ns - model.first_ns : 0;
    past = past > most ? most : past;
    __extension__ unsigned __int128 product = past;
    product *= trace_ticks_per_second();
    FUZZ_CHECK(ticks - model.first_ticks == (uint64_t)(product / 1000000000));
}

static void expect(struct record record)
{
    FUZZ_CHECK(model.count < RECORDS_MAX);
    model.records[model.count++] = record;
}

static struct thread *find(uint32_t tid)
{
    for (size_t i = 0; tid != 0 && i < model.thread_count; i++)
        if (model.threads[i].tid == tid && !model.threads[i].gone)
            return &model.threads[i];
    return NULL;
}

static void note(uint32_t tid, uint32_t process)
{
    struct thread *thread = find(tid);
    if (tid == 0)
        return;
    if (thread == NULL) {
        FUZZ_CHECK(model.thread_count < THREADS_MAX);
        thread = &model.threads[model.thread_count++];
        *thread = (struct thread){.tid = tid};
    }
    if (process != 0)
        thread->process = process;
}

static bool group(uint32_t which)
{
    return (model.groups & which) != 0;
}

static void wakeup(const struct fxt_kernel_event *event)
{
    struct thread *thread = find(event->tid);
    bool told = event->kind == FXT_KERNEL_WAKEUP && thread != NULL && thread->woken;
    if (thread != NULL)
        thread->woken = true;
    if (!told)
        expect((struct record){
            .kind = WAKEUP,
            .ticks = model.latest,
            .thread = event->tid,
            .cpu = event->cpu,
            .args = (uint16_t)((event->prio != FXT_KERNEL_NO_PRIO) + (event->other != 0))});
}

static void a_switch(const struct fxt_kernel_event *event)
{
    struct thread *incoming = find(event->other);
    if (incoming != NULL)
        incoming->woken = false;
    expect((struct record){.kind = SWITCH,
                           .ticks = model.latest,
                           .thread = event->tid,
                           .other = event->other,
                           .cpu = event->cpu,
                           .state = event->state,
                           .args = event->prio != FXT_KERNEL_NO_PRIO ? 2 : 0});
}

static void end_call(const struct fxt_kernel_event *event)
{
    struct thread *thread = find(event->tid);
    if (thread == NULL)
        return;
    bool is_same = event->number == thread->call || event->number == -1; /* of rt_sigreturn */
    if (!thread->in_call || !is_same)
        return;
    thread->in_call = false;
    if (thread->start > model.lost_at)
        expect((struct record){.kind = SPAN,
                               .ticks = thread->start,
                               .end = model.latest,
                               .process = thread->process,
                               .thread = thread->tid,
                               .args = 2,
                               .values = {thread->call, event->result}});
}

static void call(const struct fxt_kernel_event *event)
{
    struct thread *thread = find(event->tid);
    if (event->kind == FXT_KERNEL_RETURN) {
        end_call(event);
    } else if (thread != NULL) {
        thread->in_call = true;
        thread->call = event->number;
        thread->start = model.latest;
    }
}

static void interrupt(const struct fxt_kernel_event *event)
{
    bool soft = event->kind == FXT_KERNEL_SOFTIRQ || event->kind == FXT_KERNEL_SOFTIRQ_DONE;
    if (event->cpu >= PROCESSORS)
        return;
    struct handler *handler = &model.handlers[soft][event->cpu];
    if (event->kind == FXT_KERNEL_IRQ || event->kind == FXT_KERNEL_SOFTIRQ) {
        *handler = (struct handler){true, event->number, model.latest};
        return;
    }
    if (!handler->running || handler->number != event->number)
        return;
    handler->running = false;
    if (handler->start > model.lost_at)
        expect((struct record){.kind = SPAN,
                               .ticks = handler->start,
                               .end = model.latest,
                               .process = (uint64_t)getpid(),
                               .thread = TRACK | event->cpu,
                               .args = 1,
                               .values = {event->number}});
}

static void frequency(const struct fxt_kernel_event *event)
{
    if (event->cpu < PROCESSORS)
        expect((struct record){.kind = COUNTER,
                               .ticks = model.latest,
                               .end = event->cpu,
                               .process = (uint64_t)getpid(),
                               .thread = TRACK | event->cpu,
                               .args = 1,
                               .values = {event->number}});
}

static void of_thread(const struct fxt_kernel_event *event)
{
    note(event->tid, event->process);
    if (event->kind == FXT_KERNEL_SWITCH)
        note(event->other, 0);
    if (event->kind == FXT_KERNEL_SWITCH && group(FXT_KERNEL_SCHED))
        a_switch(event);
    if ((event->kind == FXT_KERNEL_WAKING || event->kind == FXT_KERNEL_WAKEUP) &&
        group(FXT_KERNEL_SCHED))
        wakeup(event);
    if ((event->kind == FXT_KERNEL_CALL || event->kind == FXT_KERNEL_RETURN) &&
        group(FXT_KERNEL_SYSCALL))
        call(event);
    bool ends = group(FXT_KERNEL_SCHED) ? event->kind == FXT_KERNEL_SWITCH && event->state == 5
                                        : event->kind == FXT_KERNEL_EXIT;
    struct thread *thread = find(event->tid);
    if (ends && thread != NULL)
        thread->gone = true;
}

void kernel_model_put(const struct fxt_kernel_event *sent, const struct fxt_kernel_event *event,
                      uint64_t ticks)
{
    check_sent(sent, event);
    check_ticks(event->ns, ticks);
    model.latest = ticks > model.latest ? ticks : model.latest;
    if (event->kind <= FXT_KERNEL_RETURN) {
        of_thread(event);
    } else if (event->kind == FXT_KERNEL_LOST) {
        model.lost += event->number > 0 ? (uint64_t)event->number : 1;
        model.lost_at = model.latest;
    } else if (event->kind == FXT_KERNEL_FREQUENCY) {
        if (group(FXT_KERNEL_FREQ))
            frequency(event);
    } else if (group(FXT_KERNEL_INTERRUPT)) {
        interrupt(event);
    }
}

/* The trace. */

static bool same(const struct record *a, const struct record *b)
{
    return a->kind == b->kind && a->ticks == b->ticks && a->end == b->end &&
           a->process == b->process && a->thread == b->thread && a->other == b->other &&
           a->cpu == b->cpu && a->state == b->state && a->args == b->args &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

static void find_record(const struct record *record)
{
    while (!model.whole && model.next < model.count && !same(record, &model.records[model.next]))
        model.next++;
    FUZZ_CHECK(model.next < model.count && same(record, &model.records[model.next]));
    model.next++;
    model.found++;
}

static void read_event(const struct fxt_record *from)
{
    struct fxt_event event;
    struct fxt_arg arg;
    struct fxt_error error;
    FUZZ_CHECK(fxt_read_event(from, &event, &error) == FXT_OK);
    FUZZ_CHECK(event.event_type == FXT_EVENT_DURATION_COMPLETE ||
               event.event_type == FXT_EVENT_COUNTER);
    FUZZ_CHECK(event.thread.ref == 0 && event.args.count <= 2);
    struct record record = {.kind = event.event_type == FXT_EVENT_COUNTER ? COUNTER : SPAN,
                            .ticks = event.timestamp,
                            .end = event.value,
                            .process = event.thread.process,
                            .thread = event.thread.thread,
                            .args = event.args.count};
    for (unsigned i = 0; i < record.args; i++) {
        FUZZ_CHECK(fxt_args_next(&event.args, &arg, &error) == FXT_OK);
        FUZZ_CHECK(arg.type == FXT_ARG_INT64);
        record.values[i] = fxt_arg_int64(&arg);
    }
    find_record(&record);
}

static void read_switch(const struct fxt_record *from)
{
    struct fxt_context_switch in;
    struct fxt_error error;
    FUZZ_CHECK(fxt_read_context_switch(from, &in, &error) == FXT_OK);
    find_record(&(struct record){.kind = SWITCH,
                                 .ticks = in.timestamp,
                                 .thread = in.outgoing_thread,
                                 .other = in.incoming_thread,
                                 .cpu = in.cpu,
                                 .state = in.outgoing_state,
                                 .args = in.args.count});
}

static void read_wakeup(const struct fxt_record *from)
{
    struct fxt_thread_wakeup in;
    struct fxt_error error;
    FUZZ_CHECK(fxt_read_thread_wakeup(from, &in, &error) == FXT_OK);
    find_record(&(struct record){.kind = WAKEUP,
                                 .ticks = in.timestamp,
                                 .thread = in.waking_thread,
                                 .cpu = in.cpu,
                                 .args = in.args.count});
}

/* "7 events of the kernel were lost on CPU 1", or an unknown number of them. */
static void read_log(const struct fxt_record *from)
{
    struct fxt_log log;
    struct fxt_error error;
    char text[100] = "";
    FUZZ_CHECK(fxt_read_log(from, &log, &error) == FXT_OK && log.message.size < sizeof text);
    memcpy(text, log.message.bytes, log.message.size);
    FUZZ_CHECK(strstr(text, "events of the kernel were lost on CPU ") != NULL);
    model.told += text[0] == 'e' ? 1 : strtoull(text, NULL, 10);
}

void kernel_model_read(const struct fxt_record *record)
{
    if (record->type == FXT_RECORD_EVENT)
        read_event(record);
    else if (record->type == FXT_RECORD_LOG)
        read_log(record);
    else if (record->type == FXT_RECORD_SCHEDULING && record->header >> 60 == 1)
        read_switch(record);
    else if (record->type == FXT_RECORD_SCHEDULING)
        read_wakeup(record);
}

void kernel_model_end(const struct fxt_kernel_translation *translation, uint64_t dropped,
                      bool overwrites)
{
    uint64_t unreported = 0;
    for (unsigned i = 0; i < FXT_KERNEL_CPUS; i++)
        unreported += translation->unreported[i];
    FUZZ_CHECK(translation->lost == model.lost);
    FUZZ_CHECK(overwrites || model.told + unreported == model.lost);
    FUZZ_CHECK(overwrites || model.found + dropped >= model.count);
    FUZZ_CHECK(!model.whole || (model.found == model.count && dropped == 0 && unreported == 0));
}
