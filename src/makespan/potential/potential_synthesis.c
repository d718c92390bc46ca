#include "makespan/potential/potential_synthesis.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/potential/potential_program.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCALE WB_POTENTIAL_SCALE
/* Gains, in units of 1 / scale cycles, by which a move may miss a whole cycle: rounding takes half
 * a unit from every number in it. The exact gain is found at the end. */
#define TOLERANCE 2
#define COMPONENTS_TOLERANCE 24
/* Relative gap between the bound kept and the program's at which the two are close. */
#define CLOSE 0.0001
/* Rounds with the program's own solution after which a close bound is enough. */
#define CLOSE_ROUNDS 8
/* Initial half-width of the trust region, in cycles. */
#define FIRST_WIDTH 0.5
/* Least relative gain of the bound before the trust region is doubled. */
#define LEAST_PROGRESS 0.0005
/* In-out separation: the weight of the program's solution, of WHOLE, in the mean that moves are
 * checked under, and where a coarser potential of the same shape was the start. */
#define WHOLE 16
#define STEP 8
#define NEAR_STEP 4
/* Most states of an abstraction for which the reachable ones are looked for. */
#define STATE_SPACE_LIMIT (UINT64_C(1) << 20)

/* A synthesis under way. */
struct synthesis {
  const struct wb_control *control;
  struct wb_potential_proof *proof; /* its potential is the one that moves are checked under */
  struct wb_potential_program program;
  struct wb_pool_bundles bundles[WB_POTENTIAL_VIEWS]; /* of the present values */
  struct wb_pool_scratch scratch;
  uint64_t steps;        /* moves looked at */
  unsigned view;         /* of the moves being checked */
  size_t rows;           /* gathered in this round */
  int64_t least_gain;    /* of a move in this round */
  int64_t wanted_gain;   /* moves that gain less become rows */
  int64_t enough;        /* wanted_gain from the second round on */
  size_t count;          /* numbers of a potential */
  int64_t **numbers;     /* those of `proof`; and three sets of as many: */
  int64_t *kept;         /* the potential of the least bound so far */
  int64_t *answer;       /* the program's last solution, rounded */
  int64_t *mean;         /* of the two */
  int64_t kept_gain;     /* least gain under what was kept */
  double kept_bound;     /* cycles that it proves; INFINITY: nothing was kept */
  double bound;          /* cycles: no potential of this abstraction proves less */
  int64_t answer_weight; /* of the answer, of WHOLE, in the present values; 0: none yet */
  unsigned close;        /* rounds in which kept_bound was close to bound */
  double width;          /* half-width of the trust region, in cycles; 0: there is none */
  double held_bound;     /* kept_bound when the trust region was set */
  struct wb_arena arena; /* of the arrays */
};

/* ---- moves ---- */

