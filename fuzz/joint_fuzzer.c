/* The shipped engine, provider, manager and client in one process, in an order that the input selects:
   each access of the engine to memory that others see, each word that the manager copies out of the
   buffer and each system call that waits is a step of the explorer (proofs/interleave).

   The input: a head of HEAD bytes, then steps of STEP_BYTES: what (enum step), whom and how. Steps
   of one thread are done in their order. The client begins a session before its steps, and ends it
   behind them, when the writers have ended.

     byte 0  buffering mode; bit 6: steps of writers do not wait for the start; bit 7: fences are not light
     byte 1  pages of the buffer, how many writers, and the density of the schedule
     byte 2  seed of the schedule, to byte 3
     byte 4  when the program is killed, to byte 5; 0: never
     byte 6  how fast time goes
     byte 7  old values that may be seen

   Each event that was recorded is in the archive exactly once, in the order of its thread; in circular
   mode, the last ones are. No event that was dropped is there, and their number is told. Each request
   succeeds, the archive conforms, and nothing is left behind. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "fuzz/joint/law.h"
#include "fuzz/joint/world.h"
#include "fuzz/lib/oracle.h"
#include "src/engine/engine.h"
#include "src/provider/provider.h"
#include "src/socket/socket.h"

enum { HEAD = 8, STEP_BYTES = 3, STEPS_MAX = 128 };

enum step {
    EVENT, /* by a call site */
    NAMED, /* an event with a name of its own; which */
    BLOB,  /* how large */
    BURST, /* of events; how many */
    PAUSE, /* others go on; how often */
    AWAIT, /* until tracing is on */
    FLUSH, /* client: into an archive of its own; odd: into the session's, in streaming mode */
    STOP,  /* client: odd: the results are written */
    START, /* client: the disposition */
    LAPSE, /* client: others go on */
    STEPS
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
uint64_t joint_digest(void);

static struct {
    enum trace_mode mode;
    uint32_t pages;
    int writers;
    int stales;
    bool eager;
    const uint8_t *steps;
    size_t count;
} script;

/* What is there once. */
static char directory[FXT_I_DIRECTORY_MAX];
static int registry, controller; /* that listen */

/* A run. */
static struct {
    trace_manager_t *manager;
    async_loop_t *loop;
    int wake; /* of that loop */
    trace_provider_t *provider;
    trace_controller_t *client;
    int outputs[LAW_ARCHIVES];
    unsigned archives;
    int ended; /* writers that have */
    bool over; /* the client has ended */
    int starts;
    bool written; /* at the last stop */
    bool told;    /* the statistics of the program */
    struct trace_provider_statistics statistics;
    struct fxt_buffer_header header; /* when it was killed */
    uint64_t returned_drops;         /* in calls that have returned */
    uint64_t digest;
    int descriptors;
} run;

/* Writers. */

static struct trace_i_site sites[2];

static bool is_on(void)
{
    return fxt_i_engine.state.value == TRACE_STARTED;
}

/* Only then do all call sites know. */
static bool has_begun(void)
{
    return is_on() && fxt_i_engine.start_notified;
}

static void write_site(int id)
{
    static const char *const names[] = {"e"};
    struct trace_i_site *site = &sites[id & 1];
    const trace_arg_value_t values[] = {trace_make_uint32_arg_value((uint32_t)id)};

    site->names = names;
    if (trace_i_on(site, "e"))
        trace_i_event(site, "e", "e", FXT_EVENT_INSTANT, TRACE_SCOPE_THREAD, values, 1);
}

/* In oneshot mode, this program leaves out an event when a string finds no room. */
static void write_named(int id)
{
    struct law_event *event = &law_events[id];
    trace_string_ref_t refs[2];
    trace_thread_ref_t thread;
    char name[64];
    uint32_t length = law_name(name, event->text);
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    trace_context_register_string_literal(context, "e", &refs[0]);
    trace_context_register_string_copy(context, name, length, &refs[1]);
    trace_context_register_current_thread(context, &thread);
    const trace_arg_t args[] = {trace_make_arg(refs[0], trace_make_uint32_arg_value((uint32_t)id))};
    if (refs[0].encoded_value == 0 || refs[1].encoded_value == 0)
        event->excused = true;
    else
        trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &refs[0],
                                                 &refs[1], TRACE_SCOPE_THREAD, args, 1);
    trace_release_context(context);
}

/* Of several chunks, where an event has one. */
static void write_blob(int id)
{
    static uint8_t payloads[WORLD_THREADS][LAW_BLOB_MAX];
    uint8_t *payload = payloads[x_this_thread()];
    const trace_string_ref_t name = trace_make_inline_string_ref("b", 1);
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    law_payload(payload, (uint32_t)id);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, payload,
                                    law_events[id].bytes);
    trace_release_context(context);
}

