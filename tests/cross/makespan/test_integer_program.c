/* The integer program against the exact search, on random tiny instances: every form, by CBC
 * and by glpsol as a command (left out, with a word, where there is no glpsol).
 *   WARPBOUND_CROSS_RUNS  instances (200)
 *   WARPBOUND_SEED          seed of the first one */
#include "base/checked.h"
#include "both_checkers.h"
#include "linear/solver.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/ilp/integer_program.h"
#include "trial.h"
#include "unit.h"
#include <math.h>

#define INTEGER_RUNS UINT64_C(200)
#define FEW_RUNS UINT64_C(10)
/* Starts (warps, instructions, cycles) of an instance that a solver is given. */
#define MOST_STARTS 72u
#define GLPSOL "glpsol --lp {model} -w {solution}"

/* command: the solver's, NULL for CBC. Of the instance: T(W), and the horizon. late: instances in
 * which some warp waits. */
struct found {
  const char *command;
  uint64_t exact;
  uint32_t horizon;
  uint64_t late;
};

static struct found *found_of(const struct trial *trial)
{
  return trial->found;
}

/* T(W) by the dense search, and the least horizon proven without one. */
static bool prepare(struct trial *trial)
{
  uint64_t closed, serial;
  struct wb_search search;
  if (wb_bound_closed_form(&trial->problem, &closed, NULL) != WARPBOUND_OK ||
      wb_bound_serial(&trial->problem, &serial, NULL) != WARPBOUND_OK ||
      wb_dense_search(&trial->problem, closed, &trial->control, &search, NULL) != WARPBOUND_OK)
    return refute(trial, "no exact value");
  found_of(trial)->exact = search.makespan[trial->problem.warps];
  found_of(trial)->horizon = (uint32_t)wb_minimum(closed, serial);
  wb_search_free(&search);
  return true;
}

/* The schedule that a solution is passes both checkers. */
static bool holds_solution(struct trial *trial, const struct wb_integer_plan *plan,
                           const double *values)
{
  struct wb_schedule schedule;
  warpbound_error error = {0};
  if (wb_integer_program_schedule(&trial->problem, plan, values, &schedule, &error) != WARPBOUND_OK)
    return refute(trial, "%.200s", error.message);
  bool holds =
      holds_schedule(trial, &schedule, "the schedule read back") &&
      (schedule.makespan == found_of(trial)->exact ||
       refute(trial, "the schedule read back: %llu cycles", (unsigned long long)schedule.makespan));
  wb_schedule_free(&schedule);
  return holds;
}

/* By how much a value lies outside its bounds. */
static double outside(double value, double lower, double upper)
{
  return fmax(0, fmax(lower - value, value - upper));
}

/* The most by which the assignment breaks a row, a column's bound or integrality. */
static double linear_violation(const struct wb_linear_model *model, const double *values)
{
  double worst = 0;
  for (size_t j = 0; j < model->column_count; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    worst = fmax(worst, outside(values[j], column->lower, column->upper));
    if (column->integer)
      worst = fmax(worst, fabs(values[j] - round(values[j])));
  }
  for (size_t r = 0; r < model->row_count; r++) {
    double sum = 0;
    for (size_t e = model->rows[r].first; e < wb_linear_row_end(model, r); e++)
      sum += model->entries[e].value * values[model->entries[e].column];
    worst = fmax(worst, outside(sum, model->rows[r].lower, model->rows[r].upper));
  }
  return worst;
}

