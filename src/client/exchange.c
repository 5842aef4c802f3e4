/* The client's end of the connection. `broken` is set when the manager has broken the protocol or
   disconnected. Then nothing more is sent.

   Besides the answers to a request, three packets may arrive at any time: a change of the session's
   state, which is ignored, the statistics of a provider that has dropped its first record, of which the
   program's handler is told, and the requested alert, which is kept. */
#include "src/client/exchange.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/socket/socket.h"

static int break_off(trace_controller_t *controller, int error)
{
    controller->broken = error == EMSGSIZE ? -EPROTO : -error;
    return controller->broken;
}

uint32_t fxt_i_exchange_number(trace_controller_t *controller)
{
    controller->transaction++;
    if (controller->transaction == 0 || controller->transaction == controller->watch)
        controller->transaction++;
    if (controller->transaction == FXT_I_HURRY_NUMBER)
        controller->transaction++;
    if (controller->transaction == 0)
        controller->transaction++;
    return controller->transaction;
}

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Returns 0 or an errno value: ETIMEDOUT if `deadline` has passed; -1: no deadline. */
static int await(int socket, short events, int64_t deadline)
{
    for (;;) {
        struct pollfd wait = {.fd = socket, .events = events};
        int64_t left = deadline < 0 ? -1 : deadline - now_ms();
        if (deadline >= 0 && left < 0)
            left = 0;
        int ready = poll(&wait, 1, left > INT_MAX ? INT_MAX : (int)left);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return errno;
        if (deadline >= 0 && now_ms() >= deadline)
            return ETIMEDOUT;
    }
}

static uint64_t compose(trace_controller_t *controller, const struct fxt_i_question *question,
                        uint32_t transaction)
{
    struct fxt_i_controller_packet packet = question->packet;
    packet.transaction = transaction;
    return fxt_i_controller_write(controller->packet, &packet, question->names);
}

bool fxt_i_exchange_can_be(trace_controller_t *controller, const struct fxt_i_question *question)
{
    bool is_answered = question->packet.ordinal != FXT_I_PROVIDER_SPEC;
    return compose(controller, question, is_answered ? 1 : 0) > 0;
}

int fxt_i_exchange_send(trace_controller_t *controller, const struct fxt_i_question *question,
                        uint32_t transaction)
{
    if (controller->broken != 0)
        return controller->broken;
    uint64_t size = compose(controller, question, transaction);
    if (size == 0)
        return TRACE_ERROR_INVALID;
    for (;;) {
        int error = fxt_i_socket_send(controller->socket, controller->packet, size,
                                      &question->descriptor, question->descriptor >= 0 ? 1 : 0);
        if (error == 0)
            return 0;
        if (error == EBADF || error == ETOOMANYREFS)
            return -error; /* invalid descriptor: nothing was sent */
        if (error == EAGAIN)
            error = await(controller->socket, POLLOUT, -1);
        if (error != 0)
            return break_off(controller, error);
    }
}

/* Closes descriptors in a packet: the manager never sends any. */
static bool none_came(const int descriptors[FXT_I_DESCRIPTORS_MAX])
{
    bool none = true;
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
            none = false;
        }
    return none;
}

static int receive(trace_controller_t *controller, struct fxt_i_controller_packet *out,
                   int64_t deadline)
{
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_error why;
    size_t size;
    int error;

    do {
        error = await(controller->socket, POLLIN, deadline);
        if (error == ETIMEDOUT)
            return -ETIMEDOUT;
        if (error == 0)
            error = fxt_i_socket_receive(controller->socket, controller->packet,
                                         sizeof controller->packet, &size, descriptors);
    } while (error == EAGAIN);
    if (error == 0 && !none_came(descriptors))
        error = EPROTO;
    if (error == 0 &&
        fxt_i_controller_read(out, controller->packet, size, FXT_I_OF_SERVICE, &why) != FXT_OK)
        error = EPROTO;
    return error != 0 ? break_off(controller, error) : 0;
}

static void keep_alert(trace_controller_t *controller, const struct fxt_i_controller_packet *packet)
{
    struct fxt_bytes name = fxt_i_packet_name(packet->names, 0);
    memset(controller->alert, 0, sizeof controller->alert);
    memcpy(controller->alert, name.bytes, (size_t)name.size);
    controller->watch = 0;
}

