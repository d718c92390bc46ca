#include "analysis/paths/paths.h"

#include "analysis/paths/barrier_doubts.h"
#include "base/arena.h"
#include "base/memory.h"
#include "flow/barriers/barrier_arrivals.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/barrier_visits.h"
#include "flow/barriers/counted_barriers.h"
#include "ipet/system/ipet_system.h"
#include "isa/opcode.h"
#include "model/kernel_string.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_ORDER                                                                                \
  "the groups of lanes of a warp run in an order that was composed of how often they run on its "  \
  "worst path: nothing shows that they can run so, and that makes the lower end an estimate"

#define EARLY_ENDS                                                                                 \
  "warps of a block may end before barriers of the others, which then wait for those alone that "  \
  "have not ended "

/* What documents it: from Volta on, and before. */
#define EARLY_ENDS_BY_VOLTA "(CUDA C++ Programming Guide, Independent Thread Scheduling)"
#define EARLY_ENDS_BY_PTX "(PTX ISA, barrier: it waits for the non-exited threads)"

#define READ_ONLY                                                                                  \
  "global memory that LDG.CONSTANT loads (ld.global.nc, __ldg) is not written while the kernel "   \
  "runs, so that threads which load from one address get one value"

#define SAME_BARRIERS                                                                              \
  "all warps of a block pass the same barriers in the same order: the code does not show it, so "  \
  "that the result is an estimate"

/* Asks the choices on the way to barriers. A limit that counts choices which are alike has one sum
 * for all warps at each barrier, so it holds of composite paths too. */
static warpbound_status find_choices(struct wb_paths *paths, enum wb_early_ends early_ends,
                                     bool *as_many, warpbound_error *error)
{
  struct wb_path_system *system = &paths->system;
  const struct wb_flow_system *flow = &system->flow;
  struct wb_barrier_agreement agreement;
  warpbound_status status = wb_barrier_agreement_find(
      paths->wcet.graph, early_ends, WB_COMPARED_BLOCK, paths->wcet.unchanged, &agreement, error);
  if (status != WARPBOUND_OK)
    return status;
  system->sure = agreement.agreed && early_ends != WB_ENDS_ANYWHERE;
  system->early_ends = agreement.agreed && early_ends == WB_ENDS_FIRST;
  paths->disagreement = agreement.disagreement;
  if (agreement.as_many) /* else what was found before stays */
    paths->reads_only = agreement.reads_only;
  *as_many |= agreement.as_many;
  if (system->sure && system->composed != NULL) {
    system->common = wb_arena_array(&system->arena, bool, flow->limit_count);
    for (size_t l = 0; l < flow->limit_count && system->common != NULL; l++) {
      const struct wb_flow_term *terms = &flow->terms[flow->limits[l].first_term];
      bool common = true; /* all warps of a block take the edges that it counts alike */
      for (size_t t = 0; t < flow->limits[l].term_count && common; t++) {
        const uint32_t from = system->block[flow->from[terms[t].edge]];
        const uint32_t to = system->block[flow->to[terms[t].edge]];
        common = from != UINT32_MAX && to != UINT32_MAX && agreement.alike[from];
      }
      system->common[l] = common;
      system->composed[l] |= system->common[l];
    }
    status = system->common != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  }
  wb_barrier_agreement_free(&agreement);
  return status;
}

/* Nothing is known of barriers but that none waits for ever: no phases are told apart. */
static void forget_phases(struct wb_paths *paths)
{
  struct wb_path_system *system = &paths->system;
  system->phased = false;
  system->composed = system->local = system->common = NULL;
  system->phases = 1;
  for (size_t v = 0; v < system->flow.node_count; v++)
    system->phase[v] = 0;
  system->sure = true;
}

/* Whether warps may come to one barrier of the source at two places, by which of their lanes run
 * (BRA.CONV): composite paths need it at one. */
