/* What is written where events of a thread have one time; see chrome.h. Owns what struct
   fxt_chrome_thread knows of a thread besides its text.

   Viewers sort by time. Perfetto then puts, of one nanosecond, ends first, complete events next, the
   longest first, and all others behind these, in the order of the document. An end would so come before
   the begin that it ends, or leave outside what its duration encloses, and a complete event would
   enclose the duration that encloses it. Such an end, or complete event, is written 1 ns later, and
   what follows at that time no earlier. An event that is late stays where it is. */
#include "src/convert/chrome_i.h"

static void start(struct fxt_chrome_thread *thread, uint32_t trace)
{
    thread->trace = trace;
    thread->depth = 0;
    thread->has_inner = 0;
    thread->latest = 0;
    thread->shown = 0;
    thread->complete_begin = UINT64_MAX;
}

/* No earlier than what was written for that time. */
static uint64_t not_before(const struct fxt_chrome_thread *thread, uint64_t ns)
{
    return ns >= thread->latest && ns < thread->shown ? thread->shown : ns;
}

static uint64_t note(struct fxt_chrome_thread *thread, uint64_t ns, uint64_t shown, bool is_inner)
{
    thread->latest = ns;
    thread->shown = shown;
    thread->has_inner = is_inner;
    return shown;
}

/* Of what a duration can enclose at its end. least: it is not written before. */
static uint64_t inner(struct fxt_chrome_thread *thread, uint64_t ns, uint64_t least)
{
    uint64_t shown = not_before(thread, ns);
    return note(thread, ns, shown < least ? least : shown, true);
}

static void push(struct fxt_chrome_thread *thread, uint64_t ns, uint64_t shown)
{
    thread->begins[thread->depth % FXT_CHROME_DEPTH] = ns;
    thread->begins_shown[thread->depth % FXT_CHROME_DEPTH] = shown;
    thread->depth++;
}

static uint64_t begin(struct fxt_chrome_thread *thread, uint64_t ns)
{
    uint64_t shown = inner(thread, ns, ns);
    push(thread, ns, shown);
    return shown;
}

/* The entry for what ended at `ns` and was written to end later. */
static struct fxt_chrome_moved *moved(const struct fxt_chrome *chrome, uint64_t *key,
                                      const struct fxt_chrome_thread *thread, uint64_t ns)
{
    uint64_t mixed = (thread->process * 31 + thread->thread) * 31 + chrome->trace;
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xff51afd7ed558ccd);
    *key = (mixed + ns) * UINT64_C(0x9e3779b97f4a7c15);
    return &chrome->memory->moved[(*key >> 32) % FXT_CHROME_MOVED];
}

/* What was written to end at `shown` instead of `ns`. */
static void note_moved(struct fxt_chrome *chrome, const struct fxt_chrome_thread *thread,
                       uint64_t ns, uint64_t shown)
{
    uint64_t key;
    for (unsigned i = 0; i < FXT_CHROME_DEPTH && ns + i < shown; i++)
        *moved(chrome, &key, thread, ns + i) = (struct fxt_chrome_moved){key, shown};
    chrome->has_moved |= ns < shown;
}

static uint64_t end(struct fxt_chrome_thread *thread, uint64_t ns)
{
    uint64_t shown = not_before(thread, ns);
    shown += thread->has_inner && shown == thread->shown;
    return note(thread, ns, shown, false);
}

static uint64_t end_latest(struct fxt_chrome *chrome, struct fxt_chrome_thread *thread, uint64_t ns)
{
    thread->depth -= thread->depth > 0;
    uint64_t shown = end(thread, ns);
    if (thread->begins[thread->depth % FXT_CHROME_DEPTH] < ns)
        note_moved(chrome, thread, ns, shown);
    return shown;
}

/* Behind what ended then, and behind the begins of what encloses it. */
static uint64_t complete_begin(const struct fxt_chrome *chrome,
                               const struct fxt_chrome_thread *thread, uint64_t ns)
{
    uint64_t key;
    uint64_t shown = ns;
    uint32_t known = thread->depth < FXT_CHROME_DEPTH ? thread->depth : FXT_CHROME_DEPTH;
    if (chrome->has_moved) {
        const struct fxt_chrome_moved *entry = moved(chrome, &key, thread, ns);
        shown = entry->key == key && entry->shown > ns ? entry->shown : ns;
    }
    for (uint32_t i = 1; i <= known; i++) {
        uint32_t place = (thread->depth - i) % FXT_CHROME_DEPTH;
        if (thread->begins[place] == ns && thread->begins_shown[place] >= shown)
            shown = thread->begins_shown[place] + 1;
    }
    return shown;
}

/* Longer than one before it that would be equal, and that it encloses. */
static uint64_t complete(struct fxt_chrome *chrome, struct fxt_chrome_thread *thread, uint64_t ns,
                         uint64_t *end_ns)
{
    uint64_t shown = complete_begin(chrome, thread, ns);
    uint64_t last = end(thread, *end_ns);
    if (last <= shown)
        last = shown + 1;
    last += thread->complete_begin == shown && thread->complete_end == last;
    thread->complete_begin = shown;
    thread->complete_end = last;
    thread->shown = last;
    note_moved(chrome, thread, *end_ns, last);
    *end_ns = last;
    return shown;
}

uint64_t fxt_i_chrome_order(struct fxt_chrome *chrome, struct fxt_chrome_thread *thread,
                            unsigned type, uint64_t ns, uint64_t *other)
{
    if (thread->trace != chrome->trace)
        start(thread, chrome->trace);
    switch (type) {
    case FXT_EVENT_DURATION_BEGIN:
        return begin(thread, ns);
    case FXT_EVENT_DURATION_END:
        return end_latest(chrome, thread, ns);
    case FXT_EVENT_DURATION_COMPLETE:
        return ns < *other ? complete(chrome, thread, ns, other) : (*other = inner(thread, ns, ns));
    default:
        return inner(thread, ns, *other);
    }
}
