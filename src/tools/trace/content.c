/* Follows an archive record by record. Most recordings need only the first events: when
   everything that was requested has been found, the rest is ignored.

   The patterns that a string matches are stored by its index, for each provider. An event then
   marks its category's patterns as found. */
#include "src/tools/trace/sink.h"

#include <stdlib.h>
#include <string.h>

#include <fxt/read.h>

#define INDICES FXT_STRING_INLINE
#define LARGE_TEXT 16u /* bytes in front of the text of a large record's category */
#define KERNEL_PROVIDER "ktrace_provider"

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

static void look_at_category(struct content *content, struct fxt_string_ref category)
{
    struct marks marks = category.ref >= FXT_STRING_INLINE
                             ? marks_of(content, category.bytes, fxt_string_ref_length(category))
                             : content->current->marks[category.ref];
    find_all(content, &marks);
}

static void look_at_event(struct content *content, const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_error error;
    if (fxt_read_event(record, &event, &error) == FXT_OK)
        look_at_category(content, event.category);
}

/* Decoders need the whole record, but only its head is there. It begins with the category: the ref
   in the second word, and behind it the text, if it is inline. */
static void look_at_large(struct content *content)
{
    const uint8_t *bytes = content->record;
    if (content->have < LARGE_TEXT)
        return;
    struct fxt_string_ref category = {bytes + LARGE_TEXT, (uint16_t)(bytes[8] | bytes[9] << 8)};
    if (fxt_string_ref_length(category) <= content->have - LARGE_TEXT)
        look_at_category(content, category);
}

/* A record of ktrace_provider whose category is not in it. */
static void look_at_kernel(struct content *content, const char *category)
{
    struct marks marks = marks_of(content, (const uint8_t *)category, strlen(category));
    find_all(content, &marks);
}

/* For this category, names are what is recorded. */
static void look_at_kernel_name(struct content *content)
{
    size_t left = content->left;
    look_at_kernel(content, "kernel:meta");
    content->has_records = content->has_records || content->left < left;
}

/* Frames the record whose first bytes are there. */
static bool frame(const struct content *content, struct fxt_record *record)
{
    struct fxt_reader reader;
    struct fxt_error error;
    fxt_reader_init_chunk(&reader, content->record, content->have);
    enum fxt_status status = fxt_reader_next(&reader, record, &error);
    return status == FXT_OK || status == FXT_MORE;
}

static bool is_definition(uint16_t type)
{
    return type == FXT_RECORD_METADATA || type == FXT_RECORD_INITIALIZATION ||
           type == FXT_RECORD_STRING || type == FXT_RECORD_THREAD ||
           type == FXT_RECORD_KERNEL_OBJECT;
}

/* Every provider names its own process. */
static bool is_name_of_kernel(const struct content *content, const struct fxt_record *record)
{
    return record->type == FXT_RECORD_KERNEL_OBJECT &&
           strcmp(content->current->name, KERNEL_PROVIDER) == 0;
}

static void look(struct content *content)
{
    struct fxt_record record;
    if (!frame(content, &record))
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
    else if (record.type == FXT_RECORD_LARGE)
        look_at_large(content);
    else if (record.type == FXT_RECORD_SCHEDULING)
        look_at_kernel(content, "kernel:sched");
    else if (is_name_of_kernel(content, &record))
        look_at_kernel_name(content);
}

static size_t fill(struct content *content, const char *bytes, size_t size, size_t until)
{
    size_t piece = until - content->have < size ? until - content->have : size;
    memcpy(content->record + content->have, bytes, piece);
    content->have += piece;
    return piece;
}

/* Whether everything has been found. */
static bool is_over(const struct content *content)
{
    return content->is_unknown || (content->has_records && content->left == 0);
}

/* Consumes some of the bytes; returns how many. */
static size_t take_piece(struct content *content, const char *bytes, size_t size)
{
    struct fxt_record record;
    if (content->skip > 0) {
        size_t piece = content->skip < size ? (size_t)content->skip : size;
        content->skip -= piece;
        return piece;
    }
    size_t taken = content->have < 8 ? fill(content, bytes, size, 8) : 0;
    if (content->have < 8)
        return taken;
    if (!frame(content, &record)) {
        content->is_unknown = true;
        return size;
    }
    uint64_t whole = 8 * (uint64_t)record.words;
    uint64_t head = whole < CONTENT_RECORD_MAX ? whole : CONTENT_RECORD_MAX;
    taken += fill(content, bytes + taken, size - taken, (size_t)head);
    if (content->have == head) {
        look(content);
        content->skip = whole - head;
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
