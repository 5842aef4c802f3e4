/* A trace, from Initialize to Terminate: the manager's buffer and FIFO, and the engine, of which
   this is the handler. The FIFO stays open until the engine has released the buffer, because a
   thread inside a context may send an alert to it. Only the dispatcher calls these functions,
   except is_category_enabled and send_alert. If the dispatcher is gone, the thread that destroys
   the provider calls fxt_i_tracing_terminate. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/engine/process.h"
#include "src/provider/provider.h"
#include "src/socket/socket.h"

/* The FIFO. */

static void wait_for_fifo(trace_provider_t *provider)
{
    provider->fifo_wait.descriptor = provider->fifo;
    provider->fifo_wait.events = (short)(provider->pending_count > 0 ? POLLIN | POLLOUT : POLLIN);
    async_begin_wait(provider->dispatcher, &provider->fifo_wait);
}

/* Sends pending packets; false if there is no room yet. */
static bool send_pending(trace_provider_t *provider)
{
    assert(provider->pending_count <= FXT_I_PENDING_MAX);
    while (provider->pending_count > 0) {
        if (fxt_i_provider_has(provider, &provider->fifo) &&
            fxt_i_socket_send(provider->fifo, provider->pending[0], FXT_I_FIFO_BYTES, NULL, 0) ==
                EAGAIN)
            return false;
        provider->pending_count--;
        memmove(provider->pending[0], provider->pending[1],
                (size_t)provider->pending_count * FXT_I_FIFO_BYTES);
    }
    return true;
}

/* Queues a packet and sends it if possible. If the manager is gone, the wait on the FIFO reports
   it. */
static void send_packet(trace_provider_t *provider, const struct fxt_i_fifo *packet)
{
    if (provider->fifo < 0 || provider->pending_count == FXT_I_PENDING_MAX)
        return;
    fxt_i_fifo_write(provider->pending[provider->pending_count++], packet);
    if (send_pending(provider))
        return;
    async_cancel_wait(provider->dispatcher, &provider->fifo_wait);
    wait_for_fifo(provider);
}

/* While a half is being saved, the engine cannot switch halves. Then the flush waits until that
   half is saved. */
static void flush_buffer(trace_provider_t *provider)
{
    provider->flush_wanted = trace_engine_flush_buffer() == ZX_ERR_SHOULD_WAIT;
}

/* The engine refuses this while tracing is stopped. Then it is told again when the trace goes
   on. */
static void buffer_saved(trace_provider_t *provider, const struct fxt_i_fifo *packet)
{
    provider->saved_late = trace_state() == TRACE_STOPPED;
    provider->saved = *packet;
    trace_engine_mark_buffer_saved(packet->wrapped_count, packet->durable_data_end);
    if (provider->flush_wanted)
        flush_buffer(provider);
}

/* False if the manager disconnected or sent an invalid packet. */
static bool receive_fifo(trace_provider_t *provider)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_fifo packet;
    struct fxt_error error;
    size_t size;

    if (!fxt_i_provider_has(provider, &provider->fifo))
        return false;
    int failed = fxt_i_socket_receive(provider->fifo, bytes, sizeof bytes, &size, descriptors);
    if (failed == EAGAIN)
        return true;
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    if (failed != 0 || fxt_i_fifo_read(&packet, bytes, size, FXT_I_OF_MANAGER, &error) != FXT_OK)
        return false;
    if (packet.request == FXT_I_FLUSH_BUFFER)
        flush_buffer(provider);
    else
        buffer_saved(provider, &packet);
    return true;
}

static void on_fifo(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                    short events)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)wait - offsetof(trace_provider_t, fifo_wait));

    (void)dispatcher;
    (void)events;
    if (status != ZX_OK)
        return;
    if (!receive_fifo(provider)) {
        fxt_i_tracing_terminate(provider);
        return;
    }
    send_pending(provider);
    wait_for_fifo(provider);
}

/* The engine's handler. */

static trace_provider_t *provider_of(trace_handler_t *handler)
{
    return (trace_provider_t *)(void *)handler;
}

/* Any thread. */
static bool is_category_enabled(trace_handler_t *handler, const char *category)
{
    return fxt_i_categories_have(&provider_of(handler)->categories, category);
}

/* The dispatcher; or, without observers, the thread that starts, which is the dispatcher here. */
static void trace_started(trace_handler_t *handler)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_STARTED};
    trace_provider_t *provider = provider_of(handler);

    if (provider->told_of_start)
        return;
    provider->told_of_start = true;
    send_packet(provider, &packet);
}

static void trace_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes_written)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_STOPPED};
    (void)disposition;
    (void)bytes_written;
    trace_started(handler); /* the manager does not wait for observers */
    send_packet(provider_of(handler), &packet);
}

static void notify_buffer_full(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_SAVE_BUFFER,
                                      .wrapped_count = wrapped_count,
                                      .durable_data_end = durable_data_end};
    trace_started(handler);
    send_packet(provider_of(handler), &packet);
}

/* Called by a traced thread, inside a context: the FIFO's slot does not change before the thread
   has left, and a packet is sent whole. A name that is too long is truncated. If the FIFO is
   full, the alert is lost: a traced thread never waits for a manager. */
