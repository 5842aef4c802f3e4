/* The events of a trace in text, of any size: each is in memory as a whole, and no more. They are values of
   JSON, or lines. */
#ifndef FXT_TOOLS_FXT_IMPORT_DOCUMENT_H
#define FXT_TOOLS_FXT_IMPORT_DOCUMENT_H

#include "src/cli/input.h"
#include "src/tools/fxt/import/json.h"

struct document {
    struct input *input;
    char *buffer; /* begin … end - 1 is unread */
    size_t capacity;
    size_t limit; /* of one event */
    size_t begin;
    size_t end;
    uint64_t offset; /* of the buffer in the input */
    bool is_object;  /* else an array of events, whose end may be missing */
    bool in_events;
    bool has_begun;
    const char *wrong; /* why nothing more can be read; NULL: nothing is wrong */
};

enum document_step {
    DOCUMENT_EVENT,  /* a value of the list, which need not be JSON; or a line */
    DOCUMENT_LARGE,  /* one that is over the limit */
    DOCUMENT_MEMBER, /* a member of the document besides traceEvents; *text is its name */
    DOCUMENT_END,
};

/* False after a message. */
bool document_open(struct document *document, struct input *input, uint64_t limit);

/* Whether the first byte, after white space, begins a JSON trace. */
bool document_is_json(struct document *document);

/* The next line of a document that is no JSON. DOCUMENT_EVENT, DOCUMENT_LARGE or DOCUMENT_END. */
enum document_step document_line(struct document *document, const char **text, size_t *size);

/* The text lives until the next call. */
enum document_step document_next(struct document *document, const char **text, size_t *size);

void document_close(struct document *document);

#endif
