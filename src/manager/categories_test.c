/* How many categories a session and a provider may have, and groups that the configuration does not
   know. */
#include "src/protocol/controller.h"
#include "src/manager/raw_test.h"

static const char *const hundred[] = {"#hundred"};
static const char *const more[] = {"#more"};
static const char *const own[] = {"#own"};
static const char *const unknown[] = {"#unknown"};
static const char *const own_and_hundred[] = {"#hundred", "it/one"};

static void put_group(FILE *file, const char *name, const char *prefix, int count)
{
    fprintf(file, "\"%s\": [", name);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\"%sc%d\"", i > 0 ? ", " : "", prefix, i);
    fputs("]", file);
}

static void begin(void)
{
    char path[] = "/tmp/fxt_groups_XXXXXX";
    int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    FILE *file = fdopen(descriptor, "w");
    cr_assert_not_null(file);
    fputs("{\"groups\": {", file);
    put_group(file, "hundred", "", 100);
    fputs(", ", file);
    put_group(file, "more", "", 101);
    fputs(", ", file);
    put_group(file, "own", "it/", 101);
    fputs(", ", file);
    put_group(file, "none", "", 0);
    fputs("}}", file);
    fclose(file);
    start_manager_with(path, 5000);
    unlink(path);
}

TestSuite(categories, .init = begin, .fini = clean_up, .timeout = 120);

/* Two programs, and a session that is not begun yet. */
struct setting {
    struct raw *it;
    struct raw *other;
    struct session session;
    struct trace_config config;
};

static void set(struct setting *setting, const char *const *categories)
{
    memset(setting, 0, sizeof *setting);
    setting->config = (struct trace_config){.categories = categories,
                                            .category_count = categories != NULL,
                                            .mode = TRACE_MODE_ONESHOT,
                                            .buffer_megabytes = 1,
                                            .start_timeout_ms = 100};
    setting->it = raw_provider("it");
    setting->other = raw_provider("other");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 2);
    trace_controller_destroy(controller);
}

/* The number of names in the packet, which are those of the group in its order. */
static uint16_t names_of(struct raw *it, uint16_t ordinal)
{
    struct fxt_i_packet packet = {.ordinal = 0};
    char name[8];
    while (packet.ordinal != ordinal)
        cr_assert(raw_hear(it, &packet, 20000));
    for (uint16_t i = 0; i < packet.name_count; i++) {
        struct fxt_bytes bytes = fxt_i_packet_name(packet.names, i);
        snprintf(name, sizeof name, "c%d", i);
        cr_expect(bytes.size == strlen(name) && memcmp(bytes.bytes, name, bytes.size) == 0);
    }
    return packet.name_count;
}

static void end(struct setting *setting)
{
    raw_end(setting->it);
    raw_end(setting->other);
}

Test(categories, group_of_a_hundred_reaches_a_program)
{
    struct setting setting;
    set(&setting, hundred);
    begin_session(&setting.session, &setting.config);
    cr_expect_eq(names_of(setting.it, FXT_I_INITIALIZE), 100);
    cr_expect_eq(trace_controller_start(setting.session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE,
                                        hundred, 1),
                 0);
    cr_expect_eq(names_of(setting.it, FXT_I_START), 100);
    end(&setting);
    cr_expect_eq(end_session(&setting.session), 0);
}

static void expect_refused(struct setting *setting)
{
    struct trace_status status;
    setting->session.controller = connect_client();
    int output = open_archive(&setting->session.archive);
    cr_assert_eq(trace_controller_initialize(setting->session.controller, &setting->config, output),
                 TRACE_ERROR_INVALID);
    cr_assert_eq(trace_controller_get_status(setting->session.controller, &status), 0);
    cr_expect_eq(status.state, TRACE_SESSION_NONE);
    close(output);
    pthread_join(setting->session.archive.reader, NULL);
    trace_controller_destroy(setting->session.controller);
    end(setting);
}

