/* Linear models: what writers write, what readers of solution files read and refuse, what the
 * solvers say, and how a solver's process ends. */
#include "base/text.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/model_writer.h"
#include "linear/solution_file.h"
#include "linear/solver.h"
#include "rows.h"
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* One of each kind of column and row. The best: pick 1, count 3, part 1.5, debt -2; deep is
 * free and stands in no row: 10 + 9 + 1.5 + 0.5 * -2 = 19.5. */
static struct wb_linear_model make_model(void)
{
  struct wb_linear_model model = {.maximise = true, .title = "a model\nof two lines"};
  uint32_t pick = wb_linear_add_column(&model, 0, 1, true, "pick_%d", 1);
  uint32_t count = wb_linear_add_column(&model, 1, 7, true, "count");
  uint32_t part = wb_linear_add_column(&model, 0, INFINITY, false, "part");
  uint32_t debt = wb_linear_add_column(&model, -INFINITY, -2, false, "debt");
  uint32_t fixed = wb_linear_add_column(&model, 2, 2, true, "fixed");
  wb_linear_add_column(&model, -INFINITY, INFINITY, false, "deep");
  model.columns[pick].objective = 10;
  model.columns[count].objective = 3;
  model.columns[part].objective = 1;
  model.columns[debt].objective = 0.5;
  wb_linear_add_row(&model, -INFINITY, 4, "most");
  wb_linear_add_entry(&model, pick, 1);
  wb_linear_add_entry(&model, count, 1);
  wb_linear_add_row(&model, 3, 6.5, "range");
  wb_linear_add_entry(&model, count, 1);
  wb_linear_add_entry(&model, part, 1);
  wb_linear_add_entry(&model, fixed, 1);
  wb_linear_add_row(&model, -1, INFINITY, "least");
  wb_linear_add_entry(&model, pick, 1);
  wb_linear_add_entry(&model, debt, 1);
  wb_linear_add_entry(&model, fixed, 0);
  wb_linear_add_row(&model, 4, 4, "same");
  wb_linear_add_entry(&model, fixed, 2);
  assert_false(model.failed);
  return model;
}

#define BEST 19.5

TEST(writers_write)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = make_model();
  struct wb_text text = {0};
  wb_linear_write(&model, WB_LINEAR_LP, &text);
  assert_string_equal(text.data, unit_text("unit/linear/data/model.lp"));
  wb_text_free(&text);
  wb_linear_write(&model, WB_LINEAR_MPS, &text);
  assert_string_equal(text.data, unit_text("unit/linear/data/model.mps"));
  wb_text_free(&text);
}

TEST(numbers_are_read_everywhere)
{
  static const double numbers[] = {0, -3, 1e14, 0.5, 1e20, -1e-7, 1.0 / 3};
  static const char *const texts[] = {": 0 x\n",
                                      ": - 3 x\n",
                                      ": 100000000000000 x\n",
                                      ": 0.5 x\n",
                                      ": 1e+20 x\n",
                                      ": - 9.9999999999999995e-08 x\n",
                                      ": 0.33333333333333331 x\n"};
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    FREED_BY(wb_linear_model_free) struct wb_linear_model model = {0};
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_linear_add_column(&model, 0, 1, false, "x");
    model.columns[0].objective = numbers[i];
    wb_linear_write(&model, WB_LINEAR_LP, &text);
    assert_non_null(strstr(text.data, texts[i]));
  }
}

/* Without an objective, without rows, without columns. */
TEST(small_models_are_written)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = {0};
  struct wb_text text = {0};
  wb_linear_write(&model, WB_LINEAR_LP, &text);
  assert_string_equal(text.data, "Minimize\n objective:\nSubject To\nEnd\n");
  wb_text_free(&text);
  uint32_t a = wb_linear_add_column(&model, 0, 1, false, "a");
  wb_linear_add_row(&model, 0, 1, "nothing");
  wb_linear_add_row(&model, 0, 0, "something");
  wb_linear_add_entry(&model, a, 1);
  wb_linear_write(&model, WB_LINEAR_LP, &text);
  assert_string_equal(text.data, "Minimize\n objective: 0 a\nSubject To\n nothing: 0 a >= 0\n"
                                 " nothing_upper: 0 a <= 1\n something: a = 0\nBounds\n"
                                 " 0 <= a <= 1\nEnd\n");
  wb_text_free(&text);
  uint32_t *order = wb_lp_column_order(&model);
  assert_int_equal(order[0], a);
  free(order);
}

