/* See top.h. The lock protects names and sum; all else belongs to the thread that calls top_take. Each table
   has one size: names without room are counted together, a thread without room takes the place of another,
   whose open durations are forgotten.

   Durations of a thread become known in the order of their ends. So what is nested in one has been seen: it
   is the unclaimed durations that begin no earlier, which the enclosing one then claims. */
#include "src/tools/trace/top.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/read.h>
#include <fxt/tables.h>

#define NAMES 4096u /* slots, of which three quarters are used */
#define NAMES_MAX (NAMES / 4 * 3)
#define THREADS 1024u
#define PROVIDERS 256u
#define ARENA_BYTES (16u << 20)
#define BUFFER_BYTES (512u << 10)
#define OPEN_MAX 64u
#define ENDED_MAX 64u

struct span {
    uint64_t begin;
    uint64_t length;
};

struct thread {
    uint64_t process;
    uint64_t thread;
    uint32_t open_count; /* may be over OPEN_MAX: of those, nothing is known */
    uint32_t ended_count;
    struct {
        uint64_t begin;
        uint32_t name;
    } open[OPEN_MAX];
    struct span ended[ENDED_MAX]; /* that nothing has claimed, by begin */
};

struct top {
    pthread_mutex_t lock;
    struct top_row names[NAMES]; /* "" and 0 events: free */
    uint32_t name_count;
    struct top_sum sum;
    struct fxt_tables tables;
    struct fxt_reader reader;
    bool has_stopped; /* nothing more can be read */
    struct thread threads[THREADS];
    struct fxt_provider providers[PROVIDERS];
    uint32_t provider_ids[PROVIDERS];
    uint8_t arena[ARENA_BYTES];
    uint8_t buffer[BUFFER_BYTES];
};

#define NO_NAME UINT32_MAX

struct top *top_new(void)
{
    struct top *top = calloc(1, sizeof *top);
    if (top == NULL)
        return NULL;
    const struct fxt_tables_memory memory = {.providers = top->providers,
                                             .provider_ids = top->provider_ids,
                                             .arena = top->arena,
                                             .provider_max = PROVIDERS,
                                             .arena_size = ARENA_BYTES,
                                             .zeroed = 1};
    pthread_mutex_init(&top->lock, NULL);
    fxt_tables_init(&top->tables, &memory);
    fxt_reader_init_chunk(&top->reader, top->buffer, 0);
    return top;
}

void top_free(struct top *top)
{
    free(top);
}

static uint64_t mix(uint64_t one, uint64_t other)
{
    uint64_t mixed = (one * 31 + other) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed >> 32;
}

/* The slot of a name, or NO_NAME. */
static uint32_t find_name(struct top *top, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    char name[TOP_NAME_BYTES] = "";
    uint64_t hash = 0;
    if (!fxt_tables_string(&top->tables, &text, ref))
        text = fxt_bytes_of("(unknown)", 9);
    else if (text.size == 0)
        text = fxt_bytes_of("(no name)", 9);
    memcpy(name, text.bytes, text.size < sizeof name ? (size_t)text.size : sizeof name - 1);
    for (size_t i = 0; i < sizeof name; i++)
        hash = mix(hash, (unsigned char)name[i]);
    uint32_t slot = (uint32_t)hash % NAMES;
    while (top->names[slot].name[0] != '\0' &&
           memcmp(top->names[slot].name, name, sizeof name) != 0)
        slot = (slot + 1) % NAMES;
    if (top->names[slot].name[0] == '\0') {
        if (top->name_count == NAMES_MAX || name[0] == '\0')
            return NO_NAME;
        top->name_count++;
        memcpy(top->names[slot].name, name, sizeof name);
    }
    return slot;
}

static struct thread *find_thread(struct top *top, const struct fxt_event *event)
{
    struct fxt_thread_ref koids = event->thread;
    if (!fxt_tables_thread(&top->tables, &koids, event->thread))
        return NULL;
    struct thread *thread = &top->threads[mix(koids.process, koids.thread) % THREADS];
    if (thread->process != koids.process || thread->thread != koids.thread) {
        thread->process = koids.process;
        thread->thread = koids.thread;
        thread->open_count = 0;
        thread->ended_count = 0;
    }
    return thread;
}

/* The time of a duration without what is nested in it, which it claims. */
static uint64_t claim(struct thread *thread, uint64_t begin, uint64_t end)
{
    uint64_t nested = 0, length = end - begin;
    while (thread->ended_count > 0 && thread->ended[thread->ended_count - 1].begin >= begin)
        nested += thread->ended[--thread->ended_count].length;
    if (thread->ended_count == ENDED_MAX) { /* the oldest is hardly claimed any more */
        memmove(thread->ended, thread->ended + 1, (ENDED_MAX - 1) * sizeof *thread->ended);
        thread->ended_count--;
    }
    thread->ended[thread->ended_count++] = (struct span){begin, length};
    return nested < length ? length - nested : 0;
}

