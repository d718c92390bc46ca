#include "report/measured/level_curve.h"

#include <math.h>

/* Maxima below the quantile of this survival say nothing of the tail. */
#define MOST_SURVIVAL 0.98

/* The level of the smallest probability for which the survival of the fit is known, or NULL. */
static const struct wb_measured_level *reference_of(const struct wb_measured_fit *fit, size_t count)
{
  const struct wb_measured_level *found = NULL;
  for (size_t k = 0; k < count; k++) {
    const struct wb_measured_level *const level = &fit->levels[k];
    const bool known = level->survival > 0 && level->survival < 1 && level->probability > 0;
    if (known && (found == NULL || level->probability < found->probability))
      found = level;
  }
  return found;
}

/* The analysis says how a probability of one run becomes one of a maximum or an excess. */
static void set_conversion(const struct wb_measured *measured,
                           const struct wb_measured_series *series, struct wb_level_curve *curve)
{
  const struct wb_measured_level *const level =
      reference_of(curve->fit, measured->options.probability_count);
  if (wb_tail_is_of_maxima(curve->fit->fit.tail.family))
    curve->block = level != NULL ? log1p(-level->survival) / log1p(-level->probability)
                                 : (double)series->block_size;
  else
    curve->ratio = level != NULL ? level->survival / level->probability
                                 : (double)series->summary.count / (double)series->exceedances;
}

static bool has_interval(const struct wb_measured_level *level)
{
  return level->profile.found && isfinite(level->level) && level->profile.low <= level->level &&
         level->profile.high >= level->level && isfinite(level->profile.low);
}

/* By insertion, since there are few. */
static void add_level(struct wb_level_curve *curve, const struct wb_measured_level *level)
{
  size_t place = curve->count++;
  for (; place > 0 && curve->levels[place - 1]->probability < level->probability; place--)
    curve->levels[place] = curve->levels[place - 1];
  curve->levels[place] = level;
}

struct wb_level_curve wb_level_curve_of(const struct wb_measured *measured,
                                        const struct wb_measured_series *series,
                                        enum wb_measured_fit_kind kind)
{
  struct wb_level_curve curve = {.fit = &series->fits[kind]};
  set_conversion(measured, series, &curve);
  for (size_t k = 0; k < measured->options.probability_count; k++)
    if (has_interval(&curve.fit->levels[k]))
      add_level(&curve, &curve.fit->levels[k]);
  return curve;
}

double wb_level_curve_at(const struct wb_level_curve *curve, double probability)
{
  const struct wb_tail *const tail = &curve->fit->fit.tail;
  double survival;
  if (wb_tail_is_of_maxima(tail->family)) {
    survival = -expm1(curve->block * log1p(-probability));
    if (!(survival <= MOST_SURVIVAL))
      return NAN;
  } else {
    survival = probability * curve->ratio;
  }
  return survival > 0 && survival < 1 ? wb_tail_level(tail, survival) : NAN;
}

static double between(double first, double second, double part)
{
  if (first <= 0 || second <= 0 || isinf(first) || isinf(second))
    return part > 0 && part < 1 ? fmax(first, second) : (part > 0 ? second : first);
  return first * pow(second / first, part);
}

struct wb_interval wb_level_curve_interval(const struct wb_level_curve *curve, double probability)
{
  const double level = wb_level_curve_at(curve, probability);
  for (size_t k = 0; k + 1 < curve->count; k++) {
    const struct wb_measured_level *const first = curve->levels[k];
    const struct wb_measured_level *const second = curve->levels[k + 1];
    if (probability > first->probability || probability < second->probability)
      continue;
    const double part =
        log(probability / first->probability) / log(second->probability / first->probability);
    return (struct wb_interval){
        .found = isfinite(level) && isfinite(part),
        .low = level - between(first->level - first->profile.low,
                               second->level - second->profile.low, part),
        .high = level + between(first->profile.high - first->level,
                                second->profile.high - second->level, part),
    };
  }
  return (struct wb_interval){.found = false};
}
