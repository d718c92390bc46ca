#include "analysis/paths/worst_path.h"

#include "base/memory.h"
#include "model/kernel_string.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct wb_code *program, const char *text)
{
  return wb_name_pool_copy(&program->names, text, strlen(text));
}

static bool mirror_instruction(struct wb_code *program, const struct wb_instruction *from,
                               struct wb_instruction *to)
{
  *to = (struct wb_instruction){
      .opcode = keep(program, from->opcode),
      .assumption = from->assumption != NULL ? keep(program, from->assumption) : NULL,
      .line = from->line,
      .column = from->column,
      .source_file = from->source_file,
      .source_line = from->source_line,
      .unit = from->never ? WB_UNIT_NONE : from->unit,
      .transfer = WB_TRANSFER_NEXT,
      .guarded = from->guard != WB_NO_REGISTER};
  return to->opcode != NULL && (from->assumption == NULL || to->assumption != NULL);
}

static bool mirror_files(const struct wb_code *code, struct wb_code *program)
{
  program->files = wb_allocate(code->file_count, sizeof *program->files);
  for (size_t f = 0; program->files != NULL && f < code->file_count; f++) {
    program->files[f] = keep(program, code->files[f]);
    if (program->files[f] == NULL)
      return false;
    program->file_count++;
  }
  return program->files != NULL;
}

static bool mirror(const struct wb_wcet *wcet, struct wb_code *program)
{
  const struct wb_function *from = wcet->function;
  *program = (struct wb_code){
      .name = wb_copy_text(wcet->code->name, strlen(wcet->code->name)),
      .isa = "SASS",
      .functions = wb_allocate(1, sizeof *program->functions),
  };
  if (from->sm > 0)
    snprintf(program->target, sizeof program->target, "sm_%" PRIu32, from->sm);
  if (program->name == NULL || program->functions == NULL || !mirror_files(wcet->code, program))
    return false;
  struct wb_function *to = &program->functions[program->function_count++];
  *to = (struct wb_function){.name = keep(program, from->name),
                             .instructions =
                                 wb_allocate(from->instruction_count, sizeof *to->instructions),
                             .instruction_count = from->instruction_count,
                             .line = from->line,
                             .kernel = true,
                             .defined = true};
  if (to->name == NULL || to->instructions == NULL)
    return false;
  for (size_t i = 0; i < from->instruction_count; i++) {
    if (!mirror_instruction(program, &from->instructions[i], &to->instructions[i]))
      return false;
  }
  return true;
}

static warpbound_status take_steps(const struct wb_wcet *wcet, const struct wb_function *function,
                                   struct wb_kernel_path *path, warpbound_error *error)
{
  uint32_t *indices;
  size_t count;
  warpbound_status status = wb_wcet_path(wcet, WB_STRING_LIMIT, &indices, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  path->steps = wb_allocate(count, sizeof *path->steps);
  if (path->steps == NULL)
    status = wb_out_of_memory(error);
  path->step_capacity = count;
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    const struct wb_instruction *step = &function->instructions[indices[i]];
    path->steps[path->step_count++] = step;
    status =
        wb_kernel_string_append(&path->string, (enum wb_unit)step->unit, 1, WB_STRING_LIMIT, error);
    if (step->assumption != NULL && step->unit != WB_UNIT_BARRIER)
      wb_list_add(&path->assumptions, "%s: %s", step->opcode, step->assumption);
  }
  free(indices);
  return status;
}

warpbound_status wb_worst_path_take(const struct wb_wcet *wcet, struct wb_code *program,
                                    struct wb_kernel_path *path, warpbound_error *error)
{
  *program = (struct wb_code){0};
  *path = (struct wb_kernel_path){0};
  if (!mirror(wcet, program))
    return wb_out_of_memory(error);
  warpbound_status status = take_steps(wcet, &program->functions[0], path, error);
  return status == WARPBOUND_OK && path->assumptions.failed ? wb_out_of_memory(error) : status;
}