static void expect_refused_with(const char *const *categories,
                                const struct trace_provider_spec *spec)
{
    struct setting setting;
    set(&setting, categories);
    setting.config.specs = spec;
    setting.config.spec_count = 1;
    expect_refused(&setting);
}

Test(categories, session_of_more_than_a_hundred_is_refused)
{
    struct setting setting;
    set(&setting, more);
    expect_refused(&setting);
}

Test(categories, session_with_a_specification_of_more_than_a_hundred_or_an_unknown_group_is_refused)
{
    static const char *const *const wrong[] = {unknown, more, own};
    for (size_t i = 0; i < 3; i++) {
        const struct trace_provider_spec spec = {"it", wrong[i], 1, 1};
        expect_refused_with(NULL, &spec);
    }
}

/* All that each provider would have, also of those that have not come yet. */
Test(categories, session_with_more_than_a_hundred_of_one_provider_is_refused)
{
    struct setting setting;
    set(&setting, own);
    expect_refused(&setting);
    set(&setting, own_and_hundred);
    setting.config.category_count = 2;
    expect_refused(&setting);
}

/* The specification alone has a hundred. */
Test(categories, session_whose_categories_and_a_specification_are_more_than_a_hundred_is_refused)
{
    static const char *const one[] = {"one"};
    const struct trace_provider_spec spec = {"it", hundred, 1, 1};
    expect_refused_with(one, &spec);
}

Test(categories, start_with_more_than_a_hundred_is_refused_and_the_session_may_be_started)
{
    struct setting setting;
    set(&setting, NULL);
    begin_session(&setting.session, &setting.config);
    cr_expect_eq(
        trace_controller_start(setting.session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, more, 1),
        TRACE_ERROR_INVALID);
    start_session(&setting.session);
    cr_expect_eq(names_of(setting.it, FXT_I_START), 0, "nothing of what was refused");
    end(&setting);
    cr_expect_eq(end_session(&setting.session), 0);
}

/* It would trace all if it were told nothing. */
Test(categories, program_whose_specification_is_of_others_traces_nothing)
{
    static const char *const others[] = {"other/trace:test", "#none"};
    for (size_t i = 0; i < 2; i++) {
        const struct trace_provider_spec spec = {"it", &others[i], 1, 1};
        const struct trace_config config = {
            .specs = &spec, .spec_count = 1, .mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
        struct session session;
        struct test_provider it = begin_with(&session, &config, "it");
        cr_assert_eq(order(&it, 'e', 100), 'k');
        cr_expect_eq(end_session(&session), 0);
        cr_expect_eq(find_events(&session.archive, "it").events, 0, "%s", others[i]);
        free(session.archive.bytes);
        end_provider(&it);
    }
}

Test(categories, start_adds_the_first_hundred_of_a_program_that_has_more_of_its_own)
{
    struct setting setting;
    set(&setting, hundred);
    begin_session(&setting.session, &setting.config);
    cr_expect_eq(
        trace_controller_start(setting.session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, own, 1),
        0);
    cr_expect_eq(names_of(setting.it, FXT_I_START), 100);
    cr_expect_eq(names_of(setting.other, FXT_I_START), 0);
    cr_expect(log_has("its categories: more than 100"));
    end(&setting);
    cr_expect_eq(end_session(&setting.session), 0);
}

static void record_hundred(struct session *session, struct test_provider *it,
                           const char *const *additional, size_t count)
{
    cr_expect_eq(trace_controller_start(session->controller, TRACE_DISPOSITION_CLEAR_ENTIRE,
                                        additional, count),
                 0);
    cr_expect_eq(order(it, 's', 20000), 'k');
    cr_assert_eq(order(it, 'e', 100), 'k');
}

Test(categories, additional_ones_last_until_the_next_start)
{
    static const char *const others[] = {"other"};
    static const char *const test[] = {"trace:test"};
    const struct trace_config config = {.categories = others,
                                        .category_count = 1,
                                        .mode = TRACE_MODE_ONESHOT,
                                        .buffer_megabytes = 1};
    struct session session;
    struct test_provider it = start_provider("it");
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    for (size_t i = 0; i < 4; i++) {
        record_hundred(&session, &it, test, i % 2);
        cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL), 0);
    }
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "it");
    cr_expect_eq(found.events, 200, "%lu", (unsigned long)found.events);
    end_provider(&it);
}

