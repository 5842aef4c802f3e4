/* A whole session: providers, clients and a manager in this process, over real sockets, as a script
   says. Each word of the input is a step of the script:

     byte 0  enum step, modulo their number
     byte 1  whom: an actor, a customer or an outlet; bit 7: the manager's loop does not turn behind it
     byte 2  what exactly
     byte 4  how many

   The manager never crashes, spins, leaves a request without an answer, or keeps a descriptor or a
   buffer. Each archive is well-formed. It holds an event of an honest provider at most once, and
   exactly once if section 6 of spec/system.md says that it has to be there and nobody harmed the
   output. */
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/session/actor.h"
#include "fuzz/session/customer.h"
#include "fuzz/session/outlet.h"
#include "fuzz/session/stage.h"

#define STEP_BYTES 8
#define STEPS_MAX 256
#define CUSTOMERS 4
#define UNKNOWN FUZZ_OUTLETS      /* an outlet that was closed before anybody saw whose it is */
#define INTO_SESSION FUZZ_OUTLETS /* the bit of a flush that has no outlet */

enum step {
    CONNECT,
    REGISTER,
    LISTEN,
    WRITE,
    DEFINE,
    SWITCH,
    FINISH,
    LEAVE,
    ALERT,
    BREAK,
    CALL,
    ASK,
    HEAR,
    HANG_UP,
    BLUNDER,
    TURN,
    SETTLE,
    PASS,
    READ,
    HARM,
    QUIT,
    STEPS
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct trace_manager *manager;
static struct fuzz_actor actors[FUZZ_ACTORS];
static unsigned actor_count;
static struct fuzz_customer customers[CUSTOMERS];
static struct fuzz_outlet outlets[FUZZ_OUTLETS + 1];
static unsigned outlet_count;

/* The session after the last turn. */
static struct seen {
    int outlet; /* -1: no session */
    enum trace_session_state state;
    bool results, written;
} last;

/* The model. */

static void promise(unsigned outlet)
{
    for (unsigned i = 0; i < actor_count && outlet != UNKNOWN; i++) {
        struct fuzz_actor *it = &actors[i];
        if (it->honest && !it->slow && !it->over && it->header.total_size != 0)
            fuzz_actor_mark(it, outlet);
    }
}

static bool is_known(int outlet)
{
    return outlet >= 0 && outlet != UNKNOWN;
}

/* The actor may receive it when the next session has begun. */
static void promise_saved(struct fuzz_actor *actor, const struct fuzz_half *half)
{
    int outlet = actor->over ? actor->outlet : last.outlet;

    for (uint32_t i = half->first; is_known(outlet) && actor->honest && i < half->next; i++)
        actor->marks[i] |= (uint8_t)(1u << outlet);
}

static int outlet_of(const struct fxt_i_session *session)
{
    struct stat it;

    if (session == NULL)
        return -1;
    bool another = last.outlet < 0 || (last.state == TRACE_SESSION_TERMINATING &&
                                       session->state != TRACE_SESSION_TERMINATING);
    if (session->archive->output < 0 || fstat(session->archive->output, &it) != 0)
        return another ? UNKNOWN : last.outlet;
    for (unsigned i = 0; i < outlet_count; i++)
        if (outlets[i].device == it.st_dev && outlets[i].inode == it.st_ino)
            return (int)i;
    fuzz_broken(__FILE__, __LINE__, "a session has an output that a client gave");
}

static void end_session(void)
{
    if (last.state == TRACE_SESSION_TERMINATING && last.results)
        promise((unsigned)last.outlet);
    for (unsigned i = 0; i < actor_count; i++) {
        if (!actors[i].over)
            actors[i].outlet = last.outlet;
        actors[i].over = true;
    }
}

/* While all keep the rules and listen, nobody is taken out of the session. */
static void judge(const struct fxt_i_session *session)
{
    for (unsigned i = 0; i < actor_count; i++)
        if (!actors[i].honest || actors[i].slow)
            return;
    for (const struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        FUZZ_CHECK(!it->misbehaved);
}

/* After each turn of the loop. */
static void look(void)
{
    const struct fxt_i_session *session = manager->session;
    struct seen now = {.outlet = outlet_of(session)};

    if (last.outlet >= 0 && now.outlet != last.outlet)
        end_session();
    if (session != NULL) {
        now.state = session->state;
        now.results = session->write_results;
        now.written = session->clear_next;
        outlets[now.outlet].used = true;
        judge(session);
        if (session->archive->error != 0)
            FUZZ_CHECK(outlets[now.outlet].harmed);
        if (now.written && !last.written && now.outlet == last.outlet)
            promise((unsigned)now.outlet);
    }
    last = now;
}

static void turn(void)
{
    fuzz_stage_turn();
    look();
}

/* Who has not answered by now may be late. So may an output that takes nothing. */
static void pass(uint64_t ms)
{
    const struct fxt_i_session *session = manager->session;

    for (unsigned i = 0; i < actor_count; i++) {
        fuzz_actor_unmark(&actors[i], fuzz_actor_flushes);
        if (last.state >= TRACE_SESSION_STOPPING)
            fuzz_actor_pass(&actors[i]);
    }
    if (session != NULL && session->archive->stall != NULL)
        outlets[last.outlet].harmed = true;
    for (unsigned i = 0; i < outlet_count; i++)
        if (session != NULL && session->snapshot != NULL)
            outlets[i].harmed |= !outlets[i].used;
    fuzz_stage_pass(ms);
}

/* Clients. */

static void on_done(const struct fuzz_request *request, uint64_t error)
{
    unsigned bit = request->outlet >= 0 ? (unsigned)request->outlet : INTO_SESSION;

    if (request->ordinal != FXT_I_FLUSH_BUFFERS)
        return;
    fuzz_actor_flushes &= ~(1u << bit);
    if (request->outlet >= 0 && error == 0)
        outlets[bit].used = true;
    for (unsigned i = 0; i < actor_count; i++) {
        struct fuzz_actor *it = &actors[i];
        for (uint32_t k = 0;
             bit == INTO_SESSION && is_known(last.outlet) && error == 0 && k < it->next; k++)
            if ((it->marks[k] >> INTO_SESSION & 1) != 0 && it->honest && !it->slow)
                it->marks[k] |= (uint8_t)(1u << last.outlet);
        if (bit == INTO_SESSION || error != 0)
            fuzz_actor_unmark(it, 1u << bit);
    }
}

static void receive(struct fuzz_customer *customer)
{
    fuzz_customer_listen(customer, on_done);
}

static int new_outlet(uint8_t choice, int *descriptor)
{
    if (outlet_count == FUZZ_OUTLETS)
        return -1;
    fuzz_outlet_open(&outlets[outlet_count], choice % FUZZ_OUTLET_KINDS, descriptor);
    return (int)outlet_count++;
}

static void initialize(struct fuzz_customer *customer, const uint8_t *step)
{
    static const struct fxt_bytes names[] = {{(const uint8_t *)"net:*", 5}};
    static const uint64_t timeouts[] = {0, 1000, 60000};
    uint64_t mode = 1 + step[3] % 3;
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_INITIALIZE_TRACING,
                                             .name_count = step[5] & 1};
    int given = -1;
    int outlet = (step[5] & 2) == 0 ? new_outlet(step[4], &given) : -1;

    packet.numbers[0] = mode;
    packet.numbers[1] = 1;
    packet.numbers[2] = timeouts[step[6] % 3];
    packet.numbers[3] = (step[5] & 4) != 0;
    packet.numbers[4] = timeouts[step[7] % 3];
    fuzz_customer_ask(customer, &packet, names, given, outlet);
    if (given >= 0)
        close(given);
}

/* Every event whose call has returned has to be there. */
static void flush(struct fuzz_customer *customer, const uint8_t *step)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_FLUSH_BUFFERS};
    int given = -1;
    int outlet = (step[5] & 1) == 0 ? new_outlet(step[4], &given) : -1;
    unsigned bit = outlet >= 0 ? (unsigned)outlet : INTO_SESSION;

    if ((fuzz_actor_flushes >> bit & 1) == 0 &&
        fuzz_customer_ask(customer, &packet, NULL, given, outlet)) {
        fuzz_actor_flushes |= 1u << bit;
        for (unsigned i = 0; i < actor_count; i++)
            if (actors[i].tracing && actors[i].honest && !actors[i].slow)
                fuzz_actor_mark(&actors[i], bit);
    }
    if (given >= 0)
        close(given);
}

