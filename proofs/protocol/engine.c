/* The engine's protocol as a transition system, proved for any number of threads up to THREADS.
   README.md says in words what is proved, and where this is not the code.

   A C function is one step: one atomic access of src/engine, with the accesses to memory that only the
   stepping thread, or the holder of its lock, uses at that time. steps.tsv names the step of each access.
   The contract of a step says that it keeps INVARIANT, from every state that has it, not only from those
   that a schedule reaches. So every interleaving of steps keeps it. The preconditions of a step say where
   in the code the stepping thread is (pc, turn, scanner). They ask nothing of other threads, except that
   a lock is free, and, in the steps of spares and of pinned threads, of the thread that stands for these.

   Memory. The stores of `active` go through a store buffer, and others see them late: `active` is what
   the thread has stored, `seen` is what others load. The heavy fence empties the buffers, one after the
   other. All other accesses are sequentially consistent. */
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t word;

#define THREADS 1048576  /* more than FXT_I_THREADS: some stand for spares and for what is pinned */
#define HOLDERS 16777216 /* FXT_I_HOLDERS */
#define WRAPPED_MAX 4294967295
#define EPOCH_MAX 4611686018427387904
#define CLOSED 0 /* FXT_I_CLOSED */
#define INSIDE 1 /* FXT_I_INSIDE */

/* Where a thread is. */
enum {
    OUTSIDE,   /* `active` is 0; it may keep a lease */
    ENTERING,  /* has stored `active`; will load the state, or its gate */
    IN,        /* inside, between records */
    WRITING,   /* has seen its gate open, or taken a lease: writes */
    GIVING,    /* fxt_i_lease_give_up: has seen its gate open; will release the half */
    TAKING,    /* fxt_i_take_chunks: at the loop's head, without a lease */
    POSITION,  /* has loaded the position */
    GATE,      /* has loaded the gate */
    ANNOUNCED, /* has stored `active` */
    HOLDING,   /* counts among the holders; will swap the position */
    LETTING,   /* the swap failed; will release the half */
    TURNING,   /* fxt_i_turn: has the lock of turns */
    SPARE,     /* is_spent: has announced the spare's epoch */
};
/* What it has: a hold is counted among the holders; a lease has chunks too. */
enum { NO_LEASE, HOLD, LEASE };
/* Where the holder of the lock of turns is. NO_WRITERS: has_no_writers has returned true. */
enum {
    FREE,
    LOCKED,
    STARTED_SEEN,
    MAY_TURN,
    SCANS,
    NO_WRITERS,
    COUNTED,
    OPENED,
    MOVED,
    CLOSED_FULL,
    DONE
};
enum { SAVE_NONE, SAVE_CLOSING, SAVE_NOTIFIED }; /* enum fxt_i_save */
enum { STOPPED, STARTED, STOPPING };             /* trace_state_t */
/* Who runs fxt_i_heavy_fence and then fxt_i_anyone_inside. That no two do at a time is a part of what is
   proved (the assertions `alone`). */
enum { NOBODY, TURN, SAVE, STOP };
enum { FENCE, SCAN, CLOSE_0, CLOSE_1, ALL_LEFT }; /* and how far it is */

word threads, chunks; /* threads 0 .. threads - 1 */
bool streaming;
word wrapped, leased; /* position: one word */
word cur;             /* wrapped % 2, until UINT32_MAX */
word gate[2];
word epoch[2];                     /* half[].epoch */
word holders_epoch[2], holders[2]; /* half[].holders: one word */
word last_epoch;
word state, saving, saving_half;
word turn, turner;       /* turner: a thread, or `threads` for one that flushes */
word scanner, phase, at; /* at: the next thread to fence, or to look at */

word pc[THREADS], has[THREADS];
word e[THREADS]; /* context->epoch, or `epoch` in fxt_i_take_chunks */
word active[THREADS], seen[THREADS];
word at_wrapped[THREADS], at_leased[THREADS], at_half[THREADS]; /* `at`, `half` in fxt_i_take_chunks */
word lease_half[THREADS], first[THREADS], count[THREADS]; /* chunks first .. first + count - 1 */
/* Ghosts: the holders of a half are numbered. ticket[t] is the number of t, slot[] says whose number it
   is. So there are at least as many holders as threads that hold, and nobody counts them. */
word ticket[THREADS], slot[2 * HOLDERS];

#define OTHER (1 - cur)

/* The invariant of what all threads share. */

