/* SQLite's functions: those of the library for fxt, those of the program that loads it for the
   extension, which is compiled without SQLITE_CORE. */
#ifndef FXT_TOOLS_FXT_SQL_SQLITE_H
#define FXT_TOOLS_FXT_SQL_SQLITE_H

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#endif
