/* A provider in a session. The buffer is a memory file with a sealed size, mapped read-only here.
   The FIFO is a pair of sockets. */
#include "src/manager/manager.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/manager/size.h"
#include "src/socket/socket.h"

#define MEGABYTES 4
#define KERNEL_MEGABYTES 32 /* the least for ktrace_provider */
#define KERNEL "ktrace_provider"
#define NOTHING "/"
/* If a program ends, its FIFO and its connection close within this time. */
#define MOMENT_NS UINT64_C(100000000)
#define RECEIVED_MAX 64         /* packets received at a time */
#define RECEIVED_LAST_MAX 65536 /* of a provider that has died: more than a FIFO holds */

static void on_fifo(void *self, int events);

/* Creation: buffer, FIFO and categories. */

static const struct fxt_i_spec *spec_of(const struct fxt_i_session *session, const char *name)
{
    for (uint32_t i = 0; i < session->spec_count; i++)
        if (strcmp(session->specs[i].name, name) == 0)
            return &session->specs[i];
    return NULL;
}

static uint64_t buffer_bytes(const struct fxt_i_session *session, const char *name)
{
    const struct fxt_i_spec *spec = spec_of(session, name);
    uint32_t megabytes = session->megabytes != 0 ? session->megabytes : MEGABYTES;

    if (spec != NULL && spec->megabytes != 0)
        megabytes = spec->megabytes;
    if (strcmp(name, KERNEL) == 0 && megabytes < KERNEL_MEGABYTES)
        megabytes = KERNEL_MEGABYTES;
    return megabytes * FXT_I_MIB;
}

static int add_all(const struct fxt_i_session *session, struct fxt_i_names *out,
                   const struct fxt_i_names *from, const char *provider)
{
    int error = 0;
    for (uint32_t i = 0; i < from->count && error == 0; i++)
        error = fxt_i_config_expand(&session->manager->config, out, from->names[i], provider);
    return error == 0 && out->count > FXT_I_NAMES_MAX ? E2BIG : error;
}

/* If all categories are for other providers, the list has a name that matches no category. */
int fxt_i_tracee_categories(const struct fxt_i_session *session, const char *name,
                            struct fxt_i_names *out)
{
    const struct fxt_i_spec *spec = spec_of(session, name);
    int error = add_all(session, out, &session->categories, name);
    bool named = session->categories.count > 0 || (spec != NULL && spec->categories.count > 0);

    if (error == 0 && spec != NULL)
        error = add_all(session, out, &spec->categories, name);
    if (error == 0 && out->count == 0 && named && !fxt_i_names_add(out, NOTHING, strlen(NOTHING)))
        error = ENOMEM;
    return error;
}

static void log_categories(const struct fxt_i_tracee *tracee, int error)
{
    fxt_i_log(tracee->session->manager, "%s (process %llu): its categories: %s", tracee->name,
              (unsigned long long)tracee->process,
              error == E2BIG ? "more than 100" : strerror(error));
}

static void list_names(const struct fxt_i_names *names, struct fxt_bytes out[FXT_I_NAMES_MAX])
{
    for (uint32_t i = 0; i < names->count && i < FXT_I_NAMES_MAX; i++)
        out[i] = (struct fxt_bytes){(const uint8_t *)names->names[i], strlen(names->names[i])};
}