static bool may_choose_by_lanes(const struct wb_warp_graph *graph)
{
  bool found = false;
  for (uint32_t b = 0; b < graph->block_count && !found; b++) {
    size_t ways = 0;
    const bool together = graph->function->instructions[graph->blocks[b].last].together;
    for (size_t e = 0; e < graph->edge_count && together; e++)
      ways += graph->edges[e].from == b;
    found = ways > 1;
  }
  return found;
}

/* Where phases do not show that all warps of a block pass the same barriers, the choices on the way
 * to them may. From Volta on barriers wait for those warps alone that have not ended: then it is
 * enough that those agree, phase by phase, or that warps which end before have passed none; or, for
 * paths of each warp alone, that all agree as long as they go on. */
static warpbound_status find_agreement(struct wb_paths *paths, warpbound_barriers known,
                                       warpbound_error *error)
{
  struct wb_path_system *system = &paths->system;
  /* Those that name a count wait for warps that have ended, too. */
  const bool leaves_ended = !paths->wcet.counted_barriers;
  warpbound_status status = WARPBOUND_OK;
  if (!system->used[WB_UNIT_BARRIER] || system->sure || system->partial != NULL)
    return WARPBOUND_OK;
  bool as_many = false;
  status = find_choices(paths, WB_ENDS_ALIKE, &as_many, error);
  if (status == WARPBOUND_OK && !system->sure && !system->phased && leaves_ended)
    status = wb_path_system_number_early_ends(&paths->wcet, system, error);
  if (status == WARPBOUND_OK && !system->sure && leaves_ended)
    status = find_choices(paths, WB_ENDS_FIRST, &as_many, error);
  const bool alike = as_many; /* with no end before others */
  if (status == WARPBOUND_OK && !system->sure && !as_many && leaves_ended)
    status = find_choices(paths, WB_ENDS_ANYWHERE, &as_many, error);
  /* What the caller says beside it. Warps that pass no barrier at all may be among them where
   * barriers do not wait for those. */
  if (status == WARPBOUND_OK && as_many && !system->sure && known != WARPBOUND_BARRIERS_SAME) {
    forget_phases(paths);
    system->as_many = true;
    system->early_ends = !alike;
  }
  if (status != WARPBOUND_OK || known != WARPBOUND_BARRIERS_SAME || system->sure)
    return status;
  if (!system->phased && may_choose_by_lanes(paths->wcet.graph))
    forget_phases(paths);
  paths->told = system->sure = true;
  system->early_ends = !system->phased && paths->wcet.function->wide && leaves_ended;
  return status;
}

/* Barriers that name a count may be of groups of the block's warps: then those are barriers too,
 * and each warp passes the ones of its group and of the block. */
static warpbound_status find_groups(struct wb_paths *paths, const struct wb_launch *launch,
                                    bool *groups, warpbound_error *error)
{
  struct wb_wcet *wcet = &paths->wcet;
  const struct wb_group_question question = {.graph = wcet->graph,
                                             .forest = &wcet->forest,
                                             .launch = launch,
                                             .unchanged = wcet->unchanged};
  *groups = false;
  if (wcet->copied == NULL || !wb_function_counts_barriers(wcet->function))
    return WARPBOUND_OK;
  const warpbound_status status =
      wb_barrier_groups_find(&question, wcet->copied, groups, &paths->reads_only, error);
  return status != WARPBOUND_OK || *groups
             ? status
             : wb_barrier_arrivals_find(&question, wcet->copied, groups, error);
}

/* Whether all warps of a block, or of the launch, take one path: shown without an assumption that
 * nothing else needs. Code without a choice has one path anyway. */
