/* Entries that are pushed on the abstract stack: their nodes, and what lies below them. */
#include "cfg/reconvergence_stack/stack_machine.h"

#include "base/memory.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

bool wb_stack_machine_join(struct wb_simt_analysis *analysis, struct wb_stack *into,
                           const struct wb_stack *from, bool *changed)
{
  const size_t old = into->count;
  analysis->work += from->count + 1;
  if (!wb_stack_join(&analysis->sets, into, from, changed))
    return wb_simt_no_memory(analysis);
  wb_stack_machine_of(analysis)->frame_count += into->count - old;
  return true;
}

/* Lays a stack below a node, for all places. */
static bool lay_below(struct wb_simt_analysis *analysis, uint32_t node,
                      const struct wb_stack *stack)
{
  struct wb_stack *below = &wb_stack_machine_of(analysis)->stacks.nodes[node].below;
  bool changed = false;
  if (wb_simt_searching(analysis)) {
    if (!wb_stack_machine_join(analysis, below, stack, &changed))
      return false;
  } else {
    changed = analysis->violation != NULL && !wb_stack_covers(&analysis->sets, below, stack);
  }
  if (changed)
    wb_simt_changed(analysis, node);
  return true;
}

/* Whether the node lies somewhere in a stack, or below it. */
static bool lies_below(struct wb_simt_analysis *analysis, uint32_t node,
                       const struct wb_stack *stack)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  const struct wb_stack *next = stack;
  descent->todo_count = 0;
  machine->mark++;
  for (;;) {
    for (size_t f = 0; f < next->count; f++) {
      struct wb_stack_node *lower = &machine->stacks.nodes[next->frames[f].node];
      analysis->work++;
      if (next->frames[f].node == node)
        return true;
      if (lower->mark == machine->mark || next->frames[f].node == WB_NODE_ANY)
        continue;
      lower->mark = machine->mark;
      if (!wb_grow(descent->todo, &descent->todo_capacity, descent->todo_count + 1)) {
        wb_simt_no_memory(analysis);
        return true;
      }
      descent->todo[descent->todo_count++] = next->frames[f].node;
    }
    if (descent->todo_count == 0)
      return false;
    if (!wb_simt_go_on(analysis))
      return true;
    next = &machine->stacks.nodes[descent->todo[--descent->todo_count]].below;
  }
}

/* Nothing is known of an entry that "any entries" stands for. */
static bool add_to_any(struct wb_simt_analysis *analysis, uint32_t node)
{
  struct wb_frame frame = {.node = node,
                           .agreement = WB_REGISTERS_NONE,
                           .lost = WB_REGISTERS_ALL,
                           .waiters = WB_WAITERS_UNKNOWN};
  const struct wb_stack one = {.frames = &frame, .count = 1, .capacity = 1};
  return lay_below(analysis, WB_NODE_ANY, &one);
}

/* The node of an entry that lies on `below`; WB_NOWHERE on failure. */
static uint32_t node_on(struct wb_simt_analysis *analysis, struct wb_stack_entry entry,
                        const struct wb_stack *below)
{
  const struct wb_stack_node name = {.site = analysis->block.instruction,
                                     .point = entry.point,
                                     .context = analysis->block.context,
                                     .token = entry.token,
                                     .passed_by = entry.passed_by};
  bool made;
  const uint32_t node = wb_stack_graph_node(&wb_stack_machine_of(analysis)->stacks, &name, &made);
  if (node == UINT32_MAX) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  if (analysis->record != NULL)
    return node;
  struct wb_frame any = {.node = WB_NODE_ANY,
                         .agreement = WB_REGISTERS_NONE,
                         .lost = WB_REGISTERS_ALL,
                         .waiters = WB_WAITERS_NONE};
  const struct wb_stack anything = {.frames = &any, .count = 1, .capacity = 1};
  if (analysis->options.acyclic_stack) {
    if (made && !add_to_any(analysis, node))
      return WB_NOWHERE;
    if (lies_below(analysis, node, below))
      below = &anything;
  }
  return lay_below(analysis, node, below) ? node : WB_NOWHERE;
}

bool wb_stack_push(struct wb_simt_analysis *analysis, struct wb_stack_entry entry, bool divergent,
                   const struct wb_stack *below, struct wb_stack *result)
{
  const uint32_t node = node_on(analysis, entry, below);
  if (node == WB_NOWHERE)
    return false;
  wb_simt_note_making(analysis, node, divergent);
  if (!wb_stack_reserve(result, 1))
    return wb_simt_no_memory(analysis);
  uint8_t waiters = entry.token == WB_TOKEN_NONE ? WB_WAITERS_SOME : WB_WAITERS_NONE;
  if (analysis->options.no_groups)
    waiters = WB_WAITERS_UNKNOWN;
  /* The lanes of the entry agree on what the running ones do. */
  const bool all = analysis->options.agreement == WB_AGREEMENT_ALL;
  result->frames[0] =
      (struct wb_frame){.node = node,
                        .agreement = all ? analysis->block.agreement : WB_REGISTERS_NONE,
                        .lost = WB_REGISTERS_NONE,
                        .waiters = waiters};
  result->count = 1;
  return true;
}

bool wb_stack_push_start(struct wb_simt_analysis *analysis, struct wb_stack *first)
{
  struct wb_frame bottom = {.node = WB_NODE_BOTTOM, .waiters = WB_WAITERS_SOME};
  const struct wb_frame caller = {.node = WB_NODE_CALLER,
                                  .waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN
                                                                         : WB_WAITERS_NONE};
  const struct wb_stack nothing = {.frames = &bottom, .count = 1, .capacity = 1};
  if (!lay_below(analysis, WB_NODE_CALLER, &nothing) ||
      !lay_below(analysis, WB_NODE_ANY, &nothing) ||
      (analysis->options.acyclic_stack && !add_to_any(analysis, WB_NODE_CALLER)))
    return false;
  if (!wb_stack_reserve(first, 1))
    return wb_simt_no_memory(analysis);
  first->frames[0] = analysis->function->kernel ? bottom : caller;
  first->count = 1;
  return true;
}
