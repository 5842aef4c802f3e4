/* What a streaming trace costs: a provider that writes at a given rate, or as fast as it can, and a
   manager, each a process of its own; the archive goes to /dev/null, or through a socket to this
   process. For each second of a run the JSON has what the manager took of a processor, and its
   memory: its own, and the buffers'.

     bazel run -c opt //bench:system_bench -- [--seconds N] [--json] */
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <trace-controller/controller.h>
#include <trace-manager/manager.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

static int seconds = 5;
static bool json;

struct load {
    const char *name;
    uint32_t providers;
    uint32_t megabytes;  /* of a buffer */
    uint64_t per_second; /* events of each provider; 0: as fast as it can */
    bool arguments;      /* two of them */
    bool to_socket;
};

/* What the providers write down: shared with this process. */
static struct tally {
    uint64_t events[8];
    volatile bool stop;
} * tally;

static double now(void)
{
    struct timespec it;
    clock_gettime(CLOCK_MONOTONIC, &it);
    return (double)it.tv_sec + 1e-9 * (double)it.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "system_bench: %s\n", what);
    exit(1);
}

/* Providers. */

static uint64_t write_burst(uint64_t count, bool arguments)
{
    for (uint64_t i = 0; i < count; i++)
        if (arguments)
            TRACE_INSTANT("bench", "event", TRACE_SCOPE_THREAD, "i", TA_UINT64(i), "half",
                          TA_INT32(1));
        else
            TRACE_INSTANT("bench", "event", TRACE_SCOPE_THREAD);
    return count;
}

static void be_provider(const struct load *load, uint32_t number)
{
    async_loop_t *loop;
    uint64_t done = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK ||
        trace_provider_create(async_loop_get_dispatcher(loop)) == NULL)
        _exit(1);
    while (trace_state() != TRACE_STARTED)
        usleep(1000);
    double begin = now();
    while (!tally->stop) {
        if (load->per_second == 0) {
            done += write_burst(10000, load->arguments);
        } else {
            uint64_t due = (uint64_t)((now() - begin) * (double)load->per_second);
            if (due > done)
                done += write_burst(due - done, load->arguments);
            usleep(200);
        }
        tally->events[number] = done;
    }
    tally->events[number] = done;
    pause();
}

/* The manager. */

static trace_manager_t *manager;

static void quit(int number)
{
    (void)number;
    trace_manager_quit(manager);
}

static void be_manager(const char *directory, int ready)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char message[200];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    options.directory = directory;
    if (trace_manager_create(&options, &manager, message) != 0)
        fail(message);
    signal(SIGTERM, quit);
    if (write(ready, "x", 1) != 1)
        _exit(1);
    trace_manager_run(manager);
    trace_manager_destroy(manager);
    _exit(0);
}

static pid_t start_manager(const char *directory)
{
    int ready[2];
    char byte;

    if (pipe(ready) != 0)
        fail("no pipe");
    pid_t process = fork();
    if (process == 0)
        be_manager(directory, ready[1]);
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1)
        fail("no manager");
    close(ready[0]);
    return process;
}

/* Seconds of processor time so far. */
static double processor_time(pid_t process)
{
    char path[40];
    unsigned long user = 0;
    unsigned long system = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (file == NULL ||
        fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        fail("no processor time");
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* MiB of memory of its own, and that of the buffers. */
static double memory_of(pid_t process, const char *which)
{
    char path[40];
    char line[100];
    unsigned long kib = 0;

    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, which, strlen(which)) == 0)
            sscanf(line + strlen(which), "%lu", &kib);
    if (file != NULL)
        fclose(file);
    return (double)kib / 1024;
}

/* A run. */

static void *drain(void *descriptor)
{
    static char bytes[1 << 18];
    while (read(*(int *)descriptor, bytes, sizeof bytes) > 0)
        ;
    return NULL;
}

static void add_drops(void *data, const struct trace_provider_statistics *it)
{
    *(uint64_t *)data += it->records_dropped;
}

static void count_providers(void *data, const struct trace_provider_info *it)
{
    (void)it;
    ++*(uint32_t *)data;
}

static void wait_for_providers(trace_controller_t *controller, uint32_t wanted)
{
    uint32_t there = 0;
    while (there != wanted) {
        there = 0;
        usleep(1000);
        if (trace_controller_get_providers(controller, count_providers, &there) != 0)
            fail("the manager does not answer");
    }
}

#define SAMPLES_MAX 600

/* A second of a run. */
struct sample {
    double manager_percent;
    double anonymous_mib;
    double shared_mib;
};

struct result {
    struct sample samples[SAMPLES_MAX];
    int sample_count;
    double wall;
    double manager_time;
    double anonymous_mib;
    double shared_mib;
    uint64_t events;
    uint64_t dropped;
    uint64_t bytes;
};

static void take_sample(struct result *result, pid_t manager_process)
{
    struct sample *it = &result->samples[result->sample_count++];
    double begin = now();
    double time_before = processor_time(manager_process);

    memset(it, 0, sizeof *it);
    for (int i = 0; i < 10; i++) {
        usleep(100000);
        double anonymous = memory_of(manager_process, "RssAnon:");
        double shared = memory_of(manager_process, "RssShmem:");
        it->anonymous_mib = anonymous > it->anonymous_mib ? anonymous : it->anonymous_mib;
        it->shared_mib = shared > it->shared_mib ? shared : it->shared_mib;
    }
    it->manager_percent = 100 * (processor_time(manager_process) - time_before) / (now() - begin);
    result->anonymous_mib =
        it->anonymous_mib > result->anonymous_mib ? it->anonymous_mib : result->anonymous_mib;
    result->shared_mib = it->shared_mib > result->shared_mib ? it->shared_mib : result->shared_mib;
}

