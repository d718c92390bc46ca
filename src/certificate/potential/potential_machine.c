#include "certificate/potential/potential_machine.h"

#include "base/checked.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char type_letters[] = "LCSDTN";

/* ---- the string, the units and the pools ---- */

size_t wb_check_machine_pool_of(const struct wb_check_potential_machine *machine, char type)
{
  size_t p = 0;
  while (p < machine->pool_count && machine->pool[p].type != type)
    p++;
  return p;
}

/* s = min(capacity, issue slots); 0: without limit. */
static uint64_t service_of(const struct wb_check_potential_claim *claim, char type)
{
  uint64_t slots = claim->problem.issue_slots;
  if (type == 'N')
    return slots;
  uint64_t capacity = claim->problem.capacity[strchr(type_letters, type) - type_letters];
  return slots > 0 ? wb_minimum(slots, capacity) : capacity;
}

static warpbound_status make_pools(const struct wb_check_potential_claim *claim,
                                   struct wb_check_potential_machine *machine,
                                   warpbound_error *error)
{
  for (size_t p = 0; p < claim->pool_count; p++) {
    if (claim->pools[p].type == '\0' ||
        memchr(claim->problem.letters, claim->pools[p].type, claim->problem.length) == NULL)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: the string has no type %c",
                     claim->pools[p].type);
    if (wb_check_machine_pool_of(machine, claim->pools[p].type) < machine->pool_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: type %c stands there twice",
                     claim->pools[p].type);
    uint64_t service = service_of(claim, claim->pools[p].type);
    if (service == 0)
      return wb_fail(
          error, WARPBOUND_CHECK_FAILED,
          "type N without a cap on issue slots: any number of its warps issue in a cycle, "
          "so that no pool of counted warps can stand for them");
    if (claim->pools[p].warps < service)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "pools: type %c counts up to %u warps, fewer than the %" PRIu64
                     " that it serves in a "
                     "cycle",
                     claim->pools[p].type, claim->pools[p].warps, service);
    if (claim->pools[p].warps > WB_CHECK_POTENTIAL_COUNT_LIMIT ||
        claim->pools[p].work > WB_CHECK_POTENTIAL_COUNT_LIMIT)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: type %c counts beyond %u",
                     claim->pools[p].type, WB_CHECK_POTENTIAL_COUNT_LIMIT);
    machine->pool[machine->pool_count++] = (struct wb_check_machine_pool){
        .type = claim->pools[p].type,
        .service = (int64_t)service,
        .most_warps = claim->pools[p].warps,
        .most_work = claim->pools[p].work,
    };
  }
  for (size_t i = 0; i < claim->problem.length; i++) {
    if (wb_check_machine_pool_of(machine, claim->problem.letters[i]) == machine->pool_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: none for type %c",
                     claim->problem.letters[i]);
  }
  uint64_t slots = claim->problem.issue_slots;
  machine->slots = slots > 0 && slots < INT64_MAX ? (int64_t)slots : INT64_MAX;
  return WARPBOUND_OK;
}

/* ---- the steps of the string ---- */

/* The steps that are gathered: inside runs, or out of them. */
enum which { STAYS, LEAVES };

static size_t run_end(const struct wb_check_potential_claim *claim, size_t begin)
{
  size_t end = begin + 1;
  while (end < claim->problem.length &&
         claim->problem.letters[end] == claim->problem.letters[begin])
    end++;
  return end;
}

/* The step of one run: staying in it, or leaving it. The own warp's leaves forget the
 * length of the run entered. */
static struct wb_check_step_kind step_of_run(const struct wb_check_potential_claim *claim,
                                             const struct wb_check_potential_machine *machine,
                                             size_t begin, size_t end, enum which which, bool own)
{
  struct wb_check_step_kind step = {
      .from = wb_check_machine_pool_of(machine, claim->problem.letters[begin])};
  if (which == STAYS) {
    step.to = step.from;
    step.times = end - begin - 1;
    return step;
  }
  step.times = 1;
  step.to = machine->pool_count;
  if (end < claim->problem.length) {
    step.to = wb_check_machine_pool_of(machine, claim->problem.letters[end]);
    step.length = own ? 0 : run_end(claim, end) - end;
  }
  return step;
}

