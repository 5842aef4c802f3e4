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