static void send_alert(trace_handler_t *handler, const char *alert_name)
{
    struct fxt_i_fifo packet = {.request = FXT_I_ALERT};
    uint8_t bytes[FXT_I_FIFO_BYTES];

    packet.alert_length = (uint16_t)trace_i_cut(alert_name, strlen(alert_name), FXT_I_ALERT_MAX);
    if (packet.alert_length == 0)
        return;
    memcpy(packet.alert, alert_name, packet.alert_length);
    fxt_i_fifo_write(bytes, &packet);
    if (fxt_i_provider_has(provider_of(handler), &provider_of(handler)->fifo))
        fxt_i_socket_send(provider_of(handler)->fifo, bytes, sizeof bytes, NULL, 0);
}

static void release(trace_provider_t *provider)
{
    assert(provider->in_session);
    if (provider->buffer != NULL) /* it was mapped */
        munmap(provider->buffer, provider->buffer_bytes);
    provider->buffer = NULL;
    fxt_i_provider_set(provider, &provider->fifo, -1);
    provider->pending_count = 0;
    provider->in_session = false;
    provider->ending = false;
    provider->named = false;
    provider->told_of_start = false;
    provider->saved_late = false;
    provider->flush_wanted = false;
    fxt_i_categories_clear(&provider->categories);
}

static void trace_terminated(trace_handler_t *handler)
{
    trace_provider_t *provider = provider_of(handler);

    assert(provider->in_session && provider->buffer != NULL);
    async_cancel_wait(provider->dispatcher, &provider->fifo_wait);
    release(provider);
    if (provider->destroying)
        fxt_i_provider_finish_destroying(provider);
    else
        fxt_i_connection_resume(provider);
}

static const trace_handler_ops_t ops = {is_category_enabled, trace_started,      trace_stopped,
                                        trace_terminated,    notify_buffer_full, send_alert};

/* Packets of the manager. */

/* Refuses a buffer that could shrink: writing to it would then kill this process. */
static bool map_buffer(trace_provider_t *provider, int buffer)
{
    struct stat it;
    int seals = fcntl(buffer, F_GET_SEALS);

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(buffer, &it) != 0 || it.st_size <= 0)
        return false;
    void *bytes = mmap(NULL, (size_t)it.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, buffer, 0);
    if (bytes == MAP_FAILED)
        return false;
    provider->buffer = bytes;
    provider->buffer_bytes = (size_t)it.st_size;
    return true;
}

static bool give_engine_the_buffer(trace_provider_t *provider, uint16_t mode)
{
    provider->handler.ops = &ops;
    provider->oneshot = mode - 1 == TRACE_BUFFERING_MODE_ONESHOT;
    return trace_engine_initialize(provider->dispatcher, &provider->handler,
                                   (trace_buffering_mode_t)(mode - 1), provider->buffer,
                                   provider->buffer_bytes) == ZX_OK;
}

void fxt_i_tracing_initialize(trace_provider_t *provider, const struct fxt_i_packet *packet,
                              int buffer, int fifo)
{
    if (provider->in_session) {
        close(buffer);
        close(fifo);
        return;
    }
    fxt_i_provider_set(provider, &provider->fifo, fifo);
    provider->in_session = true;
    bool mapped = fxt_i_socket_is_one(provider->fifo) && map_buffer(provider, buffer);
    close(buffer);
    /* Without the list, all categories would be enabled. */
    if (!mapped ||
        !fxt_i_categories_begin(&provider->categories, packet->names, packet->name_count)) {
        release(provider);
        return;
    }
    provider->fifo_wait.handler = on_fifo;
    if (give_engine_the_buffer(provider, packet->choice))
        wait_for_fifo(provider);
    else
        release(provider); /* the engine belongs to a trace into a file */
}

void fxt_i_tracing_start(trace_provider_t *provider, const struct fxt_i_packet *packet)
{
    if (!provider->in_session || provider->ending || trace_state() != TRACE_STOPPED)
        return;
    fxt_i_categories_start(&provider->categories, packet->names, packet->name_count);
    provider->told_of_start = false;
    if (trace_engine_start((trace_start_mode_t)packet->choice) != ZX_OK)
        return;
    if (provider->saved_late && packet->choice == TRACE_START_RETAIN_BUFFER)
        buffer_saved(provider, &provider->saved);
    provider->saved_late = false;
    if (packet->choice == TRACE_START_CLEAR_ENTIRE_BUFFER || !provider->named ||
        (packet->choice == TRACE_START_CLEAR_NONDURABLE_BUFFER && provider->oneshot))
        fxt_i_name_process();
    provider->named = true;
    fxt_i_copies_tell(provider);
}

void fxt_i_tracing_stop(trace_provider_t *provider)
{
    if (provider->in_session)
        trace_engine_stop(ZX_OK);
}

void fxt_i_tracing_terminate(trace_provider_t *provider)
{
    if (!provider->in_session || provider->ending)
        return;
    assert(provider->buffer != NULL);
    provider->ending = true;
    fxt_i_copies_tell(provider); /* of what was loaded during the session */
    trace_engine_terminate();
}
