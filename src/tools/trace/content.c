/* Follows an archive record by record. Most recordings need only the first events: when
   everything that was requested has been found, the rest is ignored.

   The patterns that a string matches are stored by its index, for each provider. An event then
   marks its category's patterns as found. */
#include "src/tools/trace/content.h"

#include <stdlib.h>
#include <string.h>

#include <fxt/read.h>

#define INDICES 0x8000u
#define INLINE 0x8000u
#define KERNEL "kernel:" /* categories of ktrace_provider, whose records mostly have none */

struct marks {
    uint64_t bits[CONTENT_PATTERNS_MAX / 64];
};

struct content_strings {
    struct content_strings *next;
    uint32_t id;
    char name[256];
    struct marks marks[INDICES];
};

static void add(struct content *content, const char *given, const char *provider)
{
    const char *slash = strchr(given, '/');
    size_t length = provider != NULL ? strlen(provider) : 0;
    if (given[0] == '#' || content->pattern_count == CONTENT_PATTERNS_MAX)
        return;
    content->patterns[content->pattern_count++] = (struct content_pattern){
        .text = slash != NULL ? slash + 1 : given,
        .provider = slash != NULL ? given : provider,
        .provider_length = slash != NULL ? (size_t)(slash - given) : length,
    };
}

void content_begin(struct content *content, const struct trace_options *options)
{
    content->pattern_count = 0;
    for (size_t i = 0; options != NULL && i < options->categories.count; i++)
        add(content, options->categories.it[i], NULL);
    for (size_t p = 0; options != NULL && p < options->provider_count; p++)
        for (size_t i = 0; i < options->providers[p].categories.count; i++)
            add(content, options->providers[p].categories.it[i], options->providers[p].name);
    content->left = content->pattern_count;
}

static bool is_of(const struct content_pattern *pattern, const char *provider)
{
    return pattern->provider == NULL ||
           (strlen(provider) == pattern->provider_length &&
            memcmp(provider, pattern->provider, pattern->provider_length) == 0);
}

static bool matches(const struct content_pattern *pattern, const char *text, size_t size)
{
    size_t length = strlen(pattern->text);
    if (length > 0 && pattern->text[length - 1] == '*')
        return size >= length - 1 && memcmp(text, pattern->text, length - 1) == 0;
    return size == length && memcmp(text, pattern->text, length) == 0;
}

static struct marks marks_of(const struct content *content, const uint8_t *text, size_t size)
{
    struct marks marks = {{0}};
    for (size_t i = 0; i < content->pattern_count; i++)
        if (is_of(&content->patterns[i], content->current->name) &&
            matches(&content->patterns[i], (const char *)text, size))
            marks.bits[i / 64] |= UINT64_C(1) << i % 64;
    return marks;
}

static void find(struct content *content, size_t i)
{
    content->left -= !content->patterns[i].found;
    content->patterns[i].found = true;
}

static void find_all(struct content *content, const struct marks *marks)
{
    for (size_t i = 0; i < content->pattern_count; i++)
        if ((marks->bits[i / 64] >> i % 64 & 1) != 0)
            find(content, i);
}

/* Makes this the current provider. Records before the first provider record belong to provider 0.
   */
static void switch_to(struct content *content, uint32_t id)
{
    struct content_strings *it = content->providers;
    while (it != NULL && it->id != id)
        it = it->next;
    if (it == NULL) {
        it = calloc(1, sizeof *it);
        if (it == NULL) {
            content->is_unknown = true;
            return;
        }
        it->id = id;
        it->next = content->providers;
        content->providers = it;
    }
    content->current = it;
}

static void look_at_metadata(struct content *content, const struct fxt_record *record)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_error error;
    if (fxt_read_provider_info(record, &info, &error) == FXT_OK) {
        switch_to(content, info.provider_id);
        if (content->current != NULL && info.name.size < sizeof content->current->name)
            memcpy(content->current->name, info.name.bytes, (size_t)info.name.size);
    } else if (fxt_read_provider_section(record, &section, &error) == FXT_OK) {
        switch_to(content, section.provider_id);
    }
}

