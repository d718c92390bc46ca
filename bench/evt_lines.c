/* Fits extreme value distributions to samples from standard input, for evt_rivals.py. A line is
 *   NAME gev COUNT VALUE...           maxima
 *   NAME gpd THRESHOLD COUNT VALUE... values above the threshold
 * and what is printed of it
 *   NAME SECONDS STATUS NEGATIVE_LOG_LIKELIHOOD
 * then each estimate followed by its standard error. */
#include "base/work_control.h"
#include "evt/fit/tail_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times a fit is repeated for its time. */
#define REPEATS 5

static void print_fit(const char *name, const struct wb_fit_data *data, enum wb_tail_family family)
{
  struct wb_tail_fit fit;
  warpbound_error error;
  const double start = wb_clock();
  warpbound_status status = WARPBOUND_OK;
  for (int k = 0; k < REPEATS; k++)
    status = wb_tail_fit(data, family, WB_FIT_LIKELIHOOD, &fit, &error);
  const double seconds = (wb_clock() - start) / REPEATS;
  printf("%s %.9f %d", name, seconds, (int)status);
  if (status == WARPBOUND_OK) {
    printf(" %.17g", fit.negative_log_likelihood);
    if (family == WB_TAIL_GEV)
      printf(" %.17g %.17g", fit.tail.location, wb_fit_error(&fit, 0));
    printf(" %.17g %.17g", fit.tail.scale, wb_fit_error(&fit, wb_fit_scale_place(&fit)));
    printf(" %.17g %.17g", fit.tail.shape, wb_fit_error(&fit, wb_fit_shape_place(&fit)));
  }
  putchar('\n');
}

/* false: no further line. */
static bool fit_line(void)
{
  char name[64], family[8];
  if (scanf("%63s %7s", name, family) != 2)
    return false;
  const bool peaks = strcmp(family, "gpd") == 0;
  struct wb_fit_data data = {0};
  if (peaks && scanf("%lf", &data.threshold) != 1)
    return false;
  if (scanf("%zu", &data.count) != 1 || data.count > 1000000)
    return false;
  double *values = malloc((data.count + 1) * sizeof *values);
  bool read = values != NULL;
  for (size_t k = 0; read && k < data.count; k++)
    read = scanf("%lf", &values[k]) == 1;
  data.values = values;
  if (read)
    print_fit(name, &data, peaks ? WB_TAIL_PARETO : WB_TAIL_GEV);
  free(values);
  return read;
}

int main(void)
{
  while (fit_line())
    ;
  return 0;
}
