/* See actor.h. */
#include "fuzz/session/actor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/write.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/session/stage.h"
#include "src/buffer/chunk.h"

#define DURABLE_MAX 4096 /* bytes of definitions */
#define EVENT_MAX 128    /* bytes */

void (*fuzz_actor_saved)(struct fuzz_actor *actor, const struct fuzz_half *half);
unsigned fuzz_actor_flushes;

static void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

void fuzz_actor_open(struct fuzz_actor *actor, unsigned number, bool leases, bool late)
{
    memset(actor, 0, offsetof(struct fuzz_actor, marks));
    memset(actor->marks, 0, sizeof actor->marks);
    actor->number = number;
    actor->leases = leases;
    actor->late = late;
    actor->honest = true;
    actor->fifo = -1;
    actor->socket = fuzz_stage_connect(true);
}

static void leave_session(struct fuzz_actor *actor)
{
    close_one(&actor->fifo);
    actor->tracing = false;
    actor->owes = false;
}

static void forget_buffer(struct fuzz_actor *actor)
{
    leave_session(actor);
    if (actor->buffer != NULL)
        munmap(actor->buffer, actor->bytes);
    actor->buffer = NULL;
    memset(actor->halves, 0, sizeof actor->halves);
}

void fuzz_actor_close(struct fuzz_actor *actor)
{
    leave_session(actor);
    close_one(&actor->socket);
}

void fuzz_actor_forget(struct fuzz_actor *actor)
{
    fuzz_actor_close(actor);
    forget_buffer(actor);
}

/* Packets to the manager. */

static void send_packet(struct fuzz_actor *actor, const struct fxt_i_packet *packet,
                        const struct fxt_bytes *names)
{
    static uint8_t bytes[FXT_I_PACKET_BYTES_MAX];
    uint64_t size = fxt_i_packet_write(bytes, packet, names);

    FUZZ_CHECK(size > 0);
    if (actor->socket >= 0)
        fxt_i_socket_send(actor->socket, bytes, size, NULL, 0);
}

void fuzz_actor_register(struct fuzz_actor *actor, bool synchronously)
{
    char text[8];
    int length = snprintf(text, sizeof text, "a%u", actor->number);
    const struct fxt_bytes name = {(const uint8_t *)text, (uint64_t)length};
    const struct fxt_i_packet packet = {.ordinal = synchronously ? FXT_I_REGISTER_SYNCHRONOUSLY
                                                                 : FXT_I_REGISTER,
                                        .transaction = synchronously ? 7 : 0,
                                        .process = (uint64_t)getpid()};
    actor->registered = true;
    send_packet(actor, &packet, &name);
}

void fuzz_actor_categories(struct fuzz_actor *actor, uint32_t transaction)
{
    static const struct fxt_bytes names[] = {{(const uint8_t *)"net", 3}, {NULL, 0}};
    const struct fxt_i_packet packet = {
        .ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = transaction, .name_count = 1};
    send_packet(actor, &packet, names);
}

/* A manager that has closed the FIFO ends the session for this provider. */
static bool say(struct fuzz_actor *actor, const struct fxt_i_fifo *packet)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];

    if (actor->fifo < 0)
        return false;
    fxt_i_fifo_write(bytes, packet);
    if (fxt_i_socket_send(actor->fifo, bytes, sizeof bytes, NULL, 0) == 0)
        return true;
    leave_session(actor);
    return false;
}

void fuzz_actor_alert(struct fuzz_actor *actor, const uint8_t *name, uint16_t length)
{
    struct fxt_i_fifo packet = {.request = FXT_I_ALERT, .alert_length = length};

    for (uint16_t i = 0; i < length; i++)
        packet.alert[i] = name[i] != 0 ? name[i] : '0';
    say(actor, &packet);
}

/* The buffer. */

/* Without leases, the data ends are in the header when tracing has stopped. The data end of a half
   that has been handed over is there, too. */
static void publish(const struct fuzz_actor *actor)
{
    struct fxt_buffer_header shown = actor->header;

    if (!actor->leases && actor->tracing) {
        shown.durable_data_end = 0;
        for (uint32_t half = 0; half < 2; half++)
            if (!actor->waits || actor->asked % 2 != half)
                shown.rolling_data_end[half] = 0;
    }
    fxt_buffer_write_header(actor->buffer, &shown);
}

static bool is_oneshot(const struct fuzz_actor *actor)
{
    return actor->header.buffering_mode == FXT_BUFFERING_ONESHOT;
}

static uint32_t current_of(const struct fuzz_actor *actor)
{
    return is_oneshot(actor) ? 0 : actor->header.wrapped_count % 2;
}

