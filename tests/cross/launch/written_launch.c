#include "written_launch.h"

void written_start(struct written_launch *written)
{
  *written = (struct written_launch){0};
  struct wb_timed_code *code = &written->random.tiny.code;
  code->instructions = written->instructions;
  code->uses = written->uses;
  code->stages = written->stages;
  code->resources[0] = (struct wb_resource){"slot", WB_LEVEL_PARTITION, 1, true};
  code->resource_count = 1;
  written->random.tiny.shape = (struct wb_launch_shape){
      .blocks = 1, .block_warps = 1, .sms = 1, .partitions = 1, .resident_blocks = 1};
}

struct wb_timed_instruction *written_add(struct written_launch *written, uint32_t stall,
                                         uint32_t slot)
{
  struct wb_timed_code *code = &written->random.tiny.code;
  struct wb_timed_instruction *one = &written->instructions[code->instruction_count++];
  *one = (struct wb_timed_instruction){.stall = stall,
                                       .first_use = (uint32_t)code->use_count,
                                       .use_count = 1,
                                       .write_scoreboard = WB_NO_SCOREBOARD,
                                       .read_scoreboard = WB_NO_SCOREBOARD,
                                       .counted_scoreboard = WB_NO_SCOREBOARD};
  written->uses[code->use_count++] = (struct wb_issue_use){0, slot};
  return one;
}

void written_add_unit(struct written_launch *written, struct wb_timed_instruction *instruction,
                      uint32_t service)
{
  written->uses[written->random.tiny.code.use_count++] = (struct wb_issue_use){1, service};
  instruction->use_count++;
}

void written_add_port(struct written_launch *written, enum wb_resource_level level,
                      uint32_t servers)
{
  struct wb_timed_code *code = &written->random.tiny.code;
  code->resources[code->resource_count++] = (struct wb_resource){"port", level, servers, false};
}

void written_add_stage(struct written_launch *written, struct wb_timed_instruction *instruction,
                       struct wb_request_stage stage)
{
  struct wb_timed_code *code = &written->random.tiny.code;
  if (instruction->stage_count++ == 0)
    instruction->first_stage = (uint32_t)code->stage_count;
  written->stages[code->stage_count++] = stage;
}

void written_connect(struct written_launch *written, const char *edges)
{
  struct launch_graph *graph = &written->random.graph;
  graph->node_count = written->random.tiny.code.instruction_count;
  for (uint8_t v = 0; v < (uint8_t)graph->node_count; v++)
    graph->first[v] = graph->last[v] = v;
  for (; edges[0] != '\0' && edges[1] != '\0'; edges += edges[2] == ' ' ? 3 : 2) {
    const uint8_t from = graph->from[graph->edge_count] = (uint8_t)(edges[0] - '0');
    const uint8_t to = graph->to[graph->edge_count++] = (uint8_t)(edges[1] - '0');
    graph->phase[to] = (uint8_t)(graph->phase[from] + written->instructions[from].barrier);
  }
}

void written_exclude(struct written_launch *written, uint32_t one, uint32_t other, uint32_t third)
{
  struct launch_graph *graph = &written->random.graph;
  struct launch_limit *limit = &graph->limits[graph->limit_count++];
  limit->constant = limit->factor[one] = limit->factor[other] = limit->factor[third] = 1;
}
