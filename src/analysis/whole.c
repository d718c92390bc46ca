/* The pipeline for what one partition by itself cannot tell: barriers, and units that the
 * partitions share. */
#include "analysis/whole.h"

#include "analysis/phases.h"

bool wb_work_is_whole(const struct wb_work *a)
{
  return a->result->instance->kernel.count[WB_UNIT_BARRIER] > 0;
}

warpbound_status wb_work_run_whole(struct wb_work *a)
{
  warpbound_status status = WARPBOUND_OK;
  if (status == WARPBOUND_OK && wb_work_has_phases(a))
    status = wb_work_add_up_phases(a);
  return status;
}