/* An actor that does not listen finds its socket full at some time. */
static void start(struct fuzz_customer *customer, const uint8_t *step)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_START_TRACING,
                                             .numbers = {1 + step[3] % 3}};

    fuzz_customer_ask(customer, &packet, NULL, -1, -1);
    for (unsigned i = 0; i < actor_count; i++)
        actors[i].slow |= ++actors[i].unheard > 4;
}

static void ask(struct fuzz_customer *customer, const uint8_t *step)
{
    static const struct fxt_bytes spec[] = {{(const uint8_t *)"a1", 2}, {(const uint8_t *)"x", 1}};
    uint16_t ordinal = (uint16_t)(FXT_I_PROVIDER_SPEC + step[2] % 10);
    struct fxt_i_controller_packet packet = {.ordinal = ordinal};

    switch (ordinal) {
    case FXT_I_INITIALIZE_TRACING:
        initialize(customer, step);
        return;
    case FXT_I_START_TRACING:
        start(customer, step);
        return;
    case FXT_I_FLUSH_BUFFERS:
        flush(customer, step);
        return;
    case FXT_I_PROVIDER_SPEC:
        packet.name_count = 1 + (step[3] & 1);
        packet.numbers[0] = 2;
        break;
    case FXT_I_STOP_TRACING:
    case FXT_I_TERMINATE_TRACING:
        packet.numbers[0] = step[3] & 1;
        break;
    default:
        break;
    }
    fuzz_customer_ask(customer, &packet, spec, -1, -1);
}

