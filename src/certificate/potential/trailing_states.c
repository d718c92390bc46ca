#include "certificate/potential/trailing_states.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/potential_states.h"

#include <stdlib.h>

/* Numbers in all rows at most: 64 MiB. */
#define ROWS_LIMIT ((size_t)1 << 24)

static bool within(int64_t value)
{
  return value >= -WB_CHECK_TRAILING_NUMBER_LIMIT && value <= WB_CHECK_TRAILING_NUMBER_LIMIT;
}

static warpbound_status add(struct wb_check_content_map *sums,
                            const struct wb_check_content *content, size_t number,
                            warpbound_error *error)
{
  switch (
      wb_check_content_map_add(sums, &(struct wb_check_content_value){*content, (int64_t)number})) {
  case WB_CHECK_CONTENT_NO_MEMORY:
    return wb_out_of_memory(error);
  case WB_CHECK_CONTENT_FULL:
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %zu states",
                   WB_CHECK_CONTENT_MAP_LIMIT);
  default:
    return WARPBOUND_OK;
  }
}

/* ---- the states listed ---- */

/* The offset of a state under a view, less the gain of a cycle. */
static bool offset_before(const struct wb_check_potential_claim *claim,
                          const struct wb_check_trailing_values *values,
                          const struct wb_check_trailing_view *view,
                          const struct wb_check_potential_state *state, int64_t *sum)
{
  if (!wb_multiply_signed(values->scale, claim->gain, sum) || !within(*sum))
    return false;
  *sum = -*sum;
  for (size_t i = 0; i < values->component_count; i++) {
    int64_t part;
    if (!wb_multiply_signed(view->weights[i], state->offset[i], &part) ||
        !wb_add_signed(*sum, part, sum))
      return false;
  }
  return within(*sum);
}

static warpbound_status take_state(const struct wb_check_potential_claim *claim,
                                   const struct wb_check_potential_views *views, size_t s,
                                   struct wb_check_trailing_states *states, warpbound_error *error)
{
  const struct wb_check_trailing_values *values = states->values;
  const struct wb_check_potential_state *state = &claim->states[s];
  const struct wb_check_content content = wb_check_potential_state_content(states->machine, state);
  const size_t own = wb_check_machine_pool_of(states->machine, state->own);
  for (size_t j = 0; j < values->component_count; j++) {
    size_t at = s * values->component_count + j;
    if (claim->component_count > 0)
      states->view[at] = wb_check_potential_views_choose(views, claim, own, content.warps, j);
    if (!offset_before(claim, values, &values->view[states->view[at]], state,
                       &states->before[at]) ||
        !wb_multiply_signed(values->scale, state->offset[j], &states->offset[at]) ||
        !within(states->offset[at]))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "rear: the offsets exceed what the checker takes");
  }
  return add(&states->listed[own], &content, s, error);
}

/* Adds a row of states that are not listed; false where memory is out. */
static bool add_row(struct wb_check_trailing_states *states)
{
  size_t width = states->leading->states.count;
  if (!wb_grow(states->state, &states->state_capacity, (states->row_count + 1) * width))
    return false;
  for (size_t c = 0; c < width; c++)
    states->state[states->row_count * width + c] = WB_CHECK_TRAILING_NO_STATE;
  states->row_count++;
  return true;
}

/* The row of trailing warps that have ended: with leading warps that have ended too that is the
 * end. */
static warpbound_status make_end(struct wb_check_trailing_states *states, warpbound_error *error)
{
  static const struct wb_check_content no_warps = {0};
  const struct wb_check_content_map *leading = &states->leading->states;
  const struct wb_check_content_value *ended = wb_check_content_map_find(leading, &no_warps);
  if (!add_row(states))
    return wb_out_of_memory(error);
  if (ended != NULL)
    states->state[ended - leading->list] = (int32_t)states->state_count;
  return WARPBOUND_OK;
}

