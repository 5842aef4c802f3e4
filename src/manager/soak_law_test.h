/* The law of the soak: for every event whose call has returned, the archive has it, or a drop count
   of that provider says so. No event is there twice. In circular mode the oldest events of a thread
   may be missing; and a snapshot, whose half was used again while it was copied, tells that records
   are missing, but not how many. */
#ifndef FXT_MANAGER_SOAK_LAW_TEST_H
#define FXT_MANAGER_SOAK_LAW_TEST_H

#include "src/manager/soak_program_test.h"

/* What an archive holds of one program. */
struct holding {
    uint8_t there[LANES_MAX][LANE_EVENTS / 8];
    uint32_t doubles;
    uint32_t strange; /* events of no number that the program wrote */
    bool tells_drops;
};

static inline bool is_there(const struct holding *it, uint32_t lane, uint32_t number)
{
    return (it->there[lane][number / 8] >> number % 8 & 1) != 0;
}

static inline void note_event(struct holding *it, uint64_t value)
{
    uint64_t lane = value / LANE_UNIT;
    uint64_t number = value % LANE_UNIT;

    if (lane >= LANES_MAX || number >= LANE_EVENTS) {
        it->strange++;
        return;
    }
    it->doubles += is_there(it, (uint32_t)lane, (uint32_t)number);
    it->there[lane][number / 8] |= (uint8_t)(1 << number % 8);
}

/* names[i] is the provider whose events go to holdings[i]. */
static inline void read_holdings(struct holding *holdings, const char (*names)[32], int count,
                                 const struct archive *archive)
{
    static int of_id[1 << 16]; /* 1 more than the program; 0: another provider */
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    int now = 0;

    memset(of_id, 0, sizeof of_id);
    memset(holdings, 0, (size_t)count * sizeof *holdings);
    fxt_reader_init(&reader, archive->bytes, archive->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        struct fxt_provider_info info;
        struct fxt_provider_section section;
        struct fxt_provider_event told;
        struct fxt_event event;
        struct fxt_arg arg;
        if (fxt_read_provider_info(&record, &info, &error) == FXT_OK) {
            now = 0;
            for (int i = 0; i < count; i++)
                if (info.name.size == strlen(names[i]) &&
                    memcmp(info.name.bytes, names[i], info.name.size) == 0)
                    now = i + 1;
            of_id[info.provider_id % (1 << 16)] = now;
        } else if (fxt_read_provider_section(&record, &section, &error) == FXT_OK) {
            now = of_id[section.provider_id % (1 << 16)];
        } else if (fxt_read_provider_event(&record, &told, &error) == FXT_OK) {
            if (of_id[told.provider_id % (1 << 16)] != 0)
                holdings[of_id[told.provider_id % (1 << 16)] - 1].tells_drops = true;
        } else if (now != 0 && fxt_read_event(&record, &event, &error) == FXT_OK &&
                   fxt_args_next(&event.args, &arg, &error) == FXT_OK &&
                   arg.type == FXT_ARG_UINT64) {
            note_event(&holdings[now - 1], arg.value);
        }
    }
    cr_expect_eq(status, FXT_END, "whole records to the end");
}

/* What is missing of the first `written` events of a lane; from the first that is there on, where
   the oldest may have been overwritten. */
static inline uint32_t count_missing(const struct holding *it, uint32_t lane, uint32_t written,
                                     bool circular)
{
    uint32_t first = 0;
    uint32_t missing = 0;

    if (written > LANE_EVENTS)
        written = LANE_EVENTS;
    while (circular && first < written && !is_there(it, lane, first))
        first++;
    for (uint32_t i = first; i < written; i++)
        missing += !is_there(it, lane, i);
    return missing;
}

static inline uint32_t count_all_missing(const struct holding *it,
                                         const uint32_t written[LANES_MAX], bool circular)
{
    uint32_t missing = 0;

    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        missing += count_missing(it, lane, written[lane], circular);
    return missing;
}

static inline void take_written(uint32_t out[LANES_MAX], const struct program *it)
{
    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        out[lane] = atomic_load(&it->written[lane]);
}

static inline uint32_t sum_written(const uint32_t written[LANES_MAX])
{
    uint32_t sum = 0;

    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        sum += written[lane];
    return sum;
}

#endif
