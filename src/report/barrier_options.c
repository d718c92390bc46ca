#include "report/barrier_options.h"

bool wb_barrier_options_json(json_t *object, const struct wb_simt_options *options)
{
  int failed = 0;
  if (options->waiting != WB_WAITING_UNLESS_YIELD)
    failed |=
        json_object_set_new(object, "reconvergence",
                            json_string(options->waiting == WB_WAITING_NEVER ? "never" : "always"));
  if (options->masks_together)
    failed |= json_object_set_new(object, "masks", json_string("together"));
  return failed == 0;
}
