#include "analysis/paths/paths.h"

#include "analysis/paths/barrier_doubts.h"
#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "flow/barriers/barrier_arrivals.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/barrier_visits.h"
#include "flow/barriers/counted_barriers.h"
#include "ipet/solve/euler_walk.h"
#include "ipet/system/ipet_system.h"
#include "isa/opcode.h"
#include "model/kernel_string.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the enumeration: edges taken, and what looking at a whole path costs. */
#define STEP_LIMIT UINT64_C(4000000)
/* Most nodes of a path, and most pairs of a limit and a node. */
#define DEPTH_LIMIT 100000u
#define PAIR_LIMIT ((size_t)1 << 22)

#define NO_EDGE UINT32_MAX

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

/* ---- the string of a path ---- */

/* Whether counts are those of a path. WARPBOUND_CHECK_FAILED where they are not, or break an
 * exclusive fact, which no limit of the system says. */
static warpbound_status check_counts(const struct wb_paths *paths, const int64_t *taken,
                                     warpbound_error *error)
{
  int64_t cycles;
  const warpbound_status status = wb_check_flow_counts(&paths->system.flow, taken, &cycles, error);
  /* The edges of the WCET's system come first: those after them join pieces of blocks. */
  if (status == WARPBOUND_OK &&
      wb_wcet_broken_fact(&paths->wcet.facts, NULL, &paths->wcet.system, taken) != SIZE_MAX)
    return WARPBOUND_CHECK_FAILED;
  return status;
}

warpbound_status wb_paths_allow(const struct wb_paths *paths, const int64_t *taken, bool *allowed,
                                warpbound_error *error)
{
  warpbound_error refusal = {0};
  const warpbound_status status = check_counts(paths, taken, &refusal);
  *allowed = status == WARPBOUND_OK;
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &refusal) : WARPBOUND_OK;
}

void wb_paths_worst_counts(const struct wb_paths *paths, int64_t *taken)
{
  const struct wb_path_system *system = &paths->system;
  const size_t known = paths->wcet.system.edge_count;
  /* An edge between pieces of a block is taken as often as the block runs. */
  for (size_t e = 0; e < system->flow.edge_count; e++)
    taken[e] =
        e < known ? paths->wcet.ipet.taken[e] : paths->wcet.runs[system->block[system->flow.to[e]]];
}

warpbound_status wb_paths_walk(const struct wb_paths *paths, const int64_t *taken, size_t longest,
                               uint32_t **nodes, size_t *count, warpbound_error *error)
{
  warpbound_error refusal = {0};
  *nodes = NULL;
  *count = 0;
  warpbound_status status = check_counts(paths, taken, &refusal);
  if (status == WARPBOUND_OK)
    status = wb_euler_walk(&paths->system.flow, taken, longest, nodes, count, &refusal);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &refusal) : WARPBOUND_OK;
}

/* Appends the letters of a node; where they do not all fit, fails and appends some. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL (memory). */
static warpbound_status append_node(const struct wb_paths *paths, uint32_t node,
                                    struct wb_kernel_string *string, warpbound_error *error)
{
  const struct wb_instruction *const instructions = paths->wcet.function->instructions;
  const uint32_t last = paths->system.last[node];
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t i = paths->system.first[node]; i <= last && status == WARPBOUND_OK; i++)
    status = wb_kernel_string_append(string, wb_instruction_unit(&instructions[i]), 1,
                                     WB_STRING_LIMIT, error);
  return status;
}

/* Adds a path that was checked, and has the string. *full: there is no room for it. */
static warpbound_status add_path(struct wb_paths *paths, const struct wb_kernel_string *string,
                                 const uint32_t *nodes, size_t count, const char *why, bool *full,
                                 warpbound_error *error)
{
  struct wb_path_strings *strings = &paths->strings;
  *full = false;
  for (size_t s = 0; s < strings->count; s++) {
    struct wb_path_string *known = &strings->items[s];
    if (!wb_kernel_string_equal(&known->string, string))
      continue;
    known->why = known->why != NULL ? known->why : why;
    return WARPBOUND_OK;
  }
  *full = strings->count == WB_PATH_STRING_LIMIT ||
          (strings->count > 0 && strings->letters + string->length > WB_PATH_LETTER_LIMIT);
  if (*full)
    return WARPBOUND_OK;
  struct wb_path_string added = {.node_count = count, .why = why};
  const warpbound_status status = wb_kernel_string_copy(string, &added.string, error);
  if (status != WARPBOUND_OK)
    return status;
  added.nodes = wb_allocate(count, sizeof *added.nodes);
  if (added.nodes == NULL) {
    wb_kernel_string_free(&added.string);
    return wb_out_of_memory(error);
  }
  memcpy(added.nodes, nodes, count * sizeof *nodes);
  strings->letters += string->length;
  strings->items[strings->count++] = added;
  return WARPBOUND_OK;
}

