/* What the files of the Chrome converter share; nobody else includes it.

   An event is written with a pointer `to` into the memory of out. fxt_i_chrome_begin and
   fxt_i_chrome_more give ROOM bytes from `to` on, which is enough for all numbers and constant
   pieces of an event and two strings of the cache; whatever may be longer (strings that are not
   in the cache, lists) calls fxt_i_chrome_more again and returns the new `to`. */
#ifndef FXT_CONVERT_CHROME_I_H
#define FXT_CONVERT_CHROME_I_H

#include <fxt/read.h>

#include "src/check/lookup.h"
#include "src/convert/chrome.h"
#include "src/convert/chrome_time.h"
#include "src/convert/escape.h"
#include "src/convert/number.h"

#define FXT_I_CHROME_ROOM 4000u
#define FXT_I_CHROME_CACHED_MAX 1000u /* longest text in the cache */
#define FXT_I_CHROME_NUMBER_LIMIT (UINT64_C(1) << 53)
#define FXT_I_CHROME_PID_LIMIT (UINT64_C(1) << 32)

/* Copies a literal; returns its end. */
#define FXT_I_PUT(to, literal)                                                                     \
    ((char *)memcpy((to), (literal), sizeof(literal) - 1) + (sizeof(literal) - 1))

static inline char *fxt_i_chrome_room(struct fxt_chrome *chrome)
{
    return fxt_out_room(chrome->out, FXT_I_CHROME_ROOM);
}

static inline void fxt_i_chrome_commit(struct fxt_chrome *chrome, const char *to)
{
    chrome->out->size = (size_t)(to - chrome->out->bytes);
}

/* Keeps what is written up to `to` and makes room for more. */
static inline char *fxt_i_chrome_more(struct fxt_chrome *chrome, const char *to)
{
    fxt_i_chrome_commit(chrome, to);
    return fxt_i_chrome_room(chrome);
}

/* How an event begins: a comma after the event before, and the phase. Padded to a fixed size. */
#define FXT_I_CHROME_START(phase) ",\n{\"ph\":\"" phase "\"       "
#define FXT_I_CHROME_START_LENGTH 11u

static inline char *fxt_i_chrome_begin(struct fxt_chrome *chrome, const char *start)
{
    char *to = fxt_i_chrome_room(chrome);
    unsigned first = chrome->events == 0; /* no comma */
    memcpy(to, start + first, 16);
    chrome->events++;
    return to + (FXT_I_CHROME_START_LENGTH - first);
}

static inline void fxt_i_chrome_finish(struct fxt_chrome *chrome, char *to)
{
    *to = '}';
    fxt_i_chrome_commit(chrome, to + 1);
}

/* Short text of which 32 bytes may be read and written whatever its length. */
static inline char *fxt_i_chrome_copy(char *to, const char *text, uint32_t length)
{
    memcpy(to, text, 32);
    if (length > 32)
        memcpy(to + 32, text + 32, length - 32);
    return to + length;
}

/* chrome_base.c: the first time, one before the base, or one that a double does not hold. */
char *fxt_i_chrome_put_far(struct fxt_chrome *chrome, char *to, uint64_t ns);

/* ,"ts":… */
static inline char *fxt_i_chrome_put_ts(struct fxt_chrome *chrome, char *to, uint64_t ns)
{
    to = FXT_I_PUT(to, ",\"ts\":");
    uint64_t since = ns - chrome->base; /* wraps before the base */
    if (since >= chrome->far)
        return fxt_i_chrome_put_far(chrome, to, ns);
    return fxt_i_chrome_put_time(&chrome->time, to, since);
}

/* ,"dur":… */
static inline char *fxt_i_chrome_put_dur(struct fxt_chrome *chrome, char *to, uint64_t ns)
{
    to = FXT_I_PUT(to, ",\"dur\":");
    chrome->inexact += ns >= FXT_CHROME_EXACT_NS;
    return fxt_i_chrome_put_span(to, ns);
}

static inline uint64_t fxt_i_chrome_ticks(struct fxt_chrome *chrome, uint64_t ticks)
{
    uint64_t *latest =
        &chrome->memory->tracks.latest[chrome->tables->current % FXT_CHROME_PROVIDERS];
    uint64_t ns = fxt_i_chrome_ns(&chrome->time, ticks,
                                  fxt_i_current_provider(chrome->tables)->ticks_per_second);
    if (ns > INT64_MAX) {
        ns = INT64_MAX;
        chrome->late_times++;
    }
    if (*latest < ns)
        *latest = ns;
    return ns;
}

