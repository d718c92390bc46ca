/* Distributions of extreme values, against values computed with 400 digits (Python's decimal) and
 * against themselves. Not here: whether draws follow them (tests/cross/evt). */
#include "evt/math/special_functions.h"
#include "evt/tail/tail.h"
#include "samples/assert_double.h"

#include <math.h>

static const struct {
  double shape, z, gev_log_density, gev_survival, pareto_log_density, pareto_survival;
} densities[] = {
    {-0.7, -0.4, -1.3170462099817248, 0.75897229322738879, 0.1057971762563682, 1.4228433862380929},
    {-0.7, 0.001, -0.9993002550690312, 0.63175255063082558, -0.00030010504902573941,
     0.99900015002000553},
    {-0.7, 1.3, -1.0640438663346941, 0.031558477017427734, -1.0319766894222309,
     0.03206717691246324},
    {-1e-9, -0.4, -1.0918246980019244, 0.77503820642323329, 0.39999999951999998,
     1.4918246975219243},
    {-1e-9, 0.001, -1.000000499832375, 0.63175267944868396, -0.00099999999900050006,
     0.99900049983337447},
    {-1e-9, 1.3, -1.5725317923487232, 0.23855077981523107, -1.299999999545, 0.27253179280372325},
    {-1e-9, 19.5, -19.50000017402327, 3.3982671676253453e-09, -19.500000170625004,
     3.3982671733994552e-09},
    {0, -0.4, -1.0918246976412702, 0.77503820645008148, 0.40000000000000002, 1.4918246976412703},
    {0, 0.001, -1.0000004998333749, 0.63175267944868418, -0.001, 0.99900049983337502},
    {0, 1.3, -1.5725317930340126, 0.23855077999058472, -1.3, 0.27253179303401259},
    {0, 19.5, -19.500000003398267, 3.3982678137209591e-09, -19.5, 3.3982678194950711e-09},
    {1e-13, -0.4, -1.0918246976412342, 0.77503820645008425, 0.40000000000004798,
     1.4918246976412823},
    {1e-13, 0.001, -1.0000004998333751, 0.63175267944868418, -0.0010000000000001,
     0.99900049983337502},
    {1e-13, 1.3, -1.5725317930340812, 0.23855077999060226, -1.3000000000000456,
     0.27253179303403563},
    {1e-13, 19.5, -19.500000003381206, 3.3982678137855686e-09, -19.499999999982936,
     3.3982678195596809e-09},
    {1e-5, -0.4, -1.0918210910945549, 0.77503847493359235, 0.40000480001013339, 1.4918258911046884},
    {1e-5, 0.001, -1.00000050983337, 0.63175267945052349, -0.0010000099949999501,
     0.99900049983837003},
    {1e-5, 1.3, -1.5725386459061685, 0.23855253351735148, -1.3000045499887334, 0.2725340959174351},
    {1e-5, 19.5, -19.498293981521062, 3.4047340748324063e-09, -19.49829397811633,
     3.4047340806285134e-09},
    {0.02, -0.4, -1.0845855988252668, 0.77557783941754188, 0.40964075656047721, 1.494226355385744},
    {0.02, 0.001, -1.0000204996233828, 0.63175268312742772, -0.001019989800135998,
     0.99900050982324684},
    {0.02, 1.3, -1.5861521717842961, 0.24201909701386537, -1.3090550841774673, 0.27709708760682872},
    {0.02, 19.5, -16.794491174946671, 7.0674048784488435e-08, -16.79449110427262,
     7.067405128189913e-08},
    {0.3, -0.4, -0.97734649410406294, 0.7837437223465632, 0.55394460987616789, 1.5312911039802308},
    {0.3, 0.001, -1.0003004546924892, 0.63175273461953885, -0.0012998050389912271,
     0.99900064965349789},
    {0.3, 1.3, -1.7606274266275286, 0.28369163140474513, -1.4269829042846016, 0.33364452234292691},
    {0.3, 19.5, -8.340049018373902, 0.0016368507488101723, -8.3384108265212475,
     0.001638191852654797},
    {2, -0.4, 0.17808889115136087, 0.89312207433961421, 2.4141568686511508, 2.2360679774997898},
    {2, 0.001, -1.0019985014983768, 0.63175304683817057, -0.0029970039940095841,
     0.99900149750436718},
    {2, 1.3, -2.4484470448878262, 0.40965388393866647, -1.9214007681930965, 0.52704627669472992},
    {2, 19.5, -5.6914330641793232, 0.14624745147670301, -5.5333191811709046, 0.15811388300841897},
};

