#include "makespan/potential/potential_weights.h"

#include "base/checked.h"

#include <string.h>

/* A search under way: the best shape, and those asked for. */
struct search {
  wb_potential_attempt *attempt;
  void *context;
  struct wb_potential_shape best;
  struct wb_potential_shape asked[WB_POTENTIAL_SHAPES];
  size_t asked_count;
  bool go_on;
};

static bool was_asked(const struct search *search, const struct wb_potential_shape *shape)
{
  for (size_t i = 0; i < search->asked_count; i++)
    if (memcmp(search->asked[i].weight, shape->weight, sizeof shape->weight) == 0)
      return true;
  return false;
}

/* *paid is set where the shape is better than the best. */
static warpbound_status ask(struct search *search, const struct wb_potential_shape *shape,
                            bool *paid, warpbound_error *error)
{
  bool better = false;
  if (was_asked(search, shape))
    return WARPBOUND_OK;
  if (search->asked_count == WB_POTENTIAL_SHAPES) {
    search->go_on = false;
    return WARPBOUND_OK;
  }
  search->asked[search->asked_count++] = *shape;
  warpbound_status status = search->attempt(search->context, shape, &better, &search->go_on, error);
  if (status != WARPBOUND_OK)
    search->go_on = false;
  if (better)
    search->best = *shape;
  *paid = *paid || better;
  return status;
}

/* Piece j answers by the component that is `by` further on, for every j. */
static struct wb_potential_shape way_round(const struct wb_potential_shape *begin, unsigned by)
{
  struct wb_potential_shape shape = *begin;
  memset(shape.weight, 0, sizeof shape.weight);
  for (unsigned j = 0; j < shape.count; j++)
    shape.weight[j][(j + by) % shape.count] = WB_POTENTIAL_WEIGHT_SUM;
  return shape;
}

/* Move i of count^3: up to `weight_sum` weight_sum of one component's weights from one component to
 * another. False where it makes no sense. */
static bool move_parts(struct wb_potential_shape *shape, unsigned i, uint32_t weight_sum)
{
  unsigned count = shape->count;
  unsigned component = i / (count * count), from = i / count % count, to = i % count;
  uint32_t moved = (uint32_t)wb_minimum(weight_sum, shape->weight[component][from]);
  if (from == to || to == component || moved == 0)
    return false;
  shape->weight[component][from] -= moved;
  shape->weight[component][to] += moved;
  return true;
}

/* Moves as long as any pays; two at once, in different components, or one. */
static warpbound_status try_moves(struct search *search, uint32_t weight_sum, bool two,
                                  warpbound_error *error)
{
  unsigned square = search->best.count * search->best.count, moves = square * search->best.count;
  warpbound_status status = WARPBOUND_OK;
  for (bool paid = true; paid && search->go_on;) {
    paid = false;
    for (unsigned i = 0; i < moves && search->go_on; i++) {
      unsigned first = two ? (i / square + 1) * square : moves - 1;
      for (unsigned k = first; k < moves && search->go_on; k++) {
        struct wb_potential_shape shape = search->best;
        if (move_parts(&shape, i, weight_sum) && (!two || move_parts(&shape, k, weight_sum)))
          status = ask(search, &shape, &paid, error);
      }
    }
  }
  return status;
}

warpbound_status wb_potential_improve_weights(const struct wb_potential_shape *begin,
                                              wb_potential_attempt *attempt, void *context,
                                              warpbound_error *error)
{
  struct search search = {.attempt = attempt,
                          .context = context,
                          .best = *begin,
                          .asked = {*begin},
                          .asked_count = 1,
                          .go_on = begin->count > 2};
  warpbound_status status = WARPBOUND_OK;
  bool paid = false;
  for (unsigned by = 1; by < begin->count && search.go_on; by++) {
    struct wb_potential_shape shape = way_round(begin, by);
    status = ask(&search, &shape, &paid, error);
  }
  for (uint32_t weight_sum = WB_POTENTIAL_WEIGHT_SUM; weight_sum > 0 && search.go_on;
       weight_sum /= 2)
    status = try_moves(&search, weight_sum, false, error);
  if (search.go_on)
    status = try_moves(&search, WB_POTENTIAL_WEIGHT_SUM / 2, true, error);
  return status;
}
