#include "evt/tests/lattice_paths.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The number of cells between which the paths of a step lie that have not reached the distance. */
static double band_of(const struct wb_sample_pair *pair)
{
  return 2 * (double)pair->distance / ((double)pair->first + (double)pair->second) + 1;
}

double wb_lattice_path_cost(const struct wb_sample_pair *pair)
{
  const double most = (double)(pair->first < pair->second ? pair->first : pair->second) + 1;
  double cost = 0;
  for (size_t k = 0; k < pair->groups; k++) {
    const double size = (double)pair->tied[k];
    cost += size * fmin(most, band_of(pair) + size);
  }
  return cost;
}

/* The probabilities of the paths that have not reached the distance: at[i], low <= i <= high, of
 * those of whose first `step` values i are of the first sample. */
struct front {
  const struct wb_sample_pair *pair;
  double *at; /* by i; 0 outside of low .. high */
  size_t low, high, step;
  double reached; /* of paths that have */
};

/* One more value: of the first sample or of the second, in proportion to what is left of each. */
static void advance(struct front *front)
{
  const struct wb_sample_pair *const pair = front->pair;
  const double left = (double)(pair->first + pair->second - front->step);
  double *const at = front->at;
  if (front->high < pair->first)
    front->high++;
  for (size_t i = front->high; i > front->low; i--) {
    const double second_left = (double)(pair->second + i) - (double)front->step;
    const double first_left = (double)(pair->first - i + 1);
    at[i] = (at[i] * second_left + at[i - 1] * first_left) / left;
  }
  const double second_left = (double)(pair->second + front->low) - (double)front->step;
  at[front->low] *= second_left / left;
  front->step++;
}

static bool has_reached(const struct front *front, size_t i)
{
  const struct wb_sample_pair *const pair = front->pair;
  const int64_t j = (int64_t)front->step - (int64_t)i;
  const int64_t apart = (int64_t)i * (int64_t)pair->second - j * (int64_t)pair->first;
  return (apart < 0 ? -apart : apart) >= pair->distance;
}

/* Takes the paths that have reached the distance out of the front. Returns whether any are left. */
static bool take_out(struct front *front)
{
  while (front->low <= front->high && has_reached(front, front->low)) {
    front->reached += front->at[front->low];
    front->at[front->low++] = 0;
  }
  while (front->high > front->low && has_reached(front, front->high)) {
    front->reached += front->at[front->high];
    front->at[front->high--] = 0;
  }
  return front->low <= front->high;
}

/* A path with i > first or j > second has probability 0: its factor of what is left is 0. */
warpbound_status wb_lattice_path_survival(const struct wb_sample_pair *pair, double *survival,
                                          warpbound_error *error)
{
  struct front front = {.pair = pair, .at = wb_allocate(pair->first + 1, sizeof *front.at)};
  if (front.at == NULL)
    return wb_out_of_memory(error);
  front.at[0] = 1;
  bool some = true;
  for (size_t k = 0; k < pair->groups && some; k++) {
    for (size_t s = 0; s < pair->tied[k]; s++)
      advance(&front);
    some = take_out(&front);
  }
  *survival = fmin(1, front.reached);
  free(front.at);
  return WARPBOUND_OK;
}
