// The macros in C++: types by overload.
#include <cstdint>
#include <string>
#include <vector>

#include "src/engine/everything_test.h"

namespace
{

enum class Color : uint8_t { kRed = 3 };
enum Sign : int64_t { kMinus = -1 };

// The example of the design document.
void DoSomethingWithAString(int a, std::string b)
{
    TRACE_DURATION("+example", "DoSomethingWithAString", "a", a, "b", b);
}

// The strings are gone when the scope ends, and their memory is used again.
void TemporaryStrings()
{
    TRACE_DURATION("+cpp", "temporaries", "string", std::string(40, 's'), "c_str",
                   std::string(40, 'c').c_str(), "TA", TA_STRING(std::string("ta").c_str()));
    std::vector<std::string> others(100, std::string(40, 'x'));
}

void LongTemporaryStrings(std::size_t length)
{
    TRACE_DURATION("+cpp", "long", "first", 1, "string", std::string(length, 'l').c_str());
    std::vector<std::string> others(100, std::string(length, 'x'));
}

// Traces when its thread ends.
struct Last {
    ~Last()
    {
        TRACE_INSTANT("+cpp", "thread_local", TRACE_SCOPE_THREAD, "n", n);
    }
    int n = 0;
};

thread_local Last last;

} // namespace

extern "C" void *leave_thread_local(void *self);
extern "C" void *leave_thread_local(void *self)
{
    last.n = 1;
    return self;
}

extern "C" int trace_everything_in_cpp();
extern "C" int trace_everything_in_cpp()
{
    int value = 0;
    trace_everything();
    TRACE_INSTANT("+cpp", "types", TRACE_SCOPE_THREAD, "enum", Color::kRed, "signed", kMinus,
                  "string", std::string("std"), "null", nullptr, "pointer",
                  static_cast<void *>(nullptr), "char", 'c', "i64", int64_t{-9});
    TRACE_INSTANT("+cpp", "pointer", TRACE_SCOPE_THREAD, "p", &value);
    char raw[4] = {'a', 'b', 'c', 'd'}; // without a NUL
    const char filled[4] = {'e', 'f', 0, 'g'};
    const char *none = nullptr;
    TRACE_INSTANT("+cpp", "arrays", TRACE_SCOPE_THREAD, "raw", raw, "filled", filled, "none", none);
    DoSomethingWithAString(4, "four");
    TemporaryStrings();
    for (std::size_t length : std::vector<std::size_t>{128, 129, 3}) {
        LongTemporaryStrings(length);
    }
    TRACE_DURATION_BEGIN("+cpp", "temporary in a statement", "s", std::string("statement").c_str());
    TRACE_DURATION_END("+cpp", "temporary in a statement");
    return evaluated;
}
