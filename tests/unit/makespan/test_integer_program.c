/* The integer program: its rows mean what the documentation says, its size is as planned,
 * and solutions are read back. That its optimum is the makespan:
 * tests/cross/makespan/test_integer_program.c. */
#include "linear/solver.h"
#include "makespan/ilp/integer_program.h"
#include "makespan_problems.h"
#include "unit.h"

#include <math.h>

static struct wb_linear_model build(const struct wb_problem *problem, enum wb_integer_form form,
                                    uint32_t horizon, struct wb_integer_plan *plan)
{
  struct wb_linear_model model;
  wb_integer_plan_make(problem, form, horizon, plan);
  assert_ok(wb_integer_program_build(problem, plan, &model, NULL));
  return model;
}

static size_t row_of(const struct wb_linear_model *model, const char *name)
{
  for (size_t r = 0; r < model->row_count; r++) {
    if (strcmp(wb_linear_row_name(model, r), name) == 0)
      return r;
  }
  fail_msg("there is no row %s", name);
  return 0;
}

static bool holds(const struct wb_linear_model *model, size_t row, const double *values)
{
  double sum = 0;
  for (size_t e = model->rows[row].first; e < wb_linear_row_end(model, row); e++)
    sum += model->entries[e].value * values[model->entries[e].column];
  return sum >= model->rows[row].lower && sum <= model->rows[row].upper;
}

/* Theorem 3: the two rows hold just if z = (and of held) or runs, for any number of held. */
TEST(theorem_is_and_or)
{
  struct wb_problem problem = make_problem("LCLCL", "L=1,C=1", 0, 1, 3, "");
  struct wb_integer_plan plan;
  struct wb_linear_model model = build(&problem, WB_INTEGER_LONG_CORRECTED, 12, &plan);
  double *values = calloc(model.column_count, sizeof *values);
  for (int t = 1; t <= 5; t++) {
    char name[32];
    snprintf(name, sizeof name, "and_w2_t%d", t);
    size_t and_row = row_of(&model, name);
    snprintf(name, sizeof name, "or_w2_t%d", t);
    size_t or_row = row_of(&model, name);
    const struct wb_linear_entry *entries = model.entries + model.rows[and_row].first;
    unsigned inputs = (unsigned)t; /* t instructions can be next in cycle t */
    assert_int_equal(wb_linear_row_end(&model, and_row) - model.rows[and_row].first, inputs + 2);
    for (unsigned bits = 0; bits < 1u << (inputs + 2); bits++) {
      for (unsigned k = 0; k < inputs + 2; k++)
        values[entries[k].column] = bits >> k & 1;
      bool all = (bits & ((1u << inputs) - 1)) == (1u << inputs) - 1;
      bool runs = bits >> inputs & 1;
      bool z = bits >> (inputs + 1) & 1;
      assert_int_equal(holds(&model, and_row, values) && holds(&model, or_row, values),
                       z == (all || runs));
    }
  }
  free(values);
  wb_linear_model_free(&model);
  wb_problem_free(&problem);
}

/* CC, two units, four warps: 5 cycles, and 4 within the horizon that was published. */
TEST(published_horizon_cuts_the_optimum_off)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("CC", "C=2", 0, 1, 4, "");
  const struct wb_control control = {.memory_limit = 1, .threads = 1};
  for (int form = 0; form < WB_INTEGER_FORM_COUNT; form++) {
    for (uint32_t horizon = 3; horizon <= 7; horizon++) {
      struct wb_integer_plan plan;
      struct wb_linear_model model = build(&problem, (enum wb_integer_form)form, horizon, &plan);
      FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
      assert_ok(wb_linear_solve_by_cbc(&model, 0, &control, &outcome, NULL));
      assert_int_equal(outcome.status, horizon < 4 ? WB_LINEAR_INFEASIBLE : WB_LINEAR_OPTIMAL);
      if (horizon >= 4)
        assert_true(outcome.objective == (horizon == 4 ? 4 : 5));
      wb_linear_model_free(&model);
    }
  }
}

