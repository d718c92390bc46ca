/* The check of a claimed potential, state by state. */
#include "certificate/potential/potential_claim.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/status.h"
#include "base/text.h"
#include "certificate/potential/potential_machine.h"
#include "certificate/potential/potential_states.h"
#include "certificate/potential/trailing_slacks.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the bound ---- */

/* The arguments of find_bound. */
struct pass {
  const struct wb_check_potential_claim *claim;
  const struct wb_check_potential_states *states;
  const struct wb_check_trailing_start *starts;
  bool final;
  warpbound_error *error;
};

/* The offset in a component of the start of `warps` warps, the own one included. */
static warpbound_status find_start(const struct pass *pass, uint64_t warps, size_t component,
                                   int64_t *offset)
{
  size_t first = pass->states->machine->first;
  struct wb_check_content start =
      wb_check_potential_start_content(pass->states->machine, warps - 1);
  const struct wb_check_content_value *found =
      wb_check_potential_states_find(pass->states, component, first, &start);
  if (found != NULL) {
    *offset = found->value;
    return WARPBOUND_OK;
  }
  struct wb_text text = {0};
  wb_check_potential_state_write(pass->states->machine, first, &start, &text);
  char *words = wb_text_take(&text);
  warpbound_status status =
      words != NULL ? wb_fail(pass->error, WARPBOUND_CHECK_FAILED,
                              "the start of %" PRIu64 " warps, %s, is not listed", warps, words)
                    : wb_out_of_memory(pass->error);
  free(words);
  return status;
}

static warpbound_status bound_too_large(const struct pass *pass)
{
  return wb_fail(pass->error, WARPBOUND_CHECK_FAILED, "the bound exceeds 64 bits");
}

/* A: the value of another warp's steps of the whole string in a component. */
static int64_t through(const struct pass *pass, size_t component)
{
  const struct wb_check_potential_claim *claim = pass->claim;
  return claim->component_count > 0 ? claim->components[component].values[0]
                                    : pass->states->machine->through;
}

/* The largest over the components of (warps - 1) A + O + h(start) less the slack of the start, and
 * the largest A of those with a path. */
static warpbound_status find_sum(const struct pass *pass, uint64_t warps,
                                 const struct wb_check_trailing_start *trailing, int64_t *most,
                                 int64_t *slope)
{
  warpbound_status status = WARPBOUND_OK;
  *most = *slope = INT64_MIN;
  for (size_t j = 0; j < pass->states->component_count; j++) {
    int64_t offset = 0;
    int64_t sum;
    status = find_start(pass, warps, j, &offset);
    if (status != WARPBOUND_OK)
      return status;
    if (trailing->slack[j] == WB_CHECK_TRAILING_NO_PATH)
      continue;
    if (warps - 1 > INT64_MAX ||
        !wb_multiply_signed((int64_t)(warps - 1), through(pass, j), &sum) ||
        !wb_add_signed(sum, pass->states->machine->own_through, &sum) ||
        !wb_add_signed(sum, offset, &sum) || !wb_subtract_signed(sum, trailing->slack[j], &sum))
      return bound_too_large(pass);
    *most = sum > *most ? sum : *most;
    *slope = through(pass, j) > *slope ? through(pass, j) : *slope;
  }
  return WARPBOUND_OK;
}

/* floor(sum / g), which must be at most `cycles` once the slacks are known. No schedule is shorter
 * than the string: a bound below its length is false whatever the moves gain. */
static warpbound_status find_least(const struct pass *pass,
                                   struct wb_check_potential_verdict *verdict)
{
  const struct wb_check_potential_claim *claim = pass->claim;
  int64_t sum = 0;
  int64_t slope;
  warpbound_status status = find_sum(pass, claim->warps, &pass->starts[0], &sum, &slope);
  if (status != WARPBOUND_OK)
    return status;
  int64_t bound = wb_divide_down(sum, claim->gain);
  if (bound < (int64_t)claim->problem.length)
    return wb_fail(pass->error, WARPBOUND_CHECK_FAILED,
                   "the bound that follows, %" PRId64 " cycles, is below the length of the string",
                   bound);
  if (pass->final && (uint64_t)bound > claim->cycles)
    return wb_fail(pass->error, WARPBOUND_CHECK_FAILED,
                   "the bound that follows, %" PRId64 " cycles, is above the %" PRIu64 " claimed",
                   bound, claim->cycles);
  verdict->cycles = (uint64_t)bound;
  return WARPBOUND_OK;
}

