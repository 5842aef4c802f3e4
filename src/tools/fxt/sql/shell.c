/* Statements from stdin, and three commands. `text` holds what has been read and not run yet. */
#include "src/tools/fxt/sql/sql.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/tools/fxt/sql/editor.h"
#include "src/tools/fxt/tables/schema.h"

#define STATEMENT_BYTES_MAX ((size_t)16 << 20)

struct shell {
    sqlite3 *db;
    struct fxt_out *out;
    const struct answer *how;
    bool at_terminal;
    bool quits;
    char *text;
    size_t size;
};

static void print_row(struct fxt_out *out, const char *name, const char *about)
{
    fxt_out_text(out, name);
    for (size_t width = strlen(name); width < 26; width++)
        fxt_out_char(out, ' ');
    fxt_out_text(out, about);
    fxt_out_char(out, '\n');
}

static void print_tables(struct fxt_out *out)
{
    for (size_t i = 0; i < schema_table_count; i++)
        print_row(out, schema_tables[i].name, schema_tables[i].about);
    for (size_t i = 0; i < schema_view_count; i++)
        print_row(out, schema_views[i].name, schema_views[i].about);
}

static enum exit_code print_schema(struct fxt_out *out, const char *name)
{
    for (size_t i = 0; i < schema_view_count; i++)
        if (strcmp(schema_views[i].name, name) == 0) {
            fxt_out_text(out, schema_views[i].select);
            fxt_out_char(out, '\n');
            return EXIT_CLEAN;
        }
    const struct table *table = schema_find(name);
    if (table == NULL) {
        message("sql: there is no table '%s'; .tables lists them", name);
        return EXIT_FINDINGS;
    }
    for (size_t i = 0; i < table->column_count; i++)
        print_row(out, table->columns[i].name, table->columns[i].about);
    return EXIT_CLEAN;
}

enum exit_code shell_command(struct fxt_out *out, const char *command, bool *quits)
{
    *quits = strcmp(command, ".quit") == 0 || strcmp(command, ".exit") == 0;
    if (strcmp(command, ".tables") == 0)
        print_tables(out);
    else if (strncmp(command, ".schema ", 8) == 0)
        return print_schema(out, command + 8);
    else if (strcmp(command, ".help") == 0)
        fxt_out_text(out, "SQL ends with ';'. .tables lists the tables, .schema TABLE the "
                          "columns of one; .quit leaves.\n");
    else if (!*quits) {
        message("sql: unknown command '%s'; .help lists the commands", command);
        return EXIT_FINDINGS;
    }
    return EXIT_CLEAN;
}

static enum exit_code run_text(struct shell *shell)
{
    enum exit_code code = database_run(shell->db, shell->text, shell->out, shell->how);
    shell->size = 0;
    shell->text[0] = '\0';
    return code;
}

static enum exit_code add_line(struct shell *shell, const char *line, size_t size)
{
    char *text = shell->size + size < STATEMENT_BYTES_MAX
                     ? realloc(shell->text, shell->size + size + 1)
                     : NULL;
    if (text == NULL) {
        message("sql: the statement is too long");
        return EXIT_IO;
    }
    memcpy(text + shell->size, line, size);
    shell->text = text;
    shell->size += size;
    text[shell->size] = '\0';
    return sqlite3_complete(text) ? run_text(shell) : EXIT_CLEAN;
}

static bool is_empty(const char *line)
{
    line += strspn(line, " \t\r\n\f");
    return *line == '\0' || strncmp(line, "--", 2) == 0;
}

static enum exit_code take_line(struct shell *shell, char *line, size_t size)
{
    if (memchr(line, '\0', size) != NULL) {
        message("sql: the statement has a NUL byte");
        return EXIT_FINDINGS;
    }
    if (shell->size == 0 && line[0] == '.') {
        while (size > 0 && isspace((unsigned char)line[size - 1]))
            line[--size] = '\0';
        return shell_command(shell->out, line, &shell->quits);
    }
    if (shell->size == 0 && is_empty(line)) /* it begins no statement */
        return EXIT_CLEAN;
    return add_line(shell, line, size);
}

/* The next line, with its end; the caller frees it. NULL at the end of stdin. */
static char *read_line(struct shell *shell, size_t *size)
{
    char *line = NULL;
    size_t room = 0;
    if (shell->at_terminal) {
        fxt_out_flush(shell->out);
        line = editor_read(shell->size == 0 ? "fxt> " : "...> ");
        *size = line != NULL ? strlen(line) : 0;
        return line;
    }
    ssize_t result = getline(&line, &room, stdin);
    if (result <= 0) {
        free(line);
        return NULL;
    }
    *size = (size_t)result;
    return line;
}

enum exit_code shell_run(sqlite3 *db, struct fxt_out *out, const struct answer *how)
{
    struct shell shell = {.db = db, .out = out, .how = how};
    enum exit_code code = EXIT_CLEAN;
    char *line;
    size_t size;
    shell.at_terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
    if (shell.at_terminal)
        editor_begin();
    while (!shell.quits && !out->failed && (line = read_line(&shell, &size)) != NULL) {
        code = take_line(&shell, line, size);
        free(line);
        if (code != EXIT_CLEAN && !shell.at_terminal)
            break;
    }
    if (shell.at_terminal)
        editor_end();
    if (ferror(stdin)) {
        message("<stdin>: read error: %s", strerror(errno));
        code = EXIT_IO;
    } else if (code == EXIT_CLEAN && shell.size > 0 && !shell.quits)
        code = run_text(&shell);
    free(shell.text);
    return shell.at_terminal && code == EXIT_FINDINGS ? EXIT_CLEAN : code;
}
