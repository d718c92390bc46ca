/* Tests for a begin that differs, and for a period. */
#include "evt/tests/patterns.h"

#include "base/memory.h"
#include "evt/math/special_functions.h"
#include "evt/tests/ranks.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_VALUES 20
/* Begins of up to so many values are judged exactly, of so many and more by the normal limit. */
#define MOST_EXACT 64
#define LEAST_NORMAL 8
/* The longest begin: this part of the values; and how much longer each one is. */
#define LONGEST 4
#define GROWTH 1.2
/* The share of false alarms of the first value alone: a slow first run is the commonest begin, and
 * one value of n has no p-value below 1 / n, which many looks would hide. */
#define FIRST_SHARE 0.5
/* The begin goes on while what follows is refused so surely, in so many steps at most: that which
 * differs most may be the first part of one that falls slowly. */
#define GOES_ON 0.005
#define MOST_STEPS 8
/* Values of each place of a period, at least; values that are folded, at most. */
#define LEAST_FOLDS 20
#define MOST_FOLDED ((size_t)1 << 17)

/* ---- a begin that differs ---- */

/* P(all of k values drawn from n are among `among` of them). */
static double share_of_draws(double among, double n, size_t k)
{
  double share = 1;
  for (size_t j = 0; j < k; j++)
    share *= fmax(0, among - (double)j) / (n - (double)j);
  return share;
}

/* A begin of so many values, and the p-value that it is of the others' distribution: the less of
 * two tests, of which each sees what the other may miss. */
struct begin {
  size_t size;
  double deviations; /* of the sum of its ranks */
  double p_value;
};

static struct begin begin_of(const struct wb_ranks *ranks, size_t size)
{
  const double n = (double)ranks->count, k = (double)size;
  double sum = 0, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < size; i++) {
    sum += ranks->centred[i];
    least = fmin(least, ranks->centred[i]);
    most = fmax(most, ranks->centred[i]);
  }
  struct begin begin = {.size = size, .p_value = 1};
  begin.deviations = sum / sqrt(k * (n - k) / (n * (n - 1)) * ranks->square_sum);
  if (size <= MOST_EXACT) {
    /* The values from the least of the begin up, and from its largest down. */
    double above = 0, below = 0;
    for (size_t i = 0; i < ranks->count; i++) {
      above += ranks->centred[i] >= least;
      below += ranks->centred[i] <= most;
    }
    begin.p_value = 2 * fmin(share_of_draws(above, n, size), share_of_draws(below, n, size));
  }
  if (size >= LEAST_NORMAL)
    begin.p_value = fmin(begin.p_value, 2 * wb_normal_survival(fabs(begin.deviations)));
  return begin;
}

/* The looks have begins that grow by a factor; about the best one each is looked at, which changes
 * the p-value by little more than chance does between neighbours. p-values are corrected for the
 * number of looks by Bonferroni's inequality, with weights. */
static void look_at_begins(const struct wb_ranks *ranks, struct wb_test *test)
{
  const size_t longest = ranks->count / LONGEST;
  struct begin best = {.p_value = 2};
  double looks = 0; /* at begins of more than one value */
  for (size_t k = 2; k <= longest; k = (size_t)fmax((double)k + 1, floor((double)k * GROWTH))) {
    const struct begin begin = begin_of(ranks, k);
    /* Both tests count. */
    looks += 1 + (k >= LEAST_NORMAL && k <= MOST_EXACT);
    best = begin.p_value < best.p_value ? begin : best;
  }
  double p_value = best.p_value * looks / (1 - FIRST_SHARE);
  const struct begin first = begin_of(ranks, 1);
  if (first.p_value / FIRST_SHARE < p_value) {
    p_value = first.p_value / FIRST_SHARE;
    best = first;
  }
  const double last = fmin((double)longest, (double)best.size * GROWTH);
  const size_t step = best.size / MOST_EXACT + 1;
  for (size_t k = best.size + step; (double)k <= last; k += step) {
    const struct begin begin = begin_of(ranks, k);
    best = begin.p_value < best.p_value ? begin : best;
  }
  *test = (struct wb_test){
      .statistic = best.deviations, .detail = (double)best.size, .p_value = fmin(1, p_value)};
}

