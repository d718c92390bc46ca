#include "analysis/wcet/wcet_steps.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "ipet/solve/euler_walk.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls of functions in sections of their own ---- */

/* Deepest chain of calls that is followed. */
#define CALL_DEPTH_LIMIT 64

enum callee_state {
  CALLEE_NEW,
  CALLEE_PENDING, /* being analysed: a call of it from what it calls is recursion */
  CALLEE_KNOWN,
  CALLEE_REFUSED
};

/* A function that may be called. The other fields have a meaning where it is known. */
struct callee {
  enum callee_state state;
  int64_t cycles;              /* its WCET */
  bool apart;                  /* lanes that call it together may return in several groups */
  struct wb_estimate estimate; /* of the WCET */
  struct wb_list assumptions;
};

/* All functions; shared by an analysis and those of its callees. */
struct wb_callees {
  const struct wb_code *code;
  struct callee *callees; /* by function of the code */
  unsigned depth;         /* calls from the first analysis to the current one */
  bool *used;             /* by fact of the options: some call is of it */
  bool facts_refused;     /* what was declared of a function's loops is not true of it */
};

static warpbound_status analyse_function(const struct wb_function *function,
                                         const struct wb_wcet_options *options,
                                         const struct wb_control *control,
                                         struct wb_callees *callees, struct wb_wcet *wcet,
                                         warpbound_error *error);

/* A function that cannot be analysed counts as one that is not there; facts that are wrong of it
 * are refused as those of the kernel are. */
static warpbound_status analyse_callee(struct wb_wcet_analysis *analysis, size_t index)
{
  struct callee *callee = &analysis->callees->callees[index];
  struct wb_wcet_options options = *analysis->options;
  struct wb_wcet wcet;
  options.file = NULL;
  options.refinement = NULL;
  callee->state = CALLEE_PENDING;
  analysis->callees->depth++;
  const warpbound_status status =
      analyse_function(&analysis->callees->code->functions[index], &options, analysis->control,
                       analysis->callees, &wcet, analysis->error);
  analysis->callees->depth--;
  callee->state = CALLEE_REFUSED;
  if (status == WARPBOUND_OK) {
    callee->state = CALLEE_KNOWN;
    /* Lanes that call it together may return in several groups: they may come apart in it, and
     * nothing shows that one group returns for each call. */
    const struct wb_warp_graph *graph = wcet.flow.graph;
    const bool parts = graph->groups && graph->divergence_point_count > 0;
    size_t returns = 0;
    bool one = true;
    for (uint32_t b = 0; b < graph->block_count && parts; b++) {
      const struct wb_instruction *last = &graph->function->instructions[graph->blocks[b].last];
      if (!graph->ends[b] || last->transfer == WB_TRANSFER_EXIT)
        continue;
      returns++;
      one = one && !graph->several[b] && graph->innermost_scopes[b] == UINT32_MAX;
    }
    callee->apart = parts && (returns > 1 || !one);
    callee->cycles = wcet.ipet.proof.bound;
    wb_estimate_add_all(&callee->estimate, &wcet.estimate, NULL);
    wb_list_add_all(&callee->assumptions, &wcet.assumptions);
  }
  wb_wcet_free(&wcet);
  return status == WARPBOUND_INVALID_INPUT && !analysis->callees->facts_refused ? WARPBOUND_OK
                                                                                : status;
}

static warpbound_status count_call(struct wb_wcet_analysis *analysis, uint32_t index,
                                   const struct callee *callee)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (!wb_add_signed(wcet->cycles[index], callee->cycles, &wcet->cycles[index]))
    return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                   "the cycles of a call do not fit into 64 bits");
  const struct wb_instruction *call = &wcet->function->instructions[index];
  wb_estimate_add_all(&wcet->estimate, &callee->estimate, call->callee);
  if (callee->apart)
    wb_estimate_because_of(&wcet->estimate, "call-returns-apart", wcet->code, call,
                           "let its lanes come together before they return, or compile the "
                           "function into the kernel (__forceinline__)",
                           "nothing shows that all lanes return from %.200s together, and what "
                           "follows runs once for each group of them",
                           call->callee);
  if (wcet->calls == NULL)
    wcet->calls = call;
  wb_list_add(&wcet->assumptions,
              "a call of %.200s, in a section of its own, costs its WCET by itself: %" PRId64
              " cycles",
              call->callee, callee->cycles);
  wb_list_add_all(&wcet->assumptions, &callee->assumptions);
  return WARPBOUND_OK;
}

/* The cost of code that is called and not in the listing, or cannot be analysed by itself, is in no
 * number. found: it is in the listing. */
