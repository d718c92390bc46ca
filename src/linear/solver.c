#include "linear/solver.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/system/process.h"
#include "linear/linear_model.h"

#include <Cbc_C_Interface.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *wb_linear_status_name(enum wb_linear_status status)
{
  static const char *const names[] = {"none", "feasible", "optimal", "infeasible", "unbounded"};
  return names[status];
}

struct wb_linear_outcome wb_linear_outcome_none(const struct wb_linear_model *model)
{
  return (struct wb_linear_outcome){.status = WB_LINEAR_NONE,
                                    .bound = model->maximise ? INFINITY : -INFINITY};
}

void wb_linear_outcome_free(struct wb_linear_outcome *outcome)
{
  free(outcome->values);
  *outcome = (struct wb_linear_outcome){0};
}

/* ---- CBC ---- */

/* CBC runs in a child process, for it prints, takes over the handling of Ctrl-C, keeps its
 * state in globals and hears of a time limit only between two linear programs. */

/* Of Cbc_status: stopped by a limit, by an event. */
#define STATUS_STOPPED 1
#define STATUS_EVENT 5
/* CBC's large numbers begin here; they are no bounds. */
#define NO_BOUND 1e20
/* The part of the time told within which CBC's verdict counts. */
#define IN_TIME 0.9

/* The head of what the child hands back; column_count values follow. */
struct answer {
  int status; /* enum wb_linear_status */
  bool has_values;
  double bound; /* of the minimum that CBC looks for */
};

/* The columns, rows and bounds as CBC takes them. */
struct arrays {
  struct wb_sparse_columns entries;
  double *column_lower, *column_upper, *objective;
  double *row_lower, *row_upper;
};

static bool make_arrays(struct wb_arena *arena, const struct wb_linear_model *model,
                        struct arrays *arrays)
{
  size_t columns = model->column_count;
  size_t rows = model->row_count;
  *arrays = (struct arrays){.column_lower = wb_arena_array(arena, double, columns),
                            .column_upper = wb_arena_array(arena, double, columns),
                            .objective = wb_arena_array(arena, double, columns),
                            .row_lower = wb_arena_array(arena, double, rows),
                            .row_upper = wb_arena_array(arena, double, rows)};
  if (!wb_sparse_columns_make(arena, model, &arrays->entries) || arena->failed)
    return false;
  for (size_t j = 0; j < columns; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    arrays->column_lower[j] = column->lower;
    arrays->column_upper[j] = column->upper;
    arrays->objective[j] = model->maximise ? -column->objective : column->objective;
  }
  for (size_t r = 0; r < rows; r++) {
    arrays->row_lower[r] = model->rows[r].lower;
    arrays->row_upper[r] = model->rows[r].upper;
  }
  return true;
}

/* CBC's verdict. Where the time ran out during its preprocessing CBC 2.10 says "infeasible"
 * of what is not: a verdict counts only if time was left. */
static enum wb_linear_status verdict(Cbc_Model *cbc, bool found, bool in_time)
{
  if (in_time && Cbc_isProvenOptimal(cbc) && found)
    return WB_LINEAR_OPTIMAL;
  if (in_time && Cbc_isContinuousUnbounded(cbc))
    return WB_LINEAR_UNBOUNDED;
  if (in_time && Cbc_isProvenInfeasible(cbc) && !found)
    return WB_LINEAR_INFEASIBLE;
  return found ? WB_LINEAR_FEASIBLE : WB_LINEAR_NONE;
}

/* The child's work, to its end. While CBC searches it takes SIGINT for the wish to end;
 * before and after that the signal must not cost the answer. */