static int compare_steps(const void *left, const void *right)
{
  const struct wb_check_step_kind *a = left;
  const struct wb_check_step_kind *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return a->length < b->length ? -1 : a->length > b->length;
}

/* Gathers the kinds of the string's steps of one sort, without values. */
static bool gather(struct wb_arena *arena, const struct wb_check_potential_claim *claim,
                   const struct wb_check_potential_machine *machine, enum which which, bool own,
                   struct wb_check_step_kinds *steps)
{
  size_t runs = 0;
  for (size_t begin = 0; begin < claim->problem.length; begin = run_end(claim, begin))
    runs++;
  steps->list = wb_arena_array(arena, struct wb_check_step_kind, runs);
  if (steps->list == NULL)
    return false;
  for (size_t begin = 0, end; begin < claim->problem.length; begin = end) {
    end = run_end(claim, begin);
    struct wb_check_step_kind step = step_of_run(claim, machine, begin, end, which, own);
    if (step.times > 0)
      steps->list[steps->count++] = step;
  }
  size_t kept = 0;
  qsort(steps->list, steps->count, sizeof *steps->list, compare_steps);
  for (size_t i = 0; i < steps->count; i++) {
    if (kept > 0 && compare_steps(&steps->list[kept - 1], &steps->list[i]) == 0)
      steps->list[kept - 1].times += steps->list[i].times;
    else
      steps->list[kept++] = steps->list[i];
  }
  steps->count = kept;
  return true;
}

/* ---- their values ---- */

static warpbound_status refuse_step(const char *list, char from, char to, uint64_t length,
                                    const char *why, warpbound_error *error)
{
  char where[80];
  if (from == to)
    snprintf(where, sizeof where, "in %c", from);
  else if (to == WB_CHECK_POTENTIAL_END)
    snprintf(where, sizeof where, "from %c to the end", from);
  else
    snprintf(where, sizeof where, "from %c to %c", from, to);
  char entered[40] = "";
  if (length > 0)
    snprintf(entered, sizeof entered, ", a run of length %" PRIu64, length);
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "%s %s%s: %s", list, where, entered, why);
}

/* Gives the steps their values, and adds to *through those of all steps of the string. */
static warpbound_status give_values(const struct wb_check_potential_machine *machine,
                                    const char *list,
                                    const struct wb_check_potential_values *values,
                                    struct wb_check_step_kinds *steps, int64_t *through,
                                    warpbound_error *error)
{
  for (size_t i = 0; i < values->count; i++) {
    struct wb_check_step_kind key = {
        .from = wb_check_machine_pool_of(machine, values->list[i].from),
        .to = values->list[i].to == WB_CHECK_POTENTIAL_END
                  ? machine->pool_count
                  : wb_check_machine_pool_of(machine, values->list[i].to),
        .length = values->list[i].length};
    struct wb_check_step_kind *step = NULL;
    /* A letter without a pool must not pass for the end. */
    bool known = values->list[i].to == WB_CHECK_POTENTIAL_END || key.to < machine->pool_count;
    if (known && steps->count > 0)
      step = bsearch(&key, steps->list, steps->count, sizeof *steps->list, compare_steps);
    if (step == NULL)
      return refuse_step(list, values->list[i].from, values->list[i].to, values->list[i].length,
                         "the string has no such step", error);
    if (step->has_value)
      return refuse_step(list, values->list[i].from, values->list[i].to, values->list[i].length,
                         "its value stands there twice", error);
    step->value = values->list[i].value;
    step->has_value = true;
  }
  for (size_t i = 0; i < steps->count; i++) {
    const struct wb_check_step_kind *step = &steps->list[i];
    char to =
        step->to < machine->pool_count ? machine->pool[step->to].type : WB_CHECK_POTENTIAL_END;
    if (!step->has_value)
      return refuse_step(list, machine->pool[step->from].type, to, step->length, "no value", error);
    int64_t product;
    if (!wb_multiply_signed((int64_t)step->times, step->value, &product) ||
        !wb_add_signed(*through, product, through))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "%s: the values of the whole string exceed 64 bits", list);
  }
  return WARPBOUND_OK;
}

