/* The warp-level graph as JSON. */
#include "report/cfg/cfg_report.h"

#include "base/memory.h"
#include "formats/json/json_output.h"
#include "isa/lower/meaning.h"
#include "report/report_words.h"

#include <stdlib.h>

/* A function under way. lines: room for the source lines of any block. */
struct writer {
  const struct wb_cfg_report *report;
  const struct wb_control_flow *flow;
  struct wb_source_line *lines;
};

static json_int_t address_of(const struct wb_control_flow *flow, uint32_t instruction)
{
  return flow->function->instructions[instruction].address;
}

static json_t *id_json(uint32_t id)
{
  return id == UINT32_MAX ? json_null() : json_integer(id);
}

/* By block of the united graph, the array of its contexts. Blocks of the graph are sorted by
 * instruction as those of the united one are. */
static void add_block_contexts(const struct wb_control_flow *flow, json_t *blocks)
{
  size_t u = 0;
  for (size_t b = 0; b < flow->graph->block_count; b++) {
    const struct wb_warp_block *block = &flow->graph->blocks[b];
    while (u + 1 < flow->united.block_count && flow->united.blocks[u].last < block->first)
      u++;
    for (size_t v = u; v < flow->united.block_count && flow->united.blocks[v].first <= block->last;
         v++) {
      json_t *row = json_array_get(blocks, v);
      json_t *contexts = json_object_get(row, "contexts");
      if (contexts == NULL) {
        contexts = json_array();
        json_object_set_new(row, "contexts", contexts);
      }
      json_array_append_new(contexts, json_integer(block->context));
    }
  }
}

static json_t *block_json(const struct writer *writer, uint32_t id)
{
  const struct wb_control_flow *flow = writer->flow;
  const struct wb_warp_block *block = &flow->united.blocks[id];
  uint32_t dominator = flow->dominators.immediate[id];
  json_t *row = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:b}", "id", (json_int_t)id, "first",
                          address_of(flow, block->first), "last", address_of(flow, block->last),
                          "instructions", (json_int_t)block->last - block->first + 1, "dominator",
                          id_json(dominator == id ? UINT32_MAX : dominator), "loop",
                          id_json(flow->loops.innermost[id]), "ends", (int)flow->united.ends[id]);
  size_t count = wb_cfg_source_lines(writer->flow->function, block, writer->lines);
  const struct wb_code *code = writer->flow->code;
  json_t *array = json_array();
  json_t *lines = NULL;
  for (size_t i = 0; i < count; i++) {
    const struct wb_source_line *line = &writer->lines[i];
    if (i == 0 || line->file != line[-1].file) {
      json_t *file = line->file > 0 && line->file <= code->file_count
                         ? wb_json_clean(code->files[line->file - 1])
                         : json_null();
      lines = json_array();
      json_array_append_new(array, json_pack("{s:o, s:o}", "file", file, "lines", lines));
    }
    json_array_append_new(lines, json_integer(line->line));
  }
  json_object_set_new(row, "source", array);
  if (flow->united.groups) {
    /* The scopes that are surely open where a block begins, outermost first. */
    json_t *chain = json_array();
    for (uint32_t s = flow->united.innermost_scopes[id]; s != UINT32_MAX;
         s = flow->united.scopes[s].parent)
      json_array_insert_new(chain, 0, json_integer(s));
    json_object_set_new(row, "scopes", chain);
    json_object_set_new(row, "several_groups", json_boolean(flow->united.several[id]));
  }
  return row;
}

static json_t *edges_json(const struct wb_warp_graph *united)
{
  json_t *array = json_array();
  for (size_t e = 0; e < united->edge_count; e++) {
    const struct wb_warp_edge *edge = &united->edges[e];
    json_array_append_new(array, json_pack("{s:I, s:I, s:s}", "from", (json_int_t)edge->from, "to",
                                           (json_int_t)edge->to, "kind",
                                           wb_edge_kind_name((enum wb_edge_kind)edge->kind)));
  }
  return array;
}

static json_t *addresses_json(const struct wb_control_flow *flow, const uint32_t *instructions,
                              size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer(address_of(flow, instructions[i])));
  return array;
}

