#include "certificate/potential/potential_states.h"

#include "base/checked.h"

#include <assert.h>
#include <inttypes.h>

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
