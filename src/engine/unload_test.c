/* A library with call sites that is loaded, traces, and is unloaded: again and again, while tracing
   goes on and while it starts and stops. */
#include <dlfcn.h>

#include "src/engine/fixture_test.h"

TestSuite(unload, .timeout = 60);

static void load_and_trace(bool traces)
{
    void *library = dlopen("src/engine/libplugin.so", RTLD_NOW);
    cr_assert_not_null(library, "%s", dlerror());
    void (*trace)(void);
    *(void **)&trace = dlsym(library, "plugin_trace");
    cr_assert_not_null(*(void **)&trace);
    if (traces)
        trace();
    cr_assert_eq(dlclose(library), 0);
    cr_assert_null(dlopen("src/engine/libplugin.so", RTLD_NOW | RTLD_NOLOAD), "it is gone");
}

static struct trace_i_site shared = {.site = {0}};

static bool ask_in_plugin(const char *category)
{
    void *library = dlopen("src/engine/libplugin.so", RTLD_NOW);
    cr_assert_not_null(library, "%s", dlerror());
    bool (*ask)(struct trace_i_site *, const char *);
    *(void **)&ask = dlsym(library, "plugin_asks");
    cr_assert_not_null(*(void **)&ask);
    bool on = ask(&shared, category);
    cr_assert_eq(dlclose(library), 0);
    return on;
}

static bool category_is_on;

static bool as_said(trace_handler_t *handler, const char *category)
{
    (void)handler;
    (void)category;
    return category_is_on;
}

Test(unload, site_that_stays_asks_again)
{
    static trace_handler_ops_t ops;
    ops = handler_ops;
    ops.is_category_enabled = as_said;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    it.handler.ops = &ops;
    for (int run = 0; run < 4; run++) {
        category_is_on = run % 2 == 1;
        start();
        cr_expect_eq(ask_in_plugin("+c"), category_is_on);
        cr_expect_eq(trace_i_site_enabled(&shared, &trace_i_this_module, "+c"), category_is_on);
        stop();
    }
    tear_down();
}

Test(unload, library_that_is_gone_is_left_alone)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    load_and_trace(true);
    for (int run = 0; run < 3; run++) {
        start();
        for (int i = 0; i < 10; i++) {
            INSTANT("+c", "the program's own"); /* from the same engine */
            load_and_trace(i % 2 == 0);
        }
        stop();
        load_and_trace(true);
        read_buffer();
        cr_expect_eq(count_of("instant +plugin loaded n:int32=1 scope=0"), 5);
        cr_expect_eq(count_of("blob +plugin x"), 5);
        cr_expect_eq(count_of("instant +c the program's own scope=0"), 10);
    }
    tear_down();
}
