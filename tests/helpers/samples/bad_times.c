/* Times that extreme value statistics must not be plainly applied to. */
#include "samples/bad_times.h"
#include "samples/make_times.h"

#include <math.h>

const char *const bad_kinds[BAD_KINDS] = {
    "slow mode, 5 % N(3, 1.2) beside N(0, 1)",
    "slow mode, 5 % N(4, 1.2)",
    "slow mode, 2 % N(3.5, 0.8)",
    "slow mode, 20 % N(3, 1)",
    "warm-up: run 1 slower by 8",
    "warm-up: 20 runs, from 5 falling",
    "warm-up: 100 runs slower by 1",
    "every 50th run slower by 1",
    "every 50th run slower by 3",
    "every 200th run slower by 5",
    "drift of 1 in all",
    "step of 0.5 in the middle",
    "AR(1), 0.7",
    "ticks of 1",
    "largest 5 % capped",
};

/* One value of `count`, in deviations; *last: the one before it. */
static double bad_value(size_t kind, size_t k, size_t count, double *last, struct wb_random *random)
{
  const double normal = made_normal(random), place = (double)k / (double)count;
  static const double shares[] = {0.05, 0.05, 0.02, 0.2}, places[] = {3, 4, 3.5, 3},
                      widths[] = {1.2, 1.2, 0.8, 1};
  if (kind < 4)
    return made_uniform(random) < shares[kind] ? places[kind] + widths[kind] * normal : normal;
  switch (kind) {
  case 4:
    return normal + (k == 0 ? 8 : 0);
  case 5:
    return normal + (k < 20 ? 5 - (double)k / 4 : 0);
  case 6:
    return normal + (k < 100 ? 1 : 0);
  case 7:
    return normal + (k % 50 == 17 ? 1 : 0);
  case 8:
    return normal + (k % 50 == 17 ? 3 : 0);
  case 9:
    return normal + (k % 200 == 17 ? 5 : 0);
  case 10:
    return normal + place;
  case 11:
    return normal + (place < 0.5 ? 0 : 0.5);
  case 12:
    *last = k == 0 ? normal : 0.7 * *last + sqrt(1 - 0.49) * normal;
    return *last;
  case 13:
    return round(normal);
  default:
    return fmin(normal, 1.645);
  }
}

void make_bad_times(size_t kind, size_t count, double place, double scale, uint64_t seed,
                    double *times)
{
  struct wb_random random = {.state = seed};
  double before = 0;
  for (size_t k = 0; k < count; k++)
    times[k] = place + scale * bad_value(kind, k, count, &before, &random);
}
