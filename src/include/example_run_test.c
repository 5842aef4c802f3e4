/* The examples of the public headers, as they stand there, on a trace: what one writes the others read.
   The compiler reads them before this file. */
#include <fxt/check.h>
#include <fxt/events.h>
#include <fxt/write.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned used;

void use(const struct fxt_event *event, const struct fxt_arg *args, unsigned count)
{
    (void)args;
    used += event->timestamp == 1000 && count == 0;
}

static struct fxt_check_memory new_memory(void)
{
    struct fxt_check_memory memory = {
        .tables = {.providers = calloc(1, sizeof(struct fxt_provider)),
                   .provider_ids = calloc(1, sizeof(uint32_t)),
                   .arena = calloc(1, 1024),
                   .provider_max = 1,
                   .arena_size = 1024},
        .threads = calloc(16, sizeof(struct fxt_check_thread)),
        .opens = calloc(16, sizeof(struct fxt_check_open)),
        .thread_max = 16,
        .open_max = 16};
    return memory;
}

int main(void)
{
    static uint8_t bytes[256];
    struct fxt_check_memory memory = new_memory();
    struct fxt_checker *checker = malloc(sizeof *checker);
    uint64_t size = write_instant(bytes, sizeof bytes);
    bool whole = each_event(bytes, size);
    bool cut = each_event(bytes, size - 8);
    uint64_t events = count_events(bytes, size);
    uint64_t findings = count_findings(checker, &memory, bytes, size);
    uint64_t broken = count_findings(checker, &memory, bytes + 8, size - 9);
    printf("%u used, %d %d, %llu events, %llu and %llu findings\n", used, whole, cut,
           (unsigned long long)events, (unsigned long long)findings, (unsigned long long)broken);
    return !(used == 1 && whole && !cut && events == 1 && findings == 0 && broken == 1);
}
