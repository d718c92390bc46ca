/* The search for weights, on a made-up worth: the distance to some weights that are best. */
#include "makespan/potential/potential_search.h"
#include "unit.h"

/* asked: the first shapes, in order. least: of those asked and the first one. */
struct judge {
  struct wb_potential_shape target;
  struct wb_potential_shape asked[WB_POTENTIAL_SHAPES];
  size_t asked_count;
  size_t patience;
  unsigned least;
};

static unsigned distance(const struct wb_potential_shape *a, const struct wb_potential_shape *b)
{
  unsigned sum = 0;
  for (unsigned j = 0; j < a->count; j++)
    for (unsigned i = 0; i < a->count; i++)
      sum += (unsigned)abs((int)a->weight[j][i] - (int)b->weight[j][i]);
  return sum;
}

static warpbound_status ask(void *context, const struct wb_potential_shape *shape, bool *better,
                            bool *go_on, warpbound_error *error)
{
  (void)error;
  struct judge *judge = context;
  for (unsigned j = 0; j < shape->count; j++) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < shape->count; i++)
      sum += shape->weight[j][i];
    assert_int_equal(sum, WB_POTENTIAL_WEIGHT_SUM);
    assert_int_equal(shape->weight[j][j], 0);
  }
  for (size_t i = 0; i < judge->asked_count; i++)
    assert_memory_not_equal(shape->weight, judge->asked[i].weight, sizeof shape->weight);
  assert_true(judge->asked_count < WB_POTENTIAL_SHAPES);
  judge->asked[judge->asked_count++] = *shape;
  *better = distance(shape, &judge->target) < judge->least;
  if (*better)
    judge->least = distance(shape, &judge->target);
  *go_on = judge->asked_count < judge->patience;
  return WARPBOUND_OK;
}

static struct wb_potential_shape three(uint32_t first, uint32_t second, uint32_t third)
{
  struct wb_potential_shape shape = {.count = 3, .least = {1, 1, 1}};
  const uint32_t next[3] = {first, second, third};
  for (unsigned j = 0; j < 3; j++) {
    shape.weight[j][(j + 1) % 3] = next[j];
    shape.weight[j][(j + 2) % 3] = WB_POTENTIAL_WEIGHT_SUM - next[j];
  }
  return shape;
}

TEST(every_goal_is_reached)
{
  const struct wb_potential_shape all_next = three(4, 4, 4), all_last = three(0, 0, 0);
  for (uint32_t goal = 0; goal < 125; goal++) {
    struct wb_potential_shape begin = three(2, 2, 2);
    struct judge judge = {.target = three(goal % 5, goal / 5 % 5, goal / 25), .patience = SIZE_MAX};
    judge.least = distance(&begin, &judge.target);
    assert_ok(wb_potential_improve_weights(&begin, ask, &judge, NULL));
    assert_int_equal(judge.least, 0);
    assert_int_equal(distance(&judge.asked[0], &all_next), 0);
    assert_int_equal(distance(&judge.asked[1], &all_last), 0);
  }
}

TEST(it_ends_when_told)
{
  struct wb_potential_shape begin = three(2, 2, 2);
  struct judge judge = {.target = three(1, 3, 1), .patience = 5, .least = 6};
  assert_ok(wb_potential_improve_weights(&begin, ask, &judge, NULL));
  assert_int_equal(judge.asked_count, 5);
}

TEST(two_components_have_no_choice)
{
  struct wb_potential_shape begin = {.count = 2, .weight = {{0, 4}, {4, 0}}};
  struct judge judge = {.target = begin, .patience = SIZE_MAX};
  assert_ok(wb_potential_improve_weights(&begin, ask, &judge, NULL));
  assert_int_equal(judge.asked_count, 0);
}
