/* The version that every program prints: that of the build (build_defs.bzl). */
#ifndef FXT_CLI_VERSION_H
#define FXT_CLI_VERSION_H

#ifndef FXT_VERSION
#define FXT_VERSION "unknown"
#endif

#endif
