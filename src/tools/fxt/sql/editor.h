/* Lines that a person edits at a terminal: history, and completion of the names of tables. */
#ifndef FXT_TOOLS_FXT_SQL_EDITOR_H
#define FXT_TOOLS_FXT_SQL_EDITOR_H

/* Reads the history of earlier sessions. Call it once. */
void editor_begin(void);

/* A line with '\n' at its end, which the caller frees. NULL at the end of stdin, or without memory. */
char *editor_read(const char *prompt);

/* Writes the history. */
void editor_end(void);

#endif