static void look_at_string(struct content *content, const struct fxt_record *record)
{
    struct fxt_string string;
    struct fxt_error error;
    if (fxt_read_string(record, &string, &error) == FXT_OK && string.index < INDICES)
        content->current->marks[string.index] =
            marks_of(content, string.value.bytes, (size_t)string.value.size);
}

static void look_at_event(struct content *content, const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_error error;
    if (fxt_read_event(record, &event, &error) != FXT_OK)
        return;
    struct marks marks =
        (event.category.ref & INLINE) != 0
            ? marks_of(content, event.category.bytes, event.category.ref & (INLINE - 1))
            : content->current->marks[event.category.ref];
    find_all(content, &marks);
}

/* A record that has no category. */
static void look_at_other(struct content *content)
{
    for (size_t i = 0; i < content->pattern_count; i++)
        if (strncmp(content->patterns[i].text, KERNEL, strlen(KERNEL)) == 0)
            find(content, i);
}

static bool is_definition(uint16_t type)
{
    return type == FXT_RECORD_METADATA || type == FXT_RECORD_INITIALIZATION ||
           type == FXT_RECORD_STRING || type == FXT_RECORD_THREAD ||
           type == FXT_RECORD_KERNEL_OBJECT;
}

static void look(struct content *content)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, content->record, content->have);
    if (fxt_reader_next(&reader, &record, &error) != FXT_OK)
        return;
    content->has_records = content->has_records || !is_definition(record.type);
    if (content->current == NULL)
        switch_to(content, 0);
    if (content->current == NULL)
        return;
    if (record.type == FXT_RECORD_METADATA)
        look_at_metadata(content, &record);
    else if (record.type == FXT_RECORD_STRING)
        look_at_string(content, &record);
    else if (record.type == FXT_RECORD_EVENT)
        look_at_event(content, &record);
    else if (!is_definition(record.type) || record.type == FXT_RECORD_KERNEL_OBJECT)
        look_at_other(content);
}

static size_t fill(struct content *content, const char *bytes, size_t size, size_t until)
{
    size_t piece = until - content->have < size ? until - content->have : size;
    memcpy(content->record + content->have, bytes, piece);
    content->have += piece;
    return piece;
}

/* The size of the record whose first word is there; 0: none. */
static uint64_t size_of_record(const struct content *content, bool *is_large)
{
    uint64_t header = 0;
    for (int i = 7; i >= 0; i--)
        header = header << 8 | content->record[i];
    *is_large = (header & 15) == FXT_RECORD_LARGE;
    return 8 * (*is_large ? header >> 4 & UINT32_MAX : header >> 4 & 0xfff);
}

/* Whether everything has been found. */
static bool is_over(const struct content *content)
{
    return content->is_unknown || (content->has_records && content->left == 0);
}

/* Consumes some of the bytes; returns how many. */
static size_t take_piece(struct content *content, const char *bytes, size_t size)
{
    bool is_large;
    if (content->skip > 0) {
        size_t piece = content->skip < size ? (size_t)content->skip : size;
        content->skip -= piece;
        return piece;
    }
    size_t taken = content->have < 8 ? fill(content, bytes, size, 8) : 0;
    if (content->have < 8)
        return taken;
    uint64_t whole = size_of_record(content, &is_large);
    if (whole == 0) {
        content->is_unknown = true;
        return size;
    }
    if (is_large) {
        content->has_records = true;
        content->skip = whole - 8;
        content->have = 0;
        return taken;
    }
    taken += fill(content, bytes + taken, size - taken, (size_t)whole);
    if (content->have == whole) {
        look(content);
        content->have = 0;
    }
    return taken;
}

void content_take(struct content *content, const char *bytes, size_t size)
{
    while (size > 0 && !is_over(content)) {
        size_t taken = take_piece(content, bytes, size);
        bytes += taken;
        size -= taken;
    }
}

void content_end(struct content *content)
{
    while (content->providers != NULL) {
        struct content_strings *next = content->providers->next;
        free(content->providers);
        content->providers = next;
    }
    content->current = NULL;
}
