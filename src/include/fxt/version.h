/* The version of the library. docs/install.md says what a new version may change. */
#ifndef FXT_VERSION_H
#define FXT_VERSION_H

#include <fxt/status.h>

/* The version of these headers. */
#define FXT_VERSION_MAJOR 0
#define FXT_VERSION_MINOR 2
#define FXT_VERSION_PATCH 0
#define FXT_VERSION "0.2.0"

/* One number that grows with the version: #if FXT_VERSION_NUMBER >= 100 */
#define FXT_VERSION_NUMBER                                                                         \
    (FXT_VERSION_MAJOR * 10000 + FXT_VERSION_MINOR * 100 + FXT_VERSION_PATCH)

/* Returns FXT_VERSION of the library that the program runs with, which may differ from that of the
   headers. The string is static. Thread-safe. */
FXT_API const char *fxt_version(void);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/version.h"
#endif

#endif