static uint32_t wrapped_now(void)
{
    return (uint32_t)(fxt_i_engine.position.value >> 32);
}

static void do_event(uint32_t text, uint32_t bytes)
{
    uint64_t drops = fxt_i_this_thread.drops;
    uint32_t generation = fxt_i_engine.generation;
    int starts = run.starts;
    int old = x_old_values();
    bool on = has_begun();
    int id = law_add((struct law_event){
        .thread = x_this_thread(), .text = text, .bytes = bytes, .wrapped = wrapped_now()});

    if (id < 0)
        return;
    if (bytes != 0)
        write_blob(id);
    else if (text == 0)
        write_site(id);
    else
        write_named(id);
    struct law_event *event = &law_events[id];
    uint64_t more = fxt_i_this_thread.drops - drops;
    event->dropped = more > 0;
    event->excused = event->excused || !on || !is_on() || starts != run.starts ||
                     generation != fxt_i_engine.generation || old != x_old_values();
    event->returned = true;
    run.returned_drops += more;
    if (more > 1)
        x_fail("event %d is dropped %u times", id, (unsigned)more);
}

static void await_start(void)
{
    while (!is_on() && !run.over)
        world_wait();
}

static void do_writing(enum step what, uint8_t how)
{
    if (what == EVENT)
        do_event(0, 0);
    else if (what == NAMED)
        do_event(1 + how % 12u, 0);
    else if (what == BLOB)
        do_event(0, 8 * (1 + how % 128u));
    else if (what == AWAIT)
        await_start();
    for (uint32_t i = 0; what == BURST && i <= how; i++)
        do_event(0, 0);
    for (uint32_t i = 0; what == PAUSE && i <= how % 16u; i++)
        world_wait();
}

static void run_writer(int writer)
{
    if (!script.eager)
        await_start();
    for (size_t i = 0; writer < script.writers && i < script.count; i++) {
        const uint8_t *step = script.steps + i * STEP_BYTES;
        if (step[0] % STEPS < FLUSH && step[1] % script.writers == writer)
            do_writing((enum step)(step[0] % STEPS), step[2]);
    }
    run.ended++;
}

/* The client. */

static int new_output(void)
{
    int it = memfd_create("archive", MFD_CLOEXEC);
    FUZZ_CHECK(it >= 0);
    run.outputs[run.archives++] = it;
    return it;
}

static void must_succeed(const char *request, int error)
{
    if (error != 0)
        x_fail("%s fails: %s", request, trace_controller_error_text(error));
}

static void flush(uint8_t how)
{
    if ((how & 1) != 0) {
        int error = trace_controller_flush(run.client, -1);
        if (script.mode == TRACE_MODE_STREAMING)
            must_succeed("flush", error);
        return;
    }
    if (run.archives == LAW_ARCHIVES)
        return;
    unsigned archive = run.archives;
    int output = new_output();
    if (script.mode == TRACE_MODE_ONESHOT)
        law_promise(archive);
    must_succeed("flush", trace_controller_flush(run.client, output));
}

static void start(enum trace_disposition disposition)
{
    if (disposition != TRACE_DISPOSITION_RETAIN || run.written)
        law_clear(run.written);
    run.starts++;
    must_succeed("start", trace_controller_start(run.client, disposition, NULL, 0));
    run.starts++;
}

static void do_request(enum step what, uint8_t how)
{
    struct trace_status status;

    for (uint32_t i = 0; what == LAPSE && i <= how; i++)
        world_wait();
    if (what == LAPSE)
        return;
    must_succeed("status", trace_controller_get_status(run.client, &status));
    if (what == FLUSH && status.state == TRACE_SESSION_STARTED) {
        flush(how);
    } else if (what == STOP && status.state == TRACE_SESSION_STARTED) {
        must_succeed("stop", trace_controller_stop(run.client, how & 1, NULL, NULL));
        run.written = (how & 1) != 0;
    } else if (what == START && status.state == TRACE_SESSION_STOPPED) {
        start((enum trace_disposition)(1 + how % 3));
    }
}

static void on_provider(void *data, const struct trace_provider_info *it)
{
    (void)it;
    ++*(int *)data;
}

static void on_statistics(void *data, const struct trace_provider_statistics *it)
{
    (void)data;
    if (run.told)
        x_fail("there are two providers");
    run.told = true;
    run.statistics = *it;
}