/* The plan is never below the model, and not far above it. */
TEST(size_is_planned)
{
  static const struct {
    const char *string, *units;
    uint32_t slots, warps, slack;
  } cases[] = {
      {"L", "L=1", 0, 1, 0},  {"LCL", "L=1,C=2", 0, 4, 3}, {"LCNS", "L=1,C=3,S=1", 2, 5, 6},
      {"CC", "C=8", 0, 3, 2}, {"NN", "L=1", 1, 3, 4},      {"LLLLCCCC", "L=2,C=3", 3, 6, 9}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct wb_problem problem =
        make_problem(cases[i].string, cases[i].units, cases[i].slots, 1, cases[i].warps, "");
    for (int form = 0; form < WB_INTEGER_FORM_COUNT; form++) {
      struct wb_integer_plan plan;
      uint32_t horizon = (uint32_t)problem.string.length + cases[i].slack;
      struct wb_linear_model model = build(&problem, (enum wb_integer_form)form, horizon, &plan);
      assert_in_range(model.column_count, plan.size.columns / 2, plan.size.columns);
      assert_in_range(model.row_count, plan.size.rows / 2, plan.size.rows);
      assert_in_range(model.entry_count, plan.size.entries / 3, plan.size.entries);
      assert_in_range(model.names_length, plan.size.name_bytes / 3, plan.size.name_bytes);
      for (size_t j = 0; j < model.column_count; j++)
        assert_true(model.columns[j].integer);
      wb_linear_model_free(&model);
    }
    wb_problem_free(&problem);
  }
}

TEST(size_does_not_wrap)
{
  struct wb_problem problem = make_problem("1000000L", "L=1", 0, 1, 65536, "");
  struct wb_integer_plan plan;
  wb_integer_plan_make(&problem, WB_INTEGER_LONG, 2000000000, &plan);
  assert_true(plan.bytes == UINT64_MAX);
  assert_true(plan.size.entries > UINT64_C(1) << 60);
  FREED_BY(wb_linear_model_free) struct wb_linear_model model;
  assert_limit(wb_integer_program_build(&problem, &plan, &model, NULL));
  wb_problem_free(&problem);
}

/* No row names a column twice, which some readers refuse; names are unique. */
TEST(rows_name_columns_once)
{
  struct wb_problem problem = make_problem("LCNLC", "L=1,C=2", 2, 1, 4, "");
  for (int form = 0; form < WB_INTEGER_FORM_COUNT; form++) {
    struct wb_integer_plan plan;
    struct wb_linear_model model = build(&problem, (enum wb_integer_form)form, 9, &plan);
    size_t *last = calloc(model.column_count, sizeof *last);
    for (size_t r = 0; r < model.row_count; r++) {
      for (size_t e = model.rows[r].first; e < wb_linear_row_end(&model, r); e++) {
        assert_int_not_equal(last[model.entries[e].column], r + 1);
        last[model.entries[e].column] = r + 1;
      }
    }
    for (size_t j = 0; j < model.column_count; j++) {
      assert_int_not_equal(last[j], 0);
      for (size_t k = 0; k < j; k++)
        assert_string_not_equal(wb_linear_column_name(&model, j), wb_linear_column_name(&model, k));
    }
    free(last);
    wb_linear_model_free(&model);
  }
  wb_problem_free(&problem);
}

TEST(schedules_are_read_back)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LC", "L=1,C=1", 0, 1, 2, "");
  struct wb_integer_plan plan;
  struct wb_linear_model model = build(&problem, WB_INTEGER_SHORT, 4, &plan);
  double *values = calloc(model.column_count, sizeof *values);
  struct wb_schedule schedule;
  warpbound_error error = {0};
  /* x_w1: L in cycle 1, C in cycle 2; x_w2: L in cycle 2, C in cycle 4. */
  values[0] = values[3] = 1;
  values[6 + 1] = values[9 + 2] = 0.9999999;
  assert_ok(wb_integer_program_schedule(&problem, &plan, values, &schedule, &error));
  static const uint32_t expected[] = {1, 2, 2, 4};
  assert_memory_equal(schedule.issue_cycle, expected, sizeof expected);
  assert_int_equal(schedule.makespan, 4);
  wb_schedule_free(&schedule);
  values[9 + 1] = 1;
  assert_int_equal(wb_integer_program_schedule(&problem, &plan, values, &schedule, &error),
                   WARPBOUND_CHECK_FAILED);
  assert_non_null(strstr(error.message, "instruction 2 of warp 2"));
  values[9 + 1] = values[9 + 2] = 0;
  assert_int_equal(wb_integer_program_schedule(&problem, &plan, values, &schedule, &error),
                   WARPBOUND_CHECK_FAILED);
  values[0] = NAN;
  assert_int_equal(wb_integer_program_schedule(&problem, &plan, values, &schedule, &error),
                   WARPBOUND_CHECK_FAILED);
  free(values);
  wb_linear_model_free(&model);
}