static const struct {
  double shape, survival, gev_level, pareto_level;
} levels[] = {
    {-0.5, 0.999, -3.2565217697569322, 0.0010002501250781796},
    {-0.5, 0.5, 0.33489077768460451, 0.58578643762690497},
    {-0.5, 1e-9, 1.9999367544467808, 1.9999367544467965},
    {-0.5, 1e-300, 2, 2},
    {-1e-9, 0.999, -1.9326447357836234, 0.001000500333583033},
    {-1e-9, 0.5, 0.36651292051449846, 0.69314718031971878},
    {-1e-9, 1e-9, 20.723265621719538, 20.723265622219539},
    {-1e-9, 1e-300, 690.77528931285372, 690.77528931285372},
    {0, 0.999, -1.9326447339160655, 0.0010005003335835335},
    {0, 0.5, 0.36651292058166435, 0.69314718055994529},
    {0, 1e-9, 20.723265836446412, 20.72326583694641},
    {0, 1e-300, 690.77552789821368, 690.77552789821368},
    {1e-12, 0.999, -1.9326447339141979, 0.0010005003335835339},
    {1e-12, 0.5, 0.36651292058173152, 0.69314718056018554},
    {1e-12, 1e-9, 20.723265836661138, 20.723265837161136},
    {1e-12, 1e-300, 690.77552813679915, 690.77552813679915},
    {0.2, 0.999, -1.6029447083731447, 0.001000600440352296},
    {0.2, 0.5, 0.38028042569502563, 0.74349177498517505},
    {0.2, 1e-9, 310.47867220854874, 310.47867224009661},
    {0.2, 1e-300, 4.9999999999999997e+60, 4.9999999999999997e+60},
    {1.5, 0.999, -0.62994661143065378, 0.001001251459975765},
    {1.5, 0.5, 0.48856889510454493, 1.21895141649746},
    {1.5, 1e-9, 21081851051977.141, 21081851067788.527},
    {1.5, 1e-300, INFINITY, INFINITY},
};

static struct wb_tail made(enum wb_tail_family family, double shape)
{
  return (struct wb_tail){family, 0.0, 1.0, shape};
}

TEST(densities_and_probabilities)
{
  for (size_t k = 0; k < COUNT_OF(densities); k++) {
    const double z = densities[k].z;
    const struct wb_tail gev = made(WB_TAIL_GEV, densities[k].shape);
    assert_near(wb_tail_log_density(&gev, z), densities[k].gev_log_density, 1e-14);
    assert_near(wb_tail_survival(&gev, z), densities[k].gev_survival, 1e-13);
    assert_true(fabs(wb_tail_distribution(&gev, z) - 1.0 + densities[k].gev_survival) < 1e-15);
    const struct wb_tail pareto = made(WB_TAIL_PARETO, densities[k].shape);
    assert_near(wb_tail_log_density(&pareto, z),
                z < 0 ? -INFINITY : densities[k].pareto_log_density, 1e-14);
    assert_near(wb_tail_survival(&pareto, z), z < 0 ? 1.0 : densities[k].pareto_survival, 1e-13);
    assert_true(fabs(wb_tail_distribution(&pareto, z) - 1.0 + wb_tail_survival(&pareto, z)) <
                1e-15);
  }
}

TEST(levels_of_small_probabilities)
{
  for (size_t k = 0; k < COUNT_OF(levels); k++) {
    const double survival = levels[k].survival;
    const struct wb_tail gev = made(WB_TAIL_GEV, levels[k].shape);
    assert_near(wb_tail_level(&gev, survival), levels[k].gev_level, 1e-12);
    const struct wb_tail pareto = made(WB_TAIL_PARETO, levels[k].shape);
    assert_near(wb_tail_level(&pareto, survival), levels[k].pareto_level, 1e-12);
  }
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
