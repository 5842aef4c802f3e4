/* The inline functions of the public headers as symbols of the library, for callers that cannot
   compile C. The headers are read with another meaning of `static inline`, so no function is missed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/status.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define static FXT_API
#define inline

#include <fxt/buffer.h>
#include <fxt/check.h>
#include <fxt/events.h>
#include <fxt/explain.h>
#include <fxt/intern.h>
#include <fxt/read.h>
#include <fxt/write.h>
