/* Observers: eventfds that are signalled when the state changes. The handler learns of a start
   when all observers have acknowledged it. Any thread may call these functions, but no signal
   handler. The lock here orders them; it is taken alone or after that of the life. */
#include "src/engine/engine.h"

#define OBSERVERS_MAX 32

static fxt_i_atomic32 lock;
static struct observer {
    zx_handle_t event;
    bool pending; /* has not acknowledged the start */
} observers[OBSERVERS_MAX];
static uint32_t count;

/* Returns `count` if it is not there. */
static uint32_t find(zx_handle_t event)
{
    uint32_t i = 0;

    assert(fxt_i_lock_is_held(&lock));
    assert(count <= OBSERVERS_MAX);
    while (i < count && observers[i].event != event)
        i++;
    return i;
}

static bool any_pending(void)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any = any || observers[i].pending;
    return any;
}

bool fxt_i_observers_pending(void)
{
    fxt_i_lock(&lock);
    bool any = any_pending();
    fxt_i_unlock(&lock);
    return any;
}

/* After an observer has gone or acknowledged. If it was the last pending one, the dispatcher tells
   the handler of the start. The lock is not held. Takes that of the life, so that the dispatcher
   does not go away meanwhile. */
static void look_again(bool was_pending)
{
    if (!was_pending)
        return;
    fxt_i_lock(&fxt_i_engine.life_lock);
    if (!fxt_i_observers_pending() && trace_state() == TRACE_STARTED)
        fxt_i_dispatcher_post(0);
    fxt_i_unlock(&fxt_i_engine.life_lock);
}

zx_status_t trace_register_observer(zx_handle_t event)
{
    zx_status_t status = ZX_OK;
    fxt_i_lock(&lock);
    if (find(event) < count)
        status = ZX_ERR_INVALID_ARGS;
    else if (count == OBSERVERS_MAX)
        status = ZX_ERR_NO_RESOURCES;
    else
        observers[count++] = (struct observer){event, false};
    fxt_i_unlock(&lock);
    return status;
}

zx_status_t trace_unregister_observer(zx_handle_t event)
{
    fxt_i_lock(&lock);
    uint32_t i = find(event);
    bool found = i < count;
    bool was_pending = found && observers[i].pending;
    if (found)
        observers[i] = observers[--count];
    fxt_i_unlock(&lock);
    look_again(was_pending);
    return found ? ZX_OK : ZX_ERR_NOT_FOUND;
}

void trace_notify_observer_updated(zx_handle_t event)
{
    fxt_i_lock(&lock);
    uint32_t i = find(event);
    bool was_pending = i < count && observers[i].pending;
    if (was_pending)
        observers[i].pending = false;
    fxt_i_unlock(&lock);
    look_again(was_pending);
}

void fxt_i_observers_signal(bool started)
{
    fxt_i_lock(&lock);
    for (uint32_t i = 0; i < count; i++) {
        observers[i].pending = started;
        fxt_i_event_signal((int)observers[i].event);
    }
    fxt_i_unlock(&lock);
}

/* A forked child, which has one thread. */
void fxt_i_observers_forget(void)
{
    fxt_i_store32(&lock, 0);
    count = 0;
}
