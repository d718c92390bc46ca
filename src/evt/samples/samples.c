#include "evt/samples/samples.h"

#include <stdlib.h>

void wb_samples_free(struct wb_samples *samples)
{
  for (size_t s = 0; s < samples->count; s++) {
    free(samples->series[s].name);
    free(samples->series[s].values);
  }
  free(samples->series);
  free(samples->file);
  free(samples->column);
  free(samples->unit);
  *samples = (struct wb_samples){0};
}
