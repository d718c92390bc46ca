#include "makespan/potential/potential_proof.h"

#include "base/checked.h"

#include <math.h>
#include <stdlib.h>

void wb_potential_proof_free(struct wb_potential_proof *proof)
{
  wb_pools_free(&proof->pools);
  wb_potential_free(&proof->potential);
  free(proof->state);
  *proof = (struct wb_potential_proof){0};
}

/* ---- numbers ---- */

static void list(int64_t **numbers, size_t *count, int64_t *number)
{
  if (numbers != NULL)
    numbers[*count] = number;
  ++*count;
}

size_t wb_potential_numbers(struct wb_potential_proof *proof, int64_t **numbers)
{
  struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  size_t count = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    if (potential->shape.count == 1)
      list(numbers, &count, &potential->values[0].stay[p]);
    list(numbers, &count, &potential->own_stay[p]);
  }
  for (size_t k = 0; potential->shape.count == 1 && k < pools->exit_count; k++)
    list(numbers, &count, &potential->leave[0][k]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    list(numbers, &count, &potential->own_leave[k]);
  for (unsigned j = 0; j < potential->shape.count; j++) {
    for (size_t p = 0; p < potential->length; p++)
      list(numbers, &count, &potential->position[j][p]);
    for (size_t i = 0; i < proof->state_count; i++)
      list(numbers, &count, &potential->state_offset[j][proof->state[i]]);
  }
  return count;
}

void wb_potential_reduce(struct wb_potential_proof *proof, int64_t *const *numbers, size_t count)
{
  uint64_t common =
      wb_greatest_common_divisor((uint64_t)proof->gain, (uint64_t)proof->potential.scale);
  for (size_t i = 0; i < count; i++)
    common = wb_greatest_common_divisor(common, wb_magnitude(*numbers[i]));
  const int64_t divisor = (int64_t)common;
  for (size_t i = 0; i < count; i++)
    *numbers[i] /= divisor;
  proof->gain /= divisor;
  proof->potential.scale /= divisor;
  wb_potential_refresh(&proof->potential, &proof->pools);
}

/* ---- the bound ---- */

/* Adds count * value to *sum. False: a number overflows. */
static bool add_product(int64_t *sum, uint64_t count, int64_t value)
{
  int64_t product;
  return count <= INT64_MAX && wb_multiply_signed((int64_t)count, value, &product) &&
         wb_add_signed(*sum, product, sum);
}

/* The value of one of the others in a component before its first instruction. */
static bool value_of_other(const struct wb_potential_proof *proof, unsigned component, int64_t *sum)
{
  const struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  bool ok = true;
  *sum = 0;
  if (potential->shape.count > 1) {
    *sum = potential->position[component][0];
    return true;
  }
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(sum, pools->pool[p].stays, potential->values[0].stay[p]);
  for (size_t k = 0; k < pools->exit_count; k++)
    ok = ok && add_product(sum, pools->exits[k].count, potential->leave[0][k]);
  return ok;
}

/* The value of the own warp before its first instruction. */
static bool value_of_own(const struct wb_potential_proof *proof, int64_t *sum)
{
  const struct wb_pools *pools = &proof->pools;
  bool ok = true;
  *sum = 0;
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(sum, pools->pool[p].stays, proof->potential.own_stay[p]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    ok = ok && add_product(sum, pools->own_exits[k].count, proof->potential.own_leave[k]);
  return ok;
}

double wb_potential_at_start(const struct wb_potential_proof *proof)
{
  uint64_t begin = wb_pools_begin(&proof->pools, proof->problem->warps);
  double most = -INFINITY;
  int64_t own = 0, other = 0;
  if (!value_of_own(proof, &own))
    return INFINITY;
  for (unsigned j = 0; j < proof->potential.shape.count; j++) {
    if (!value_of_other(proof, j, &other))
      return INFINITY;
    most = fmax(most, (double)(proof->problem->warps - 1) * (double)other + (double)own +
                          (double)proof->potential.state_offset[j][begin]);
  }
  return most;
}

/* The largest value over the components at the start of so many warps, and that of one of the
 * others in the steepest component. False: a number overflows. */
static bool most_at(const struct wb_potential_proof *proof, uint32_t warps, int64_t *most,
                    int64_t *steepest)
{
  const struct wb_potential *potential = &proof->potential;
  uint64_t begin = wb_pools_begin(&proof->pools, warps);
  int64_t own, others, sum;
  *most = *steepest = INT64_MIN;
  if (!value_of_own(proof, &own))
    return false;
  for (unsigned j = 0; j < potential->shape.count; j++) {
    if (!value_of_other(proof, j, &others) ||
        !wb_add_signed(own, potential->state_offset[j][begin], &sum) ||
        !add_product(&sum, warps - 1, others))
      return false;
    *steepest = others > *steepest ? others : *steepest;
    *most = sum > *most ? sum : *most;
  }
  return true;
}

bool wb_potential_derive_bound(struct wb_potential_proof *proof)
{
  /* The line rises as the steepest component does, from the highest one at steady_from. Its start
   * is the problem's own if that has steady_from warps or more; of fewer, nothing says that it was
   * walked from. */
  int64_t most, steepest, first, rise;
  proof->steady_from = wb_pools_steady_from(&proof->pools);
  proof->divisor = proof->gain;
  proof->has_line = proof->problem->warps >= proof->steady_from &&
                    most_at(proof, proof->steady_from, &first, &proof->slope) &&
                    wb_multiply_signed(proof->slope, proof->steady_from, &rise) &&
                    wb_subtract_signed(first, rise, &proof->offset);
  if (proof->gain <= 0 || !most_at(proof, proof->problem->warps, &most, &steepest) || most < 0)
    return false;
  proof->cycles = proof->plain = (uint64_t)(most / proof->gain);
  return true;
}

bool wb_potential_take_over(struct wb_potential_proof *proof, const struct wb_problem *problem)
{
  proof->problem = problem;
  return wb_potential_derive_bound(proof);
}

struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof)
{
  if (!proof->has_line)
    return (struct wb_potential_line){0};
  uint64_t common =
      wb_greatest_common_divisor(wb_magnitude(proof->slope), wb_magnitude(proof->offset));
  common = wb_greatest_common_divisor(common, (uint64_t)proof->divisor);
  int64_t divisor = (int64_t)common;
  return (struct wb_potential_line){proof->slope / divisor, proof->offset / divisor,
                                    proof->divisor / divisor, proof->steady_from};
}

bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles)
{
  int64_t total = proof->offset;
  if (!proof->has_line || !add_product(&total, warps, proof->slope) || total < 0)
    return false;
  *cycles = (uint64_t)(total / proof->divisor);
  return true;
}
