/* Whether iterations of a loop leave lanes behind: whether at each header all lanes of an entry
 * that are still in the loop are one group (doc/simt-volta.md, "Loops"). */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/arena.h"
#include "cfg/warp_graph/block_search.h"

/* A question about one loop. */
struct question {
  const struct wb_simt_analysis *analysis;
  const bool *body;
  bool *whole;     /* by block of the body: all lanes of an entry that are still in the loop and
                    * come to it are one group */
  bool *dirty;     /* by scope: lanes leave it by a BREAK and stay in the body */
  uint32_t *ways;  /* by block: its edges into the body */
  size_t *resumed; /* by edge: its first resumption, + 1 */
};

static bool in_body(const struct question *question, uint32_t state)
{
  const struct wb_simt_place place = question->analysis->fixpoint.states[state].place;
  const uint32_t block =
      wb_block_that_holds(&question->analysis->graph, place.instruction, place.context);
  return block != WB_NOWHERE && question->body[block];
}

/* Whether an edge that resumes a continuation brings all lanes of an entry together. */
static bool whole_after(const struct question *question, uint32_t continuation, bool before)
{
  const struct wb_simt_analysis *analysis = question->analysis;
  const uint32_t maker = analysis->makers[continuation];
  struct wb_warp_entry entry;
  if (maker == WB_NOWHERE || !question->body[maker] ||
      !analysis->mechanism->continuation(analysis, continuation, &entry))
    return false;
  if (entry.token == WB_TOKEN_WARP)
    return true;
  if (!entry.once)
    return before;
  return question->whole[maker] && !question->dirty[continuation / 2];
}

/* Whether the lanes of an entry that an edge within the body brings to its block are one group. */
static bool whole_over(const struct question *question, size_t e)
{
  const struct wb_simt_analysis *analysis = question->analysis;
  const struct wb_warp_edge *edge = &analysis->graph.edges[e];
  const bool apart =
      edge->rate == WB_RATE_LANES || (edge->rate == WB_RATE_EACH && question->ways[edge->from] > 1);
  const bool before = question->whole[edge->from] && !apart;
  if (question->resumed[e] == 0 || edge->rate == WB_RATE_LANES)
    return before;
  bool whole = true;
  for (size_t r = question->resumed[e] - 1;
       r < analysis->resumption_count && analysis->resumptions[r].edge == e; r++)
    whole = whole && whole_after(question, analysis->resumptions[r].continuation, before);
  return whole;
}

/* The greatest solution: takes back what does not hold until all holds. */
static void solve(const struct question *question)
{
  const struct wb_warp_graph *graph = &question->analysis->graph;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t e = 0; e < graph->edge_count; e++) {
      const struct wb_warp_edge *edge = &graph->edges[e];
      if (!question->body[edge->from] || !question->body[edge->to] || !question->whole[edge->to])
        continue;
      if (!whole_over(question, e)) {
        question->whole[edge->to] = false;
        changed = true;
      }
    }
  }
}

static void start(const struct question *question)
{
  const struct wb_simt_analysis *analysis = question->analysis;
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  for (size_t b = 0; b < analysis->graph.block_count; b++)
    question->whole[b] = true;
  for (size_t e = 0; e < analysis->graph.edge_count; e++) {
    const struct wb_warp_edge *edge = &analysis->graph.edges[e];
    question->ways[edge->from] += question->body[edge->to];
  }
  for (size_t r = analysis->resumption_count; r-- > 0;)
    question->resumed[analysis->resumptions[r].edge] = r + 1;
  for (size_t s = 0; s < machine->scope_count; s++)
    question->dirty[s] = machine->all_broken;
  for (size_t e = 0; e < machine->escape_count; e++) {
    const struct wb_escape *escape = &machine->escapes[e];
    if (escape->how != WB_ESCAPE_NONE && !question->dirty[escape->scope] &&
        in_body(question, escape->from) && in_body(question, escape->to))
      question->dirty[escape->scope] = true;
  }
}

bool wb_barrier_leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                              const bool *body)
{
  const struct wb_warp_graph *graph = &analysis->graph;
  const size_t scopes = wb_barrier_machine_of(analysis)->scope_count;
  struct wb_arena arena = {0};
  const struct question question = {
      .analysis = analysis,
      .body = body,
      .whole = wb_arena_array(&arena, bool, graph->block_count),
      .dirty = wb_arena_array(&arena, bool, scopes),
      .ways = wb_arena_array(&arena, uint32_t, graph->block_count),
      .resumed = wb_arena_array(&arena, size_t, graph->edge_count),
  };
  bool left = arena.failed;
  if (!left) {
    start(&question);
    solve(&question);
    for (size_t b = 0; b < graph->block_count; b++)
      left = left || (headers[b] && !question.whole[b]);
  }
  wb_arena_free(&arena);
  return left;
}
