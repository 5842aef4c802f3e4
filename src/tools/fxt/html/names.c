/* The memory and the texts of the page. Invariant: names[0 … name_count - 1] are those that have a number. */
#include "src/tools/fxt/html/page.h"

#include <stdlib.h>

#include "src/tools/fxt/tables/label.h"

void *page_memory(struct page *page, uint64_t count, size_t size)
{
    void *memory = count < UINT32_MAX ? calloc((size_t)count + 1, size) : NULL;
    page->failed = page->failed || memory == NULL;
    return memory;
}

static void label_all(struct page *page)
{
    struct timeline *timeline = page->timeline;
    for (uint32_t i = 0; i < timeline->threads.count; i++)
        page->threads[i] = label_thread(timeline, i);
    for (uint32_t i = 0; i < timeline->processes.count; i++)
        page->processes[i] = label_process(timeline, i);
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
