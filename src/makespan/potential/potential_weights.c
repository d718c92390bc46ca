#include "makespan/potential/potential_weights.h"

#include "base/checked.h"

#include <string.h>

/* A search under way. */
struct search {
  wb_potential_attempt *attempt;
  void *context; /* of attempt */
  struct wb_potential_shape best;
  struct wb_potential_shape tried[WB_POTENTIAL_SHAPES];
  size_t tried_count;
  bool go_on;
};

/* Tries a shape. *improved is set where it is better than the best. */
static warpbound_status try_shape(struct search *search, const struct wb_potential_shape *shape,
                                  bool *improved, warpbound_error *error)
{
  bool better = false;
  for (size_t i = 0; i < search->tried_count; i++)
    if (memcmp(search->tried[i].weight, shape->weight, sizeof shape->weight) == 0)
      return WARPBOUND_OK;
  if (search->tried_count == WB_POTENTIAL_SHAPES) {
    search->go_on = false;
    return WARPBOUND_OK;
  }
  search->tried[search->tried_count++] = *shape;
  warpbound_status status = search->attempt(search->context, shape, &better, &search->go_on, error);
  if (status != WARPBOUND_OK)
    search->go_on = false;
  if (better)
    search->best = *shape;
  *improved = *improved || better;
  return status;
}

/* Move i of count^3: up to `most` weight of a component from one other to another. False: there is
 * no such move. */
static bool move_weight(struct wb_potential_shape *shape, unsigned i, uint32_t most)
{
  unsigned count = shape->count;
  unsigned component = i / (count * count), from = i / count % count, to = i % count;
  uint32_t moved = (uint32_t)wb_minimum(most, shape->weight[component][from]);
  if (from == to || to == component || moved == 0)
    return false;
  shape->weight[component][from] -= moved;
  shape->weight[component][to] += moved;
  return true;
}

/* Moves as long as any is better; two at once, in different components, or one. */
static warpbound_status try_moves(struct search *search, uint32_t most, bool two,
                                  warpbound_error *error)
{
  unsigned square = search->best.count * search->best.count, moves = square * search->best.count;
  warpbound_status status = WARPBOUND_OK;
  for (bool improved = true; improved && search->go_on;) {
    improved = false;
    for (unsigned i = 0; i < moves && search->go_on; i++) {
      unsigned first = two ? (i / square + 1) * square : moves - 1;
      for (unsigned k = first; k < moves && search->go_on; k++) {
        struct wb_potential_shape shape = search->best;
        if (move_weight(&shape, i, most) && (!two || move_weight(&shape, k, most)))
          status = try_shape(search, &shape, &improved, error);
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
                          .tried = {*begin},
                          .tried_count = 1,
                          .go_on = begin->count > 2};
  warpbound_status status = WARPBOUND_OK;
  bool improved = false;
  for (unsigned by = 1; by < begin->count && search.go_on; by++) {
    /* Each component is dominated by the one that is `by` further on. */
    struct wb_potential_shape shape = *begin;
    memset(shape.weight, 0, sizeof shape.weight);
    for (unsigned j = 0; j < shape.count; j++)
      shape.weight[j][(j + by) % shape.count] = WB_POTENTIAL_WEIGHT_SUM;
    status = try_shape(&search, &shape, &improved, error);
  }
  for (uint32_t most = WB_POTENTIAL_WEIGHT_SUM; most > 0 && search.go_on; most /= 2)
    status = try_moves(&search, most, false, error);
  if (search.go_on)
    status = try_moves(&search, WB_POTENTIAL_WEIGHT_SUM / 2, true, error);
  return status;
}
