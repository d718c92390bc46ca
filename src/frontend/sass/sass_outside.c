/* Calls through a register of code that the listing does not have: printf, malloc, functions by
 * pointer. */
#include "frontend/sass/sass_parser.h"

static const char assumption[] =
    "code that is called through a register is not in the listing: it returns, with all lanes that "
    "called it, together; it may write every register";

/* A jump of which no target is known, and that the listing says to be a call, or that a PRET stands
 * before, wherever that returns to. A jump table has no PRET before it. */
static bool calls_outside(const struct wb_function *function, size_t index)
{
  const struct wb_instruction *jump = &function->instructions[index];
  if (jump->transfer != WB_TRANSFER_INDEXED_BRANCH || jump->target_count > 0)
    return false;
  return jump->outside || (index > 0 && jump[-1].transfer == WB_TRANSFER_PUSH &&
                           jump[-1].token == WB_TOKEN_RETURN && !jump[-1].never);
}

void wb_sass_outside_calls(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    const struct wb_function *function = &parser->code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      struct wb_instruction *jump = &function->instructions[i];
      const bool calls = calls_outside(function, i);
      jump->outside = calls;
      if (!calls)
        continue;
      /* What is called ends with RET: the lanes go on where the nearest PRET said, or return
       * from the function that it is called from. */
      jump->transfer = WB_TRANSFER_POP;
      jump->token = WB_TOKEN_RETURN;
      jump->unknown = true;
      jump->outside = true;
      jump->assumption = assumption;
    }
  }
}
