/* fxt.so, the extension for SQLite: .load ./fxt in sqlite3, sqlite3_load_extension in a program.
   It has the messages of the program that it is not: they become SQL errors, or go to SQLite's log
   if the trace is readable in part. */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include <stdarg.h>
#include <stdio.h>

#include "src/cli/message.h"
#include "src/tools/fxt/sql/sql.h"

#define MESSAGE_BYTES 1024

const struct program program = {.name = "fxt.so", .operands = "", .help_end = ""};

/* Of this thread: connections of several threads may read files at the same time. */
static _Thread_local char last[MESSAGE_BYTES];

const char *last_message(void)
{
    return last;
}

void message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    sqlite3_log(SQLITE_WARNING, "fxt: %s", last);
}

void message_at(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    sqlite3_log(SQLITE_WARNING, "fxt: %s", last);
}

enum exit_code exit_worse(enum exit_code a, enum exit_code b)
{
    return a > b ? a : b;
}

/* Called by SQLite when it loads the library. */
__attribute__((visibility("default"))) int sqlite3_fxt_init(sqlite3 *db, char **error,
                                                            const sqlite3_api_routines *api)
{
    struct files *files;
    SQLITE_EXTENSION_INIT2(api)
    int result = module_register(db, &files);
    if (result == SQLITE_OK)
        result = module_register_open(files);
    if (result != SQLITE_OK)
        *error = sqlite3_mprintf("fxt: %s", sqlite3_errmsg(db));
    return result;
}
