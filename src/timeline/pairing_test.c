/* Begins and ends that come in any order. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/timeline/pairing.h"

TestSuite(pairing, .timeout = 60);

#define NONE UINT32_MAX

struct row {
    uint32_t next;
    uint64_t time;
    uint64_t place;
};

#define ROWS 1000u

static struct row begins[ROWS], ends[ROWS];
static uint32_t begin_count, end_count;
static uint64_t places;
static uint64_t end_of[ROWS]; /* of each begin; 0: none */
static struct pairing pairing;

static struct pairing_rows rows_of(struct row *rows)
{
    return (struct pairing_rows){.it = rows,
                                 .size = sizeof *rows,
                                 .time = offsetof(struct row, time),
                                 .place = offsetof(struct row, place),
                                 .next = offsetof(struct row, next),
                                 .none = NONE};
}

static void begin(uint64_t time)
{
    struct pairing_rows rows = rows_of(begins);
    begins[begin_count].time = time;
    begins[begin_count].place = ++places;
    pairing_begin(&pairing, &rows, begin_count++);
}

static void end(uint64_t time)
{
    struct pairing_rows rows = rows_of(begins), strays = rows_of(ends);
    uint32_t row;
    if (pairing_end(&pairing, &rows, time, &row)) {
        end_of[row] = time;
        return;
    }
    ends[end_count].time = time;
    ends[end_count].place = ++places;
    pairing_stray(&pairing, &strays, end_count++);
}

/* B10 is a begin at 10, E20 an end at 20. Returns how many ends have no begin. */
static uint32_t match(const char *events, uint32_t *open)
{
    char text[200];
    uint32_t lost = 0, row, stray;
    begin_count = end_count = 0;
    memset(end_of, 0, sizeof end_of);
    pairing = pairing_of_none(NONE);
    strcpy(text, events);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        (*word == 'B' ? begin : end)((uint64_t)atol(word + 1));
    struct pairing_rows rows = rows_of(begins), strays = rows_of(ends);
    struct pairing_rest rest = pairing_rest(&pairing, &rows, &strays);
    while (pairing_next(&rest, &row, &stray)) {
        if (row == NONE)
            lost++;
        else
            end_of[row] = ends[stray].time;
    }
    *open = 0;
    for (uint32_t i = 0; i < begin_count; i++)
        *open += end_of[i] == 0;
    return lost;
}

static void expect_pairs(const char *events)
{
    uint32_t open;
    cr_expect_eq(match(events, &open), 0, "%s", events);
    cr_expect_eq(open, 0, "%s", events);
    for (uint32_t i = 0; i < begin_count; i++) {
        uint64_t expected = begins[i].time == 10   ? 90
                            : begins[i].time == 20 ? 40
                            : begins[i].time == 50 ? 60
                                                   : 35;
        cr_expect_eq(end_of[i], expected, "%s: %lu", events, begins[i].time);
    }
}

Test(pairing, any_order_of_begins_gives_the_pairs_of_the_order_of_time)
{
    expect_pairs("B10 B20 B30 E35 E40 B50 E60 E90");
    expect_pairs("E35 E40 B50 E60 E90 B10 B20 B30");
    expect_pairs("E35 E40 B50 E60 B10 B20 B30 E90");
    expect_pairs("B30 B20 B10 E35 E40 B50 E60 E90");
    expect_pairs("B50 E60 B10 B20 B30 E35 E40 E90");
    expect_pairs("E35 E40 E90 E60 B50 B30 B20 B10");
    expect_pairs("B10 E90 B20 E40 B30 E35 B50 E60");
}

Test(pairing, rows_that_come_hundreds_of_places_late_match)
{
    struct pairing_rows rows = rows_of(begins), strays = rows_of(ends);
    uint32_t row, stray, pairs = 0;
    pairing = pairing_of_none(NONE);
    for (uint64_t i = 0; i < ROWS; i++)
        end(2 * (i * 619 % ROWS) + 11);
    for (uint64_t i = 0; i < ROWS; i++)
        begin(2 * (i * 381 % ROWS) + 10);
    struct pairing_rest rest = pairing_rest(&pairing, &rows, &strays);
    for (; pairing_next(&rest, &row, &stray) && row != NONE; pairs++)
        cr_expect_eq(ends[stray].time, begins[row].time + 1);
    cr_expect_eq(pairs, ROWS);
}

Test(pairing, rows_of_equal_times_keep_their_order)
{
    uint32_t open;
    cr_expect_eq(match("E99 B20 B10 B10 B10 E15 E30 E40 E50", &open), 1);
    cr_expect_eq(open, 0);
    cr_expect_eq(end_of[0], 30); /* B20 */
    cr_expect_eq(end_of[1], 50);
    cr_expect_eq(end_of[2], 40);
    cr_expect_eq(end_of[3], 15);
}

/* What comes late and lies inside of such a pair gets what is left. */
Test(pairing, what_is_matched_at_once_stays_so)
{
    uint32_t open;
    cr_expect_eq(match("B0 E50 B10 E100", &open), 0);
    cr_expect_eq(open, 0);
    cr_expect_eq(end_of[0], 50);
    cr_expect_eq(end_of[1], 100);
    cr_expect_eq(match("B0 E120 B110 E100", &open), 1);
    cr_expect_eq(open, 1);
    cr_expect_eq(match("B0 E100 B110 E120 B105 E107", &open), 0);
    cr_expect_eq(end_of[2], 107);
}

Test(pairing, what_has_no_counterpart_is_left)
{
    uint32_t open;
    cr_expect_eq(match("E5 B10 E20 B30", &open), 1);
    cr_expect_eq(open, 1);
    cr_expect_eq(match("E5 E6 E7", &open), 3);
    cr_expect_eq(open, 0);
    cr_expect_eq(match("B5 B6 B4", &open), 0);
    cr_expect_eq(open, 3);
    cr_expect_eq(match("", &open), 0);
    cr_expect_eq(open, 0);
}

Test(pairing, an_end_at_the_time_of_a_begin_behind_it_is_not_its_end)
{
    uint32_t open;
    cr_expect_eq(match("E5 B5", &open), 1);
    cr_expect_eq(open, 1);
    cr_expect_eq(match("B5 E5", &open), 0);
    cr_expect_eq(open, 0);
}

Test(pairing, late_ones_of_one_time_match_in_the_order_of_their_records)
{
    uint32_t open;
    cr_expect_eq(match("E99 B5 E5", &open), 1);
    cr_expect_eq(open, 0);
    cr_expect_eq(end_of[0], 5);
    cr_expect_eq(match("E99 E5 B5", &open), 1);
    cr_expect_eq(open, 0);
    cr_expect_eq(end_of[0], 99);
    cr_expect_eq(match("B0 B99 B5 E5 E5", &open), 0);
    cr_expect_eq(open, 1);
}
