#include "analysis/wcet.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "ipet/walk.h"

#include <inttypes.h>
#include <stdlib.h>

struct work {
  struct wb_wcet *wcet;
  const struct wb_wcet_options *options;
  const struct wb_control *control;
  warpbound_error *error;
};

static const struct wb_machine_instruction *first_of(const struct wb_wcet *wcet, uint32_t block)
{
  return &wcet->function->instructions[wcet->graph->blocks[block].first];
}

/* ---- loops ---- */

static warpbound_status ask_balance(struct work *w, size_t index, bool *body)
{
  struct wb_wcet *wcet = w->wcet;
  const struct wb_loop *loop = &wcet->forest.loops[index];
  for (size_t i = 0; i < loop->node_count; i++)
    body[wcet->forest.nodes[loop->first_node + i]] = true;
  wcet->loops[index].balanced = wb_simt_loop_balanced(wcet->flow.analysis, loop->header, body);
  for (size_t i = 0; i < loop->node_count; i++)
    body[wcet->forest.nodes[loop->first_node + i]] = false;
  return WARPBOUND_OK;
}

static warpbound_status find_loops(struct work *w)
{
  struct wb_wcet *wcet = w->wcet;
  warpbound_status status =
      wb_ipet_loops(wcet->graph, w->options->free_reactivations, &wcet->forest, w->error);
  if (status != WARPBOUND_OK)
    return status;
  bool *body = wb_allocate(wcet->graph->block_count, sizeof *body);
  wcet->loops = wb_allocate(wcet->forest.loop_count, sizeof *wcet->loops);
  if (body == NULL || wcet->loops == NULL)
    status = wb_out_of_memory(w->error);
  for (size_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++)
    status = ask_balance(w, l, body);
  free(body);
  return status;
}

static void take_default(struct work *w, struct wb_wcet_loop *loop)
{
  if (w->options->default_bound == UINT64_MAX)
    return;
  loop->source = WB_BOUND_DEFAULT;
  loop->bound = loop->warp_bound = w->options->default_bound;
  loop->per_warp = true;
  w->wcet->estimate = true;
}

static warpbound_status missing_bound(struct work *w, size_t index, size_t missing)
{
  const struct wb_wcet *wcet = w->wcet;
  const struct wb_machine_instruction *header = first_of(wcet, wcet->forest.loops[index].header);
  return wb_fail_at(w->error, WARPBOUND_FACTS_MISSING, wcet->code->name, header->line,
                    header->column,
                    "%.120s: %zu loop%s without a bound, the first at 0x%04" PRIx32
                    ": write the facts that are missing to a file with --template FILE, fill it "
                    "in and give it with --flow-facts FILE, or take one bound for all of them "
                    "with --default-loop-bound N",
                    wcet->function->name, missing, missing == 1 ? " is" : "s are", header->address);
}

static warpbound_status bound_loops(struct work *w)
{
  size_t missing = 0;
  size_t first = 0;
  for (size_t l = w->wcet->forest.loop_count; l-- > 0;) {
    take_default(w, &w->wcet->loops[l]);
    if (w->wcet->loops[l].source == WB_BOUND_UNKNOWN) {
      missing++;
      first = l;
    }
  }
  if (w->wcet->estimate)
    wb_list_add(&w->wcet->assumptions,
                "loops take their back edges at most %" PRIu64
                " times per entry (--default-loop-bound): not proven",
                w->options->default_bound);
  return missing > 0 ? missing_bound(w, first, missing) : WARPBOUND_OK;
}

/* ---- costs ---- */