/*@ predicate BOUNDS = threads <= THREADS && 1 <= chunks <= 4294967295 && wrapped <= WRAPPED_MAX && cur <= 1 &&
  @   leased <= chunks && epoch[0] <= last_epoch && epoch[1] <= last_epoch && holders_epoch[0] <= last_epoch &&
  @   holders_epoch[1] <= last_epoch && last_epoch <= EPOCH_MAX && (epoch[0] != epoch[1] || epoch[0] == 0) &&
  @   holders[0] < HOLDERS && holders[1] < HOLDERS && state <= STOPPING && saving <= SAVE_NOTIFIED &&
  @   saving_half <= 1 && turn <= DONE && scanner <= STOP && phase <= ALL_LEFT && turner <= threads && at <= threads;
  @ // A gate is closed or holds its half's epoch; while the half is being opened, it may still hold the last one.
  @ predicate GATES = (gate[cur] == CLOSED || gate[cur] == epoch[cur]) &&
  @   (gate[OTHER] == CLOSED || gate[OTHER] == epoch[OTHER] || turn == COUNTED && gate[OTHER] < epoch[OTHER]) &&
  @   (gate[OTHER] == CLOSED || gate[OTHER] != epoch[cur]) && (turn == COUNTED || turn == OPENED ==> epoch[OTHER] != 0);
  @ // A thread turns only while tracing runs, and never over a half that is being saved.
  @ predicate TURNS = (scanner == TURN <==> turn == SCANS) &&
  @   (MAY_TURN <= turn <= CLOSED_FULL ==> saving == SAVE_NONE) &&
  @   (STARTED_SEEN <= turn <= CLOSED_FULL ==> state != STOPPED && scanner != STOP) &&
  @   (STARTED_SEEN <= turn <= OPENED ==> wrapped < WRAPPED_MAX) && (turn == SCANS ==> gate[OTHER] == CLOSED) &&
  @   (turn == CLOSED_FULL ==> gate[OTHER] == CLOSED) && (turn != FREE && turner < threads ==> pc[turner] == TURNING);
  @ // A half that is being saved is the other one, and closed; the handler owns it without any lease.
  @ predicate SAVING = (saving != SAVE_NONE ==> saving_half == OTHER && gate[saving_half] == CLOSED) &&
  @   (saving == SAVE_NOTIFIED ==> epoch[saving_half] == 0) && (scanner == SAVE ==> saving == SAVE_CLOSING) &&
  @   (scanner == SAVE || scanner == TURN ==> phase <= SCAN);
  @ // Once tracing has stopped, both gates are closed, and no lease is valid.
  @ predicate STOPS = (scanner == STOP ==> state == STOPPING) &&
  @   (scanner == STOP && phase != CLOSE_0 ==> gate[0] == CLOSED) &&
  @   (scanner == STOP && phase != CLOSE_0 && phase != CLOSE_1 ==> gate[1] == CLOSED) &&
  @   (state == STOPPED ==> gate[0] == CLOSED && gate[1] == CLOSED && epoch[0] == 0 && epoch[1] == 0 &&
  @     scanner == NOBODY && saving != SAVE_CLOSING);
  @*/

/* The invariant of one thread. Macros, because the provers take a predicate with a parameter less well. */
#define thread_bounds(t) \
    (pc[t] <= SPARE && has[t] <= LEASE && lease_half[t] <= 1 && at_half[t] <= 1 && e[t] <= last_epoch && \
     (pc[t] == OUTSIDE <==> active[t] == 0) && active[t] <= last_epoch + INSIDE)
/* What it has, by where it is. */
#define thread_has(t) \
    ((pc[t] <= IN ==> has[t] != HOLD) && (pc[t] == WRITING || pc[t] == GIVING ==> has[t] == LEASE) && \
     (pc[t] == HOLDING || pc[t] == LETTING <==> has[t] == HOLD) && \
     (TAKING <= pc[t] <= ANNOUNCED || TURNING <= pc[t] ==> has[t] == NO_LEASE) && \
     (has[t] != NO_LEASE ==> e[t] != 0) && (pc[t] <= IN && has[t] == NO_LEASE ==> e[t] == 0))
/* It has announced the epoch of what it has, or is about to take. */
#define thread_active(t) \
    ((pc[t] == ENTERING || pc[t] == SPARE || ANNOUNCED <= pc[t] <= LETTING ==> \
        active[t] == e[t] + INSIDE) && \
     (pc[t] != OUTSIDE && has[t] == LEASE ==> active[t] == e[t] + INSIDE))
/* While the wrapped count is the same, what it is about to take is of the current half. */
#define thread_candidate(t) \
    ((POSITION <= pc[t] <= LETTING ==> \
        at_wrapped[t] <= wrapped && (at_wrapped[t] == wrapped ==> at_half[t] == cur)) && \
     (GATE <= pc[t] <= LETTING && at_wrapped[t] == wrapped ==> e[t] == CLOSED || e[t] == epoch[cur]) && \
     (HOLDING <= pc[t] <= LETTING ==> e[t] != CLOSED && lease_half[t] == at_half[t]))
/* Its lease is chunks of its half, below the position if this half is the current one. */
#define thread_lease(t) \
    (has[t] == LEASE ==> 1 <= count[t] <= chunks && first[t] <= chunks && first[t] + count[t] <= chunks && \
        e[t] != epoch[1 - lease_half[t]] && \
        (e[t] == epoch[lease_half[t]] && lease_half[t] == cur ==> first[t] + count[t] <= leased))
/* It writes only to a half that was not opened again, handed over or voided since it took its lease. */
#define thread_writing(t) (pc[t] == WRITING ==> e[t] == epoch[lease_half[t]])
/* What it holds of this opening is counted. */
#define thread_holds(t) \
    (has[t] != NO_LEASE && e[t] == holders_epoch[lease_half[t]] ==> \
        ticket[t] < holders[lease_half[t]] && slot[lease_half[t] * HOLDERS + ticket[t]] == t)
/* Nobody has a lease of the half that is about to be used again. */
#define thread_gone(t) \
    (NO_WRITERS <= turn <= OPENED && has[t] == LEASE ==> e[t] != epoch[OTHER] && e[t] != gate[OTHER])
/* Nobody is inside once tracing has stopped. */
#define thread_stopped(t) (state == STOPPED || scanner == STOP && phase == ALL_LEFT ==> pc[t] <= ENTERING)
/* Behind the fence, the scanner sees who is inside. A thread at which it has looked, is not. */
#define fenced(t) \
    (scanner == STOP ? (pc[t] >= IN ==> seen[t] != 0) \
                     : (pc[t] == WRITING && lease_half[t] == OTHER ==> seen[t] == e[t] + INSIDE))
#define scanned(t) (scanner == STOP ? pc[t] <= ENTERING : !(pc[t] == WRITING && lease_half[t] == OTHER))
#define thread_scan(t) \
    (scanner != NOBODY ==> (phase == SCAN || phase == FENCE && t < at ==> fenced(t)) && \
                           (phase == SCAN && t < at ==> scanned(t)))
/* Two leases of one opening share no chunk. */
#define disjoint(t, u) \
    (has[t] == LEASE && has[u] == LEASE && e[t] == e[u] ==> \
        first[t] + count[t] <= first[u] || first[u] + count[u] <= first[t])