static void send_spec(const struct raw *client, uint32_t number)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    const struct fxt_i_controller_packet packet = {.ordinal = FXT_I_PROVIDER_SPEC, .name_count = 1};
    char name[20];
    snprintf(name, sizeof name, "program %u", number);
    const struct fxt_bytes names[] = {raw_bytes(name)};
    uint64_t size = fxt_i_controller_write(bytes, &packet, names);
    raw_send_patiently(client->socket, bytes, size);
}

static void send_request(const struct raw *client, uint16_t ordinal, uint64_t number)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    const struct fxt_i_controller_packet packet = {
        .ordinal = ordinal, .transaction = 1, .numbers = {number}};
    raw_send_patiently(client->socket, bytes, (size_t)fxt_i_controller_write(bytes, &packet, NULL));
}

Test(categories, hundred_and_first_specification_closes_the_connection)
{
    struct raw *client = raw_open(FXT_I_CONTROLLER);
    for (uint32_t i = 0; i < 100; i++)
        send_spec(client, i);
    send_request(client, FXT_I_GET_STATUS, 0);
    cr_expect(raw_is_readable(client->socket, 20000), "a hundred are accepted");
    send_spec(client, 100);
    cr_expect(raw_is_closed(client->socket, 20000));
    cr_expect(log_has("a client sends a packet that breaks the rules"));
    raw_end(client);
}

Test(categories, specifications_before_an_initialize_without_an_output_are_forgotten)
{
    struct raw *client = raw_open(FXT_I_CONTROLLER);
    for (uint32_t i = 0; i < 100; i++)
        send_spec(client, i);
    send_request(client, FXT_I_INITIALIZE_TRACING, TRACE_MODE_ONESHOT);
    for (uint32_t i = 0; i < 100; i++)
        send_spec(client, i);
    cr_expect(raw_is_readable(client->socket, 20000), "the answer");
    cr_expect_not(raw_is_closed(client->socket, 200));
    cr_expect_not(log_has("a client sends a packet that breaks the rules"));
    raw_end(client);
}

/* An order: a scope that is open until the next session has begun. */
static volatile int *stage; /* 1: the scope is open; 2: tracing is off */

static void outlive_a_session(struct provider_self *self, char order, uint64_t number)
{
    (void)self;
    (void)number;
    if (order != 'O')
        return;
    TRACE_DURATION("secret", "scope", "i", TA_UINT64(1));
    *stage = 1;
    wait_for_state(TRACE_STOPPED, 20000);
    *stage = 2;
    wait_for_state(TRACE_STARTED, 20000);
}

static void await_stage(int wanted)
{
    for (uint64_t end = now_ms() + 20000; *stage != wanted && now_ms() < end;)
        sleep_ms(1);
    cr_assert_eq(*stage, wanted);
}

Test(categories, scope_that_outlives_a_session_asks_again)
{
    static const char *const test[] = {"trace:test"};
    const struct trace_config chosen = {
        .mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1, .categories = test, .category_count = 1};
    const struct trace_config all = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    own_order = outlive_a_session;
    stage = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct test_provider it = begin_with(&session, &all, "it");
    send_order(&it, 'O', 0);
    await_stage(1);
    cr_expect_eq(end_session(&session), 0);
    await_stage(2);
    begin_session(&session, &chosen);
    start_session(&session);
    cr_assert_eq(receive_answer(&it), 'k');
    cr_assert_eq(order(&it, 'e', 10), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "it");
    cr_expect_eq(found.events, 10);
    cr_expect_eq(found.strange, 0, "the category of the scope is off");
    end_provider(&it);
}
