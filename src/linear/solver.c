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
  bool nodes;   /* it ended at the limit of nodes */
  double bound; /* of the minimum that CBC looks for */
};

/* The child's work, to its end. While CBC searches it takes SIGINT for the wish to end;
 * before and after that the signal must not cost the answer. */
static _Noreturn void run_cbc(const struct wb_linear_model *model,
                              const struct wb_linear_arrays *arrays, int nodes, double seconds,
                              int output)
{
  signal(SIGINT, SIG_IGN);
  Cbc_Model *cbc = Cbc_newModel();
  for (size_t j = 0; model->maximise && j < model->column_count; j++)
    arrays->objective[j] = -arrays->objective[j];
  Cbc_loadProblem(cbc, (int)model->column_count, (int)model->row_count, arrays->start, arrays->row,
                  arrays->value, arrays->column_lower, arrays->column_upper, arrays->objective,
                  arrays->row_lower, arrays->row_upper);
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
  if (nodes > 0)
    Cbc_setMaximumNodes(cbc, nodes);
  double start = wb_clock();
  Cbc_solve(cbc);
  bool in_time = seconds <= 0 || wb_clock() - start < IN_TIME * seconds;
  bool found = Cbc_bestSolution(cbc) != NULL;
  struct answer answer = {.status = found ? WB_LINEAR_FEASIBLE : WB_LINEAR_NONE,
                          .has_values = found,
                          .nodes = nodes > 0 && Cbc_isNodeLimitReached(cbc),
                          .bound = -INFINITY};
  /* Where the time ran out during its preprocessing CBC 2.10 says "infeasible" of what is not: its
   * verdict counts only if time was left. */
  if (in_time && Cbc_isProvenOptimal(cbc) && found)
    answer.status = WB_LINEAR_OPTIMAL;
  else if (in_time && Cbc_isContinuousUnbounded(cbc))
    answer.status = WB_LINEAR_UNBOUNDED;
  else if (in_time && Cbc_isProvenInfeasible(cbc) && !found)
    answer.status = WB_LINEAR_INFEASIBLE;
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

static warpbound_status read_back(const struct wb_linear_model *model, FILE *file,
                                  struct wb_linear_outcome *outcome, bool *nodes,
                                  warpbound_error *error)
{
  struct answer answer = {0};
  const size_t count = model->column_count;
  rewind(file);
  bool whole = fread(&answer, sizeof answer, 1, file) == 1;
  if (whole && answer.has_values) {
    outcome->values = wb_allocate(count, sizeof *outcome->values);
    if (outcome->values == NULL)
      return wb_out_of_memory(error);
    whole = fread(outcome->values, sizeof *outcome->values, count, file) == count;
  }
  if (!whole)
    return wb_fail(error, WARPBOUND_INTERNAL, "CBC's answer is cut short");
  *nodes = answer.nodes;
  outcome->status = (enum wb_linear_status)answer.status;
  outcome->bound = model->maximise ? -answer.bound : answer.bound;
  if (answer.has_values)
    outcome->objective = wb_linear_objective(model, outcome->values);
  return WARPBOUND_OK;
}

/* A child that was stopped may have had no time to answer: that is no error. */
static warpbound_status solve_in_child(const struct wb_linear_model *model,
                                       const struct wb_linear_arrays *arrays, int nodes,
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
    run_cbc(model, arrays, nodes, seconds, fileno(file));
  }
  int ended;
  outcome->stop = wb_process_wait(child, control, "integer program", &ended);
  outcome->seconds = wb_clock() - start;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
    bool at_nodes = false;
    warpbound_status status = read_back(model, file, outcome, &at_nodes, error);
    bool undecided = outcome->status == WB_LINEAR_NONE || outcome->status == WB_LINEAR_FEASIBLE;
    if (undecided && !at_nodes && outcome->stop == WB_STOP_NONE && control->deadline > 0)
      outcome->stop = WB_STOP_TIME; /* CBC knew the limit and kept it */
    return status;
  }
  if (outcome->stop != WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_INTERNAL, "CBC did not end well (%s %d)",
                 WIFSIGNALED(ended) ? "signal" : "status",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
}

warpbound_status wb_linear_solve_by_cbc(const struct wb_linear_model *model, int nodes,
                                        const struct wb_control *control,
                                        struct wb_linear_outcome *outcome, warpbound_error *error)
{
  *outcome = wb_linear_outcome_none(model);
  struct wb_arena arena = {0};
  struct wb_linear_arrays arrays;
  FILE *file = tmpfile();
  warpbound_status status = WARPBOUND_OK;
  if (!wb_linear_arrays_make(&arena, model, &arrays))
    status = wb_out_of_memory(error);
  else if (file == NULL)
    status = wb_fail(error, WARPBOUND_INTERNAL, "there is no temporary file to be had");
  else
    status = solve_in_child(model, &arrays, nodes, control, file, outcome, error);
  if (file != NULL)
    fclose(file);
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_linear_outcome_free(outcome);
  return status;
}
