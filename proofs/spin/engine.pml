/* The engine's leases, turns, saving and stopping, for Spin.

   Writers trace; in streaming mode a saver reads each half that was handed over; a stopper stops at
   any moment. A half is CHUNKS chunks, a chunk is room for RECORDS records. Of a record there is
   only whether it is torn: begun and not complete.

   Stores of `inside` (the engine: active) go through a store buffer, which is emptied at any time, at the latest by the
   writer's own compare-and-swap or by a fence of all threads (membarrier). All other stores are
   seen at once: a record that is torn in the model may still be in the buffer on the machine, which
   is no better.

   What must hold are the assertions, and that every process ends. What is removed by a mutant is
   marked by its name. */

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef EVENTS
#define EVENTS 3   /* of each writer */
#endif
#ifndef OTHERS
#define OTHERS EVENTS /* of each but the first, who is suspended while they go on */
#endif
#ifndef CHUNKS
#define CHUNKS 1   /* of a half; 1 or 2 */
#endif
#ifndef RECORDS
#define RECORDS 2  /* of a chunk */
#endif
#define SLOTS (2 * CHUNKS * RECORDS)
#define INSIDE 1

byte wrapped, leased;        /* the position: one word */
byte gate[2], epoch_of[2];   /* 0: closed, never opened */
byte holders[2];
byte held_epoch[2];          /* the opening that the holders are of: one word with their number */
byte last_epoch = 2;
byte inside[WRITERS];        /* as others see it */
byte stored[WRITERS];        /* as the writer stored it */
byte torn[SLOTS];            /* how many write there just now */
byte owner[2 * CHUNKS];      /* 1 + writer */
bool turn_lock;
byte saving;                 /* 0 none, 1 closing, 2 notified */
byte saving_half;
bool started = true;
bool stopped;
byte ended;                  /* writers */

#define HALF(w) ((w) % 2)

inline flush_all() {
#ifndef NO_FENCE
    d_step {
        inside[0] = stored[0];
        inside[1] = stored[1];
#if WRITERS > 2
        inside[2] = stored[2];
#endif
    }
#else
    skip
#endif
}

/* Whether anyone but `me` is inside with a lease of that epoch; 0: of any. */
inline scan(epoch, me, found) {
    found = false;
    n = 0;
    do
    :: n < WRITERS ->
        if
        :: n != me && inside[n] != 0 && (epoch == 0 || inside[n] == epoch + INSIDE) -> found = true
        :: else
        fi;
        n++
    :: else -> break
    od
}

/* Counts a lease among the holders of an opening, unless the half has been opened again. */
inline hold(half, epoch, is_held) {
    atomic {
        if
#ifdef NO_EPOCH
        :: true ->
#else
        :: held_epoch[half] == epoch ->
#endif
            holders[half]++;
            is_held = true
#ifndef NO_EPOCH
        :: else -> is_held = false
#endif
        fi
    }
}

inline let_go(half, epoch) {
    atomic {
        if
#ifdef NO_EPOCH
        :: true ->
#else
        :: held_epoch[half] == epoch ->
#endif
            assert(holders[half] > 0);
            holders[half]--
#ifndef NO_EPOCH
        :: else
#endif
        fi
    }
}

/* Nobody may be writing to this half. */
inline assert_left(half) {
    n = 0;
    do
    :: n < CHUNKS * RECORDS ->
        assert(torn[half * CHUNKS * RECORDS + n] == 0);
        n++
    :: else -> break
    od
}