static void call(struct fuzz_customer *customer, bool adopted)
{
    if (customer->socket < 0)
        fuzz_customer_open(customer,
                           adopted ? trace_manager_connect(manager) : fuzz_stage_connect(false));
}

/* What breaks the rules of a packet: bytes of the script, or half a connection. */
static void blunder(struct fuzz_customer *customer, const uint8_t *step)
{
    if (customer->socket < 0)
        return;
    customer->honest = false;
    if ((step[2] & 1) != 0)
        shutdown(customer->socket, (step[2] & 2) != 0 ? SHUT_RD : SHUT_WR);
    else
        fxt_i_socket_send(customer->socket, step, STEP_BYTES, (const int[]){0, 1},
                          (step[2] >> 6) % 3u);
}

/* Providers that break rules. */

static void scribble(struct fuzz_actor *actor, const uint8_t *step)
{
    uint64_t at = 8u * (step[4] + 256u * step[5]);

    if (actor->buffer == NULL)
        return;
    if ((step[3] & 3) == 0)
        at %= FXT_BUFFER_HEADER_BYTES;
    memcpy(actor->buffer + at % actor->bytes, step, STEP_BYTES);
    if ((step[3] & 3) == 1)
        memset(actor->buffer + at % actor->bytes, step[6], actor->bytes - at % actor->bytes);
}