#define ALL(P) (\forall integer t_; 0 <= t_ < threads ==> P(t_))
#define APART (\forall integer t_, u_; 0 <= t_ < threads && 0 <= u_ < threads && t_ != u_ ==> disjoint(t_, u_))

#define INVARIANT \
    BOUNDS && GATES && TURNS && SAVING && STOPS && ALL(thread_bounds) && ALL(thread_has) && \
    ALL(thread_active) && ALL(thread_candidate) && ALL(thread_lease) && ALL(thread_writing) && \
    ALL(thread_holds) && ALL(thread_gone) && ALL(thread_stopped) && ALL(thread_scan) && APART
#define KEEPS \
    ensures bounds: BOUNDS; ensures gates: GATES; ensures turns: TURNS; ensures saving: SAVING; \
    ensures stops: STOPS; ensures t_bounds: ALL(thread_bounds); ensures t_has: ALL(thread_has); \
    ensures t_active: ALL(thread_active); ensures t_candidate: ALL(thread_candidate); \
    ensures t_lease: ALL(thread_lease); ensures t_writing: ALL(thread_writing); \
    ensures t_holds: ALL(thread_holds); ensures t_gone: ALL(thread_gone); \
    ensures t_stopped: ALL(thread_stopped); ensures t_scan: ALL(thread_scan); ensures apart: APART
#define HALVES epoch[0 .. 1], holders_epoch[0 .. 1], holders[0 .. 1]

/* The beginning: the state of the program's start, of which nothing is assumed but that all is zero. */

/*@ requires threads <= THREADS && 1 <= chunks <= 4294967295 && wrapped == 0 && leased == 0 &&
  @     cur == 0 && last_epoch == 0;
  @ requires \forall integer h; 0 <= h <= 1 ==> gate[h] == 0 && epoch[h] == 0 &&
  @     holders_epoch[h] == 0 && holders[h] == 0;
  @ requires state == STOPPED && saving == SAVE_NONE && saving_half == 0 && turn == FREE && turner == 0;
  @ requires scanner == NOBODY && phase == FENCE && at == 0;
  @ requires \forall integer t; 0 <= t < threads ==> pc[t] == OUTSIDE && has[t] == NO_LEASE &&
  @     e[t] == 0 && active[t] == 0 && seen[t] == 0 && at_half[t] == 0 && lease_half[t] == 0;
  @ terminates \true;
  @ assigns \nothing;
  @ KEEPS; */
void begin(void)
{
}

/* The traced thread: in and out. */

/* context.c go_inside, event.c write_now: stores active. (go_inside has loaded the state before, which
   may have changed since.) */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == OUTSIDE;
  @ terminates \true;
  @ assigns pc[t], active[t];
  @ KEEPS; */
void enter(word t)
{
    active[t] = e[t] + INSIDE;
    pc[t] = ENTERING;
}

/* context.c go_inside, behind the light fence: loads the state; go_outside stores active. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == ENTERING;
  @ terminates \true;
  @ assigns pc[t], active[t];
  @ KEEPS; */
void enter_check(word t)
{
    if (state == STARTED)
        pc[t] = IN;
    else {
        active[t] = 0;
        pc[t] = OUTSIDE;
    }
}

/* event.c write_now, behind the light fence: loads the gate, and no state. If the gate is closed, or the
   thread has no lease, stores 0 to active. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == ENTERING;
  @ terminates \true;
  @ assigns pc[t], active[t];
  @ KEEPS; */
void write_now(word t)
{
    if (has[t] == LEASE && gate[lease_half[t]] == e[t])
        pc[t] = WRITING;
    else {
        active[t] = 0;
        pc[t] = OUTSIDE;
    }
}

/* context.c go_inside, begin_generation: forgets the lease of an earlier generation and stores
   active. Here: at any time. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == IN;
  @ terminates \true;
  @ assigns has[t], e[t], active[t];
  @ KEEPS; */
void begin_generation(word t)
{
    has[t] = NO_LEASE;
    e[t] = 0;
    active[t] = INSIDE;
}

/* context.c go_outside: stores 0 to active. The thread keeps its lease. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == IN;
  @ terminates \true;
  @ assigns pc[t], active[t];
  @ KEEPS; */
void leave(word t)
{
    active[t] = 0;
    pc[t] = OUTSIDE;
}

/* The traced thread: records. */

/* lease.h fxt_i_lease, engine.h fxt_i_lease_open: loads the gate. If there is room, the thread
   writes. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == IN && has[t] == LEASE;
  @ terminates \true;
  @ assigns pc[t];
  @ KEEPS; */
void write_begin(word t)
{
    if (gate[lease_half[t]] == e[t])
        pc[t] = WRITING;
}

/* engine.h fxt_i_publish_record: context->next rises. What is left is a smaller lease; of whole
   chunks here. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == WRITING && used < count[t];
  @ terminates \true;
  @ assigns first[t], count[t];
  @ KEEPS; */
void shrink(word t, word used)
{
    first[t] = first[t] + used;
    count[t] = count[t] - used;
}

/* The record is complete. The next one asks the gate again. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == WRITING;
  @ terminates \true;
  @ assigns pc[t];
  @ KEEPS; */
void write_end(word t)
{
    pc[t] = IN;
}

/* The traced thread: a new lease. */

/* lease.c fxt_i_lease_give_up: fxt_i_lease_open loads the gate. If it is closed, the lease is
   forgotten and stays counted. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == IN;
  @ terminates \true;
  @ assigns pc[t], has[t], e[t];
  @ KEEPS; */
void give_up(word t)
{
    if (has[t] == LEASE && gate[lease_half[t]] == e[t])
        pc[t] = GIVING;
    else {
        has[t] = NO_LEASE;
        e[t] = 0;
        pc[t] = TAKING;
    }
}

/* part.c fxt_i_half_release: swaps the holders, from fxt_i_lease_give_up or after a failed swap of
   the position. */