/* Makes the memory file; -1 with errno. */
static int make_buffer(struct fxt_i_tracee *tracee)
{
    int file = memfd_create("fxt-trace", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file < 0)
        return -1;
    if (ftruncate(file, (off_t)tracee->bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        void *bytes = mmap(NULL, tracee->bytes, PROT_READ, MAP_SHARED, file, 0);
        if (bytes != MAP_FAILED) {
            tracee->buffer = bytes;
            return file;
        }
    }
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

static bool send_initialize(struct fxt_i_tracee *tracee, int buffer, int fifo)
{
    struct fxt_i_packet packet = {.ordinal = FXT_I_INITIALIZE,
                                  .choice = (uint16_t)tracee->session->mode};
    struct fxt_i_names categories = {NULL, 0};
    struct fxt_bytes names[FXT_I_NAMES_MAX];
    const int descriptors[] = {buffer, fifo};

    int error = fxt_i_tracee_categories(tracee->session, tracee->name, &categories);
    if (error != 0) {
        log_categories(tracee, error);
        fxt_i_names_free(&categories);
        return false;
    }
    packet.name_count = (uint16_t)categories.count;
    list_names(&categories, names);
    bool sent = fxt_i_provider_send(tracee->provider, &packet, names, descriptors, 2);
    fxt_i_names_free(&categories);
    return sent;
}

/* Makes both ends. On failure they are closed. */
static bool make_fifo(struct fxt_i_tracee *tracee, int *other)
{
    int ends[2];

    if (fxt_i_socket_pair(ends) != 0)
        return false;
    tracee->fifo = ends[0];
    *other = ends[1];
    tracee->watch = fxt_i_watch_begin(tracee->session->manager->loop, tracee->fifo,
                                      POLLIN | POLLRDHUP, on_fifo, tracee);
    if (tracee->watch != NULL)
        return true;
    close(*other);
    return false;
}

/* False if there is no buffer, or the provider does not accept it; the provider may then have
   been dropped. */
static bool set_up(struct fxt_i_tracee *tracee)
{
    int fifo;
    int buffer = make_buffer(tracee);

    if (buffer < 0 || !make_fifo(tracee, &fifo)) {
        fxt_i_log(tracee->session->manager, "%s (process %llu): no buffer: %s", tracee->name,
                  (unsigned long long)tracee->process, strerror(errno));
        if (buffer >= 0)
            close(buffer);
        return false;
    }
    bool sent = send_initialize(tracee, buffer, fifo);
    close(buffer);
    close(fifo);
    return sent;
}

struct fxt_i_tracee *fxt_i_tracee_create(struct fxt_i_session *session,
                                         struct fxt_i_provider *provider)
{
    struct fxt_i_tracee *tracee = calloc(1, sizeof *tracee);

    if (tracee == NULL) {
        fxt_i_log(session->manager, "%s (process %llu): left out: %s", provider->name,
                  (unsigned long long)provider->process, strerror(ENOMEM));
        return NULL;
    }
    assert(provider->id != 0 && provider->tracee == NULL);
    tracee->session = session;
    tracee->provider = provider;
    tracee->process = provider->process;
    tracee->id = provider->id;
    tracee->fifo = -1;
    memcpy(tracee->name, provider->name, sizeof tracee->name);
    tracee->bytes = buffer_bytes(session, tracee->name);
    if (set_up(tracee))
        return tracee;
    fxt_i_tracee_free(tracee);
    return NULL;
}

static void close_fifo(struct fxt_i_tracee *tracee)
{
    fxt_i_watch_end(&tracee->watch);
    if (tracee->fifo >= 0)
        close(tracee->fifo);
    tracee->fifo = -1;
}

void fxt_i_tracee_release_buffer(struct fxt_i_tracee *tracee)
{
    fxt_i_save_end(&tracee->save);
    fxt_i_save_end(&tracee->snapshot);
    fxt_i_section_end(&tracee->section);
    if (tracee->buffer != NULL)
        munmap(tracee->buffer, tracee->bytes);
    tracee->buffer = NULL;
}

void fxt_i_tracee_free(struct fxt_i_tracee *tracee)
{
    close_fifo(tracee);
    fxt_i_tracee_release_buffer(tracee);
    if (tracee->provider != NULL && tracee->provider->tracee == tracee)
        tracee->provider->tracee = NULL;
    free(tracee);
}

/* Start, stop and end. */

/* False if the provider has left the session. */
static bool send_to_provider(struct fxt_i_tracee *tracee, const struct fxt_i_packet *packet,
                             const struct fxt_bytes *names)
{
    return tracee->provider != NULL && !tracee->misbehaved &&
           fxt_i_provider_send(tracee->provider, packet, names, NULL, 0);
}

/* Resets what has been saved of the buffer, as the disposition of the start demands. Called when the
   first packet shows that the provider has started, not when the manager sends *start*: a provider
   that dies in between has not cleared its buffer, and its saved records must not be written twice. */
static void reset_for_start(struct fxt_i_tracee *tracee)
{
    uint16_t disposition = tracee->pending_disposition;

    tracee->pending_disposition = 0;
    if (disposition == 0)
        return;
    tracee->written = false;
    if (disposition == TRACE_DISPOSITION_RETAIN)
        return;
    tracee->next_wrapped = 0;
    tracee->saving = false;
    if (disposition == TRACE_DISPOSITION_CLEAR_ENTIRE) {
        tracee->last_durable_end = 0;
        tracee->section.durable_end = 0;
    }
}

/* A provider that had stopped by itself, and whose records a flush has written, must clear its
   buffer: otherwise the next save would write those records again. */
void fxt_i_tracee_start(struct fxt_i_tracee *tracee, uint16_t disposition)
{
    struct fxt_i_packet packet = {.ordinal = FXT_I_START};
    struct fxt_i_names categories = {NULL, 0};
    struct fxt_bytes names[FXT_I_NAMES_MAX];

    if (tracee->fifo < 0)
        return;
    tracee->pending_disposition =
        tracee->written ? (uint16_t)TRACE_DISPOSITION_CLEAR_ENTIRE : disposition;
    packet.choice = tracee->pending_disposition;
    tracee->state = FXT_I_TRACEE_STARTING;
    if (tracee->start_sent_ns == 0)
        tracee->start_sent_ns = fxt_i_now_ns();
    int error = add_all(tracee->session, &categories, &tracee->session->additional, tracee->name);
    if (error != 0)
        log_categories(tracee, error);
    packet.name_count =
        (uint16_t)(categories.count < FXT_I_NAMES_MAX ? categories.count : FXT_I_NAMES_MAX);
    list_names(&categories, names);
    send_to_provider(tracee, &packet, names);
    fxt_i_names_free(&categories);
}

void fxt_i_tracee_stop(struct fxt_i_tracee *tracee)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_STOP};

    if (tracee->state == FXT_I_TRACEE_STARTING || tracee->state == FXT_I_TRACEE_STARTED) {
        tracee->state = FXT_I_TRACEE_STOPPING;
        send_to_provider(tracee, &packet, NULL);
    }
}

