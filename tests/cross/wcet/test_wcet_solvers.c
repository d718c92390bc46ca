/* The integer programs of WCETs by CBC and by glpsol (left out, with a word, where there is no
 * glpsol): one optimum, which the relaxation bounds and the proof too.
 *   WARPBOUND_CROSS_RUNS  random programs (DEFAULT_PROGRAMS)
 *   WARPBOUND_SEED          seed of the first one */
#include "analysis/wcet/wcet.h"
#include "analysis/wcet/wcet_steps.h"
#include "base/file.h"
#include "base/work_control.h"
#include "fixtures.h"
#include "frontend/sass/sass_front_end.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "linear/relaxation.h"
#include "linear/solver.h"
#include "random_simt_program.h"
#include "unit.h"

#include <inttypes.h>
#include <math.h>

#define DEFAULT_PROGRAMS 60
#define DEFAULT_SEED 20261121
#define GLPSOL "glpsol --lp {model} -w {solution}"
#define FIXTURES_STEP 6
#define BOUND 10
/* Objectives from here on are not exact in solvers that count in floating point. */
#define EXACT_LIMIT 1e9

static bool has_glpsol;

static int find_glpsol(void **state)
{
  (void)state;
  has_glpsol = system("glpsol --version >/dev/null 2>&1") == 0;
  return 0;
}

struct tally {
  size_t models, integral, left_out;
};

/* The optimum of the model, without the constant cost of the start: whole, but for rounding. */
static int64_t optimum(const struct wb_linear_model *model, const char *command, const char *name)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_linear_outcome outcome;
  warpbound_error error = {.message = ""};
  const warpbound_status status =
      command != NULL ? wb_linear_solve_by_command(model, command, &control, &outcome, &error)
                      : wb_linear_solve_by_cbc(model, 0, &control, &outcome, &error);
  if (status != WARPBOUND_OK || outcome.status != WB_LINEAR_OPTIMAL)
    fail_msg("%s, %s: %s", name, command != NULL ? command : "CBC",
             status != WARPBOUND_OK ? error.message : wb_linear_status_name(outcome.status));
  const double objective = outcome.objective;
  wb_linear_outcome_free(&outcome);
  if (fabs(objective - round(objective)) > 1e-3)
    fail_msg("%s, %s: an optimum of %.17g", name, command != NULL ? command : "CBC", objective);
  return (int64_t)round(objective);
}

static void compare(const struct wb_wcet *wcet, const struct wb_linear_model *model,
                    const char *name, struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_linear_relaxation_free) struct wb_linear_relaxation relaxation;
  const struct wb_linear_options options = {0};
  assert_ok(wb_linear_relax(model, &options, &control, &relaxation, NULL));
  assert_int_equal(relaxation.status, WB_LINEAR_OPTIMAL);
  const int64_t start = wcet->system.cycles[wcet->system.starts[0].node];
  const int64_t cbc = optimum(model, NULL, name);
  const int64_t glpk = has_glpsol ? optimum(model, GLPSOL, name) : cbc;
  if (cbc != glpk)
    fail_msg("%s: CBC says %" PRId64 ", GLPK %" PRId64, name, cbc, glpk);
  if (relaxation.objective < (double)cbc - 1e-3)
    fail_msg("%s: the relaxation says %.17g, CBC %" PRId64, name, relaxation.objective, cbc);
  if (wcet->ipet.proof.bound < cbc + start)
    fail_msg("%s: CBC says %" PRId64 ", the proof %" PRId64, name, cbc + start,
             wcet->ipet.proof.bound);
  if (wcet->ipet.taken != NULL && wcet->ipet.cycles == wcet->ipet.proof.bound) {
    tally->integral++;
    if (cbc + start != wcet->ipet.cycles)
      fail_msg("%s: CBC says %" PRId64 ", the worst path %" PRId64, name, cbc + start,
               wcet->ipet.cycles);
  }
  tally->models++;
}

static void try_function(const struct wb_code *code, size_t function, const char *name,
                         struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = {.default_bound = BOUND};
  struct wb_wcet wcet;
  struct wb_arena arena = {0};
  struct wb_ipet_names names;
  struct wb_linear_model model = {0};
  warpbound_error error = {.message = ""};
  if (wb_wcet_analyse(code, &code->functions[function], &options, &control, &wcet, &error) !=
      WARPBOUND_OK) {
    tally->left_out++;
    return;
  }
  if ((double)wcet.ipet.proof.bound < EXACT_LIMIT) {
    assert_ok(wb_wcet_names_make(&wcet, &wcet.system, &arena, &names, &error));
    assert_ok(wb_ipet_model_build(&wcet.system, &names, &model, &error));
    compare(&wcet, &model, name, tally);
    wb_linear_model_free(&model);
    wb_arena_free(&arena);
  } else {
    tally->left_out++;
  }
  wb_wcet_free(&wcet);
}

static void show(const struct tally *tally)
{
  print_message("# %zu models, %zu with the optimum of their proof; %zu left out%s\n",
                tally->models, tally->integral, tally->left_out,
                has_glpsol ? "" : "; glpsol is not installed: CBC alone");
  assert_true(tally->models > tally->left_out);
  assert_true(tally->integral * 2 > tally->models);
}

TEST_BETWEEN(find_glpsol, NULL, agree_on_fixtures)
{
  struct tally tally = {0};
  glob_t found = {0};
  fixtures_find(&found, "sass/sm_*/O*/*/*.nvdisasm.sass");
  for (size_t p = 0; p < found.gl_pathc; p += FIXTURES_STEP) {
    FREED_BY(wb_code_free) struct wb_code code;
    listing_read(found.gl_pathv[p], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      if (code.functions[f].sm <= 62)
        try_function(&code, f, found.gl_pathv[p], &tally);
    }
  }
  globfree(&found);
  show(&tally);
}

TEST_BETWEEN(find_glpsol, NULL, agree_on_random_programs)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct tally tally = {0};
  print_message("# seeds %" PRIu64 " to %" PRIu64 "\n", first, first + count - 1);
  for (uint64_t i = 0; i < count; i++) {
    struct wb_random random = {first + i};
    struct random_program program = simt_program_random(&random, 4 + i % 40, false);
    FREED_BY(wb_code_free) struct wb_code code = {0};
    char name[64];
    snprintf(name, sizeof name, "program %" PRIu64, first + i);
    simt_program_lower(&program, &code);
    try_function(&code, 0, name, &tally);
    program_free(&program);
  }
  show(&tally);
}