warpbound_status wb_paths_add_string(struct wb_paths *paths, const int64_t *taken, const char *why,
                                     warpbound_error *error)
{
  uint32_t *nodes;
  size_t count;
  bool full;
  struct wb_kernel_string string = {0};
  warpbound_error refusal = {0};
  warpbound_status status = wb_paths_walk(paths, taken, WB_STRING_LIMIT, &nodes, &count, error);
  if (status != WARPBOUND_OK || nodes == NULL)
    return status;
  for (size_t n = 0; n < count && status == WARPBOUND_OK; n++)
    status = append_node(paths, nodes[n], &string, &refusal);
  if (status == WARPBOUND_OK)
    status = add_path(paths, &string, nodes, count, why, &full, &refusal);
  wb_kernel_string_free(&string);
  free(nodes);
  /* A string that is too long is left out. */
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &refusal) : WARPBOUND_OK;
}

/* ---- the strings of all paths ---- */

/* Where a walk stands: at a node, which it came to by an edge; the next edge to try. */
struct place {
  uint32_t node;
  uint32_t by;
  size_t next;    /* in leaving.item */
  size_t letters; /* of the walk before it */
};

struct listing {
  struct wb_arena arena; /* owns the arrays */
  struct wb_paths *paths;
  const struct wb_flow_system *flow;
  struct wb_buckets leaving; /* edges by the node that they leave */
  struct wb_flow_edge_terms terms;
  bool *may_fall;                 /* by limit and node: from there an edge lowers the limit's sum */
  int64_t *sum;                   /* by limit */
  int64_t *taken;                 /* by edge */
  struct place *places;           /* the walk under way */
  struct wb_kernel_string string; /* its letters; owned */
  uint32_t *nodes;                /* scratch: its nodes */
  size_t depth;
  uint64_t steps;
  bool complete;
  warpbound_error *error;
};

/* From which nodes an edge can be reached that lowers the sum of a limit: passes over the edges
 * until one changes nothing. Each pass is a step an edge. False where steps run out. */
static bool mark_falls(struct listing *listing, size_t limit)
{
  const struct wb_flow_system *flow = listing->flow;
  bool *falls = listing->may_fall + limit * flow->node_count;
  bool changed = false;
  for (size_t t = 0; t < flow->limits[limit].term_count; t++) {
    const struct wb_flow_term *term = &flow->terms[flow->limits[limit].first_term + t];
    changed |= term->factor < 0;
    falls[flow->from[term->edge]] |= term->factor < 0;
  }
  while (changed) {
    changed = false;
    for (size_t e = flow->edge_count; e-- > 0;) {
      changed |= falls[flow->to[e]] && !falls[flow->from[e]];
      falls[flow->from[e]] |= falls[flow->to[e]];
    }
    listing->steps += flow->edge_count;
    if (listing->steps > STEP_LIMIT)
      return false;
  }
  return true;
}

/* Adds an edge to the sums, or takes it back (sign -1). */
static void count_edge(struct listing *listing, uint32_t edge, int64_t sign)
{
  const struct wb_flow_edge_terms *terms = &listing->terms;
  listing->taken[edge] += sign;
  for (size_t i = terms->of.first[edge]; i < terms->of.first[edge + 1]; i++) {
    const uint32_t t = terms->of.item[i];
    listing->sum[terms->limit[t]] += sign * listing->flow->terms[t].factor;
  }
}

/* Whether a walk that has taken the edge can still be a path. A walk that is given up although it
 * could is one that some path begins with: then the list is not complete. */
static bool may_go_on(struct listing *listing, uint32_t edge)
{
  bool open = true;
  const uint32_t node = listing->flow->to[edge];
  const struct wb_flow_edge_terms *terms = &listing->terms;
  for (size_t i = terms->of.first[edge]; i < terms->of.first[edge + 1]; i++) {
    const uint32_t limit = terms->limit[terms->of.item[i]];
    if (listing->sum[limit] <= listing->flow->limits[limit].constant)
      continue;
    const bool can_fall = listing->may_fall[limit * listing->flow->node_count + node];
    /* Limits of facts on the whole of a run may be exceeded in between; all others hold at every
     * time of a run, so that a walk that exceeds one is like no run. */
    const uint32_t origin = listing->flow->limits[limit].origin;
    if (can_fall && origin >= WB_IPET_ORIGIN_CASE && origin < WB_IPET_ORIGIN_ENTRY)
      continue;
    listing->complete &= !can_fall;
    open = false;
  }
  return open;
}

