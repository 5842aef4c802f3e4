/* The macros of <trace/event.h>: what each writes, in C and in C++. */
#include "src/engine/fixture_test.h"
#include "src/engine/everything_test.h"

TestSuite(macros, .timeout = 60);

int trace_everything_in_cpp(void);
void *leave_thread_local(void *self);
int trace_nothing(void);
int trace_nothing_in_cpp(void);

static void open_object(void)
{
    cr_assert_eq(dup2(memfd_create("object", 0), OBJECT), OBJECT);
}

static void expect_dynamic(void)
{
    HAS("instant +dynamic set scope=1");
    HAS("instant +dynamic set n:int32=1 scope=0");
    HAS("counter +dynamic set value:int32=1 yes:uint32=1 id=42");
    HAS("begin +dynamic set n:int32=2");
    HAS("async-begin +dynamic set id=1");
    HAS("async-instant +dynamic set n:int32=3 id=1");
    HAS("async-end +dynamic set id=1");
    HAS("flow-begin +dynamic set n:int32=4 id=2");
    HAS("flow-step +dynamic set id=2");
    HAS("flow-end +dynamic set id=2");
    HAS("begin +dynamic set text:string=set");
    HAS("begin +dynamic set");
    cr_expect_eq(count_of("end +dynamic set"), 3);
    cr_expect_eq(count_of("end +dynamic get"), 6);
    cr_expect_eq(count_of("instant +dynamic get scope=1"), 2);
}

static void expect_everything(void)
{
    HAS("instant +c none scope=0");
    HAS("instant +c scopes i:int32=1 scope=1");
    HAS("instant +c scopes i:int32=2 u:uint32=3 scope=2");
    HAS("instant +c typed n:null b:bool=1 l:int64=-1 ul:uint64=1 d:double=1.5 s:string=string "
        "ca:string=char p:pointer=4096 k:koid=5 scope=0");
    HAS("instant +c inferred int:int32=-7 byte:uint32=200 short:int32=-3 long:int64=-5 "
        "word:uint64=6 float:double=0.5 double:double=0.25 array:string=array text:string=text "
        "literal:string=lit bool:bool=1 scope=0");
    HAS("instant +c bit-field five:int32=-2 forty:int64=-274877906944 scope=0");
    HAS("instant +c enum fruit:int32=2 scope=0");
    HAS("instant +c fifteen 1:int32=1 2:int32=2 3:int32=3 4:int32=4 5:int32=5 6:int32=6 7:int32=7 "
        "8:int32=8 9:int32=9 10:int32=10 11:int32=11 12:int32=12 13:int32=13 14:int32=14 "
        "15:int32=15 scope=0");
    HAS("counter +c counter value:int32=1 id=42");
    HAS("counter +c counter value:int32=1 more:int32=2 id=43");
    HAS("counter +c counter yes:uint32=1 no:uint32=0 typed:uint32=1 set:double=1.5 id=44");
    HAS("begin +c duration x:int32=-7");
    HAS("end +c duration");
    HAS("async-begin +c async id=1");
    HAS("async-instant +c async x:int32=-7 id=1");
    HAS("async-end +c async id=1");
    HAS("flow-begin +c flow x:int32=-7 id=2");
    HAS("flow-step +c flow id=2");
    HAS("flow-end +c flow id=2");
    HAS("begin +c vduration x:int32=-7 vthread=77");
    HAS("end +c vduration vthread=77");
    HAS("flow-begin +c vflow id=3 vthread=77");
    HAS("flow-step +c vflow x:int32=-7 id=3 vthread=77");
    HAS("flow-end +c vflow id=3 vthread=77");
    HAS("object 2 vthread");
    HAS("object 3 /memfd:object (deleted)");
    HAS("object 3 /memfd:object (deleted) x:int32=-7");
    HAS("blob blob bytes");
    HAS("large +c blob event 5");
    HAS("large +c blob event 4");
    HAS("large +c attachment 3");
    HAS("instant +c enabled scope=0");
    HAS("instant +c once x:int32=1 scope=0");
    HAS("complete +c outer i:int32=0");
    HAS("complete +c outer i:int32=1");
    cr_expect_eq(count_of("complete +c inner"), 2);
    HAS("begin +c open i:int32=0 text:string=text");
    HAS("begin +c open i:int32=1 text:string=text");
    cr_expect_eq(count_of("begin +c open inside"), 2);
    cr_expect_eq(count_of("end +c open inside"), 2);
    cr_expect_eq(count_of("end +c open"), 2);
    HAS("complete +example DoSomething a:int32=3 b:string=three");
    HAS("complete +example DoSomethingElse");
    expect_dynamic();
    cr_expect_eq(count_from("instant -off"), 0);
    cr_expect_eq(count_of("instant +c not enabled scope=0"), 0);
    cr_expect_eq(count_of("instant +c wrong scope=0"), 0);
    cr_expect_str_eq(it.alert, "alert");
}

