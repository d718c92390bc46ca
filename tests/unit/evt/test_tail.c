/* Distributions of extreme values, against values computed with 400 digits (Python's decimal) and
 * against themselves. Not here: whether draws follow them (tests/cross/evt). */
#include "evt/math/special_functions.h"
#include "evt/tail/tail.h"
#include "rows.h"
#include "samples/assert_double.h"

#include <math.h>

static struct wb_tail made(enum wb_tail_family family, double shape)
{
  return (struct wb_tail){family, 0.0, 1.0, shape};
}

static void has_density(double shape, double z, const double numbers[4])
{
  const struct wb_tail gev = made(WB_TAIL_GEV, shape);
  assert_near(wb_tail_log_density(&gev, z), numbers[0], 1e-14);
  assert_near(wb_tail_survival(&gev, z), numbers[1], 1e-13);
  assert_true(fabs(wb_tail_distribution(&gev, z) - 1.0 + numbers[1]) < 1e-15);
  const struct wb_tail pareto = made(WB_TAIL_PARETO, shape);
  assert_near(wb_tail_log_density(&pareto, z), z < 0 ? -INFINITY : numbers[2], 1e-14);
  assert_near(wb_tail_survival(&pareto, z), z < 0 ? 1.0 : numbers[3], 1e-13);
  assert_true(fabs(wb_tail_distribution(&pareto, z) - 1.0 + wb_tail_survival(&pareto, z)) < 1e-15);
}

static void has_level(double shape, double survival, const double numbers[2])
{
  const struct wb_tail gev = made(WB_TAIL_GEV, shape);
  assert_near(wb_tail_level(&gev, survival), numbers[0], 1e-12);
  const struct wb_tail pareto = made(WB_TAIL_PARETO, shape);
  assert_near(wb_tail_level(&pareto, survival), numbers[1], 1e-12);
}

/* A row of tails.txt. */
static bool row_holds(char *const *words, size_t count, char *text)
{
  double numbers[4];
  size_t known = 0;
  for (char *end = text; known < 4 && *end != '\0'; known++)
    numbers[known] = strtod(end, &end);
  const bool density = strcmp(words[0], "density") == 0;
  if (count != 3 || known != (density ? 4 : 2) || (!density && strcmp(words[0], "level") != 0))
    return false;
  (density ? has_density : has_level)(strtod(words[1], NULL), strtod(words[2], NULL), numbers);
  return true;
}

TEST(densities_probabilities_and_levels)
{
  rows_check("unit/evt/tails.txt", 55, row_holds);
}

/* A level's survival is the probability that it was made of, for all shapes and families. */
TEST(levels_invert_survival)
{
  static const double survivals[] = {1e-12, 1e-6, 0.01, 0.3, 0.9, 0.9999};
  for (int f = WB_TAIL_GEV; f <= WB_TAIL_EXPONENTIAL; f++) {
    for (int eighths = -12; eighths <= 12; eighths++) {
      const double shape = eighths / 8.0;
      const enum wb_tail_family family = (enum wb_tail_family)f;
      const struct wb_tail tail = {family, 1e9, 5.0, wb_tail_has_shape(family) ? shape : 0.0};
      for (size_t k = 0; k < COUNT_OF(survivals); k++) {
        const double level = wb_tail_level(&tail, survivals[k]);
        /* 1e9 has a unit in the last place of 1.2e-7. */
        assert_true(wb_tail_survival(&tail, level + 5e-7) <= survivals[k] * (1.0 + 1e-10));
        assert_true(wb_tail_survival(&tail, level - 5e-7) >= survivals[k] * (1.0 - 1e-10));
      }
    }
  }
}