/* The line, and whether its start, and that of the leading warps, is that of every larger number of
 * warps. It rises as the steepest component does, from where the highest begins. */
static warpbound_status find_line(const struct pass *pass,
                                  struct wb_check_potential_verdict *verdict)
{
  uint64_t from = pass->claim->from_warps;
  uint64_t followed = wb_maximum(pass->claim->trailing, 1);
  const struct wb_check_machine_pool *pool =
      &pass->states->machine->pool[pass->states->machine->first];
  if (from < followed || from - followed < (uint64_t)pool->most_warps ||
      wb_check_potential_start_work(pass->states->machine, from - followed) <
          (uint64_t)pool->most_work)
    return wb_fail(
        pass->error, WARPBOUND_CHECK_FAILED,
        "from_warps: the start of %" PRIu64 " warps is not yet that of every larger number", from);
  int64_t sum = 0;
  int64_t rise;
  warpbound_status status = find_sum(pass, from, &pass->starts[1], &sum, &verdict->slope);
  if (status != WARPBOUND_OK)
    return status;
  if (from > INT64_MAX || !wb_multiply_signed((int64_t)from, verdict->slope, &rise) ||
      !wb_subtract_signed(sum, rise, &verdict->offset))
    return bound_too_large(pass);
  return WARPBOUND_OK;
}

/* Finds the bound and, where from_warps > 0, the line. starts: of `warps` and of from_warps warps,
 * with their slacks, or 0 before these are known. final: the slacks are known, or none are claimed;
 * then the bound must be at most the claim's. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL.
 */
static warpbound_status
find_bound(const struct wb_check_potential_claim *claim,
           const struct wb_check_potential_states *states,
           const struct wb_check_trailing_start starts[WB_CHECK_TRAILING_STARTS], bool final,
           struct wb_check_potential_verdict *verdict, warpbound_error *error)
{
  const struct pass pass = {claim, states, starts, final, error};
  warpbound_status status = find_least(&pass, verdict);
  return status == WARPBOUND_OK && claim->from_warps > 0 ? find_line(&pass, verdict) : status;
}

/* The check of one claim. */
struct check {
  struct wb_arena arena; /* owns the machine, the views and the tables of trailing warps */
  const struct wb_check_potential_claim *claim;
  /* Limits that may end the work before; NULL: none. */
  const struct wb_control *control;
  struct wb_check_potential_machine machine;
  struct wb_check_potential_views views;
  struct wb_check_potential_states states;
  /* By view: the moves of the other warps. */
  struct wb_check_potential_moves moves[WB_CHECK_POTENTIAL_VIEWS];
  /* The component at hand, and its view in the state at hand. */
  size_t component;
  size_t view;
  /* The state at hand: the own warp's pool, the other warps, and the offset under the view. */
  size_t own;
  struct wb_check_content content;
  int64_t offset;
  /* The gain that every move from it needs, times the view's sum of weights. */
  int64_t gain;
  /* By pool: the other warps that issue in the cycle at hand. */
  int64_t issuing[WB_CHECK_POTENTIAL_POOLS];
  /* The value of the other warps that do not. */
  int64_t idle;
  /* The starts of `warps` and of from_warps warps. Slacks are 0 until trailing warps are followed.
   */
  struct wb_check_trailing_start starts[WB_CHECK_TRAILING_STARTS];
  /* The slacks are known, or the claim follows no trailing warps. */
  bool followed;
  warpbound_error *error;
};

/* The own warp's part in a cycle. */
struct own_action {
  bool issues;
  /* Its pool after the cycle; the number of pools for the end. */
  size_t to;
  /* The value of its step. */
  int64_t value;
};

/* ---- words ---- */