void fxt_i_exchange_statistics(struct trace_provider_statistics *out,
                               const struct fxt_i_controller_packet *packet)
{
    const uint64_t *numbers = packet->numbers;
    struct fxt_bytes name = fxt_i_packet_name(packet->names, 0);

    *out = (struct trace_provider_statistics){
        .process = numbers[0],
        .mode = (enum trace_mode)numbers[1],
        .wrapped_count = (uint32_t)numbers[2],
        .records_dropped = numbers[3],
        .durable_percent = (uint32_t)numbers[4],
        .bytes_written = numbers[5],
        .records_refused = numbers[6],
        .died = (numbers[7] & 1) != 0,
        .misbehaved = (numbers[7] & 2) != 0,
        .definitions_inlined = (numbers[7] & 4) != 0,
        .timed_out = (numbers[7] & 8) != 0,
        .start = (enum trace_provider_start)(numbers[7] >> 4),
    };
    memcpy(out->name, name.bytes, (size_t)name.size);
}

static void report_drop(const trace_controller_t *controller,
                        const struct fxt_i_controller_packet *packet)
{
    struct trace_provider_statistics it;

    fxt_i_exchange_statistics(&it, packet);
    if (controller->on_drop != NULL)
        controller->on_drop(controller->drop_data, &it);
}

/* The next packet that answers this request, or, if it is 0, the alert. */
static int next(trace_controller_t *controller, struct fxt_i_controller_packet *out,
                uint32_t question, int64_t deadline)
{
    for (;;) {
        int error = receive(controller, out, deadline);
        if (error != 0)
            return error;
        if (out->ordinal == FXT_I_STATE && out->transaction == 0) {
            controller->aborted = out->numbers[7] != 0;
            if (question == 0 && controller->aborted)
                return TRACE_ERROR_ABORTED;
            continue;
        }
        if (out->ordinal == FXT_I_STATISTICS && out->transaction == 0) {
            report_drop(controller, out);
            continue;
        }
        if (out->transaction == FXT_I_HURRY_NUMBER)
            continue;
        if (out->ordinal == FXT_I_ALERTED) {
            if (controller->watch == 0 || out->transaction != controller->watch ||
                fxt_i_packet_name(out->names, 0).size >= sizeof controller->alert)
                return break_off(controller, EPROTO);
            keep_alert(controller, out);
            if (question == 0)
                return 0;
        } else if (question == 0 || out->transaction != question) {
            return break_off(controller, EPROTO);
        } else {
            return 0;
        }
    }
}

static int conclude(trace_controller_t *controller, const struct fxt_i_controller_packet *done,
                    uint64_t count)
{
    if (done->numbers[1] != count)
        return break_off(controller, EPROTO);
    controller->is_crowded = done->numbers[0] == TRACE_ERROR_NONE && done->numbers[2] == EUSERS;
    return (int)done->numbers[0];
}

int fxt_i_exchange(trace_controller_t *controller, const struct fxt_i_question *question)
{
    struct fxt_i_controller_packet answer;
    uint32_t number = fxt_i_exchange_number(controller);
    int error = fxt_i_exchange_send(controller, question, number);

    for (uint64_t count = 0; error == 0; count++) {
        error = next(controller, &answer, number, -1);
        if (error != 0)
            break;
        if (answer.ordinal == FXT_I_DONE)
            return conclude(controller, &answer, count);
        if (answer.ordinal != question->answer)
            return break_off(controller, EPROTO);
        question->take(question->data, &answer);
    }
    return error;
}

int fxt_i_exchange_await_alert(trace_controller_t *controller, int timeout_ms)
{
    struct fxt_i_controller_packet alert;
    int64_t deadline = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;

    if (controller->alert[0] != '\0')
        return 0;
    if (controller->broken != 0)
        return controller->broken;
    if (controller->aborted)
        return TRACE_ERROR_ABORTED;
    if (controller->watch == 0)
        return TRACE_ERROR_INVALID;
    return next(controller, &alert, 0, deadline);
}
