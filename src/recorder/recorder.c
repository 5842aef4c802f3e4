/* Tracing into a file: the handler of an engine whose buffer is shared with no other process. Of a
   recording of FXT_TRACE_FILE, the buffer is in the file.

   The handler's functions run on the loop's thread. They run after fxt_trace_start has set up
   everything, and until the engine is terminated; fxt_trace_stop waits for that. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <fxt/buffer.h>
#include <trace/file.h>
#include <fxt/write.h>
#include <lib/async-loop/loop.h>
#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>
#include <trace/internal/recording.h>

#include "src/base/utf8.h"
#include "src/base/word.h"
#include "src/buffer/chunk.h"
#include "src/buffer/parts.h"
#include "src/engine/process.h"
#include "src/loop/now.h"
#include "src/recorder/mapped.h"
#include "src/recorder/recorder.h"
#include "src/socket/shared.h"
#include "src/socket/signals.h"
#include "src/socket/socket.h"

_Static_assert(sizeof(off_t) == 8, "a file may be larger than 2 GiB: -D_FILE_OFFSET_BITS=64");

#define BUFFER_BYTES ((size_t)16 << 20)
#define PROVIDER 1
#define NAME_BYTES_MAX 255
#define EXIT_SECONDS 1
#define LOOK_NS INT64_C(1000000000) /* between looks at the program's threads */
#define END_NS INT64_C(1000000)     /* and whether the engine has given the buffer back */

static struct {
    trace_handler_t handler;
    async_loop_t *loop;
    async_task_t look;
    sigset_t signals; /* of the thread that started it */
    char *categories; /* names with a comma before and after each; NULL: all */
    uint8_t *buffer;
    size_t bytes;
    uint64_t begin;   /* of the archive in the file */
    uint64_t written; /* to the archive, in whole records */
    uint64_t durable_written;
    uint64_t dropped;
    uint32_t saved; /* all halves below this wrapped count are saved */
    int error;      /* errno of the first failure */
    int file;       /* a descriptor, because a forked child would flush the buffer of a stream */
    struct fxt_i_identity identity; /* of the file */
    struct fxt_i_mapped mapped;     /* or zeros: the buffer is in memory */
    bool is_mapped;
    fxt_i_trace_failed *failed; /* NULL once it has been called */
    pid_t owner;
    bool active;
    bool ending; /* somebody stops it */
    bool terminated;
} it;

/* Records that are not written yet. Few of them lie between two fillers, and a system call for each
   such run would take much longer than to copy it. */
static uint8_t gathered[1 << 16];
static uint64_t gathered_size;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool at_exit; /* fxt_trace_stop is registered with atexit */
static pthread_cond_t terminated = PTHREAD_COND_INITIALIZER;

/* The size of the whole records at the beginning of these bytes. */
static uint64_t whole_records(const uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    uint64_t next = 0;

    do {
        at += next;
        next = size - at < FXT_WORD_BYTES ? 0 : fxt_i_record_bytes(fxt_load_word(bytes + at));
    } while (next > 0 && next <= size - at);
    return at;
}

/* False if the program has closed the file: its descriptor may be another file of the program. */
static bool has_file(void)
{
    bool has = fxt_i_identity_is(&it.identity, it.file);
    if (!has && it.error == 0)
        it.error = EBADF;
    return has;
}

/* Writes whole records. If that fails, the file is cut after the last record that is whole in it. */
static void write_whole(const uint8_t *bytes, uint64_t size)
{
    uint64_t done = 0;
    sigset_t before;

    fxt_i_output_begin(&before);
    while (done < size && it.error == 0 && has_file()) {
        ssize_t written = write(it.file, bytes + done, (size_t)(size - done));
        if (written >= 0)
            done += (uint64_t)written;
        else if (errno != EINTR)
            it.error = errno;
    }
    fxt_i_output_end(&before);
    uint64_t whole = done == size ? size : whole_records(bytes, done);
    it.written += whole;
    if (whole < done && has_file() && ftruncate(it.file, (off_t)(it.begin + it.written)) != 0)
        return; /* no regular file: its reader has the part of the record */
}

static void flush(void)
{
    write_whole(gathered, gathered_size);
    gathered_size = 0;
}

/* Whole records. */
static void put(const uint8_t *bytes, uint64_t size)
{
    if (size > sizeof gathered - gathered_size)
        flush();
    if (size > sizeof gathered) {
        write_whole(bytes, size);
        return;
    }
    memcpy(gathered + gathered_size, bytes, (size_t)size);
    gathered_size += size;
}

