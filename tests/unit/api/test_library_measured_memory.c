/* Measured times of the public header when memory runs out: every allocation is made to fail in
 * turn, on one thread. Left out: allocations of Jansson and NLopt, whose failures are theirs. */
#include "failing_heap.h"
#include "unit.h"

#include <math.h>

#define COUNT 120

static double values[COUNT];

/* Fits are asked for as few as there can be, since each allocation repeats the whole. */
static const warpbound_measured_options options = {.fit_anyway = true,
                                                   .method = WARPBOUND_TAIL_PEAKS,
                                                   .has_threshold = true,
                                                   .threshold = 1050,
                                                   .replicates = 1,
                                                   .bound_source = "a file",
                                                   .has_bound = true,
                                                   .bound = 2000};

static warpbound_status take_samples(const void *context, warpbound_error *error)
{
  (void)context;
  static const char text[] = "k,time_ns\na,1\nb,2\n";
  const warpbound_samples_options choice = {.group = "k"};
  warpbound_samples *samples;
  const warpbound_status status =
      warpbound_samples_parse("f", text, sizeof text - 1, &choice, &samples, error);
  warpbound_samples_free(samples);
  return status;
}

static warpbound_status analyse(const void *context, warpbound_error *error)
{
  (void)context;
  const warpbound_options limits = {.threads = 1};
  warpbound_samples *samples;
  warpbound_measured *measured = NULL;
  warpbound_status status = warpbound_samples_create(values, COUNT, "ns", &samples, error);
  if (status == WARPBOUND_OK)
    status = warpbound_measured_analyse(samples, &options, &limits, &measured, error);
  warpbound_measured_free(measured);
  warpbound_samples_free(samples);
  return status;
}

TEST(samples_fail_cleanly)
{
  assert_true(fail_each(take_samples, NULL, WARPBOUND_OK) > 10);
}

TEST(an_analysis_fails_cleanly)
{
  uint64_t seed = 1;
  for (size_t i = 0; i < COUNT; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    values[i] = 1000 - 100 * log(((double)(seed >> 11) + 0.5) / 9007199254740992.0);
  }
  assert_true(fail_each(analyse, NULL, WARPBOUND_OK) > 20);
}
