/* Requests to the manager and their answers, one exchange at a time. */
#ifndef FXT_CLIENT_EXCHANGE_H
#define FXT_CLIENT_EXCHANGE_H

#include <trace-controller/controller.h>

#include "src/protocol/controller.h"
#include "src/protocol/packet.h"

struct trace_controller {
    int socket;
    int broken;                          /* error that every call returns from now on, or 0 */
    uint32_t transaction;                /* of the last request */
    bool is_crowded;                     /* the last answer: providers have waited for places */
    bool aborted;                        /* the manager has said that the session's output failed */
    uint32_t watch;                      /* transaction of the open request for an alert, or 0 */
    char alert[15];                      /* the alert that arrived; "": none */
    trace_statistics_handler_t *on_drop; /* NULL: none */
    void *drop_data;
    uint8_t packet[FXT_I_CONTROLLER_BYTES_MAX];
};

#define FXT_I_HURRY_NUMBER                                                                         \
    UINT32_MAX /* transaction of trace_controller_hurry, whose answer is ignored */

/* A request, and the receiver of its answers before the last one. */
struct fxt_i_question {
    struct fxt_i_controller_packet packet; /* without the transaction */
    const struct fxt_bytes *names;
    int descriptor;  /* descriptor to send; -1: none */
    uint16_t answer; /* ordinal of the answers before the last; 0: none */
    void (*take)(void *data, const struct fxt_i_controller_packet *answer);
    void *data;
};

/* Whether a client may send this packet. */
bool fxt_i_exchange_can_be(trace_controller_t *controller, const struct fxt_i_question *question);

/* Sends a packet without waiting for an answer. */
int fxt_i_exchange_send(trace_controller_t *controller, const struct fxt_i_question *question,
                        uint32_t transaction);

/* Sends a request and waits for all answers. Like all functions of the client, it returns 0, an
   error of the manager, or a negated errno value. */
int fxt_i_exchange(trace_controller_t *controller, const struct fxt_i_question *question);

/* Waits up to timeout_ms for the requested alert; -1: for ever. */
int fxt_i_exchange_await_alert(trace_controller_t *controller, int timeout_ms);

/* The contents of a packet of provider statistics. */
void fxt_i_exchange_statistics(struct trace_provider_statistics *out,
                               const struct fxt_i_controller_packet *packet);

/* A transaction for the next request, neither 0 nor that of a hurry. */
uint32_t fxt_i_exchange_number(trace_controller_t *controller);

#endif
