/* Large buffers: what is in them goes to the archive in pieces. The manager serves its clients in
   between, and keeps little of it in memory. */
#include "src/manager/raw_test.h"

#define FEW_MB 64
#define SOON_MS 1000 /* on a busy machine; a buffer that was copied whole took seconds */

TestSuite(large, .init = start_manager, .fini = clean_up, .timeout = 180);

/* Memory that is the process's own. */
static uint64_t own_memory_kb(pid_t process)
{
    char line[200];
    unsigned long kb = 0;
    snprintf(line, sizeof line, "/proc/%d/status", process);
    FILE *file = fopen(line, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "RssAnon: %lu kB", &kb) == 1)
            break;
    fclose(file);
    return kb;
}

/* A client that asks for the status all the time, and how long the answers took. */
struct asker {
    pthread_t thread;
    volatile bool ends;
    volatile uint64_t answers;
    uint64_t longest_ms;
    uint64_t largest_kb;
};

static void *ask_all_the_time(void *self)
{
    struct asker *it = self;
    trace_controller_t *controller = connect_client();
    while (!it->ends) {
        struct trace_status status;
        uint64_t since = now_ms();
        cr_assert_eq(trace_controller_get_status(controller, &status), 0);
        uint64_t took = now_ms() - since;
        uint64_t memory = own_memory_kb(manager_process);
        it->longest_ms = took > it->longest_ms ? took : it->longest_ms;
        it->largest_kb = memory > it->largest_kb ? memory : it->largest_kb;
        it->answers++;
        sleep_ms(1);
    }
    trace_controller_destroy(controller);
    return NULL;
}

/* Returns when the first answer has come: what follows may take less time than a thread to begin. */
static void begin_asking(struct asker *it)
{
    memset(it, 0, sizeof *it);
    cr_assert_eq(pthread_create(&it->thread, NULL, ask_all_the_time, it), 0);
    while (it->answers == 0)
        sleep_ms(1);
}

static void end_asking(struct asker *it, uint64_t kb_before)
{
    it->ends = true;
    pthread_join(it->thread, NULL);
    cr_expect_lt(it->longest_ms, SOON_MS, "%lu ms", (unsigned long)it->longest_ms);
    cr_expect(IS_SANITIZED || it->largest_kb < kb_before + FEW_MB * 1024, "%lu kB and %lu more",
              (unsigned long)kb_before, (unsigned long)(it->largest_kb - kb_before));
}

Test(large, buffer_with_two_events_costs_two_events)
{
    const enum trace_mode modes[] = {TRACE_MODE_ONESHOT, TRACE_MODE_CIRCULAR, TRACE_MODE_STREAMING};
    for (int i = 0; i < 3; i++) {
        const struct trace_config config = {.mode = modes[i], .buffer_megabytes = 1024};
        struct session session;
        struct archive snapshot;
        struct asker asker;
        struct test_provider provider = begin_with(&session, &config, "idle");
        uint64_t all_kb = memory_kb(manager_process);
        uint64_t own_kb = own_memory_kb(manager_process);
        cr_assert_eq(order(&provider, 'e', 2), 'k');
        begin_asking(&asker);
        int output = open_archive(&snapshot);
        uint64_t since = now_ms();
        cr_expect_eq(trace_controller_flush(session.controller, output), 0);
        close(output);
        pthread_join(snapshot.reader, NULL);
        cr_expect_eq(find_events(&snapshot, "idle").events, 2);
        if (i % 2 == 0)
            kill(provider.process, SIGKILL);
        cr_assert_eq(end_session(&session), 0);
        cr_expect_lt(now_ms() - since, SOON_MS);
        end_asking(&asker, own_kb);
        cr_expect_lt(memory_kb(manager_process), all_kb + FEW_MB * 1024, "shared memory, too");
        cr_expect_eq(find_events(&session.archive, "idle").events, 2);
        end_provider(&provider);
    }
}

Test(large, full_buffer_is_saved_in_pieces)
{
    const uint64_t events = IS_SANITIZED ? 200000 : 1500000;
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 256};
    struct session session;
    struct archive snapshot;
    struct asker asker;
    struct test_provider provider = begin_with(&session, &config, "full");
    uint64_t own_kb = own_memory_kb(manager_process);
    cr_assert_eq(order(&provider, 'e', events), 'k');
    begin_asking(&asker);
    int output = open_archive(&snapshot);
    cr_expect_eq(trace_controller_flush(session.controller, output), 0);
    close(output);
    pthread_join(snapshot.reader, NULL);
    cr_assert_eq(end_session(&session), 0);
    end_asking(&asker, own_kb);
    struct found found = find_events(&snapshot, "full");
    cr_expect_eq(found.events, events);
    cr_expect_eq(found.gaps, 0);
    found = find_events(&session.archive, "full");
    cr_expect_eq(found.events, events);
    cr_expect_eq(found.gaps, 0);
    expect_clean(&session.archive);
    end_provider(&provider);
}

#define BLOB (UINT64_C(20) << 20)

static void write_large(struct provider_self *self, char order, uint64_t number)
{
    (void)self;
    if (order != 'L')
        return;
    uint8_t *bytes = malloc(BLOB);
    if (bytes == NULL)
        _exit(12);
    memset(bytes, (int)number, BLOB);
    TRACE_BLOB_EVENT("trace:test", "large", bytes, BLOB);
    free(bytes);
}

/* Such a record is larger than a piece, and than what is copied ahead. */
Test(large, record_that_is_larger_than_a_piece_is_whole)
{
    own_order = write_large;
    const struct trace_config config = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 256};
    struct session session;
    struct asker asker;
    struct test_provider provider = begin_with(&session, &config, "large");
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_large_blob blob;
    struct fxt_error error;
    uint8_t count = 0;
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(order(&provider, 'e', 1), 'k');
        cr_assert_eq(order(&provider, 'L', i), 'k');
    }
    begin_asking(&asker);
    cr_assert_eq(end_session(&session), 0);
    end_asking(&asker, 1 << 20);
    fxt_reader_init(&reader, session.archive.bytes, session.archive.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        if (fxt_read_large_blob(&record, &blob, &error) == FXT_OK) {
            cr_assert_eq(blob.payload.size, BLOB);
            count++;
            for (uint64_t i = 0; i < BLOB; i += 4093)
                cr_assert_eq(blob.payload.bytes[i], count);
        }
    cr_expect_eq(count, 3);
    cr_expect_eq(find_events(&session.archive, "large").events, 3);
    end_provider(&provider);
}