static warpbound_status find_same_path(struct wb_paths *paths, warpbound_error *error)
{
  const struct wb_warp_graph *graph = paths->wcet.graph;
  struct wb_path_system *system = &paths->system;
  bool *found[] = {&system->same_path, &system->launch_path};
  warpbound_status status = WARPBOUND_OK;
  if (graph->edge_count < graph->block_count || system->partial != NULL || system->groups)
    return WARPBOUND_OK;
  for (size_t f = 0; f < 2 && status == WARPBOUND_OK && (f == 0 || system->same_path); f++) {
    struct wb_barrier_agreement agreement;
    status = wb_barrier_agreement_find(graph, WB_ENDS_ALIKE,
                                       f == 1 ? WB_COMPARED_LAUNCH : WB_COMPARED_BLOCK,
                                       paths->wcet.unchanged, &agreement, error);
    if (status != WARPBOUND_OK)
      continue;
    *found[f] = agreement.same_path && (!agreement.reads_only || paths->reads_only);
    wb_barrier_agreement_free(&agreement);
  }
  return status;
}

/* ---- what is not proven ---- */

/* The first barrier that names a count. */
static const struct wb_instruction *first_counted(const struct wb_wcet *wcet)
{
  size_t i = 0;
  while (!wb_instruction_is(&wcet->function->instructions[i], WB_TRAIT_BLOCK_BARRIER) ||
         !wb_barrier_is_counted(wcet->function, &wcet->function->instructions[i]))
    i++;
  return &wcet->function->instructions[i];
}

/* Why results over the paths are estimates. */
static void find_doubts(struct wb_paths *paths, bool no_options)
{
  const struct wb_wcet *wcet = &paths->wcet;
  const struct wb_warp_graph *united = &wcet->flow.united;
  wb_estimate_add_all(&paths->over, &wcet->estimate, NULL);
  if (!paths->told)
    wb_barrier_doubts_add(wcet, &paths->system, &paths->disagreement, no_options, &paths->over);
  wb_estimate_add_all(&paths->estimate, &paths->over, NULL);
  if (paths->told && paths->system.partial != NULL)
    wb_estimate_because_of(
        &paths->estimate, "barriers", wcet->code, paths->system.partial,
        "let all warps of the block pass it (__syncthreads)",
        "a part of the warps of a block may pass it, and runs do not wait there");
  if (paths->system.groups)
    wb_estimate_because_of(&paths->estimate, "barriers", wcet->code, first_counted(wcet),
                           "let all warps of the block pass it (__syncthreads)",
                           "it is for a group of the block's warps, and runs let all wait there");
  if (wb_flow_system_is_walk(&paths->system.flow))
    return;
  /* Named by the first instruction that may divide a warp. */
  const size_t count = united->divergence_point_count;
  char others[64] = "";
  if (count > 1)
    snprintf(others, sizeof others, ", as %zu other instruction%s may", count - 1,
             count == 2 ? "" : "s");
  const uint32_t first = count > 0 ? united->divergence_points[0] : 0;
  wb_estimate_because_of(&paths->estimate, "order-of-groups", wcet->code,
                         &wcet->function->instructions[first],
                         "make such branches uniform (warpbound cfg shows which are not)",
                         "it may divide the lanes of a warp%s, and nothing shows that their groups "
                         "can run in the order that was composed",
                         others);
}

/* What is assumed of one warp, but for what is about one that runs alone: a table of cycles, and so
 * waiting at a barrier. */
static void state_of_one_warp(struct wb_paths *paths)
{
  const struct wb_list *of_one = &paths->wcet.assumptions;
  const struct wb_function *linked = paths->wcet.function;
  for (size_t a = 0; a < of_one->count; a++) {
    bool alone = strstr(of_one->items[a], "(--cost") != NULL;
    for (size_t i = 0; i < linked->instruction_count && !alone; i++) {
      const struct wb_instruction *instruction = &linked->instructions[i];
      alone = instruction->unit == WB_UNIT_BARRIER && instruction->assumption != NULL &&
              strcmp(instruction->assumption, of_one->items[a]) == 0;
    }
    if (!alone)
      wb_list_add(&paths->assumptions, "%s", of_one->items[a]);
  }
}

