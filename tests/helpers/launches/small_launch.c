#include "launches/small_launch.h"

#include "base/memory.h"

#include "unit.h"

uint8_t small_resource(struct wb_timed_code *code, const char *name, enum wb_resource_level level,
                       uint32_t servers, bool at_issue)
{
  assert_true(code->resource_count < WB_RESOURCE_LIMIT);
  struct wb_resource *const resource = &code->resources[code->resource_count];
  *resource = (struct wb_resource){.level = level, .servers = servers, .at_issue = at_issue};
  strncpy(resource->name, name, sizeof resource->name - 1);
  return (uint8_t)code->resource_count++;
}

struct wb_timed_instruction *small_instruction(struct wb_timed_code *code, uint32_t stall)
{
  const size_t count = code->instruction_count;
  struct wb_timed_instruction *const grown =
      realloc(code->instructions, (count + 1) * sizeof *grown);
  assert_non_null(grown);
  code->instructions = grown;
  code->instruction_count = count + 1;
  grown[count] = (struct wb_timed_instruction){
      .stall = stall,
      .first_use = (uint32_t)code->use_count,
      .first_stage = (uint32_t)code->stage_count,
      .write_scoreboard = WB_NO_SCOREBOARD,
      .read_scoreboard = WB_NO_SCOREBOARD,
      .counted_scoreboard = WB_NO_SCOREBOARD,
  };
  return &grown[count];
}

void small_use(struct wb_timed_code *code, uint8_t resource, uint32_t service)
{
  assert_true(wb_grow(code->uses, &code->use_capacity, code->use_count + 1));
  code->uses[code->use_count++] = (struct wb_issue_use){resource, service};
  code->instructions[code->instruction_count - 1].use_count++;
}

void small_stage(struct wb_timed_code *code, uint8_t resource, uint16_t requests, uint32_t delay,
                 uint32_t service)
{
  assert_true(wb_grow(code->stages, &code->stage_capacity, code->stage_count + 1));
  code->stages[code->stage_count++] = (struct wb_request_stage){resource, requests, delay, service};
  code->instructions[code->instruction_count - 1].stage_count++;
}

/* Resources of the worked example, in this order. */
enum { SLOT, FP32, PATH, L2, DRAM };

static void add_access(struct wb_timed_code *code, uint32_t latency, uint8_t scoreboard)
{
  struct wb_timed_instruction *const access = small_instruction(code, 2);
  access->latency = latency;
  access->write_scoreboard = scoreboard;
  small_use(code, SLOT, 1);
  small_stage(code, PATH, 1, 4, 4);
  small_stage(code, L2, 1, 40, 4);
  small_stage(code, DRAM, 1, 60, 8);
}

static void add_plain(struct wb_timed_code *code, uint32_t stall)
{
  small_instruction(code, stall);
  small_use(code, SLOT, 1);
}

static void add_barrier(struct wb_timed_code *code)
{
  add_plain(code, 20);
  code->instructions[code->instruction_count - 1].barrier = true;
}

static void add_round(struct wb_timed_code *code, bool barriers)
{
  add_access(code, 80, 0);
  add_plain(code, 4);
  for (size_t i = 0; i < 8; i++) {
    struct wb_timed_instruction *const multiply = small_instruction(code, 4);
    multiply->wait_mask = i == 0 ? 1 : 0;
    small_use(code, SLOT, 1);
    small_use(code, FP32, 2);
  }
  if (barriers) {
    add_barrier(code);
    add_barrier(code);
  }
  add_plain(code, 6);
}

void small_worked_example(struct wb_timed_code *code, bool barriers)
{
  *code = (struct wb_timed_code){0};
  small_resource(code, "issue slot", WB_LEVEL_PARTITION, 1, true);
  small_resource(code, "FP32", WB_LEVEL_PARTITION, 1, true);
  small_resource(code, "load/store path", WB_LEVEL_SM, 1, false);
  small_resource(code, "L2", WB_LEVEL_GPU, 16, false);
  small_resource(code, "DRAM", WB_LEVEL_GPU, 32, false);
  for (size_t i = 0; i < 4; i++)
    add_plain(code, 4);
  for (size_t i = 0; i < 4; i++)
    add_round(code, barriers);
  add_access(code, 0, WB_NO_SCOREBOARD);
  add_plain(code, 1);
}
