/* See document.h. Finds where values end by brackets and quotes alone; json_read checks them later. What is
   skipped leaves the buffer, so that it may have any size and depth. */
#include "src/tools/fxt/import/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"

#define FIRST_BYTES TOOL_SIZE((size_t)256 << 10)
#define NOTHING (-1)

bool document_open(struct document *document, struct input *input, uint64_t limit)
{
    *document = (struct document){.input = input, .capacity = FIRST_BYTES, .limit = (size_t)limit};
    document->buffer = malloc(document->capacity);
    if (document->buffer == NULL)
        message("%s: %s", input->raw.name, strerror(ENOMEM));
    return document->buffer != NULL;
}

void document_close(struct document *document)
{
    free(document->buffer);
}

static bool grow(struct document *document)
{
    size_t larger = document->capacity * 2;
    char *buffer = document->capacity <= document->limit ? realloc(document->buffer, larger) : NULL;
    if (buffer == NULL)
        return false;
    document->buffer = buffer;
    document->capacity = larger;
    return true;
}

/* Reads more behind `end`. Bytes before `begin` go. False if there is no room or nothing more. */
static bool more(struct document *document)
{
    size_t kept = document->end - document->begin;
    memmove(document->buffer, document->buffer + document->begin, kept);
    document->offset += document->begin;
    document->begin = 0;
    document->end = kept;
    if (kept == document->capacity && !grow(document))
        return false;
    size_t got =
        input_read(document->input, (uint8_t *)document->buffer + kept, document->capacity - kept);
    document->end += got;
    return got > 0;
}

/* The next byte that is no white space, or NOTHING. It stays unread. */
static int peek(struct document *document)
{
    for (;;) {
        while (document->begin < document->end) {
            char c = document->buffer[document->begin];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
                return (unsigned char)c;
            document->begin++;
        }
        if (!more(document))
            return NOTHING;
    }
}

/* Where the scan of a value is. */
struct scan {
    uint64_t depth;
    bool in_string;
    bool escaped;
    bool is_plain; /* a number or a word */
};

/* Looks at the next byte. True if the value ends before it (is_plain) or with it. */
static bool scan_byte(struct scan *scan, char c)
{
    if (scan->in_string) {
        bool ends = c == '"' && !scan->escaped;
        scan->escaped = c == '\\' && !scan->escaped;
        scan->in_string = !ends;
        return ends && scan->depth == 0;
    }
    switch (c) {
    case '"':
        scan->in_string = true;
        return scan->is_plain;
    case '{':
    case '[':
        scan->depth++;
        return scan->is_plain;
    case '}':
    case ']':
        return scan->is_plain || --scan->depth == 0;
    case ',':
    case ':':
    case ' ':
    case '\n':
    case '\r':
    case '\t':
        return scan->is_plain;
    default:
        return false;
    }
}

/* Passes the value at `begin`. Keeps its text if that is wanted and it is short enough; otherwise *text is
   NULL. False if the input ends in it. */
static bool pass_value(struct document *document, bool is_wanted, const char **text, size_t *size)
{
    char first = document->buffer[document->begin];
    struct scan scan = {.is_plain = first != '{' && first != '[' && first != '"'};
    size_t at = document->begin;
    for (;;) {
        for (; at < document->end; at++)
            if (scan_byte(&scan, document->buffer[at])) {
                at += !scan.is_plain;
                *text = is_wanted ? document->buffer + document->begin : NULL;
                *size = at - document->begin;
                document->begin = at;
                return true;
            }
        is_wanted = is_wanted && at - document->begin < document->limit;
        if (!is_wanted)
            document->begin = at;
        at -= document->begin;
        if (!more(document)) {
            if (document->end < document->capacity)
                return false;
            is_wanted = false; /* no memory */
            document->begin = at;
            if (!more(document))
                return false;
            at = 0;
        }
    }
}

static enum document_step fail(struct document *document, const char *wrong)
{
    document->wrong = wrong;
    return DOCUMENT_END;
}

/* The next value of the list of events; DOCUMENT_END also at the end of the list. */
static enum document_step next_event(struct document *document, const char **text, size_t *size)
{
    int c = peek(document);
    while (c == ',') {
        document->begin++;
        c = peek(document);
    }
    if (c == NOTHING && document->is_object)
        return fail(document, "the document ends early");
    if (c == ']' || c == NOTHING) {
        document->begin += c == ']';
        document->in_events = false;
        return DOCUMENT_END;
    }
    if (c == '}' || c == ':')
        return fail(document, "not JSON: no event begins here");
    if (!pass_value(document, true, text, size))
        return fail(document, "the last event is cut off");
    return *text != NULL ? DOCUMENT_EVENT : DOCUMENT_LARGE;
}

