/* What changed from one report to another, and whether that says anything.

   The total of a group is a sum of a random number of random durations. If they are independent of
   each other, its variance is about the sum of their squares. The variance of a median is about
   pi/2 * sigma^2 / n, and sigma is the distance of the quartiles / 1.349 if the distribution is
   normal. A change is large if it is more than three standard deviations of the difference. */
#include "src/tools/fxt/report/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEVIATIONS_SQUARED 9.0
#define MEDIAN_VARIANCE 0.8632 /* pi / 2 / 1.349^2 */
#define COUNT_MIN 10u          /* fewer durations have no quartiles worth the name */

double changes_relative(uint64_t old, uint64_t new)
{
    return ((double)new - (double)old) / (double)old;
}

static double difference(uint64_t a, uint64_t b)
{
    return (double)(a > b ? a - b : b - a);
}

static double median_variance(const struct row *row)
{
    return MEDIAN_VARIANCE * (double)row->spread * (double)row->spread / (double)row->count;
}

static bool is_total_large(const struct row *old, const struct row *new)
{
    double by = difference(old->total, new->total);
    return by * by > DEVIATIONS_SQUARED * (old->squares + new->squares);
}

/* Percentiles differ by up to one bucket for no reason. */
static bool is_p50_large(const struct row *old, const struct row *new)
{
    double by = difference(old->p50, new->p50);
    uint64_t larger = old->p50 > new->p50 ? old->p50 : new->p50;
    return old->count >= COUNT_MIN &&
           new->count >= COUNT_MIN &&by *HISTOGRAM_BUCKETS > (double)larger &&by *by >
               DEVIATIONS_SQUARED *(median_variance(old) + median_variance(new));
}

const struct row *changes_row(const struct change *change)
{
    return change->new != NULL ? change->new : change->old;
}

static uint64_t number_of(const struct row *row, unsigned sort)
{
    return row != NULL ? rows_number(row, sort) : 0;
}

static int compare(const void *a, const void *b, void *sort)
{
    const struct change *left = a;
    const struct change *right = b;
    unsigned key = *(const unsigned *)sort;
    double left_by = difference(number_of(left->old, key), number_of(left->new, key));
    double right_by = difference(number_of(right->old, key), number_of(right->new, key));
    if (left_by < right_by || left_by > right_by)
        return left_by > right_by ? -1 : 1;
    return rows_compare_names(changes_row(left), changes_row(right));
}

/* Both lists are sorted by name. */
static void join(struct changes *changes)
{
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < changes->old.count || j < changes->new.count) {
        struct change *change = &changes->it[changes->count++];
        const struct row *old = i < changes->old.count ? &changes->old.it[i] : NULL;
        const struct row *new = j < changes->new.count ? &changes->new.it[j] : NULL;
        int order = old == NULL ? 1 : new == NULL ? -1 : rows_compare_names(old, new);
        *change = (struct change){order <= 0 ? old : NULL, order >= 0 ? new : NULL, false, false};
        i += order <= 0;
        j += order >= 0;
        if (order != 0)
            continue;
        change->total_is_large = is_total_large(old, new);
        change->p50_is_large = is_p50_large(old, new);
    }
}

bool changes_make(struct changes *changes, const struct report *old, const struct report *new,
                  unsigned sort)
{
    *changes = (struct changes){.count = 0};
    if (!rows_make(&changes->old, old, REPORT_SORT_NAME) ||
        !rows_make(&changes->new, new, REPORT_SORT_NAME))
        return false;
    changes->it = calloc((size_t)changes->old.count + changes->new.count + 1, sizeof *changes->it);
    if (changes->it == NULL) {
        message("%s: %s", new->file, strerror(ENOMEM));
        return false;
    }
    join(changes);
    qsort_r(changes->it, changes->count, sizeof *changes->it, compare, &sort);
    return true;
}

void changes_free(struct changes *changes)
{
    rows_free(&changes->old);
    rows_free(&changes->new);
    free(changes->it);
}
