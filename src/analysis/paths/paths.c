#include "analysis/paths/paths.h"

#include "base/arena.h"
#include "base/memory.h"
#include "model/kernel_string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_ORDER                                                                                \
  "the groups of lanes of a warp run in an order that was composed of how often they run on its "  \
  "worst path: nothing shows that they can run so, and that makes the lower end an estimate"

#define SAME_BARRIERS                                                                              \
  "all warps of a block pass the same barriers in the same order: the code does not show it, so "  \
  "that the result is an estimate"

static void state_assumptions(struct wb_paths *paths)
{
  const struct wb_list *of_one = &paths->wcet.assumptions;
  const struct wb_function *function = paths->wcet.function;
  for (size_t a = 0; a < of_one->count; a++) {
    /* A table of cycles is about one warp alone, and so is waiting at a barrier. */
    bool alone = strstr(of_one->items[a], "(--cost") != NULL;
    for (size_t i = 0; i < function->instruction_count && !alone; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      alone = instruction->unit == WB_UNIT_BARRIER && instruction->assumption != NULL &&
              strcmp(instruction->assumption, of_one->items[a]) == 0;
    }
    if (!alone)
      wb_list_add(&paths->assumptions, "%s", of_one->items[a]);
  }
  if (wb_path_system_doubts_barriers(&paths->system))
    wb_list_add(&paths->assumptions, SAME_BARRIERS);
  if (!wb_flow_system_is_walk(&paths->system.flow))
    wb_list_add(&paths->assumptions, GROUP_ORDER);
}

/* Whether all warps of a block take the edges that a limit counts alike. */
static bool is_common(const struct wb_path_system *system, const bool *alike,
                      const struct wb_flow_limit *limit)
{
  for (size_t t = 0; t < limit->term_count; t++) {
    const uint32_t edge = system->flow.terms[limit->first_term + t].edge;
    const uint32_t from = system->block[system->flow.from[edge]];
    const uint32_t to = system->block[system->flow.to[edge]];
    if (from == UINT32_MAX || to == UINT32_MAX || !alike[from])
      return false;
  }
  return true;
}

/* Where phases do not show that all warps of a block pass the same barriers, the choices on the way
 * to them may. A limit that counts such choices has one sum for all warps at each barrier, so it
 * holds of composite paths too. */
static warpbound_status find_agreement(struct wb_paths *paths, warpbound_error *error)
{
  struct wb_path_system *system = &paths->system;
  const struct wb_flow_system *flow = &system->flow;
  struct wb_barrier_agreement agreement;
  if (!system->used[WB_UNIT_BARRIER] || system->sure)
    return WARPBOUND_OK;
  warpbound_status status = wb_barrier_agreement_find(paths->wcet.graph, &agreement, error);
  if (status != WARPBOUND_OK)
    return status;
  system->sure = agreement.agreed;
  paths->disagreement = agreement.disagreement;
  if (agreement.agreed && system->composed != NULL) {
    system->common = wb_arena_array(&system->arena, bool, flow->limit_count);
    for (size_t l = 0; l < flow->limit_count && system->common != NULL; l++) {
      system->common[l] = is_common(system, agreement.alike, &flow->limits[l]);
      system->composed[l] |= system->common[l];
    }
    status = system->common != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  }
  wb_barrier_agreement_free(&agreement);
  return status;
}

/* ---- what is not proven ---- */

