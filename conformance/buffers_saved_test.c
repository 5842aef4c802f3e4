/* The manager's way from a buffer into an archive (src/manager/save.c), over the images of
   corpus/buffers.json. No process takes part: the buffer is the vector's, the archive a file.

   Of the archive everything is compared but what the manager writes itself: metadata, and the blob
   that tells of definitions that were inlined.

   usage: buffers_saved_test [CORPUS [KNOWN]] */
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include <fxt/read.h>

#include "conformance/manager_vectors.h"
#include "src/manager/manager.h"

enum { BUFFER_MAX = 1 << 16, ARCHIVE_MAX = 1 << 17 };

static const json_t *expected;
static struct trace_manager manager;
static struct fxt_i_session session;
static struct fxt_i_tracee tracee;
static struct fxt_i_provider provider;
static _Alignas(8) uint8_t buffer[BUFFER_MAX];
static uint8_t archive[ARCHIVE_MAX];
static int file;

static void nothing(void *self)
{
    (void)self;
}

/* What a provider was told: as its vector says, else as its header does. */
static enum trace_mode mode_of(void)
{
    const char *mode = text_of(vector, "mode");
    int number = strcmp(mode, "oneshot") == 0     ? 0
                 : strcmp(mode, "circular") == 0  ? 1
                 : strcmp(mode, "streaming") == 0 ? 2
                                                  : buffer[10];
    return (enum trace_mode)(number + 1);
}

static void begin(size_t size)
{
    const char *state = text_of(vector, "provider");
    bool running = strcmp(state, "running") == 0;
    memset(&session, 0, sizeof session);
    memset(&tracee, 0, sizeof tracee);
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        abort();
    session.manager = &manager;
    session.mode = mode_of();
    session.archive = fxt_i_archive_create(manager.loop, 0, dup(file), false, nothing, NULL);
    tracee.session = &session;
    tracee.buffer = buffer;
    tracee.bytes = size;
    tracee.provider = running ? &provider : NULL;
    tracee.state = running ? FXT_I_TRACEE_STARTED : FXT_I_TRACEE_STOPPED;
    tracee.died = strcmp(state, "died") == 0;
    tracee.started_once = true;
    tracee.id = 1;
    tracee.fifo = -1;
    tracee.next_wrapped = (uint32_t)number_at(vector, "saved");
    strcpy(tracee.name, "p");
}

static bool save(enum fxt_i_save_kind kind, size_t size)
{
    if (fxt_i_save_begin(&tracee, kind, session.archive) != FXT_I_SAVE_BEGUN)
        return false;
    put_pieces(buffer, size, json_object_get(vector, "then"));
    while (!fxt_i_save_some(fxt_i_save_of(&tracee, kind)))
        ;
    tracee.next_wrapped += kind == FXT_I_SAVE_HALF;
    return true;
}

/* The requests of the provider. One that is refused is its last. */
static void save_asked(size_t size)
{
    const json_t *asked = json_object_get(vector, "asked");
    const json_t *refused = json_object_get(expected, "refused");
    for (size_t i = 0; i < json_array_size(asked); i++) {
        const json_t *one = json_array_get(asked, i);
        tracee.save_wrapped = (uint32_t)number_of(json_array_get(one, 0));
        tracee.save_durable_end = number_of(json_array_get(one, 1));
        bool saved = save(FXT_I_SAVE_HALF, size);
        bool wanted = json_is_null(refused) || number_of(refused) != i;
        expect_number("request taken", saved, wanted);
        tracee.misbehaved = !saved;
        if (!saved)
            return;
    }
}

static void end(void)
{
    fxt_i_section_end(&tracee.section);
    fxt_i_archive_free(session.archive);
}

/* What the archive holds: the records of the provider are moved together. */
struct contents {
    size_t size;
    bool dropped;
    uint64_t inlined;
};

static bool is_the_managers(const struct fxt_record *record, struct contents *contents)
{
    struct fxt_provider_event event;
    struct fxt_blob blob;
    struct fxt_error error;
    if (fxt_read_blob(record, &blob, &error) == FXT_OK && blob.name.ref == (0x8000 | 19) &&
        memcmp(blob.name.bytes, "definitions inlined", 19) == 0) {
        contents->inlined = strtoull((const char *)blob.payload.bytes, NULL, 10);
        return true;
    }
    if (record->type != FXT_RECORD_METADATA)
        return false;
    contents->dropped |= fxt_read_provider_event(record, &event, &error) == FXT_OK;
    return true;
}

static struct contents read_archive(void)
{
    struct contents contents = {0, false, 0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    ssize_t size = pread(file, archive, sizeof archive, 0);
    fxt_reader_init(&reader, archive, size > 0 ? (uint64_t)size : 0);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        if (is_the_managers(&record, &contents))
            continue;
        memmove(archive + contents.size, record.bytes, 8 * (size_t)record.words);
        contents.size += 8 * (size_t)record.words;
    }
    expect_number("the archive's end", status, FXT_END);
    return contents;
}

/* Records that are left out and told: not fillers, nor heads of leases. */
static uint64_t refused_count(void)
{
    const json_t *records = json_object_get(expected, "records");
    uint64_t count = 0;
    for (size_t i = 0; i < json_array_size(records); i++) {
        const char *fate = json_string_value(json_array_get(json_array_get(records, i), 2));
        count += strcmp(fate, "refused") == 0 || strcmp(fate, "metadata") == 0;
    }
    return count;
}

static void expect_archive(bool running)
{
    static uint8_t trace[ARCHIVE_MAX];
    const json_t *records = json_object_get(expected, "trace");
    size_t size = 0;
    for (size_t i = 0; i < json_array_size(records); i++)
        size += put_hex(trace + size, sizeof trace - size,
                        json_string_value(json_array_get(records, i)));
    struct contents got = read_archive();
    expect_bytes("archive", archive, got.size, trace, size);
    expect_number("drops told", got.dropped, json_is_true(json_object_get(expected, "dropped")));
    expect_number("inlined told", got.inlined, number_at(expected, "inlined"));
    if (!running) /* a flush does not count */
        expect_number("left out", tracee.records_refused, refused_count());
}

static void test(void)
{
    size_t size;
    expected = json_object_get(vector, "expected");
    if (strcmp(text_of(vector, "level"), "sizes") == 0)
        return;
    uint8_t *bytes = bytes_of(&size);
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, bytes, size);
    free(bytes);
    if (size < FXT_BUFFER_HEADER_BYTES) /* a manager makes no such buffer */
        return;
    begin(size);
    bool running = tracee.provider != NULL;
    bool taken = !json_is_null(json_object_get(expected, "trace"));
    save_asked(size);
    expect_number("taken", save(running ? FXT_I_SAVE_ALL : FXT_I_SAVE_REST, size), taken);
    expect_archive(running);
    end();
}

int main(int argc, char **argv)
{
    const char *directory = getenv("TEST_TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/archive-XXXXXX", directory != NULL ? directory : "/tmp");
    file = mkstemp(path);
    if (file < 0 || unlink(path) != 0 ||
        async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager.loop) != ZX_OK)
        abort();
    int code = run_vectors(argc > 1 ? argv[1] : "conformance/corpus/buffers.json",
                           argc > 2 ? argv[2] : "conformance/buffers_saved_known.tsv", test);
    async_loop_destroy(manager.loop);
    close(file);
    return code;
}
