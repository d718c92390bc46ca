#include "flow/barriers/counted_barriers.h"

#include "base/arena.h"
#include "flow/barriers/barrier_visits.h"
#include "isa/opcode.h"

/* Barriers count warps in full: "the barrier's arrival count is incremented by the warp size" (PTX
 * ISA, barrier). */
#define WARP_THREADS 32

static bool may_be_of_part(const struct wb_instruction *instruction)
{
  return wb_instruction_is(instruction, WB_TRAIT_BLOCK_BARRIER) && !instruction->never &&
         instruction->unit != WB_UNIT_BARRIER;
}

bool wb_function_counts_barriers(const struct wb_function *function)
{
  bool found = false;
  for (size_t i = 0; i < function->instruction_count && !found; i++)
    found = may_be_of_part(&function->instructions[i]);
  return found;
}

uint32_t wb_barrier_threads(const struct wb_function *function, const struct wb_launch *launch)
{
  const uint32_t *block =
      launch != NULL && launch->block[0] > 0 ? launch->block : function->required_block;
  uint64_t threads = block[0];
  for (int axis = 1; axis < 3; axis++)
    threads = block[axis] <= 1024 && threads <= 1024 ? threads * block[axis] : 0;
  return threads <= 1024 ? (uint32_t)(threads + WARP_THREADS - 1) / WARP_THREADS * WARP_THREADS : 0;
}

warpbound_status wb_counted_barriers_mark(const struct wb_warp_graph *graph,
                                          const struct wb_loop_forest *forest,
                                          const struct wb_launch *launch,
                                          struct wb_instruction *instructions, bool *some,
                                          warpbound_error *error)
{
  const struct wb_function *function = graph->function;
  const uint32_t threads = wb_barrier_threads(function, launch);
  struct wb_barrier_visits visits;
  struct wb_arena arena = {0};
  *some = false;
  if (threads == 0 || !wb_function_counts_barriers(function))
    return WARPBOUND_OK;
  const warpbound_status status =
      wb_barrier_visits_find(graph, forest, launch, &arena, &visits, error);
  for (size_t i = 0; i < function->instruction_count && status == WARPBOUND_OK; i++) {
    const struct wb_instruction *barrier = &function->instructions[i];
    const struct wb_barrier_name *name = &visits.names[i];
    const bool waits = wb_instruction_has(barrier, WB_MODIFIER_SYNC) ||
                       wb_instruction_has(barrier, WB_MODIFIER_RED);
    if (!may_be_of_part(barrier))
      continue;
    if (!visits.reached[i] || visits.idle[i])
      instructions[i].never = visits.known;
    if (!waits || barrier->unknown || !name->known || !name->counted || name->threads != threads ||
        wb_operand_of(function, barrier, 0)->kind != WB_OPERAND_NUMBER)
      continue;
    instructions[i].unit = WB_UNIT_BARRIER;
    *some = true;
  }
  wb_arena_free(&arena);
  return status;
}