void fxt_i_tracee_terminate(struct fxt_i_tracee *tracee)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_TERMINATE};

    send_to_provider(tracee, &packet, NULL);
    close_fifo(tracee);
    fxt_i_tracee_release_buffer(tracee);
    if (tracee->provider != NULL)
        tracee->provider->tracee = NULL;
    tracee->provider = NULL;
}

/* If the provider ended before it could send *started*, the header of its buffer tells whether it
   started. */
static void update_started_once(struct fxt_i_tracee *tracee)
{
    if (tracee->started_once || tracee->state == FXT_I_TRACEE_READY)
        return;
    fxt_i_save_reread_header(tracee);
    tracee->started_once = tracee->header.total_size != 0;
}

void fxt_i_tracee_expel(struct fxt_i_tracee *tracee, const char *what)
{
    fxt_i_log(tracee->session->manager, "%s (process %llu): %s; it is left out from now on",
              tracee->name, (unsigned long long)tracee->process, what);
    update_started_once(tracee);
    tracee->misbehaved = true;
    tracee->saving = false;
    close_fifo(tracee);
    fxt_i_session_schedule(tracee->session);
}

/* Returns 0 or an errno value. */
static int send_by_fifo(const struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];

    if (tracee->fifo < 0)
        return EPIPE;
    fxt_i_fifo_write(bytes, packet);
    return fxt_i_socket_send(tracee->fifo, bytes, sizeof bytes, NULL, 0);
}

void fxt_i_tracee_saved(struct fxt_i_tracee *tracee)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_BUFFER_SAVED,
                                      .wrapped_count = tracee->save_wrapped,
                                      .durable_data_end = tracee->save_durable_end};

    tracee->saving = false;
    int error = send_by_fifo(tracee, &packet);
    if (error != 0 && error != EPIPE)
        fxt_i_tracee_expel(tracee,
                           error == EAGAIN ? "takes no packet from its FIFO" : strerror(error));
}

/* If the FIFO is full, the flush leaves this provider out. */
void fxt_i_tracee_flush(struct fxt_i_tracee *tracee)
{
    const struct fxt_i_fifo packet = {.request = FXT_I_FLUSH_BUFFER};

    fxt_i_save_reread_header(tracee);
    tracee->flush_wrapped = tracee->header.wrapped_count;
    tracee->flush_sent = send_by_fifo(tracee, &packet) == 0;
}

/* Packets of the provider. */