/*@ requires INVARIANT;
  @ requires t < threads && (pc[t] == GIVING || pc[t] == LETTING) &&
  @     holders_epoch[lease_half[t]] == e[t];
  @ terminates \true;
  @ assigns pc[t], has[t], e[t], ticket[0 .. THREADS - 1], slot[0 .. 2 * HOLDERS - 1], holders[0 .. 1];
  @ KEEPS; */
void half_release(word t)
{
    word h = lease_half[t];
    holders[h] = holders[h] - 1;
    word u = slot[h * HOLDERS + holders[h]]; /* the holder of the last number takes this one's */
    slot[h * HOLDERS + ticket[t]] = u;
    if (u < threads && u != t && has[u] != NO_LEASE && lease_half[u] == h && ticket[u] == holders[h])
        ticket[u] = ticket[t];
    /*@ assert mine: ticket[t] <= holders[h] && \at(slot[lease_half[t] * HOLDERS + ticket[t]],
      @   Pre) == t; */
    /*@ assert numbers: \forall integer v; 0 <= v < threads && v != t && has[v] != NO_LEASE &&
      @   lease_half[v] == h && e[v] == holders_epoch[h] ==> \at(ticket[v], Pre) != ticket[t] &&
      @   \at(ticket[v], Pre) <= holders[h] && \at(slot[lease_half[v] * HOLDERS + ticket[v]],
      @   Pre) == v; */
    /*@ assert others: \forall integer v; 0 <= v < threads && v != u ==> ticket[v] == \at(ticket[v],
      @   Pre); */
    /*@ assert last_number: \forall integer v; 0 <= v < threads && v != t && has[v] != NO_LEASE &&
      @   lease_half[v] == h && e[v] == holders_epoch[h] && \at(ticket[v], Pre) == holders[h] ==>
      @   v == u && ticket[v] == ticket[t]; */
    /*@ assert unmoved: \forall integer v; 0 <= v < threads && v != t && \at(ticket[v],
      @   Pre) != holders[h] ==> ticket[v] == \at(ticket[v], Pre); */
    /*@ assert slots: \forall integer i; 0 <= i < 2 * HOLDERS && i != h * HOLDERS + ticket[t] ==>
      @   slot[i] == \at(slot[i], Pre); */
    /*@ assert below: \forall integer v; 0 <= v < threads && v != t && has[v] != NO_LEASE &&
      @   lease_half[v] == h && e[v] == holders_epoch[h] && \at(ticket[v], Pre) != holders[h] ==>
      @   ticket[v] < holders[h] && ticket[v] != ticket[t]; */
    /*@ assert other_number: \forall integer v; 0 <= v < threads && v != t && has[v] != NO_LEASE &&
      @   lease_half[v] == h && e[v] == holders_epoch[h] && \at(ticket[v], Pre) != holders[h] ==>
      @   slot[h * HOLDERS + ticket[v]] == v; */
    /*@ assert same_half: \forall integer v; 0 <= v < threads && v != t && lease_half[v] == h ==>
      @   thread_holds(v); */
    /*@ assert other_half: \forall integer v; 0 <= v < threads && v != t && lease_half[v] != h ==>
      @   thread_holds(v); */
    has[t] = NO_LEASE;
    e[t] = 0;
    pc[t] = TAKING;
}

/* part.c fxt_i_half_release: loads the holders, which are of another opening. */
/*@ requires INVARIANT;
  @ requires t < threads && (pc[t] == GIVING || pc[t] == LETTING) &&
  @     holders_epoch[lease_half[t]] != e[t];
  @ terminates \true;
  @ assigns pc[t], has[t], e[t];
  @ KEEPS; */
void half_release_void(word t)
{
    has[t] = NO_LEASE;
    e[t] = 0;
    pc[t] = TAKING;
}

/* context.c detach, fxt_i_lease_recycle: a thread that ends stores active, but loads no state; then
   as give_up. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == ENTERING && has[t] == LEASE && gate[lease_half[t]] == e[t];
  @ terminates \true;
  @ assigns pc[t];
  @ KEEPS; */
void end_give_up(word t)
{
    /*@ assert half: lease_half[t] == 0 || lease_half[t] == 1; */
    /*@ assert open: gate[0] != CLOSED || gate[1] != CLOSED; */
    /*@ assert runs: state != STOPPED && !(scanner == STOP && phase == ALL_LEFT); */
    pc[t] = GIVING;
}

/* lease.c fxt_i_lease_give_up: stores FXT_I_INSIDE to active. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == TAKING;
  @ terminates \true;
  @ assigns active[t];
  @ KEEPS; */
void set_inside(word t)
{
    active[t] = INSIDE;
}

/* lease.c fxt_i_take_chunks returns false: tracing stops, the buffer is full, or the lock of turns is
   taken. */
/*@ requires INVARIANT;
  @ requires t < threads && (pc[t] == TAKING || pc[t] == GATE);
  @ terminates \true;
  @ assigns pc[t], e[t];
  @ KEEPS; */
void take_nothing(word t)
{
    e[t] = 0;
    pc[t] = IN;
}

/* lease.c fxt_i_take_chunks: loads the position. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == TAKING;
  @ terminates \true;
  @ assigns pc[t], at_wrapped[t], at_leased[t], at_half[t];
  @ KEEPS; */
void load_position(word t)
{
    at_wrapped[t] = wrapped;
    at_leased[t] = leased;
    at_half[t] = cur;
    pc[t] = POSITION;
}

/* lease.c fxt_i_take_chunks: loads the gate. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == POSITION;
  @ terminates \true;
  @ assigns pc[t], e[t];
  @ KEEPS; */
void load_gate(word t)
{
    /*@ assert half: at_half[t] == 0 || at_half[t] == 1; */
    /*@ assert epochs: gate[0] <= last_epoch && gate[1] <= last_epoch; */
    e[t] = gate[at_half[t]];
    pc[t] = GATE;
}

