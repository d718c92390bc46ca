#include "makespan/potential/potential_line.h"

#include "base/checked.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/potential/potential_refinement.h"
#include "makespan/potential/potential_synthesis.h"
#include "makespan/potential/trailing_warps.h"

/* The levels that are tried: those with little work. */
#define LEVELS 6

/* The effort of each level, less what those before have spent of the totals. */
static const struct wb_potential_effort most = {1000, 200, 40000, 25, 0, 0};
#define ALL_SIMPLEX UINT64_C(6000000)
#define ALL_STEPS UINT64_C(1000000)

/* The effort of following the trailing warps of one potential. */
static const struct wb_trailing_effort trailing = {200000, UINT64_C(1) << 22};

/* Warps beyond those of the problem at which a line is compared with the closed form. */
#define FAR UINT32_C(1000)

/* A search under way. */
struct search {
  const struct wb_problem *problem;
  const struct wb_control *control;
  uint64_t below;                  /* cycles: the bound of the best line for the problem's W */
  uint64_t simplex;                /* what is left for linear programs */
  uint64_t steps;                  /* moves that may still be looked at */
  struct wb_potential_proof *best; /* found so far; its cycles are 0 before */
};

uint32_t wb_potential_line_warps(const struct wb_problem *problem)
{
  struct wb_pool_limits limits = wb_potential_level_limits(problem, 0);
  return limits.warps[problem->string.runs[0].unit] + 1;
}

/* A synthesis at a level. Follows the trailing warps of its potential, and keeps it if its line
 * proves less than the best one's and, for many warps, no more than the closed form. */
static warpbound_status try_level(struct search *search, size_t level, warpbound_error *error)
{
  struct wb_pool_limits limits = wb_potential_level_limits(search->problem, level);
  struct wb_potential_shape shape = wb_potential_level_shape(search->problem, level);
  struct wb_potential_effort effort = most;
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  effort.simplex = search->simplex;
  effort.all_steps = search->steps;
  const struct wb_potential_question question = {.problem = search->problem,
                                                 .limits = &limits,
                                                 .shape = &shape,
                                                 .coarser =
                                                     search->best->cycles > 0 ? search->best : NULL,
                                                 .below = UINT64_MAX / 2,
                                                 .effort = &effort,
                                                 .control = search->control};
  warpbound_status status = wb_potential_prove(&question, &proof, &outcome, error);
  search->simplex -= wb_minimum(search->simplex, outcome.simplex);
  search->steps -= wb_minimum(search->steps, outcome.steps);
  if (status != WARPBOUND_OK || !outcome.found)
    return status;
  enum wb_stop stop;
  status = wb_potential_follow_more(&proof, &trailing, search->control, &stop, error);
  struct wb_problem many = *search->problem;
  uint64_t line, formula;
  many.warps = (uint32_t)wb_minimum(many.warps + (uint64_t)FAR, WB_WARP_LIMIT);
  if (status == WARPBOUND_OK && proof.cycles < search->below &&
      wb_potential_line_at(&proof, many.warps, &line) &&
      (wb_bound_closed_form(&many, &formula, NULL) != WARPBOUND_OK || line <= formula)) {
    struct wb_potential_proof before = *search->best;
    *search->best = proof;
    proof = before;
    search->below = search->best->cycles;
  }
  wb_potential_proof_free(&proof);
  return status;
}

warpbound_status wb_potential_find_line(const struct wb_problem *problem, uint64_t enough,
                                        const struct wb_control *control,
                                        struct wb_potential_proof *proof, bool *found,
                                        warpbound_error *error)
{
  *proof = (struct wb_potential_proof){0};
  struct search search = {.problem = problem,
                          .control = control,
                          .below = UINT64_MAX,
                          .simplex = ALL_SIMPLEX,
                          .steps = ALL_STEPS,
                          .best = proof};
  warpbound_status status = WARPBOUND_OK;
  for (size_t level = 0; status == WARPBOUND_OK && level < LEVELS; level++) {
    if (search.below <= enough || search.simplex == 0 || search.steps == 0 ||
        wb_control_stopped(control) != WB_STOP_NONE)
      break;
    if (!wb_potential_level_repeats(problem, level))
      status = try_level(&search, level, error);
  }
  *found = proof->cycles > 0;
  if (status != WARPBOUND_OK)
    wb_potential_proof_free(proof);
  return status;
}
