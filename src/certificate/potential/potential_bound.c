#include "certificate/potential/potential_bound.h"

#include "base/checked.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* The arguments of wb_check_potential_find_bound. */
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

static warpbound_status too_large(const struct pass *pass)
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
      return too_large(pass);
    *most = sum > *most ? sum : *most;
    *slope = through(pass, j) > *slope ? through(pass, j) : *slope;
  }
  return WARPBOUND_OK;
}

/* floor(sum / g), which must be at most `cycles` once the slacks are known. No schedule is shorter
 * than the string: a bound below its length is false whatever the moves gain. */
static warpbound_status find_bound(const struct pass *pass,
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
    return too_large(pass);
  return WARPBOUND_OK;
}

warpbound_status wb_check_potential_find_bound(
    const struct wb_check_potential_claim *claim, const struct wb_check_potential_states *states,
    const struct wb_check_trailing_start starts[WB_CHECK_TRAILING_STARTS], bool final,
    struct wb_check_potential_verdict *verdict, warpbound_error *error)
{
  const struct pass pass = {claim, states, starts, final, error};
  warpbound_status status = find_bound(&pass, verdict);
  return status == WARPBOUND_OK && claim->from_warps > 0 ? find_line(&pass, verdict) : status;
}
