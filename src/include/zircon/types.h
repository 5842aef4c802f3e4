/* Types of the tracing interface that come from Fuchsia's kernel, Zircon. On Linux the koid of a
   process or a thread is its id; for other objects see spec/system.md, section 1.5. */
#ifndef ZIRCON_TYPES_H
#define ZIRCON_TYPES_H

#include <stdint.h>

#include <zircon/errors.h>

/* Marks what a shared library exports. A library that has the tracing interface inside, and keeps it
   to itself, defines FXT_HIDDEN. */
#ifdef FXT_HIDDEN
#define ZX_I_EXPORTED __attribute__((visibility("hidden")))
#else
#define ZX_I_EXPORTED __attribute__((visibility("default")))
#endif

typedef int32_t zx_status_t;
typedef uint64_t zx_koid_t;
typedef int64_t zx_time_t; /* nanoseconds */
typedef uint64_t zx_ticks_t;
typedef uint32_t zx_handle_t; /* a descriptor; for an event, an eventfd */

#define ZX_KOID_INVALID ((zx_koid_t)0)
#define ZX_HANDLE_INVALID ((zx_handle_t)0)

#endif