#define KEY_MAX 64u

/* Reads the name of a member, cut to KEY_MAX bytes, and its colon. */
static bool pass_key(struct document *document, char key[KEY_MAX])
{
    const char *text;
    size_t size;
    if (peek(document) != '"' || !pass_value(document, true, &text, &size) || text == NULL)
        return false;
    size = size - 2 < KEY_MAX - 1 ? size - 2 : KEY_MAX - 1;
    memcpy(key, text + 1, size);
    key[size] = '\0';
    if (peek(document) != ':')
        return false;
    document->begin++;
    return peek(document) != NOTHING;
}

/* Passes the next member of the document. DOCUMENT_END also where the list of events begins. */
static enum document_step next_member(struct document *document, const char **text, size_t *size)
{
    static char key[KEY_MAX];
    const char *value;
    size_t unused;
    int c = peek(document);
    while (c == ',') {
        document->begin++;
        c = peek(document);
    }
    if (c == '}') {
        document->begin++;
        document->is_object = false;
        return DOCUMENT_END;
    }
    if (c == NOTHING)
        return fail(document, "the document ends early");
    if (!pass_key(document, key))
        return fail(document, "not JSON: a member has no name or no value");
    c = peek(document);
    if (c == '[' && strcmp(key, "traceEvents") == 0) {
        document->begin++;
        document->in_events = true;
        return DOCUMENT_END;
    }
    if (c == ',' || c == '}' || c == ']' || c == ':')
        return fail(document, "not JSON: a member has no value");
    if (!pass_value(document, false, &value, &unused))
        return fail(document, "the document ends early");
    *text = key;
    *size = strlen(key);
    return DOCUMENT_MEMBER;
}

/* A byte order mark, which some editors write. */
static int pass_mark(struct document *document)
{
    static const int mark[] = {0xef, 0xbb, 0xbf};
    int c = peek(document);
    for (int i = 0; i < 3 && c == mark[i]; i++) {
        document->begin++;
        c = peek(document);
    }
    return c;
}

bool document_is_json(struct document *document)
{
    int c = pass_mark(document);
    return c == '{' || c == '[';
}

enum document_step document_line(struct document *document, const char **text, size_t *size)
{
    bool is_large = false;
    size_t searched = 0;
    for (;;) {
        const char *at = document->buffer + document->begin;
        size_t ready = document->end - document->begin;
        const char *found = memchr(at + searched, '\n', ready - searched);
        if (found != NULL) {
            *text = at;
            *size = (size_t)(found - at);
            document->begin += *size + 1;
            return is_large ? DOCUMENT_LARGE : DOCUMENT_EVENT;
        }
        is_large = is_large || ready > document->limit;
        document->begin = is_large ? document->end : document->begin;
        searched = is_large ? 0 : ready;
        if (more(document))
            continue;
        *text = document->buffer;
        *size = document->end;
        document->begin = document->end;
        if (*size == document->capacity)
            is_large = true; /* no memory */
        else
            return is_large ? DOCUMENT_LARGE : *size > 0 ? DOCUMENT_EVENT : DOCUMENT_END;
        searched = 0;
    }
}

static enum document_step begin(struct document *document)
{
    int c = pass_mark(document);
    document->has_begun = true;
    if (c != '{' && c != '[')
        return fail(document, "not a JSON trace: neither an object nor an array");
    document->begin++;
    document->is_object = c == '{';
    document->in_events = c == '[';
    return DOCUMENT_EVENT;
}

enum document_step document_next(struct document *document, const char **text, size_t *size)
{
    if (document->wrong != NULL)
        return DOCUMENT_END;
    if (!document->has_begun && begin(document) == DOCUMENT_END)
        return DOCUMENT_END;
    while (document->in_events || document->is_object) {
        enum document_step step = document->in_events ? next_event(document, text, size)
                                                      : next_member(document, text, size);
        if (step != DOCUMENT_END || document->wrong != NULL)
            return step;
    }
    return peek(document) == NOTHING ? DOCUMENT_END : fail(document, "something follows the trace");
}
