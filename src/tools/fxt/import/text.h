/* The text of `perf script`, of `trace-cmd report` and of the kernel's own `trace` file: one event a line. */
#ifndef FXT_TOOLS_FXT_IMPORT_TEXT_H
#define FXT_TOOLS_FXT_IMPORT_TEXT_H

#include "src/tools/fxt/import/intake.h"

/* An event waits for the lines of its stack. */
struct text_reader {
    struct intake *intake;
    struct intake_record record;
    bool is_waiting;
    bool has_cpu;
    char texts[FXT_STRING_LENGTH_MAX]; /* of the event's line */
    char stack[FXT_STRING_LENGTH_MAX];
    size_t stack_size;
};

void text_begin(struct text_reader *reader, struct intake *intake);
void text_line(struct text_reader *reader, const char *line, size_t length);
void text_end(struct text_reader *reader);

#endif
