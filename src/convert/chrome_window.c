/* Context switches, put into the order of time; see chrome.h. Owns memory->window: a binary heap of
   the switches that wait, the earliest first and equal times in the order of the trace, and the
   JSON of their arguments, in chained blocks.

   heap[0 … count - 1] is the heap; heap[count … fresh - 1] names the slots that are free again. */
#include "src/convert/chrome_i.h"

#define LEAST_BLOCKS (FXT_CHROME_WINDOW_BLOCKS / 8) /* for the arguments of one switch */

static bool is_before(const struct fxt_chrome_waiting *a, const struct fxt_chrome_waiting *b)
{
    return a->ns != b->ns ? a->ns < b->ns : a->offset < b->offset;
}

static bool has_room(const struct fxt_chrome_window *window)
{
    return window->count < FXT_CHROME_WINDOW && window->blocks_free >= LEAST_BLOCKS;
}

static void push(struct fxt_chrome_window *window, const struct fxt_chrome_switch *change)
{
    uint32_t at = window->count++;
    uint32_t slot = at == window->fresh ? window->fresh++ : window->heap[at].slot;
    const struct fxt_chrome_waiting item = {change->ns, change->offset, slot};
    window->switches[slot] = *change;
    while (at > 0 && is_before(&item, &window->heap[(at - 1) / 2])) {
        window->heap[at] = window->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    window->heap[at] = item;
}

/* Takes out the earliest one; it stays where it is until the next push. */
static const struct fxt_chrome_switch *pop(struct fxt_chrome_window *window)
{
    uint32_t slot = window->heap[0].slot;
    uint32_t count = --window->count;
    const struct fxt_chrome_waiting item = window->heap[count];
    uint32_t at = 0;
    while (2 * at + 1 < count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < count && is_before(&window->heap[child + 1], &window->heap[child]))
            child++;
        if (!is_before(&window->heap[child], &item))
            break;
        window->heap[at] = window->heap[child];
        at = child;
    }
    window->heap[at] = item;
    window->heap[count].slot = slot;
    return &window->switches[slot];
}

static void free_text(struct fxt_chrome_window *window, uint32_t block)
{
    while (block != 0) {
        uint32_t next = window->blocks[block - 1].next;
        window->blocks[block - 1].next = window->free_block;
        window->free_block = block;
        window->blocks_free++;
        block = next;
    }
}

/* A block for the text, or 0. Blocks are numbered from 1. */
static uint32_t take_block(struct fxt_chrome_window *window)
{
    if (window->blocks_free == 0)
        return 0;
    window->blocks_free--;
    uint32_t block = window->free_block;
    if (block == 0)
        block = ++window->fresh_blocks;
    else
        window->free_block = window->blocks[block - 1].next;
    window->blocks[block - 1].next = 0;
    window->blocks[block - 1].size = 0;
    return block;
}

/* Text that is being kept; the context of keep_text. */
struct kept {
    struct fxt_chrome_window *window;
    uint32_t first;
    uint32_t last;
};

static bool keep_text(void *context, const char *bytes, size_t size)
{
    struct kept *kept = context;
    while (size > 0) {
        struct fxt_chrome_block *block =
            kept->last == 0 ? NULL : &kept->window->blocks[kept->last - 1];
        if (block == NULL || block->size == sizeof block->text) {
            uint32_t next = take_block(kept->window);
            if (next == 0)
                return false;
            *(block == NULL ? &kept->first : &block->next) = next;
            kept->last = next;
            continue;
        }
        size_t room = sizeof block->text - block->size;
        size_t piece = size < room ? size : room;
        memcpy(block->text + block->size, bytes, piece);
        block->size = (uint8_t)(block->size + piece);
        bytes += piece;
        size -= piece;
    }
    return true;
}

/* The arguments are resolved now: the strings of their refs may be others later. False when their
   text is too long to wait. */
static bool keep_args(struct fxt_chrome *chrome, struct fxt_chrome_switch *change,
                      struct fxt_args args)
{
    struct fxt_chrome_window *window = &chrome->memory->window;
    struct kept kept = {.window = window};
    struct fxt_out scratch = {window->scratch, sizeof window->scratch, 0, keep_text, &kept, false};
    struct fxt_out *out = chrome->out;
    chrome->out = &scratch;
    char *to = fxt_i_chrome_room(chrome);
    to = fxt_i_chrome_put_outgoing(chrome, to, change, args);
    fxt_i_chrome_commit(chrome, to);
    fxt_out_flush(&scratch);
    chrome->out = out;
    change->text = kept.first;
    if (scratch.failed) {
        free_text(window, kept.first);
        change->text = 0;
    }
    return !scratch.failed;
}

static void let_go(struct fxt_chrome *chrome)
{
    const struct fxt_chrome_switch *change = pop(&chrome->memory->window);
    fxt_i_chrome_switch(chrome, change, NULL);
    free_text(&chrome->memory->window, change->text);
}

void fxt_i_chrome_let_all_go(struct fxt_chrome *chrome)
{
    while (chrome->memory->window.count > 0)
        let_go(chrome);
}

void fxt_i_chrome_wait(struct fxt_chrome *chrome, struct fxt_chrome_switch *change,
                       const struct fxt_args *args)
{
    struct fxt_chrome_window *window = &chrome->memory->window;
    while (window->count > 0 && !has_room(window))
        let_go(chrome);
    if (args != NULL && args->count > 0 && !keep_args(chrome, change, *args)) {
        fxt_i_chrome_let_all_go(chrome);
        fxt_i_chrome_switch(chrome, change, args);
        return;
    }
    push(window, change);
}
