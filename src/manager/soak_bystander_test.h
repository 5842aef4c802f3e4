/* A process that does what nobody should: clients that say nothing, clients and providers that say
   what they may not, providers that scribble on their buffers and flood the manager with alerts. */
#ifndef FXT_MANAGER_SOAK_BYSTANDER_TEST_H
#define FXT_MANAGER_SOAK_BYSTANDER_TEST_H

#include "src/manager/raw_test.h"
#include "src/manager/soak_program_test.h"

#define SOCKETS_MAX 40 /* more than a manager lets in */
#define INTRUDERS_MAX 3

/* A connection that the manager may refuse or close. */
static inline int knock(const char *where)
{
    int it;
    return fxt_i_socket_connect(&it, directory, where, true) == 0 ? it : -1;
}

static inline void babble(int descriptor)
{
    uint8_t bytes[256];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)draw(256);
    (void)raw_send(descriptor, bytes, 1 + draw(sizeof bytes));
}

static inline void intrude(struct raw *it)
{
    memset(it, 0, sizeof *it);
    it->fifo = -1;
    it->file = -1;
    it->socket = knock(FXT_I_REGISTRY);
    if (it->socket >= 0)
        (void)raw_try_to_register(it, "\x1b]0;intruder\x07");
}

/* Takes its place in a session, or harms what it has. */
static inline void misbehave(struct raw *it)
{
    struct fxt_i_packet packet;

    if (it->socket < 0)
        return;
    if (it->buffer == NULL) {
        if (raw_hear(it, &packet, 1) && it->buffer != NULL) {
            raw_begin_buffer(it, (enum trace_mode)packet.choice);
            (void)raw_say(it, FXT_I_STARTED, 0, 0);
        }
        return;
    }
    for (int i = 0; i < 64; i++)
        it->buffer[draw(draw(4) == 0 ? FXT_BUFFER_HEADER_BYTES : it->bytes)] = (uint8_t)draw(256);
    if (draw(3) == 0)
        for (int i = 0; i < 100; i++)
            (void)raw_say(it, FXT_I_ALERT, 0, 0);
    if (draw(20) == 0)
        babble(it->fifo);
}

static inline void be_bystander(uint64_t own_seed)
{
    int silent[SOCKETS_MAX];
    struct raw intruders[INTRUDERS_MAX];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    seed = own_seed;
    int count = draw(2) == 0 ? SOCKETS_MAX : (int)draw(8);
    for (int i = 0; i < count; i++)
        silent[i] = knock(draw(4) == 0 ? FXT_I_REGISTRY : FXT_I_CONTROLLER);
    for (int i = 0; i < INTRUDERS_MAX; i++)
        intrude(&intruders[i]);
    for (;;) {
        misbehave(&intruders[draw(INTRUDERS_MAX)]);
        if (draw(50) == 0 && count > 0)
            babble(silent[draw((uint64_t)count)]);
        usleep(1000);
    }
}

#endif
