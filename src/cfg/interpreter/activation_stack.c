#include "cfg/interpreter/activation_stack.h"

#include "base/memory.h"
#include "model/code.h"

#include <stdlib.h>

bool wb_activation_push(struct wb_activation_stack *stack, struct wb_activation entry)
{
  if (!wb_grow(stack->entries, &stack->capacity, stack->count + 1))
    return false;
  stack->entries[stack->count++] = entry;
  return true;
}

size_t wb_activation_find(const struct wb_activation_stack *stack, uint8_t token)
{
  size_t i = stack->count;
  while (i > 0 && stack->entries[i - 1].token != token)
    i--;
  return i > 0 ? i - 1 : SIZE_MAX;
}

void wb_activation_leave(struct wb_activation_stack *stack, uint32_t lanes, size_t keep)
{
  const size_t end = keep == SIZE_MAX ? 0 : keep + 1;
  for (size_t i = end; i < stack->count; i++)
    stack->entries[i].mask &= ~lanes;
  /* By the invariants the entries that empty are the uppermost ones. */
  while (stack->count > end && stack->entries[stack->count - 1].mask == 0)
    stack->count--;
  if (stack->count > 0)
    stack->entries[stack->count - 1].token = WB_TOKEN_NONE;
}

void wb_activation_free(struct wb_activation_stack *stack)
{
  free(stack->entries);
  *stack = (struct wb_activation_stack){0};
}