static warpbound_status cost_blocks(struct work *w)
{
  static const struct wb_costs unit = {.kind = WB_COST_UNIT};
  struct wb_wcet *wcet = w->wcet;
  wcet->cycles = wb_allocate(wcet->function->instruction_count, sizeof *wcet->cycles);
  wcet->block_cycles = wb_allocate(wcet->graph->block_count, sizeof *wcet->block_cycles);
  if (wcet->cycles == NULL || wcet->block_cycles == NULL)
    return wb_out_of_memory(w->error);
  warpbound_status status =
      wb_costs_apply(w->options->costs != NULL ? w->options->costs : &unit, wcet->function,
                     wcet->cycles, &wcet->assumptions, w->error);
  for (size_t b = 0; b < wcet->graph->block_count && status == WARPBOUND_OK; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      if (!wb_add_signed(wcet->block_cycles[b], wcet->cycles[i], &wcet->block_cycles[b]))
        status = wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                         "the cycles of a block do not fit into 64 bits");
    }
  }
  return status;
}

/* ---- the system and its solution ---- */

static warpbound_status build_system(struct work *w)
{
  struct wb_wcet *wcet = w->wcet;
  size_t count = wcet->forest.loop_count;
  struct wb_ipet_loop_limit *limits = wb_allocate(count, sizeof *limits);
  if (limits == NULL)
    return wb_out_of_memory(w->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < count; l++) {
    if (wcet->loops[l].warp_bound > INT64_MAX)
      status = wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                       "%.120s: a loop bound does not fit into 63 bits", wcet->function->name);
    limits[l] = (struct wb_ipet_loop_limit){
        .loop = (uint32_t)l, .per = (uint32_t)l, .bound = (int64_t)wcet->loops[l].warp_bound};
  }
  struct wb_ipet_input input = {.graph = wcet->graph,
                                .forest = &wcet->forest,
                                .cycles = wcet->block_cycles,
                                .loop_limits = limits,
                                .loop_limit_count = count,
                                .free_reactivations = w->options->free_reactivations};
  if (status == WARPBOUND_OK)
    status = wb_ipet_system_build(&input, &wcet->system, w->error);
  free(limits);
  return status;
}

/* "0148", or "0148_c2" in context 2: a block by its first address. */
static void name_block(const struct wb_wcet *wcet, uint32_t block, struct wb_text *text)
{
  wb_text_format(text, "%04" PRIx32, first_of(wcet, block)->address);
  if (wcet->graph->blocks[block].context > 0)
    wb_text_format(text, "_c%" PRIu32, wcet->graph->blocks[block].context);
}

static char *node_name(const struct wb_wcet *wcet, uint32_t block)
{
  struct wb_text text = {0};
  name_block(wcet, block, &text);
  return wb_text_take(&text);
}

static char *edge_name(const struct wb_wcet *wcet, const struct wb_warp_edge *edge)
{
  static const char *const kinds[] = {"fall", "branch", "call", "return", "wake"};
  struct wb_text text = {0};
  name_block(wcet, edge->from, &text);
  wb_text_string(&text, "_");
  name_block(wcet, edge->to, &text);
  wb_text_format(&text, "_%s", kinds[edge->kind]);
  return wb_text_take(&text);
}

static char *limit_name(const struct wb_wcet *wcet, const struct wb_flow_limit *limit)
{
  struct wb_text text = {0};
  if (limit->origin >= WB_IPET_ORIGIN_ENTRY) {
    wb_text_format(&text, "wake_%" PRIu32, limit->origin - WB_IPET_ORIGIN_ENTRY);
  } else if (limit->origin >= WB_IPET_ORIGIN_FACT) {
    wb_text_format(&text, "fact_%" PRIu32, limit->origin - WB_IPET_ORIGIN_FACT);
  } else {
    wb_text_format(&text, "loop_%" PRIu32 "_at_", limit->origin);
    name_block(wcet, wcet->forest.loops[limit->origin].header, &text);
  }
  return wb_text_take(&text);
}

struct names {
  char **nodes, **edges, **limits;
};