static void doubt_barriers(struct wb_paths *paths)
{
  const struct wb_function *function = paths->wcet.function;
  const struct wb_disagreement *where = &paths->disagreement;
  if (!wb_path_system_doubts_barriers(&paths->system))
    return;
  const struct wb_instruction *barrier = &function->instructions[where->barrier];
  if (where->choice == where->barrier) {
    wb_estimate_because_of(&paths->over, "barriers", paths->wcet.code, barrier,
                           "guard it by what all threads of the block share (blockIdx, blockDim, "
                           "parameters), or not at all",
                           "nothing shows that all warps of a block pass it alike: its guard, or "
                           "how many groups of lanes come to it, may differ between warps");
    return;
  }
  char *branch = wb_code_place(paths->wcet.code, function->instructions[where->choice].opcode,
                               function->instructions[where->choice].address,
                               &function->instructions[where->choice]);
  wb_estimate_because_of(&paths->over, "barriers", paths->wcet.code, barrier,
                         "let that choice depend on what all threads of the block share (blockIdx, "
                         "blockDim, parameters), or move the barrier out of it",
                         "nothing shows that all warps of a block pass it alike: warps may choose "
                         "differently at %.300s",
                         branch != NULL ? branch : "a branch before it");
  free(branch);
}

/* Why results over the paths are estimates. */
static void find_doubts(struct wb_paths *paths)
{
  const struct wb_wcet *wcet = &paths->wcet;
  const struct wb_warp_graph *united = &wcet->flow.united;
  wb_estimate_add_all(&paths->over, &wcet->estimate, NULL);
  if (wcet->calls != NULL)
    wb_estimate_because_of(&paths->over, "call-not-in-strings", wcet->code, wcet->calls,
                           "compile the function into the kernel (__forceinline__)",
                           "it calls %.200s, a function in a section of its own, whose "
                           "instructions are on no path",
                           wcet->calls->callee != NULL ? wcet->calls->callee : "a function");
  doubt_barriers(paths);
  wb_estimate_add_all(&paths->estimate, &paths->over, NULL);
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

warpbound_status wb_paths_analyse(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_wcet_options *options,
                                  const struct wb_control *control, struct wb_paths *paths,
                                  warpbound_error *error)
{
  *paths = (struct wb_paths){0};
  warpbound_status status = wb_wcet_analyse(code, function, options, control, &paths->wcet, error);
  if (status == WARPBOUND_OK)
    status = wb_path_system_make(&paths->wcet, &paths->system, error);
  if (status == WARPBOUND_OK)
    status = find_agreement(paths, error);
  if (status == WARPBOUND_OK) {
    find_doubts(paths);
    if (paths->wcet.calls != NULL)
      wb_list_add(&paths->assumptions,
                  "functions in sections of their own that the kernel calls are not part of its "
                  "strings: that makes the result an estimate");
    state_assumptions(paths);
    if (paths->assumptions.failed || paths->estimate.failed)
      status = wb_out_of_memory(error);
  }
  if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING)
    wb_paths_free(paths);
  return status;
}

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

/* Adds the string of the worst path of one warp, and then all that there are, if they are few. */
static warpbound_status find_strings(struct wb_paths *paths, warpbound_error *error)
{
  const struct wb_path_source source = {
      .function = paths->wcet.function, .system = &paths->system, .facts = &paths->wcet.facts};
  const size_t edges = paths->system.flow.edge_count;
  int64_t *taken = wb_allocate(edges, sizeof *taken);
  if (taken == NULL)
    return wb_out_of_memory(error);
  /* An edge between pieces of a block is taken as often as the block runs. */
  for (size_t e = 0; e < edges; e++)
    taken[e] = e < paths->wcet.system.edge_count
                   ? paths->wcet.ipet.taken[e]
                   : paths->wcet.runs[paths->system.block[paths->system.flow.to[e]]];
  warpbound_status status =
      wb_path_strings_add(&source, taken, "the worst path of one warp", &paths->strings, error);
  free(taken);
  return status == WARPBOUND_OK ? wb_path_strings_list(&source, &paths->strings, error) : status;
}

warpbound_status wb_paths_make(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_wcet_options *options,
                               const struct wb_control *control, struct wb_paths *paths,
                               warpbound_error *error)
{
  warpbound_status status = wb_paths_analyse(code, function, options, control, paths, error);
  if (status == WARPBOUND_OK)
    status = take_worst_path(&paths->wcet, &paths->path, error);
  if (status == WARPBOUND_OK)
    status = find_strings(paths, error);
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
  wb_path_strings_free(&paths->strings);
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
