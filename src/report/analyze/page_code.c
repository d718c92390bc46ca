/* The machine code of the page on a launch. */
#include "report/analyze/page_data.h"

#include "formats/json/json_output.h"
#include "report/analyze/analyze_parts.h"
#include "report/cfg/cfg_words.h"

#include <math.h>

static size_t shown(const struct wb_launch_analysis *analysis)
{
  const size_t count = analysis->function->instruction_count;
  return count < WB_PAGE_INSTRUCTIONS ? count : WB_PAGE_INSTRUCTIONS;
}

static json_t *text_of(const struct wb_function *function, const struct wb_instruction *instruction)
{
  struct wb_text text = {0};
  wb_cfg_write_instruction(function, instruction, &text);
  return wb_json_clean_text(&text);
}

/* Its cycles in the upper end; where those are not known, on the worst path of one warp. */
static double cycles_of(const struct wb_launch_analysis *analysis, uint32_t instruction)
{
  if (analysis->instruction_cycles != NULL)
    return round(analysis->instruction_cycles[instruction] * 100) / 100;
  const int64_t *cycles = analysis->paths.wcet.cycles;
  return cycles != NULL
             ? (double)wb_analyze_runs(analysis, instruction) * (double)cycles[instruction]
             : 0;
}

/* "stall 4, wait 0x3" as the scheduling information of the instruction has it. */
static json_t *timing_of(const struct wb_launch_analysis *analysis, uint32_t instruction)
{
  if (instruction >= analysis->timed.instruction_count)
    return json_null();
  const struct wb_timed_instruction *timed = &analysis->timed.instructions[instruction];
  return json_pack("[I, I, I]", (json_int_t)timed->stall, (json_int_t)timed->latency,
                   (json_int_t)timed->wait_mask);
}

static json_t *instruction_json(const struct wb_launch_analysis *analysis, uint32_t i,
                                uint32_t block)
{
  const struct wb_instruction *at = &analysis->function->instructions[i];
  json_t *row = json_array();
  wb_json_push(&row, json_integer(at->address));
  wb_json_push(&row, text_of(analysis->function, at));
  wb_json_push(
      &row, json_integer(at->source_file > 0 ? (json_int_t)at->source_file - 1 : (json_int_t)-1));
  wb_json_push(&row, json_integer(at->source_line));
  wb_json_push(&row, json_integer(block == UINT32_MAX ? (json_int_t)-1 : (json_int_t)block));
  wb_json_push(&row, wb_analyze_number(wb_analyze_runs(analysis, i)));
  wb_json_push(&row, json_real(cycles_of(analysis, i)));
  wb_json_push(&row, timing_of(analysis, i));
  return row;
}

static json_t *instructions_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_warp_graph *united = &analysis->paths.wcet.flow.united;
  const size_t count = shown(analysis);
  json_t *rows = json_array();
  size_t b = 0;
  for (uint32_t i = 0; i < count; i++) {
    while (b < united->block_count && united->blocks[b].last < i)
      b++;
    const bool reached = b < united->block_count && united->blocks[b].first <= i;
    wb_json_push(&rows, instruction_json(analysis, i, reached ? (uint32_t)b : UINT32_MAX));
  }
  return rows;
}

static json_t *blocks_json(const struct wb_warp_graph *united)
{
  json_t *rows = json_array();
  for (size_t b = 0; b < united->block_count; b++)
    wb_json_push(&rows, json_pack("[I, I]", (json_int_t)united->blocks[b].first,
                                  (json_int_t)united->blocks[b].last));
  return rows;
}

static json_t *edges_json(const struct wb_warp_graph *united)
{
  json_t *rows = json_array();
  for (size_t e = 0; e < united->edge_count; e++) {
    const struct wb_warp_edge *edge = &united->edges[e];
    wb_json_push(&rows, json_pack("[I, I, s]", (json_int_t)edge->from, (json_int_t)edge->to,
                                  wb_edge_kind_name((enum wb_edge_kind)edge->kind)));
  }
  return rows;
}

/* By loop its header and the loop around it (-1: none); by block its innermost loop. */
static json_t *loops_json(const struct wb_united_loops *loops)
{
  json_t *rows = json_array();
  for (size_t l = 0; l < loops->count; l++) {
    const struct wb_united_loop *loop = &loops->loops[l];
    wb_json_push(&rows,
                 json_pack("[I, I]", (json_int_t)loop->header,
                           loop->parent == UINT32_MAX ? (json_int_t)-1 : (json_int_t)loop->parent));
  }
  return rows;
}

static json_t *innermost_json(const struct wb_united_loops *loops, size_t block_count)
{
  json_t *rows = json_array();
  for (size_t b = 0; b < block_count && loops->innermost != NULL; b++)
    wb_json_push(&rows,
                 json_integer(loops->innermost[b] == UINT32_MAX ? (json_int_t)-1
                                                                : (json_int_t)loops->innermost[b]));
  return rows;
}

/* By scope of convergence barriers: where it opens, where its lanes meet, the scope around it. */
static json_t *scopes_json(const struct wb_warp_graph *united)
{
  json_t *rows = json_array();
  for (size_t s = 0; s < united->scope_count; s++) {
    const struct wb_warp_scope *scope = &united->scopes[s];
    wb_json_push(
        &rows, json_pack("[I, I, I]", (json_int_t)scope->open, (json_int_t)scope->point,
                         scope->parent == UINT32_MAX ? (json_int_t)-1 : (json_int_t)scope->parent));
  }
  return rows;
}

json_t *wb_page_code(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const struct wb_control_flow *flow = &analysis->paths.wcet.flow;
  json_t *code = json_object();
  wb_json_put(&code, "instructions", instructions_json(analysis));
  wb_json_put(&code, "left_out",
              json_integer((json_int_t)(analysis->function->instruction_count - shown(analysis))));
  wb_json_put(&code, "blocks", blocks_json(&flow->united));
  wb_json_put(&code, "edges", edges_json(&flow->united));
  wb_json_put(&code, "loops", loops_json(&flow->loops));
  wb_json_put(&code, "innermost", innermost_json(&flow->loops, flow->united.block_count));
  wb_json_put(&code, "scopes", scopes_json(&flow->united));
  return code;
}
