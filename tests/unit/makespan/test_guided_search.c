/* The guided search where memory ends before the states do. */
#include "makespan/exact/guided_search.h"
#include "makespan_problems.h"
#include "unit.h"

#define WARPS 9
#define ENOUGH (UINT64_C(1) << 24)
#define TOO_LITTLE (UINT64_C(3) << 20)

/* The phases that the search told of, in turn; those of tables left out. */
struct phases {
  unsigned layers; /* of all states */
  unsigned beams_after_layers;
};

static void hear(void *context, const char *phase, double fraction)
{
  struct phases *phases = context;
  (void)fraction;
  if (strncmp(phase, "guided search, ", 15) == 0) {
    phases->layers++;
    phases->beams_after_layers = 0;
  } else if (strncmp(phase, "beam search, ", 13) == 0 && phases->layers > 0) {
    phases->beams_after_layers++;
  }
}

static struct wb_guided_result search(const struct wb_problem *problem, uint64_t memory,
                                      struct phases *phases)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_guided_result result = {.lower = 1, .upper = 1000};
  *phases = (struct phases){0};
  control.memory_limit = memory;
  control.progress = hear;
  control.context = phases;
  assert_ok(wb_guided_search(problem, NULL, &control, &result, NULL));
  return result;
}

/* All states that may beat the lower end are too many: the bracket holds what more memory proves,
 * and beams go on. */
TEST(beams_go_on_where_memory_ends)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, WARPS, "");
  struct phases phases;
  FREED_BY(wb_guided_result_free) struct wb_guided_result whole = search(&problem, ENOUGH, &phases);
  assert_int_equal(whole.stop, WB_STOP_NONE);
  assert_int_equal(whole.lower, whole.upper);
  struct wb_guided_result ended = search(&problem, TOO_LITTLE, &phases);
  print_message("# T = %llu, ended with %llu .. %llu, %u polls of beams after the layers\n",
                (unsigned long long)whole.upper, (unsigned long long)ended.lower,
                (unsigned long long)ended.upper, phases.beams_after_layers);
  assert_int_equal(ended.stop, WB_STOP_MEMORY);
  assert_true(ended.lower < ended.upper);
  assert_in_range(whole.upper, ended.lower, ended.upper);
  assert_non_null(ended.witness.issue_cycle);
  assert_int_equal(ended.witness.makespan, ended.lower);
  assert_true(phases.layers > 0);
  assert_true(phases.beams_after_layers > 0);
  wb_guided_result_free(&ended);
  wb_problem_free(&problem);
}
