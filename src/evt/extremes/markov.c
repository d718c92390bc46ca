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

static double largest_of(const double *values, size_t count)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, values[i]);
  return largest;
}

/* log(level / largest) of a power; INFINITY where too few values make up its moment. */
static double log_level(const struct moment *moment, size_t count, double survival, double power)
{
  const double effective = moment->sum * moment->sum / moment->squares;
  if (power > 1 && effective < EFFECTIVE_VALUES)
    return INFINITY;
  return (log(moment->sum / (double)count) - log(survival)) / power;
}

static void consider(double level, unsigned power, double *least, unsigned *best)
{
  if (level >= *least)
    return;
  *least = level;
  *best = power;
}

/* Powers 1, 2, 4 ..., each the square of the one before: no overflow, since no factor exceeds 1. */
static void search_octaves(const double *values, size_t count, double scale, double survival,
                           double *least, unsigned *best)
{
  double sums[OCTAVES] = {0};
  for (size_t i = 0; i < count; i++) {
    double w = values[i] / scale;
    for (unsigned octave = 0; octave < OCTAVES && w > NEGLIGIBLE; octave++) {
      sums[octave] += w;
      w *= w;
    }
  }
  for (unsigned octave = 0; octave + 1 < OCTAVES; octave++) {
    const struct moment moment = {sums[octave], sums[octave + 1]};
    const unsigned power = 1U << octave;
    consider(log_level(&moment, count, survival, power), power, least, best);
  }
}

/* Powers of half to twice the best one. */
static void search_near(const double *values, size_t count, double scale, double survival,
                        double *least, unsigned *best)
{
  const unsigned unit = *best < 8 ? 1 : *best / 8;
  const unsigned first = *best < 8 ? 1 : FIRST_UNIT;
  struct moment moments[LAST_UNIT + 1] = {{0}};
  for (size_t i = 0; i < count; i++) {
    const double factor = exp(unit * log(values[i] / scale));
    double w = factor;
    for (unsigned u = 1; u <= LAST_UNIT && w > NEGLIGIBLE; u++) {
      moments[u].sum += w;
      moments[u].squares += w * w;
      w *= factor;
    }
  }
  for (unsigned u = first; u <= LAST_UNIT; u++)
    consider(log_level(&moments[u], count, survival, (double)u * unit), u * unit, least, best);
}

struct wb_markov_level wb_markov_level_of(const double *values, size_t count, double survival)
{
  const double scale = largest_of(values, count);
  struct wb_markov_level best = {.level = scale, .power = 1};
  if (scale == 0)
    return best;
  double least = INFINITY;
  search_octaves(values, count, scale, survival, &least, &best.power);
  search_near(values, count, scale, survival, &least, &best.power);
  best.level = scale * exp(least);
  return best;
}