warpbound_status wb_check_trailing_states_make(const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               const struct wb_check_trailing_values *values,
                                               struct wb_check_leading_warps *leading,
                                               struct wb_check_trailing_states *states,
                                               warpbound_error *error)
{
  *states = (struct wb_check_trailing_states){
      .values = values, .leading = leading, .machine = machine, .state_count = claim->state_count};
  size_t count = (claim->state_count + 1) * values->component_count;
  if (claim->state_count > WB_CHECK_CONTENT_MAP_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %zu states",
                   WB_CHECK_CONTENT_MAP_LIMIT);
  states->view = wb_allocate(count, sizeof *states->view);
  states->offset = wb_allocate(count, sizeof *states->offset);
  states->before = wb_allocate(count, sizeof *states->before);
  if (states->view == NULL || states->offset == NULL || states->before == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; status == WARPBOUND_OK && s < claim->state_count; s++)
    status = take_state(claim, views, s, states, error);
  return status == WARPBOUND_OK ? make_end(states, error) : status;
}

/* ---- rows ---- */

/* The sum of two numbers, cut off. */
static uint32_t add_up_to(uint64_t left, uint64_t right, int64_t most)
{
  return (uint32_t)wb_minimum(wb_minimum(left, (uint64_t)most) + wb_minimum(right, (uint64_t)most),
                              (uint64_t)most);
}

/* Fills the newest row: that of an own warp in pool `own` and other trailing warps with that
 * content. */
static void fill_row(struct wb_check_trailing_states *states, size_t own,
                     const struct wb_check_content *trailing)
{
  const struct wb_check_content_map *leading = &states->leading->states;
  int32_t *row = states->state + (states->row_count - 1) * leading->count;
  for (size_t c = 0; c < leading->count; c++) {
    struct wb_check_content all = {0};
    for (size_t p = 0; p < states->machine->pool_count; p++) {
      const struct wb_check_machine_pool *pool = &states->machine->pool[p];
      all.warps[p] =
          add_up_to(trailing->warps[p], leading->list[c].content.warps[p], pool->most_warps);
      all.work[p] = add_up_to(trailing->work[p], leading->list[c].content.work[p], pool->most_work);
    }
    const struct wb_check_content_value *found =
        wb_check_content_map_find(&states->listed[own], &all);
    if (found != NULL)
      row[c] = (int32_t)found->value;
  }
}

warpbound_status wb_check_trailing_states_row(struct wb_check_trailing_states *states,
                                              const size_t *position, size_t count, size_t *row,
                                              warpbound_error *error)
{
  *row = 0;
  if (position[0] == states->values->length)
    return WARPBOUND_OK;
  size_t own = states->values->position[position[0]].pool;
  /* The content of the trailing warps but the own one. */
  struct wb_check_content trailing = {0};
  for (size_t i = 1; i < count && position[i] < states->values->length; i++) {
    const struct wb_check_trailing_position *at = &states->values->position[position[i]];
    const struct wb_check_machine_pool *pool = &states->machine->pool[at->pool];
    trailing.warps[at->pool] = add_up_to(trailing.warps[at->pool], 1, pool->most_warps);
    trailing.work[at->pool] = add_up_to(trailing.work[at->pool], at->left, pool->most_work);
  }

  const struct wb_check_content_value *found =
      wb_check_content_map_find(&states->rows[own], &trailing);
  if (found != NULL) {
    *row = (size_t)found->value;
    return WARPBOUND_OK;
  }
  *row = states->row_count;
  if (states->row_count >= ROWS_LIMIT / states->leading->states.count)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more states than the checker's tables take");
  warpbound_status status =
      wb_check_leading_warps_spend(states->leading, states->leading->states.count, error);
  if (status == WARPBOUND_OK)
    status = add(&states->rows[own], &trailing, *row, error);
  if (status == WARPBOUND_OK && !add_row(states))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    fill_row(states, own, &trailing);
  return status;
}

void wb_check_trailing_states_free(struct wb_check_trailing_states *states)
{
  free(states->view);
  free(states->offset);
  free(states->before);
  for (size_t p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    wb_check_content_map_free(&states->listed[p]);
    wb_check_content_map_free(&states->rows[p]);
  }
  free(states->state);
  *states = (struct wb_check_trailing_states){0};
}