/* "from STATE, where MOVE, to STATE: WHY" */
static warpbound_status refuse_move(const struct check *check, const struct own_action *action,
                                    const struct wb_check_content *after, const char *why)
{
  struct wb_text text = {0};
  wb_text_string(&text, "from ");
  wb_check_potential_state_write(&check->machine, check->own, &check->content, &text);
  wb_text_string(&text, ", where ");
  /* "the others issue 1 of L, 0 of C, the own warp issues and stays in C" */
  const struct wb_check_potential_machine *machine = &check->machine;
  wb_text_string(&text, "the others issue");
  for (size_t p = 0; p < machine->pool_count; p++)
    wb_text_format(&text, "%s%" PRId64 " of %c", p > 0 ? ", " : " ", check->issuing[p],
                   machine->pool[p].type);
  if (!action->issues)
    wb_text_string(&text, ", the own warp waits");
  else if (action->to == check->own)
    wb_text_format(&text, ", the own warp issues and stays in %c", machine->pool[action->to].type);
  else if (action->to == machine->pool_count)
    wb_text_string(&text, ", the own warp ends");
  else
    wb_text_format(&text, ", the own warp issues and enters %c", machine->pool[action->to].type);
  wb_text_string(&text, ", to ");
  wb_check_potential_state_write(&check->machine, action->to, after, &text);
  wb_text_format(&text, ": %s", why);
  char *words = wb_text_take(&text);
  warpbound_status status = words != NULL
                                ? wb_fail(check->error, WARPBOUND_CHECK_FAILED, "%s", words)
                                : wb_out_of_memory(check->error);
  free(words);
  return status;
}

/* ---- the moves ---- */

static warpbound_status too_large(const struct check *check)
{
  return wb_fail(check->error, WARPBOUND_CHECK_FAILED, "the bound exceeds 64 bits");
}

/* One move: to a content of the others, at the least sum of their values. */
static warpbound_status check_move(const struct check *check, const struct own_action *action,
                                   const struct wb_check_content_value *others)
{
  int64_t after = 0;
  if (action->to == check->machine.pool_count) {
    /* The own warp finishes last: where others are left, this is no move. Limits are 1
     * or more, so that a number of 0 is exact; without warps there is no work. */
    for (size_t p = 0; p < check->machine.pool_count; p++) {
      if (others->content.warps[p] > 0)
        return WARPBOUND_OK;
    }
  } else {
    const struct wb_check_content_value *found = wb_check_potential_states_find(
        &check->states, check->component, action->to, &others->content);
    if (found == NULL)
      return refuse_move(check, action, &others->content, "that state is not listed");
    after = found->value;
  }
  int64_t gain;
  if (!wb_multiply_signed(check->views.view[check->view].weight_sum, after, &after) ||
      !wb_add_signed(others->value, action->value, &gain) ||
      !wb_add_signed(gain, check->idle, &gain) || !wb_add_signed(gain, check->offset, &gain) ||
      !wb_subtract_signed(gain, after, &gain))
    return refuse_move(check, action, &others->content, "the gain exceeds 64 bits");
  if (gain >= check->gain)
    return WARPBOUND_OK;
  char why[80];
  snprintf(why, sizeof why, "the gain is %" PRId64 ", less than %" PRId64, gain, check->gain);
  return refuse_move(check, action, &others->content, why);
}

static warpbound_status check_action(const struct check *check, struct own_action action)
{
  const struct wb_check_content_map *after = &check->moves[check->view].after;
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < after->count; i++)
    status = check_move(check, &action, &after->list[i]);
  return status;
}

/* Checks all moves in which the own warp issues. */
static warpbound_status check_own_issue(const struct check *check)
{
  const struct wb_check_potential_machine *machine = &check->views.view[check->view].machine;
  const struct wb_check_machine_pool *pool = &machine->pool[check->own];
  const struct wb_check_step_kinds *leave = &machine->own_leave;
  warpbound_status status = WARPBOUND_OK;
  if (pool->longest >= 2)
    status = check_action(check, (struct own_action){true, check->own, pool->own_stay});
  for (size_t k = 0; status == WARPBOUND_OK && k < leave->count; k++) {
    const struct wb_check_step_kind *step = &leave->list[k];
    if (step->from == check->own)
      status = check_action(check, (struct own_action){true, step->to, step->value});
  }
  return status;
}

/* Finds the moves of the other warps, and the value of those that do not issue. A number of warps
 * shown as K is K or more: there no warp may have a negative value. */
