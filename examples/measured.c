/* Times that were measured: whether extreme value statistics apply to them, and what they estimate.
 * The first argument names the file, where it is not times.csv here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warpbound.h>

/* A file's bytes, to be freed; NULL where it cannot be read. */
static char *read_file(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
    bytes = malloc((size_t)size + 1);
  *length = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
  if (file != NULL)
    fclose(file);
  return bytes;
}

/* What did not pass, and what to do about it. */
static void print_checks(const warpbound_measured *measured, size_t series)
{
  for (size_t c = 0; c < warpbound_measured_check_count(measured); c++) {
    const warpbound_measured_check check = warpbound_measured_check_at(measured, series, c);
    if (check.outcome != WARPBOUND_APPLICABLE)
      printf("  %s: %s; %s\n", check.title, check.meaning, check.advice);
  }
}

/* The fit of a generalised Pareto distribution, and its level of one run in 10^9. */
static void print_fit(const warpbound_measured *measured, size_t series, const char *unit)
{
  for (size_t f = 0; f < warpbound_measured_fit_count(measured); f++) {
    const warpbound_measured_fit fit = warpbound_measured_fit_at(measured, series, f);
    const warpbound_measured_level level = warpbound_measured_level_at(measured, series, f, 0);
    if (!fit.made || strcmp(fit.name, "gpd") != 0)
      continue;
    printf("  shape xi %.3f (%.3f), xi > 0: heavy tail\n", fit.shape, fit.shape_error);
    printf("  exceeded with p = %g: %.0f %s, from %.0f to %.0f: an estimate, never a bound\n",
           level.probability, level.level, unit, level.low, level.high);
  }
}

static warpbound_status analyse(const warpbound_samples *samples, warpbound_error *error)
{
  const double probability = 1e-9;
  const warpbound_measured_options options = {
      .method = WARPBOUND_TAIL_PEAKS, .probabilities = &probability, .probability_count = 1};
  warpbound_measured *measured;
  const warpbound_status status =
      warpbound_measured_analyse(samples, &options, NULL, &measured, error);
  for (size_t s = 0; s < warpbound_samples_series_count(samples) && measured != NULL; s++) {
    printf("%zu times: %s\n", warpbound_samples_count(samples, s),
           warpbound_applicability_name(warpbound_measured_applicability(measured, s)));
    print_checks(measured, s);
    print_fit(measured, s, warpbound_samples_unit(samples));
  }
  warpbound_measured_free(measured);
  return status;
}

int main(int count, char **words)
{
  const char *file = count > 1 ? words[1] : "times.csv";
  warpbound_error error = {0};
  warpbound_samples *samples;
  size_t length;
  char *bytes = read_file(file, &length);
  if (bytes == NULL) {
    fprintf(stderr, "%s cannot be read\n", file);
    return 3;
  }
  warpbound_status status = warpbound_samples_parse(file, bytes, length, NULL, &samples, &error);
  free(bytes);
  if (status == WARPBOUND_OK)
    status = analyse(samples, &error);
  if (status != WARPBOUND_OK)
    fprintf(stderr, "%s:%zu: %s\n", error.file, error.line, error.message);
  warpbound_samples_free(samples);
  return (int)status;
}