/* Nothing jumps where xi goes through 0 or where a series gives way to a closed form. */
TEST(smooth_in_the_shape)
{
  for (int f = WB_TAIL_GEV; f <= WB_TAIL_PARETO; f += WB_TAIL_PARETO - WB_TAIL_GEV) {
    for (int power = -2; power <= 4; power++) {
      const double z = ldexp(1.0, power);
      double density = NAN, level = NAN;
      for (int k = -3000; k <= 3000; k++) {
        const struct wb_tail tail = made((enum wb_tail_family)f, k * 1e-5);
        const double log_density = wb_tail_log_density(&tail, z), far = wb_tail_level(&tail, 1e-6);
        /* At most what the derivative by xi, below 300, allows. */
        assert_true(k == -3000 || fabs(log_density - density) < 300 * 1e-5);
        assert_true(k == -3000 || fabs(far - level) < 300 * 1e-5);
        assert_true(k == -3000 || far > level);
        density = log_density;
        level = far;
      }
    }
    for (int power = -3; power > -320; power -= 3) {
      const double shape = pow(10.0, power);
      const struct wb_tail above = made((enum wb_tail_family)f, shape);
      const struct wb_tail below = made((enum wb_tail_family)f, -shape);
      const struct wb_tail at = made((enum wb_tail_family)f, 0.0);
      const double error = 100 * shape + 1e-15;
      assert_near(wb_tail_log_density(&above, 2.0), wb_tail_log_density(&at, 2.0), error);
      assert_near(wb_tail_log_density(&below, 2.0), wb_tail_log_density(&at, 2.0), error);
      assert_near(wb_tail_level(&above, 1e-9), wb_tail_level(&at, 1e-9), error);
      assert_near(wb_tail_level(&below, 1e-9), wb_tail_level(&at, 1e-9), error);
    }
  }
}

TEST(ends_of_the_support)
{
  const struct wb_tail ended = {WB_TAIL_GEV, 10.0, 2.0, -0.5};
  assert_near(wb_tail_upper_end(&ended), 14.0, 1e-15);
  assert_near(wb_tail_survival(&ended, 14.5), 0.0, 0);
  assert_near(wb_tail_distribution(&ended, 14.5), 1.0, 0);
  assert_near(wb_tail_log_density(&ended, 14.0), -INFINITY, 0);
  const struct wb_tail heavy = {WB_TAIL_GEV, 10.0, 2.0, 0.5};
  assert_near(wb_tail_upper_end(&heavy), INFINITY, 0);
  assert_near(wb_tail_survival(&heavy, 5.0), 1.0, 0);
  assert_near(wb_tail_log_density(&heavy, 5.0), -INFINITY, 0);
  const struct wb_tail uniform = {WB_TAIL_PARETO, 3.0, 2.0, -1.0};
  assert_near(wb_tail_log_density(&uniform, 3.0), -log(2.0), 1e-15);
  assert_near(wb_tail_log_density(&uniform, 5.0), -log(2.0), 1e-15);
  assert_near(wb_tail_log_density(&uniform, 5.5), -INFINITY, 0);
  assert_near(wb_tail_survival(&uniform, 4.5), 0.25, 1e-15);
  assert_near(wb_tail_survival(&heavy, INFINITY), 0.0, 0);
  assert_near(wb_tail_survival(&heavy, -INFINITY), 1.0, 0);
  assert_near(wb_tail_survival(&ended, -INFINITY), 1.0, 0);
  assert_near(wb_tail_survival(&ended, INFINITY), 0.0, 0);
  assert_near(wb_tail_survival(&uniform, -INFINITY), 1.0, 0);
  assert_true(isnan(wb_tail_survival(&heavy, NAN)) && isnan(wb_tail_distribution(&uniform, NAN)));
  assert_true(isnan(wb_tail_log_density(&ended, NAN)));
}

/* Values so far out that the standardised one overflows. */
TEST(values_out_of_range)
{
  for (int f = WB_TAIL_GEV; f <= WB_TAIL_EXPONENTIAL; f++) {
    for (int halves = -2; halves <= 2; halves++) {
      const double shape = halves / 2.0;
      const enum wb_tail_family family = (enum wb_tail_family)f;
      const struct wb_tail tail = {family, 0.0, 1e-300, wb_tail_has_shape(family) ? shape : 0.0};
      assert_true(!isnan(wb_tail_survival(&tail, 1e300)));
      assert_true(!isnan(wb_tail_log_density(&tail, 1e300)));
      assert_true(wb_tail_survival(&tail, -1e300) == 1.0);
      assert_true(wb_tail_survival(&tail, 1e300) <= 1e-300);
    }
  }
}