static warpbound_status find_others(struct check *check)
{
  const struct wb_check_potential_view *view = &check->views.view[check->view];
  check->idle = 0;
  for (size_t p = 0; p < check->machine.pool_count; p++) {
    int64_t waiting = (int64_t)check->content.warps[p] - check->issuing[p];
    int64_t value;
    if (view->idle[p] < 0 && check->content.warps[p] == check->machine.pool[p].most_warps)
      return wb_fail(
          check->error, WARPBOUND_CHECK_FAILED,
          "pieces: under the weights of type %c a warp that waits in %c has a negative value",
          check->machine.pool[check->component].type, check->machine.pool[p].type);
    if (!wb_multiply_signed(waiting, view->idle[p], &value) ||
        !wb_add_signed(check->idle, value, &check->idle))
      return too_large(check);
  }
  return wb_check_potential_moves_find(&check->moves[check->view], &check->content, check->issuing,
                                       check->error);
}

/* Checks every choice of the instructions served from pool p on: at most most[p] of each pool,
 * `left` in all. */
static warpbound_status check_choices(struct check *check, size_t p, int64_t left,
                                      const int64_t most[WB_CHECK_POTENTIAL_POOLS],
                                      int64_t served[WB_CHECK_POTENTIAL_POOLS])
{
  if (p == check->machine.pool_count) {
    /* Checks every cycle in which served[p] instructions of each type issue: with the own warp's
     * among them or without it. */
    for (size_t u = 0; u < WB_CHECK_POTENTIAL_POOLS; u++)
      check->issuing[u] = served[u];
    warpbound_status status = find_others(check);
    if (status == WARPBOUND_OK)
      status = check_action(check, (struct own_action){false, check->own, 0});
    if (status != WARPBOUND_OK || served[check->own] == 0)
      return status;
    check->issuing[check->own]--;
    status = find_others(check);
    return status == WARPBOUND_OK ? check_own_issue(check) : status;
  }
  int64_t rest = 0;
  for (size_t q = p + 1; q < check->machine.pool_count; q++)
    rest += most[q];
  int64_t largest = left < most[p] ? left : most[p];
  warpbound_status status = WARPBOUND_OK;
  for (served[p] = left > rest ? left - rest : 0; status == WARPBOUND_OK && served[p] <= largest;
       served[p]++)
    status = check_choices(check, p + 1, left - served[p], most, served);
  return status;
}

/* Chooses the view of the component at hand, with its offset and the gain that moves need. */
static warpbound_status take_view(struct check *check, const struct wb_check_potential_state *state)
{
  check->view = 0;
  if (check->claim->component_count > 0)
    check->view = wb_check_potential_views_choose(&check->views, check->claim, check->own,
                                                  check->content.warps, check->component);
  const struct wb_check_potential_view *view = &check->views.view[check->view];
  check->offset = 0;
  for (size_t i = 0; i < check->views.component_count; i++) {
    int64_t part;
    if (!wb_multiply_signed(view->weights[i], state->offset[i], &part) ||
        !wb_add_signed(check->offset, part, &check->offset))
      return too_large(check);
  }
  return wb_multiply_signed(view->weight_sum, check->claim->gain, &check->gain) ? WARPBOUND_OK
                                                                                : too_large(check);
}

/* Checks every move from one state in one component. A number of warps shown as K is K or more; as
 * K is s or more, min(s, it) is known all the same. */
static warpbound_status check_state(struct check *check,
                                    const struct wb_check_potential_state *state)
{
  check->own = wb_check_machine_pool_of(&check->machine, state->own);
  check->content = wb_check_potential_state_content(&check->machine, state);
  warpbound_status status = take_view(check, state);
  if (status != WARPBOUND_OK)
    return status;
  int64_t most[WB_CHECK_POTENTIAL_POOLS] = {0};
  int64_t served[WB_CHECK_POTENTIAL_POOLS] = {0};
  int64_t total = 0;
  for (size_t p = 0; p < check->machine.pool_count; p++) {
    int64_t ready = (int64_t)state->warps[p] + (p == check->own ? 1 : 0);
    most[p] = ready < check->machine.pool[p].service ? ready : check->machine.pool[p].service;
    total += most[p];
  }
  if (total > check->machine.slots)
    total = check->machine.slots;
  return check_choices(check, 0, total, most, served);
}