static warpbound_status state_assumptions(struct wb_paths *paths, warpbound_barriers known,
                                          warpbound_error *error)
{
  state_of_one_warp(paths);
  if (paths->told && known == WARPBOUND_BARRIERS_SAME)
    wb_list_add(&paths->assumptions,
                "all warps of a block pass the same barriers, at the same places of the code, in "
                "the same order%s (--assume-barriers same)",
                paths->system.early_ends > 0 ? ", but for some that end before the first one" : "");
  if (paths->told && known == WARPBOUND_BARRIERS_END)
    wb_list_add(&paths->assumptions, "no barrier waits for ever (--assume-barriers end)");
  if (!paths->told && wb_path_system_doubts_barriers(&paths->system) &&
      paths->system.partial == NULL)
    wb_list_add(&paths->assumptions, SAME_BARRIERS);
  else if (paths->system.early_ends > 0)
    wb_list_add(&paths->assumptions, paths->wcet.function->wide ? EARLY_ENDS EARLY_ENDS_BY_VOLTA
                                                                : EARLY_ENDS EARLY_ENDS_BY_PTX);
  if (paths->reads_only)
    wb_list_add(&paths->assumptions, READ_ONLY);
  if (!wb_flow_system_is_walk(&paths->system.flow))
    wb_list_add(&paths->assumptions, GROUP_ORDER);
  return paths->assumptions.failed || paths->estimate.failed ? wb_out_of_memory(error)
                                                             : WARPBOUND_OK;
}

warpbound_status wb_paths_analyse(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_wcet_options *options,
                                  const struct wb_control *control, struct wb_paths *paths,
                                  warpbound_error *error)
{
  *paths = (struct wb_paths){0};
  warpbound_status status = wb_wcet_analyse(code, function, options, control, &paths->wcet, error);
  bool groups = false;
  if (status == WARPBOUND_OK)
    status = find_groups(paths, options->launch, &groups, error);
  if (status == WARPBOUND_OK)
    status = wb_path_system_make(&paths->wcet, &paths->system, error);
  if (status == WARPBOUND_OK && groups) {
    forget_phases(paths);
    paths->system.groups = paths->system.as_many = true;
  } else if (status == WARPBOUND_OK) {
    status = find_agreement(paths, options->barriers, error);
  }
  if (status == WARPBOUND_OK)
    status = find_same_path(paths, error);
  if (status == WARPBOUND_OK && options->barriers == WARPBOUND_BARRIERS_END &&
      wb_path_system_doubts_barriers(&paths->system)) {
    forget_phases(paths);
    paths->told = true;
  }
  if (status == WARPBOUND_OK) {
    find_doubts(paths, options->no_template);
    status = state_assumptions(paths, options->barriers, error);
  }
  if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING)
    wb_paths_free(paths);
  return status;
}

/* ---- paths with strings ---- */

/* The worst path of one warp, with the string of its unit types. */
static warpbound_status take_worst_path(const struct wb_wcet *wcet, struct wb_kernel_path *path,
                                        warpbound_error *error)
{
  uint32_t *indices;
  size_t count;
  warpbound_status status = wb_wcet_path(wcet, WB_STRING_LIMIT, &indices, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  path->steps = wb_allocate(count, sizeof *path->steps);
  path->step_capacity = count;
  if (path->steps == NULL)
    status = wb_out_of_memory(error);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    const struct wb_instruction *step = &wcet->function->instructions[indices[i]];
    const enum wb_unit unit = wb_instruction_unit(step);
    path->steps[path->step_count++] = step;
    /* A barrier's assumption is about waiting: one warp alone does not wait. */
    if (step->assumption != NULL && unit != WB_UNIT_BARRIER)
      wb_list_add(&path->assumptions, "%s: %s", step->opcode, step->assumption);
    status = wb_kernel_string_append(&path->string, unit, 1, WB_STRING_LIMIT, error);
  }
  free(indices);
  return status == WARPBOUND_OK && path->assumptions.failed ? wb_out_of_memory(error) : status;
}