static uint8_t *bytes_of(const struct fuzz_actor *actor, uint32_t half)
{
    return actor->buffer + FXT_BUFFER_HEADER_BYTES + actor->header.durable_size +
           half * actor->header.rolling_size;
}

static void mark_half(struct fuzz_actor *actor, const struct fuzz_half *half, unsigned bits)
{
    for (uint32_t i = half->first; i < half->next; i++)
        actor->marks[i] |= (uint8_t)bits;
}

/* The events are nowhere but in the archives that have them. */
static void lose_half(struct fuzz_actor *actor, const struct fuzz_half *half)
{
    for (uint32_t i = half->first; i < half->next; i++)
        actor->marks[i] &= (uint8_t)~fuzz_actor_flushes;
}

static void clear_half(struct fuzz_actor *actor, uint32_t half)
{
    struct fuzz_half *it = &actor->halves[half];

    actor->header.rolling_data_end[half] = 0;
    publish(actor);
    lose_half(actor, it);
    memset(bytes_of(actor, half), 0, it->at);
    *it = (struct fuzz_half){.first = actor->next, .next = actor->next};
}

/* Once. */
static void say_started(struct fuzz_actor *actor)
{
    if (actor->owes)
        say(actor, &(struct fxt_i_fifo){.request = FXT_I_STARTED});
    actor->owes = false;
}

/* As a start says. The first one begins with an empty buffer in any case. */
static void begin(struct fuzz_actor *actor, uint16_t disposition)
{
    bool first = actor->header.total_size == 0;

    if (first)
        FUZZ_CHECK(fxt_buffer_sizes(&actor->header, actor->bytes, actor->mode) == FXT_OK);
    actor->header.flags = actor->leases ? FXT_BUFFER_ENDS_KEPT : 0;
    if (first || disposition == TRACE_DISPOSITION_CLEAR_ENTIRE) {
        memset(actor->buffer + FXT_BUFFER_HEADER_BYTES, 0, actor->header.durable_data_end);
        actor->header.durable_data_end = 0;
        actor->defined = false;
    }
    if (first || disposition != TRACE_DISPOSITION_RETAIN) {
        actor->waits = false;
        clear_half(actor, 0);
        if (!is_oneshot(actor))
            clear_half(actor, 1);
        actor->header.wrapped_count = 0;
        actor->defined = actor->defined && !is_oneshot(actor);
    }
    actor->tracing = true;
    actor->owes = true;
    publish(actor);
    if (!actor->late)
        say_started(actor);
}

/* Of one that is late, this is all that the manager receives. */
static void stop(struct fuzz_actor *actor)
{
    actor->tracing = false;
    actor->owes = false;
    publish(actor);
    say(actor, &(struct fxt_i_fifo){.request = FXT_I_STOPPED});
}

void fuzz_actor_finish(struct fuzz_actor *actor)
{
    if (actor->tracing)
        stop(actor);
}

/* Room for `bytes` in the current half, or NULL. Writes the heads of leases. Does not use the last
   chunk, which is larger. */
static uint8_t *take_room(struct fuzz_actor *actor, uint64_t bytes)
{
    uint32_t half = current_of(actor);
    struct fuzz_half *it = &actor->halves[half];
    uint64_t room = actor->header.rolling_size;
    uint64_t chunk = fxt_buffer_chunk_bytes(room);

    if (!actor->leases)
        return it->at + bytes <= room ? bytes_of(actor, half) + it->at : NULL;
    if (it->at % chunk + bytes > chunk)
        it->at = (it->at / chunk + 1) * chunk;
    if (it->at % chunk == 0) {
        if (it->at / chunk + 1 >= room / chunk)
            return NULL;
        actor->header.rolling_data_end[half] = it->at + chunk;
        publish(actor);
        uint64_t head = fxt_i_lease_head(actor->header.wrapped_count, 1);
        memcpy(bytes_of(actor, half) + it->at, &head, sizeof head);
        it->at += sizeof head;
    }
    return bytes_of(actor, half) + it->at;
}

/* Puts a record behind the others of the current half. False if there is no room. */
static bool put(struct fuzz_actor *actor, const struct fxt_writer *record)
{
    uint32_t half = current_of(actor);
    uint8_t *to = take_room(actor, record->size);

    if (to == NULL) {
        actor->header.records_dropped++;
        publish(actor);
        return false;
    }
    memcpy(to, record->bytes, record->size);
    actor->halves[half].at += record->size;
    if (!actor->leases)
        actor->header.rolling_data_end[half] = actor->halves[half].at;
    return true;
}