/* Writes the records of a part, without fillers, which only the engine uses. */
static void put_records(const uint8_t *part, uint64_t size)
{
    uint64_t run = 0; /* start of the records that are not written yet */
    uint64_t at = 0;

    while (at < size) {
        uint64_t header = fxt_load_word(part + at);
        uint64_t bytes = fxt_i_record_bytes(header);
        if (bytes == 0 || bytes > size - at) /* the program has overwritten it */
            size = at;
        else if (fxt_i_is_filler(header)) {
            put(part + run, at - run);
            run = at + bytes;
        }
        at += bytes;
    }
    if (run < size)
        put(part + run, size - run);
}

static void tell_failure(void)
{
    fxt_i_trace_failed *failed = it.failed;

    it.failed = NULL;
    if (failed != NULL && it.error != 0)
        failed(it.mapped.path, it.error);
}

/* What is in the file is no longer read in the buffer. */
static void commit(void)
{
    if (it.is_mapped && it.error == 0)
        fxt_i_mapped_commit(&it.mapped, it.written, it.durable_written, it.saved);
}

static void put_durable(uint64_t end)
{
    put_records(it.buffer + FXT_BUFFER_HEADER_BYTES + it.durable_written, end - it.durable_written);
    it.durable_written = end;
}

static bool is_category_enabled(trace_handler_t *handler, const char *category)
{
    (void)handler;
    if (it.categories == NULL)
        return true;
    size_t length = strlen(category);
    if (length == 0 || strchr(category, ',') != NULL)
        return false;
    for (const char *at = it.categories; (at = strstr(at, category)) != NULL; at++)
        if (at[-1] == ',' && at[length] == ',')
            return true;
    return false;
}

static void trace_started(trace_handler_t *handler)
{
    (void)handler;
}

/* Reads a copy of the header, which changes while tracing runs. */
static bool read_header(struct fxt_buffer_header *out)
{
    uint64_t copy[FXT_BUFFER_HEADER_BYTES / 8];
    struct fxt_error error;

    fxt_copy_shared(copy, it.buffer, sizeof copy);
    return fxt_buffer_read_header(out, (const uint8_t *)copy, sizeof copy, it.bytes, &error) ==
           FXT_OK;
}

static void notify_buffer_full(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end)
{
    struct fxt_buffer_header header;
    struct fxt_i_source half;

    (void)handler;
    if (!read_header(&header))
        return;
    put_durable(durable_data_end);
    fxt_i_half_source(&half, &header, wrapped_count);
    put_records(it.buffer + half.offset, half.size);
    flush();
    if (it.is_mapped && it.error != 0) { /* the records stay where they are, others are dropped */
        tell_failure();
        return;
    }
    it.saved = wrapped_count + 1;
    commit();
    trace_engine_mark_buffer_saved(wrapped_count, durable_data_end);
}

static void put_drops(uint64_t dropped)
{
    uint8_t bytes[FXT_WORD_BYTES];

    it.dropped = dropped;
    if (dropped == 0)
        return;
    fxt_store_word(bytes, fxt_i_drops_record(PROVIDER));
    put(bytes, sizeof bytes);
}

static void trace_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes_written)
{
    struct fxt_buffer_header header;
    struct fxt_i_source parts[FXT_BUFFER_PARTS_MAX];

    (void)handler;
    (void)disposition;
    (void)bytes_written;
    if (!read_header(&header))
        return;
    uint32_t count = fxt_i_sources(parts, &header, true, it.saved);
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].is_durable)
            put_durable(parts[i].size);
        else
            put_records(it.buffer + parts[i].offset, parts[i].size);
    }
    put_drops(header.records_dropped);
    flush();
}

static void trace_terminated(trace_handler_t *handler)
{
    (void)handler;
    pthread_mutex_lock(&lock);
    it.terminated = true;
    pthread_cond_broadcast(&terminated);
    pthread_mutex_unlock(&lock);
}

static void send_alert(trace_handler_t *handler, const char *alert_name)
{
    (void)handler;
    (void)alert_name;
}

static const trace_handler_ops_t ops = {is_category_enabled, trace_started,      trace_stopped,
                                        trace_terminated,    notify_buffer_full, send_alert};

