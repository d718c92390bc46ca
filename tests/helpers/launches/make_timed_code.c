#include "launches/make_timed_code.h"

#include "base/memory.h"
#include "unit.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

uint8_t timed_resource(struct wb_timed_code *code, enum wb_resource_level level, uint32_t servers,
                       bool at_issue)
{
  assert(code->resource_count < WB_RESOURCE_LIMIT);
  struct wb_resource *resource = &code->resources[code->resource_count];
  *resource = (struct wb_resource){.level = level, .servers = servers, .at_issue = at_issue};
  (void)snprintf(resource->name, sizeof resource->name, "r%zu", code->resource_count);
  return (uint8_t)code->resource_count++;
}

static void add_use(struct wb_timed_code *code, uint8_t resource, uint32_t service)
{
  if (!wb_grow(code->uses, &code->use_capacity, code->use_count + 1))
    abort();
  code->uses[code->use_count++] = (struct wb_issue_use){resource, service};
}

static uint8_t scoreboard(uint8_t number)
{
  return number == 0 ? WB_NO_SCOREBOARD : (uint8_t)(number - 1);
}

uint32_t timed_instruction(struct wb_timed_code *code, struct made_instruction made)
{
  struct wb_timed_instruction instruction = {
      .stall = made.stall,
      .first_use = (uint32_t)code->use_count,
      .first_stage = (uint32_t)code->stage_count,
      .latency = made.latency,
      .read_latency = made.read_latency,
      .use_count = made.unit_service > 0 ? 2 : 1,
      .read_stages = made.read_stages,
      .write_scoreboard = scoreboard(made.write),
      .read_scoreboard = scoreboard(made.read),
      .wait_mask = made.wait_mask,
      .counted_scoreboard = scoreboard(made.counted),
      .counted_left = made.counted_left,
      .barrier = made.barrier,
      .fence = made.fence,
  };
  add_use(code, 0, made.slot > 0 ? made.slot : 1);
  if (made.unit_service > 0)
    add_use(code, made.unit, made.unit_service);
  for (size_t s = 0; s < 4 && made.stages[s].service > 0; s++) {
    if (!wb_grow(code->stages, &code->stage_capacity, code->stage_count + 1))
      abort();
    code->stages[code->stage_count++] = (struct wb_request_stage){
        .resource = made.stages[s].resource,
        .requests = made.stages[s].requests > 0 ? made.stages[s].requests : 1,
        .delay = made.stages[s].delay,
        .service = made.stages[s].service};
    instruction.stage_count++;
  }
  /* Of a power of two there is no room left: a copy for each would take long where there are many.
   */
  if ((code->instruction_count & (code->instruction_count - 1)) == 0)
    code->instructions = must(realloc(code->instructions, (2 * code->instruction_count + 1) *
                                                              sizeof *code->instructions));
  code->instructions[code->instruction_count] = instruction;
  return (uint32_t)code->instruction_count++;
}

void timed_instructions(struct wb_timed_code *code, struct made_instruction made, size_t count)
{
  for (size_t i = 0; i < count; i++)
    timed_instruction(code, made);
}

void made_graph_begin(struct made_graph *made)
{
  *made = (struct made_graph){0};
  made->graph = (struct wb_timing_graph){.first = made->first,
                                         .last = made->last,
                                         .interleaved = made->interleaved,
                                         .ends = made->ends,
                                         .from = made->from,
                                         .to = made->to,
                                         .starts = &made->start,
                                         .start_count = 1};
}

uint32_t made_graph_node(struct made_graph *made, uint32_t first, uint32_t last)
{
  assert(made->graph.node_count < MADE_NODES);
  const uint32_t node = (uint32_t)made->graph.node_count++;
  made->first[node] = first;
  made->last[node] = last;
  return node;
}

void made_graph_edge(struct made_graph *made, uint32_t from, uint32_t to)
{
  assert(made->graph.edge_count < MADE_EDGES);
  made->from[made->graph.edge_count] = from;
  made->to[made->graph.edge_count++] = to;
}
