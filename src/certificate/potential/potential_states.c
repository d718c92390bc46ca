#include "certificate/potential/potential_states.h"

#include "base/checked.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* ---- views ---- */

/* Weights are at most this, so that sums of them are small. */
#define MOST_WEIGHT (UINT64_C(1) << 20)

/* ---- the claim ---- */

static warpbound_status check_components(const struct wb_check_potential_claim *claim,
                                         const struct wb_check_potential_machine *machine,
                                         warpbound_error *error)
{
  if (claim->component_count != machine->pool_count)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "pieces: expected one for each of the %zu pools, found %zu", machine->pool_count,
                   claim->component_count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t j = 0; status == WARPBOUND_OK && j < claim->component_count; j++) {
    const struct wb_check_potential_component *component = &claim->components[j];
    const struct wb_check_machine_pool *pool = &machine->pool[j];
    uint64_t weight_sum = 0;
    if (component->type != pool->type)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "pieces, entry %zu: expected that of the pool of type %c, found %c", j + 1,
                     pool->type, component->type);
    if (component->least < 1 || (int64_t)component->least > pool->most_warps)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "pieces: type %c is active from %u warps on, expected 1 to %" PRId64,
                     component->type, component->least, pool->most_warps);
    for (size_t i = 0; i < claim->component_count; i++) {
      if (component->weights[i] > MOST_WEIGHT)
        return wb_fail(error, WARPBOUND_CHECK_FAILED, "pieces: type %c has a weight above %" PRIu64,
                       component->type, MOST_WEIGHT);
      weight_sum += component->weights[i];
    }
    if (weight_sum == 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pieces: type %c has no weights",
                     component->type);
  }
  return status;
}

/* ---- one view ---- */

/* The kind of step of the instruction at `done` in the view's machine; NULL for one that stays in
 * its run. */
static struct wb_check_step_kind *leaving_step(const struct wb_check_potential_claim *claim,
                                               struct wb_check_potential_machine *machine,
                                               size_t done)
{
  const char *letters = claim->problem.letters;
  size_t next = done + 1, end = next;
  if (next < claim->problem.length && letters[next] == letters[done])
    return NULL;
  while (end < claim->problem.length && letters[end] == letters[next])
    end++;
  size_t from = wb_check_machine_pool_of(machine, letters[done]);
  size_t to = next < claim->problem.length ? wb_check_machine_pool_of(machine, letters[next])
                                           : machine->pool_count;
  struct wb_check_step_kind *step = machine->leave.list;
  while (step->from != from || step->to != to || step->length != end - next)
    step++;
  return step;
}

static void keep_least(int64_t value, int64_t *least, bool *has)
{
  if (!*has || value < *least)
    *least = value;
  *has = true;
}

/* Gives each kind of step, and the warps that wait in each pool, the least value that any
 * instruction of the kind has. */
static bool value_steps(const struct wb_check_potential_claim *claim, size_t component,
                        struct wb_check_potential_view *view)
{
  struct wb_check_potential_machine *machine = &view->machine;
  const int64_t *own = claim->components[component].values;
  bool has_stay[WB_CHECK_POTENTIAL_POOLS] = {false};
  bool has_idle[WB_CHECK_POTENTIAL_POOLS] = {false};
  for (size_t k = 0; k < machine->leave.count; k++)
    machine->leave.list[k].has_value = false;
  for (size_t done = 0; done < claim->problem.length; done++) {
    int64_t before, after, idle;
    int64_t next = done + 1 < claim->problem.length ? own[done + 1] : 0;
    /* The weighted value of a warp other than the own one after `done` instructions. */
    before = 0;
    for (size_t i = 0; i < claim->component_count; i++) {
      int64_t part;
      if (!wb_multiply_signed(view->weights[i], claim->components[i].values[done], &part) ||
          !wb_add_signed(before, part, &before))
        return false;
    }
    if (!wb_multiply_signed(view->weight_sum, next, &after) ||
        !wb_subtract_signed(before, after, &after) ||
        !wb_multiply_signed(view->weight_sum, own[done], &idle) ||
        !wb_subtract_signed(before, idle, &idle))
      return false;
    size_t pool = wb_check_machine_pool_of(machine, claim->problem.letters[done]);
    struct wb_check_step_kind *step = leaving_step(claim, machine, done);
    if (step == NULL)
      keep_least(after, &machine->pool[pool].stay, &has_stay[pool]);
    else
      keep_least(after, &step->value, &step->has_value);
    keep_least(idle, &view->idle[pool], &has_idle[pool]);
  }
  return true;
}

