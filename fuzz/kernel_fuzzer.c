/* A capture of the kernel, behind the libraries that read the file: the records of its tracepoints, in
   layouts as damaged as their data, and whatever else may come through the pipe of a replay. The
   decoder agrees with a second one. Events pass the pipe in pieces. What they become in the trace is
   what kernel/model.c expects of them, and nothing is lost that is not counted or told.

   The input is one byte of options (enum option) and a row of items. An item begins with a byte:

     bits 0..5  a tracepoint, by its place in the table; a larger number: its format is not described
     PATCH      the layout of one field is wrong: 1 byte field, 4 offset, 4 size, 2 flags
     RAW        no record, but bytes of the pipe: one byte size, the bytes

   A record goes on with 1 byte of flags (1: events were lost before it), 2 bytes processor, 4 bytes ns
   since the last one, 1 byte size, and the data. Numbers are little-endian. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/check.h>
#include <trace/file.h>

#include <traceevent/event-parse.h>

#include "fuzz/kernel/model.h"
#include "fuzz/lib/oracle.h"
#include "src/kernel/incoming.h"
#include "src/kernel/tracepoint.h"
#include "src/kernel/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define INPUT_MAX 8192u

enum { PATCH = 64, RAW = 128 };

enum option { GROUPS = 31, SMALL = 32 /* a buffer of 4 KiB, else 4 MiB */, CIRCULAR = 64 };

#define FIELDS_MAX 12
#define EVENTS_MAX (INPUT_MAX / 2) /* an item has at least 2 bytes, and sends at most 2 events */

/* The tracepoints, as the kernel of x86-64 describes them. A field of 16 bytes is a text, one that is
   DYNAMIC says where a text is. */

enum { SIGNED = TEP_FIELD_IS_SIGNED, DYNAMIC = TEP_FIELD_IS_DYNAMIC };

struct field {
    const char *name;
    int size;
    unsigned flags;
};

static const struct tracepoint {
    const char *system;
    const char *name;
    struct field fields[FIELDS_MAX - 4];
} tracepoints[] = {
    {"sched",
     "sched_switch",
     {{"prev_comm", 16, 0},
      {"prev_pid", 4, SIGNED},
      {"prev_prio", 4, SIGNED},
      {"prev_state", 8, SIGNED},
      {"next_comm", 16, 0},
      {"next_pid", 4, SIGNED},
      {"next_prio", 4, SIGNED}}},
    {"sched",
     "sched_waking",
     {{"comm", 16, 0}, {"pid", 4, SIGNED}, {"prio", 4, SIGNED}, {"target_cpu", 4, SIGNED}}},
    {"sched",
     "sched_wakeup",
     {{"comm", 16, 0}, {"pid", 4, SIGNED}, {"prio", 4, SIGNED}, {"target_cpu", 4, SIGNED}}},
    {"sched",
     "sched_process_fork",
     {{"parent_comm", 4, DYNAMIC},
      {"parent_pid", 4, SIGNED},
      {"child_comm", 4, DYNAMIC},
      {"child_pid", 4, SIGNED}}},
    {"sched", "sched_process_exit", {{"comm", 16, 0}, {"pid", 4, SIGNED}, {"prio", 4, SIGNED}}},
    {"task", "task_rename", {{"oldcomm", 16, 0}, {"newcomm", 16, 0}}},
    {"raw_syscalls", "sys_enter", {{"id", 8, SIGNED}}},
    {"raw_syscalls", "sys_exit", {{"id", 8, SIGNED}, {"ret", 8, SIGNED}}},
    {"irq", "irq_handler_entry", {{"irq", 4, SIGNED}, {"name", 4, DYNAMIC}}},
    {"irq", "irq_handler_exit", {{"irq", 4, SIGNED}, {"ret", 4, SIGNED}}},
    {"irq", "softirq_entry", {{"vec", 4, 0}}},
    {"irq", "softirq_exit", {{"vec", 4, 0}}},
    {"power", "cpu_frequency", {{"state", 4, 0}, {"cpu_id", 4, 0}}},
    {"other", "unheard_of", {{"what", 4, 0}}},
    {"other", "sched_switch", {{"prev_pid", 4, SIGNED}}},
    {"sched",
     "sched_wakeup_new",
     {{"comm", 16, 0}, {"pid", 4, SIGNED}, {"prio", 4, SIGNED}, {"target_cpu", 4, SIGNED}}},
};

enum { TRACEPOINTS = sizeof tracepoints / sizeof tracepoints[0] };

