#include "classic_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"portpirie", "fremantle", "glass",
                                    "venice",    "rain",      "dowjones"};

/* The last column into values, the first, where there are two, into covariates. */
static void read_columns(const char *name, struct classic_data *data)
{
  const char *const fixtures = getenv("WARPBOUND_FIXTURES");
  char path[4096], line[100];
  snprintf(path, sizeof path, "%s/evt/%s.csv", fixtures ? fixtures : "tests/fixtures", name);
  FILE *const file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(EXIT_FAILURE);
  }
  data->count = 0;
  while (data->count < CLASSIC_VALUES && fgets(line, sizeof line, file)) {
    const char *const comma = strchr(line, ',');
    data->covariates[data->count] = strtod(line, NULL);
    data->values[data->count++] = strtod(comma ? comma + 1 : line, NULL);
  }
  fclose(file);
}

struct wb_fit_data classic_read(enum classic classic, struct classic_data *data)
{
  double threshold = 0;
  read_columns(names[classic], data);
  for (size_t k = 0; k < data->count; k++) {
    data->covariates[k] -= 1896;
    if (classic == GLASS)
      data->values[k] = -data->values[k];
  }
  if (classic == DOW_JONES) {
    for (size_t k = 1; k < data->count; k++)
      data->values[k - 1] = 100.0 * log(data->values[k] / data->values[k - 1]);
    data->count--;
  }
  if (classic == RAIN || classic == DOW_JONES) {
    threshold = classic == RAIN ? 30 : 2;
    size_t kept = 0;
    for (size_t k = 0; k < data->count; k++) {
      if (data->values[k] > threshold)
        data->values[kept++] = data->values[k];
    }
    data->count = kept;
  }
  return (struct wb_fit_data){.values = data->values,
                              .count = data->count,
                              .covariate = classic == FREMANTLE ? data->covariates : NULL,
                              .threshold = threshold};
}
