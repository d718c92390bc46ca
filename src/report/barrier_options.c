#include "report/barrier_options.h"

#include "formats/json/json_output.h"

void wb_barrier_options_put(json_t **object, const struct wb_simt_options *options)
{
  if (options->waiting != WB_WAITING_UNLESS_YIELD)
    wb_json_put(object, "reconvergence",
                json_string(options->waiting == WB_WAITING_NEVER ? "never" : "always"));
  if (options->masks_together)
    wb_json_put(object, "masks", json_string("together"));
}