static void leave_out(struct wb_wcet_analysis *analysis, const struct wb_instruction *what,
                      bool found)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (what->callee == NULL)
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what,
                           "give a file that holds all code that is called, or say where the call "
                           "may go (--targets)",
                           "what it calls is not known, so that its time is in no number");
  else if (!found)
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what,
                           "give the linked program, where that holds it; what only the driver has "
                           "(vprintf) is in no file: leave the call out",
                           "it calls %.200s, which is not in the file, so that its time is in no "
                           "number",
                           what->callee);
  else
    wb_estimate_because_of(&wcet->estimate, "call-not-analysed", wcet->code, what,
                           "mend what `warpbound wcet --kernel` says of that function; recursion "
                           "has no bound",
                           "it calls %.200s, which cannot be analysed by itself, so that its time "
                           "is in no number",
                           what->callee);
  wb_list_add(
      &wcet->assumptions,
      "the time of code that is called and not in the listing counts as that of the calling "
      "instruction: the result is an estimate");
  if (what->callee != NULL)
    wb_list_add(&wcet->assumptions, "not counted: %.200s", what->callee);
}

/* ---- calls whose cycles somebody assumes ---- */

/* Whether a fact of the function speaks of what an instruction calls. */
static bool is_call_of(const struct wb_wcet_analysis *analysis, const struct wb_kernel_facts *facts,
                       const struct wb_flow_fact *fact, const struct wb_instruction *call)
{
  const struct wb_function *function = analysis->wcet->function;
  if (fact->kind != WB_FACT_CALL)
    return false;
  if (fact->name == NULL)
    return facts->places[fact->first_place].address == call->address &&
           !(analysis->called && facts == analysis->options->assumed);
  const bool indirect =
      call->callee == NULL ||
      (call->operand_count > 0 && wb_operand_of(function, call, 0)->kind == WB_OPERAND_REGISTER);
  return (indirect && strcmp(fact->name, "indirect") == 0) ||
         (call->callee != NULL && strcmp(fact->name, call->callee) == 0);
}

/* The least cycles that facts assume of a call; false: none does. Marks those that do. */
static bool find_assumed(const struct wb_wcet_analysis *analysis, const struct wb_instruction *call,
                         const struct wb_kernel_facts *facts, bool *used,
                         const struct wb_flow_fact **least)
{
  bool found = false;
  for (size_t f = 0; facts != NULL && f < facts->fact_count; f++) {
    const struct wb_flow_fact *fact = &facts->facts[f];
    if (!is_call_of(analysis, facts, fact, call))
      continue;
    used[f] = true;
    found = *least == NULL || fact->number < (*least)->number;
    *least = found ? fact : *least;
  }
  return found;
}

static const struct wb_kernel_facts *facts_of(const struct wb_wcet_analysis *analysis)
{
  const struct wb_flow_facts *facts = analysis->options->facts;
  return facts != NULL && !analysis->wcet->facts.moved
             ? wb_flow_facts_find(facts, analysis->wcet->function->name)
             : NULL;
}

/* Counts what is assumed of a call, and states it; *known: something is. Errors: as of
 * count_instruction. */
static warpbound_status count_assumed(struct wb_wcet_analysis *analysis, uint32_t index,
                                      bool *known)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *call = &wcet->function->instructions[index];
  const struct wb_flow_fact *least = NULL;
  const struct wb_kernel_facts *own = facts_of(analysis);
  char file[200] = "";
  if (find_assumed(analysis, call, own, analysis->used, &least))
    snprintf(file, sizeof file, "%.150s:%" PRIu32, analysis->options->facts->name, least->line);
  if (find_assumed(analysis, call, analysis->options->assumed, analysis->callees->used, &least))
    snprintf(file, sizeof file, "%.150s", least->said);
  *known = least != NULL;
  if (least == NULL)
    return WARPBOUND_OK;
  char *place = wb_code_place(wcet->code, call->opcode, call->address, call);
  if (place == NULL)
    return wb_out_of_memory(analysis->error);
  wb_list_add(&wcet->assumptions,
              "what %.200s calls (%.100s) takes at most %" PRIu64
              " cycles of its warp, passes no barrier of the block, writes nothing that bounds of "
              "loops rest on, and its lanes return together, or end (%s) declared",
              place, call->callee != NULL ? call->callee : "by a register", least->number, file);
  free(place);
  wcet->assumed_calls[index] = (int64_t)least->number;
  return wb_add_signed(wcet->cycles[index], (int64_t)least->number, &wcet->cycles[index])
             ? WARPBOUND_OK
             : wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                       "the cycles of a call do not fit into 64 bits");
}

