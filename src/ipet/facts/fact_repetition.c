#include "ipet/facts/fact_repetition.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* What a fact counts. Facts with equal members but the last count the same. */
struct claim {
  uint32_t kind;
  uint32_t level; /* 1: per warp */
  uint32_t place; /* an instruction: the first of the loop's header, or of the block */
  uint32_t per;   /* the first instruction of the other header, UINT32_MAX for none */
  const struct wb_flow_fact *fact;
};

static int compare_numbers(uint32_t left, uint32_t right)
{
  return (left > right) - (left < right);
}

/* What they count, in some order. */
static int compare_counted(const struct claim *left, const struct claim *right)
{
  int order = compare_numbers(left->kind, right->kind);
  if (order == 0)
    order = compare_numbers(left->level, right->level);
  if (order == 0)
    order = compare_numbers(left->place, right->place);
  return order != 0 ? order : compare_numbers(left->per, right->per);
}

/* By what they count, then as in the file. */
static int in_order(const void *a, const void *b)
{
  const struct claim *left = a;
  const struct claim *right = b;
  const int order = compare_counted(left, right);
  return order != 0 ? order : compare_numbers(left->fact->line, right->fact->line);
}

/* By instruction: the first one of its block. All contexts divide code alike but where calls end
 * them; the shortest block counts, so that no two blocks are taken for one. */
static uint32_t *find_block_starts(const struct wb_warp_graph *graph)
{
  uint32_t *starts = wb_allocate(graph->function->instruction_count, sizeof *starts);
  for (size_t b = 0; starts != NULL && b < graph->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++)
      starts[i] = block->first > starts[i] ? block->first : starts[i];
  }
  return starts;
}

warpbound_status wb_facts_check_twice(struct wb_fact_resolver *resolver)
{
  const struct wb_kernel_facts *kernel = resolver->kernel;
  struct claim *claims = wb_allocate(kernel->fact_count, sizeof *claims);
  uint32_t *starts = find_block_starts(resolver->context->graph);
  warpbound_status status = WARPBOUND_OK;
  size_t count = 0;
  if (claims == NULL || starts == NULL)
    status = wb_out_of_memory(resolver->error);
  for (size_t f = 0; f < kernel->fact_count && status == WARPBOUND_OK; f++) {
    const struct wb_flow_fact *fact = &kernel->facts[f];
    if (fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS) {
      const uint32_t *found = &resolver->resolved->found[fact->first_place];
      claims[count++] =
          (struct claim){.kind = (uint32_t)fact->kind,
                         .level = fact->per_warp,
                         .place = fact->kind == WB_FACT_LOOP ? found[0] : starts[found[0]],
                         .per = fact->place_count > 1 ? found[1] : UINT32_MAX,
                         .fact = fact};
    }
  }
  if (count > 0)
    qsort(claims, count, sizeof *claims, in_order);
  for (size_t c = 1; c < count && status == WARPBOUND_OK; c++) {
    if (compare_counted(&claims[c - 1], &claims[c]) == 0 &&
        claims[c - 1].fact->number != claims[c].fact->number) {
      const struct claim *first = &claims[c - 1];
      const bool loop = claims[c].fact->kind == WB_FACT_LOOP;
      const struct wb_function *function = resolver->context->function;
      status =
          wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name,
                     claims[c].fact->line, claims[c].fact->column,
                     "%s %" PRIu64 " per %s for the %s at 0x%04" PRIx32 " of %.120s: line %" PRIu32
                     " says %" PRIu64 " of the same: give one of them",
                     loop ? "a bound of" : "at most", claims[c].fact->number,
                     claims[c].fact->per_warp ? "warp" : "thread", loop ? "loop" : "block",
                     function->instructions[claims[c].place].address, function->name,
                     first->fact->line, first->fact->number);
    }
  }
  free(claims);
  free(starts);
  return status;
}
