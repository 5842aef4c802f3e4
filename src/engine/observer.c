/* Observers: eventfds that are written to when the state changes. */
#include "src/engine/engine.h"

#define OBSERVERS_MAX 32

static fxt_i_atomic32 lock;
static zx_handle_t events[OBSERVERS_MAX];
static uint32_t count;

static uint32_t find(zx_handle_t event)
{
    uint32_t i = 0;
    while (i < count && events[i] != event)
        i++;
    return i;
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
        events[count++] = event;
    fxt_i_unlock(&lock);
    return status;
}

zx_status_t trace_unregister_observer(zx_handle_t event)
{
    fxt_i_lock(&lock);
    uint32_t i = find(event);
    bool found = i < count;
    if (found)
        events[i] = events[--count];
    fxt_i_unlock(&lock);
    return found ? ZX_OK : ZX_ERR_NOT_FOUND;
}

/* Nothing waits for observers here: there is no half-started state that they must see. */
void trace_notify_observer_updated(zx_handle_t event)
{
    (void)event;
}

void fxt_i_observers_signal(void)
{
    fxt_i_lock(&lock);
    for (uint32_t i = 0; i < count; i++)
        fxt_i_event_signal((int)events[i]);
    fxt_i_unlock(&lock);
}

void fxt_i_observers_forget(void)
{
    fxt_i_store32(&lock, 0);
    count = 0;
}
