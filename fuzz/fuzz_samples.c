/* Files of measured times: the reader takes any bytes with any choice of columns; what it takes is
 * finite and at least 0, and none of it is lost. */
#include "formats/samples/samples_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_samples(const struct wb_samples *samples)
{
  if (samples->count == 0 || samples->file == NULL)
    abort();
  if (samples->unit != NULL && wb_time_unit(samples->unit, strlen(samples->unit)) == NULL)
    abort();
  size_t total = 0;
  for (size_t s = 0; s < samples->count; s++) {
    const struct wb_series *series = &samples->series[s];
    if (series->name == NULL || series->count > series->capacity)
      abort();
    for (size_t i = 0; i < series->count; i++) {
      if (!isfinite(series->values[i]) || series->values[i] < 0 || signbit(series->values[i]))
        abort();
    }
    total += series->count;
  }
  if (total == 0)
    abort();
}

static void read_with(const uint8_t *data, size_t size, const struct wb_samples_choice *choice)
{
  struct wb_samples samples;
  warpbound_error error = {0};
  const warpbound_status status =
      wb_samples_parse("fuzz", (const char *)data, size, choice, &samples, &error);
  if (status == WARPBOUND_OK)
    check_samples(&samples);
  else if (error.message[0] == '\0' || samples.series != NULL)
    abort();
  wb_samples_free(&samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const struct wb_samples_choice choices[] = {
      {0}, {"1", NULL, NULL}, {"2", "1", NULL}, {"time", NULL, "us"}, {"time_ns", "kernel", NULL}};
  for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
    read_with(data, size, &choices[c]);
  return 0;
}
