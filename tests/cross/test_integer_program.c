/* The integer program against the exact search, on random tiny instances: every form, by CBC
 * and by glpsol as a command (left out, with a word, where there is no glpsol).
 *   WARPBOUND_INTEGER_RUNS  instances (200)
 *   WARPBOUND_SEED          seed of the first one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/checked.h"
#include "base/control.h"
#include "both_checkers.h"
#include "linear/solver.h"
#include "makespan/closed_form.h"
#include "makespan/dense.h"
#include "makespan/integer_program.h"
#include "random_instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEGER_RUNS UINT64_C(200)
#define FEW_RUNS UINT64_C(10)
/* Starts (warps, instructions, cycles) of an instance that a solver is given. */
#define MOST_STARTS 72u
#define GLPSOL "glpsol --lp {model} -w {solution}"

/* An instance under examination. reason: why it fails, once it does. */
struct trial {
  const struct instance *instance;
  struct wb_problem problem;
  struct wb_control control;
  const char *command; /* NULL: CBC */
  uint64_t exact;
  uint32_t horizon;
  char reason[300];
};

static bool refute(struct trial *trial, const char *format, ...) WB_PRINTF(2, 3);

static bool refute(struct trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
  va_end(arguments);
  return false;
}

/* T(W) by the dense search, and the least horizon proven without one. */
static bool prepare(struct trial *trial)
{
  uint64_t closed, serial;
  struct wb_search search;
  if (!instance_problem(trial->instance, &trial->problem) ||
      wb_bound_closed_form(&trial->problem, &closed, NULL) != WARPBOUND_OK ||
      wb_bound_serial(&trial->problem, &serial, NULL) != WARPBOUND_OK ||
      wb_dense_search(&trial->problem, closed, &trial->control, &search, NULL) != WARPBOUND_OK)
    return refute(trial, "no exact value");
  trial->exact = search.makespan[trial->problem.warps];
  trial->horizon = (uint32_t)wb_minimum(closed, serial);
  wb_search_free(&search);
  return true;
}

/* The schedule that a solution is passes both checkers. */
static bool holds_schedule(struct trial *trial, const struct wb_integer_plan *plan,
                           const double *values)
{
  size_t length = trial->problem.string.length;
  const uint32_t *cycles[MOST_WARPS];
  size_t counts[MOST_WARPS];
  struct wb_schedule schedule;
  warpbound_error error = {0};
  if (wb_integer_program_schedule(&trial->problem, plan, values, &schedule, &error) != WARPBOUND_OK)
    return refute(trial, "%.200s", error.message);
  for (uint32_t w = 0; w < schedule.warps; w++) {
    cycles[w] = schedule.issue_cycle + w * length;
    counts[w] = length;
  }
  struct reference_schedule reference = reference_of(trial->instance, cycles, counts);
  struct wb_schedule_claim claim = claim_of(trial->instance, cycles, counts);
  uint64_t makespan = 0;
  bool holds = reference_check(&reference).valid &&
               wb_schedule_check(&claim, &makespan, &error) == WARPBOUND_OK &&
               makespan == trial->exact;
  wb_schedule_free(&schedule);
  return holds || refute(trial, "the schedule read back: %llu cycles, %.200s",
                         (unsigned long long)makespan, error.message);
}