static bool holds_form(struct trial *trial, enum wb_integer_form form)
{
  struct wb_integer_plan plan;
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = {0};
  FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome = {0};
  warpbound_error error = {0};
  const char *name = wb_integer_form_name(form);
  wb_integer_plan_make(&trial->problem, form, found_of(trial)->horizon, &plan);
  warpbound_status status = wb_integer_program_build(&trial->problem, &plan, &model, &error);
  bool fits = model.column_count <= plan.size.columns && model.row_count <= plan.size.rows &&
              model.entry_count <= plan.size.entries && model.names_length <= plan.size.name_bytes;
  if (status == WARPBOUND_OK)
    status = found_of(trial)->command != NULL
                 ? wb_linear_solve_by_command(&model, found_of(trial)->command, &trial->control,
                                              &outcome, &error)
                 : wb_linear_solve_by_cbc(&model, 0, &trial->control, &outcome, &error);
  bool holds = true;
  if (status != WARPBOUND_OK)
    holds = refute(trial, "%s: %.200s", name, error.message);
  else if (!fits)
    holds = refute(trial, "%s: larger than planned", name);
  else if (outcome.status != WB_LINEAR_OPTIMAL ||
           outcome.objective != (double)found_of(trial)->exact ||
           outcome.bound != outcome.objective)
    holds = refute(trial, "%s: %s, objective %g, bound %g, T = %llu within %u", name,
                   wb_linear_status_name(outcome.status), outcome.objective, outcome.bound,
                   (unsigned long long)found_of(trial)->exact, found_of(trial)->horizon);
  else if (linear_violation(&model, outcome.values) > 1e-6)
    holds = refute(trial, "%s: the solution breaks a row", name);
  holds = holds && holds_solution(trial, &plan, outcome.values);
  return holds;
}

static bool holds_all(struct trial *trial)
{
  bool holds = prepare(trial);
  for (int form = 0; holds && form < WB_INTEGER_FORM_COUNT; form++)
    holds = holds_form(trial, (enum wb_integer_form)form);
  found_of(trial)->late += found_of(trial)->exact > trial->problem.string.length;
  return holds;
}

/* Random, and small enough that the weakest form is mostly solved in milliseconds; in few of
 * them no warp can ever wait. */
static struct instance tiny_instance(struct wb_random *random)
{
  for (;;) {
    struct instance instance = instance_random(random);
    struct found found = {.horizon = 0};
    struct trial trial = {
        .instance = &instance, .control = wb_control_start(NULL), .found = &found};
    uint32_t length = (uint32_t)strlen(instance.letters);
    bool tiny = length <= 4 && instance.warps <= 4 && instance_problem(&instance, &trial.problem) &&
                prepare(&trial);
    wb_problem_free(&trial.problem);
    bool waits = found.horizon > length || wb_random_below(random, 8) == 0;
    if (tiny && waits && instance.warps * length * (found.horizon - length + 1) <= MOST_STARTS)
      return instance;
  }
}

static bool has_program(const char *command)
{
  return system(command) == 0;
}

static void program_equals_search(const char *command, uint64_t most_runs)
{
  struct found found = {.command = command};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", INTEGER_RUNS);
  runs = wb_minimum(runs, most_runs);
  trial_run_many(tiny_instance, holds_all, runs, &found);
  print_message("# waiting warps in %llu of them; %d forms\n", (unsigned long long)found.late,
                WB_INTEGER_FORM_COUNT);
  assert_true(runs < 100 || found.late > runs * 2 / 3);
}

TEST(equals_the_search_by_cbc)
{
  program_equals_search(NULL, UINT64_MAX);
}

TEST(equals_the_search_by_glpsol)
{
  if (!has_program("glpsol --version >/dev/null 2>&1")) {
    print_message("# glpsol is not installed: left out\n");
    skip();
  }
  program_equals_search(GLPSOL, UINT64_MAX);
}

/* Every file that is written, by whatever reads it here; few instances. */
TEST(files_are_read_by_others)
{
  static const char *const rows[][2] = {
      {"glpsol --version >/dev/null 2>&1", "glpsol --freemps {mps} -o {solution}"},
      {"cbc quit >/dev/null 2>&1", "cbc {model} solve solu {solution}"},
      {"cbc quit >/dev/null 2>&1", "cbc {mps} solve solu {solution}"},
      {"highs --version >/dev/null 2>&1", "highs --model_file {model} --solution_file {solution}"},
      {"highs --version >/dev/null 2>&1", "highs --model_file {mps} --solution_file {solution}"},
      {"scip --version >/dev/null 2>&1",
       "scip -c 'read {model} optimize write solution {solution} quit'"},
      {"scip --version >/dev/null 2>&1",
       "scip -c 'read {mps} optimize write solution {solution} quit'"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    print_message("# %s%s\n", rows[i][1],
                  has_program(rows[i][0]) ? "" : ": not installed, left out");
    if (has_program(rows[i][0]))
      program_equals_search(rows[i][1], FEW_RUNS);
  }
}