static void add_self(struct top *top, uint32_t name, struct thread *thread, uint64_t begin,
                     uint64_t end)
{
    if (end < begin)
        return;
    uint64_t self = claim(thread, begin, end);
    if (name != NO_NAME)
        top->names[name].self_ns += self;
}

static void end_duration(struct top *top, struct thread *thread, uint64_t ns)
{
    if (thread->open_count == 0)
        return;
    thread->open_count--;
    if (thread->open_count < OPEN_MAX)
        add_self(top, thread->open[thread->open_count].name, thread,
                 thread->open[thread->open_count].begin, ns);
}

static void take_duration(struct top *top, const struct fxt_event *event, uint32_t name)
{
    uint64_t rate = fxt_tables_provider(&top->tables)->ticks_per_second;
    uint64_t ns = fxt_ticks_to_ns(event->timestamp, rate);
    struct thread *thread = find_thread(top, event);
    if (thread == NULL)
        return;
    if (event->event_type == FXT_EVENT_DURATION_COMPLETE) {
        add_self(top, name, thread, ns, fxt_ticks_to_ns(event->value, rate));
    } else if (event->event_type == FXT_EVENT_DURATION_END) {
        end_duration(top, thread, ns);
    } else if (event->event_type == FXT_EVENT_DURATION_BEGIN) {
        if (thread->open_count < OPEN_MAX) {
            thread->open[thread->open_count].begin = ns;
            thread->open[thread->open_count].name = name;
        }
        thread->open_count++;
    }
}

static void take_event(struct top *top, const struct fxt_event *event)
{
    bool ends = event->event_type == FXT_EVENT_DURATION_END ||
                event->event_type == FXT_EVENT_ASYNC_END || event->event_type == FXT_EVENT_FLOW_END;
    uint32_t name = ends ? NO_NAME : find_name(top, event->name);
    top->sum.events++;
    if (name != NO_NAME)
        top->names[name].count++;
    else
        top->sum.others += !ends;
    take_duration(top, event, name);
}

static void take_record(struct top *top, const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_error error;
    fxt_tables_apply(&top->tables, record, &error);
    if (fxt_read_event(record, &event, &error) == FXT_OK && event.event_type <= FXT_EVENT_FLOW_END)
        take_event(top, &event);
}

/* Takes the whole records of the buffer. */
static void take_records(struct top *top)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while ((status = fxt_reader_next(&top->reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD)
        if (status == FXT_OK)
            take_record(top, &record);
    top->has_stopped = status != FXT_MORE;
    if (status == FXT_MORE && record.words > BUFFER_BYTES / 2 / FXT_WORD_BYTES)
        fxt_reader_pass(&top->reader, &record);
}

void top_take(struct top *top, const char *bytes, size_t size)
{
    pthread_mutex_lock(&top->lock);
    while (size > 0 && !top->has_stopped) {
        size_t rest = (size_t)fxt_reader_rest(&top->reader);
        size_t room = BUFFER_BYTES - rest;
        size_t more = size < room ? size : room;
        memmove(top->buffer, top->reader.bytes + top->reader.size - rest, rest);
        memcpy(top->buffer + rest, bytes, more);
        fxt_reader_continue(&top->reader, top->buffer, rest + more, false);
        take_records(top);
        bytes += more;
        size -= more;
    }
    pthread_mutex_unlock(&top->lock);
}

static int compare(const void *a, const void *b)
{
    const struct top_row *one = a, *other = b;
    if (one->self_ns != other->self_ns)
        return one->self_ns < other->self_ns ? 1 : -1;
    if (one->count != other->count)
        return one->count < other->count ? 1 : -1;
    return memcmp(one->name, other->name, sizeof one->name);
}

size_t top_rows(struct top *top, struct top_row *rows, size_t most, struct top_sum *sum)
{
    static struct top_row sorted[NAMES]; /* of the thread that shows them */
    size_t count = 0;
    pthread_mutex_lock(&top->lock);
    for (uint32_t i = 0; i < NAMES; i++)
        if (top->names[i].name[0] != '\0')
            sorted[count++] = top->names[i];
    *sum = top->sum;
    pthread_mutex_unlock(&top->lock);
    qsort(sorted, count, sizeof *sorted, compare);
    count = count < most ? count : most;
    memcpy(rows, sorted, count * sizeof *rows);
    return count;
}
