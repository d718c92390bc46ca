/* The warp-level graph as JSON. */
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "isa/lower/lower.h"
#include "report/cfg/cfg_report.h"
#include "report/report_words.h"

#include <stdio.h>
#include <stdlib.h>

static json_int_t address_of(const struct wb_control_flow *flow, uint32_t instruction)
{
  return flow->function->instructions[instruction].address;
}

static json_t *id_json(uint32_t id)
{
  return id == UINT32_MAX ? json_null() : json_integer(id);
}

static json_t *addresses_json(const struct wb_control_flow *flow, const uint32_t *instructions,
                              size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    wb_json_push(&array, json_integer(address_of(flow, instructions[i])));
  return array;
}

/* lines: room for the source lines of any block. */
static json_t *block_json(const struct wb_control_flow *flow, uint32_t id,
                          struct wb_source_line *lines)
{
  const struct wb_code *code = flow->code;
  const struct wb_warp_block *block = &flow->united.blocks[id];
  const uint32_t dominator = flow->dominators.immediate[id];
  json_t *row = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:b}", "id", (json_int_t)id, "first",
                          address_of(flow, block->first), "last", address_of(flow, block->last),
                          "instructions", (json_int_t)block->last - block->first + 1, "dominator",
                          id_json(dominator == id ? UINT32_MAX : dominator), "loop",
                          id_json(flow->loops.innermost[id]), "ends", (int)flow->united.ends[id]);
  const size_t count = wb_cfg_source_lines(flow->function, block, lines);
  json_t *files = json_array();
  json_t *of_file = NULL;
  for (size_t i = 0; i < count; i++) {
    const uint32_t file = lines[i].file;
    if (i == 0 || file != lines[i - 1].file) {
      json_t *name =
          file > 0 && file <= code->file_count ? wb_json_clean(code->files[file - 1]) : json_null();
      of_file = json_array();
      wb_json_push(&files, json_pack("{s:o, s:o}", "file", name, "lines", of_file));
    }
    json_array_append_new(of_file, json_integer(lines[i].line));
  }
  wb_json_put(&row, "source", files);
  if (flow->united.groups) {
    /* The scopes that are surely open where a block begins, outermost first. */
    json_t *chain = json_array();
    for (uint32_t s = flow->united.innermost_scopes[id]; s != UINT32_MAX;
         s = flow->united.scopes[s].parent)
      json_array_insert_new(chain, 0, json_integer(s));
    wb_json_put(&row, "scopes", chain);
    wb_put_flag(&row, "several_groups", flow->united.several[id]);
  }
  return row;
}

/* Gives each block of the united graph the list of its contexts. Blocks of the graph are sorted by
 * instruction as those of the united one are. */
static void add_block_contexts(const struct wb_control_flow *flow, json_t *blocks)
{
  const struct wb_warp_graph *united = &flow->united;
  size_t u = 0;
  for (size_t v = 0; v < united->block_count; v++)
    json_object_set_new(json_array_get(blocks, v), "contexts", json_array());
  for (size_t b = 0; b < flow->graph->block_count; b++) {
    const struct wb_warp_block *block = &flow->graph->blocks[b];
    while (u + 1 < united->block_count && united->blocks[u].last < block->first)
      u++;
    for (size_t v = u; v < united->block_count && united->blocks[v].first <= block->last; v++)
      json_array_append_new(json_object_get(json_array_get(blocks, v), "contexts"),
                            json_integer(block->context));
  }
}

/* The conditional control instruction at the end of a block. */
static json_t *conditional_json(const struct wb_control_flow *flow, uint32_t block)
{
  const struct wb_function *function = flow->function;
  const uint32_t last = flow->united.blocks[block].last;
  const struct wb_instruction *instruction = &function->instructions[last];
  const bool has_line = instruction->source_line > 0;
  const bool has_file = has_line && instruction->source_file > 0 &&
                        instruction->source_file <= flow->code->file_count;
  struct wb_text text = {0};
  wb_cfg_write_instruction(function, instruction, &text);
  return json_pack("{s:I, s:I, s:o, s:b, s:b, s:o?, s:o}", "address", address_of(flow, last),
                   "block", (json_int_t)block, "instruction", wb_json_clean_text(&text), "uniform",
                   (int)(wb_cfg_lanes(&flow->united, block) == WB_LANES_UNIFORM), "vouched",
                   (int)instruction->uniform, "file",
                   has_file ? wb_json_clean(flow->code->files[instruction->source_file - 1]) : NULL,
                   "line", has_line ? json_integer(instruction->source_line) : json_null());
}