static _Noreturn void run_cbc(const struct wb_linear_model *model, const struct arrays *arrays,
                              double seconds, int output)
{
  signal(SIGINT, SIG_IGN);
  Cbc_Model *cbc = Cbc_newModel();
  Cbc_loadProblem(cbc, (int)model->column_count, (int)model->row_count, arrays->entries.start,
                  arrays->entries.row, arrays->entries.value, arrays->column_lower,
                  arrays->column_upper, arrays->objective, arrays->row_lower, arrays->row_upper);
  for (size_t j = 0; j < model->column_count; j++) {
    if (model->columns[j].integer)
      Cbc_setInteger(cbc, (int)j);
  }
  Cbc_setObjSense(cbc, 1);
  Cbc_setLogLevel(cbc, 0);
  Cbc_setAllowableGap(cbc, 0);
  Cbc_setAllowableFractionGap(cbc, 0);
  if (seconds > 0) {
    char text[32];
    snprintf(text, sizeof text, "%.3f", seconds);
    Cbc_setParameter(cbc, "timeMode", "elapsed");
    Cbc_setParameter(cbc, "seconds", text);
    Cbc_setMaximumSeconds(cbc, seconds);
  }
  double start = wb_clock();
  Cbc_solve(cbc);
  bool in_time = seconds <= 0 || wb_clock() - start < IN_TIME * seconds;
  bool found = Cbc_bestSolution(cbc) != NULL;
  struct answer answer = {
      .status = verdict(cbc, found, in_time), .has_values = found, .bound = -INFINITY};
  double bound = Cbc_getBestPossibleObjValue(cbc);
  bool stopped = Cbc_status(cbc) == STATUS_STOPPED || Cbc_status(cbc) == STATUS_EVENT;
  if (answer.status == WB_LINEAR_OPTIMAL)
    answer.bound = Cbc_getObjValue(cbc);
  else if (stopped && fabs(bound) < NO_BOUND)
    answer.bound = bound;

  const double *values = Cbc_bestSolution(cbc);
  const size_t count = model->column_count;
  FILE *stream = fdopen(output, "wb");
  bool written = stream != NULL && fwrite(&answer, sizeof answer, 1, stream) == 1;
  if (written && answer.has_values)
    written = fwrite(values, sizeof *values, count, stream) == count;
  _exit(stream != NULL && fclose(stream) == 0 && written ? 0 : 1);
}

static warpbound_status cut_short(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INTERNAL, "CBC's answer is cut short");
}

static warpbound_status read_back(const struct wb_linear_model *model, FILE *file,
                                  struct wb_linear_outcome *outcome, warpbound_error *error)
{
  struct answer answer;
  rewind(file);
  if (fread(&answer, sizeof answer, 1, file) != 1)
    return cut_short(error);
  outcome->status = (enum wb_linear_status)answer.status;
  outcome->bound = model->maximise ? -answer.bound : answer.bound;
  if (!answer.has_values)
    return WARPBOUND_OK;
  outcome->values = wb_allocate(model->column_count, sizeof *outcome->values);
  if (outcome->values == NULL)
    return wb_out_of_memory(error);
  if (fread(outcome->values, sizeof(double), model->column_count, file) != model->column_count)
    return cut_short(error);
  outcome->objective = wb_linear_objective(model, outcome->values);
  return WARPBOUND_OK;
}

/* A child that was stopped may have had no time to answer: that is no error. */
static warpbound_status solve_in_child(const struct wb_linear_model *model,
                                       const struct arrays *arrays,
                                       const struct wb_control *control, FILE *file,
                                       struct wb_linear_outcome *outcome, warpbound_error *error)
{
  double start = wb_clock();
  pid_t child = wb_process_fork(-1);
  if (child < 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "there is no process to be had for the solver");
  if (child == 0) {
    /* A tenth of what is left, at most half a second, is for what CBC does after its search. 0: no
     * limit. */
    const double left = control->deadline > 0 ? control->deadline - wb_clock() : 0;
    const double seconds = control->deadline > 0 ? fmax(left - fmin(0.1 * left, 0.5), 0.001) : 0;
    run_cbc(model, arrays, seconds, fileno(file));
  }
  int ended;
  outcome->stop = wb_process_wait(child, control, "integer program", &ended);
  outcome->seconds = wb_clock() - start;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
    warpbound_status status = read_back(model, file, outcome, error);
    bool undecided = outcome->status == WB_LINEAR_NONE || outcome->status == WB_LINEAR_FEASIBLE;
    if (undecided && outcome->stop == WB_STOP_NONE && control->deadline > 0)
      outcome->stop = WB_STOP_TIME; /* CBC knew the limit and kept it */
    return status;
  }
  if (outcome->stop != WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_INTERNAL, "CBC did not end well (%s %d)",
                 WIFSIGNALED(ended) ? "signal" : "status",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
}

warpbound_status wb_linear_solve_by_cbc(const struct wb_linear_model *model,
                                        const struct wb_control *control,
                                        struct wb_linear_outcome *outcome, warpbound_error *error)
{
  *outcome = wb_linear_outcome_none(model);
  struct wb_arena arena = {0};
  struct arrays arrays;
  FILE *file = tmpfile();
  warpbound_status status = WARPBOUND_OK;
  if (!make_arrays(&arena, model, &arrays))
    status = wb_out_of_memory(error);
  else if (file == NULL)
    status = wb_fail(error, WARPBOUND_INTERNAL, "there is no temporary file to be had");
  else
    status = solve_in_child(model, &arrays, control, file, outcome, error);
  if (file != NULL)
    fclose(file);
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_linear_outcome_free(outcome);
  return status;
}
