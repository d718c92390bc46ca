#include "make_problem.h"

#include "unit.h"

struct wb_problem make_problem(const char *text, const char *units, uint32_t slots,
                               uint32_t partitions, uint32_t warps, const char *shared)
{
  struct wb_sm_configuration sm;
  struct wb_kernel_string string;
  struct wb_problem problem;
  wb_sm_configuration_start(&sm, "test");
  assert_ok(wb_sm_configuration_parse_units(&sm, units, NULL));
  sm.issue_slots = slots;
  sm.partitions = partitions;
  for (; *shared != '\0'; shared++)
    sm.unit[wb_unit_from_letter(*shared)].shared = true;
  assert_ok(wb_kernel_string_parse(text, NULL, &string, NULL));
  assert_ok(wb_problem_normalise(&string, &sm, warps, &problem, NULL));
  wb_kernel_string_free(&string);
  return problem;
}