TEST(sizes_are_known)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = {0};
  const struct wb_linear_size size = {3, 2, 5, 40};
  const struct wb_linear_size huge = {UINT64_MAX / 2, 2, 5, 40};
  const struct wb_linear_size large = {WB_LINEAR_LIMIT + 1, 2, 5, 40};
  assert_true(wb_linear_bytes(&size) > 200 && wb_linear_bytes(&size) < 1000);
  assert_true(wb_linear_bytes(&huge) == UINT64_MAX);
  warpbound_error error;
  assert_limit(wb_linear_reserve(&model, &large, &error));
  assert_non_null(strstr(error.message, "2147483648 columns"));
  assert_ok(wb_linear_reserve(&model, &size, &error));
  assert_int_equal(model.column_capacity, 3);
}

/* ---- solvers ---- */

static const struct wb_control no_limit = {.memory_limit = 1, .threads = 1};

TEST(cbc_solves)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = make_model();
  struct wb_linear_outcome outcome;
  assert_ok(wb_linear_solve_by_cbc(&model, 0, &no_limit, &outcome, NULL));
  assert_int_equal(outcome.status, WB_LINEAR_OPTIMAL);
  assert_true(fabs(outcome.objective - BEST) < 1e-9 && fabs(outcome.bound - BEST) < 1e-9);
  wb_linear_outcome_free(&outcome);
  model.maximise = false; /* debt has no lower bound but the row's, part none from above */
  model.columns[3].objective = -1;
  assert_ok(wb_linear_solve_by_cbc(&model, 0, &no_limit, &outcome, NULL));
  assert_int_equal(outcome.status, WB_LINEAR_OPTIMAL);
  assert_true(fabs(outcome.objective - (15 + 0)) < 1e-9 || outcome.objective < 15);
  wb_linear_outcome_free(&outcome);
}

static enum wb_linear_status cbc_says(struct wb_linear_model *model)
{
  FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
  assert_ok(wb_linear_solve_by_cbc(model, 0, &no_limit, &outcome, NULL));
  enum wb_linear_status status = outcome.status;
  wb_linear_model_free(model);
  return status;
}

TEST(cbc_finds_nothing)
{
  struct wb_linear_model model = make_model();
  wb_linear_add_row(&model, 9, 9, "never");
  wb_linear_add_entry(&model, 1, 1);
  assert_int_equal(cbc_says(&model), WB_LINEAR_INFEASIBLE);
  model = make_model();
  model.columns[5].objective = 1;
  assert_int_equal(cbc_says(&model), WB_LINEAR_UNBOUNDED);
}

static bool there_is(const char *program)
{
  char command[100];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
  return system(command) == 0;
}

