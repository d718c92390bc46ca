#include "cfg/reconvergence_stack/stack_loops.h"

#include "base/memory.h"
#include "cfg/reconvergence_stack/stack_machine.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_loops.h"

#include <stdlib.h>

/* Adds the nodes of a stack that were not met yet. */
static void add_nodes(const struct wb_stack *stack, bool *met, uint32_t *nodes, size_t *count)
{
  for (size_t f = 0; f < stack->count; f++) {
    const uint32_t node = stack->frames[f].node;
    if (!met[node])
      nodes[(*count)++] = node;
    met[node] = true;
  }
}

bool wb_stack_leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                            const bool *body)
{
  const struct wb_stack_graph *stacks = &wb_stack_machine_of(analysis)->stacks;
  bool *met = wb_allocate(stacks->count, sizeof *met);
  uint32_t *nodes = wb_allocate(stacks->count, sizeof *nodes);
  bool left = met == NULL || nodes == NULL;
  if (!left) {
    size_t count = 0;
    for (size_t b = 0; b < analysis->graph.block_count; b++) {
      if (headers[b])
        add_nodes((const void *)wb_simt_abstract_of(analysis, analysis->block_states[b]), met,
                  nodes, &count);
    }
    for (size_t n = 0; !left && n < count; n++) {
      left = wb_simt_made_inside(analysis, nodes[n], body) &&
             wb_simt_goes_on_inside(analysis, nodes[n], body);
      add_nodes(&stacks->nodes[nodes[n]].below, met, nodes, &count);
    }
  }
  free(met);
  free(nodes);
  return left;
}