void fuzz_actor_write(struct fuzz_actor *actor, uint32_t count)
{
    uint8_t bytes[EVENT_MAX];
    struct fxt_writer writer;
    struct fxt_event event = {.event_type = FXT_EVENT_INSTANT};

    for (; actor->tracing && count > 0 && actor->next < FUZZ_EVENTS; count--) {
        const struct fxt_arg number = fxt_make_uint64(fxt_string_inline("i", 1), actor->next);
        bool refers = actor->defined && actor->next % 3 == 1;
        event.timestamp = 1000 + actor->next;
        event.thread = refers ? fxt_thread_index(1) : fxt_thread_inline(100 + actor->number, 2);
        event.category = fxt_string_inline("fuzz", 4);
        event.name = refers ? fxt_string_index(1) : fxt_string_inline("a longer name", 13);
        fxt_writer_init(&writer, bytes, sizeof bytes);
        FUZZ_CHECK(fxt_write_event(&writer, &event, &number, 1) == FXT_OK);
        if (!put(actor, &writer))
            return;
        actor->halves[current_of(actor)].next = ++actor->next;
    }
}

void fuzz_actor_define(struct fuzz_actor *actor)
{
    uint8_t bytes[EVENT_MAX];
    struct fxt_writer writer;
    uint64_t end = actor->header.durable_data_end;
    const struct fxt_string string = {.index = 1, .value = {(const uint8_t *)"defined", 7}};
    const struct fxt_thread thread = {.index = 1, .process = 100 + actor->number, .thread = 3};

    if (!actor->tracing || end + EVENT_MAX > DURABLE_MAX)
        return;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    FUZZ_CHECK(fxt_write_string(&writer, &string) == FXT_OK);
    FUZZ_CHECK(fxt_write_thread(&writer, &thread) == FXT_OK);
    if (is_oneshot(actor)) {
        actor->defined = put(actor, &writer) || actor->defined;
        return;
    }
    actor->header.durable_data_end = end + writer.size;
    publish(actor);
    memcpy(actor->buffer + FXT_BUFFER_HEADER_BYTES + end, bytes, writer.size);
    actor->defined = true;
}

/* Begins the other half, in which nothing is that is still needed. */
static void turn_over(struct fuzz_actor *actor)
{
    clear_half(actor, 1 - current_of(actor));
    actor->header.wrapped_count++;
    publish(actor);
}

void fuzz_actor_switch(struct fuzz_actor *actor)
{
    if (!actor->tracing || is_oneshot(actor) || actor->waits)
        return;
    if (actor->header.buffering_mode == FXT_BUFFERING_STREAMING) {
        actor->asked = actor->header.wrapped_count;
        actor->waits = true;
        publish(actor);
        const struct fxt_i_fifo packet = {.request = FXT_I_SAVE_BUFFER,
                                          .wrapped_count = actor->asked,
                                          .durable_data_end = actor->header.durable_data_end};
        if (!say(actor, &packet))
            return;
    }
    turn_over(actor);
}

/* Packets of the manager. */

static void receive_saved(struct fuzz_actor *actor, const struct fxt_i_fifo *packet)
{
    struct fuzz_half *half = &actor->halves[actor->asked % 2];

    if (!actor->waits || packet->wrapped_count != actor->asked) {
        FUZZ_CHECK(!actor->honest);
        return;
    }
    actor->waits = false;
    lose_half(actor, half);
    fuzz_actor_saved(actor, half);
    half->saved = true;
    actor->header.rolling_data_end[actor->asked % 2] = 0;
    publish(actor);
    if (actor->to_switch)
        fuzz_actor_switch(actor);
    actor->to_switch = false;
}

static void receive_flush(struct fuzz_actor *actor)
{
    if (actor->waits)
        actor->to_switch = true;
    else
        fuzz_actor_switch(actor);
}

static void listen_to_fifo(struct fuzz_actor *actor)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_fifo packet;
    struct fxt_error error;
    size_t size;

    while (actor->fifo >= 0) {
        int failed = fxt_i_socket_receive(actor->fifo, bytes, sizeof bytes, &size, descriptors);
        if (failed == EAGAIN)
            return;
        if (failed != 0) {
            leave_session(actor);
            return;
        }
        FUZZ_CHECK(fxt_i_fifo_read(&packet, bytes, size, FXT_I_OF_MANAGER, &error) == FXT_OK);
        if (packet.request == FXT_I_BUFFER_SAVED)
            receive_saved(actor, &packet);
        else
            receive_flush(actor);
    }
}

