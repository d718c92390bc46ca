#include "report/measured/level_curve.h"

#include <math.h>

/* Maxima below the quantile of this survival say nothing of the tail. */
#define MOST_SURVIVAL 0.98

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

struct wb_level_curve wb_level_curve_of(const struct wb_measured_fit *fit, size_t levels)
{
  struct wb_level_curve curve = {.fit = fit};
  for (size_t k = 0; k < levels; k++)
    if (has_interval(&fit->levels[k]))
      add_level(&curve, &fit->levels[k]);
  return curve;
}

double wb_level_curve_at(const struct wb_level_curve *curve, double probability)
{
  const struct wb_tail *const tail = &curve->fit->fit.tail;
  const double survival = wb_measured_survival(curve->fit, probability);
  const double most = wb_tail_is_of_maxima(tail->family) ? MOST_SURVIVAL : 1;
  return survival > 0 && survival < most ? wb_tail_level(tail, survival) : NAN;
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
    const double below =
        between(first->level - first->profile.low, second->level - second->profile.low, part);
    const double above =
        between(first->profile.high - first->level, second->profile.high - second->level, part);
    /* The ends grow with the level, as those of both neighbours do. */
    return (struct wb_interval){
        .found = isfinite(level) && isfinite(part),
        .low = fmin(fmin(fmax(level - below, first->profile.low), second->profile.low), level),
        .high = fmax(fmax(fmin(level + above, second->profile.high), first->profile.high), level),
    };
  }
  return (struct wb_interval){.found = false};
}