static json_t *conditionals_json(const struct wb_control_flow *flow)
{
  json_t *array = json_array();
  for (uint32_t b = 0; b < flow->united.block_count; b++) {
    if (wb_cfg_lanes(&flow->united, b) != WB_LANES_TOGETHER) {
      /* One conditional control instruction, the last of its block. */
      const struct wb_function *function = flow->function;
      uint32_t last = flow->united.blocks[b].last;
      const struct wb_instruction *instruction = &function->instructions[last];
      bool has_file = instruction->source_line > 0 && instruction->source_file > 0 &&
                      instruction->source_file <= flow->code->file_count;
      struct wb_text text = {0};
      wb_cfg_write_instruction(function, instruction, &text);
      json_t *file =
          has_file ? wb_json_clean(flow->code->files[instruction->source_file - 1]) : NULL;
      json_t *line =
          instruction->source_line > 0 ? json_integer(instruction->source_line) : json_null();
      json_array_append_new(
          array, json_pack("{s:I, s:I, s:s#, s:b, s:b, s:o?, s:o}", "address",
                           address_of(flow, last), "block", (json_int_t)b, "instruction",
                           text.data != NULL ? text.data : "", (int)text.length, "uniform",
                           (int)(wb_cfg_lanes(&flow->united, b) == WB_LANES_UNIFORM), "vouched",
                           (int)instruction->uniform, "file", file, "line", line));
      wb_text_free(&text);
    }
  }
  return array;
}

static json_t *members_json(const struct wb_united_loops *loops, size_t first, size_t count)
{
  json_t *array = json_array();
  for (size_t i = first; i < first + count; i++)
    json_array_append_new(array, json_integer(loops->members[i]));
  return array;
}

