/* What all files of the engine use: its state, its locks, and the count of dropped records. */
#include "src/engine/begin.h"
#include "src/engine/engine.h"

#define YIELDS 100u /* between two sleeps */

/* By this note, a provider finds other copies of the engine in its process: src/provider/copies.c. */
__asm__(".pushsection .note.fxtref, \"a\", \"note\"\n"
        ".balign 4\n"
        ".long 2f - 1f, 0, 1\n"
        "1: .asciz \"" FXT_I_NOTE "\"\n"
        "2: .balign 4\n"
        ".popsection");
_Static_assert(FXT_I_NOTE_ENGINE == 1, "the note has it");

struct fxt_i_engine fxt_i_engine;

/* A gate that is never open, for threads without a lease. */
const fxt_i_atomic fxt_i_no_gate = {FXT_I_INSIDE};

__thread struct trace_context fxt_i_this_thread = {.gate = &fxt_i_no_gate, .indexed = FXT_I_NEVER};

/* Any thread, in signal handlers too: `locks` is not 0 only while signals are blocked. */
void fxt_i_signals_hold(void)
{
    if (fxt_i_this_thread.locks == 0)
        fxt_i_this_thread.interrupts = fxt_i_interrupts_off();
    fxt_i_this_thread.locks++;
    fxt_i_signal_fence();
}

void fxt_i_signals_release(void)
{
    fxt_i_signal_fence();
    if (--fxt_i_this_thread.locks == 0)
        fxt_i_interrupts_restore(fxt_i_this_thread.interrupts);
}

/* Any thread. The swap acquires what the last holder's store of 0 released. While another thread
   has the lock, signals come through. */
bool fxt_i_try_lock(fxt_i_atomic32 *lock)
{
    if (fxt_i_load32(lock) != 0)
        return false;
    fxt_i_signals_hold();
    if (fxt_i_swap32(lock, 0, 1))
        return true;
    fxt_i_signals_release();
    return false;
}

/* Any thread that does not hold it: it would wait for itself. A thread of a real-time policy yields
   to its equals only, so it sleeps now and then. */
void fxt_i_lock(fxt_i_atomic32 *lock)
{
    for (unsigned i = 1; !fxt_i_try_lock(lock); i++)
        i % YIELDS == 0 ? fxt_i_sleep() : fxt_i_yield();
}

/* The thread that holds it. */
void fxt_i_unlock(fxt_i_atomic32 *lock)
{
    assert(fxt_i_lock_is_held(lock));
    fxt_i_store32(lock, 0);
    fxt_i_signals_release();
}

/* Any thread, lock-free. In a child that was forked meanwhile, nobody is counted. */
void fxt_i_count_down(fxt_i_atomic *count)
{
    uint64_t now = fxt_i_load(count);

    while (now != 0 && !fxt_i_swap(count, &now, now - 1))
        ;
}

static void count_drop(struct trace_context *context)
{
    if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return;
    context->drops++;
    fxt_i_add(&fxt_i_engine.dropped, 1);
    fxt_i_count(fxt_i_engine.buffer + FXT_I_HEADER_DROPPED);
}

/* The thread of the context, lock-free. A signal handler may interrupt this and drop a record of
   its own. A thread that stops waits for a thread that is inside. One that is outside counts as
   `dropping`: either it sees here that tracing stops, or the thread that stops waits for it, and
   the buffer stays. The header has the count, too, for whoever finds the buffer after this process
   was killed. */
void fxt_i_drop(struct trace_context *context)
{
    if (fxt_i_active(context) != 0) {
        count_drop(context);
        return;
    }
    fxt_i_signals_hold();
    fxt_i_add(&fxt_i_engine.dropping, 1);
    fxt_i_light_fence();
    count_drop(context);
    fxt_i_count_down(&fxt_i_engine.dropping);
    fxt_i_signals_release();
}

/* After that of state.c, and before those of the program, which are recorded, too. It is here because every
   program that traces links this file. */
__attribute__((constructor(102))) static void begin(void)
{
    fxt_i_record_from_start();
}
