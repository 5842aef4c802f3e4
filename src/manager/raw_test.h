/* For tests that speak the packets by hand: a provider that is none, over the manager's registry. It
   lives in this process. */
#ifndef FXT_MANAGER_RAW_TEST_H
#define FXT_MANAGER_RAW_TEST_H

#include <sys/mman.h>

#include <fxt/buffer.h>
#include <fxt/write.h>

#include "src/protocol/packet.h"
#include "src/manager/system_test.h"
#include "src/socket/socket.h"

struct raw {
    int socket;
    int fifo;        /* -1: there is none */
    int file;        /* of the buffer, or -1 */
    uint8_t *buffer; /* or NULL */
    uint64_t bytes;
    struct fxt_buffer_header header;
    uint8_t packet[FXT_I_PACKET_BYTES_MAX];
};

static inline struct fxt_bytes raw_bytes(const char *text)
{
    return (struct fxt_bytes){(const uint8_t *)text, strlen(text)};
}

static inline void raw_close(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static inline struct raw *raw_open(const char *where)
{
    struct raw *it = calloc(1, sizeof *it);
    cr_assert_not_null(it);
    it->fifo = -1;
    it->file = -1;
    cr_assert_eq(fxt_i_socket_connect(&it->socket, directory, where, true), 0);
    return it;
}

static inline void raw_end(struct raw *it)
{
    raw_close(&it->socket);
    raw_close(&it->fifo);
    raw_close(&it->file);
    if (it->buffer != NULL)
        munmap(it->buffer, it->bytes);
    free(it);
}

static inline int raw_send(int to, const void *bytes, size_t size)
{
    return fxt_i_socket_send(to, bytes, size, NULL, 0);
}

/* Waits for room. */
static inline void raw_send_patiently(int to, const void *bytes, size_t size)
{
    struct pollfd room = {.fd = to, .events = POLLOUT};
    int error;
    while ((error = raw_send(to, bytes, size)) == EAGAIN)
        cr_assert_eq(poll(&room, 1, 20000), 1);
    cr_assert_eq(error, 0);
}

/* The size of the packet that is in it->packet then. */
static inline uint64_t raw_compose(struct raw *it, const struct fxt_i_packet *packet,
                                   const char *name)
{
    struct fxt_bytes names[] = {raw_bytes(name), raw_bytes("")};
    uint64_t size = fxt_i_packet_write(it->packet, packet, names);
    cr_assert_gt(size, 0);
    return size;
}

/* EPIPE when it is refused already. */
static inline int raw_try_to_register(struct raw *it, const char *name)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTER, .process = (uint64_t)getpid()};
    uint64_t size = raw_compose(it, &packet, name);
    return raw_send(it->socket, it->packet, size);
}

static inline void raw_register(struct raw *it, const char *name)
{
    cr_assert_eq(raw_try_to_register(it, name), 0);
}

static inline struct raw *raw_provider(const char *name)
{
    struct raw *it = raw_open(FXT_I_REGISTRY);
    raw_register(it, name);
    return it;
}

static inline bool raw_is_readable(int descriptor, int ms)
{
    struct pollfd it = {.fd = descriptor, .events = POLLIN};
    return poll(&it, 1, ms) == 1;
}

static inline void raw_take(struct raw *it, const int descriptors[])
{
    struct stat file;
    if (descriptors[0] < 0)
        return;
    cr_assert_eq(fstat(descriptors[0], &file), 0);
    it->file = descriptors[0];
    it->fifo = descriptors[1];
    it->bytes = (uint64_t)file.st_size;
    it->buffer = mmap(NULL, it->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, it->file, 0);
    cr_assert_neq(it->buffer, MAP_FAILED);
}

/* The next packet that the manager sends. False when none comes in time, or never again. */
static inline bool raw_hear(struct raw *it, struct fxt_i_packet *packet, int ms)
{
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_error error;
    size_t size;
    if (!raw_is_readable(it->socket, ms) ||
        fxt_i_socket_receive(it->socket, it->packet, sizeof it->packet, &size, descriptors) != 0)
        return false;
    cr_assert_eq(fxt_i_packet_read(packet, it->packet, size, FXT_I_OF_MANAGER, &error), FXT_OK);
    raw_take(it, descriptors);
    return true;
}

static inline bool raw_await(struct raw *it, uint16_t ordinal, int ms)
{
    struct fxt_i_packet packet;
    while (raw_hear(it, &packet, ms))
        if (packet.ordinal == ordinal)
            return true;
    return false;
}

/* Whether the other end is closed in time; what it has said before is thrown away. */
static inline bool raw_is_closed(int descriptor, int ms)
{
    static uint8_t bytes[FXT_I_PACKET_BYTES_MAX];
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end;) {
        if (!raw_is_readable(descriptor, 20))
            continue;
        ssize_t got = recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return true;
    }
    return false;
}

static inline int raw_say(const struct raw *it, uint16_t request, uint32_t wrapped, uint64_t end)
{
    const struct fxt_i_fifo packet = {.request = request,
                                      .wrapped_count = wrapped,
                                      .durable_data_end = end,
                                      .alert = "alert",
                                      .alert_length = 5};
    uint8_t bytes[FXT_I_FIFO_BYTES];
    fxt_i_fifo_write(bytes, &packet);
    return raw_send(it->fifo, bytes, sizeof bytes);
}

/* An empty buffer. */
static inline void raw_begin_buffer(struct raw *it, enum trace_mode mode)
{
    cr_assert_eq(fxt_buffer_sizes(&it->header, it->bytes, (uint16_t)(mode - 1)), FXT_OK);
    fxt_buffer_write_header(it->buffer, &it->header);
}

/* The event that the programs of the fixture write, behind each other at `offset` of the buffer.
   Returns the bytes that they take. */
static inline uint64_t raw_write_events(struct raw *it, uint64_t offset, uint64_t first,
                                        uint64_t count)
{
    struct fxt_event event = {.thread = fxt_thread_inline(1, 2),
                              .category = fxt_string_inline("raw", 3),
                              .name = fxt_string_inline("event", 5),
                              .event_type = FXT_EVENT_INSTANT};
    struct fxt_writer writer;
    fxt_writer_init(&writer, it->buffer + offset, it->bytes - offset);
    for (uint64_t i = 0; i < count; i++) {
        struct fxt_arg arg = fxt_make_uint64(fxt_string_inline("i", 1), first + i);
        event.timestamp = 1000 + first + i;
        cr_assert_eq(fxt_write_event(&writer, &event, &arg, 1), FXT_OK);
    }
    return writer.size;
}

/* Waits for Initialize and Start, and says that it has started, with an empty buffer. */
static inline void raw_start(struct raw *it, enum trace_mode mode)
{
    cr_assert(raw_await(it, FXT_I_START, 5000));
    cr_assert_geq(it->fifo, 0);
    raw_begin_buffer(it, mode);
    cr_assert_eq(raw_say(it, FXT_I_STARTED, 0, 0), 0);
}

#endif
