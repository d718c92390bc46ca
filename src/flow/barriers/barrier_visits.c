#include "flow/barriers/barrier_visits.h"

#include "flow/loop_bounds/loop_bounds.h"
#include "isa/opcode.h"
#include "values/interval/interval_domain.h"

#include <string.h>

#define WARP_THREADS 32

bool wb_barrier_is_counted(const struct wb_function *function, const struct wb_instruction *barrier)
{
  return barrier->operand_count > 1 &&
         wb_operand_of(function, barrier, 1)->kind != WB_OPERAND_PREDICATE;
}

/* The number that an operand has for the thread; false where it is not known. */
static bool number_of(const struct wb_interval_context *thread, const struct wb_operand *operand,
                      uint32_t *number)
{
  if (operand->kind == WB_OPERAND_NUMBER && !operand->negated && !operand->complemented) {
    *number = (uint32_t)operand->value;
    return operand->value <= UINT32_MAX;
  }
  if (!wb_operand_is_plain_register(operand) || operand->number == WB_NO_REGISTER)
    return false;
  const struct wb_source source = {
      .kind = WB_SOURCE_REGISTER, .number = operand->number, .index = WB_NO_REGISTER};
  const struct wb_integer word = wb_interval_word(thread, &source);
  *number = word.low;
  return wb_integer_is_exact(&word);
}

struct wb_barrier_name wb_barrier_name_of(const struct wb_interval_context *thread,
                                          const struct wb_instruction *barrier)
{
  struct wb_barrier_name name = {.counted = wb_barrier_is_counted(thread->function, barrier)};
  name.known = barrier->operand_count > 0 && !barrier->unknown &&
               number_of(thread, wb_operand_of(thread->function, barrier, 0), &name.number) &&
               (!name.counted ||
                number_of(thread, wb_operand_of(thread->function, barrier, 1), &name.threads));
  return name;
}

bool wb_warp_slice(const struct wb_launch *launch, uint32_t warp, struct wb_launch_slice *slice)
{
  const uint32_t *block = launch->block;
  const uint32_t first = warp * WARP_THREADS;
  const uint32_t x = first % block[0], y = first / block[0] % block[1];
  const uint32_t z = first / block[0] / block[1];
  const bool line = block[1] == 1 && block[2] == 1;
  const uint32_t rows = WARP_THREADS / block[0];
  for (int axis = 0; axis < 3; axis++) {
    slice->block[axis][0] = 0;
    slice->block[axis][1] = launch->grid[axis] > 0 ? launch->grid[axis] - 1 : UINT32_MAX;
  }
  slice->thread[2][0] = slice->thread[2][1] = z;
  slice->thread[1][0] = slice->thread[1][1] = y;
  if (line || block[0] % WARP_THREADS == 0) {
    slice->thread[0][0] = x;
    slice->thread[0][1] = x + WARP_THREADS <= block[0] ? x + WARP_THREADS - 1 : block[0] - 1;
    return true;
  }
  slice->thread[0][0] = 0;
  slice->thread[0][1] = block[0] - 1;
  slice->thread[1][1] = y + rows - 1;
  return WARP_THREADS % block[0] == 0 && block[1] % rows == 0;
}

/* Whether two visits tell the same. */
static bool is_same(const struct wb_barrier_name *a, const struct wb_barrier_name *b)
{
  return a->known && b->known && a->counted == b->counted && a->number == b->number &&
         (!a->counted || a->threads == b->threads);
}

static void visit(void *context, const struct wb_interval_context *thread, uint32_t instruction)
{
  const struct wb_barrier_visits *visits = context;
  const struct wb_instruction *what = &thread->function->instructions[instruction];
  const enum wb_truth guard = what->guarded ? wb_interval_guard(thread) : WB_TRUTH_TRUE;
  const bool first = !visits->reached[instruction];
  const bool does = guard != WB_TRUTH_FALSE && !what->never;
  visits->reached[instruction] = true;
  visits->always[instruction] =
      (first || visits->always[instruction]) && guard == WB_TRUTH_TRUE && !what->never;
  if (does && wb_instruction_is(what, WB_TRAIT_BLOCK_BARRIER)) {
    const struct wb_barrier_name name = wb_barrier_name_of(thread, what);
    struct wb_barrier_name *known = &visits->names[instruction];
    const bool alone = first || visits->idle[instruction];
    known->known = alone ? name.known : is_same(known, &name);
    if (alone)
      *known = name;
  }
  visits->idle[instruction] = (first || visits->idle[instruction]) && !does;
}

warpbound_status wb_barrier_visits_find(const struct wb_warp_graph *graph,
                                        const struct wb_loop_forest *forest,
                                        const struct wb_launch *launch, struct wb_arena *arena,
                                        struct wb_barrier_visits *visits, warpbound_error *error)
{
  const size_t count = graph->function->instruction_count;
  bool whole = false;
  *visits =
      (struct wb_barrier_visits){.reached = wb_arena_array(arena, bool, count),
                                 .idle = wb_arena_array(arena, bool, count),
                                 .always = wb_arena_array(arena, bool, count),
                                 .names = wb_arena_array(arena, struct wb_barrier_name, count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  const warpbound_status status =
      wb_threads_visit(graph, forest, launch, visit, visits, &whole, error);
  visits->known = whole;
  if (status != WARPBOUND_OK || whole)
    return status;
  memset(visits->reached, true, count * sizeof *visits->reached);
  memset(visits->idle, false, count * sizeof *visits->idle);
  memset(visits->always, false, count * sizeof *visits->always);
  memset(visits->names, 0, count * sizeof *visits->names);
  return WARPBOUND_OK;
}