static json_t *members_json(const struct wb_united_loops *loops, size_t first, size_t count)
{
  json_t *array = json_array();
  for (size_t i = first; i < first + count; i++)
    wb_json_push(&array, json_integer(loops->members[i]));
  return array;
}

static json_t *loops_json(const struct wb_united_loops *loops)
{
  json_t *array = json_array();
  for (size_t l = 0; l < loops->count; l++) {
    const struct wb_united_loop *loop = &loops->loops[l];
    wb_json_push(&array,
                 json_pack("{s:I, s:o, s:I, s:o, s:b, s:o}", "header", (json_int_t)loop->header,
                           "back_edges",
                           members_json(loops, loop->first_back_edge, loop->back_edge_count),
                           "depth", (json_int_t)loop->depth, "parent", id_json(loop->parent),
                           "irreducible", (int)loop->irreducible, "entries",
                           members_json(loops, loop->first_entry, loop->entry_count)));
  }
  return array;
}

static json_t *scopes_json(const struct wb_control_flow *flow)
{
  const uint32_t *instructions = flow->united.scope_instructions;
  json_t *array = json_array();
  for (size_t s = 0; s < flow->united.scope_count; s++) {
    const struct wb_warp_scope *scope = &flow->united.scopes[s];
    wb_json_push(
        &array,
        json_pack("{s:I, s:I, s:o, s:o, s:o}", "bssy", address_of(flow, scope->open), "point",
                  address_of(flow, scope->point), "bsyncs",
                  addresses_json(flow, &instructions[scope->first_sync], scope->sync_count),
                  "breaks",
                  addresses_json(flow, &instructions[scope->first_break], scope->break_count),
                  "parent", id_json(scope->parent)));
  }
  return array;
}

/* The opcodes of reachable instructions that write registers in a way that no analysis knows, in
 * the order in which they come first, and how often each occurs. */
static json_t *opcodes_without_meaning(const struct wb_control_flow *flow)
{
  json_t *counts = json_object();
  json_t *array = json_array();
  const char *opcode;
  json_t *count;
  for (size_t b = 0; b < flow->united.block_count; b++) {
    for (uint32_t i = flow->united.blocks[b].first; i <= flow->united.blocks[b].last; i++) {
      if (wb_meaning_of(flow->function, i) != WB_MEANING_MISSING)
        continue;
      json_t *name = wb_json_clean(flow->function->instructions[i].opcode);
      opcode = json_string_value(name);
      json_object_set_new(counts, opcode,
                          json_integer(json_integer_value(json_object_get(counts, opcode)) + 1));
      json_decref(name);
    }
  }
  json_object_foreach(counts, opcode, count)
  {
    wb_json_push(&array,
                 json_pack("{s:s, s:I}", "opcode", opcode, "count", json_integer_value(count)));
  }
  json_decref(counts);
  return array;
}

static json_t *head_json(const struct wb_function *function)
{
  char isa[16] = "unknown";
  if (function->sm > 0)
    snprintf(isa, sizeof isa, "sm_%u", function->sm);
  json_t *row = json_pack("{s:o, s:s}", "name", wb_json_clean(function->name), "isa", isa);
  wb_kernel_name_json(row, function->name);
  return row;
}

