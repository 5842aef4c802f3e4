/* The same statements in C and in C++, with NTRACE and without. */
#ifndef FXT_ENGINE_EVERYTHING_TEST_H
#define FXT_ENGINE_EVERYTHING_TEST_H

#include <trace/event.h>

static int evaluated;

static inline int count_evaluation(void)
{
    return ++evaluated;
}

/* The examples of the design document. */
static inline void DoSomething(int a, const char *b)
{
    TRACE_DURATION("+example", "DoSomething", "a", TA_INT32(a), "b", TA_STRING(b));
}

static inline void DoSomethingElse(void)
{
    TRACE_DURATION("+example", "DoSomethingElse");
}

enum { OBJECT = 200 }; /* a file descriptor */

enum fruit { APPLE = 1, PEAR = 2 };

/* The name is gone, and its memory has another one, when the scope ends. */
static inline void trace_everything_dynamic(const char *given)
{
    const bool yes = true;
    char name[64] = "";
    for (int i = 0; i < 63 && given[i] != '\0'; i++)
        name[i] = given[i];
    TRACE_DURATION_DYNAMIC("+dynamic", name, "text", given);
    TRACE_DURATION_DYNAMIC("+dynamic", given);
    TRACE_INSTANT_DYNAMIC("+dynamic", name, TRACE_SCOPE_PROCESS);
    TRACE_INSTANT_DYNAMIC("+dynamic", name, TRACE_SCOPE_THREAD, "n", 1);
    TRACE_COUNTER_DYNAMIC("+dynamic", name, 42, "value", 1, "yes", yes);
    TRACE_DURATION_BEGIN_DYNAMIC("+dynamic", name, "n", 2);
    TRACE_DURATION_END_DYNAMIC("+dynamic", name);
    TRACE_ASYNC_BEGIN_DYNAMIC("+dynamic", name, 1);
    TRACE_ASYNC_INSTANT_DYNAMIC("+dynamic", name, 1, "n", 3);
    TRACE_ASYNC_END_DYNAMIC("+dynamic", name, 1);
    TRACE_FLOW_BEGIN_DYNAMIC("+dynamic", name, 2, "n", 4);
    TRACE_FLOW_STEP_DYNAMIC("+dynamic", name, 2);
    TRACE_FLOW_END_DYNAMIC("+dynamic", name, 2);
    TRACE_INSTANT_DYNAMIC("-off", name, TRACE_SCOPE_THREAD, "never", count_evaluation());
    name[0] = '-';
}

static inline void trace_everything(void)
{
    char array[] = "array";
    const char *text = "text";
    int number = -7;
    unsigned char byte = 200;
    short small = -3;
    long large = -5;
    unsigned long word = 6;
    int kind = PEAR;
    bool yes = true;
    bool no = false;

    TRACE_INSTANT("+c", "none", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("+c", "scopes", TRACE_SCOPE_PROCESS, "i", TA_INT32(1));
    TRACE_INSTANT("+c", "scopes", TRACE_SCOPE_GLOBAL, "i", TA_INT32(2), "u", TA_UINT32(3));
    TRACE_INSTANT("+c", "typed", TRACE_SCOPE_THREAD, "n", TA_NULL(), "b", TA_BOOL(true), "l",
                  TA_INT64(-1), "ul", TA_UINT64(1), "d", TA_DOUBLE(1.5), "s", TA_STRING("string"),
                  "ca", TA_CHAR_ARRAY("characters", 4), "p", TA_POINTER(4096), "k", TA_KOID(5));
    TRACE_INSTANT("+c", "inferred", TRACE_SCOPE_THREAD, "int", number, "byte", byte, "short", small,
                  "long", large, "word", word, "float", 0.5f, "double", 0.25, "array", array,
                  "text", text, "literal", "lit", "bool", yes);
    TRACE_INSTANT("+c", "enum", TRACE_SCOPE_THREAD, "fruit", kind);
    const struct {
        int five : 5;
        long long forty : 40;
    } bits = {-2, -(1LL << 38)};
    TRACE_INSTANT("+c", "bit-field", TRACE_SCOPE_THREAD, "five", bits.five, "forty", bits.forty);
    TRACE_INSTANT("+c", "fifteen", TRACE_SCOPE_THREAD, "1", 1, "2", 2, "3", 3, "4", 4, "5", 5, "6",
                  6, "7", 7, "8", 8, "9", 9, "10", 10, "11", 11, "12", 12, "13", 13, "14", 14, "15",
                  15);
    TRACE_COUNTER("+c", "counter", 42, "value", 1);
    TRACE_COUNTER("+c", "counter", 43, "value", 1, "more", 2);
    TRACE_COUNTER("+c", "counter", 44, "yes", yes, "no", no, "typed", TA_BOOL(true), "set", 1.5);
    TRACE_DURATION_BEGIN("+c", "duration", "x", number);
    TRACE_DURATION_END("+c", "duration");
    TRACE_ASYNC_BEGIN("+c", "async", 1);
    TRACE_ASYNC_INSTANT("+c", "async", 1, "x", number);
    TRACE_ASYNC_END("+c", "async", 1);
    TRACE_FLOW_BEGIN("+c", "flow", 2, "x", number);
    TRACE_FLOW_STEP("+c", "flow", 2);
    TRACE_FLOW_END("+c", "flow", 2);
    TRACE_VTHREAD_DURATION_BEGIN("+c", "vduration", "vthread", 77, 100, "x", number);
    TRACE_VTHREAD_DURATION_END("+c", "vduration", "vthread", 77, 200);
    TRACE_VTHREAD_FLOW_BEGIN("+c", "vflow", "vthread", 77, 3, 100);
    TRACE_VTHREAD_FLOW_STEP("+c", "vflow", "vthread", 77, 3, 110, "x", number);
    TRACE_VTHREAD_FLOW_END("+c", "vflow", "vthread", 77, 3, 120);
    TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "blob", "bytes", 5);
    TRACE_BLOB_EVENT("+c", "blob event", "bytes", 5, "x", number);
    TRACE_KERNEL_OBJECT(OBJECT, "x", number);
    TRACE_KERNEL_OBJECT(OBJECT);
    TRACE_BLOB_EVENT("+c", "blob event", "bytes", 4);
    TRACE_BLOB_ATTACHMENT("+c", "attachment", "bytes", 3);
    TRACE_ALERT("+c", "alert");
    TRACE_ALERT("-off", "not this");
    TRACE_INSTANT("-off", "off", TRACE_SCOPE_THREAD, "never", count_evaluation());
    if (TRACE_ENABLED())
        TRACE_INSTANT("+c", "enabled", TRACE_SCOPE_THREAD);
    else
        TRACE_INSTANT("+c", "not enabled", TRACE_SCOPE_THREAD);
    if (TRACE_CATEGORY_ENABLED("-off"))
        TRACE_INSTANT("+c", "wrong", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("+c", "once", TRACE_SCOPE_THREAD, "x", count_evaluation());
    for (int i = 0; i < 2; i++) {
        TRACE_DURATION("+c", "outer", "i", i);
        TRACE_DURATION("+c", "inner");
    }
    for (int i = 0; i < 2; i++) {
        TRACE_DURATION_OPEN("+c", "open", "i", i, "text", text);
        TRACE_DURATION_OPEN("+c", "open inside");
        TRACE_INSTANT("+c", "while open", TRACE_SCOPE_THREAD);
    }
    DoSomething(3, "three");
    DoSomethingElse();
    trace_everything_dynamic("get");
    trace_everything_dynamic("set");
    trace_everything_dynamic("get");
}

#endif