static void say_by_fifo(const struct fuzz_actor *actor, const uint8_t *step)
{
    const struct fxt_i_fifo packet = {.request = (uint16_t)(1 + step[3] % 3),
                                      .wrapped_count = step[4],
                                      .durable_data_end = 8u * step[5]};
    uint8_t bytes[FXT_I_FIFO_BYTES];

    fxt_i_fifo_write(bytes, &packet);
    if ((step[3] & 0x80) != 0)
        bytes[step[6] % FXT_I_FIFO_BYTES] ^= step[7];
    if (actor->fifo >= 0)
        fxt_i_socket_send(actor->fifo, bytes, (step[3] & 0x40) != 0 ? step[6] % 16 : 16,
                          (const int[]){0, 1}, step[3] >> 4 & 1);
}

static void misbehave(struct fuzz_actor *actor, const uint8_t *step)
{
    actor->honest = false;
    switch (step[2] % 4) {
    case 0:
        scribble(actor, step);
        break;
    case 1:
        say_by_fifo(actor, step);
        break;
    case 2:
        if (actor->socket >= 0)
            fxt_i_socket_send(actor->socket, step, 1 + step[3] % STEP_BYTES, (const int[]){0, 1},
                              step[3] >> 6 & 1);
        break;
    default:
        if (actor->fifo >= 0)
            shutdown(actor->fifo, step[3] % 3);
        break;
    }
}

static void leave(struct fuzz_actor *actor, bool session_only)
{
    if (!session_only) {
        fuzz_actor_close(actor);
    } else if (actor->fifo >= 0) {
        close(actor->fifo);
        actor->fifo = -1;
        actor->tracing = false;
    }
}

/* The script. */

static void connect_actor(const uint8_t *step)
{
    if (actor_count == FUZZ_ACTORS)
        return;
    fuzz_actor_open(&actors[actor_count], actor_count, (step[2] & 1) != 0, step[2] % 4 == 3);
    actor_count++;
}

static void do_actor(struct fuzz_actor *actor, enum step what, const uint8_t *step)
{
    switch (what) {
    case REGISTER: /* twice is a mistake */
        actor->honest &= !actor->registered;
        fuzz_actor_register(actor, (step[2] & 1) != 0);
        break;
    case LISTEN:
        fuzz_actor_listen(actor);
        break;
    case WRITE:
        fuzz_actor_write(actor, (1u + step[4]) << (step[2] % 6));
        break;
    case DEFINE:
        fuzz_actor_define(actor);
        break;
    case SWITCH:
        fuzz_actor_switch(actor);
        break;
    case FINISH:
        fuzz_actor_finish(actor);
        break;
    case LEAVE:
        leave(actor, (step[2] & 1) != 0);
        break;
    case ALERT:
        fuzz_actor_alert(actor, step + 2, (uint16_t)(1 + step[2] % 6));
        break;
    default:
        misbehave(actor, step);
        break;
    }
}

static void do_customer(struct fuzz_customer *customer, enum step what, const uint8_t *step)
{
    switch (what) {
    case CALL:
        call(customer, (step[2] & 1) != 0);
        break;
    case ASK:
        ask(customer, step);
        break;
    case HEAR:
        receive(customer);
        break;
    case HANG_UP:
        fuzz_customer_close(customer);
        break;
    default:
        blunder(customer, step);
        break;
    }
}

static void do_manager(enum step what, const uint8_t *step)
{
    static const uint64_t times[] = {200, 300, 1000, 5000, 60000};
    struct fuzz_outlet *outlet =
        outlet_count > 0 ? &outlets[(step[1] & 0x7f) % outlet_count] : NULL;

    if (what == TURN)
        for (unsigned i = 0; i < step[2] % 8u; i++)
            turn();
    else if (what == SETTLE)
        fuzz_stage_settle(look);
    else if (what == PASS)
        pass(times[step[2] % 5]);
    else if (what == READ && outlet != NULL)
        fuzz_outlet_read(outlet, 1u + step[4] + 256u * step[5]);
    else if (what == HARM && outlet != NULL)
        fuzz_outlet_harm(outlet);
    else if (what == QUIT)
        trace_manager_quit(manager);
}

