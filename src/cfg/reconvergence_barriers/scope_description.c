/* Scopes as reports show them: by instruction, contexts united. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"
#include "cfg/reconvergence_barriers/several_groups.h"
#include "cfg/simt/simt_fixpoint.h"

#include <stdlib.h>
#include <string.h>

static int by_open(const void *a, const void *b)
{
  const struct wb_warp_scope *left = a;
  const struct wb_warp_scope *right = b;
  return (left->open > right->open) - (left->open < right->open);
}

/* The described scope of a BSSY. */
static uint32_t index_of(const struct wb_warp_graph *graph, uint32_t instruction)
{
  const struct wb_warp_scope key = {.open = instruction};
  const struct wb_warp_scope *found =
      graph->scope_count == 0
          ? NULL
          : bsearch(&key, graph->scopes, graph->scope_count, sizeof key, by_open);
  return found != NULL ? (uint32_t)(found - graph->scopes) : UINT32_MAX;
}

static uint32_t index_of_scope(const struct wb_simt_analysis *analysis,
                               const struct wb_warp_graph *graph, uint32_t scope)
{
  return index_of(graph, wb_barrier_machine_of(analysis)->scopes[scope].instruction);
}

/* The innermost scope that is surely open, as it is described. */
static uint32_t innermost(const struct wb_simt_analysis *analysis,
                          const struct wb_warp_graph *graph, const struct wb_group *group)
{
  for (size_t s = group->scope_count; s-- > 0;) {
    if (wb_group_is_in(group, group->scopes[s].scope))
      return index_of_scope(analysis, graph, group->scopes[s].scope);
  }
  return UINT32_MAX;
}

static bool list_scopes(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  graph->scopes = wb_allocate(machine->scope_count, sizeof *graph->scopes);
  if (graph->scopes == NULL)
    return false;
  for (size_t s = 0; s < machine->scope_count; s++)
    graph->scopes[s] = (struct wb_warp_scope){.open = machine->scopes[s].instruction,
                                              .point = machine->scopes[s].point,
                                              .parent = UINT32_MAX};
  graph->scope_count = machine->scope_count;
  if (graph->scope_count > 0)
    qsort(graph->scopes, graph->scope_count, sizeof *graph->scopes, by_open);
  size_t kept = 0;
  for (size_t s = 0; s < graph->scope_count; s++) {
    if (kept == 0 || graph->scopes[kept - 1].open != graph->scopes[s].open)
      graph->scopes[kept++] = graph->scopes[s];
  }
  graph->scope_count = kept;
  return true;
}

/* The scope around each, where it is one in all contexts. */
static bool find_parents(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  bool *known = wb_allocate(graph->scope_count, sizeof *known);
  if (known == NULL)
    return false;
  for (size_t s = 0; s < machine->scope_count; s++) {
    const uint32_t scope = index_of(graph, machine->scopes[s].instruction);
    const uint32_t parent = innermost(analysis, graph, &machine->scopes[s].made);
    if (!known[scope])
      graph->scopes[scope].parent = parent;
    else if (graph->scopes[scope].parent != parent)
      graph->scopes[scope].parent = UINT32_MAX;
    known[scope] = true;
  }
  free(known);
  return true;
}

/* An instruction of a described scope. */
static int by_scope(const void *a, const void *b)
{
  const struct wb_scope_use *left = a;
  const struct wb_scope_use *right = b;
  if (left->scope != right->scope)
    return left->scope < right->scope ? -1 : 1;
  return (left->instruction > right->instruction) - (left->instruction < right->instruction);
}

/* Turns uses of scopes into uses of described ones, each once, in order. Returns how many. */
static size_t unite_uses(const struct wb_simt_analysis *analysis, const struct wb_warp_graph *graph,
                         struct wb_scope_use *uses, size_t count)
{
  for (size_t u = 0; u < count; u++)
    uses[u].scope = index_of_scope(analysis, graph, uses[u].scope);
  if (count > 0)
    qsort(uses, count, sizeof *uses, by_scope);
  size_t kept = 0;
  for (size_t u = 0; u < count; u++) {
    if (kept == 0 || by_scope(&uses[kept - 1], &uses[u]) != 0)
      uses[kept++] = uses[u];
  }
  return kept;
}

/* Moves the instructions of a scope to the graph's list: those of `uses` from *next on. */
static size_t append_uses(struct wb_warp_graph *graph, uint32_t scope,
                          const struct wb_scope_use *uses, size_t count, size_t *next)
{
  const size_t first = *next;
  for (; *next < count && uses[*next].scope == scope; (*next)++)
    graph->scope_instructions[graph->scope_instruction_count++] = uses[*next].instruction;
  return *next - first;
}

static bool list_instructions(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  machine->sync_count = unite_uses(analysis, graph, machine->syncs, machine->sync_count);
  machine->leaving_count = unite_uses(analysis, graph, machine->leavings, machine->leaving_count);
  graph->scope_instructions =
      wb_allocate(machine->sync_count + machine->leaving_count, sizeof *graph->scope_instructions);
  if (graph->scope_instructions == NULL)
    return false;
  size_t sync = 0;
  size_t leaving = 0;
  for (uint32_t s = 0; s < graph->scope_count; s++) {
    struct wb_warp_scope *scope = &graph->scopes[s];
    scope->first_sync = graph->scope_instruction_count;
    scope->sync_count = append_uses(graph, s, machine->syncs, machine->sync_count, &sync);
    scope->first_break = graph->scope_instruction_count;
    scope->break_count = append_uses(graph, s, machine->leavings, machine->leaving_count, &leaving);
  }
  return true;
}

/* By block, the innermost scope and whether a group is known to be all lanes of the warp: what a
 * block begins with holds up to its end, where alone lanes come apart. */
static bool describe_blocks(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  graph->innermost_scopes = wb_allocate(graph->block_count, sizeof *graph->innermost_scopes);
  graph->whole = wb_allocate(graph->block_count, sizeof *graph->whole);
  if (graph->innermost_scopes == NULL || graph->whole == NULL)
    return false;
  for (size_t b = 0; b < graph->block_count; b++) {
    const struct wb_group *group =
        (const void *)wb_simt_abstract_of(analysis, analysis->block_states[b]);
    graph->innermost_scopes[b] = innermost(analysis, graph, group);
    graph->whole[b] = group->origin == WB_ORIGIN_WHOLE;
  }
  return true;
}

bool wb_barrier_describe(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  return list_scopes(analysis, graph) && find_parents(analysis, graph) &&
         list_instructions(analysis, graph) && describe_blocks(analysis, graph) &&
         wb_several_groups(analysis, graph);
}
