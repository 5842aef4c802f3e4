/* The version of the library, by semantic versioning: docs/install.md says what may change when. */
#ifndef FXT_VERSION_H
#define FXT_VERSION_H

#include <fxt/status.h>

/* Of these headers. */
#define FXT_VERSION_MAJOR 0
#define FXT_VERSION_MINOR 1
#define FXT_VERSION_PATCH 0
#define FXT_VERSION "0.1.0"

/* One number that grows with the version: #if FXT_VERSION_NUMBER >= 100 */
#define FXT_VERSION_NUMBER                                                                         \
    (FXT_VERSION_MAJOR * 10000 + FXT_VERSION_MINOR * 100 + FXT_VERSION_PATCH)

/* FXT_VERSION of the library that the program runs with, which may be another than that of the
   headers. A static string. */
FXT_API const char *fxt_version(void);

#endif