/* The latest time of the trace so far; 0 when there is none. */
static inline uint64_t fxt_i_chrome_latest(const struct fxt_chrome *chrome)
{
    const uint64_t *all = chrome->memory->tracks.latest;
    uint64_t ns = 0;
    for (uint32_t i = 0; i < FXT_CHROME_PROVIDERS; i++)
        ns = all[i] > ns ? all[i] : ns;
    return ns;
}

/* chrome_track.c: the tracks that are of no process of the trace. */
enum fxt_i_chrome_group { FXT_I_CHROME_CPUS, FXT_I_CHROME_PROVIDERS, FXT_I_CHROME_UNKNOWN };

static inline uint32_t fxt_i_chrome_provider_tid(uint32_t index)
{
    return index % FXT_CHROME_PROVIDERS + 1;
}

/* Of a thread ref that the current provider has not registered. */
static inline uint32_t fxt_i_chrome_unknown_tid(const struct fxt_chrome *chrome, uint16_t ref)
{
    return chrome->tables->current % FXT_CHROME_PROVIDERS * 256 + ref % 256;
}

/* Each writes the track's name once a trace, between events. */
void fxt_i_chrome_name_cpu(struct fxt_chrome *chrome, uint16_t place);
void fxt_i_chrome_name_provider(struct fxt_chrome *chrome, uint32_t index);
void fxt_i_chrome_name_unknown(struct fxt_chrome *chrome); /* chrome->unknown_thread */

/* chrome_text.c. Those that take the converter may call fxt_i_chrome_more; the byte before the
   `to` that they return is always still there. */
char *fxt_i_chrome_put_string(struct fxt_chrome *chrome, char *to, uint16_t *hash,
                              struct fxt_string_ref ref); /* quoted */
char *fxt_i_chrome_put_bytes(struct fxt_chrome *chrome, char *to, struct fxt_bytes text);
char *fxt_i_chrome_put_base64(struct fxt_chrome *chrome, char *to, struct fxt_bytes blob);
char *fxt_i_chrome_put_koid(char *to, uint64_t koid); /* in args: a number or a string */
char *fxt_i_chrome_put_pid(char *to, uint64_t koid);  /* pid or tid: a number or a string */
char *fxt_i_chrome_put_number(char *to, int64_t number);
char *fxt_i_chrome_put_id(char *to, uint64_t id);                   /* "0x1f" */
char *fxt_i_chrome_put_track(char *to, uint32_t pid, uint32_t tid); /* ,"pid":…,"tid":… */
char *fxt_i_chrome_put_thread(struct fxt_chrome *chrome, char *to, struct fxt_thread_ref ref);

/* The entry of a thread, which the next one may replace. NULL if it is not registered. */
struct fxt_chrome_thread *fxt_i_chrome_thread(struct fxt_chrome *chrome,
                                              const struct fxt_thread_ref *ref);

/* What fxt_i_chrome_put_thread writes, from the entry that fxt_i_chrome_thread gave. */
char *fxt_i_chrome_put_entry(struct fxt_chrome *chrome, char *to,
                             const struct fxt_chrome_thread *entry, uint16_t ref);
char *fxt_i_chrome_put_unknown(char *to, const char *what, uint32_t number); /* <unknown #12> */
void fxt_i_chrome_forget_string(struct fxt_chrome *chrome, uint16_t index);
void fxt_i_chrome_forget_all(struct fxt_chrome *chrome);

#define FXT_I_CHROME_NO_HASH 65535u /* the text is not hashed: compare it */

/* Of escaped text without its quotes. */
static inline uint16_t fxt_i_chrome_hash(const char *text, size_t length)
{
    if (length == 0)
        return 0;
    unsigned first = (uint8_t)text[0];
    unsigned middle = (uint8_t)text[length / 2];
    unsigned last = (uint8_t)text[length - 1];
    return (uint16_t)((first + 37 * middle + 83 * last + 157 * (unsigned)length) % 65521);
}

/* chrome_args.c: the names in one "args" object, which are all to be different. */
#define FXT_I_CHROME_NAMES_MAX 24u

