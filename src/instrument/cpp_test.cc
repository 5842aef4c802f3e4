// The macros in C++: types by overload.
#include <cstdint>
#include <string>

#include "src/instrument/everything_test.h"

namespace
{

enum class Color : uint8_t { kRed = 3 };
enum Sign : int64_t { kMinus = -1 };

// The example of the design document.
void DoSomethingWithAString(int a, std::string b)
{
    TRACE_DURATION("+example", "DoSomethingWithAString", "a", a, "b", b);
}

} // namespace

extern "C" int trace_everything_in_cpp();
extern "C" int trace_everything_in_cpp()
{
    int value = 0;
    trace_everything();
    TRACE_INSTANT("+cpp", "types", TRACE_SCOPE_THREAD, "enum", Color::kRed, "signed", kMinus,
                  "string", std::string("std"), "null", nullptr, "pointer",
                  static_cast<void *>(nullptr), "char", 'c', "i64", int64_t{-9});
    TRACE_INSTANT("+cpp", "pointer", TRACE_SCOPE_THREAD, "p", &value);
    DoSomethingWithAString(4, "four");
    return evaluated;
}
