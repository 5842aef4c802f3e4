// Every macro with NTRACE, in C++: a test looks at what is left in the object.
#define NTRACE
#include "src/engine/everything_test.h"

extern "C" int trace_nothing_in_cpp();
extern "C" int trace_nothing_in_cpp()
{
    trace_everything();
    return evaluated;
}