/* pchisq and qchisq of R 4. */
TEST(chi_squared)
{
  assert_near(wb_chi_squared_level(0.05, 1), 3.8414588206941254, 1e-14);
  assert_near(wb_chi_squared_level(0.05, 2), 5.9914645471079790, 1e-14);
  assert_near(wb_chi_squared_level(0.05, 7), 14.0671404493401671, 1e-14);
  assert_near(wb_chi_squared_level(1e-10, 100), 217.7142031383092160, 1e-13);
  assert_near(wb_chi_squared_survival(20100, 20000), 3.0765755929743444e-01, 1e-12);
  assert_near(wb_chi_squared_survival(1e-3, 5), 9.9999999831851227e-01, 1e-15);
  assert_near(wb_chi_squared_survival(1400, 3), 2.9456193610163185e-303, 1e-12);
  assert_near(wb_chi_squared_survival(900, 1000), 9.8928276190871023e-01, 1e-13);
  assert_near(wb_chi_squared_survival(901, 1001), 9.8924779794091811e-01, 1e-13);
  assert_near(wb_chi_squared_survival(-1, 1), 1.0, 0);
  assert_near(wb_chi_squared_survival(INFINITY, 4), 0.0, 0);
  assert_true(isnan(wb_chi_squared_survival(NAN, 2)));
  assert_near(wb_chi_squared_level(0, 3), INFINITY, 0);
  assert_near(wb_chi_squared_level(1, 3), 0, 0);
}

/* qnorm and pnorm of R 4. */
TEST(normal)
{
  assert_near(wb_normal_level(0.025), 1.9599639845400538, 1e-15);
  assert_near(wb_normal_level(1e-300), 37.0470962993612005, 1e-15);
  assert_near(wb_normal_level(0.9), -1.2815515655446008, 1e-15);
  assert_true(fabs(wb_normal_level(0.5)) < 1e-15);
  assert_near(wb_normal_survival(10), 7.6198530241605945e-24, 2e-14);
  assert_near(wb_normal_level(0), INFINITY, 0);
  assert_near(wb_normal_level(1), -INFINITY, 0);
  assert_true(isnan(wb_normal_level(-0.1)) && isnan(wb_normal_level(NAN)));
}

/* Each derivative is that of the function above it, on both sides of the ends of the series. */
TEST(derivatives_of_the_ratios)
{
  for (int step = 0; step < 365; step++) {
    const double t = -0.9 + 0.0107 * step;
    const double h = 1e-4 * (1.0 + t);
    const struct wb_curve at = wb_log_ratio_curve(t), low = wb_log_ratio_curve(t - h),
                          high = wb_log_ratio_curve(t + h);
    assert_near(at.first, (high.value - low.value) / (2.0 * h), 1e-6);
    assert_near(at.second, (high.first - low.first) / (2.0 * h), 1e-6);
    assert_near(at.first, wb_log_ratio_first(t, wb_log_ratio(t)), 0);
    const struct wb_curve exp_at = wb_log_of_exp_ratio(t), exp_low = wb_log_of_exp_ratio(t - h),
                          exp_high = wb_log_of_exp_ratio(t + h);
    assert_near(exp_at.value, log(wb_exp_ratio(t)), 1e-12);
    assert_near(exp_at.first, (exp_high.value - exp_low.value) / (2.0 * h), 1e-6);
    assert_near(exp_at.second, (exp_high.first - exp_low.first) / (2.0 * h), 1e-6);
  }
  assert_near(wb_log_of_exp_ratio(2000).value, 2000 - log(2000), 1e-15);
  assert_near(wb_log_of_exp_ratio(-2000).value, -log(2000), 1e-15);
}
