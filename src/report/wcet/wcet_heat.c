/* The worst path as colours of the graph. */
#include "report/wcet/wcet_report.h"

#include "base/memory.h"

#include <stdlib.h>

/* The place of an edge in the united graph, whose edges are sorted; its edge_count where there is
 * none. */
static size_t find_edge(const struct wb_warp_graph *united, uint32_t from, uint32_t to,
                        uint8_t kind)
{
  size_t low = 0;
  size_t high = united->edge_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const struct wb_warp_edge *edge = &united->edges[middle];
    const bool before = edge->from != from ? edge->from < from
                        : edge->to != to   ? edge->to < to
                                           : edge->kind < kind;
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  const struct wb_warp_edge *edge = &united->edges[low];
  const bool found =
      low < united->edge_count && edge->from == from && edge->to == to && edge->kind == kind;
  return found ? low : united->edge_count;
}

bool wb_wcet_heat(const struct wb_wcet *wcet, struct wb_cfg_heat *heat)
{
  const struct wb_warp_graph *united = &wcet->flow.united;
  *heat = (struct wb_cfg_heat){.runs = wb_allocate(united->block_count, sizeof *heat->runs),
                               .cycles = wb_allocate(united->block_count, sizeof *heat->cycles),
                               .taken = wb_allocate(united->edge_count, sizeof *heat->taken),
                               .wcet = wcet->ipet.proof.bound,
                               .kind = wb_wcet_kind(wcet)};
  if (heat->runs == NULL || heat->cycles == NULL || heat->taken == NULL)
    return false;
  for (size_t b = 0; wcet->instruction_runs != NULL && b < united->block_count; b++) {
    heat->runs[b] = wcet->instruction_runs[united->blocks[b].first];
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      heat->cycles[b] += wcet->instruction_runs[i] * wcet->cycles[i];
    heat->total += heat->cycles[b];
  }
  /* The edges that a worst path takes, those of all calling contexts together. An edge from one
   * context to another inside a united block is no edge of the united graph. */
  const struct wb_warp_graph *graph = wcet->graph;
  uint32_t *block_of = wb_allocate(wcet->function->instruction_count, sizeof *block_of);
  if (block_of == NULL)
    return false;
  for (uint32_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      block_of[i] = b;
  }
  for (size_t e = 0; wcet->ipet.taken != NULL && e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const size_t place = find_edge(united, block_of[graph->blocks[edge->from].last],
                                   block_of[graph->blocks[edge->to].first], edge->kind);
    if (place < united->edge_count)
      heat->taken[place] += wcet->ipet.taken[e];
  }
  free(block_of);
  return true;
}

void wb_wcet_heat_free(struct wb_cfg_heat *heat)
{
  free(heat->runs);
  free(heat->cycles);
  free(heat->taken);
  *heat = (struct wb_cfg_heat){0};
}

bool wb_wcet_graphs_make(const struct warpbound_wcet *const *results, size_t count,
                         struct wb_wcet_graphs *graphs)
{
  *graphs = (struct wb_wcet_graphs){.flows = wb_allocate(count, sizeof *graphs->flows),
                                    .heat = wb_allocate(count, sizeof *graphs->heat)};
  graphs->report = (struct wb_cfg_report){.code = results[0]->wcet.code,
                                          .options = &results[0]->options,
                                          .flows = graphs->flows,
                                          .heat = graphs->heat};
  bool ok = graphs->flows != NULL && graphs->heat != NULL;
  while (ok && graphs->report.count < count) {
    const size_t k = graphs->report.count++;
    graphs->flows[k] = results[k]->wcet.flow;
    ok = wb_wcet_heat(&results[k]->wcet, &graphs->heat[k]);
  }
  return ok;
}

void wb_wcet_graphs_free(struct wb_wcet_graphs *graphs)
{
  for (size_t k = 0; k < graphs->report.count; k++)
    wb_wcet_heat_free(&graphs->heat[k]);
  free(graphs->heat);
  free(graphs->flows);
}

/* ---- source lines ---- */

static int by_place(const void *a, const void *b)
{
  const struct wb_wcet_line *x = a;
  const struct wb_wcet_line *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static int by_cycles(const void *a, const void *b)
{
  const struct wb_wcet_line *x = a;
  const struct wb_wcet_line *y = b;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return by_place(a, b);
}

warpbound_status wb_wcet_lines(const struct wb_wcet *wcet, struct wb_wcet_line **lines,
                               size_t *count, warpbound_error *error)
{
  size_t instructions = wcet->function->instruction_count;
  *count = 0;
  *lines = wb_allocate(instructions, sizeof **lines);
  if (*lines == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; wcet->instruction_runs != NULL && i < instructions; i++) {
    const struct wb_instruction *instruction = &wcet->function->instructions[i];
    if (wcet->instruction_runs[i] > 0)
      (*lines)[(*count)++] =
          (struct wb_wcet_line){.file = instruction->source_file,
                                .line = instruction->source_line,
                                .cycles = wcet->instruction_runs[i] * wcet->cycles[i]};
  }
  qsort(*lines, *count, sizeof **lines, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    if (kept > 0 && by_place(&(*lines)[kept - 1], &(*lines)[i]) == 0)
      (*lines)[kept - 1].cycles += (*lines)[i].cycles;
    else
      (*lines)[kept++] = (*lines)[i];
  }
  *count = kept;
  qsort(*lines, *count, sizeof **lines, by_cycles);
  return WARPBOUND_OK;
}
