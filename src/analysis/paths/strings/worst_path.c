#include "analysis/paths/strings/worst_path.h"

#include "base/memory.h"
#include "model/kernel_string.h"

#include <stdlib.h>

warpbound_status wb_worst_path_take(const struct wb_wcet *wcet, struct wb_kernel_path *path,
                                    warpbound_error *error)
{
  uint32_t *indices;
  size_t count;
  *path = (struct wb_kernel_path){0};
  warpbound_status status = wb_wcet_path(wcet, WB_STRING_LIMIT, &indices, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  path->steps = wb_allocate(count, sizeof *path->steps);
  path->step_capacity = count;
  if (path->steps == NULL)
    status = wb_out_of_memory(error);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    const struct wb_instruction *step = &wcet->function->instructions[indices[i]];
    const enum wb_unit unit = wb_instruction_unit(step);
    path->steps[path->step_count++] = step;
    if (step->assumption != NULL && unit != WB_UNIT_BARRIER)
      wb_list_add(&path->assumptions, "%s: %s", step->opcode, step->assumption);
    status = wb_kernel_string_append(&path->string, unit, 1, WB_STRING_LIMIT, error);
  }
  free(indices);
  return status == WARPBOUND_OK && path->assumptions.failed ? wb_out_of_memory(error) : status;
}