static void do_step(const uint8_t *step)
{
    enum step what = (enum step)(step[0] % STEPS);
    unsigned whom = step[1] & 0x7f;

    if (what == CONNECT)
        connect_actor(step);
    else if (what <= BREAK && actor_count > 0)
        do_actor(&actors[whom % actor_count], what, step);
    else if (what >= CALL && what <= BLUNDER)
        do_customer(&customers[whom % CUSTOMERS], what, step);
    else
        do_manager(what, step);
    if ((step[1] & 0x80) == 0)
        turn();
}

/* The end. */

static void everybody_listens(void)
{
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < actor_count; i++)
            fuzz_actor_listen(&actors[i]);
        for (unsigned i = 0; i < outlet_count; i++)
            fuzz_outlet_read(&outlets[i], SIZE_MAX);
        fuzz_stage_settle(look);
        for (unsigned i = 0; i < CUSTOMERS; i++)
            receive(&customers[i]);
    }
}

/* A large archive goes through a small pipe. */
static bool is_writing(void)
{
    const struct fxt_i_session *it = manager->session;
    return it != NULL &&
           (it->archive->first != NULL || (it->snapshot != NULL && it->snapshot->first != NULL));
}

static void drain(void)
{
    everybody_listens();
    for (unsigned i = 0; i < 10000 && is_writing(); i++) {
        for (unsigned k = 0; k < outlet_count; k++)
            fuzz_outlet_read(&outlets[k], SIZE_MAX);
        turn();
    }
    everybody_listens();
}

static void everybody_is_answered(void)
{
    for (unsigned i = 0; i < 3; i++) {
        drain();
        pass(UINT32_MAX);
    }
    drain();
    for (unsigned i = 0; i < CUSTOMERS; i++)
        FUZZ_CHECK(!customers[i].honest || !fuzz_customer_waits(&customers[i], 0));
}

static void everybody_leaves(void)
{
    for (unsigned i = 0; i < CUSTOMERS; i++)
        fuzz_customer_close(&customers[i]);
    drain();
    pass(UINT32_MAX);
    drain();
    FUZZ_CHECK(manager->session == NULL);
    for (unsigned i = 0; i < actor_count; i++)
        fuzz_actor_forget(&actors[i]);
    fuzz_stage_settle(look);
}

static void on_event(void *self, unsigned number, uint64_t event)
{
    (void)self;
    if (number >= actor_count || !actors[number].honest)
        return;
    FUZZ_CHECK(event < actors[number].next);
    FUZZ_CHECK(actors[number].seen[event] == 0);
    actors[number].seen[event] = 1;
}

static void check_outlet(unsigned number)
{
    struct fuzz_outlet *outlet = &outlets[number];

    for (unsigned i = 0; i < actor_count; i++)
        memset(actors[i].seen, 0, actors[i].next);
    fuzz_outlet_judge(outlet, on_event, NULL);
    for (unsigned i = 0; i < actor_count && outlet->used && !outlet->harmed; i++)
        for (uint32_t k = 0; k < actors[i].next && actors[i].honest; k++)
            FUZZ_CHECK(actors[i].seen[k] == 1 || (actors[i].marks[k] >> number & 1) == 0);
}

static void begin(void)
{
    manager = fuzz_stage_open();
    actor_count = 0;
    outlet_count = 0;
    last = (struct seen){.outlet = -1};
    fuzz_actor_flushes = 0;
    fuzz_actor_saved = promise_saved;
    outlets[UNKNOWN].harmed = true;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        customers[i].socket = -1;
}

static void end(void)
{
    for (unsigned i = 0; i < outlet_count; i++) {
        check_outlet(i);
        fuzz_outlet_close(&outlets[i]);
    }
    fuzz_stage_close();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < STEP_BYTES || size > STEPS_MAX * STEP_BYTES)
        return 0;
    begin();
    for (size_t at = 0; at + STEP_BYTES <= size; at += STEP_BYTES)
        do_step(bytes + at);
    everybody_is_answered();
    everybody_leaves();
    end();
    return 0;
}
