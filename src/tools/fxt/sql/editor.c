/* The line editor of libedit. Its state, and so this file, is for one thread. The history is a file of
   this user alone; without a home directory there is none, and no error of it is worth a message. */
#include "src/tools/fxt/sql/editor.h"

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <editline/readline.h>

#include "src/tools/fxt/tables/schema.h"

#define HISTORY_FILE ".fxt_sql_history"
#define HISTORY_LINES 1000

static char history[PATH_MAX]; /* "": none */

static const char *name_at(size_t index)
{
    static const char *const commands[] = {".exit", ".help", ".quit", ".schema", ".tables"};
    size_t count = sizeof commands / sizeof *commands;
    if (index < count)
        return commands[index];
    index -= count;
    if (index < schema_table_count)
        return schema_tables[index].name;
    index -= schema_table_count;
    return index < schema_view_count ? schema_views[index].name : NULL;
}

/* The next name that begins so; state == 0: the first. */
static char *complete(const char *begin, int state)
{
    static size_t at;
    const char *name;
    if (state == 0)
        at = 0;
    while ((name = name_at(at)) != NULL) {
        at++;
        if (strncmp(name, begin, strlen(begin)) == 0)
            return strdup(name);
    }
    return NULL;
}

void editor_begin(void)
{
    static char name[] = "fxt";
    const char *home = secure_getenv("HOME");
    setlocale(LC_CTYPE, ""); /* what a character is */
    rl_readline_name = name;
    rl_catch_signals = 1; /* the terminal is put right before a signal ends the program */
    rl_completion_entry_function = complete;
    using_history();
    stifle_history(HISTORY_LINES);
    int size = home != NULL && *home == '/'
                   ? snprintf(history, sizeof history, "%s/" HISTORY_FILE, home)
                   : 0;
    if (size <= 0 || (size_t)size >= sizeof history)
        history[0] = '\0';
    else
        read_history(history);
}

char *editor_read(const char *prompt)
{
    char *text = readline(prompt);
    if (text == NULL)
        return NULL;
    size_t size = strlen(text);
    if (size > 0)
        add_history(text);
    char *line = realloc(text, size + 2);
    if (line == NULL) {
        free(text);
        return NULL;
    }
    memcpy(line + size, "\n", 2);
    return line;
}

void editor_end(void)
{
    mode_t mask = umask(0077);
    if (history[0] != '\0')
        write_history(history);
    umask(mask);
}
