/* The ticks of a clock and the shares of equal values. */
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"
#include "samples/assert_double.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#define COUNT 2000
#define SEED 7

/* Times of about 500 with a deviation of 30, in ticks. */
static void make_ticked(double tick, double *values)
{
  const struct made_times recipe = {
      .family = MADE_NORMAL, .location = 500, .scale = 30, .tick = tick};
  make_times(&recipe, COUNT, SEED, values);
}

static double tick_of(double *values, size_t count)
{
  wb_sort_ascending(values, count);
  return wb_resolution_of(values, count).tick;
}

TEST(ticks_of_clocks_are_found)
{
  const double ticks[] = {1, 32, 0.032, 0.5, 1.0 / 3, 1e-3, 1.024, 2.5e-5, 7};
  double values[COUNT];
  for (size_t k = 0; k < COUNT_OF(ticks); k++) {
    make_ticked(ticks[k], values);
    assert_within(tick_of(values, COUNT), ticks[k], 1e-9 * ticks[k]);
  }
}

/* Values need not be multiples of the tick: their differences are. */
TEST(an_offset_does_not_matter)
{
  double values[COUNT];
  make_ticked(0.032, values);
  for (size_t i = 0; i < COUNT; i++)
    values[i] += 0.01234567;
  assert_within(tick_of(values, COUNT), 0.032, 1e-11);
}

/* Ends less starts of a clock that has run long, and numbers kept in 32 bits. */
TEST(rounding_does_not_hide_ticks)
{
  double values[COUNT];
  make_ticked(0.032, values);
  for (size_t i = 0; i < COUNT; i++)
    values[i] = (values[i] + 12345.678) - 12345.678;
  assert_within(tick_of(values, COUNT), 0.032, 1e-11);
  make_ticked(1.024, values);
  for (size_t i = 0; i < COUNT; i++)
    values[i] = (float)(1e-3 * values[i]);
  assert_within(tick_of(values, COUNT), 1.024e-3, 1e-8);
}