/* Refuses facts of calls that no call is of: those of the file, of this function, or of options. */
static warpbound_status check_calls(const struct wb_kernel_facts *facts, const bool *used,
                                    const char *file, const struct wb_function *function,
                                    warpbound_error *error)
{
  for (size_t f = 0; facts != NULL && f < facts->fact_count; f++) {
    const struct wb_flow_fact *fact = &facts->facts[f];
    if (fact->kind != WB_FACT_CALL || used[f])
      continue;
    static const char why[] =
        "expected a call of code that is not in the function's section, by its "
        "name, its address or 'indirect', found none in";
    if (file != NULL)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, fact->line, fact->column, "%s %.120s",
                        why, function->name);
    return wb_fail(error, WARPBOUND_USAGE, "%.160s: %s %.120s", fact->said, why, function->name);
  }
  return WARPBOUND_OK;
}

/* Adds the WCET of the function that an instruction may call to wcet->cycles, and states it in the
 * assumptions. A call whose cost is not counted makes the result an estimate. Errors: those of the
 * analysis of a callee that lacks facts or is stopped; WARPBOUND_INVALID_INPUT where a sum does not
 * fit, WARPBOUND_INTERNAL. */
static warpbound_status count_instruction(struct wb_wcet_analysis *analysis, uint32_t index)
{
  const struct wb_instruction *what = &analysis->wcet->function->instructions[index];
  struct wb_callees *callees = analysis->callees;
  if ((!what->outside && what->transfer != WB_TRANSFER_CALL_OUTSIDE) || what->never)
    return WARPBOUND_OK;
  bool assumed = false;
  const warpbound_status counted = count_assumed(analysis, index, &assumed);
  if (counted != WARPBOUND_OK || assumed)
    return counted;
  /* The function of the listing that the call enters, for the same architecture. */
  const struct wb_code *code = analysis->wcet->code;
  size_t found = SIZE_MAX;
  for (size_t f = 0; what->callee != NULL && f < code->function_count && found == SIZE_MAX; f++) {
    const struct wb_function *function = &code->functions[f];
    bool called = strcmp(function->name, what->callee) == 0;
    for (size_t s = 0; s < function->symbol_count && !called; s++)
      called =
          function->symbols[s].index == 0 && strcmp(function->symbols[s].name, what->callee) == 0;
    if (called && function->sm == analysis->wcet->function->sm)
      found = f;
  }
  const bool asked = found != SIZE_MAX && !analysis->options->free_reactivations;
  warpbound_status status = WARPBOUND_OK;
  if (asked && callees->callees[found].state == CALLEE_NEW && callees->depth < CALL_DEPTH_LIMIT)
    status = analyse_callee(analysis, found);
  if (status != WARPBOUND_OK)
    return status;
  if (asked && callees->callees[found].state == CALLEE_KNOWN)
    return count_call(analysis, index, &callees->callees[found]);
  leave_out(analysis, what, found != SIZE_MAX);
  return WARPBOUND_OK;
}

/* ---- costs ---- */

static warpbound_status cost_blocks(struct wb_wcet_analysis *analysis)
{
  static const struct wb_costs unit = {.kind = WB_COST_UNIT};
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_list unsaid = {0}; /* a refinement has costs of its own */
  const size_t count = wcet->function->instruction_count;
  const struct wb_kernel_facts *own = facts_of(analysis);
  bool *counted = wb_arena_array(&wcet->arena, bool, count);
  analysis->used = wb_arena_array(&wcet->arena, bool, own != NULL ? own->fact_count : 0);
  wcet->assumed_calls = wb_arena_array(&wcet->arena, int64_t, count);
  wcet->cycles = wb_arena_array(&wcet->arena, int64_t, count);
  wcet->block_cycles = wb_arena_array(&wcet->arena, int64_t, wcet->graph->block_count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = wb_costs_apply(
      analysis->options->costs != NULL ? analysis->options->costs : &unit, wcet->function,
      wcet->cycles, analysis->options->refinement == NULL ? &wcet->assumptions : &unsaid,
      analysis->error);
  wb_list_free(&unsaid);
  for (size_t i = 0; i < count; i++)
    wcet->assumed_calls[i] = -1;
  for (size_t b = 0; b < wcet->graph->block_count; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last && status == WARPBOUND_OK; i++) {
      if (!counted[i])
        status = count_instruction(analysis, i);
      counted[i] = true;
    }
  }
  if (status == WARPBOUND_OK)
    status = check_calls(own, analysis->used, own != NULL ? analysis->options->facts->name : NULL,
                         wcet->function, analysis->error);
  for (size_t b = 0; b < wcet->graph->block_count && status == WARPBOUND_OK; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      if (!wb_add_signed(wcet->block_cycles[b], wcet->cycles[i], &wcet->block_cycles[b]))
        status = wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                         "the cycles of a block do not fit into 64 bits");
    }
  }
  return status;
}

