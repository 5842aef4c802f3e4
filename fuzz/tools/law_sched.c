/* The tables of fxt export about scheduling. Switches and wakeups are plain if no two have one time, the
   records are in the order of time, each CPU switches from the thread that it switched to, no thread
   runs on two CPUs, and none has arguments or a time that the tables cannot hold. Then there is but one way to
   see them. */
#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"

/* The last switch before the record that is to the thread or from it; NULL: there is none. */
static const struct model_sched *last_of(const struct model *model,
                                         const struct model_sched *before, uint64_t thread)
{
    for (const struct model_sched *one = before; one-- > model->scheds;)
        if (!one->is_wakeup && (one->incoming == thread || one->outgoing == thread))
            return one;
    return NULL;
}

static bool runs(const struct model *model, const struct model_sched *before, uint64_t thread)
{
    const struct model_sched *last = last_of(model, before, thread);
    return last != NULL && last->incoming == thread;
}

/* The last switch of the CPU. */
static const struct model_sched *last_on(const struct model *model,
                                         const struct model_sched *before)
{
    for (const struct model_sched *one = before; one-- > model->scheds;)
        if (!one->is_wakeup && one->cpu == before->cpu)
            return one;
    return NULL;
}

static bool is_plain_switch(const struct model *model, const struct model_sched *one)
{
    const struct model_sched *last = last_on(model, one);
    bool follows = last != NULL ? last->incoming == one->outgoing
                                : one->outgoing == 0 || last_of(model, one, one->outgoing) == NULL;
    return follows && one->outgoing != one->incoming &&
           (one->incoming == 0 || !runs(model, one, one->incoming));
}

static bool are_plain(const struct model *model)
{
    const struct model_sched *end = model->scheds + model->sched_count;
    for (const struct model_sched *one = model->scheds; one < end; one++)
        if (one->has_args || one->ns > INT64_MAX || one->provider != model->scheds->provider ||
            (one > model->scheds && one[-1].ns >= one->ns) ||
            (!one->is_wakeup && !is_plain_switch(model, one)))
            return false;
    return true;
}

/* ---- rows, in the order of the records */

struct state {
    struct value row;
    uint64_t thread;
    uint64_t ns;
};

static struct states {
    uint32_t count;
    struct state it[2 * MODEL_EVENTS];
} states;

/* Takes the next row, which has to be there. */
static void take(struct value *lines, uint64_t thread, const struct model_sched *at,
                 const char *state)
{
    struct state *to = &states.it[states.count++];
    FUZZ_CHECK(value_line(lines, &to->row));
    to->thread = thread;
    to->ns = at->ns;
    FUZZ_CHECK(value_u64(to->row, "ts") == at->ns);
    FUZZ_CHECK(value_u64(to->row, "cpu") == at->cpu);
    FUZZ_CHECK(state == NULL || value_is(value_member(to->row, "state"), state));
}

/* A state lasts until the next one of its thread. Rows of one thread, and no other ones, have its utid. */
static void check_thread(const struct state *state)
{
    struct value last = value_member(state->row, "dur");
    uint64_t utid = value_u64(state->row, "utid"), dur;
    bool is_last = true;
    for (const struct state *other = state + 1; other < states.it + states.count; other++) {
        bool is_same = other->thread == state->thread;
        FUZZ_CHECK(is_same == (value_u64(other->row, "utid") == utid));
        FUZZ_CHECK(!is_same || !is_last ||
                   (value_number(last, &dur) && dur == other->ns - state->ns));
        is_last &= !is_same;
    }
    FUZZ_CHECK(!is_last || value_is(last, "-1"));
}

static void check_states(const struct model *model, struct value lines)
{
    struct value more;
    states.count = 0;
    for (uint32_t i = 0; i < model->sched_count; i++) {
        const struct model_sched *one = &model->scheds[i];
        if (!one->is_wakeup && one->outgoing != 0)
            take(&lines, one->outgoing, one, NULL);
        if (!one->is_wakeup && one->incoming != 0)
            take(&lines, one->incoming, one, "\"Running\"");
        if (one->is_wakeup && one->incoming != 0 && !runs(model, one, one->incoming))
            take(&lines, one->incoming, one, "\"W\"");
    }
    FUZZ_CHECK(!value_line(&lines, &more));
    for (uint32_t i = 0; i < states.count; i++)
        check_thread(&states.it[i]);
}

/* A slice for each thread that a CPU switched to, until it switches from it. */
static void check_slices(const struct model *model, struct value lines)
{
    const struct model_sched *end = model->scheds + model->sched_count;
    struct value row;
    for (const struct model_sched *one = model->scheds; one < end; one++) {
        const struct model_sched *next = one + 1;
        uint64_t dur;
        if (one->is_wakeup || one->incoming == 0)
            continue;
        while (next < end && (next->is_wakeup || next->cpu != one->cpu))
            next++;
        FUZZ_CHECK(value_line(&lines, &row));
        FUZZ_CHECK(value_u64(row, "ts") == one->ns && value_u64(row, "cpu") == one->cpu);
        if (next == end)
            FUZZ_CHECK(value_is(value_member(row, "dur"), "-1"));
        else
            FUZZ_CHECK(value_number(value_member(row, "dur"), &dur) && dur == next->ns - one->ns);
    }
    FUZZ_CHECK(!value_line(&lines, &row));
}

void law_sched(const struct model *model, const struct law_tables *tables)
{
    if (!model->is_good || !are_plain(model))
        return;
    check_states(model, tables->states);
    check_slices(model, tables->scheds);
}
