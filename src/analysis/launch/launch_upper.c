/* The greatest bound over all residencies. */
#include "analysis/launch/launch_upper.h"

#include "base/checked.h"

uint32_t wb_launch_resident_blocks(const struct wb_launch_shape *shape,
                                   const struct wb_occupancy *occupancy, bool balanced)
{
  const uint64_t share = wb_divide_up(shape->blocks, shape->sms);
  return balanced ? (uint32_t)wb_minimum(occupancy->resident_blocks, share)
                  : occupancy->resident_blocks;
}

warpbound_status wb_launch_upper_find(const struct wb_launch_terms *terms,
                                      const struct wb_launch_shape *shape,
                                      const struct wb_residencies *residencies, bool balanced,
                                      struct wb_launch_upper *upper, warpbound_error *error)
{
  struct wb_launch_shape one = *shape;
  warpbound_status status = WARPBOUND_OK;
  *upper = (struct wb_launch_upper){0};
  for (size_t r = 0; r < residencies->count && status == WARPBOUND_OK; r++) {
    struct wb_launch_bound bound;
    one.resident_blocks =
        wb_launch_resident_blocks(shape, &residencies->items[r].occupancy, balanced);
    status = wb_launch_bound_evaluate(terms, &one, &bound, error);
    if (status != WARPBOUND_OK)
      break;
    upper->cycles[r] = bound.cycles;
    upper->resident[r] = one.resident_blocks;
    if (r == 0 || bound.cycles > upper->bound.cycles) {
      upper->bound = bound;
      upper->worst = r;
    }
  }
  return status;
}