static const struct field common[] = {{"common_type", 2, 0},
                                      {"common_flags", 1, 0},
                                      {"common_preempt_count", 1, 0},
                                      {"common_pid", 4, SIGNED}};

struct layout {
    struct tep_event event;
    struct tep_format_field fields[FIELDS_MAX];
    int count;
};

static void add_field(struct layout *layout, const struct field *from, int *at)
{
    int alignment = from->size > 8 ? 1 : from->size;
    struct tep_format_field *field = &layout->fields[layout->count];
    *at = (*at + alignment - 1) / alignment * alignment;
    *field = (struct tep_format_field){
        .name = (char *)from->name, .offset = *at, .size = from->size, .flags = from->flags};
    if (layout->count > 0 && layout->count != 4)
        field[-1].next = field;
    layout->count++;
    *at += from->size;
}

static void lay_out(struct layout *layout, const struct tracepoint *of)
{
    static struct tep_handle *tep;
    int at = 0;
    if (tep == NULL) {
        tep = tep_alloc();
        FUZZ_CHECK(tep != NULL);
        tep_set_file_bigendian(tep, TEP_LITTLE_ENDIAN);
    }
    layout->count = 0;
    for (int i = 0; i < 4; i++)
        add_field(layout, &common[i], &at);
    for (int i = 0; i < FIELDS_MAX - 4 && of->fields[i].name != NULL; i++)
        add_field(layout, &of->fields[i], &at);
    layout->event = (struct tep_event){.tep = tep,
                                       .name = (char *)of->name,
                                       .system = (char *)of->system,
                                       .format = {.nr_common = 4,
                                                  .nr_fields = layout->count - 4,
                                                  .common_fields = &layout->fields[0],
                                                  .fields = &layout->fields[4]}};
}

/* The input. */

struct input {
    const uint8_t *at;
    const uint8_t *end;
};

static uint64_t take(struct input *input, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && input->at < input->end; i++)
        value |= (uint64_t)*input->at++ << (8 * i);
    return value;
}

static void patch(struct layout *layout, struct input *input)
{
    struct tep_format_field *field = &layout->fields[take(input, 1) % (unsigned)layout->count];
    field->offset = (int)(uint32_t)take(input, 4);
    field->size = (int)(uint32_t)take(input, 4);
    field->flags = (unsigned long)take(input, 2);
}

/* What the child of a replay does with one record. */

static struct {
    uint8_t bytes[2 * EVENTS_MAX * sizeof(struct fxt_kernel_event)];
    size_t size;
    uint64_t ns;
} pipe_;

static void send_bytes(const void *bytes, size_t size)
{
    if (size > sizeof pipe_.bytes - pipe_.size)
        size = sizeof pipe_.bytes - pipe_.size;
    memcpy(pipe_.bytes + pipe_.size, bytes, size);
    pipe_.size += size;
}

static void send_record(struct input *input, unsigned head)
{
    struct layout layout;
    bool described = head % PATCH < TRACEPOINTS;
    lay_out(&layout, &tracepoints[described ? head % PATCH : 0]);
    if ((head & PATCH) != 0)
        patch(&layout, input);
    bool lost = (take(input, 1) & 1) != 0;
    struct fxt_kernel_event event = {.cpu = (uint32_t)take(input, 2)};
    pipe_.ns += take(input, 4);
    event.ns = pipe_.ns;
    if (lost) {
        const struct fxt_kernel_event loss = {.ns = event.ns,
                                              .kind = FXT_KERNEL_LOST,
                                              .cpu = event.cpu,
                                              .number = (int64_t)(event.ns % 9)};
        send_bytes(&loss, sizeof loss);
    }
    size_t wanted = (size_t)take(input, 1);
    size_t size =
        (size_t)(input->end - input->at) < wanted ? (size_t)(input->end - input->at) : wanted;
    struct fuzz_copy data = fuzz_copy(input->at, size, 0);
    struct fxt_kernel_event expected = event;
    const struct tep_event *format = described ? &layout.event : NULL;
    bool sent = fxt_kernel_decode_or_lose(&event, format, data.bytes, size);
    FUZZ_CHECK(sent == kernel_model_decode(&expected, format, data.bytes, size));
    if (sent) {
        FUZZ_CHECK(memcmp(&event, &expected, sizeof event) == 0);
        event.process = 0;
        send_bytes(&event, sizeof event);
    }
    fuzz_release(&data);
    input->at += size;
}

