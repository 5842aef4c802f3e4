/* Questions to the manager and its answers, one exchange at a time. */
#ifndef FXT_CONTROLLER_EXCHANGE_H
#define FXT_CONTROLLER_EXCHANGE_H

#include <trace-controller/controller.h>

#include "src/control/controller.h"
#include "src/control/packet.h"

struct trace_controller {
    int socket;
    int broken;           /* what every call returns from now on, or 0 */
    uint32_t transaction; /* of the last question */
    uint32_t watch;       /* that of the question for an alert which is open; 0: none is */
    char alert[15];       /* that came, "": none has */
    uint8_t packet[FXT_I_CONTROLLER_BYTES_MAX];
};

#define FXT_I_HURRY_NUMBER UINT32_MAX /* transaction of trace_controller_hurry: nobody hears answers */

/* What is asked, and who gets the answers before the last one. */
struct fxt_i_question {
    struct fxt_i_controller packet; /* but for the transaction */
    const struct fxt_bytes *names;
    int descriptor;  /* that goes with it; -1: none */
    uint16_t answer; /* the ordinal of answers that may come; 0: none */
    void (*take)(void *data, const struct fxt_i_controller *answer);
    void *data;
};

/* Whether the packet is one that a client may send. */
bool fxt_i_exchange_can_be(trace_controller_t *controller, const struct fxt_i_question *question);

/* Sends a packet that is answered by nothing, or later. */
int fxt_i_exchange_tell(trace_controller_t *controller, const struct fxt_i_question *question,
                        uint32_t transaction);

/* Asks, and waits for all answers. As all functions of the client it returns 0, an error that the
   manager told, or a negated errno value. */
int fxt_i_exchange(trace_controller_t *controller, const struct fxt_i_question *question);

/* Waits for the alert that was asked for, until timeout_ms are over; -1: for ever. */
int fxt_i_exchange_await_alert(trace_controller_t *controller, int timeout_ms);

/* A number for the next question, neither 0 nor that of a hurry. */
uint32_t fxt_i_exchange_number(trace_controller_t *controller);

#endif
