#include "report/cfg/cfg_report.h"

#include "base/memory.h"

#include <stdlib.h>

bool wb_cfg_report_make(const struct warpbound_module *module,
                        const struct warpbound_control_flow *const *flows, size_t count,
                        struct wb_cfg_report *report)
{
  static const struct wb_simt_options defaults = {0};
  struct wb_control_flow *copies = wb_allocate(count, sizeof *copies);
  for (size_t f = 0; copies != NULL && f < count; f++)
    copies[f] = flows[f]->flow;
  *report = (struct wb_cfg_report){.code = &module->code,
                                   .options = count > 0 ? &flows[0]->options : &defaults,
                                   .flows = copies,
                                   .count = copies != NULL ? count : 0};
  return copies != NULL;
}

void wb_cfg_report_free(struct wb_cfg_report *report)
{
  free((struct wb_control_flow *)report->flows);
}