static void send_all(struct input *input)
{
    pipe_.size = 0;
    pipe_.ns = 0;
    while (input->at < input->end) {
        unsigned head = (unsigned)take(input, 1);
        if ((head & RAW) == 0) {
            send_record(input, head);
            continue;
        }
        size_t wanted = (size_t)take(input, 1);
        size_t left = (size_t)(input->end - input->at);
        size_t size = left < wanted ? left : wanted;
        send_bytes(input->at, size);
        input->at += size;
    }
}

/* What the parent does. */

static struct fxt_kernel_translation translation;
static size_t put_count;

static void put(void *data, const struct fxt_kernel_event *event, uint64_t ticks)
{
    struct fxt_kernel_event sent;
    (void)data;
    FUZZ_CHECK((put_count + 1) * sizeof sent <= pipe_.size);
    memcpy(&sent, pipe_.bytes + put_count++ * sizeof sent, sizeof sent);
    kernel_model_put(&sent, event, ticks);
    fxt_kernel_translate(&translation, event, ticks);
}

static void receive(uint64_t random)
{
    static struct fxt_kernel_incoming incoming;
    const struct fxt_kernel_sink sink = {put, NULL};
    size_t at = 0;

    memset(&incoming, 0, sizeof incoming);
    put_count = 0;
    while (at < pipe_.size) {
        size_t room;
        void *place = fxt_kernel_incoming_room(&incoming, &room);
        size_t piece = 1 + fuzz_random(&random) % (random % 2 == 0 ? 300 : 60000);
        FUZZ_CHECK(room > 0);
        piece = piece < room ? piece : room;
        piece = piece < pipe_.size - at ? piece : pipe_.size - at;
        memcpy(place, pipe_.bytes + at, piece);
        fxt_kernel_incoming_add(&incoming, piece, &sink);
        at += piece;
    }
    FUZZ_CHECK(put_count == pipe_.size / sizeof(struct fxt_kernel_event));
    FUZZ_CHECK(incoming.kept == pipe_.size % sizeof(struct fxt_kernel_event));
    fxt_kernel_translation_end(&translation);
}

/* The trace. */

static void check_findings(const uint8_t *bytes, size_t size)
{
    static struct fxt_provider providers[2];
    static uint32_t ids[2];
    static struct fxt_object objects[4096];
    static uint8_t arena[1 << 16];
    static struct fxt_check_thread threads[4096];
    static struct fxt_check_open opens[16];
    const struct fxt_check_memory memory = {
        .tables = {providers, ids, objects, arena, 2, 4096, sizeof arena},
        .threads = threads,
        .opens = opens,
        .thread_max = 4096,
        .open_max = 16};
    static struct fxt_checker checker;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        uint32_t count = fxt_check_record(&checker, &record);
        for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++)
            FUZZ_CHECK(fxt_rule_class(checker.findings[i].rule) < FXT_NONCONFORMING);
        kernel_model_read(&record);
    }
    FUZZ_CHECK(status == FXT_END);
}

static void check_trace(int file, uint64_t dropped, bool overwrites)
{
    struct stat info;
    FUZZ_CHECK(fstat(file, &info) == 0);
    size_t size = (size_t)info.st_size;
    uint8_t *bytes = fuzz_need(size, 1);
    FUZZ_CHECK(pread(file, bytes, size, 0) == (ssize_t)size);
    check_findings(bytes, size);
    kernel_model_end(&translation, dropped, overwrites);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int file = -1;
    static char path[40];
    if (size == 0 || size > INPUT_MAX)
        return 0;
    if (file < 0) {
        file = memfd_create("trace", MFD_CLOEXEC);
        FUZZ_CHECK(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    struct input input = {bytes + 1, bytes + size};
    uint32_t groups = bytes[0] & GROUPS;
    bool small = (bytes[0] & SMALL) != 0;
    bool circular = (bytes[0] & CIRCULAR) != 0;
    const struct fxt_trace_options options = {.buffer_bytes = small ? 4096 : 4 << 20,
                                              .mode = circular ? TRACE_BUFFERING_MODE_CIRCULAR
                                                               : TRACE_BUFFERING_MODE_ONESHOT};
    uint64_t dropped = 0;

    send_all(&input);
    kernel_model_begin(groups, !small);
    fxt_kernel_translation_begin(&translation, groups);
    FUZZ_CHECK(fxt_trace_start(path, &options) == 0);
    receive(fuzz_control(bytes, size));
    FUZZ_CHECK(fxt_trace_stop(&dropped) == 0);
    check_trace(file, dropped, small && circular);
    return 0;
}