proctype Writer(byte me) {
    byte epoch, next, end, half;      /* the lease */
    byte at_wrapped, at_leased, e, n; /* locals */
    byte events, slot;
    bool found, ok;

    do
    :: events == (me == 0 -> EVENTS : OTHERS) -> break
    :: else ->
        events++;
        stored[me] = epoch + INSIDE;
        if
        :: !started -> goto leave
        :: else
        fi;
#ifdef NO_GATE
        if
        :: epoch != 0 && next < end -> goto write
#else
        if
        :: epoch != 0 && gate[half] == epoch && next < end -> goto write
#endif
        :: else
        fi;
        /* give up the lease */
        if
        :: epoch != 0 && gate[half] == epoch -> let_go(half, epoch)
        :: else
        fi;
        epoch = 0;
        stored[me] = INSIDE;
take:
        if
        :: !started -> goto leave
        :: else
        fi;
        atomic { at_wrapped = wrapped; at_leased = leased };
        half = HALF(at_wrapped);
        e = gate[half];
        if
        :: at_leased == CHUNKS -> goto turn
        :: else
        fi;
        stored[me] = e + INSIDE;
        if
        :: e == 0 -> goto leave /* dropped, or once more: not told apart here */
        :: else
        fi;
        hold(half, e, ok);
        if
        :: !ok -> goto take
        :: else
        fi;
        atomic {
            inside[me] = stored[me];
#ifdef NO_COMPARE
            if
            :: true ->
#else
            if
            :: wrapped == at_wrapped && leased == at_leased ->
#endif
                leased = at_leased + 1;
                ok = true
            :: else -> ok = false
            fi
        };
        if
        :: !ok -> let_go(half, e); goto take
        :: else
        fi;
        epoch = e;
        next = (half * CHUNKS + at_leased) * RECORDS;
        end = next + RECORDS;
        assert(owner[half * CHUNKS + at_leased] == 0); /* no overlap */
        owner[half * CHUNKS + at_leased] = 1 + me;
        goto write;
turn:
        atomic {
            if
            :: turn_lock -> goto leave /* dropped */
            :: else -> turn_lock = true
            fi
        };
        if
        :: wrapped != at_wrapped -> turn_lock = false; goto take
        :: else
        fi;
#ifndef NO_SAVED
        if
        :: saving != 0 -> turn_lock = false; goto leave /* dropped */
        :: else
        fi;
#endif
        half = HALF(at_wrapped + 1);
#ifndef NO_LEFT
        if
        :: epoch_of[half] == 0
        :: epoch_of[half] != 0 && gate[half] != 0 && holders[half] == 0
        :: else ->
            gate[half] = 0;
            flush_all();
            scan(epoch_of[half], me, found);
            if
            :: found -> turn_lock = false; goto leave /* dropped */
            :: else -> atomic { holders[half] = 0; held_epoch[half] = 0 }
            fi
        fi;
#endif
        assert_left(half);
        atomic { owner[half * CHUNKS] = 0; owner[half * CHUNKS + CHUNKS - 1] = 0 };
        atomic { last_epoch = last_epoch + 2; epoch_of[half] = last_epoch };
#ifndef NO_EPOCH
        atomic { holders[half] = 0; held_epoch[half] = epoch_of[half] };
#endif
        gate[half] = epoch_of[half];
        atomic { wrapped = at_wrapped + 1; leased = 0 };
#ifdef STREAMING
        gate[1 - half] = 0;
        saving_half = 1 - half;
        saving = 1;
#endif
        turn_lock = false;
        goto take;
write:
        slot = next;
        torn[slot]++;
        assert(torn[slot] == 1 && owner[slot / RECORDS] == 1 + me);
        assert(!stopped);
#ifdef STREAMING
        assert(!(saving == 2 && slot / (CHUNKS * RECORDS) == saving_half));
#endif
        atomic { assert(owner[slot / RECORDS] == 1 + me); torn[slot]-- };
        next++;
leave:
        stored[me] = 0
    od;
    inside[me] = 0;
    ended++
}

/* The store buffers empty themselves. */
proctype Buffers() {
    do
    :: inside[0] != stored[0] -> inside[0] = stored[0]
    :: inside[1] != stored[1] -> inside[1] = stored[1]
#if WRITERS > 2
    :: inside[2] != stored[2] -> inside[2] = stored[2]
#endif
    :: ended == WRITERS -> break
    od
}

#ifdef STREAMING
proctype Saver() {
    byte n;
    bool found;

end:
    do
    :: saving == 1 ->
#ifndef NO_SCAN
        flush_all();
        scan(epoch_of[saving_half], WRITERS, found);
        if
        :: found
        :: !found ->
#endif
            assert_left(saving_half);
            epoch_of[saving_half] = 0;
            atomic { holders[saving_half] = 0; held_epoch[saving_half] = 0 };
            saving = 2;
            assert_left(saving_half); /* it reads for a while */
            assert_left(saving_half);
            saving = 0
#ifndef NO_SCAN
        fi
#endif
    od
}
#endif

#ifdef STOP
proctype Stopper() {
    byte n;
    bool found;

    started = false;
    gate[0] = 0;
    gate[1] = 0;
    do
    :: true ->
#ifndef NO_SCAN
        flush_all();
        scan(0, WRITERS, found);
        if
        :: found
        :: !found ->
#endif
            break
#ifndef NO_SCAN
        fi
#endif
    od;
    stopped = true;
    assert_left(0);
    assert_left(1)
}
#endif

init {
    atomic {
        epoch_of[0] = 2;
        held_epoch[0] = 2;
        gate[0] = 2;
        run Writer(0);
        run Writer(1);
#if WRITERS > 2
        run Writer(2);
#endif
        run Buffers();
#ifdef STREAMING
        run Saver();
#endif
#ifdef STOP
        run Stopper();
#endif
    }
}