static void trace(const struct load *load, trace_controller_t *controller, pid_t manager_process,
                  int output, struct result *result)
{
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING,
                                        .buffer_megabytes = load->megabytes};
    struct trace_status status;

    if (trace_controller_initialize(controller, &config, output) != 0)
        fail("no session");
    close(output);
    wait_for_providers(controller, load->providers);
    double time_before = processor_time(manager_process);
    if (trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0) != 0)
        fail("no start");
    double begin = now();
    for (int i = 0; i < seconds; i++)
        take_sample(result, manager_process);
    tally->stop = true;
    usleep(20000);
    result->wall = now() - begin;
    if (trace_controller_stop(controller, true, add_drops, &result->dropped) != 0 ||
        trace_controller_get_status(controller, &status) != 0)
        fail("no stop");
    result->manager_time = processor_time(manager_process) - time_before;
    result->bytes = status.bytes_written;
    trace_controller_terminate(controller, false, NULL, NULL);
    for (uint32_t i = 0; i < load->providers; i++)
        result->events += tally->events[i];
}

static void print_samples(const struct result *it)
{
    printf(", \"seconds\": [");
    for (int i = 0; i < it->sample_count; i++)
        printf("%s[%.1f, %.1f, %.1f]", i > 0 ? ", " : "", it->samples[i].manager_percent,
               it->samples[i].anonymous_mib, it->samples[i].shared_mib);
    printf("]}");
}

static void print(const struct load *load, const struct result *it)
{
    double megabytes = 1e-6 * (double)it->bytes;
    const char *format =
        json ? "{\"load\": \"%s\", \"events_per_second\": %.0f, \"dropped_percent\": %.3f, "
               "\"megabytes_per_second\": %.1f, \"manager_percent\": %.1f, "
               "\"megabytes_per_processor_second\": %.0f, \"anonymous_mib\": %.1f, "
               "\"shared_mib\": %.1f"
             : "%-34s %9.0f %8.3f %9.1f %8.1f %10.0f %9.1f %8.1f\n";
    printf(format, load->name, (double)it->events / it->wall,
           100 * (double)it->dropped / (double)(it->events != 0 ? it->events : 1),
           megabytes / it->wall, 100 * it->manager_time / it->wall,
           it->manager_time > 0 ? megabytes / it->manager_time : 0, it->anonymous_mib,
           it->shared_mib);
    if (json)
        print_samples(it);
    fflush(stdout);
}

static void run(const struct load *load, const char *directory, pid_t manager_process)
{
    static struct result result;
    trace_controller_t *controller;
    pid_t providers[8];
    pthread_t reader;
    int ends[2] = {-1, -1};

    memset(tally, 0, sizeof *tally);
    memset(&result, 0, sizeof result);
    for (uint32_t i = 0; i < load->providers; i++) {
        providers[i] = fork();
        if (providers[i] == 0)
            be_provider(load, i);
    }
    if (trace_controller_connect(directory, &controller) != 0)
        fail("no manager");
    if (load->to_socket) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            fail("no socket");
        pthread_create(&reader, NULL, drain, &ends[0]);
    } else {
        ends[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    trace(load, controller, manager_process, ends[1], &result);
    if (load->to_socket)
        pthread_join(reader, NULL);
    close(ends[0]);
    trace_controller_destroy(controller);
    for (uint32_t i = 0; i < load->providers; i++) {
        kill(providers[i], SIGKILL);
        waitpid(providers[i], NULL, 0);
    }
    print(load, &result);
}

static void parse(int argc, char **argv)
{
    static const struct option known[] = {{"seconds", required_argument, NULL, 's'},
                                          {"json", no_argument, NULL, 'j'},
                                          {NULL, 0, NULL, 0}};
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option == 's' && atoi(optarg) > 0 && atoi(optarg) <= SAMPLES_MAX)
            seconds = atoi(optarg);
        else if (option == 'j')
            json = true;
        else
            fail("usage: system_bench [--seconds N] [--json]");
    }
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"1 provider, 1 M/s", 1, 4, 1000000, false, false},
        {"1 provider, 5 M/s", 1, 4, 5000000, false, false},
        {"1 provider, 5 M/s, socket", 1, 4, 5000000, false, true},
        {"1 provider, 5 M/s, 2 arguments", 1, 16, 5000000, true, false},
        {"1 provider, flat out", 1, 16, 0, false, false},
        {"1 provider, flat out, 2 arguments", 1, 16, 0, true, false},
        {"2 providers, flat out, 2 arguments", 2, 16, 0, true, false},
    };
    char directory[] = "/tmp/fxt_bench_XXXXXX";

    parse(argc, argv);
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED)
        fail("no memory");
    if (mkdtemp(directory) == NULL)
        fail("no directory");
    setenv("FXT_TRACE_DIR", directory, 1);
    pid_t manager_process = start_manager(directory);
    if (!json)
        printf("%-34s %9s %8s %9s %8s %10s %9s %8s\n", "", "events/s", "dropped%", "MB/s",
               "manager%", "MB/cpu s", "anon MiB", "shm MiB");
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        if (json)
            printf("%s", i == 0 ? "{\"rows\": [\n" : ",\n");
        run(&loads[i], directory, manager_process);
    }
    if (json)
        printf("\n]}\n");
    kill(manager_process, SIGTERM);
    waitpid(manager_process, NULL, 0);
    rmdir(directory);
    return 0;
}