/* States the assumption of the limits on indexed branches that are repeated. */
static warpbound_status note_indexed(struct wb_wcet_analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->wcet->graph;
  bool repeated = false;
  for (size_t p = 0; p < graph->push_count && !repeated; p++) {
    const struct wb_warp_block *block = &graph->blocks[graph->pushes[p].block];
    const struct wb_instruction *last = &analysis->wcet->function->instructions[block->last];
    repeated = graph->pushes[p].divergent && last->transfer == WB_TRANSFER_INDEXED_BRANCH;
  }
  if (repeated)
    wb_list_add(&analysis->wcet->assumptions,
                "of lanes that an indexed branch sends to several places, those of one place go "
                "there together");
  return WARPBOUND_OK;
}

static warpbound_status count_runs(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (wcet->ipet.doubted)
    wb_list_add(
        &wcet->assumptions,
        "%s finds no path that satisfies all facts: they may contradict each other, which is "
        "not proven; the bound holds for every path that does",
        wcet->ipet.solver);
  if (wcet->ipet.taken == NULL)
    return WARPBOUND_OK;
  const struct wb_warp_graph *graph = wcet->graph;
  wcet->runs = wb_arena_array(&wcet->arena, int64_t, graph->block_count);
  wcet->instruction_runs = wb_arena_array(&wcet->arena, int64_t, wcet->function->instruction_count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  wcet->runs[graph->entry_block] = 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    wcet->runs[graph->edges[e].to] += wcet->ipet.taken[e]; /* the checker has found that it fits */
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      int64_t *sum = &wcet->instruction_runs[i];
      if (!wb_add_signed(*sum, wcet->runs[b], sum))
        return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                       "the runs of an instruction do not fit into 64 bits");
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status analyse_control_flow(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  /* Every bound begins with it. */
  const struct wb_control control = wb_control_without_deadline(analysis->control);
  const warpbound_status status = wb_control_flow_analyse(
      wcet->code, wcet->function, &analysis->options->simt, &control, &wcet->flow, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  if (wcet->flow.graph == NULL)
    return wb_fail_with(analysis->error, &wcet->flow.refusal);
  wcet->graph = wcet->flow.graph;
  wb_list_add_all(&wcet->assumptions, &wcet->graph->assumptions);
  return WARPBOUND_OK;
}

/* Values of parameters that were given by the names of a source. */
static warpbound_status note_names(struct wb_wcet_analysis *analysis)
{
  const struct wb_launch *launch = analysis->options->launch;
  for (size_t n = 0; launch != NULL && n < launch->name_count; n++) {
    const struct wb_parameter_name *name = &launch->names[n];
    if (name->used && strcmp(name->kernel, analysis->wcet->function->name) == 0)
      wb_parameter_name_assume(name, &analysis->wcet->assumptions);
  }
  return WARPBOUND_OK;
}

/* A person has to check moved facts first. */
static warpbound_status stop_at_moved_facts(struct wb_wcet_analysis *analysis)
{
  if (!analysis->wcet->facts.moved)
    return WARPBOUND_OK;
  return wb_fail(analysis->error, WARPBOUND_FACTS_MISSING,
                 "%.120s: its facts were written for other code; they were moved by their "
                 "source lines into the new file: check it",
                 analysis->wcet->function->name);
}

/* A step of the analysis, in the order of the table. */
typedef warpbound_status wcet_step(struct wb_wcet_analysis *analysis);

static wcet_step *const steps[] = {
    analyse_control_flow,
    note_names,
    wb_wcet_find_loops,
    wb_wcet_resolve_facts,
    wb_wcet_find_loads,
    wb_wcet_find_bounds,
    wb_wcet_find_losses,
    stop_at_moved_facts,
    wb_wcet_bound_loops,
    /* The loops are bounded; where facts are missing the result is valid as far as here. */
    cost_blocks,
    note_indexed,
    wb_wcet_solve,
    count_runs,
};

enum { STEPS = sizeof steps / sizeof *steps, STEPS_TO_LOOP_BOUNDS = 9 };

static warpbound_status analyse_function(const struct wb_function *function,
                                         const struct wb_wcet_options *options,
                                         const struct wb_control *control,
                                         struct wb_callees *callees, struct wb_wcet *wcet,
                                         warpbound_error *error)
{
  *wcet = (struct wb_wcet){.code = callees->code, .function = function};
  struct wb_wcet_analysis analysis = {.wcet = wcet,
                                      .options = options,
                                      .control = control,
                                      .callees = callees,
                                      .called = callees->depth > 0,
                                      .error = error};
  if (options->launch != NULL)
    analysis.launch = *options->launch;
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < STEPS && status == WARPBOUND_OK; s++) {
    status = steps[s](&analysis);
    if (status == WARPBOUND_FACTS_MISSING && s < STEPS_TO_LOOP_BOUNDS)
      return status;
    if (status == WARPBOUND_INVALID_INPUT && s < STEPS_TO_LOOP_BOUNDS && wcet->loops != NULL)
      callees->facts_refused = true;
  }
  if (status == WARPBOUND_OK && (wcet->assumptions.failed || wcet->estimate.failed))
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_wcet_free(wcet);
  return status;
}

warpbound_status wb_wcet_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error)
{
  struct wb_callees callees = {
      .code = code, .callees = wb_allocate(code->function_count, sizeof *callees.callees)};
  *wcet = (struct wb_wcet){.code = code, .function = function};
  const size_t assumed = options->assumed != NULL ? options->assumed->fact_count : 0;
  callees.used = wb_allocate(assumed, sizeof *callees.used);
  if (callees.callees == NULL || callees.used == NULL) {
    free(callees.callees);
    free(callees.used);
    return wb_out_of_memory(error);
  }
  /* A call of the function itself, from what it calls, is recursion. */
  for (size_t f = 0; f < code->function_count; f++) {
    if (&code->functions[f] == function)
      callees.callees[f].state = CALLEE_PENDING;
  }
  warpbound_status status = analyse_function(function, options, control, &callees, wcet, error);
  if (status == WARPBOUND_OK) {
    status = check_calls(options->assumed, callees.used, NULL, function, error);
    if (status != WARPBOUND_OK)
      wb_wcet_free(wcet);
  }
  free(callees.used);
  for (size_t f = 0; f < code->function_count; f++) {
    wb_list_free(&callees.callees[f].assumptions);
    wb_estimate_free(&callees.callees[f].estimate);
  }
  free(callees.callees);
  return status;
}