static void put_head(void)
{
    uint8_t bytes[8 + 8 + 256];
    struct fxt_writer writer;
    uint8_t name[NAME_BYTES_MAX];
    size_t length = trace_i_cut(program_invocation_short_name,
                                strlen(program_invocation_short_name), sizeof name);
    const struct fxt_provider_info info = {.name = {name, length}, .provider_id = PROVIDER};

    memcpy(name, program_invocation_short_name, length);
    fxt_i_utf8_mend(name, length);
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    fxt_write_provider_info(&writer, &info);
    put(bytes, writer.size);
    flush();
    commit();
}

/* Only of a recording that has ended and was saved, the file is replaced by the archive. */
static void release_mapped(void)
{
    if (it.terminated && it.error == 0 && has_file())
        it.error = fxt_i_mapped_finish(&it.mapped, it.written);
    tell_failure();
    fxt_i_mapped_leave(&it.mapped);
}

static void release(void)
{
    async_loop_destroy(it.loop);
    if (it.is_mapped)
        release_mapped();
    else if (it.buffer != NULL)
        munmap(it.buffer, it.bytes);
    if (it.file >= 0 && has_file() && close(it.file) != 0 && it.error == 0)
        it.error = errno;
    free(it.categories);
    it.loop = NULL;
    it.buffer = NULL;
    it.file = -1;
    it.categories = NULL;
    pthread_mutex_lock(&lock);
    it.active = false;
    pthread_mutex_unlock(&lock);
}

static int errno_of(zx_status_t status)
{
    switch (status) {
    case ZX_OK:
        return 0;
    case ZX_ERR_NO_MEMORY:
        return ENOMEM;
    case ZX_ERR_NO_RESOURCES: /* of the loop */
        return EMFILE;
    case ZX_ERR_BAD_STATE:
        return EBUSY;
    default:
        return EINVAL;
    }
}

/* A space beside a name or a pattern, which `trace record` takes, would choose nothing. */
static bool are_names(const char *categories)
{
    for (const char *at = categories; *at != '\0'; at++)
        if (*at == '*' ||
            (*at == ' ' && (at == categories || at[-1] == ',' || at[1] == ',' || at[1] == '\0')))
            return false;
    return true;
}

static int copy_categories(const char *categories)
{
    if (categories == NULL || categories[0] == '\0')
        return 0;
    if (!are_names(categories))
        return EINVAL;
    size_t size = strlen(categories) + 3;
    it.categories = malloc(size);
    if (it.categories == NULL)
        return ENOMEM;
    snprintf(it.categories, size, ",%s,", categories);
    return 0;
}

static int open_file(const char *path)
{
    it.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (it.file < 0)
        return errno;
    it.file = fxt_i_descriptor_aside(it.file);
    it.identity = fxt_i_identity_of(it.file);
    return 0;
}

static int open_mapped(const char *path)
{
    int error = fxt_i_mapped_open(&it.mapped, path, it.bytes);

    it.buffer = it.mapped.bytes;
    it.begin = it.bytes + TRACE_I_RECORDING_BYTES;
    it.file = it.mapped.file;
    it.identity = fxt_i_identity_of(it.file);
    return error;
}

static int map_memory(void)
{
    void *buffer = mmap(NULL, it.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (buffer == MAP_FAILED)
        return ENOMEM;
    it.buffer = buffer;
    return 0;
}

static int prepare(const char *path, const struct fxt_trace_options *options)
{
    struct fxt_buffer_header header;
    int error = copy_categories(options->categories);

    it.bytes = options->buffer_bytes != 0 ? options->buffer_bytes : BUFFER_BYTES;
    if (error != 0)
        return error;
    if (fxt_buffer_sizes(&header, it.bytes, (uint16_t)options->mode) != FXT_OK)
        return EINVAL;
    error = it.is_mapped ? open_mapped(path) : map_memory();
    if (error != 0)
        return error;
    error = errno_of(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &it.loop));
    if (error != 0)
        return error;
    it.handler.ops = &ops;
    error = errno_of(trace_engine_initialize(async_loop_get_dispatcher(it.loop), &it.handler,
                                             options->mode, it.buffer, it.bytes));
    if (error != 0)
        return error;
    it.active = true;
    it.owner = getpid();
    return it.is_mapped ? 0 : open_file(path);
}

enum claim { NOT_ACTIVE, OURS, OF_ANOTHER_THREAD };

/* Who stops it. */
static enum claim claim_end(void)
{
    enum claim claim = NOT_ACTIVE;
    pthread_mutex_lock(&lock);
    if (it.active && it.owner == getpid())
        claim = it.ending ? OF_ANOTHER_THREAD : OURS;
    it.ending = it.ending || claim == OURS;
    pthread_mutex_unlock(&lock);
    return claim;
}