struct fxt_i_chrome_names {
    uint64_t hashes; /* bit h % 64 for each hash that occurred */
    uint32_t count;
    uint32_t digested; /* a bit for each that has a digest */
    uint64_t digest[FXT_I_CHROME_NAMES_MAX];
    uint8_t repeats[FXT_I_CHROME_NAMES_MAX]; /* n > 1: written as name#n */
    uint16_t hash[FXT_I_CHROME_NAMES_MAX];   /* NO_HASH when repeated */
    struct fxt_string_ref refs[FXT_I_CHROME_NAMES_MAX];
};

/* "name": for a name of our own; a comma before it unless it is the first. */
char *fxt_i_chrome_put_key(const struct fxt_chrome *chrome, char *to,
                           struct fxt_i_chrome_names *names, const char *name);

/* The arguments, without braces. A counter's integers are numbers of any size. */
char *fxt_i_chrome_put_args(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                            struct fxt_args args, bool counter);

/* The same for an event's arguments, which are decoded already: with none before them. */
char *fxt_i_chrome_put_arg_list(struct fxt_chrome *chrome, char *to,
                                struct fxt_i_chrome_names *names, const struct fxt_arg *args,
                                uint16_t count, bool counter);

/* chrome_order.c: the time in ns that is written for an event at `ns`, or for its begin. *other: of a
   complete duration the end, which becomes that which is written; of a flow event the earliest time
   that may be written. */
uint64_t fxt_i_chrome_order(struct fxt_chrome *chrome, struct fxt_chrome_thread *thread,
                            unsigned type, uint64_t ns, uint64_t *other);

/* Whether a counter takes the argument for a value: rule CNT-01 of spec/meaning.md. */
bool fxt_i_chrome_is_value(const struct fxt_arg *arg);

/* One a kind of record. FXT_OK or FXT_MALFORMED. */
enum fxt_status fxt_i_chrome_event(struct fxt_chrome *chrome, const struct fxt_record *record);
enum fxt_status fxt_i_chrome_kernel_object(struct fxt_chrome *chrome,
                                           const struct fxt_record *record);
enum fxt_status fxt_i_chrome_scheduling(struct fxt_chrome *chrome, const struct fxt_record *record);
enum fxt_status fxt_i_chrome_log(struct fxt_chrome *chrome, const struct fxt_record *record);
enum fxt_status fxt_i_chrome_profiler(struct fxt_chrome *chrome, const struct fxt_record *record);
enum fxt_status fxt_i_chrome_large(struct fxt_chrome *chrome, const struct fxt_record *record);
enum fxt_status fxt_i_chrome_provider_event(struct fxt_chrome *chrome,
                                            const struct fxt_record *record);

/* chrome_window.c: the switch comes to fxt_i_chrome_switch in the order of time. args: of the
   record, or NULL. */
void fxt_i_chrome_wait(struct fxt_chrome *chrome, struct fxt_chrome_switch *change,
                       const struct fxt_args *args);
void fxt_i_chrome_let_all_go(struct fxt_chrome *chrome);

/* chrome_cpu.c. A thread: its koid, or a ref that is not registered. Neither: no thread. */
struct fxt_i_chrome_who {
    uint64_t koid;
    uint16_t ref;
};

/* The name of a thread: that of its kernel object. */
char *fxt_i_chrome_put_thread_name(struct fxt_chrome *chrome, char *to,
                                   struct fxt_i_chrome_who who);

/* The begin of the arguments: which thread, and if known of which process. */
char *fxt_i_chrome_put_who(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                           struct fxt_i_chrome_who who);

/* The place in memory->cpus of a CPU of the current provider; its track gets a name. False if there
   is none left: this is counted. */
bool fxt_i_chrome_find_cpu(struct fxt_chrome *chrome, uint16_t *place, uint16_t cpu);

/* The effect of a switch. args: when they are not kept in the window. */
void fxt_i_chrome_switch(struct fxt_chrome *chrome, const struct fxt_chrome_switch *change,
                         const struct fxt_args *args);

/* The members of "args" of the thread that a switch stops. */
char *fxt_i_chrome_put_outgoing(struct fxt_chrome *chrome, char *to,
                                const struct fxt_chrome_switch *change, struct fxt_args args);

void fxt_i_chrome_end_spans(struct fxt_chrome *chrome); /* every CPU is idle then */

/* chrome_sched.c: ends what waits and what still runs. */
void fxt_i_chrome_end_cpus(struct fxt_chrome *chrome);

#endif