/* lease.c fxt_i_take_chunks: stores the candidate's epoch to active. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == GATE;
  @ terminates \true;
  @ assigns pc[t], active[t];
  @ KEEPS; */
void announce(word t)
{
    active[t] = e[t] + INSIDE;
    pc[t] = ANNOUNCED;
}

/* part.c fxt_i_half_hold: swaps the holders. That their number does not reach FXT_I_HOLDERS is
   asserted by the code, and assumed here. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == ANNOUNCED && e[t] != CLOSED && holders[0] < HOLDERS - 1 &&
  @     holders[1] < HOLDERS - 1;
  @ terminates \true;
  @ assigns pc[t], has[t], e[t], lease_half[t], holders[0 .. 1], ticket[t], slot[0 .. 2 * HOLDERS - 1];
  @ KEEPS; */
void half_hold(word t)
{
    word h = at_half[t];
    if (holders_epoch[h] != e[t]) {
        e[t] = 0;
        pc[t] = TAKING;
        return;
    }
    ticket[t] = holders[h];
    slot[h * HOLDERS + holders[h]] = t;
    holders[h] = holders[h] + 1;
    lease_half[t] = h;
    has[t] = HOLD;
    pc[t] = HOLDING;
    /*@ assert mine: thread_holds(t); */
    /*@ assert slots: \forall integer i; 0 <= i < 2 * HOLDERS && i != h * HOLDERS + ticket[t] ==>
      @   slot[i] == \at(slot[i], Pre); */
    /*@ assert same_half: \forall integer u; 0 <= u < threads && u != t && lease_half[u] == h ==>
      @   thread_holds(u); */
    /*@ assert other_half: \forall integer u; 0 <= u < threads && u != t && lease_half[u] != h ==>
      @   thread_holds(u); */
}

/* lease.c fxt_i_take_chunks: swaps the position; ring.c fxt_i_ring_take. (fill then writes, without
   asking the gate again.) */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == HOLDING && 1 <= want <= chunks;
  @ terminates \true;
  @ assigns pc[t], has[t], first[t], count[t], leased;
  @ KEEPS; */
void swap_position(word t, word want)
{
    if (wrapped != at_wrapped[t] || leased != at_leased[t] || want > chunks - at_leased[t]) {
        pc[t] = LETTING;
        return;
    }
    first[t] = leased;
    count[t] = want;
    leased = leased + want;
    has[t] = LEASE;
    pc[t] = WRITING;
    /*@ assert before: \forall integer u; 0 <= u < threads && u != t && has[u] == LEASE &&
      @   e[u] == e[t] ==> lease_half[u] == cur && first[u] + count[u] <= first[t]; */
    /*@ assert rest: \forall integer u, v; 0 <= u < threads && 0 <= v < threads && u != v && u != t &&
      @   v != t ==> disjoint(u, v); */
    /*@ assert left: \forall integer u; 0 <= u < threads && u != t ==> disjoint(u, t); */
    /*@ assert right: \forall integer u; 0 <= u < threads && u != t ==> disjoint(t, u); */
}

/* Pinned threads: a thread whose caller may still fill a record (trace_context_alloc_record) stays in
   WRITING with its lease, also if it ends. If it gives that lease up for a new one, the old one is from then
   on the lease of another thread, later in the order, that stands for what the caller may do. That others see
   PINNED, which is inside for every epoch, is here: they see the epochs of both; and a look may give up at any
   time. */

/* lease.c fxt_i_lease_give_up of a pinned thread: stores nothing that others read, and does not let
   go. */
/*@ requires INVARIANT;
  @ requires t < threads && u < threads && t < u && pc[t] == WRITING && pc[u] == OUTSIDE &&
  @     has[u] == NO_LEASE;
  @ terminates \true;
  @ assigns pc[0 .. THREADS - 1], has[0 .. THREADS - 1], e[0 .. THREADS - 1], active[u], seen[u],
  @     lease_half[u], first[u], count[u], ticket[u], slot[0 .. 2 * HOLDERS - 1];
  @ KEEPS; */
void pinned_give_up(word t, word u)
{
    word h = lease_half[t];
    e[u] = e[t];
    lease_half[u] = h;
    first[u] = first[t];
    count[u] = count[t];
    active[u] = active[t];
    seen[u] = seen[t];
    ticket[u] = ticket[t];
    if (e[t] == holders_epoch[h] && ticket[t] < HOLDERS)
        slot[h * HOLDERS + ticket[t]] = u;
    has[u] = LEASE;
    pc[u] = WRITING;
    has[t] = NO_LEASE;
    e[t] = 0;
    pc[t] = TAKING;
    /*@ assert kept: \forall integer v; 0 <= v < threads && v != t && v != u ==> has[v] == \at(has[v],
      @   Pre) && e[v] == \at(e[v], Pre) && pc[v] == \at(pc[v], Pre); */
    /*@ assert mine: thread_holds(u) && thread_lease(u) && thread_writing(u); */
    /*@ assert leases: \forall integer v; 0 <= v < threads && v != t && v != u ==> thread_lease(v); */
    /*@ assert numbers: \forall integer v; 0 <= v < threads && v != t && v != u &&
      @   has[v] != NO_LEASE && lease_half[v] == h && e[v] == holders_epoch[h] &&
      @   e[u] == holders_epoch[h] ==> ticket[v] != ticket[u]; */
    /*@ assert claims: \forall integer v; 0 <= v < threads && v != t && v != u ==> thread_holds(v); */
    /*@ assert rest: \forall integer v, w; 0 <= v < threads && 0 <= w < threads && v != w && v != u &&
      @   w != u ==> disjoint(v, w); */
    /*@ assert left: \forall integer v; 0 <= v < threads && v != u ==> disjoint(v, u); */
    /*@ assert right: \forall integer v; 0 <= v < threads && v != u ==> disjoint(u, v); */
}

/* Spares: the lease that an ended thread left is here the lease of a thread that stays outside. */