/* Returns whether the engine has given the buffer back. When the program exits, it waits for a
   while only: a thread that is inside may never leave, such as one whose signal handler has called
   exit. */
static bool await_end(bool exits)
{
    struct timespec end;
    int late = 0;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += EXIT_SECONDS;
    pthread_mutex_lock(&lock);
    while (!it.terminated && late != ETIMEDOUT)
        late = exits ? pthread_cond_timedwait(&terminated, &lock, &end)
                     : pthread_cond_wait(&terminated, &lock);
    bool over = it.terminated;
    pthread_mutex_unlock(&lock);
    return over;
}

/* If another thread stops it at the moment, that one releases all, unless the program is gone. */
static void stop_at_exit(void)
{
    enum claim claim = claim_end();
    if (claim == OURS)
        trace_engine_terminate();
    if (claim != NOT_ACTIVE && await_end(true) && claim == OURS)
        release();
}

/* Whether the program's threads have ended. The first thread stays a zombie, which has no working
   directory. In /proc, the number of links tells how many threads there are: that one and this. */
static bool is_alone(void)
{
    char place[1];
    struct stat threads;

    return readlink("/proc/self/cwd", place, sizeof place) < 0 && errno == ENOENT &&
           stat("/proc/self/task", &threads) == 0 && threads.st_nlink == 2 + 2;
}

static void look_later(zx_time_t ns)
{
    it.look.deadline = (zx_time_t)fxt_i_now_ns() + ns;
    async_post_task(async_loop_get_dispatcher(it.loop), &it.look);
}

/* The loop's thread. A program ends with its last thread; this one must not keep it. It ends the
   recording first. Then it takes a signal that waits for the program, or ends the program as the last
   thread does. */
static void on_look(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    (void)dispatcher;
    (void)task;
    if (status != ZX_OK)
        return;
    if (!is_alone()) {
        look_later(LOOK_NS);
        return;
    }
    if (claim_end() == OURS)
        trace_engine_terminate();
    if (!it.terminated) {
        look_later(END_NS);
        return;
    }
    fxt_i_signals_restore(&it.signals);
    exit(0);
}

static void begin_in_child(void)
{
    gathered_size = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&terminated, NULL);
}

static int start(const char *path, const struct fxt_trace_options *options, bool is_mapped)
{
    if (it.active && it.owner == getpid())
        return EBUSY;
    if (it.owner != 0 && it.owner != getpid()) /* what the parent's threads were about */
        begin_in_child();
    memset(&it, 0, sizeof it);
    it.file = -1;
    it.is_mapped = is_mapped;
    int error = prepare(path, options);
    if (it.active && async_loop_start_thread(it.loop, "fxt-trace", NULL) != ZX_OK)
        error = ENOMEM;
    if (error == 0) {
        put_head();
        error = it.error;
    }
    if (error == 0)
        error = errno_of(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER));
    if (error == 0) {
        fxt_i_name_process();
        pthread_sigmask(SIG_SETMASK, NULL, &it.signals);
        it.look.handler = on_look;
        look_later(LOOK_NS);
    }
    if (error != 0) {
        release(); /* the shutdown of the loop terminates the engine */
        return error;
    }
    if (!at_exit)
        at_exit = atexit(stop_at_exit) == 0;
    return 0;
}

int fxt_trace_start(const char *path, const struct fxt_trace_options *options)
{
    static const struct fxt_trace_options usual = {.mode = TRACE_BUFFERING_MODE_STREAMING};

    return start(path, options != NULL ? options : &usual, false);
}

int fxt_i_trace_start_mapped(const char *path, const struct fxt_trace_options *options,
                             fxt_i_trace_failed *failed)
{
    int error = start(path, options, true);

    it.failed = error == 0 ? failed : NULL;
    return error;
}

/* The engine has learned of the fork, and writes nowhere. */
bool fxt_i_trace_in_child(void)
{
    if (!it.active || !it.is_mapped)
        return false;
    fxt_i_mapped_in_child(&it.mapped);
    if (has_file())
        close(it.file);
    it.file = -1;
    it.active = false;
    return true;
}

int fxt_trace_stop(uint64_t *dropped)
{
    if (it.is_mapped || claim_end() != OURS)
        return EINVAL;
    trace_engine_terminate();
    await_end(false);
    if (dropped != NULL)
        *dropped = it.dropped;
    release();
    return it.error;
}