static bool holds_form(struct trial *trial, enum wb_integer_form form)
{
  struct wb_integer_plan plan;
  struct wb_linear_model model = {0};
  struct wb_linear_outcome outcome = {0};
  warpbound_error error = {0};
  const char *name = wb_integer_form_name(form);
  wb_integer_plan_make(&trial->problem, form, trial->horizon, &plan);
  warpbound_status status = wb_integer_program_build(&trial->problem, &plan, &model, &error);
  bool fits = model.column_count <= plan.size.columns && model.row_count <= plan.size.rows &&
              model.entry_count <= plan.size.entries && model.names_length <= plan.size.name_bytes;
  if (status == WARPBOUND_OK)
    status =
        trial->command != NULL
            ? wb_linear_solve_by_command(&model, trial->command, &trial->control, &outcome, &error)
            : wb_linear_solve_by_cbc(&model, &trial->control, &outcome, &error);
  bool holds = true;
  if (status != WARPBOUND_OK)
    holds = refute(trial, "%s: %.200s", name, error.message);
  else if (!fits)
    holds = refute(trial, "%s: larger than planned", name);
  else if (outcome.status != WB_LINEAR_OPTIMAL || outcome.objective != (double)trial->exact ||
           outcome.bound != outcome.objective)
    holds = refute(trial, "%s: %s, objective %g, bound %g, T = %llu within %u", name,
                   wb_linear_status_name(outcome.status), outcome.objective, outcome.bound,
                   (unsigned long long)trial->exact, trial->horizon);
  else if (wb_linear_violation(&model, outcome.values) > 1e-6)
    holds = refute(trial, "%s: the solution breaks a row", name);
  holds = holds && holds_schedule(trial, &plan, outcome.values);
  wb_linear_outcome_free(&outcome);
  wb_linear_model_free(&model);
  return holds;
}

static bool holds_all(struct trial *trial, const struct instance *instance, const char *command)
{
  *trial =
      (struct trial){.instance = instance, .control = wb_control_start(NULL), .command = command};
  bool holds = prepare(trial);
  for (int form = 0; holds && form < WB_INTEGER_FORM_COUNT; form++)
    holds = holds_form(trial, (enum wb_integer_form)form);
  wb_problem_free(&trial->problem);
  return holds;
}

/* Random, and small enough that the weakest form is mostly solved in milliseconds; in few of
 * them no warp can ever wait. */
static struct instance tiny_instance(struct wb_random *random)
{
  for (;;) {
    struct instance instance = instance_random(random);
    struct trial trial = {.instance = &instance, .control = wb_control_start(NULL)};
    bool tiny = strlen(instance.letters) <= 4 && instance.warps <= 4 && prepare(&trial);
    uint32_t starts = instance.warps * (uint32_t)strlen(instance.letters) *
                      (trial.horizon - (uint32_t)strlen(instance.letters) + 1);
    wb_problem_free(&trial.problem);
    bool waits = trial.horizon > strlen(instance.letters) || wb_random_below(random, 8) == 0;
    if (tiny && waits && starts <= MOST_STARTS)
      return instance;
  }
}

static bool has_program(const char *command)
{
  return system(command) == 0;
}

static void program_equals_search(const char *command, uint64_t most_runs)
{
  uint64_t runs = number_from_environment("WARPBOUND_INTEGER_RUNS", INTEGER_RUNS);
  runs = wb_minimum(runs, most_runs);
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  double start = wb_clock();
  uint64_t late = 0;
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct instance instance = tiny_instance(&random);
    struct trial trial;
    if (!holds_all(&trial, &instance, command)) {
      char text[200];
      instance_command(&instance, text, sizeof text);
      fail_msg("seed %llu: %s: %s", (unsigned long long)(seed + run), text, trial.reason);
    }
    late += trial.exact > strlen(instance.letters);
  }
  print_message("# %llu instances, %llu of them with waiting warps, %d forms, seed %llu: %.1f s\n",
                (unsigned long long)runs, (unsigned long long)late, WB_INTEGER_FORM_COUNT,
                (unsigned long long)seed, wb_clock() - start);
  assert_true(runs < 100 || late > runs * 2 / 3);
}

static void equals_the_search_by_cbc(void **state)
{
  (void)state;
  program_equals_search(NULL, UINT64_MAX);
}

static void equals_the_search_by_glpsol(void **state)
{
  (void)state;
  if (!has_program("glpsol --version >/dev/null 2>&1")) {
    print_message("# glpsol is not installed: left out\n");
    skip();
  }
  program_equals_search(GLPSOL, UINT64_MAX);
}

/* Every file that is written, by whatever reads it here; few instances. */
static void files_are_read_by_others(void **state)
{
  (void)state;
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
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    print_message("# %s%s\n", rows[i][1],
                  has_program(rows[i][0]) ? "" : ": not installed, left out");
    if (has_program(rows[i][0]))
      program_equals_search(rows[i][1], FEW_RUNS);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_search_by_cbc),
      cmocka_unit_test(equals_the_search_by_glpsol),
      cmocka_unit_test(files_are_read_by_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