static void begin_session(void)
{
    const struct trace_config config = {.mode = script.mode, .buffer_megabytes = script.pages};
    int providers = 0;

    must_succeed("connect", trace_controller_connect(directory, &run.client));
    while (providers == 0 && !world_is_dead()) {
        must_succeed("providers",
                     trace_controller_get_providers(run.client, on_provider, &providers));
        world_wait();
    }
    must_succeed("initialize", trace_controller_initialize(run.client, &config, new_output()));
    start(TRACE_DISPOSITION_CLEAR_ENTIRE);
}

static void run_client(void)
{
    begin_session();
    for (size_t i = 0; i < script.count; i++) {
        const uint8_t *step = script.steps + i * STEP_BYTES;
        if (step[0] % STEPS >= FLUSH)
            do_request((enum step)(step[0] % STEPS), step[2]);
    }
    run.over = true;
    while (run.ended < WORLD_WRITERS && !world_is_dead())
        world_wait();
    must_succeed("terminate", trace_controller_terminate(run.client, true, on_statistics, NULL));
    trace_controller_destroy(run.client);
    trace_manager_quit(run.manager);
    if (!world_is_dead())
        async_loop_quit(run.loop);
}

/* The program's end by a signal. */

static void free_loop(void)
{
    free(run.loop);
    close(run.wake);
    run.loop = NULL;
}

static void on_death(void)
{
    struct fxt_error error;
    uint8_t *buffer = run.provider->buffer;
    uint64_t bytes = run.provider->buffer_bytes;

    if (buffer != NULL) {
        if (fxt_buffer_read_header(&run.header, buffer, bytes, bytes, &error) != FXT_OK)
            memset(&run.header, 0, sizeof run.header);
        munmap(buffer, bytes);
    }
    fxt_i_categories_clear(&run.provider->categories);
    world_forget_provider();
    trace_provider_destroy(run.provider);
    free_loop();
}

/* A run. */

static void run_thread(int thread)
{
    if (thread == WORLD_DISPATCHER)
        async_loop_run(run.loop, ZX_TIME_INFINITE, false);
    else if (thread == WORLD_MANAGER)
        trace_manager_run(run.manager);
    else if (thread == WORLD_CLIENT)
        run_client();
    else
        run_writer(thread - WORLD_WRITER);
    world_leave();
}

static void make_program(void)
{
    run.wake = dup(0);
    close(run.wake); /* the next descriptor that is made */
    FUZZ_CHECK(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &run.loop) == ZX_OK);
    run.provider = trace_provider_create_with_name(world_dispatcher(run.loop), "joint");
    FUZZ_CHECK(run.provider != NULL);
    world_may_die(on_death);
}

/* What the engine does at its first use is no part of a run. */
static zx_status_t refuse_task(async_dispatcher_t *self, async_task_t *task)
{
    (void)self;
    (void)task;
    return ZX_ERR_BAD_STATE;
}

static void use_engine_once(void)
{
    static bool used;
    static const struct async_ops ops = {.post_task = refuse_task};
    static async_dispatcher_t dispatcher = {&ops};
    static trace_handler_t handler;
    static uint64_t buffer[512];

    if (!used)
        trace_engine_initialize(&dispatcher, &handler, TRACE_BUFFERING_MODE_ONESHOT, buffer,
                                sizeof buffer);
    used = true;
}

static void begin(void)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char message[200];

    use_engine_once();
    x_forget_process();
    bool is_own = fxt_i_engine.is_own;
    memset(&fxt_i_engine, 0, offsetof(struct fxt_i_engine, rest_of_page));
    fxt_i_engine.is_own = is_own;
    memset(sites, 0, sizeof sites);
    x_forget_own();
    law_begin();
    options.registry = fcntl(registry, F_DUPFD_CLOEXEC, 0);
    options.controller = fcntl(controller, F_DUPFD_CLOEXEC, 0);
    FUZZ_CHECK(trace_manager_create(&options, &run.manager, message) == 0);
    make_program();
}

static void end_program(void)
{
    async_loop_reset_quit(run.loop);
    trace_provider_destroy(run.provider);
    for (int i = 0; i < 100; i++) {
        async_loop_run_until_idle(run.loop);
        x_pass(1000000);
    }
    async_loop_destroy(run.loop);
}

static uint64_t all_drops(void)
{
    uint64_t all = 0;
    for (int i = WORLD_DISPATCHER; i <= WORLD_WRITERS; i++)
        all += ((const struct trace_context *)x_own(i))->drops;
    return all;
}

static void judge_statistics(void)
{
    const struct trace_provider_statistics *it = &run.statistics;
    bool dead = world_is_dead();

    if (!run.told) {
        if (!dead)
            x_fail("nothing is told of the provider");
        return;
    }
    if (it->misbehaved || it->timed_out || it->records_refused > 0)
        x_fail("the provider is told to have misbehaved");
    if (it->died && !dead)
        x_fail("the provider is told to have died");
    if (run.starts == 2 &&
        (it->records_dropped < run.returned_drops || it->records_dropped > all_drops()))
        x_fail("%u events are told as dropped, but %u were", (unsigned)it->records_dropped,
               (unsigned)all_drops());
}