static int ascending(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The inequality of a view for the moves from a state. */
static struct wb_pool_gain gain_of(const struct synthesis *synthesis, unsigned view, uint64_t from)
{
  const struct wb_potential *potential = &synthesis->proof->potential;
  unsigned component = view % potential->shape.count;
  struct wb_pool_gain gain = {.values = &potential->values[view],
                              .bundles = &synthesis->bundles[view],
                              .weight_sum = potential->weight_sum,
                              .state_offsets = potential->state_offset[component]};
  for (unsigned i = 0; i < potential->shape.count; i++)
    gain.state_offset +=
        wb_potential_weight(potential, view, component, i) * potential->state_offset[i][from];
  return gain;
}

static bool make_bundles(struct synthesis *synthesis)
{
  const struct wb_potential *potential = &synthesis->proof->potential;
  bool ok = true;
  for (unsigned v = 0; ok && v < wb_potential_views(potential); v++)
    ok = wb_pool_bundles_make(&synthesis->proof->pools, &potential->values[v],
                              &synthesis->bundles[v]);
  return ok;
}

/* Finds every state that the start reaches. *stop: WB_STOP_MEMORY where there are more than the
 * effort allows. False: memory is out. */
static bool reach_states(struct synthesis *synthesis, const struct wb_potential_effort *effort,
                         enum wb_stop *stop)
{
  struct wb_potential_proof *proof = synthesis->proof;
  size_t room = effort->unknowns;
  bool *seen = wb_allocate(proof->pools.states, sizeof *seen);
  proof->state = wb_allocate(room, sizeof *proof->state);
  struct wb_pool_reach reach = {seen, proof->state, 1, room};
  bool ok = seen != NULL && proof->state != NULL;
  if (ok) {
    proof->state[0] = wb_pools_begin(&proof->pools, proof->problem->warps);
    seen[proof->state[0]] = true;
  }
  for (size_t head = 0; ok && head < reach.count && *stop == WB_STOP_NONE; head++) {
    struct wb_pool_gain gain = gain_of(synthesis, 0, proof->state[head]);
    ok = wb_pool_moves(&proof->pools, &gain, proof->state[head], NULL, NULL, &reach,
                       &synthesis->scratch, &synthesis->steps);
    if (reach.count > reach.room || synthesis->steps > effort->steps)
      *stop = WB_STOP_MEMORY;
  }
  free(seen);
  proof->state_count = reach.count;
  if (ok && *stop == WB_STOP_NONE)
    qsort(proof->state, reach.count, sizeof *proof->state, ascending);
  return ok;
}

static bool visit_for_rows(void *context, uint64_t from, const struct wb_pool_move *move)
{
  struct synthesis *synthesis = context;
  if (move->gain < synthesis->least_gain)
    synthesis->least_gain = move->gain;
  if (move->gain >= synthesis->wanted_gain)
    return true;
  synthesis->rows++;
  return wb_potential_program_add(&synthesis->program, synthesis->view, from, move);
}

/* Checks all moves under the present values: gathers a row for each that gains too little, and the
 * least gain of all. */
static bool check_moves(struct synthesis *synthesis, enum wb_stop *stop)
{
  const struct wb_potential_proof *proof = synthesis->proof;
  synthesis->rows = 0;
  synthesis->least_gain = INT64_MAX;
  if (!make_bundles(synthesis))
    return false;
  for (size_t i = 0; i < proof->state_count && *stop == WB_STOP_NONE; i++) {
    uint64_t from = proof->state[i];
    for (unsigned j = 0; j < proof->potential.shape.count; j++) {
      synthesis->view = wb_potential_view(&proof->potential, &proof->pools, from, j);
      struct wb_pool_gain gain = gain_of(synthesis, synthesis->view, from);
      if (!wb_pool_moves(&proof->pools, &gain, from, visit_for_rows, synthesis, NULL,
                         &synthesis->scratch, &synthesis->steps))
        return false;
    }
    if (i % 64 == 0)
      *stop = wb_control_stopped(synthesis->control);
  }
  synthesis->wanted_gain = synthesis->enough;
  return true;
}

/* ---- the best so far ---- */

/* Keeps the potential as it stands where it proves a bound, and less than the one kept. */
static void keep(struct synthesis *synthesis)
{
  const struct wb_potential *potential = &synthesis->proof->potential;
  if (synthesis->least_gain <= 0 || !wb_potential_bounded(potential, &synthesis->proof->pools))
    return;
  int64_t most, steepest;
  if (!wb_potential_at_start(synthesis->proof, synthesis->proof->problem->warps, &most, &steepest))
    return;
  double bound = (double)most * (double)potential->weight_sum / (double)synthesis->least_gain;
  if (bound >= synthesis->kept_bound)
    return;
  for (size_t i = 0; i < synthesis->count; i++)
    synthesis->kept[i] = *synthesis->numbers[i];
  synthesis->kept_gain = synthesis->least_gain;
  synthesis->kept_bound = bound;
}

/* Makes the potential's numbers these. */
static void take_numbers(struct synthesis *synthesis, const int64_t *numbers)
{
  for (size_t i = 0; i < synthesis->count; i++)
    *synthesis->numbers[i] = numbers[i];
  wb_potential_refresh(&synthesis->proof->potential, &synthesis->proof->pools);
}

/* Makes the potential the program's solution or, where that has a weight below WHOLE, the mean of
 * it and of what was kept, scaled so that it gains a cycle. */
static void take_step(struct synthesis *synthesis)
{
  if (synthesis->answer_weight == WHOLE || isinf(synthesis->kept_bound)) {
    take_numbers(synthesis, synthesis->answer);
    return;
  }
  double cycle =
      (double)(SCALE * synthesis->proof->potential.weight_sum) / (double)synthesis->kept_gain;
  for (size_t i = 0; i < synthesis->count; i++) {
    int64_t kept = llround(cycle * (double)synthesis->kept[i]);
    synthesis->mean[i] = kept + (synthesis->answer[i] - kept) * synthesis->answer_weight / WHOLE;
  }
  take_numbers(synthesis, synthesis->mean);
}

/* ---- rounds ---- */

#ifndef NDEBUG
/* Whether every move gains what the proof says, checked anew. */
static bool proof_holds(struct synthesis *synthesis)
{
  const struct wb_control never = {0};
  const struct wb_control *control = synthesis->control;
  const struct wb_potential_proof *proof = synthesis->proof;
  uint64_t steps = synthesis->steps;
  enum wb_stop stop = WB_STOP_NONE;
  synthesis->control = &never;
  synthesis->wanted_gain = INT64_MIN; /* no move becomes a row */
  bool checked = check_moves(synthesis, &stop);
  synthesis->control = control;
  synthesis->steps = steps;
  return !checked || synthesis->least_gain >= proof->gain * proof->potential.weight_sum;
}
#endif

/* Adds the rows gathered and solves. *over: no potential can prove less than `below`. */
static bool solve(struct synthesis *synthesis, uint64_t below, bool *over, enum wb_stop *stop)
{
  bool solved;
  wb_potential_program_solve(&synthesis->program, synthesis->control, &synthesis->bound, &solved,
                             stop);
  if (*stop != WB_STOP_NONE)
    return true;
  *over = !solved || floor(synthesis->bound + 1e-3) >= (double)below;
  if (*over)
    return true;
  bool near = synthesis->kept_bound - synthesis->bound <= CLOSE * synthesis->bound;
  synthesis->answer_weight = near ? WHOLE : synthesis->width > 0 ? NEAR_STEP : STEP;
  wb_potential_program_take(&synthesis->program);
  for (size_t i = 0; i < synthesis->count; i++)
    synthesis->answer[i] = *synthesis->numbers[i];
  return wb_potential_program_link(&synthesis->program);
}

/* Cutting-plane rounds with in-out separation (Ben-Ameur and Neto 2007): checks all moves under the
 * present values; where some gain too little, solves with them as rows and goes on from the mean of
 * the solution and what was kept. Rows from the mean are deep, and the mean soon proves a bound. */
static bool make_rounds(struct synthesis *synthesis, uint64_t below,
                        const struct wb_potential_effort *effort, enum wb_stop *stop)
{
  bool over = false;
  for (unsigned solved = 0; !over && *stop == WB_STOP_NONE;) {
    if (!check_moves(synthesis, stop))
      return false;
    if (*stop != WB_STOP_NONE)
      break;
    keep(synthesis);
    if (solved == 0)
      synthesis->held_bound = synthesis->kept_bound;
    bool holds = synthesis->rows == 0 &&
                 wb_potential_bounded(&synthesis->proof->potential, &synthesis->proof->pools);
    bool again = false;
    bool near = synthesis->kept_bound - synthesis->bound <= CLOSE * synthesis->bound;
    synthesis->close += near;
    /* The rounds may end for the present trust region: no move breaks the program's own solution,
     * nor do the positions of idling warps, or what was kept has long been close to it. */
    if ((synthesis->answer_weight == WHOLE && (holds || synthesis->program.rows == 0)) ||
        synthesis->close > CLOSE_ROUNDS) {
      /* Doubles the trust region around the potential kept, if there is one and it has lowered the
       * bound enough. */
      again = synthesis->width > 0 && synthesis->held_bound - synthesis->kept_bound >
                                          LEAST_PROGRESS * synthesis->kept_bound;
      if (!again)
        break;
      synthesis->held_bound = synthesis->kept_bound;
      synthesis->width *= 2;
      synthesis->close = 0;
      take_numbers(synthesis, synthesis->kept);
      if (!wb_potential_program_hold(&synthesis->program, synthesis->width))
        return false;
    }
    if (holds && !again && synthesis->answer_weight > 0)
      synthesis->answer_weight = WHOLE;
    else if (solved++ == effort->rounds ||
             (effort->all_steps > 0 && synthesis->steps > effort->all_steps))
      *stop = WB_STOP_MEMORY;
    else if (!solve(synthesis, below, &over, stop))
      return false;
    if (!over && *stop == WB_STOP_NONE)
      take_step(synthesis);
  }
  return true;
}

/* ---- initial values ---- */

/* The coarser kind of exit that a kind falls under. */
static size_t coarser_exit(const struct wb_pools *coarse, const struct wb_pool_exit *fine)
{
  size_t k = 0;
  while (k + 1 < coarse->exit_count) {
    const struct wb_pool_exit *exit = &coarse->exits[k];
    bool ends = fine->to == WB_POOL_END;
    uint32_t length = ends ? 0 : wb_pool_entry(&coarse->pool[fine->to], fine->length);
    if (exit->from == fine->from && exit->to == fine->to && exit->length == length)
      break;
    k++;
  }
  return k;
}

/* Takes the values over from a coarser potential. */
static void start_from(struct wb_potential_proof *proof, const struct wb_potential_proof *coarser)
{
  const struct wb_pools *pools = &proof->pools;
  struct wb_potential *potential = &proof->potential;
  const struct wb_potential *from = &coarser->potential;
  int64_t factor = SCALE / from->scale;
  for (unsigned p = 0; p < pools->count; p++) {
    potential->values[0].stay[p] = factor * from->values[0].stay[p];
    potential->own_stay[p] = factor * from->own_stay[p];
  }
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = factor * from->own_leave[k];
  for (size_t k = 0; k < pools->exit_count && potential->shape.count == 1; k++)
    potential->leave[0][k] =
        factor * from->leave[0][coarser_exit(&coarser->pools, &pools->exits[k])];
  for (unsigned j = 0; j < potential->shape.count; j++) {
    const int64_t *state_offsets = from->state_offset[from->shape.count > 1 ? j : 0];
    /* Takes the values of positions in a component over from the coarser potential. */
    if (from->shape.count > 1)
      for (size_t p = 0; p < potential->length; p++)
        potential->position[j][p] = factor * from->position[j][p];
    else if (potential->shape.count > 1) {
      /* Values by position from those of kinds: what the steps to the end are worth. */
      int64_t *position = potential->position[j];
      for (size_t p = potential->length; p-- > 0;) {
        uint32_t kind = potential->kind[p];
        int64_t value =
            kind < pools->count
                ? from->values[0].stay[kind]
                : from->leave[0][coarser_exit(&coarser->pools, &pools->exits[kind - pools->count])];
        position[p] = position[p + 1] + factor * value;
      }
    }
    for (size_t i = 0; i < proof->state_count; i++) {
      uint64_t state = proof->state[i];
      const struct wb_pools *coarse =
          &coarser->pools; /* and the state there that this falls under */
      uint64_t under = state / pools->stride[pools->count] * coarse->stride[coarse->count];
      for (unsigned p = 0; p < pools->count; p++) {
        uint32_t local = wb_pools_local(pools, state, p);
        under += wb_pool_local(&coarse->pool[p], pools->pool[p].warps_in[local],
                               pools->pool[p].work_in[local]) *
                 coarse->stride[p];
      }
      potential->state_offset[j][state] = factor * state_offsets[under];
    }
  }
}

/* Starts from a coarser proof for the same problem, which has limits and a number of components
 * that are not larger; where coarser is NULL or not such a proof, plainly. No move gains less than
 * a cycle then, but from a coarser proof that has other weights. */
static bool start_values(struct synthesis *synthesis, const struct wb_potential_proof *coarser)
{
  struct wb_potential *potential = &synthesis->proof->potential;
  const struct wb_pools *pools = &synthesis->proof->pools;
  int64_t weight_sum = potential->weight_sum;
  synthesis->enough = SCALE * weight_sum -
                      (potential->shape.count > 1 ? COMPONENTS_TOLERANCE * weight_sum : TOLERANCE);
  synthesis->wanted_gain = synthesis->enough;
  synthesis->bound = -INFINITY;
  struct wb_arena *arena = &synthesis->arena;
  synthesis->count = wb_potential_numbers(synthesis->proof, NULL);
  synthesis->numbers = wb_arena_array(arena, int64_t *, synthesis->count);
  synthesis->kept = wb_arena_array(arena, int64_t, synthesis->count);
  synthesis->answer = wb_arena_array(arena, int64_t, synthesis->count);
  synthesis->mean = wb_arena_array(arena, int64_t, synthesis->count);
  synthesis->kept_bound = INFINITY;
  if (arena->failed)
    return false;
  wb_potential_numbers(synthesis->proof, synthesis->numbers);
  bool near = coarser != NULL && coarser->potential.shape.count <= potential->shape.count;
  for (unsigned p = 0; near && p < pools->count; p++)
    near = coarser->pools.pool[p].warps <= pools->pool[p].warps &&
           coarser->pools.pool[p].work <= pools->pool[p].work;
  if (near)
    start_from(synthesis->proof, coarser);
  else {
    /* Every step is worth a cycle, and all state offsets are 0. */
    for (unsigned p = 0; p < pools->count; p++)
      potential->values[0].stay[p] = potential->own_stay[p] = SCALE;
    for (size_t k = 0; k < pools->own_exit_count; k++)
      potential->own_leave[k] = SCALE;
    for (size_t k = 0; k < pools->exit_count; k++)
      potential->leave[0][k] = SCALE;
    for (unsigned j = 0; potential->shape.count > 1 && j < potential->shape.count; j++)
      for (size_t p = 0; p < potential->length; p++)
        potential->position[j][p] = (int64_t)(potential->length - p) * SCALE;
  }
  wb_potential_refresh(potential, pools);
  if (!near)
    return true;
  synthesis->wanted_gain =
      2 * SCALE * weight_sum; /* moves that are nearly tight are the first rows */
  if (potential->shape.count == 1 ||
      memcmp(&coarser->potential.shape, &potential->shape, sizeof potential->shape) != 0)
    return true;
  synthesis->width = FIRST_WIDTH;
  return wb_potential_program_hold(&synthesis->program, synthesis->width);
}

/* Makes the proof's arrays, finds its states and starts the program. */
static bool prepare(struct synthesis *synthesis, const struct wb_potential_shape *shape,
                    const struct wb_potential_effort *effort, enum wb_stop *stop)
{
  struct wb_potential_proof *proof = synthesis->proof;
  if (!wb_potential_start(&proof->potential, &proof->pools, proof->problem, shape))
    return false;
  proof->potential.scale = SCALE;
  wb_potential_refresh(&proof->potential, &proof->pools);
  synthesis->scratch.place =
      wb_arena_array(&synthesis->arena, uint32_t, proof->pools.stride[proof->pools.count]);
  if (synthesis->scratch.place == NULL || !make_bundles(synthesis) ||
      !reach_states(synthesis, effort, stop))
    return false;
  unsigned components = proof->potential.shape.count;
  bool sums = components > 1 && proof->state_count * components > effort->state_offsets;
  if (wb_potential_program_offsets(&proof->pools, components, proof->state_count, sums) +
          components * proof->potential.length >
      effort->unknowns)
    *stop = WB_STOP_MEMORY;
  if (*stop != WB_STOP_NONE)
    return true;
  bool ok = wb_potential_program_start(
      &synthesis->program, &proof->pools, &proof->potential, proof->state, proof->state_count, sums,
      wb_pools_begin(&proof->pools, proof->problem->warps), proof->problem->warps);
  if (effort->simplex > 0)
    synthesis->program.allowed = effort->simplex;
  return ok;
}

warpbound_status wb_potential_prove(const struct wb_potential_question *question,
                                    struct wb_potential_proof *proof,
                                    struct wb_potential_outcome *outcome, warpbound_error *error)
{
  const struct wb_problem *problem = question->problem;
  const struct wb_potential_effort *effort = question->effort;
  *outcome = (struct wb_potential_outcome){0};
  *proof = (struct wb_potential_proof){.problem = problem};
  struct synthesis synthesis = {.control = question->control, .proof = proof};
  warpbound_status status = wb_pools_start(&proof->pools, problem, question->limits, error);
  if (status == WARPBOUND_OK && proof->pools.states > STATE_SPACE_LIMIT)
    outcome->stop = WB_STOP_MEMORY;
  bool ok = true;
  if (status == WARPBOUND_OK && outcome->stop == WB_STOP_NONE) {
    ok = prepare(&synthesis, question->shape, effort, &outcome->stop);
    if (ok && outcome->stop == WB_STOP_NONE)
      ok = start_values(&synthesis, question->coarser) &&
           make_rounds(&synthesis, question->below, effort, &outcome->stop);
    /* Makes the proof of the potential that was kept. */
    const bool kept = ok && synthesis.kept != NULL && !isinf(synthesis.kept_bound);
    if (kept) {
      take_numbers(&synthesis, synthesis.kept);
      proof->gain = synthesis.kept_gain / proof->potential.weight_sum;
    }
    if (kept && proof->gain > 0) {
      /* The same proof in smaller numbers: without their greatest common divisor. */
      uint64_t common =
          wb_greatest_common_divisor((uint64_t)proof->gain, (uint64_t)proof->potential.scale);
      for (size_t i = 0; i < synthesis.count; i++)
        common = wb_greatest_common_divisor(common, wb_magnitude(*synthesis.numbers[i]));
      for (size_t i = 0; i < synthesis.count; i++)
        *synthesis.numbers[i] /= (int64_t)common;
      proof->gain /= (int64_t)common;
      proof->potential.scale /= (int64_t)common;
      wb_potential_refresh(&proof->potential, &proof->pools);
      assert(proof_holds(&synthesis));
      outcome->found = wb_potential_derive_bound(proof) && proof->cycles < question->below;
    }
  }
  outcome->steps = synthesis.steps;
  outcome->simplex = synthesis.program.spent;
  for (unsigned v = 0; v < WB_POTENTIAL_VIEWS; v++)
    free(synthesis.bundles[v].items);
  for (unsigned p = 0; p <= WB_UNIT_COUNT; p++)
    free(synthesis.scratch.level[p]);
  wb_arena_free(&synthesis.arena);
  wb_potential_program_free(&synthesis.program);
  if (!outcome->found || !ok)
    wb_potential_proof_free(proof);
  return ok ? status : wb_out_of_memory(error);
}
