/* Kernel or device function, where no directive says it: a device function returns, so that
 * a RET is reached from its start; a kernel reaches one only inside calls. */
#include "frontend/sass/sass_kind.h"

#include "base/memory.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/opcode.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL "no RET is reached from its start but inside calls: taken for a kernel"
#define DEVICE "a RET is reached from its start outside calls: taken for a device function"

/* Instructions that were reached; pending ones are those whose successors were not yet
 * looked at. Invariant: an instruction is pending at most once. */
struct walk {
  const struct wb_function *function;
  bool *returned_to; /* by instruction: the code puts its address into a register */
  bool *reached;
  uint32_t *pending;
  size_t pending_count;
};

static void reach(struct walk *walk, size_t index)
{
  if (index >= walk->function->instruction_count || walk->reached[index])
    return;
  walk->reached[index] = true;
  walk->pending[walk->pending_count++] = (uint32_t)index;
}

static bool returns(const struct wb_instruction *instruction)
{
  return !instruction->never &&
         (instruction->transfer == WB_TRANSFER_RETURN_LINKED ||
          (instruction->transfer == WB_TRANSFER_POP && instruction->token == WB_TOKEN_RETURN));
}

/* Whether a call from Volta on returns: the code puts the address of the next instruction into
 * registers. Else it is a jump. */
static bool call_returns(const struct walk *walk, size_t index)
{
  return index + 1 < walk->function->instruction_count && walk->returned_to[index + 1];
}

/* Whether lanes may go on to the next instruction. What is between a PRET and the branch
 * after it is inside a call. */
static bool goes_on(const struct walk *walk, size_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  switch (instruction->transfer) {
  case WB_TRANSFER_CALL_LINKED:
    return instruction->never || wb_instruction_conditional(instruction) ||
           call_returns(walk, index);
  case WB_TRANSFER_EXIT:
    if (wb_instruction_is(instruction, WB_TRAIT_BREAKPOINT))
      return true;
    return instruction->never || wb_instruction_conditional(instruction);
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_POP:
  case WB_TRANSFER_UNSUPPORTED:
    return instruction->never || wb_instruction_conditional(instruction);
  case WB_TRANSFER_INDEXED_BRANCH:
    return instruction->guard != WB_NO_REGISTER;
  case WB_TRANSFER_PUSH:
    return instruction->token != WB_TOKEN_RETURN;
  default:
    return true;
  }
}

static bool follows_targets(const struct walk *walk, size_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
  case WB_TRANSFER_PUSH:
    return !instruction->never;
  case WB_TRANSFER_CALL_LINKED:
    return !instruction->never && !call_returns(walk, index);
  default:
    return false;
  }
}

/* Marks the instructions whose addresses the code puts into registers, as numbers. */
static void find_returned_to(struct walk *walk)
{
  for (size_t c = 0; c < walk->function->copy_count; c++) {
    const struct wb_copy *copy = &walk->function->copies[c];
    const size_t index =
        copy->kind == WB_COPY_NUMBER ? wb_function_at(walk->function, copy->value) : SIZE_MAX;
    if (index != SIZE_MAX)
      walk->returned_to[index] = true;
  }
}

static bool reaches_return(struct walk *walk)
{
  bool found = false;
  reach(walk, 0);
  while (walk->pending_count > 0 && !found) {
    const size_t index = walk->pending[--walk->pending_count];
    const struct wb_instruction *instruction = &walk->function->instructions[index];
    found = returns(instruction);
    for (uint32_t t = 0; follows_targets(walk, index) && t < instruction->target_count; t++)
      reach(walk, walk->function->targets[instruction->first_target + t]);
    if (goes_on(walk, index))
      reach(walk, index + 1);
  }
  return found;
}

/* Whether the function is a kernel. False: memory is out. */
static bool find_kind(struct wb_function *function)
{
  struct walk walk = {
      .function = function,
      .returned_to = wb_allocate(function->instruction_count, sizeof *walk.returned_to),
      .reached = wb_allocate(function->instruction_count, sizeof *walk.reached),
      .pending = wb_allocate(function->instruction_count, sizeof *walk.pending),
  };
  const bool allocated = walk.returned_to != NULL && walk.reached != NULL && walk.pending != NULL;
  if (allocated)
    find_returned_to(&walk);
  function->kernel = allocated && !reaches_return(&walk);
  function->kind_source = function->kernel ? KERNEL : DEVICE;
  free(walk.returned_to);
  free(walk.reached);
  free(walk.pending);
  return allocated;
}

bool wb_sass_kinds(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    struct wb_function *function = &parser->code->functions[f];
    if (function->kind_source != NULL && !find_kind(function))
      return wb_sass_out_of_memory(parser);
  }
  return true;
}