static void judge_archive(unsigned number)
{
    off_t size = lseek(run.outputs[number], 0, SEEK_END);
    uint8_t *bytes = fuzz_need((size_t)size + 1, 1);
    struct law_ring ring = {.circular = script.mode == TRACE_MODE_CIRCULAR,
                            .wrapped = run.statistics.wrapped_count,
                            .both = true};

    if (world_is_dead()) {
        ring.wrapped = run.header.wrapped_count;
        ring.both = ring.wrapped > 0 && run.header.rolling_data_end[(ring.wrapped - 1) & 1] != 0;
    }
    FUZZ_CHECK(pread(run.outputs[number], bytes, (size_t)size, 0) == size);
    law_judge(number, bytes, (size_t)size, &ring);
    for (off_t i = 0; i < size; i++)
        run.digest = 31 * run.digest + bytes[i];
    free(bytes);
    close(run.outputs[number]);
}

static void refuse_late_ones(int listening)
{
    int it;
    while ((it = accept4(listening, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        close(it);
}

static void end(void)
{
    if (!world_is_dead())
        end_program();
    trace_manager_destroy(run.manager);
    refuse_late_ones(registry);
    refuse_late_ones(controller);
    if (script.mode != TRACE_MODE_CIRCULAR || run.starts == 2)
        law_promise(0);
    judge_statistics();
    run.digest = world_digest;
    for (unsigned i = 0; i < run.archives; i++)
        judge_archive(i);
}

uint64_t joint_digest(void)
{
    return run.digest;
}

/* Once. */

static void remove_directory(void)
{
    char path[2 * FXT_I_DIRECTORY_MAX];

    snprintf(path, sizeof path, "%s/%s", directory, FXT_I_REGISTRY);
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", directory, FXT_I_CONTROLLER);
    unlink(path);
    rmdir(directory);
}

static void prepare_once(void)
{
    static bool prepared;

    if (prepared)
        return;
    prepared = true;
    signal(SIGPIPE, SIG_IGN);
    setenv("TMPDIR", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", 1);
    snprintf(directory, sizeof directory, "/tmp/fxt-joint-%ld", (long)getpid());
    setenv("FXT_TRACE_DIR", directory, 1);
    atexit(remove_directory);
    FUZZ_CHECK(fxt_i_socket_make_directory(directory) == 0);
    FUZZ_CHECK(fxt_i_socket_listen(&registry, directory, FXT_I_REGISTRY) == 0);
    FUZZ_CHECK(fxt_i_socket_listen(&controller, directory, FXT_I_CONTROLLER) == 0);
}

static void do_script(const struct world_plan *plan)
{
    const struct x_program program = {
        .name = "script",
        .threads = WORLD_THREADS,
        .preemptions = 1000000,
        .stales = script.stales,
        .steps = 400000,
        .own = &fxt_i_this_thread,
        .own_bytes = sizeof fxt_i_this_thread,
        .begin = begin,
        .end = end,
        .run = run_thread,
    };

    memset(&run, 0, sizeof run);
    run.descriptors = fuzz_descriptors();
    world_begin(plan);
    x_run_once(&program, world_choose);
    if (fuzz_descriptors() != run.descriptors)
        x_fail("descriptors are left open");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint32_t densities[] = {1, 2, 3, 4, 5, 6, 8, 10};
    static const int64_t ticks[] = {1000, 100, 20000, 200000};
    static const int stales[] = {0, 2, 8, 100};

    if (size < HEAD)
        return 0;
    prepare_once();
    script.count = (size - HEAD) / STEP_BYTES;
    if (script.count > STEPS_MAX)
        script.count = STEPS_MAX;
    script.steps = bytes + HEAD;
    script.mode = (enum trace_mode)(1 + (bytes[0] & 0x3f) % 3);
    script.eager = (bytes[0] & 0x40) != 0;
    fxt_i_fences_are_light = (bytes[0] & 0x80) == 0;
    script.pages = 1 + (bytes[1] & 3u);
    script.writers = 1 + (bytes[1] >> 2 & 3) % WORLD_WRITERS;
    script.stales = stales[bytes[7] & 3];
    const struct world_plan plan = {
        .seed = 1 + bytes[2] + 256u * bytes[3],
        .density = densities[bytes[1] >> 5],
        .kill_after = bytes[4] + 256u * bytes[5],
        .tick_ns = ticks[bytes[6] & 3],
    };
    do_script(&plan);
    return 0;
}