/* ---- the whole ---- */

static warpbound_status judge_bound(struct check *check, struct wb_check_potential_verdict *verdict)
{
  return find_bound(check->claim, &check->states, check->starts, check->followed, verdict,
                    check->error);
}

/* Finds the bound and the line once more, less the slacks of their starts. */
static warpbound_status follow_trailing(struct check *check, uint64_t work_limit,
                                        struct wb_check_potential_verdict *verdict)
{
  const struct wb_check_potential_claim *claim = check->claim;
  size_t count = claim->from_warps > 0 ? 2 : 1;
  check->starts[0].leading =
      wb_check_potential_start_content(&check->machine, claim->warps - claim->trailing);
  if (count > 1)
    check->starts[1].leading =
        wb_check_potential_start_content(&check->machine, claim->from_warps - claim->trailing);
  warpbound_status status =
      wb_check_trailing_slacks(&check->arena, claim, &check->machine, &check->views, work_limit,
                               check->control, check->starts, count, check->error);
  check->followed = true;
  return status == WARPBOUND_OK ? judge_bound(check, verdict) : status;
}

static warpbound_status check_claim(struct check *check, uint64_t work_limit,
                                    struct wb_check_potential_verdict *verdict)
{
  const struct wb_check_potential_claim *claim = check->claim;
  if (claim->warps == 0)
    return wb_fail(check->error, WARPBOUND_INVALID_INPUT, "expected at least one warp");
  if (claim->gain <= 0)
    return wb_fail(check->error, WARPBOUND_CHECK_FAILED, "the gain of a cycle must be positive");
  if (claim->trailing > claim->warps)
    return wb_fail(check->error, WARPBOUND_CHECK_FAILED, "rear: %" PRIu64 " of %" PRIu64 " warps",
                   claim->trailing, claim->warps);
  warpbound_status status =
      wb_check_potential_machine_make(&check->arena, claim, &check->machine, check->error);
  if (status == WARPBOUND_OK)
    status = wb_check_potential_views_make(&check->arena, claim, &check->machine, &check->views,
                                           check->error);
  if (status == WARPBOUND_OK)
    status = wb_check_potential_states_make(claim, &check->machine, check->views.component_count,
                                            &check->states, check->error);
  check->followed = claim->trailing == 0;
  if (status == WARPBOUND_OK)
    status = judge_bound(check, verdict);
  uint64_t views = claim->component_count > 0 ? 2 * claim->component_count : 1;
  for (size_t v = 0; v < WB_CHECK_POTENTIAL_VIEWS; v++)
    wb_check_potential_moves_start(&check->moves[v], &check->views.view[v].machine,
                                   work_limit / views, check->control);
  if (status == WARPBOUND_OK) {
    status = WARPBOUND_OK;
    for (size_t i = 0; status == WARPBOUND_OK && i < check->claim->state_count; i++)
      for (check->component = 0;
           status == WARPBOUND_OK && check->component < check->views.component_count;
           check->component++)
        status = check_state(check, &check->claim->states[i]);
  }
  return status == WARPBOUND_OK && !check->followed ? follow_trailing(check, work_limit, verdict)
                                                    : status;
}

warpbound_status wb_check_potential(const struct wb_check_potential_claim *claim,
                                    uint64_t work_limit, struct wb_check_potential_verdict *verdict,
                                    warpbound_error *error)
{
  return wb_check_potential_under(claim, work_limit, NULL, verdict, error);
}

warpbound_status wb_check_potential_under(const struct wb_check_potential_claim *claim,
                                          uint64_t work_limit, const struct wb_control *control,
                                          struct wb_check_potential_verdict *verdict,
                                          warpbound_error *error)
{
  struct check check = {.claim = claim, .control = control, .error = error};
  struct wb_check_potential_verdict found = {0};
  warpbound_status status = check_claim(&check, work_limit, &found);
  for (size_t v = 0; v < WB_CHECK_POTENTIAL_VIEWS; v++)
    wb_check_potential_moves_free(&check.moves[v]);
  wb_check_potential_states_free(&check.states);
  wb_arena_free(&check.arena);
  if (status == WARPBOUND_OK)
    *verdict = found;
  return status;
}