/* Nobody but the manager decides about the size of a buffer. */
static void take_buffer(struct fuzz_actor *actor, uint16_t mode, const int descriptors[])
{
    struct stat it;

    forget_buffer(actor);
    FUZZ_CHECK(descriptors[0] >= 0 && descriptors[1] >= 0);
    FUZZ_CHECK(fstat(descriptors[0], &it) == 0 && it.st_size > 0);
    FUZZ_CHECK(ftruncate(descriptors[0], 0) != 0 && ftruncate(descriptors[0], it.st_size * 2) != 0);
    FUZZ_CHECK(fcntl(descriptors[0], F_ADD_SEALS, F_SEAL_WRITE) != 0);
    actor->bytes = (uint64_t)it.st_size;
    actor->buffer = mmap(NULL, actor->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[0], 0);
    FUZZ_CHECK(actor->buffer != MAP_FAILED);
    close(descriptors[0]);
    actor->fifo = descriptors[1];
    memset(&actor->header, 0, sizeof actor->header);
    actor->mode = (uint16_t)(mode - 1);
    actor->waits = false;
    actor->to_switch = false;
    actor->slow = actor->behind;
    actor->over = false;
}

static void begin_as(struct fuzz_actor *actor, uint16_t disposition)
{
    bool lawful = actor->fifo >= 0 && actor->buffer != NULL && !actor->tracing;

    FUZZ_CHECK(lawful || !actor->honest || actor->slow || actor->fifo < 0);
    if (lawful)
        begin(actor, disposition);
}

static void receive(struct fuzz_actor *actor, const struct fxt_i_packet *packet,
                    const int descriptors[])
{
    switch (packet->ordinal) {
    case FXT_I_INITIALIZE:
        take_buffer(actor, packet->choice, descriptors);
        break;
    case FXT_I_START:
        begin_as(actor, packet->choice);
        break;
    case FXT_I_STOP:
        if (actor->tracing)
            stop(actor);
        break;
    case FXT_I_TERMINATE:
        forget_buffer(actor);
        break;
    case FXT_I_GET_KNOWN_CATEGORIES:
        fuzz_actor_categories(actor, packet->transaction);
        break;
    default:
        break;
    }
}

void fuzz_actor_pass(struct fuzz_actor *actor)
{
    struct pollfd it[] = {{.fd = actor->socket, .events = POLLIN},
                          {.fd = actor->fifo, .events = POLLIN}};

    actor->behind |= poll(it, 2, 0) > 0;
    actor->slow |= actor->tracing || actor->behind;
}

void fuzz_actor_listen(struct fuzz_actor *actor)
{
    static uint8_t bytes[FXT_I_PACKET_BYTES_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_packet packet;
    struct fxt_error error;
    size_t size;

    actor->unheard = 0;
    say_started(actor);
    listen_to_fifo(actor);
    while (actor->socket >= 0) {
        int failed = fxt_i_socket_receive(actor->socket, bytes, sizeof bytes, &size, descriptors);
        if (failed == EAGAIN) {
            actor->behind = false;
            return;
        }
        if (failed != 0) {
            FUZZ_CHECK(failed == EPIPE);
            fuzz_actor_close(actor);
            return;
        }
        FUZZ_CHECK(fxt_i_packet_read(&packet, bytes, size, FXT_I_OF_MANAGER, &error) == FXT_OK);
        FUZZ_CHECK((descriptors[0] >= 0) == (packet.ordinal == FXT_I_INITIALIZE));
        receive(actor, &packet, descriptors);
        listen_to_fifo(actor);
    }
}

/* The model. */

void fuzz_actor_mark(struct fuzz_actor *actor, unsigned bit)
{
    for (uint32_t half = 0; half < 2; half++)
        if (actor->buffer != NULL && !actor->halves[half].saved)
            mark_half(actor, &actor->halves[half], 1u << bit);
}

void fuzz_actor_unmark(struct fuzz_actor *actor, unsigned bits)
{
    for (uint32_t i = 0; i < actor->next; i++)
        actor->marks[i] &= (uint8_t)~bits;
}

unsigned fuzz_actor_number(struct fxt_bytes name)
{
    unsigned number = 0;

    if (name.size < 2 || name.size > 3 || name.bytes[0] != 'a')
        return FUZZ_ACTORS;
    for (uint64_t i = 1; i < name.size; i++)
        number = 10 * number + (unsigned)(name.bytes[i] - '0');
    return number < FUZZ_ACTORS ? number : FUZZ_ACTORS;
}

bool fuzz_actor_event(const struct fxt_record *record, uint64_t *number)
{
    struct fxt_event event;
    struct fxt_arg arg;
    struct fxt_error error;

    if (fxt_read_event(record, &event, &error) != FXT_OK ||
        fxt_args_next(&event.args, &arg, &error) != FXT_OK || arg.type != FXT_ARG_UINT64)
        return false;
    *number = arg.value;
    return true;
}
