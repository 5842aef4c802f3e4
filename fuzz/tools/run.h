/* A command of fxt as a user runs it, in this process: arguments, files, exit status, stdout and stderr. */
#ifndef FXT_FUZZ_TOOLS_RUN_H
#define FXT_FUZZ_TOOLS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a command left. */
struct tool_result {
    int code;
    char *bytes; /* stdout, and a zero byte */
    size_t size;
    char *said; /* stderr */
};

/* Runs fxt with the arguments up to a NULL, of which empty ones are left out. The process keeps stdout
   and stderr for itself. Whatever is said is safe to print. To be released. */
struct tool_result tool_run(const char *const *arguments);
void tool_release(struct tool_result *result);

#define TOOL(...) tool_run((const char *const[]){__VA_ARGS__, NULL})

/* The number behind this name in the first line. */
bool tool_number(uint64_t *number, const char *line, const char *name);

/* A directory for temporary files, in memory where there is one. */
const char *tool_directory(void);

/* A file in memory. */
struct tool_file {
    int fd;
    char path[32];
};

struct tool_file tool_file(const void *bytes, size_t size);
void tool_close(const struct tool_file *file);

#endif