/* spare.c is_spent: stores the spare's epoch to active. The lock of threads is held. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == TAKING && u < threads && has[u] == LEASE && pc[u] == OUTSIDE;
  @ terminates \true;
  @ assigns pc[t], e[t], active[t];
  @ KEEPS; */
void spare_announce(word t, word u)
{
    e[t] = e[u];
    active[t] = e[u] + INSIDE;
    pc[t] = SPARE;
}

/* spare.c is_spent, under the lock of threads: loads the gate, which is open. The spare is the thread's.
   (If it does not use it, it lets go.) */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == SPARE && u < threads && u != t && has[u] == LEASE &&
  @     pc[u] == OUTSIDE && e[u] == e[t] && gate[lease_half[u]] == e[t];
  @ terminates \true;
  @ assigns pc[t], has[0 .. THREADS - 1], e[0 .. THREADS - 1], lease_half[t], first[t], count[t],
  @     ticket[t], slot[0 .. 2 * HOLDERS - 1];
  @ KEEPS; */
void spare_take(word t, word u)
{
    word h = lease_half[u];
    lease_half[t] = h;
    first[t] = first[u];
    count[t] = count[u];
    ticket[t] = ticket[u];
    if (e[t] == holders_epoch[h] && ticket[t] < HOLDERS)
        slot[h * HOLDERS + ticket[t]] = t;
    has[t] = LEASE;
    pc[t] = WRITING;
    has[u] = NO_LEASE;
    e[u] = 0;
    /*@ assert mine: thread_holds(t) && thread_lease(t) && thread_writing(t); */
    /*@ assert kept: \forall integer v; 0 <= v < threads && v != t && v != u ==> has[v] == \at(has[v],
      @   Pre) && e[v] == \at(e[v], Pre); */
    /*@ assert leases: \forall integer v; 0 <= v < threads && v != t && v != u ==> thread_lease(v); */
    /*@ assert numbers: \forall integer v; 0 <= v < threads && v != t && v != u &&
      @   has[v] != NO_LEASE && lease_half[v] == h && e[v] == holders_epoch[h] &&
      @   e[t] == holders_epoch[h] ==> ticket[v] != ticket[t]; */
    /*@ assert index: \forall integer v; 0 <= v < threads && v != t && v != u && has[v] != NO_LEASE &&
      @   e[v] == holders_epoch[lease_half[v]] && e[t] == holders_epoch[h] ==>
      @   lease_half[v] * HOLDERS + ticket[v] != h * HOLDERS + ticket[t]; */
    /*@ assert was: \forall integer v; 0 <= v < threads && v != t && v != u && has[v] != NO_LEASE &&
      @   e[v] == holders_epoch[lease_half[v]] ==> ticket[v] < holders[lease_half[v]] &&
      @   \at(slot[lease_half[v] * HOLDERS + ticket[v]], Pre) == v; */
    /*@ assert same: \forall integer v; 0 <= v < threads && v != t && v != u && has[v] != NO_LEASE &&
      @   e[v] == holders_epoch[lease_half[v]] ==>
      @   slot[lease_half[v] * HOLDERS + ticket[v]] == \at(slot[lease_half[v] * HOLDERS + ticket[v]],
      @   Pre); */
    /*@ assert claims: \forall integer v; 0 <= v < threads && v != t && v != u ==> thread_holds(v); */
    /*@ assert rest: \forall integer v, w; 0 <= v < threads && 0 <= w < threads && v != w && v != t &&
      @   w != t ==> disjoint(v, w); */
    /*@ assert left: \forall integer v; 0 <= v < threads && v != t ==> disjoint(v, t); */
    /*@ assert right: \forall integer v; 0 <= v < threads && v != t ==> disjoint(t, v); */
}

/* spare.c is_spent: the gate is closed. Here: or open. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == SPARE;
  @ terminates \true;
  @ assigns pc[t], e[t];
  @ KEEPS; */
void spare_refused(word t)
{
    e[t] = 0;
    pc[t] = TAKING;
}

/* spare.c is_spent: the spare is too small, or not in the current half; fxt_i_half_release follows. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == WRITING;
  @ terminates \true;
  @ assigns pc[t];
  @ KEEPS; */
void spare_unused(word t)
{
    pc[t] = GIVING;
}

/* Turns, under the lock of turns. */

/* turn.c fxt_i_turn: fxt_i_try_lock. The thread's lease is given up; active may still be an earlier
   announcement. */
/*@ requires INVARIANT;
  @ requires t < threads && pc[t] == GATE && turn == FREE;
  @ terminates \true;
  @ assigns pc[t], e[t], turn, turner;
  @ KEEPS; */
void lock_to_turn(word t)
{
    e[t] = 0;
    pc[t] = TURNING;
    turner = t;
    turn = LOCKED;
}

/* turn.c trace_engine_flush_buffer: fxt_i_lock. */
/*@ requires INVARIANT;
  @ requires turn == FREE;
  @ terminates \true;
  @ assigns turn, turner;
  @ KEEPS; */
void lock_to_flush(void)
{
    turner = threads;
    turn = LOCKED;
}

/* turn.c turn_locked: loads the state; and the position, which only the holder of the lock wraps. */
/*@ requires INVARIANT;
  @ requires turn == LOCKED;
  @ terminates \true;
  @ assigns turn;
  @ KEEPS; */
void turn_state(void)
{
    turn = state == STARTED && wrapped < WRAPPED_MAX ? STARTED_SEEN : DONE;
}

/* turn.c turn_locked: loads `saving`. */
/*@ requires INVARIANT;
  @ requires turn == STARTED_SEEN;
  @ terminates \true;
  @ assigns turn;
  @ KEEPS; */
void turn_saving(void)
{
    turn = saving == SAVE_NONE ? MAY_TURN : DONE;
}

/* turn.c has_no_writers: the half has no leases. */
/*@ requires INVARIANT;
  @ requires turn == MAY_TURN && epoch[OTHER] == 0;
  @ terminates \true;
  @ assigns turn;
  @ KEEPS; */
