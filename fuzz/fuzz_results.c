/* Results of analyze: the reader takes any bytes; what it takes is compared with itself, where
 * nothing differs, and with an empty list. */
#include "analysis/compare/comparison.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const struct wb_launch_results *before, const struct wb_launch_results *after)
{
  struct wb_result_comparison comparison;
  if (wb_compare_results(before, after, 0, &comparison, NULL) != WARPBOUND_OK)
    abort();
  for (size_t l = 0; l < comparison.count; l++) {
    const struct wb_launch_change *launch = &comparison.launches[l];
    if (before == after &&
        (launch->number_count > 0 || launch->failure != WB_COMPARE_PASSED || launch->new_count > 0))
      abort();
    if (before != after && launch->failure != WB_COMPARE_MISSING)
      abort();
  }
  wb_comparison_free(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const struct wb_launch_results none = {0};
  struct wb_launch_results results;
  warpbound_error error = {0};
  const warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_launch_results_read, &results, &error);
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  if (status != WARPBOUND_OK)
    return 0;
  compare(&results, &results);
  compare(&results, &none);
  wb_launch_results_free(&results);
  return 0;
}