static warpbound_status test_begins(const double *values, size_t count, struct wb_test *test,
                                    warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < LEAST_VALUES)
    return WARPBOUND_OK;
  struct wb_ranks ranks;
  const warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    look_at_begins(&ranks, test);
  wb_ranks_free(&ranks);
  return status;
}

warpbound_status wb_test_warm_up(const double *values, size_t count, struct wb_test *test,
                                 warpbound_error *error)
{
  warpbound_status status = test_begins(values, count, test, error);
  struct wb_test rest = *test;
  for (int step = 0; step < MOST_STEPS && status == WARPBOUND_OK && rest.p_value < GOES_ON;
       step++) {
    const size_t size = (size_t)test->detail;
    status = test_begins(values + size, count - size, &rest, error);
    if (rest.p_value < GOES_ON)
      test->detail += rest.detail;
  }
  return status;
}

/* ---- a period ---- */

/* Exponential scores of ranks, in place: their mean is 1, and they are like exponential values. */
static void score(struct wb_ranks *ranks)
{
  const double half = ((double)ranks->count + 1) / 2;
  for (size_t i = 0; i < ranks->count; i++)
    ranks->centred[i] = -log1p(-(ranks->centred[i] + half) / (2 * half));
}

/* The cube root of a gamma variable is near a normal one (Wilson and Hilferty 1931). */
static double gamma_deviations(double sum, double shape)
{
  return (cbrt(sum / shape) - 1 + 1 / (9 * shape)) * 3 * sqrt(shape);
}

/* Sums of the scores by their place modulo the period. Returns the deviations of the largest, less
 * where the other sums spread by more than chance, as those of dependent values; *place: its. */
static double fold(const double *scores, size_t count, size_t period, double *sums, size_t *place)
{
  for (size_t r = 0; r < period; r++)
    sums[r] = 0;
  const size_t whole = count / period;
  for (size_t f = 0; f < whole; f++)
    for (size_t r = 0; r < period; r++)
      sums[r] += scores[f * period + r];
  double most = -INFINITY, squares = 0;
  for (size_t r = 0; r < period; r++) {
    const double deviations = gamma_deviations(sums[r], (double)whole);
    squares += deviations * deviations;
    if (deviations > most) {
      most = deviations;
      *place = r;
    }
  }
  const double spread = sqrt((squares - most * most) / (double)(period - 1));
  return most / fmax(1, spread);
}

warpbound_status wb_test_period(const double *values, size_t count, struct wb_test *test,
                                warpbound_error *error)
{
  const size_t folded = count < MOST_FOLDED ? count : MOST_FOLDED;
  const size_t longest =
      folded / LEAST_FOLDS < WB_PERIOD_MOST ? folded / LEAST_FOLDS : WB_PERIOD_MOST;
  double sums[WB_PERIOD_MOST];
  *test = (struct wb_test){.statistic = -INFINITY, .p_value = NAN};
  if (longest < WB_PERIOD_LEAST)
    return WARPBOUND_OK;
  struct wb_ranks ranks;
  const warpbound_status status = wb_ranks_of(values, folded, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0) {
    double looks = 0;
    score(&ranks);
    for (size_t period = WB_PERIOD_LEAST; period <= longest; period++) {
      size_t place = 0;
      const double deviations = fold(ranks.centred, folded, period, sums, &place);
      looks += (double)period;
      if (deviations > test->statistic) {
        test->statistic = deviations;
        test->detail = (double)period;
        test->place = (double)place;
      }
    }
    test->p_value = fmin(1, wb_normal_survival(test->statistic) * looks);
  }
  wb_ranks_free(&ranks);
  return status;
}