/* What a command makes of the model is the best. */
static void solves_by(const char *program, const char *command)
{
  if (!there_is(program)) {
    print_message("# %s is not installed: left out\n", program);
    return;
  }
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = make_model();
  FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
  warpbound_error error = {0};
  if (wb_linear_solve_by_command(&model, command, &no_limit, &outcome, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", command, error.message);
  if (outcome.status != WB_LINEAR_OPTIMAL || fabs(outcome.objective - BEST) > 1e-9)
    fail_msg("%s: %s, %g", command, wb_linear_status_name(outcome.status), outcome.objective);
}

/* The scratch folder of the test that runs, as TMPDIR. */
static int in_scratch_folder(void **state)
{
  static char folder[] = "/tmp/warpbound-test.XXXXXX";
  memcpy(strrchr(folder, '.') + 1, "XXXXXX", 6);
  *state = mkdtemp(folder);
  return *state == NULL || setenv("TMPDIR", folder, 1) != 0;
}

/* The solver's folder is gone, or rmdir fails. */
static int leaves_no_folder(void **state)
{
  unsetenv("TMPDIR");
  return rmdir(*state);
}

TEST_BETWEEN(in_scratch_folder, leaves_no_folder, commands_solve)
{
  solves_by("glpsol", "glpsol --lp {model} -w {solution}");
  solves_by("glpsol", "glpsol --lp {model} -o {solution}");
  solves_by("glpsol", "glpsol --freemps {mps} -w {solution}");
  solves_by("glpsol", "glpsol --freemps {mps} -o {solution} --tmlim {seconds}");
  solves_by("cbc", "cbc {model} solve solu {solution}");
  solves_by("cbc", "cbc {model} printingOptions all solve solu {solution}");
  solves_by("cbc", "cbc {mps} solve solu {solution}");
  solves_by("highs", "highs --model_file {model} --solution_file {solution}");
  solves_by("highs", "highs --model_file {mps} --solution_file {solution}");
  solves_by("scip", "scip -c 'read {model} optimize write solution {solution} quit'");
}

/* ---- commands ---- */

static warpbound_status run_command(const char *command, const struct wb_control *control,
                                    struct wb_linear_outcome *outcome, warpbound_error *error)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = make_model();
  warpbound_status status = wb_linear_solve_by_command(&model, command, control, outcome, error);
  return status;
}

static void refuses_command(const char *command, warpbound_status expected, const char *message)
{
  struct wb_linear_outcome outcome;
  warpbound_error error = {0};
  assert_int_equal(run_command(command, &no_limit, &outcome, &error), expected);
  if (strstr(error.message, message) == NULL)
    fail_msg("%s: %s", command, error.message);
}

TEST_BETWEEN(in_scratch_folder, leaves_no_folder, commands_fail_with_reason)
{
  refuses_command("", WARPBOUND_USAGE, "expected a program and its arguments");
  refuses_command("'open {model}", WARPBOUND_USAGE, "end of a quote");
  refuses_command("no-such-program {model} {solution}", WARPBOUND_USAGE,
                  "cannot run the solver 'no-such-program': No such file");
  refuses_command("true {model} {solution}", WARPBOUND_INVALID_INPUT,
                  "'true' ended with status 0 and wrote no solution; its last words: none");
  refuses_command("sh -c 'echo first; echo \"no licence\" >&2; exit 3' {model} {solution}",
                  WARPBOUND_INVALID_INPUT,
                  "status 3 and wrote no solution; its last words: no licence");
  refuses_command("sh -c 'kill -SEGV $$'", WARPBOUND_INVALID_INPUT, "ended with signal 11");
  refuses_command("cp {model} {solution}", WARPBOUND_INVALID_INPUT, "found '\\'");
}

/* No shell sees the words, and a quote keeps blanks. */
TEST_BETWEEN(in_scratch_folder, leaves_no_folder, words_are_split)
{
  FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
  assert_ok(run_command("sh -c 'printf \"count %s\\n\" $#  >\"$1\"' \"a b\" {solution} '' "
                        "$HOME;`id`\t{seconds}",
                        &no_limit, &outcome, NULL));
  assert_int_equal(outcome.status, WB_LINEAR_FEASIBLE);
  assert_true(outcome.values[1] == 4);
  assert_true(outcome.bound == INFINITY);
}

TEST(commands_are_checked)
{
  warpbound_error error = {0};
  assert_ok(wb_linear_command_check("a {model} {solution}", "", NULL));
  assert_ok(wb_linear_command_check("a {mps} x={solution}", "", NULL));
  assert_misuse(wb_linear_command_check("a {solution}", "what: ", &error));
  assert_string_equal(error.message, "what: expected {model} (or {mps}) and {solution} in the "
                                     "command, found 'a {solution}'");
  assert_misuse(wb_linear_command_check("a {model}", "", &error));
  assert_misuse(wb_linear_command_check("a \"{model} {solution}", "", &error));
}

/* A solver that ignores SIGINT, and so does its own child. */
TEST_BETWEEN(in_scratch_folder, leaves_no_folder, solvers_are_stopped)
{
  struct wb_linear_outcome outcome;
  const warpbound_options options = {.time_limit = 0.2};
  struct wb_control control = wb_control_start(&options);
  double start = wb_clock();
  assert_ok(run_command("sh -c 'trap \"\" INT; sleep 60; echo' {model} {solution}", &control,
                        &outcome, NULL));
  assert_int_equal(outcome.stop, WB_STOP_TIME);
  assert_int_equal(outcome.status, WB_LINEAR_NONE);
  assert_true(wb_clock() - start < 10);
  /* Half a solution that a stopped solver left. */
  control = (struct wb_control){.memory_limit = 1, .threads = 1, .interrupted = interrupt_at_once};
  assert_ok(run_command("sh -c 'trap \"\" INT; echo \"Model st\" >\"$0\"; sleep 60' {solution}",
                        &control, &outcome, NULL));
  assert_int_equal(outcome.stop, WB_STOP_INTERRUPTED);
  assert_int_equal(outcome.status, WB_LINEAR_NONE);
  assert_null(outcome.values);
}

/* ---- solution files ---- */

struct sample {
  const char *name;
  const char *text;
  enum wb_linear_status status;
  double count; /* the value of that column */
};

static const struct sample samples[] = {
    {"cbc",
     "Optimal - objective value 19.50000000\n      0 pick_1    1   10\n      1 count  3  3\n",
     WB_LINEAR_OPTIMAL, 3},
    {"cbc outside its bounds", "Optimal - objective value 1\n**    1 count  8  3\n",
     WB_LINEAR_OPTIMAL, 8},
    {"cbc all",
     "Optimal - objective value 1\n 0 most 4 0\n 1 range 3 0\n 0 pick_1 0 0\n 1 count 2 0\n",
     WB_LINEAR_OPTIMAL, 2},
    {"cbc stopped", "Stopped on time - objective value 12\n 1 count 2.0000001 3\n",
     WB_LINEAR_FEASIBLE, 2},
    {"cbc stopped without",
     "Stopped on time (no integer solution - continuous used) - objective "
     "value 12\n 1 count 2.5 3\n",
     WB_LINEAR_NONE, 0},
    {"cbc infeasible", "Infeasible - objective value 0\n 1 count 2.5 3\n", WB_LINEAR_INFEASIBLE, 0},
    {"cbc integer infeasible", "Integer infeasible - objective value 0\n", WB_LINEAR_INFEASIBLE, 0},
    {"cbc unbounded", "Unbounded - objective value 0\n", WB_LINEAR_UNBOUNDED, 0},
    {"glpk",
     "c Problem:\ns mip 4 6 o 19.5\ni 1 4\nj 1 1\nj 2 3\nj 3 1.5\nj 4 -2\nj 5 0\nj 6 2\ne o f\n",
     WB_LINEAR_OPTIMAL, 3},
    {"glpk feasible", "s mip 5 6 f 1\nj 2 3\ne o f\n", WB_LINEAR_FEASIBLE, 3},
    {"glpk none", "s mip 5 6 u 0\nj 2 0\ne o f\n", WB_LINEAR_NONE, 0},
    {"glpk infeasible", "s mip 5 6 n 0\nj 2 0\ne o f\n", WB_LINEAR_INFEASIBLE, 0},
    {"glpk table",
     "Problem:    \nRows:       5\nStatus:     INTEGER OPTIMAL\nObjective:  objective = 19.5\n\n"
     "   No.   Row name        Activity     Lower bound   Upper bound\n------ ---- ----\n"
     "     1 most    4     4\n\n"
     "   No. Column name       Activity     Lower bound   Upper bound\n------ ---- ----\n"
     "     1 pick_1       *              1             0             1 \n"
     "     2 count\n                    *              3             1             7 \n"
     "     3 part                      1.5             0             \n\nInteger feasibility\n",
     WB_LINEAR_OPTIMAL, 3},
    {"glpk table empty",
     "Problem:    \nStatus:     INTEGER EMPTY\n   No. Column name\n------\n     1 pick_1 * 0\n\n",
     WB_LINEAR_INFEASIBLE, 0},
    {"highs",
     "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 19.5\n# Columns 6\n"
     "pick_1 1\ncount 3\npart 1.5\ndebt -2\nfixed 2\ndeep 0\n# Rows 4\nmost 4\n",
     WB_LINEAR_OPTIMAL, 3},
    {"highs stopped",
     "Model status\nTime limit reached\n\n# Primal solution values\nFeasible\n"
     "Objective 3\n# Columns 6\ncount 1\n# Rows 4\n",
     WB_LINEAR_FEASIBLE, 1},
    {"highs none", "Model status\nTime limit reached\n\n# Primal solution values\nNone\n",
     WB_LINEAR_NONE, 0},
    {"highs infeasible", "Model status\nInfeasible\n\n# Primal solution values\nNone\n",
     WB_LINEAR_INFEASIBLE, 0},
    {"scip",
     "solution status: optimal solution found\nobjective value:   19.5\n"
     "pick_1   1 \t(obj:10)\ncount  3 \t(obj:3)\n",
     WB_LINEAR_OPTIMAL, 3},
    {"scip stopped",
     "solution status: time limit reached\nobjective value: 1\ncount  2e0 \t(obj:3)\n",
     WB_LINEAR_FEASIBLE, 2},
    {"scip's function", "objective value: 1\ncount  2 \t(obj:3)\n", WB_LINEAR_FEASIBLE, 2},
    {"scip none", "solution status: infeasible\nno solution available\n", WB_LINEAR_INFEASIBLE, 0},
    {"scip without", "solution status: time limit reached\nno solution available\n", WB_LINEAR_NONE,
     0},
    {"gurobi", "# Solution for model warpbound\n# Objective value = 19.5\npick_1 1\ncount +3.0\n",
     WB_LINEAR_FEASIBLE, 3},
};
#define SAMPLE_COUNT (COUNT_OF(samples))

static warpbound_status parse(const char *text, size_t length, struct wb_linear_outcome *outcome,
                              warpbound_error *error)
{
  FREED_BY(wb_linear_model_free) struct wb_linear_model model = make_model();
  uint32_t *order = wb_lp_column_order(&model);
  warpbound_status status =
      wb_linear_solution_parse("solution", text, length, &model, order, outcome, error);
  free(order);
  return status;
}

TEST(solutions_are_read)
{
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
    warpbound_error error = {0};
    if (parse(samples[i].text, strlen(samples[i].text), &outcome, &error) != WARPBOUND_OK)
      fail_msg("%s: line %zu: %s", samples[i].name, error.line, error.message);
    bool found = outcome.status == WB_LINEAR_OPTIMAL || outcome.status == WB_LINEAR_FEASIBLE;
    if (outcome.status != samples[i].status || found != (outcome.values != NULL) ||
        (found && outcome.values[1] != samples[i].count) ||
        isfinite(outcome.bound) != (outcome.status == WB_LINEAR_OPTIMAL))
      fail_msg("%s: %s", samples[i].name, wb_linear_status_name(outcome.status));
  }
}