TEST(noise_is_no_tick)
{
  struct wb_random random = {SEED};
  double values[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    values[i] = 100 * (1 + 1e-12 * made_uniform(&random));
  wb_sort_ascending(values, COUNT);
  struct wb_resolution resolution = wb_resolution_of(values, COUNT);
  assert_within(resolution.tick, 0, 0);
  assert_int_equal(resolution.distinct, 1);
  assert_within(resolution.tied_share, 1, 0);
  /* Ticks of 1 with noise: their number counts. */
  for (size_t i = 0; i < COUNT; i++)
    values[i] = 100 + (double)(i % 10) + 1e-12 * made_uniform(&random);
  wb_sort_ascending(values, COUNT);
  resolution = wb_resolution_of(values, COUNT);
  assert_within(resolution.tick, 1, 1e-10);
  assert_int_equal(resolution.distinct, 10);
}

TEST(continuous_times_have_no_tick)
{
  double values[COUNT];
  for (uint64_t seed = 1; seed <= 200; seed++) {
    const struct made_times recipe = {.family = MADE_EXPONENTIAL, .location = 10, .scale = 3};
    const size_t count = 5 + seed % 50 * (seed % 40);
    make_times(&recipe, count, seed, values);
    wb_sort_ascending(values, count);
    const struct wb_resolution resolution = wb_resolution_of(values, count);
    if (resolution.tick != 0)
      printf("# seed %u: tick %g\n", (unsigned)seed, resolution.tick);
    assert_within(resolution.tick, 0, 0);
    assert_int_equal(resolution.distinct, count);
    assert_within(resolution.tied_share, 0, 0);
  }
}

TEST(shares_of_equal_values)
{
  const double values[] = {1, 1, 1, 2, 3, 5, 5, 6, 7, 9, 9, 10, 11, 12, 13, 14, 14, 15, 16, 16};
  const struct wb_resolution resolution = wb_resolution_of(values, 20);
  assert_int_equal(resolution.distinct, 14);
  assert_within(resolution.tied_share, 11.0 / 20, 1e-15);
  assert_within(resolution.most_common_share, 3.0 / 20, 1e-15);
  assert_within(resolution.most_common, 1, 0);
  assert_within(resolution.tail_tied_share, 1, 0);
  /* A group that reaches into the tail: the tail's part of it counts. */
  assert_within(wb_resolution_of(values, 17).tail_tied_share, 1, 0);
  assert_within(wb_resolution_of(values, 18).tail_tied_share, 0, 0);
}

TEST(few_values)
{
  const double values[] = {4, 6.5};
  assert_int_equal(wb_resolution_of(NULL, 0).distinct, 0);
  assert_int_equal(wb_resolution_of(values, 1).distinct, 1);
  assert_within(wb_resolution_of(values, 1).tick, 0, 0);
  assert_within(wb_resolution_of(values, 1).most_common_share, 1, 0);
  assert_within(wb_resolution_of(values, 2).tick, 2.5, 0);
  const double zeros[] = {0, 0, 0};
  assert_within(wb_resolution_of(zeros, 3).tick, 0, 0);
  const double far[] = {0, 1e-300, 1e300};
  assert_within(wb_resolution_of(far, 3).tick, 1e300, 0);
}

/* How a time of CUDA's events comes to us: in decimals, as a 32-bit number, as such a number with
 * nine digits. */
static double written(double value, int way)
{
  char text[32];
  if (way == 0)
    return nearbyint(value * 1e6) / 1e6;
  snprintf(text, sizeof text, "%.9g", (float)value);
  return way == 1 ? (double)(float)value : strtod(text, NULL);
}

/* Times of CUDA's events: multiples of a step, kept as 32-bit milliseconds, 1.6 to 120 ms long. */
TEST(steps_of_events_are_found)
{
  static const double steps[] = {32e-6, 500e-6, 1e-3, 1.024e-3}; /* in ms */
  static const double places[] = {1.6, 12, 20, 60, 100, 120};
  double values[COUNT];
  for (size_t s = 0; s < COUNT_OF(steps); s++)
    for (size_t p = 0; p < COUNT_OF(places); p++)
      for (int way = 0; way < 3; way++) {
        struct wb_random random = {SEED};
        for (size_t i = 0; i < COUNT; i++) {
          const double place = places[p] + 0.3 * made_normal(&random);
          values[i] = written(nearbyint(place / steps[s]) * steps[s], way);
        }
        wb_sort_ascending(values, COUNT);
        struct wb_resolution resolution = wb_resolution_of(values, COUNT);
        wb_clock_tick(values, COUNT, 1e-3, &resolution);
        assert_within(resolution.tick, steps[s], 1e-9 * steps[s]);
        assert_non_null(resolution.clock);
      }
}

/* Values that lie anywhere, and a step that rounding hides, are on no clock; the unit matters. */
TEST(no_step_is_made_up)
{
  struct wb_random random = {SEED};
  double values[COUNT];
  for (int large = 0; large < 2; large++) {
    for (size_t i = 0; i < COUNT; i++) {
      const double value = (large == 1 ? 500 : 1.6) + 0.3 * made_normal(&random);
      values[i] = (float)(large == 1 ? 32e-6 * nearbyint(value / 32e-6) : value);
    }
    wb_sort_ascending(values, COUNT);
    struct wb_resolution resolution = wb_resolution_of(values, COUNT);
    const double tick = resolution.tick;
    wb_clock_tick(values, COUNT, 1e-3, &resolution);
    assert_within(resolution.tick, tick, 0);
    assert_null(resolution.clock);
  }
  for (size_t i = 0; i < COUNT; i++)
    values[i] = 32e-6 * (50000 + (double)i);
  struct wb_resolution resolution = {.tick = 0};
  wb_clock_tick(values, COUNT, 0, &resolution);
  assert_null(resolution.clock);
  wb_clock_tick(values, COUNT, 1, &resolution);
  assert_true(resolution.tick < 1e-3);
}
