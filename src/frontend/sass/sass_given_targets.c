#include "frontend/sass/sass_given_targets.h"

#include "base/memory.h"
#include "frontend/sass/sass_options.h"
#include "frontend/sass/text/sass_scanner.h"
#include "frontend/sass/text/sass_target.h"

#include <inttypes.h>
#include <string.h>

#define FROM_USER "its targets are what the user says"

static bool usage(struct wb_sass_parser *parser, const struct wb_sass_targets *given,
                  const char *problem)
{
  parser->status =
      wb_fail(parser->error, WARPBOUND_USAGE, "targets of the branch at 0x%" PRIx64 "%s%s: %s",
              given->address, given->kernel != NULL ? " of " : "",
              given->kernel != NULL ? given->kernel : "", problem);
  return false;
}

/* Whether an instruction from Volta on calls the address in a register, which may be in its
 * function: `CALL.REL.NOINC R8 0x0`. */
static bool calls_register(const struct wb_function *function, const struct wb_instruction *call)
{
  for (uint32_t o = 0; call->transfer == WB_TRANSFER_CALL_OUTSIDE && o < call->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, call, o);
    if (operand->kind != WB_OPERAND_PREDICATE)
      return wb_operand_is_plain_register(operand) && operand->number != WB_NO_REGISTER;
  }
  return false;
}

static bool add_span(struct wb_sass_parser *parser, struct wb_function *function,
                     struct wb_register_span span)
{
  size_t capacity = function->span_count;
  if (!wb_grow(function->spans, &capacity, function->span_count + 1))
    return wb_sass_out_of_memory(parser);
  function->spans[function->span_count++] = span;
  return true;
}

/* Makes of a call by register one that stays in its function: an indexed branch, for the address to
 * return to is in registers anyhow. It reads its predicates and its register pair. */
static bool call_to_branch(struct wb_sass_parser *parser, struct wb_function *function,
                           struct wb_instruction *call)
{
  const uint32_t first = (uint32_t)function->span_count;
  if (call->guarded && !add_span(parser, function, (struct wb_register_span){call->guard, 1}))
    return false;
  for (uint32_t o = 0; o < call->operand_count; o++) {
    const struct wb_operand operand = *wb_operand_of(function, call, o);
    const bool predicate = operand.kind == WB_OPERAND_PREDICATE;
    if ((operand.kind != WB_OPERAND_REGISTER && !predicate) || operand.number == WB_NO_REGISTER)
      continue;
    const struct wb_register_span span = {operand.number, predicate ? 1 : 2};
    if (!add_span(parser, function, span))
      return false;
  }
  call->transfer = WB_TRANSFER_INDEXED_BRANCH;
  call->agreement = WB_AGREES_BY_SOURCES;
  call->callee = NULL;
  call->first_read = first;
  call->read_count = (uint16_t)(function->span_count - first);
  call->write_count = 0;
  return true;
}

static bool can_have_targets(const struct wb_function *function,
                             const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_INDEXED_BRANCH ||
         (function->sm >= 70 && calls_register(function, instruction));
}

static bool apply(struct wb_sass_parser *parser, struct wb_function *function,
                  struct wb_instruction *branch, const struct wb_sass_targets *given)
{
  size_t capacity = function->target_count;
  if (branch->target_count > 0)
    return true;
  if (branch->transfer == WB_TRANSFER_CALL_OUTSIDE && !call_to_branch(parser, function, branch))
    return false;
  branch->first_target = (uint32_t)function->target_count;
  for (size_t t = 0; t < given->target_count; t++) {
    const size_t index = wb_sass_target_at(function, given->targets[t]);
    if (index == SIZE_MAX)
      return usage(parser, given, "expected addresses of the kernel's instructions");
    if (!wb_sass_add_target(parser, function, &capacity, index))
      return false;
  }
  branch->target_count = (uint32_t)given->target_count;
  branch->assumption = FROM_USER;
  return true;
}

/* Without a kernel's name there must be one branch that the address can mean. */
static bool user_targets(struct wb_sass_parser *parser, const struct wb_sass_targets *given)
{
  struct wb_code *code = parser->code;
  size_t found = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    struct wb_function *function = &code->functions[f];
    const size_t index = wb_function_at(function, given->address);
    if ((given->kernel != NULL && strcmp(given->kernel, function->name) != 0) ||
        index == SIZE_MAX || !can_have_targets(function, &function->instructions[index]))
      continue;
    if (found++ > 0 && given->kernel == NULL)
      return usage(parser, given, "expected the name of a kernel, for several have one there");
    if (!apply(parser, function, &function->instructions[index], given))
      return false;
  }
  return found > 0 || usage(parser, given, "expected an indexed branch, found none there");
}

bool wb_sass_given_targets(struct wb_sass_parser *parser)
{
  for (size_t t = 0; parser->options != NULL && t < parser->options->target_count; t++)
    if (!user_targets(parser, &parser->options->targets[t]))
      return false;
  return true;
}
