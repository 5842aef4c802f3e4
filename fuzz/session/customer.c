/* See customer.h. */
#include "fuzz/session/customer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/lib/oracle.h"
#include "src/socket/socket.h"

void fuzz_customer_open(struct fuzz_customer *customer, int socket)
{
    memset(customer, 0, sizeof *customer);
    customer->socket = socket;
    customer->honest = true;
}

void fuzz_customer_close(struct fuzz_customer *customer)
{
    if (customer->socket >= 0)
        close(customer->socket);
    customer->socket = -1;
}

static struct fuzz_request *find(struct fuzz_customer *customer, uint32_t transaction)
{
    for (unsigned i = 0; i < FUZZ_REQUESTS; i++)
        if (customer->requests[i].transaction == transaction)
            return &customer->requests[i];
    return NULL;
}

bool fuzz_customer_ask(struct fuzz_customer *customer, struct fxt_i_controller_packet *packet,
                       const struct fxt_bytes *names, int descriptor, int outlet)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct fuzz_request *request = find(customer, 0);
    bool answered = packet->ordinal != FXT_I_PROVIDER_SPEC;

    if (customer->socket < 0 || request == NULL)
        return false;
    packet->transaction = answered ? ++customer->last : 0;
    uint64_t size = fxt_i_controller_write(bytes, packet, names);
    FUZZ_CHECK(size > 0);
    if (fxt_i_socket_send(customer->socket, bytes, size, &descriptor, descriptor >= 0) != 0)
        return false;
    if (answered)
        *request = (struct fuzz_request){customer->last, packet->ordinal, outlet};
    return true;
}

static void receive(struct fuzz_customer *customer, const struct fxt_i_controller_packet *packet,
                    void (*done)(const struct fuzz_request *request, uint64_t error))
{
    struct fuzz_request *request =
        packet->transaction != 0 ? find(customer, packet->transaction) : NULL;
    bool alert = packet->ordinal == FXT_I_ALERTED;

    if (packet->transaction != 0 && customer->honest)
        FUZZ_CHECK(request != NULL && alert == (request->ordinal == FXT_I_WATCH_ALERT));
    if (request == NULL || (packet->ordinal != FXT_I_DONE && !alert))
        return;
    if (packet->ordinal == FXT_I_DONE)
        done(request, packet->numbers[0]);
    request->transaction = 0;
}

void fuzz_customer_listen(struct fuzz_customer *customer,
                          void (*done)(const struct fuzz_request *request, uint64_t error))
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_controller_packet packet;
    struct fxt_error error;
    size_t size;

    while (customer->socket >= 0) {
        int failed =
            fxt_i_socket_receive(customer->socket, bytes, sizeof bytes, &size, descriptors);
        if (failed == EAGAIN)
            return;
        if (failed != 0) {
            FUZZ_CHECK(failed == EPIPE && !customer->honest);
            fuzz_customer_close(customer);
            return;
        }
        FUZZ_CHECK(descriptors[0] < 0);
        FUZZ_CHECK(fxt_i_controller_read(&packet, bytes, size, FXT_I_OF_SERVICE, &error) == FXT_OK);
        receive(customer, &packet, done);
    }
}

bool fuzz_customer_waits(const struct fuzz_customer *customer, uint16_t ordinal)
{
    for (unsigned i = 0; customer->socket >= 0 && i < FUZZ_REQUESTS; i++) {
        const struct fuzz_request *it = &customer->requests[i];
        if (it->transaction != 0 &&
            (ordinal != 0 ? it->ordinal == ordinal : it->ordinal != FXT_I_WATCH_ALERT))
            return true;
    }
    return false;
}
