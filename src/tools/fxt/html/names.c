/* The memory and the texts of the page. Invariant: names[0 … name_count - 1] are those that have a number. */
#include "src/tools/fxt/html/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#define LABEL_NAME_MAX 1000 /* a small record can give a long name to one more thread */

void *page_memory(struct page *page, uint64_t count, size_t size)
{
    void *memory = count < UINT32_MAX ? calloc((size_t)count + 1, size) : NULL;
    page->failed = page->failed || memory == NULL;
    return memory;
}

/* "NAME KOID", or "WHAT KOID" without a name. */
static uint32_t label(struct texts *texts, const char *what, uint32_t name, uint64_t koid)
{
    char text[LABEL_NAME_MAX + 32];
    struct fxt_bytes bytes = {(const uint8_t *)what, strlen(what)};
    if (name != ROW_NONE && texts_at(texts, name).size > 0)
        bytes = texts_at(texts, name);
    int length = (int)trace_i_cut((const char *)bytes.bytes, bytes.size, LABEL_NAME_MAX);
    int size = snprintf(text, sizeof text, "%.*s %llu", length, (const char *)bytes.bytes,
                        (unsigned long long)koid);
    return texts_add(texts, (struct fxt_bytes){(const uint8_t *)text, (uint64_t)size});
}

static void label_all(struct page *page)
{
    struct timeline *timeline = page->timeline;
    for (uint32_t i = 0; i < timeline->threads.count; i++) {
        const struct thread_row *row = threads_at(timeline, i);
        page->threads[i] =
            row->ref != 0 ? row->name : label(&timeline->texts, "thread", row->name, row->koid);
    }
    for (uint32_t i = 0; i < timeline->processes.count; i++) {
        const struct process_row *row = processes_at(timeline, i);
        page->processes[i] = label(&timeline->texts, "process", row->name, row->koid);
    }
}

static void add_words(struct page *page)
{
    static const char *const words[WORD_COUNT] = {
        [WORD_OTHERS] = "(others)",       [WORD_LOG] = "log",
        [WORD_MESSAGE] = "message",       [WORD_SCHED] = "sched",
        [WORD_STOPPED_AS] = "stopped as", [WORD_THREAD] = "thread",
        [WORD_WAKEUP] = "wakeup",
    };
    for (unsigned i = 0; i < WORD_COUNT; i++)
        page->words[i] = texts_add_plain(&page->timeline->texts, words[i]);
}

bool page_names_init(struct page *page)
{
    struct timeline *timeline = page->timeline;
    page->threads = page_memory(page, timeline->threads.count, sizeof *page->threads);
    page->processes = page_memory(page, timeline->processes.count, sizeof *page->processes);
    if (page->failed)
        return false;
    label_all(page);
    add_words(page);
    uint32_t count = timeline->texts.rows.count;
    page->name_numbers = page_memory(page, count, sizeof *page->name_numbers);
    page->names = page_memory(page, count + 1, sizeof *page->names);
    if (page->failed || timeline_failed(timeline))
        return false;
    page->names[page->name_count++] = page->words[WORD_OTHERS];
    return true;
}

uint32_t page_name(struct page *page, uint32_t text)
{
    uint32_t *number = &page->name_numbers[text];
    if (*number != 0)
        return *number;
    uint64_t size = texts_at(&page->timeline->texts, text).size;
    if (size > NAMES_BYTES - page->name_bytes) {
        page->names_full = true;
        return NAME_OTHERS;
    }
    page->name_bytes += size;
    page->names[page->name_count] = text;
    return *number = page->name_count++;
}