static json_t *loops_json(const struct wb_united_loops *loops)
{
  json_t *array = json_array();
  for (size_t l = 0; l < loops->count; l++) {
    const struct wb_united_loop *loop = &loops->loops[l];
    json_array_append_new(
        array,
        json_pack("{s:I, s:o, s:I, s:o, s:b, s:o}", "header", (json_int_t)loop->header,
                  "back_edges", members_json(loops, loop->first_back_edge, loop->back_edge_count),
                  "depth", (json_int_t)loop->depth, "parent", id_json(loop->parent), "irreducible",
                  (int)loop->irreducible, "entries",
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
    json_array_append_new(
        array,
        json_pack("{s:I, s:I, s:o, s:o, s:o}", "bssy", address_of(flow, scope->open), "point",
                  address_of(flow, scope->point), "bsyncs",
                  addresses_json(flow, &instructions[scope->first_sync], scope->sync_count),
                  "breaks",
                  addresses_json(flow, &instructions[scope->first_break], scope->break_count),
                  "parent", id_json(scope->parent)));
  }
  return array;
}

static json_t *contexts_json(const struct wb_control_flow *flow)
{
  json_t *array = json_array();
  for (size_t c = 0; c < flow->graph->context_count; c++) {
    const struct wb_warp_context *context = &flow->graph->contexts[c];
    json_t *row = json_pack("{s:I}", "id", (json_int_t)c);
    if (context->caller != UINT32_MAX) {
      json_object_set_new(row, "caller", json_integer(context->caller));
      json_object_set_new(row, "site", json_integer(address_of(flow, context->site)));
    }
    json_array_append_new(array, row);
  }
  return array;
}

static json_t *head_json(const struct wb_function *function)
{
  struct wb_text isa = {0};
  wb_cfg_write_isa(function, &isa);
  json_t *row = json_pack("{s:o, s:s}", "name", wb_json_clean(function->name), "isa",
                          isa.data != NULL ? isa.data : "unknown");
  wb_kernel_name_json(row, function->name);
  wb_text_free(&isa);
  return row;
}

/* A function that was analysed. */
static json_t *graph_json(struct writer *writer)
{
  const struct wb_control_flow *flow = writer->flow;
  const struct wb_warp_graph *united = &flow->united;
  size_t conditional = united->divergence_point_count + united->uniform_branch_count;
  json_t *row = head_json(flow->function);
  json_object_set_new(row, "instructions",
                      json_integer((json_int_t)wb_cfg_reachable_instructions(united)));
  json_object_set_new(row, "listed", json_integer((json_int_t)flow->function->instruction_count));
  json_object_set_new(row, "entry", json_integer(united->entry_block));
  json_t *array = json_array();
  for (size_t b = 0; b < writer->flow->united.block_count; b++)
    json_array_append_new(array, block_json(writer, (uint32_t)b));
  if (writer->report->contexts)
    add_block_contexts(writer->flow, array);
  json_object_set_new(row, "blocks", array);
  json_object_set_new(row, "edges", edges_json(united));
  json_object_set_new(row, "conditional_branches", json_integer((json_int_t)conditional));
  json_object_set_new(
      row, "divergence_points",
      addresses_json(flow, united->divergence_points, united->divergence_point_count));
  json_object_set_new(row, "uniform_branches",
                      addresses_json(flow, united->uniform_branches, united->uniform_branch_count));
  json_object_set_new(row, "conditionals", conditionals_json(flow));
  json_object_set_new(row, "loops", loops_json(&flow->loops));
  if (united->groups)
    json_object_set_new(row, "scopes", scopes_json(flow));
  json_object_set_new(row, "context_count", json_integer((json_int_t)flow->graph->context_count));
  if (writer->report->contexts)
    json_object_set_new(row, "contexts", contexts_json(flow));
  /* The opcodes of reachable instructions that write registers in a way that no analysis knows, in
   * the order in which they come first, and how often each occurs. */
  json_t *counts = json_object();
  json_t *missing_meanings = json_array();
  const char *opcode;
  json_t *count;
  for (size_t b = 0; b < flow->united.block_count; b++)
    for (uint32_t i = flow->united.blocks[b].first; i <= flow->united.blocks[b].last; i++) {
      if (wb_meaning_of(flow->function, i) != WB_MEANING_MISSING)
        continue;
      json_t *name = wb_json_clean(flow->function->instructions[i].opcode);
      opcode = json_string_value(name);
      json_object_set_new(counts, opcode,
                          json_integer(json_integer_value(json_object_get(counts, opcode)) + 1));
      json_decref(name);
    }
  json_object_foreach(counts, opcode, count)
  {
    json_array_append_new(missing_meanings, json_pack("{s:s, s:I}", "opcode", opcode, "count",
                                                      json_integer_value(count)));
  }
  json_decref(counts);
  json_object_set_new(row, "opcodes_without_meaning", missing_meanings);
  json_object_set_new(row, "assumptions", wb_json_clean_list(&flow->graph->assumptions));
  json_object_set_new(row, "disagreements", wb_json_clean_list(&flow->graph->disagreements));
  json_object_set_new(row, "seconds", json_real(flow->seconds));
  return row;
}

static json_t *options_json(const struct wb_simt_options *options, bool barriers)
{
  static const char *const extents[] = {"all", "active", "none"};
  json_t *object =
      json_pack("{s:s, s:b, s:s}", "stack", options->acyclic_stack ? "acyclic" : "graph", "groups",
                (int)!options->no_groups, "agreement", extents[options->agreement]);
  if (barriers && options->block[0] > 0)
    json_object_set_new(object, "block",
                        json_pack("[I, I, I]", (json_int_t)options->block[0],
                                  (json_int_t)options->block[1], (json_int_t)options->block[2]));
  if (barriers)
    wb_barrier_options_put(&object, options);
  return object;
}

static json_t *report_json(const struct wb_cfg_report *report)
{
  json_t *kernels = json_array();
  json_t *functions = json_array();
  json_t *refused = json_array();
  bool complete = true;
  bool barriers = false;
  for (size_t f = 0; f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    if (flow->graph == NULL) {
      json_t *row = head_json(flow->function);
      json_object_set_new(row, "listed",
                          json_integer((json_int_t)flow->function->instruction_count));
      json_object_set_new(row, "kernel", json_boolean(flow->function->kernel));
      json_object_set_new(row, "reason", wb_json_clean(flow->refusal.message));
      if (flow->refusal.line > 0)
        json_object_set_new(row, "line", json_integer((json_int_t)flow->refusal.line));
      json_array_append_new(refused, row);
      continue;
    }
    barriers = barriers || flow->united.groups;
    struct writer writer = {report, flow, NULL};
    writer.lines = wb_allocate(flow->function->instruction_count, sizeof *writer.lines);
    complete = complete && writer.lines != NULL;
    if (writer.lines != NULL)
      json_array_append_new(flow->function->kernel ? kernels : functions, graph_json(&writer));
    free(writer.lines);
  }
  json_t *object =
      json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "file", wb_json_clean(report->code->name),
                "format", report->code->format, "kernels", kernels, "functions", functions,
                "not_analysed", refused, "options", options_json(report->options, barriers));
  if (complete)
    return object;
  json_decref(object);
  return NULL;
}

void wb_cfg_json(const struct wb_cfg_report *report, struct wb_text *text)
{
  wb_json_append(report_json(report), text);
}