warpbound_status wb_wcet_check_end(const struct wb_wcet *wcet, warpbound_error *error)
{
  if (wcet->ipet.stop == WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_LIMIT,
                 "%.120s: a limit was reached, or an interruption came, before the search for a "
                 "path that reaches the bound was at its end",
                 wcet->function->name);
}

/* Longest path that a message shows whole. */
#define LONGEST_PATH 60

const struct wb_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block)
{
  return &wcet->function->instructions[wcet->graph->blocks[block].first];
}

const struct wb_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop)
{
  const struct wb_loop *it = &wcet->forest.loops[loop];
  if (it->back_edge_count > 0) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[it->first_back_edge]].from;
    const struct wb_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line > 0)
      return branch;
  }
  return wb_wcet_block_start(wcet, it->header);
}

void wb_wcet_write_loop(const struct wb_wcet *wcet, size_t index, char text[WB_WCET_PLACE_SIZE])
{
  const struct wb_instruction *first = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  const struct wb_instruction *named = wb_wcet_loop_line(wcet, index);
  if (named->source_line > 0 && named->source_file > 0) {
    /* The end of a path, by whole names where that is enough. */
    const char *path = wcet->code->files[named->source_file - 1];
    while (strlen(path) > LONGEST_PATH && strchr(path, '/') != NULL)
      path = strchr(path, '/') + 1;
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32 ", %.100s:%" PRIu32, first->address, path,
             named->source_line);
  } else
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32, first->address);
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
      wb_euler_walk(&wcet->system, wcet->ipet.taken, longest, &blocks, &block_count, error);
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

warpbound_kind wb_wcet_bound_kind(const struct wb_wcet *wcet)
{
  return wb_is_estimate(&wcet->estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
}

void wb_wcet_free(struct wb_wcet *wcet)
{
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++) {
    free(wcet->loops[l].reason);
    free(wcet->loops[l].width_reason);
    free(wcet->loops[l].hint);
    free(wcet->loops[l].fact);
  }
  wb_arena_free(&wcet->arena);
  wb_resolved_facts_free(&wcet->facts);
  wb_flow_system_free(&wcet->system);
  wb_ipet_result_free(&wcet->ipet);
  wb_list_free(&wcet->assumptions);
  wb_estimate_free(&wcet->estimate);
  wb_loop_forest_free(&wcet->forest);
  wb_control_flow_free(&wcet->flow);
  *wcet = (struct wb_wcet){0};
}