static bool names_make(const struct wb_wcet *wcet, struct names *names)
{
  const struct wb_flow_system *system = &wcet->system;
  *names = (struct names){.nodes = wb_allocate(system->node_count, sizeof(char *)),
                          .edges = wb_allocate(system->edge_count, sizeof(char *)),
                          .limits = wb_allocate(system->limit_count, sizeof(char *))};
  bool ok = names->nodes != NULL && names->edges != NULL && names->limits != NULL;
  for (uint32_t v = 0; ok && v < system->node_count; v++)
    ok = (names->nodes[v] = node_name(wcet, v)) != NULL;
  for (size_t e = 0; ok && e < system->edge_count; e++)
    ok = (names->edges[e] = edge_name(wcet, &wcet->graph->edges[e])) != NULL;
  for (size_t l = 0; ok && l < system->limit_count; l++)
    ok = (names->limits[l] = limit_name(wcet, &system->limits[l])) != NULL;
  return ok;
}

static void free_all(char **items, size_t count)
{
  for (size_t i = 0; items != NULL && i < count; i++)
    free(items[i]);
  free(items);
}

static void names_free(struct names *names, const struct wb_flow_system *system)
{
  free_all(names->nodes, system->node_count);
  free_all(names->edges, system->edge_count);
  free_all(names->limits, system->limit_count);
}

static warpbound_status write_model(struct work *w, const struct wb_linear_model *model)
{
  struct wb_text text = {0};
  wb_linear_write(model, w->options->format, &text);
  warpbound_status status = text.failed
                                ? wb_out_of_memory(w->error)
                                : wb_file_write(w->options->file, text.data, text.length, w->error);
  wb_text_free(&text);
  return status;
}

static warpbound_status refuse(struct work *w, enum wb_ipet_status found)
{
  const char *name = w->wcet->function->name;
  if (found == WB_IPET_INFEASIBLE)
    return wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                   "%.120s: no path satisfies the facts: the kernel cannot end under them", name);
  if (found == WB_IPET_UNBOUNDED)
    return wb_fail(w->error, WARPBOUND_FACTS_MISSING,
                   "%.120s: the bounds given do not bound the path", name);
  return wb_fail(w->error, WARPBOUND_LIMIT, "%.120s: a limit was reached before a bound was proven",
                 name);
}

static warpbound_status solve(struct work *w)
{
  struct wb_wcet *wcet = w->wcet;
  struct names names;
  struct wb_linear_model model = {0};
  struct wb_text title = {0};
  wb_text_format(&title,
                 "WCET of one warp by IPET: %.200s\nx_A_B_KIND: how often the edge from the "
                 "block at A to the block at B is taken; _cN: in calling context N",
                 wcet->function->name);
  warpbound_status status = WARPBOUND_OK;
  if (!names_make(wcet, &names) || title.failed)
    status = wb_out_of_memory(w->error);
  if (status == WARPBOUND_OK)
    status =
        wb_ipet_model_build(&wcet->system,
                            &(struct wb_ipet_names){.nodes = (const char *const *)names.nodes,
                                                    .edges = (const char *const *)names.edges,
                                                    .limits = (const char *const *)names.limits},
                            &model, w->error);
  if (status == WARPBOUND_OK) {
    model.title = title.data;
    wcet->columns = model.column_count;
    wcet->rows = model.row_count;
    if (w->options->file != NULL)
      status = write_model(w, &model);
  }
  if (status == WARPBOUND_OK)
    status = wb_ipet_solve(&wcet->system, &model, w->options->command, w->control, &wcet->ipet,
                           w->error);
  if (status == WARPBOUND_OK && wcet->ipet.status != WB_IPET_SOLVED)
    status = refuse(w, wcet->ipet.status);
  wb_linear_model_free(&model);
  names_free(&names, &wcet->system);
  wb_text_free(&title);
  return status;
}