/* Goes on to a node, and adds the path where it may end there. A walk whose string is too long goes
 * no further: then the list is not complete. */
static warpbound_status arrive(struct listing *listing, uint32_t node, uint32_t by)
{
  warpbound_error refusal = {0};
  const size_t letters = listing->string.length;
  warpbound_status status = append_node(listing->paths, node, &listing->string, &refusal);
  if (status == WARPBOUND_INTERNAL)
    return wb_fail_with(listing->error, &refusal);
  const bool fits = status == WARPBOUND_OK;
  listing->complete &= fits;
  listing->places[listing->depth++] = (struct place){
      .node = node, .by = by, .next = listing->leaving.first[node + !fits], .letters = letters};
  if (!fits || !listing->flow->ends[node])
    return WARPBOUND_OK;
  bool full = false;
  status = check_counts(listing->paths, listing->taken, &refusal);
  listing->steps += listing->flow->edge_count + listing->flow->term_count + listing->depth;
  if (status != WARPBOUND_OK)
    return status == WARPBOUND_INTERNAL ? wb_fail_with(listing->error, &refusal) : WARPBOUND_OK;
  for (size_t d = 0; d < listing->depth; d++)
    listing->nodes[d] = listing->places[d].node;
  status = add_path(listing->paths, &listing->string, listing->nodes, listing->depth, NULL, &full,
                    listing->error);
  listing->complete &= !full;
  return status;
}

static warpbound_status walk_all(struct listing *listing)
{
  warpbound_status status = arrive(listing, listing->flow->starts[0].node, NO_EDGE);
  while (status == WARPBOUND_OK && listing->depth > 0 && listing->steps <= STEP_LIMIT) {
    struct place *place = &listing->places[listing->depth - 1];
    if (place->next == listing->leaving.first[place->node + 1]) {
      if (place->by != NO_EDGE)
        count_edge(listing, place->by, -1);
      wb_kernel_string_shorten(&listing->string, place->letters);
      listing->depth--;
      continue;
    }
    const uint32_t edge = listing->leaving.item[place->next++];
    listing->steps += 1 + listing->terms.of.first[edge + 1] - listing->terms.of.first[edge];
    count_edge(listing, edge, 1);
    if (!may_go_on(listing, edge)) {
      count_edge(listing, edge, -1);
    } else if (listing->depth == DEPTH_LIMIT) {
      count_edge(listing, edge, -1);
      listing->complete = false;
    } else {
      status = arrive(listing, listing->flow->to[edge], edge);
    }
  }
  listing->complete &= listing->depth == 0;
  return status;
}

/* Adds the strings of all paths, in depth-first order, as long as they are few and found in a
 * number of steps that does not depend on the machine; sets `all`. Errors: WARPBOUND_INTERNAL
 * (memory). */
static warpbound_status list_all_strings(struct wb_paths *paths, warpbound_error *error)
{
  const struct wb_flow_system *flow = &paths->system.flow;
  struct listing listing = {.paths = paths, .flow = flow, .complete = true, .error = error};
  struct wb_arena *arena = &listing.arena;
  /* Sums stay far from the ends of 64 bits, however a walk of at most DEPTH_LIMIT edges goes. */
  bool moderate = true;
  for (size_t t = 0; t < flow->term_count; t++)
    moderate &= wb_magnitude(flow->terms[t].factor) <= (UINT64_C(1) << 62) / DEPTH_LIMIT;
  paths->strings.all = false;
  if (!wb_flow_system_is_walk(flow) || !moderate ||
      (flow->limit_count > 0 && flow->node_count > PAIR_LIMIT / flow->limit_count))
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  listing.may_fall = wb_arena_array(arena, bool, flow->limit_count * flow->node_count);
  listing.sum = wb_arena_array(arena, int64_t, flow->limit_count);
  listing.taken = wb_arena_array(arena, int64_t, flow->edge_count);
  listing.places = wb_arena_array(arena, struct place, DEPTH_LIMIT);
  listing.nodes = wb_arena_array(arena, uint32_t, DEPTH_LIMIT);
  if (!wb_buckets_make(arena, flow->from, flow->edge_count, flow->node_count, &listing.leaving) ||
      !wb_flow_edge_terms_make(arena, flow, &listing.terms) || arena->failed) {
    status = wb_out_of_memory(error);
  } else {
    bool marked = true;
    for (size_t m = 0; m < flow->limit_count && marked; m++)
      marked = mark_falls(&listing, m);
    if (marked)
      status = walk_all(&listing);
    paths->strings.all = marked && listing.complete && paths->strings.count > 0;
  }
  wb_kernel_string_free(&listing.string);
  wb_arena_free(arena);
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
    status = list_all_strings(paths, error);
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