void never_opened(void)
{
    turn = NO_WRITERS;
}

/* turn.c has_no_writers: loads the holders. (Before, it has loaded the gate. What that was does not
   matter here.) */
/*@ requires INVARIANT;
  @ requires turn == MAY_TURN && holders_epoch[OTHER] == epoch[OTHER] && holders[OTHER] == 0;
  @ terminates \true;
  @ assigns turn;
  @ KEEPS; */
void no_holders(void)
{
    turn = NO_WRITERS;
}

/* turn.c has_no_writers: stores FXT_I_CLOSED to the gate. */
/*@ requires INVARIANT;
  @ requires turn == MAY_TURN;
  @ terminates \true;
  @ assigns gate[0 .. 1], turn, scanner, phase, at;
  @ KEEPS; */
void turn_close(void)
{
    /*@ assert alone: scanner == NOBODY; */
    gate[OTHER] = CLOSED;
    turn = SCANS;
    scanner = TURN;
    phase = FENCE;
    at = 0;
}

/* part.c fxt_i_void_leases in turn.c has_no_writers: clears the epoch, which only the turner uses,
   and stores the holders. */
/*@ requires INVARIANT;
  @ requires scanner == TURN && phase == SCAN && at == threads;
  @ terminates \true;
  @ assigns HALVES, scanner, turn;
  @ KEEPS; */
void void_leases(void)
{
    epoch[OTHER] = 0;
    holders_epoch[OTHER] = 0;
    holders[OTHER] = 0;
    scanner = NOBODY;
    turn = NO_WRITERS;
}

/* part.c fxt_i_open in turn.c reopen: the new epoch; stores the holders. */
/*@ requires INVARIANT;
  @ requires turn == NO_WRITERS && last_epoch < EPOCH_MAX - 1;
  @ terminates \true;
  @ assigns HALVES, last_epoch, turn, gate[0 .. 1];
  @ KEEPS; */
void open_holders(void)
{
    last_epoch = last_epoch + 2;
    epoch[OTHER] = last_epoch;
    holders_epoch[OTHER] = last_epoch;
    holders[OTHER] = 0;
    turn = COUNTED;
}

/* part.c fxt_i_open: stores the gate. */
/*@ requires INVARIANT;
  @ requires turn == COUNTED;
  @ terminates \true;
  @ assigns gate[0 .. 1], turn;
  @ KEEPS; */
void open_gate(void)
{
    gate[OTHER] = epoch[OTHER];
    turn = OPENED;
}

/* turn.c move_position: swaps the position. */
/*@ requires INVARIANT;
  @ requires turn == OPENED;
  @ terminates \true;
  @ assigns turn, wrapped, leased, cur;
  @ KEEPS; */
void move_position(void)
{
    wrapped = wrapped + 1;
    leased = 0;
    cur = 1 - cur;
    turn = MOVED;
    /*@ assert rises: wrapped > \at(wrapped, Pre); */
}

/* turn.c turn_locked: stores FXT_I_CLOSED to the gate of the full half. */
/*@ requires INVARIANT;
  @ requires turn == MOVED && streaming;
  @ terminates \true;
  @ assigns gate[0 .. 1], turn;
  @ KEEPS; */
void close_full(void)
{
    gate[OTHER] = CLOSED;
    turn = CLOSED_FULL;
}

/* turn.c turn_locked: stores FXT_I_SAVE_CLOSING. */
/*@ requires INVARIANT;
  @ requires turn == CLOSED_FULL;
  @ terminates \true;
  @ assigns saving, saving_half, turn;
  @ KEEPS; */
void ask_to_save(void)
{
    saving_half = OTHER;
    saving = SAVE_CLOSING;
    turn = DONE;
}

/* turn.c fxt_i_turn, trace_engine_flush_buffer: fxt_i_unlock. */
/*@ requires INVARIANT;
  @ requires turn == DONE || turn == LOCKED || turn == MOVED && !streaming;
  @ terminates \true;
  @ assigns turn, pc[0 .. THREADS - 1];
  @ KEEPS; */
void unlock(void)
{
    if (turner < threads)
        pc[turner] = TAKING;
    turn = FREE;
}

/* The fence and the look at all threads: of a turn, of saving, of a stop. */

/* The store buffer of a thread empties itself, at any time. */
/*@ requires INVARIANT;
  @ requires t < threads;
  @ terminates \true;
  @ assigns seen[t];
  @ KEEPS; */
void drain(word t)
{
    seen[t] = active[t];
}

/* os.c fxt_i_heavy_fence: one thread after the other. */
/*@ requires INVARIANT;
  @ requires scanner != NOBODY && phase == FENCE && at < threads;
  @ terminates \true;
  @ assigns seen[at], at;
  @ KEEPS; */
void fence(void)
{
    seen[at] = active[at];
    at = at + 1;
}

/* os.c fxt_i_heavy_fence returns; presence.c fxt_i_anyone_inside takes the lock of threads. */
/*@ requires INVARIANT;
  @ requires scanner != NOBODY && phase == FENCE && at == threads;
  @ terminates \true;
  @ assigns phase, at;
  @ KEEPS; */
void fence_end(void)
{
    phase = SCAN;
    at = 0;
}

/* presence.c fxt_i_anyone_inside: loads an active. Found: turn.c turn_locked and
   fxt_i_finish_closing, state.c work return false. */
/*@ requires INVARIANT;
  @ requires scanner != NOBODY && phase == SCAN && at < threads;
  @ terminates \true;
  @ assigns at, scanner, turn;
  @ KEEPS; */
void scan(void)
{
    word old = scanner == STOP ? 0 : epoch[OTHER];
    bool is_other = scanner != TURN || turner != at;
    if (seen[at] != 0 && is_other && (scanner == STOP || seen[at] == old + INSIDE)) {
        if (scanner == TURN)
            turn = DONE;
        scanner = NOBODY;
        return;
    }
    at = at + 1;
}