static warpbound_status count_runs(struct work *w)
{
  struct wb_wcet *wcet = w->wcet;
  if (wcet->ipet.taken == NULL)
    return WARPBOUND_OK;
  const struct wb_warp_graph *graph = wcet->graph;
  wcet->runs = wb_allocate(graph->block_count, sizeof *wcet->runs);
  wcet->instruction_runs =
      wb_allocate(wcet->function->instruction_count, sizeof *wcet->instruction_runs);
  if (wcet->runs == NULL || wcet->instruction_runs == NULL)
    return wb_out_of_memory(w->error);
  wcet->runs[graph->entry_block] = 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    wcet->runs[graph->edges[e].to] += wcet->ipet.taken[e]; /* the checker has found that it fits */
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      int64_t *sum = &wcet->instruction_runs[i];
      if (!wb_add_signed(*sum, wcet->runs[b], sum))
        return wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                       "the runs of an instruction do not fit into 64 bits");
    }
  }
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_analyse(const struct wb_machine_code *code,
                                 const struct wb_machine_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error)
{
  *wcet = (struct wb_wcet){.code = code, .function = function};
  struct work w = {.wcet = wcet, .options = options, .control = control, .error = error};
  warpbound_status status =
      wb_control_flow_analyse(code, function, &options->simt, control, &wcet->flow, error);
  if (status == WARPBOUND_OK && wcet->flow.graph == NULL) {
    *error = wcet->flow.refusal;
    status = error->status;
  }
  if (status == WARPBOUND_OK) {
    wcet->graph = wcet->flow.graph;
    wb_list_add_all(&wcet->assumptions, &wcet->graph->assumptions);
    status = find_loops(&w);
  }
  if (status == WARPBOUND_OK)
    status = bound_loops(&w);
  bool missing = status == WARPBOUND_FACTS_MISSING;
  if (status == WARPBOUND_OK)
    status = cost_blocks(&w);
  if (status == WARPBOUND_OK)
    status = build_system(&w);
  if (status == WARPBOUND_OK)
    status = solve(&w);
  if (status == WARPBOUND_OK)
    status = count_runs(&w);
  if (status == WARPBOUND_OK && wcet->assumptions.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK && !missing)
    wb_wcet_free(wcet);
  return status;
}

warpbound_status wb_wcet_path(const struct wb_wcet *wcet, size_t longest, uint32_t **instructions,
                              size_t *count, warpbound_error *error)
{
  if (wcet->ipet.taken == NULL)
    return wb_fail(error, WARPBOUND_FACTS_MISSING, "%.120s: no worst path is known",
                   wcet->function->name);
  uint32_t *blocks;
  size_t block_count;
  warpbound_status status =
      wb_ipet_walk(&wcet->system, wcet->ipet.taken, longest, &blocks, &block_count, error);
  if (status != WARPBOUND_OK)
    return status;
  size_t length = 0;
  for (size_t i = 0; i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    length += (size_t)(block->last - block->first) + 1;
  }
  if (length > longest)
    status = wb_fail(error, WARPBOUND_LIMIT, "the worst path has %zu instructions, above %zu",
                     length, longest);
  *instructions = status == WARPBOUND_OK ? wb_allocate(length, sizeof **instructions) : NULL;
  if (status == WARPBOUND_OK && *instructions == NULL)
    status = wb_out_of_memory(error);
  *count = 0;
  for (size_t i = 0; status == WARPBOUND_OK && i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    for (uint32_t n = block->first; n <= block->last; n++)
      (*instructions)[(*count)++] = n;
  }
  free(blocks);
  return status;
}

void wb_wcet_free(struct wb_wcet *wcet)
{
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++)
    free(wcet->loops[l].reason);
  free(wcet->loops);
  free(wcet->cycles);
  free(wcet->block_cycles);
  free(wcet->runs);
  free(wcet->instruction_runs);
  wb_flow_system_free(&wcet->system);
  wb_ipet_result_free(&wcet->ipet);
  wb_list_free(&wcet->assumptions);
  wb_loop_forest_free(&wcet->forest);
  wb_control_flow_free(&wcet->flow);
  *wcet = (struct wb_wcet){0};
}
