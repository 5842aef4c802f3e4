/* The version that `fxt --version` prints: that of the build (build_defs.bzl). */
#ifndef FXT_TOOLS_VERSION_H
#define FXT_TOOLS_VERSION_H

#ifndef FXT_TOOLS_VERSION
#define FXT_TOOLS_VERSION "unknown"
#endif

#endif
