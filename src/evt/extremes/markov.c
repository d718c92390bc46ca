/* Levels by Markov's inequality to powers: no distribution is fitted. */
#include "evt/extremes/tail_points.h"

#include <math.h>

#define OCTAVES 21   /* powers 1, 2, 4 ... 2^20; the last is only the square of the others */
#define FIRST_UNIT 4 /* of the second search: 4 to 16 units */
#define LAST_UNIT 16 /* a unit is an eighth of the best power of the first search, at least 1 */
#define NEGLIGIBLE 1e-280   /* terms below it change no sum whose largest term is 1 */
#define EFFECTIVE_VALUES 50 /* that a moment has to stand on */

/* Sums over all values of w and w squared, w = (value / largest)^power. */
struct moment {
  double sum, squares;
};

/* log(level / largest) of a power; INFINITY where too few values make up its moment. */
static double log_level(const struct moment *moment, size_t count, double survival, double power)
{
  const double effective = moment->sum * moment->sum / moment->squares;
  if (power > 1 && effective < EFFECTIVE_VALUES)
    return INFINITY;
  return (log(moment->sum / (double)count) - log(survival)) / power;
}

/* What is searched: the least level, and the power that gives it. */
struct search {
  const double *values;
  size_t count;
  double scale, survival;
  double least; /* log(level / largest) */
  unsigned best;
};

static void consider(struct search *search, const struct moment *moment, unsigned power)
{
  const double level = log_level(moment, search->count, search->survival, power);
  if (level >= search->least)
    return;
  search->least = level;
  search->best = power;
}

struct wb_markov_level wb_markov_level_of(const double *values, size_t count, double survival)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, values[i]);
  if (largest == 0)
    return (struct wb_markov_level){.level = 0, .power = 1};
  struct search search = {.values = values,
                          .count = count,
                          .scale = largest,
                          .survival = survival,
                          .least = INFINITY,
                          .best = 1};
  /* Powers 1, 2, 4 ..., each the square of the one before: no overflow, since no factor exceeds 1.
   */
  double sums[OCTAVES] = {0};
  for (size_t i = 0; i < search.count; i++) {
    double w = search.values[i] / search.scale;
    for (unsigned octave = 0; octave < OCTAVES && w > NEGLIGIBLE; octave++) {
      sums[octave] += w;
      w *= w;
    }
  }
  for (unsigned octave = 0; octave + 1 < OCTAVES; octave++) {
    const struct moment moment = {sums[octave], sums[octave + 1]};
    consider(&search, &moment, 1U << octave);
  }
  /* Powers of half to twice the best one. */
  const unsigned unit = search.best < 8 ? 1 : search.best / 8;
  const unsigned first = search.best < 8 ? 1 : FIRST_UNIT;
  struct moment moments[LAST_UNIT + 1] = {{0}};
  for (size_t i = 0; i < search.count; i++) {
    const double factor = exp(unit * log(search.values[i] / search.scale));
    double w = factor;
    for (unsigned u = 1; u <= LAST_UNIT && w > NEGLIGIBLE; u++) {
      moments[u].sum += w;
      moments[u].squares += w * w;
      w *= factor;
    }
  }
  for (unsigned u = first; u <= LAST_UNIT; u++)
    consider(&search, &moments[u], u * unit);
  return (struct wb_markov_level){.level = largest * exp(search.least), .power = search.best};
}