Test(macros, everything_in_c)
{
    for (int mode = 0; mode <= 2; mode++) {
        memset(&it, 0, sizeof it);
        evaluated = 0;
        set_up((trace_buffering_mode_t)mode, 65536);
        open_object();
        start();
        trace_everything();
        cr_expect_eq(evaluated, 1, "only what is on is evaluated");
        stop();
        cr_expect_eq(it.disposition, ZX_OK);
        read_buffer();
        expect_everything();
        tear_down();
    }
}

#define TEN(c) c c c c c c c c c c
#define FORTY(c) TEN(c) TEN(c) TEN(c) TEN(c)
#define LONG FORTY("l") TEN("l") TEN("l") TEN("l") "lllllllll" /* text_of cuts it */

Test(macros, everything_in_cpp)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    open_object();
    start();
    cr_expect_eq(trace_everything_in_cpp(), 1);
    stop();
    read_buffer();
    expect_everything();
    HAS("instant +cpp arrays raw:string=abcd filled:string=ef none:string= scope=0");
    HAS("instant +cpp types enum:uint32=3 signed:int64=-1 string:string=std null:null "
        "pointer:pointer=0 char:int32=99 i64:int64=-9 scope=0");
    cr_expect_eq(count_from("instant +cpp pointer p:pointer="), 1);
    HAS("complete +example DoSomethingWithAString a:int32=4 b:string=four");
    HAS("complete +cpp temporaries string:string=" FORTY("s") " c_str:string=" FORTY(
        "c") " TA:string=ta");
    HAS("complete +cpp long first:int32=1 string:string=" LONG);
    HAS("complete +cpp long first:int32=1 string:string=lll");
    HAS("begin +cpp long first:int32=1 string:string=" LONG);
    HAS("end +cpp long");
    HAS("begin +cpp temporary in a statement s:string=statement");
    tear_down();
}

static uint64_t records_dropped(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return sizes.records_dropped;
}

static void trace_with_scope(trace_scope_t scope)
{
    TRACE_INSTANT("+c", "scope", scope);
}

Test(macros, scope_that_there_is_not_is_dropped_and_counted)
{
    static const uint32_t wrong[] = {3, 255, 65536, 65537, UINT32_MAX};
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    for (int good_first = 0; good_first < 2; good_first++) {
        start();
        if (good_first)
            trace_with_scope(TRACE_SCOPE_GLOBAL);
        for (int i = 0; i < 5; i++)
            trace_with_scope((trace_scope_t)wrong[i]);
        trace_context_t *context = trace_acquire_context();
        trace_string_ref_t name = trace_make_inline_c_string_ref("name");
        trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
        for (int i = 0; i < 5; i++) {
            trace_with_scope((trace_scope_t)wrong[i]);
            trace_context_write_instant_event_record(context, 3, &thread, &name, &name,
                                                     (trace_scope_t)wrong[i], NULL, 0);
        }
        trace_release_context(context);
        stop();
        read_buffer();
        cr_expect_eq(count_of("instant +c scope scope=2"), good_first);
        cr_expect_eq(count_from("instant"), good_first);
        cr_expect_eq(records_dropped(), 15);
    }
    tear_down();
}

static void trace_huge_duration(const char *text)
{
    TRACE_DURATION("+c", "huge", "text", text);
}

