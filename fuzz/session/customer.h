/* A client of a script, and what it still waits for. */
#ifndef FXT_FUZZ_CUSTOMER_H
#define FXT_FUZZ_CUSTOMER_H

#include "src/protocol/controller.h"

#define FUZZ_REQUESTS 32 /* that wait at a time */

struct fuzz_request {
    uint32_t transaction; /* 0: none */
    uint16_t ordinal;
    int outlet; /* given with it, or -1 */
};

struct fuzz_customer {
    int socket;  /* -1: there is none */
    bool honest; /* has broken no rule */
    uint32_t last;
    struct fuzz_request requests[FUZZ_REQUESTS];
};

void fuzz_customer_open(struct fuzz_customer *customer, int socket);
void fuzz_customer_close(struct fuzz_customer *customer);

/* Sends a request, with a descriptor or -1. False if it has too many that wait, or is gone. */
bool fuzz_customer_ask(struct fuzz_customer *customer, struct fxt_i_controller_packet *packet,
                       const struct fxt_bytes *names, int descriptor, int outlet);

/* Takes its answers. `done` is called for each request that is answered. */
void fuzz_customer_listen(struct fuzz_customer *customer,
                          void (*done)(const struct fuzz_request *request, uint64_t error));

/* Whether a request of that ordinal waits; 0: any but for an alert, which may never come. */
bool fuzz_customer_waits(const struct fuzz_customer *customer, uint16_t ordinal);

#endif