/* Units and barriers of the block are all that the machine of a makespan waits for. What else
 * instructions wait for makes the result an estimate. */
static void doubt_hidden_waits(struct wb_paths *paths)
{
  const struct wb_wcet *wcet = &paths->wcet;
  for (uint32_t b = 0; b < wcet->graph->block_count; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      const struct wb_instruction *at = &wcet->function->instructions[i];
      if (!at->never && wb_instruction_is(at, WB_TRAIT_HIDDEN_WAIT))
        wb_estimate_because_of(&paths->estimate, "hidden-wait", wcet->code, at,
                               "leave the wait out of the code",
                               "it waits for what the machine does not have: a time that the code "
                               "asks for, registers of other warps, or other blocks");
    }
  }
}

/* What code outside does on the units nobody has said, so that no letters stand for it. Errors:
 * WARPBOUND_INVALID_INPUT, at a call of which only cycles are assumed. */
static warpbound_status check_calls(const struct wb_wcet *wcet, warpbound_error *error)
{
  const struct wb_function *function = wcet->function;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *call = &function->instructions[i];
    if (wcet->assumed_calls[i] >= 0)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, wcet->code->name, call->line, call->column,
                        "%.100s: %.60s at 0x%04" PRIx32
                        ": its cycles are assumed (--assume-call, or 'call ... takes N' of the "
                        "facts), and nothing says which units they occupy, so that they are in no "
                        "string: leave the claim out for an estimate; wcet and analyze take it",
                        function->name, call->opcode, call->address);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_paths_make(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_wcet_options *options,
                               const struct wb_control *control, struct wb_paths *paths,
                               warpbound_error *error)
{
  warpbound_status status = wb_paths_analyse(code, function, options, control, paths, error);
  if (status == WARPBOUND_OK)
    doubt_hidden_waits(paths);
  if (status == WARPBOUND_OK && paths->estimate.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = check_calls(&paths->wcet, error);
  if (status == WARPBOUND_OK)
    status = take_worst_path(&paths->wcet, &paths->path, error);
  const size_t edges = paths->system.flow.edge_count;
  int64_t *taken = status == WARPBOUND_OK ? wb_allocate(edges, sizeof *taken) : NULL;
  if (status == WARPBOUND_OK && taken == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    wb_paths_worst_counts(paths, taken);
    status = wb_paths_add_string(paths, taken, "the worst path of one warp", error);
  }
  free(taken);
  if (status == WARPBOUND_OK)
    status = wb_paths_list_strings(paths, error);
  if (status != WARPBOUND_OK)
    wb_paths_free(paths);
  return status;
}

bool wb_paths_are_one(const struct wb_paths *paths)
{
  return paths->strings.all && paths->strings.count == 1;
}

void wb_paths_free(struct wb_paths *paths)
{
  wb_list_free(&paths->assumptions);
  wb_estimate_free(&paths->over);
  wb_estimate_free(&paths->estimate);
  wb_kernel_path_free(&paths->path);
  wb_path_maxima_free(&paths->maxima);
  for (size_t s = 0; s < paths->strings.count; s++) {
    wb_kernel_string_free(&paths->strings.items[s].string);
    free(paths->strings.items[s].nodes);
  }
  wb_path_system_free(&paths->system);
  wb_wcet_free(&paths->wcet);
  *paths = (struct wb_paths){0};
}

warpbound_status wb_paths_check_barriers(const struct wb_paths *paths, warpbound_error *error)
{
  const struct wb_instruction *barrier = paths->system.partial;
  if (barrier == NULL)
    return WARPBOUND_OK;
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, paths->wcet.code->name, barrier->line,
                    barrier->column,
                    "%.40s %.60s: a barrier that a part of the warps of a block may pass, expected "
                    "one of all of them (BAR.SYNC 0x0)",
                    barrier->opcode, barrier->operands);
}
