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

/* The findings of a trace whose only record does not fit into a buffer of `room` bytes. */
static uint32_t count_passed(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                             const uint8_t *bytes, uint64_t room)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_check_init(checker, memory, FXT_EDITION_CURRENT);
    fxt_reader_init_chunk(&reader, bytes, room);
    if (fxt_reader_next(&reader, &record, &error) != FXT_MORE)
        return 0;
    return pass_over(checker, &reader, &record);
}

int main(void)
{
    static uint8_t bytes[256];
    struct fxt_check_memory memory = check_memory();
    struct fxt_checker *checker = malloc(sizeof *checker);
    uint64_t size = write_instant(bytes, sizeof bytes);
    bool whole = each_event(bytes, size);
    bool cut = each_event(bytes, size - 8);
    uint64_t events = count_events(bytes, size);
    uint64_t findings = count_findings(checker, &memory, bytes, size);
    memory.tables.zeroed = 0;
    uint64_t broken = count_findings(checker, &memory, bytes + 8, size - 9);
    uint32_t passed = count_passed(checker, &memory, bytes + 8, 16);
    bool limit = checker->findings[1].rule == FXT_RULE_LIM_02;
    printf("%u used, %d %d, %llu events, %llu and %llu findings\n", used, whole, cut,
           (unsigned long long)events, (unsigned long long)findings, (unsigned long long)broken);
    return !(used == 1 && whole && !cut && events == 1 && findings == 0 && broken == 1 &&
             passed == 2 && limit);
}