static warpbound_status make_leaves(struct wb_arena *arena,
                                    const struct wb_check_potential_claim *claim, bool own,
                                    struct wb_check_potential_machine *machine,
                                    warpbound_error *error)
{
  struct wb_check_step_kinds *steps = own ? &machine->own_leave : &machine->leave;
  if (!gather(arena, claim, machine, LEAVES, own, steps))
    return wb_out_of_memory(error);
  if (!own && claim->component_count > 0)
    return WARPBOUND_OK;
  return give_values(machine, own ? "own_leave" : "leave", own ? &claim->own_leave : &claim->leave,
                     steps, own ? &machine->own_through : &machine->through, error);
}

static warpbound_status make_stays(struct wb_arena *arena,
                                   const struct wb_check_potential_claim *claim, bool own,
                                   struct wb_check_potential_machine *machine,
                                   warpbound_error *error)
{
  struct wb_check_step_kinds steps = {0};
  if (!gather(arena, claim, machine, STAYS, own, &steps))
    return wb_out_of_memory(error);
  warpbound_status status =
      give_values(machine, own ? "own_stay" : "stay", own ? &claim->own_stay : &claim->stay, &steps,
                  own ? &machine->own_through : &machine->through, error);
  for (size_t i = 0; status == WARPBOUND_OK && i < steps.count; i++) {
    struct wb_check_machine_pool *pool = &machine->pool[steps.list[i].from];
    *(own ? &pool->own_stay : &pool->stay) = steps.list[i].value;
  }
  return status;
}

warpbound_status wb_check_potential_machine_make(struct wb_arena *arena,
                                                 const struct wb_check_potential_claim *claim,
                                                 struct wb_check_potential_machine *machine,
                                                 warpbound_error *error)
{
  *machine = (struct wb_check_potential_machine){0};
  if (claim->problem.length == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one instruction");
  for (size_t i = 0; i < claim->problem.length; i++) {
    char letter = claim->problem.letters[i];
    const char *found = letter != '\0' ? strchr(type_letters, letter) : NULL;
    if (found == NULL)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu: expected one of L, C, S, D, T, N", i + 1);
    if (letter != 'N' && claim->problem.capacity[found - type_letters] == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of type %c, for which no units are given", i + 1, letter);
  }
  warpbound_status status = make_pools(claim, machine, error);
  if (status != WARPBOUND_OK)
    return status;
  machine->first = wb_check_machine_pool_of(machine, claim->problem.letters[0]);
  machine->first_length = run_end(claim, 0);
  for (size_t begin = 0, end; begin < claim->problem.length; begin = end) {
    end = run_end(claim, begin);
    struct wb_check_machine_pool *pool =
        &machine->pool[wb_check_machine_pool_of(machine, claim->problem.letters[begin])];
    if ((int64_t)(end - begin) > pool->longest)
      pool->longest = (int64_t)(end - begin);
    pool->stays = pool->longest >= 2;
    pool->waits = true;
  }
  for (int own = 0; own < 2; own++) {
    if (status == WARPBOUND_OK && (own == 1 || claim->component_count == 0))
      status = make_stays(arena, claim, own == 1, machine, error);
    if (status == WARPBOUND_OK)
      status = make_leaves(arena, claim, own == 1, machine, error);
  }
  assert(status != WARPBOUND_OK || wb_check_potential_machine_is_sound(machine));
  return status;
}

static bool is_sorted(const struct wb_check_step_kinds *steps)
{
  bool sorted = true;
  for (size_t i = 1; i < steps->count; i++)
    sorted = sorted && compare_steps(&steps->list[i - 1], &steps->list[i]) < 0;
  return sorted;
}

bool wb_check_potential_machine_is_sound(const struct wb_check_potential_machine *machine)
{
  bool sound = is_sorted(&machine->leave) && is_sorted(&machine->own_leave);
  for (size_t p = 0; p < machine->pool_count; p++) {
    const struct wb_check_machine_pool *pool = &machine->pool[p];
    sound = sound && wb_check_machine_pool_of(machine, pool->type) == p && pool->service >= 1 &&
            pool->most_warps >= pool->service;
  }
  for (size_t k = 0; k < machine->own_leave.count; k++)
    sound = sound && machine->own_leave.list[k].length == 0;
  return sound;
}
