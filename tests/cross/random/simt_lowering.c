/* From random SIMT programs to machine code without the front end. */
#include "base/memory.h"
#include "random_simt_program.h"

#include <stdlib.h>
#include <string.h>

#define SPAN_LIMIT 5 /* of one instruction: guard, reads, writes */

static void add_span(struct wb_function *function, unsigned first, unsigned count)
{
  function->spans[function->span_count++] =
      (struct wb_register_span){(uint16_t)first, (uint16_t)count};
}

static void add_spans(struct wb_function *function, const struct program_item *item,
                      const char *what)
{
  for (const char *at = what; *at != '\0'; at++) {
    if (*at == '$')
      add_span(function, WB_REGISTER_GENERAL + simt_general(item->operands[*++at - '0']), 1);
    else if (*at == '#')
      add_span(function, WB_REGISTER_GENERAL + simt_pair(item->operands[*++at - '0']), 2);
    else if (*at == '%')
      add_span(function, WB_REGISTER_PREDICATE + simt_predicate(item->operands[*++at - '0']), 1);
    else if (*at == 'C')
      add_span(function, WB_REGISTER_CONDITION_CODE, 1);
    else if (*at == '*')
      add_span(function, 0, WB_REGISTER_COUNT);
    else
      add_span(function, WB_REGISTER_PREDICATE, 7);
  }
}

static struct wb_instruction lowered(struct wb_function *function,
                                     const struct random_program *program,
                                     const struct program_item *item)
{
  const enum simt_operation operation = (enum simt_operation)item->operation;
  const struct simt_operation_row *row = simt_operation_row(operation);
  const bool guarded = item->guard != PROGRAM_NO_GUARD;
  const uint32_t index = (uint32_t)function->instruction_count;
  struct wb_instruction made = {
      .opcode = row->text,
      .operands = "",
      .address = 8 * (index + index / 3 + 1),
      .line = index + 1,
      .column = 1,
      .first_read = (uint32_t)function->span_count,
      .first_target = (uint32_t)function->target_count,
      .target_count = item->label_count,
      .guard = guarded ? (uint16_t)(WB_REGISTER_PREDICATE + simt_predicate(item->guard))
                       : (uint16_t)WB_NO_REGISTER,
      .guard_negated = guarded && item->negated,
      .conditional_code = operation == SIMT_BRANCH_CONDITION,
      .unknown = operation == SIMT_UNKNOWN,
      .callee = operation == SIMT_CALL_OUTSIDE ? "outside" : NULL,
      .uniform = operation == SIMT_BRANCH_UNIFORM,
      .transfer = row->transfer,
      .token = row->token,
      .agreement = row->agreement};
  if (guarded)
    add_span(function, made.guard, 1);
  add_spans(function, item, row->reads);
  made.first_write = (uint32_t)function->span_count;
  made.read_count = (uint16_t)(made.first_write - made.first_read);
  add_spans(function, item, row->writes);
  made.write_count = (uint16_t)(function->span_count - made.first_write);
  for (uint32_t l = 0; l < item->label_count; l++)
    function->targets[function->target_count++] = program->labels[item->first_label + l];
  return made;
}

void simt_program_lower(const struct random_program *program, struct wb_code *code)
{
  size_t target_count = 0;
  for (size_t i = 0; i < program->count; i++)
    target_count += program->items[i].label_count;
  struct wb_function function = {
      .name = "kernel",
      .instructions = wb_allocate(program->count, sizeof function.instructions[0]),
      .spans = wb_allocate(program->count * SPAN_LIMIT, sizeof function.spans[0]),
      .targets = wb_allocate(target_count, sizeof function.targets[0]),
      .sm = 52,
      .kernel = true};
  *code = (struct wb_code){.name = wb_copy_text("lowered", strlen("lowered")),
                           .functions = wb_allocate(1, sizeof function),
                           .function_count = 1};
  if (function.instructions == NULL || function.spans == NULL || function.targets == NULL ||
      code->name == NULL || code->functions == NULL)
    abort();
  for (size_t i = 0; i < program->count; i++) {
    const struct wb_instruction made = lowered(&function, program, &program->items[i]);
    function.instructions[function.instruction_count++] = made;
  }
  code->functions[0] = function;
}