/* A function that was analysed. */
static json_t *graph_json(const struct wb_control_flow *flow, bool with_contexts,
                          struct wb_source_line *lines)
{
  const struct wb_warp_graph *united = &flow->united;
  json_t *row = head_json(flow->function);
  json_t *blocks = json_array(), *edges = json_array(), *conditionals = json_array();
  wb_put_number(&row, "instructions", wb_cfg_reachable_instructions(united));
  wb_put_number(&row, "listed", flow->function->instruction_count);
  wb_put_number(&row, "entry", united->entry_block);
  for (uint32_t b = 0; b < united->block_count; b++) {
    wb_json_push(&blocks, block_json(flow, b, lines));
    if (wb_cfg_lanes(united, b) != WB_LANES_TOGETHER)
      wb_json_push(&conditionals, conditional_json(flow, b));
  }
  if (with_contexts)
    add_block_contexts(flow, blocks);
  wb_json_put(&row, "blocks", blocks);
  for (size_t e = 0; e < united->edge_count; e++) {
    const struct wb_warp_edge *edge = &united->edges[e];
    wb_json_push(&edges, json_pack("{s:I, s:I, s:s}", "from", (json_int_t)edge->from, "to",
                                   (json_int_t)edge->to, "kind",
                                   wb_edge_kind_name((enum wb_edge_kind)edge->kind)));
  }
  wb_json_put(&row, "edges", edges);
  wb_put_number(&row, "conditional_branches",
                united->divergence_point_count + united->uniform_branch_count);
  wb_json_put(&row, "divergence_points",
              addresses_json(flow, united->divergence_points, united->divergence_point_count));
  wb_json_put(&row, "uniform_branches",
              addresses_json(flow, united->uniform_branches, united->uniform_branch_count));
  wb_json_put(&row, "conditionals", conditionals);
  wb_json_put(&row, "loops", loops_json(&flow->loops));
  if (united->groups)
    wb_json_put(&row, "scopes", scopes_json(flow));
  wb_put_number(&row, "context_count", flow->graph->context_count);
  json_t *contexts = with_contexts ? json_array() : NULL;
  for (size_t c = 0; with_contexts && c < flow->graph->context_count; c++) {
    const struct wb_warp_context *context = &flow->graph->contexts[c];
    json_t *object = json_pack("{s:I}", "id", (json_int_t)c);
    if (context->caller != UINT32_MAX) {
      wb_put_number(&object, "caller", context->caller);
      wb_json_put(&object, "site", json_integer(address_of(flow, context->site)));
    }
    wb_json_push(&contexts, object);
  }
  if (with_contexts)
    wb_json_put(&row, "contexts", contexts);
  wb_json_put(&row, "opcodes_without_meaning", opcodes_without_meaning(flow));
  wb_json_put(&row, "assumptions", wb_json_clean_list(&flow->graph->assumptions));
  wb_json_put(&row, "disagreements", wb_json_clean_list(&flow->graph->disagreements));
  wb_json_put(&row, "seconds", json_real(flow->seconds));
  return row;
}

void wb_cfg_json(const struct wb_cfg_report *report, struct wb_text *text)
{
  static const char *const extents[] = {"all", "active", "none"};
  const struct wb_simt_options *options = report->options;
  json_t *kernels = json_array(), *functions = json_array(), *refused = json_array();
  bool barriers = false;
  for (size_t f = 0; f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    if (flow->graph == NULL) {
      json_t *row = head_json(flow->function);
      wb_put_number(&row, "listed", flow->function->instruction_count);
      wb_put_flag(&row, "kernel", flow->function->kernel);
      wb_put_text(&row, "reason", flow->refusal.message);
      if (flow->refusal.line > 0)
        wb_put_number(&row, "line", flow->refusal.line);
      wb_json_push(&refused, row);
      continue;
    }
    struct wb_source_line *lines = wb_allocate(flow->function->instruction_count, sizeof *lines);
    barriers = barriers || flow->united.groups;
    wb_json_push(flow->function->kernel ? &kernels : &functions,
                 lines != NULL ? graph_json(flow, report->contexts, lines) : NULL);
    free(lines);
  }
  json_t *asked =
      json_pack("{s:s, s:b, s:s}", "stack", options->acyclic_stack ? "acyclic" : "graph", "groups",
                (int)!options->no_groups, "agreement", extents[options->agreement]);
  if (barriers && options->block[0] > 0)
    wb_json_put(&asked, "block",
                json_pack("[I, I, I]", (json_int_t)options->block[0], (json_int_t)options->block[1],
                          (json_int_t)options->block[2]));
  if (barriers)
    wb_barrier_options_put(&asked, options);
  wb_json_append(json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "file",
                           wb_json_clean(report->code->name), "format", report->code->format,
                           "kernels", kernels, "functions", functions, "not_analysed", refused,
                           "options", asked),
                 text);
}