static bool copy_steps(struct wb_arena *arena, const struct wb_check_step_kinds *from,
                       struct wb_check_step_kinds *to)
{
  *to = (struct wb_check_step_kinds){wb_arena_array(arena, struct wb_check_step_kind, from->count),
                                     from->count};
  if (to->list == NULL)
    return false;
  memcpy(to->list, from->list, from->count * sizeof *to->list);
  return true;
}

static bool copy_machine(struct wb_arena *arena, const struct wb_check_potential_machine *from,
                         struct wb_check_potential_machine *to)
{
  *to = *from;
  return copy_steps(arena, &from->leave, &to->leave) &&
         copy_steps(arena, &from->own_leave, &to->own_leave);
}

/* ---- all views ---- */

warpbound_status wb_check_potential_views_make(struct wb_arena *arena,
                                               const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               struct wb_check_potential_views *views,
                                               warpbound_error *error)
{
  if (claim->component_count == 0) {
    views->component_count = 1;
    views->view[0].weights[0] = views->view[0].weight_sum = 1;
    return copy_machine(arena, machine, &views->view[0].machine) ? WARPBOUND_OK
                                                                 : wb_out_of_memory(error);
  }
  warpbound_status status = check_components(claim, machine, error);
  views->component_count = claim->component_count;
  for (size_t v = 0; status == WARPBOUND_OK && v < 2 * claim->component_count; v++) {
    size_t component = v % claim->component_count;
    if (!copy_machine(arena, machine, &views->view[v].machine))
      return wb_out_of_memory(error);
    if (v == component)
      views->view[v].weights[component] = 1;
    for (size_t i = 0; v != component && i < claim->component_count; i++)
      views->view[v].weights[i] = (int64_t)claim->components[component].weights[i];
    for (size_t i = 0; i < claim->component_count; i++)
      views->view[v].weight_sum += views->view[v].weights[i];
    assert(views->view[v].weight_sum >= 1);
    bool fits = value_steps(claim, component, &views->view[v]);
    /* The own warp's values times the sum of the weights. */
    struct wb_check_potential_machine *its = &views->view[v].machine;
    const int64_t weight_sum = views->view[v].weight_sum;
    for (size_t p = 0; fits && p < its->pool_count; p++)
      fits = wb_multiply_signed(weight_sum, its->pool[p].own_stay, &its->pool[p].own_stay);
    for (size_t k = 0; fits && k < its->own_leave.count; k++)
      fits = wb_multiply_signed(weight_sum, its->own_leave.list[k].value,
                                &its->own_leave.list[k].value);
    if (!fits)
      status = wb_fail(error, WARPBOUND_CHECK_FAILED, "pieces: their values exceed 64 bits");
  }
  return status;
}

size_t wb_check_potential_views_choose(const struct wb_check_potential_views *views,
                                       const struct wb_check_potential_claim *claim, size_t own,
                                       const uint32_t warps[WB_CHECK_POTENTIAL_POOLS],
                                       size_t component)
{
  bool any = false;
  bool active = false;
  for (size_t p = 0; p < claim->component_count; p++) {
    bool enough = warps[p] + (p == own ? 1 : 0) >= claim->components[p].least;
    any = any || enough;
    active = active || (p == component && enough);
  }
  return any && !active ? views->component_count + component : component;
}

/* ---- one state ---- */

struct wb_check_content
wb_check_potential_state_content(const struct wb_check_potential_machine *machine,
                                 const struct wb_check_potential_state *state)
{
  struct wb_check_content content = {0};
  for (size_t p = 0; p < machine->pool_count; p++) {
    content.warps[p] = state->warps[p];
    content.work[p] = state->work[p];
  }
  return content;
}

uint64_t wb_check_potential_start_work(const struct wb_check_potential_machine *machine,
                                       uint64_t others)
{
  uint64_t work;
  return wb_multiply(others, machine->first_length, &work) ? work : UINT64_MAX;
}