/* presence.c fxt_i_anyone_inside: finds a thread that is PINNED. */
/*@ requires INVARIANT;
  @ requires scanner != NOBODY && phase == SCAN;
  @ terminates \true;
  @ assigns scanner, turn;
  @ KEEPS; */
void scan_gives_up(void)
{
    if (scanner == TURN)
        turn = DONE;
    scanner = NOBODY;
}

/* Saving. */

/* turn.c fxt_i_finish_closing, on the dispatcher: loads `saving`. */
/*@ requires INVARIANT;
  @ requires scanner == NOBODY && saving == SAVE_CLOSING;
  @ terminates \true;
  @ assigns scanner, phase, at;
  @ KEEPS; */
void save_begin(void)
{
    scanner = SAVE;
    phase = FENCE;
    at = 0;
}

/* turn.c hand_over: fxt_i_void_leases; stores FXT_I_SAVE_NOTIFIED, and calls the handler. */
/*@ requires INVARIANT;
  @ requires scanner == SAVE && phase == SCAN && at == threads;
  @ terminates \true;
  @ assigns HALVES, saving, scanner;
  @ KEEPS; */
void hand_over(void)
{
    epoch[saving_half] = 0;
    holders_epoch[saving_half] = 0;
    holders[saving_half] = 0;
    saving = SAVE_NOTIFIED;
    scanner = NOBODY;
    /*@ assert nobody_writes: \forall integer t; 0 <= t < threads && pc[t] == WRITING ==>
      @   lease_half[t] != saving_half; */
}

/* turn.c mark_saved, under the lock of turns: stores FXT_I_SAVE_NONE. */
/*@ requires INVARIANT;
  @ requires turn == FREE && state != STOPPED && saving == SAVE_NOTIFIED;
  @ terminates \true;
  @ assigns saving;
  @ KEEPS; */
void mark_saved(void)
{
    saving = SAVE_NONE;
}

/* Stop and start. */

/* state.c begin_stop: stores TRACE_STOPPING. */
/*@ requires INVARIANT;
  @ requires state == STARTED;
  @ terminates \true;
  @ assigns state;
  @ KEEPS; */
void begin_stop(void)
{
    state = STOPPING;
}

/* state.c close_gates in begin_stop, part.c fxt_i_mark_full: stores FXT_I_CLOSED. Here: at any time. */
/*@ requires INVARIANT;
  @ requires h <= 1;
  @ terminates \true;
  @ assigns gate[0 .. 1];
  @ KEEPS; */
void close_gate(word h)
{
    gate[h] = CLOSED;
}

/* state.c all_have_left: fxt_i_turns_are_over takes the lock of turns, and unlocks it. */
/*@ requires INVARIANT;
  @ requires state == STOPPING && scanner == NOBODY && turn == FREE;
  @ terminates \true;
  @ assigns scanner, phase, at;
  @ KEEPS; */
void stop_begin(void)
{
    scanner = STOP;
    phase = CLOSE_0;
    at = 0;
}

/* state.c close_gates in all_have_left. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == CLOSE_0;
  @ terminates \true;
  @ assigns gate[0 .. 1], phase;
  @ KEEPS; */
void stop_close_0(void)
{
    gate[0] = CLOSED;
    phase = CLOSE_1;
}

/* The same. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == CLOSE_1;
  @ terminates \true;
  @ assigns gate[0 .. 1], phase, at;
  @ KEEPS; */
void stop_close_1(void)
{
    gate[1] = CLOSED;
    phase = FENCE;
    at = 0;
}

/* state.c all_have_left returns true. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == SCAN && at == threads;
  @ terminates \true;
  @ assigns phase;
  @ KEEPS; */
void stop_all_left(void)
{
    phase = ALL_LEFT;
}

/* turn.c fxt_i_finish_closing_at_stop: hands over without a look. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == ALL_LEFT && saving == SAVE_CLOSING;
  @ terminates \true;
  @ assigns HALVES, saving;
  @ KEEPS; */
void stop_hand_over(void)
{
    epoch[saving_half] = 0;
    holders_epoch[saving_half] = 0;
    holders[saving_half] = 0;
    saving = SAVE_NOTIFIED;
}

/* state.c finish_stop: fxt_i_void_leases of both halves. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == ALL_LEFT && h <= 1;
  @ terminates \true;
  @ assigns HALVES;
  @ KEEPS; */
void stop_void_leases(word h)
{
    epoch[h] = 0;
    holders_epoch[h] = 0;
    holders[h] = 0;
}

/* state.c finish_stop: stores TRACE_STOPPED. */
/*@ requires INVARIANT;
  @ requires scanner == STOP && phase == ALL_LEFT && epoch[0] == 0 && epoch[1] == 0 &&
  @     saving != SAVE_CLOSING;
  @ terminates \true;
  @ assigns state, scanner;
  @ KEEPS; */
void stop_end(void)
{
    state = STOPPED;
    scanner = NOBODY;
    /*@ assert nobody_writes: \forall integer t; 0 <= t < threads ==> pc[t] <= ENTERING; */
}

/* state.c start, clear_rolling; part.c fxt_i_open. One step: nobody is inside, and all but the
   dispatcher wait for TRACE_STARTED. */
/*@ requires INVARIANT;
  @ requires state == STOPPED && last_epoch < EPOCH_MAX - 1;
  @ terminates \true;
  @ assigns wrapped, leased, cur, saving, last_epoch, HALVES, gate[0 .. 1], state;
  @ KEEPS; */
void start(bool clear)
{
    if (clear) {
        wrapped = 0;
        leased = 0;
        cur = 0;
        saving = SAVE_NONE;
    }
    last_epoch = last_epoch + 2;
    epoch[cur] = last_epoch;
    holders_epoch[cur] = last_epoch;
    holders[cur] = 0;
    gate[cur] = last_epoch;
    state = STARTED;
}