static void handle_save_request(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet)
{
    if (tracee->session->mode != TRACE_MODE_STREAMING || tracee->state == FXT_I_TRACEE_READY ||
        tracee->state == FXT_I_TRACEE_STOPPED)
        return;
    if (tracee->saving) {
        fxt_i_tracee_expel(tracee, "asks for a second half before the first is saved");
        return;
    }
    assert(tracee->fifo >= 0 && !tracee->misbehaved);
    reset_for_start(tracee);
    tracee->started_once = true;
    tracee->saving = true;
    tracee->save_wrapped = packet->wrapped_count;
    tracee->save_durable_end = packet->durable_data_end;
}

static void dispatch(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet)
{
    switch (packet->request) {
    case FXT_I_STARTED:
        reset_for_start(tracee);
        if (tracee->state == FXT_I_TRACEE_STARTING)
            tracee->state = FXT_I_TRACEE_STARTED;
        tracee->started_once = true;
        break;
    case FXT_I_STOPPED: /* also unasked, if its program ends */
        update_started_once(tracee);
        if (tracee->state != FXT_I_TRACEE_READY) {
            reset_for_start(tracee);
            tracee->state = FXT_I_TRACEE_STOPPED;
        }
        break;
    case FXT_I_SAVE_BUFFER:
        handle_save_request(tracee, packet);
        break;
    default:
        fxt_i_alert_put(tracee, packet);
        if (tracee->session->owner != NULL)
            fxt_i_client_alert(tracee->session->owner);
        break;
    }
}

static bool is_other_version(const uint8_t *bytes, size_t size)
{
    return size == FXT_I_FIFO_BYTES && bytes[0] == FXT_I_STARTED && bytes[1] == 0 &&
           (bytes[4] != FXT_I_FIFO_VERSION || bytes[5] != 0 || bytes[6] != 0 || bytes[7] != 0);
}

/* The provider has left the session. */
static void handle_disconnect(struct fxt_i_tracee *tracee)
{
    close_fifo(tracee);
    tracee->disconnected_ns = fxt_i_now_ns();
    update_started_once(tracee);
    if (tracee->state != FXT_I_TRACEE_STOPPED)
        tracee->died = true;
    tracee->state = FXT_I_TRACEE_STOPPED;
}

/* Handles one packet. False if there is none, or the FIFO is closed. */
static bool receive_one(struct fxt_i_tracee *tracee)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_fifo packet;
    struct fxt_error error;
    size_t size;

    int failed = fxt_i_socket_receive(tracee->fifo, bytes, sizeof bytes, &size, descriptors);
    if (failed == EAGAIN)
        return false;
    if (failed == EPIPE) {
        handle_disconnect(tracee);
        return false;
    }
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0)
            fxt_i_socket_release(descriptors[i]);
    if (failed != 0 || fxt_i_fifo_read(&packet, bytes, size, FXT_I_OF_PROVIDER, &error) != FXT_OK) {
        bool lost = failed != 0 && failed != EMSGSIZE && failed != EPROTO;
        tracee->ignored = failed == 0 && is_other_version(bytes, size);
        fxt_i_tracee_expel(tracee, tracee->ignored ? "speaks another version of the FIFO"
                                   : lost          ? strerror(failed)
                                                   : "sends a packet that breaks the rules");
        return false;
    }
    dispatch(tracee, &packet);
    return tracee->fifo >= 0;
}

static void on_fifo(void *self, int events)
{
    struct fxt_i_tracee *tracee = self;
    int received = 0;

    (void)events;
    while (received < RECEIVED_MAX && receive_one(tracee))
        received++;
    fxt_i_session_schedule(tracee->session);
}

/* Handles the packets that the provider sent before it died. Another process may still hold its
   FIFO and write to it. */
void fxt_i_tracee_died(struct fxt_i_tracee *tracee)
{
    for (int received = 0; received < RECEIVED_LAST_MAX && tracee->fifo >= 0 && receive_one(tracee);
         received++)
        ;
    close_fifo(tracee);
    update_started_once(tracee);
    if (tracee->disconnected_ns == 0)
        tracee->disconnected_ns = fxt_i_now_ns();
    tracee->declined = fxt_i_now_ns() - tracee->disconnected_ns > MOMENT_NS;
    if (tracee->state != FXT_I_TRACEE_STOPPED)
        tracee->died = true;
    tracee->state = FXT_I_TRACEE_STOPPED;
    tracee->provider = NULL;
    fxt_i_session_schedule(tracee->session);
}