struct wb_check_content
wb_check_potential_start_content(const struct wb_check_potential_machine *machine, uint64_t others)
{
  size_t first = machine->first;
  const struct wb_check_machine_pool *pool = &machine->pool[first];
  struct wb_check_content start = {0};
  start.warps[first] = (uint32_t)wb_minimum(others, (uint64_t)pool->most_warps);
  start.work[first] = (uint32_t)wb_minimum(wb_check_potential_start_work(machine, others),
                                           (uint64_t)pool->most_work);
  return start;
}

static void write_number(struct wb_text *text, const char *name, uint32_t number, int64_t most)
{
  wb_text_format(text, "%s%" PRIu32 "%s", name, number, number == most ? " or more" : "");
}

void wb_check_potential_state_write(const struct wb_check_potential_machine *machine, size_t own,
                                    const struct wb_check_content *content, struct wb_text *text)
{
  if (own == machine->pool_count) {
    wb_text_string(text, "the end");
    return;
  }
  wb_text_format(text, "(own %c", machine->pool[own].type);
  for (size_t p = 0; p < machine->pool_count; p++) {
    const struct wb_check_machine_pool *pool = &machine->pool[p];
    wb_text_format(text, "; %c: ", pool->type);
    write_number(text, "", content->warps[p], pool->most_warps);
    if (pool->most_work > 0)
      write_number(text, ", work ", content->work[p], pool->most_work);
  }
  wb_text_string(text, ")");
}

/* ---- the states listed ---- */

static warpbound_status refuse_state(size_t index, const char *why, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "state %zu of the list: %s", index + 1, why);
}

warpbound_status wb_check_potential_states_make(const struct wb_check_potential_claim *claim,
                                                const struct wb_check_potential_machine *machine,
                                                size_t component_count,
                                                struct wb_check_potential_states *states,
                                                warpbound_error *error)
{
  *states =
      (struct wb_check_potential_states){.machine = machine, .component_count = component_count};
  for (size_t i = 0; i < claim->state_count; i++) {
    const struct wb_check_potential_state *state = &claim->states[i];
    size_t own = wb_check_machine_pool_of(machine, state->own);
    if (own == machine->pool_count)
      return refuse_state(i, "the own warp's type has no pool", error);
    for (size_t p = 0; p < machine->pool_count; p++) {
      const struct wb_check_machine_pool *pool = &machine->pool[p];
      if (state->warps[p] > pool->most_warps || state->work[p] > pool->most_work)
        return refuse_state(i, "a number beyond the limits of its pool", error);
    }
    for (size_t j = 0; j < states->component_count; j++) {
      struct wb_check_content_value entry = {wb_check_potential_state_content(machine, state),
                                             state->offset[j]};
      switch (wb_check_content_map_add(&states->offsets[j][own], &entry)) {
      case WB_CHECK_CONTENT_OLD:
        return refuse_state(i, "it stands there twice", error);
      case WB_CHECK_CONTENT_FULL:
        return wb_fail(error, WARPBOUND_LIMIT, "more than %zu states with the own warp in %c",
                       WB_CHECK_CONTENT_MAP_LIMIT, state->own);
      case WB_CHECK_CONTENT_NO_MEMORY:
        return wb_out_of_memory(error);
      default:
        break;
      }
    }
  }
  for (size_t j = 0; j < component_count; j++)
    for (size_t p = 0; p < machine->pool_count; p++)
      assert(wb_check_content_map_is_sound(&states->offsets[j][p]));
  return WARPBOUND_OK;
}

const struct wb_check_content_value *
wb_check_potential_states_find(const struct wb_check_potential_states *states, size_t component,
                               size_t own, const struct wb_check_content *content)
{
  return wb_check_content_map_find(&states->offsets[component][own], content);
}

void wb_check_potential_states_free(struct wb_check_potential_states *states)
{
  for (size_t j = 0; j < WB_CHECK_POTENTIAL_POOLS; j++)
    for (size_t p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++)
      wb_check_content_map_free(&states->offsets[j][p]);
  *states = (struct wb_check_potential_states){0};
}