/* GLPK numbers columns by the LP file's order, where deep comes before fixed. */
TEST(glpk_numbers_by_the_file)
{
  FREED_BY(wb_linear_outcome_free) struct wb_linear_outcome outcome;
  const char *text = samples[8].text;
  assert_ok(parse(text, strlen(text), &outcome, NULL));
  assert_true(outcome.values[4] == 2 && outcome.values[5] == 0 && outcome.objective == BEST);
}

/* Cut anywhere and with any byte spoilt: an answer or an error, nothing else. */
TEST(spoilt_solutions_do_no_harm)
{
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    size_t length = strlen(samples[i].text);
    for (size_t cut = 0; cut <= length; cut++) {
      char *text = calloc(length + 1, 1);
      struct wb_linear_outcome outcome;
      memcpy(text, samples[i].text, cut);
      if (parse(text, cut, &outcome, NULL) == WARPBOUND_OK)
        wb_linear_outcome_free(&outcome);
      memcpy(text, samples[i].text, length);
      text[cut % length] = (char)(cut * 37);
      if (parse(text, length, &outcome, NULL) == WARPBOUND_OK)
        wb_linear_outcome_free(&outcome);
      free(text);
    }
  }
}

TEST(wrong_solutions_are_refused)
{
  static const struct {
    const char *text;
    size_t line;
    const char *message;
  } wrong[] = {
      {"", 0, "expected something"},
      {"\n\n", 2, "expected something"},
      {"pick_1 1\nother 2\n", 2,
       "the name or number of a column in the solver's solution, found 'other'"},
      {"pick_1 one\n", 1, "a number as its value"},
      {"pick_1 0x1\n", 1, "a number as its value"},
      {"pick_1 1e999\n", 1, "a number as its value"},
      {"pick_1 nan\n", 1, "a number as its value"},
      {"pick_1\n", 1, "'NAME VALUE'"},
      {"pick_1 1\npick_1 1\n", 2, "not a second one"},
      {"Optimal - objective value 1\n 0 pick_1\n", 2, "'INDEX NAME VALUE COST'"},
      {"s bas 4 6 f f 1\n", 1, "'s mip ROWS COLUMNS"},
      {"s mip 4 7 o 1\n", 1, "of this model"},
      {"s mip 4 6 o 1\nj 0 1\n", 2, "'j INDEX VALUE'"},
      {"s mip 4 6 o 1\nj 7 1\n", 2, "'j INDEX VALUE'"},
      {"s mip 4 6 o 1\nj 1 1\n", 2, "'e o f'"},
      {"c x\ne o f\n", 2, "begins with s"},
      {"s mip 4 6 o 1\nk 1 1\n", 2, "c, s, i, j or e"},
      {"Problem:\nStatus: INTEGER OPTIMAL\n", 2, "a table of columns"},
      {"Problem:\nNo. Column name\n---\n 1 pick_1\n", 4, "after a long name"},
      {"Model status\n", 1, "the model's status"},
      {"Model status\nOptimal\n", 2, "# Primal solution values"},
      {"Model status\nOptimal\n# Primal solution values\nFeasible\n", 4, "# Columns"},
      {"solution status: optimal\nvalue 3\n", 2, "'objective value:'"},
  };
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    struct wb_linear_outcome outcome;
    warpbound_error error = {0};
    warpbound_status status = parse(wrong[i].text, strlen(wrong[i].text), &outcome, &error);
    if (status != WARPBOUND_INVALID_INPUT || error.line != wrong[i].line ||
        strstr(error.message, wrong[i].message) == NULL)
      fail_msg("%s: status %d, line %zu: %s", wrong[i].text, (int)status, error.line,
               error.message);
  }
}
