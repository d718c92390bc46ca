#include "make_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct wb_problem make_problem(const char *text, const char *units, uint32_t slots,
                               uint32_t partitions, uint32_t warps, const char *shared)
{
  struct wb_sm_configuration sm;
  struct wb_kernel_string string;
  struct wb_problem problem;
  wb_sm_configuration_start(&sm, "test");
  assert_int_equal(wb_sm_configuration_parse_units(&sm, units, NULL), WARPBOUND_OK);
  sm.issue_slots = slots;
  sm.partitions = partitions;
  for (; *shared != '\0'; shared++)
    sm.unit[wb_unit_from_letter(*shared)].shared = true;
  assert_int_equal(wb_kernel_string_parse(text, NULL, &string, NULL), WARPBOUND_OK);
  assert_int_equal(wb_problem_normalise(&string, &sm, warps, &problem, NULL), WARPBOUND_OK);
  wb_kernel_string_free(&string);
  return problem;
}