Test(macros, duration_whose_begin_finds_no_room_has_no_end)
{
    char text[32001];
    memset(text, 'h', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_huge_duration("small");
    trace_huge_duration(text);
    stop();
    read_buffer();
    HAS("complete +c huge text:string=small");
    cr_expect_eq(count_of("end +c huge"), 0);
    cr_expect_eq(records_dropped(), 1);
    tear_down();
}

/* Events of one thread stand in their order. */
static int index_of(const char *line)
{
    for (int i = 0; i < it.count; i++)
        if (strcmp(it.lines[i], line) == 0)
            return i;
    cr_assert_fail("no %s", line);
    return -1;
}

static void leave_open(bool stop_inside, void (*inside)(void))
{
    TRACE_DURATION_OPEN("+c", "outer", "n", 1);
    {
        TRACE_DURATION_OPEN("+c", "inner");
        if (stop_inside) {
            stop();
            inside();
        }
    }
}

static void read_what_is_open(void)
{
    read_buffer();
    cr_expect_lt(index_of("begin +c outer n:int32=1"), index_of("begin +c inner"));
    cr_expect_eq(count_from("end"), 0);
    cr_expect_eq(count_from("complete"), 0);
}

Test(macros, open_duration_is_in_the_trace_before_it_ends)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    leave_open(true, read_what_is_open);
    tear_down();
}

static void start_again(void)
{
    start();
}

Test(macros, open_duration_does_not_end_in_a_trace_that_lacks_its_begin)
{
    for (int mode = 0; mode <= 2; mode++) {
        memset(&it, 0, sizeof it);
        set_up((trace_buffering_mode_t)mode, 65536);
        start();
        leave_open(true, start_again);
        leave_open(false, NULL);
        stop();
        read_buffer();
        cr_expect_eq(count_from("begin"), 2);
        cr_expect_eq(count_from("end"), 2);
        cr_expect_lt(index_of("end +c inner"), index_of("end +c outer"));
        tear_down();
    }
}

static void retain(void)
{
    cr_assert_eq(trace_engine_start(TRACE_START_RETAIN_BUFFER), ZX_OK);
}

Test(macros, open_duration_ends_in_a_trace_that_has_its_begin)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    leave_open(true, retain);
    stop();
    read_buffer();
    cr_expect_eq(count_from("begin"), 2);
    cr_expect_eq(count_from("end"), 2);
    tear_down();
}

/* The site knows no references when the scope ends, and must not keep those of the end alone. */
static void trace_open(bool again)
{
    TRACE_DURATION_OPEN("+c", "again", "first", 1, "second", 2);
    if (again) {
        stop();
        start();
        TRACE_INSTANT("+c", "shifts the indexes", TRACE_SCOPE_THREAD, "x", 1);
    }
}

Test(macros, end_of_a_scope_does_not_replace_what_its_site_knows)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_open(true);
    trace_open(false);
    stop();
    read_buffer();
    HAS("begin +c again first:int32=1 second:int32=2");
    cr_expect_eq(count_of("end +c again"), 1);
    tear_down();
}

Test(macros, destructor_of_a_thread_local_traces)
{
    pthread_t thread;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    cr_assert_eq(pthread_create(&thread, NULL, leave_thread_local, NULL), 0);
    pthread_join(thread, NULL);
    stop();
    read_buffer();
    HAS("instant +cpp thread_local n:int32=1 scope=0");
    tear_down();
}

Test(macros, nothing_when_tracing_is_off)
{
    evaluated = 0;
    trace_everything();
    cr_expect_eq(evaluated, 0);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    trace_everything();
    start();
    stop();
    trace_everything();
    read_buffer();
    cr_expect_eq(it.count, 1, "the initialization record");
    cr_expect_eq(evaluated, 0);
    tear_down();
}

Test(macros, nothing_with_ntrace)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    cr_expect_eq(trace_nothing(), 0);
    cr_expect_eq(trace_nothing_in_cpp(), 0);
    stop();
    read_buffer();
    cr_expect_eq(it.count, 1);
    tear_down();
}

Test(macros, sites_work_again_after_each_start)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    for (int i = 0; i < 3; i++) {
        evaluated = 0;
        open_object();
        start();
        trace_everything();
        stop();
        read_buffer();
        expect_everything();
    }
    tear_down();
}
