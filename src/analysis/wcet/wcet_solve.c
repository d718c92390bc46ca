/* The integer program of a WCET: its cases where facts exclude each other, contradictory facts. */
#include "analysis/wcet/wcet_steps.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/system/ipet_system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cases of exclusive facts that are told apart. From there on cases are not split any more,
 * which is safe: they then allow more. */
#define MOST_CASES 256

/* Facts that are tried one by one when they contradict each other. */
#define MOST_SUSPECTS 200

/* Cases to be solved: which sets of blocks of the exclusive facts each forbids, by set. */
struct case_list {
  struct wb_arena arena; /* owns the arrays */
  bool **forbidden;      /* room for MOST_CASES, and those that the last fact splits */
  size_t count;
};

/* ---- the system ---- */

/* The user's facts, and what the code shows. NULL where memory is out. */
static struct wb_ipet_fact *facts_of(const struct wb_wcet *wcet, struct wb_arena *arena)
{
  const size_t count = wcet->facts.fact_count;
  struct wb_ipet_fact *facts =
      wb_arena_array(arena, struct wb_ipet_fact, count + wcet->shown_count);
  if (facts != NULL && count > 0)
    memcpy(facts, wcet->facts.facts, count * sizeof *facts);
  if (facts != NULL && wcet->shown_count > 0)
    memcpy(&facts[count], wcet->shown, wcet->shown_count * sizeof *facts);
  return facts;
}

/* The system of the loops' own bounds, by loop, then those that relate loops: of facts, and sums
 * that the code shows. */
static warpbound_status build_system(const struct wb_wcet_analysis *analysis,
                                     struct wb_flow_system *system)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_refinement *refinement = analysis->options->refinement;
  const size_t loops = wcet->forest.loop_count;
  size_t count = loops + wcet->facts.limit_count;
  struct wb_arena arena = {0};
  struct wb_ipet_loop_limit *limits =
      wb_arena_array(&arena, struct wb_ipet_loop_limit, count + loops);
  const struct wb_ipet_fact *facts = facts_of(wcet, &arena);
  warpbound_status status = !arena.failed ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
  for (size_t l = 0; l < loops && status == WARPBOUND_OK; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    if (loop->warp_bound > INT64_MAX)
      status = wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                       "%.120s: a loop bound does not fit into 63 bits", wcet->function->name);
    limits[l] = (struct wb_ipet_loop_limit){.loop = (uint32_t)l,
                                            .per = (uint32_t)l,
                                            .bound = (int64_t)loop->warp_bound,
                                            .thread_bound = loop->thread_bound <= INT64_MAX
                                                                ? (int64_t)loop->thread_bound
                                                                : WB_IPET_NO_BOUND};
  }
  for (size_t l = 0; l < wcet->facts.limit_count && status == WARPBOUND_OK; l++)
    limits[loops + l] = wcet->facts.limits[l];
  for (size_t l = 0; l < loops && status == WARPBOUND_OK; l++)
    count += wb_wcet_limit_sum(wcet, (uint32_t)l, &limits[count]);
  const struct wb_ipet_input input = {.graph = wcet->graph,
                                      .forest = &wcet->forest,
                                      .cycles = wcet->block_cycles,
                                      .loop_limits = limits,
                                      .loop_limit_count = count,
                                      .facts = facts,
                                      .fact_count = wcet->facts.fact_count + wcet->shown_count,
                                      .free_reactivations = analysis->options->free_reactivations};
  if (status == WARPBOUND_OK)
    status = wb_ipet_system_build(&input, system, analysis->error);
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK || refinement == NULL)
    return status;
  status = refinement->refine(refinement->context, wcet, system, analysis->error);
  if (status != WARPBOUND_OK)
    wb_flow_system_free(system);
  return status;
}

/* The blocks of the forbidden sets do not run: no edge leads to them, and none is the start. */
static warpbound_status forbid_sets(const struct wb_wcet_analysis *analysis, const bool *forbidden,
                                    struct wb_flow_system *system)
{
  const struct wb_resolved_facts *facts = &analysis->wcet->facts;
  for (size_t s = 0; s < facts->set_count; s++) {
    for (size_t b = 0; forbidden[s] && b < facts->sets[s].count; b++) {
      uint32_t block = facts->sets[s].blocks[b];
      wb_flow_limit_add(system, block == system->starts[0].node ? -1 : 0,
                        WB_IPET_ORIGIN_CASE + (uint32_t)(facts->sets[s].first + b));
      for (uint32_t e = 0; e < system->edge_count; e++) {
        if (system->to[e] == block)
          (void)wb_flow_term_add(system, e, 1); /* a single 1 fits */
      }
    }
  }
  return system->failed ? wb_out_of_memory(analysis->error) : WARPBOUND_OK;
}

/* ---- names ---- */

/* "0148", or "0148_c2" in context 2: a block by its first address. */
static void name_block(const struct wb_wcet *wcet, uint32_t block, struct wb_text *text)
{
  wb_text_format(text, "%04" PRIx32, wb_wcet_block_start(wcet, block)->address);
  if (wcet->graph->blocks[block].context > 0)
    wb_text_format(text, "_c%" PRIu32, wcet->graph->blocks[block].context);
}

/* "0148_0170_branch": an edge of the graph. */
static void name_edge(const struct wb_wcet *wcet, size_t index, struct wb_text *text)
{
  static const char *const kinds[] = {"fall", "branch", "call", "return", "wake"};
  const struct wb_warp_edge *edge = &wcet->graph->edges[index];
  name_block(wcet, edge->from, text);
  wb_text_string(text, "_");
  name_block(wcet, edge->to, text);
  wb_text_format(text, "_%s", kinds[edge->kind]);
}

static void name_loop(const struct wb_wcet *wcet, uint32_t index, struct wb_text *text)
{
  if (index >= wcet->forest.loop_count) {
    wb_text_format(text, "related_loop_%" PRIu32, index);
    return;
  }
  wb_text_format(text, "loop_%" PRIu32 "_at_", index);
  name_block(wcet, wcet->forest.loops[index].header, text);
}

static void name_limit(const struct wb_wcet *wcet, uint32_t origin, struct wb_text *text)
{
  if (origin >= WB_IPET_ORIGIN_FULL) {
    wb_text_string(text, "full_");
    name_block(wcet, origin - WB_IPET_ORIGIN_FULL, text);
  } else if (origin >= WB_IPET_ORIGIN_BELOW) {
    wb_text_string(text, "full_");
    name_edge(wcet, origin - WB_IPET_ORIGIN_BELOW, text);
  } else if (origin >= WB_IPET_ORIGIN_ABOVE) {
    wb_text_string(text, "some_");
    name_edge(wcet, origin - WB_IPET_ORIGIN_ABOVE, text);
  } else if (origin >= WB_IPET_ORIGIN_ENTRY) {
    wb_text_format(text, "wake_%" PRIu32, origin - WB_IPET_ORIGIN_ENTRY);
  } else if (origin >= WB_IPET_ORIGIN_FACT) {
    wb_text_format(text, "fact_%" PRIu32, origin - WB_IPET_ORIGIN_FACT);
  } else if (origin >= WB_IPET_ORIGIN_CASE) {
    wb_text_format(text, "never_%" PRIu32, origin - WB_IPET_ORIGIN_CASE);
  } else if (origin >= WB_IPET_ORIGIN_LANES) {
    wb_text_string(text, "lanes_");
    name_block(wcet, origin - WB_IPET_ORIGIN_LANES, text);
  } else if (origin >= WB_IPET_ORIGIN_SIDES) {
    wb_text_string(text, "sides_");
    name_block(wcet, origin - WB_IPET_ORIGIN_SIDES, text);
  } else if (origin >= WB_IPET_ORIGIN_THREADS) {
    name_loop(wcet, origin - WB_IPET_ORIGIN_THREADS, text);
    wb_text_string(text, "_lanes");
  } else if (origin >= WB_IPET_ORIGIN_MEETING) {
    wb_text_string(text, "meet_");
    name_edge(wcet, origin - WB_IPET_ORIGIN_MEETING, text);
  } else {
    name_loop(wcet, origin, text);
  }
}

/* Moves a name to the arena. The text is empty then. */
static const char *keep_name(struct wb_arena *arena, struct wb_text *text)
{
  const char *name = text->failed ? NULL : wb_arena_text(arena, text->data, text->length);
  arena->failed |= text->failed;
  wb_text_free(text);
  return name;
}

warpbound_status wb_wcet_names_make(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                                    struct wb_arena *arena, struct wb_ipet_names *names,
                                    warpbound_error *error)
{
  const uint32_t layers = wb_group_system_needed(wcet->graph) ? 2 : 1;
  const uint32_t blocks = (uint32_t)wcet->graph->block_count;
  const size_t edges = wcet->graph->edge_count;
  const char **ports = wb_arena_array(arena, const char *, system->port_count);
  const char **of_edges = wb_arena_array(arena, const char *, system->edge_count);
  const char **limits = wb_arena_array(arena, const char *, system->limit_count);
  struct wb_text text = {0};
  for (uint32_t q = 0; !arena->failed && q < system->port_count; q++) {
    /* "0148"; where several groups of lanes run, "0148_lanes" for those, and "0148_3" for the third
     * port of its groups; "added_3": a node that is not the graph's (struct wb_wcet_refinement). */
    const uint32_t node = system->port_node[q];
    uint32_t before = 0;
    while (before < q && system->port_node[q - before - 1] == node)
      before++;
    if (node >= layers * blocks)
      wb_text_format(&text, "added_%" PRIu32, node - layers * blocks + 1);
    else
      name_block(wcet, node % blocks, &text);
    if (node >= blocks && node < layers * blocks)
      wb_text_string(&text, "_lanes");
    else if (node < blocks && before > 0)
      wb_text_format(&text, "_%" PRIu32, before + 1);
    ports[q] = keep_name(arena, &text);
  }
  for (size_t e = 0; !arena->failed && e < system->edge_count; e++) {
    if (e >= layers * edges)
      wb_text_format(&text, "added_%zu", e - layers * edges + 1);
    else
      name_edge(wcet, e % edges, &text);
    if (e >= edges && e < layers * edges)
      wb_text_string(&text, "_lanes");
    of_edges[e] = keep_name(arena, &text);
  }
  for (size_t l = 0; !arena->failed && l < system->limit_count; l++) {
    name_limit(wcet, system->limits[l].origin, &text);
    limits[l] = keep_name(arena, &text);
  }
  *names = (struct wb_ipet_names){.ports = ports, .edges = of_edges, .limits = limits};
  return arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* ---- one case ---- */

/* file: whether the model is to be written. */
static warpbound_status solve_system(const struct wb_wcet_analysis *analysis,
                                     struct wb_flow_system *system, bool file,
                                     struct wb_ipet_result *result)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_options *options = analysis->options;
  struct wb_arena arena = {0};
  struct wb_ipet_names names;
  struct wb_linear_model model = {0};
  struct wb_text title = {0};
  struct wb_text text = {0};
  warpbound_status status = wb_wcet_names_make(wcet, system, &arena, &names, analysis->error);
  wb_text_format(&title,
                 "WCET of one warp by IPET: %.200s\nx_A_B_KIND: how often the edge from the block "
                 "at A to the block at B is taken; _cN: in calling context N",
                 wcet->function->name);
  if (wb_group_system_needed(wcet->graph))
    wb_text_string(&title, "\nCounts are those of groups of lanes, or with _lanes of single lanes");
  if (wcet->facts.exclusive_count > 0)
    wb_text_string(&title, "\nExclusive facts are decided by cases; this is the case without any");
  if (status == WARPBOUND_OK && title.failed)
    status = wb_out_of_memory(analysis->error);
  if (status == WARPBOUND_OK && (file || options->command != NULL) && !wb_ipet_model_exact(system))
    status = wb_fail(analysis->error, WARPBOUND_LIMIT,
                     "%.120s: a bound or a cost is above 2^53: too large for solvers' files",
                     wcet->function->name);
  if (status == WARPBOUND_OK)
    status = wb_ipet_model_build(system, &names, &model, analysis->error);
  model.title = title.data;
  if (status == WARPBOUND_OK) {
    wcet->columns = model.column_count;
    wcet->rows = model.row_count;
  }
  if (status == WARPBOUND_OK && file) {
    wb_linear_write(&model, options->format, &text);
    status = text.failed ? wb_out_of_memory(analysis->error)
                         : wb_file_write(options->file, text.data, text.length, analysis->error);
  }
  const struct wb_ipet_options how = {.effort = options->effort, .command = options->command};
  if (status == WARPBOUND_OK)
    status = wb_ipet_solve(system, &model, &how, analysis->control, result, analysis->error);
  wb_linear_model_free(&model);
  wb_arena_free(&arena);
  wb_text_free(&title);
  wb_text_free(&text);
  return status;
}

/* ---- contradictions ---- */

/* The line of the fact file that a limit comes from; 0: from none. */
static uint32_t line_of(const struct wb_wcet *wcet, const struct wb_flow_limit *limit)
{
  uint32_t origin = limit->origin;
  if (origin >= WB_IPET_ORIGIN_THREADS && origin < WB_IPET_ORIGIN_SIDES)
    origin -= WB_IPET_ORIGIN_THREADS;
  if (origin >= WB_IPET_ORIGIN_ENTRY)
    return 0;
  if (origin >= WB_IPET_ORIGIN_FACT + wcet->facts.fact_count)
    return 0; /* the code shows it */
  if (origin >= WB_IPET_ORIGIN_FACT)
    return wcet->facts.line_of_fact[origin - WB_IPET_ORIGIN_FACT];
  return origin < wcet->forest.loop_count && wcet->loops[origin].source == WB_BOUND_FACT
             ? wcet->loops[origin].fact_line
             : 0;
}

static warpbound_status is_infeasible(const struct wb_wcet_analysis *analysis, const bool *dropped,
                                      const uint32_t *lines, size_t count, bool *infeasible)
{
  struct wb_flow_system system;
  struct wb_ipet_result result;
  warpbound_status status = build_system(analysis, &system);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t l = 0; l < system.limit_count; l++) {
    const uint32_t line = line_of(analysis->wcet, &system.limits[l]);
    bool drop = false;
    for (size_t i = 0; i < count; i++)
      drop |= dropped[i] && lines[i] == line;
    if (drop)
      wb_flow_limit_drop(&system, l);
  }
  /* Without costs no way round an unbounded loop hides the answer. */
  memset(system.cycles, 0, system.node_count * sizeof *system.cycles);
  status = solve_system(analysis, &system, false, &result);
  if (status == WARPBOUND_OK) {
    *infeasible = result.status == WB_IPET_INFEASIBLE;
    wb_ipet_result_free(&result);
  }
  wb_flow_system_free(&system);
  return status;
}

/* No path satisfies the facts: which of them? Each is dropped in turn, for good if the others
 * still contradict each other; those that are left do, and none of them is idle. */
static warpbound_status blame(const struct wb_wcet_analysis *analysis,
                              const struct wb_flow_system *system)
{
  const struct wb_wcet_refinement *refinement = analysis->options->refinement;
  const char *more = refinement != NULL ? refinement->limits : NULL;
  uint32_t lines[MOST_SUSPECTS];
  bool dropped[MOST_SUSPECTS] = {false};
  size_t count = 0;
  struct wb_text text = {0};
  for (size_t l = 0; l < system->limit_count && count < MOST_SUSPECTS; l++) {
    const uint32_t line = line_of(analysis->wcet, &system->limits[l]);
    size_t known = 0;
    while (known < count && lines[known] != line)
      known++;
    if (line > 0 && known == count)
      lines[count++] = line;
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    dropped[i] = true;
    status = is_infeasible(analysis, dropped, lines, count, &dropped[i]);
  }
  for (size_t i = 0; i < count; i++) {
    if (!dropped[i])
      wb_text_format(&text, "%s%" PRIu32, text.length > 0 ? ", " : "", lines[i]);
  }
  if (status == WARPBOUND_OK && text.failed)
    status = wb_out_of_memory(analysis->error);
  if (status == WARPBOUND_OK && text.length == 0)
    status = wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                     "%.120s: no path to an end satisfies the limits on its loops%s%s",
                     analysis->wcet->function->name, more != NULL ? " and " : "",
                     more != NULL ? more : "");
  else if (status == WARPBOUND_OK)
    status = wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name, 0,
                        0, "no path of %.120s satisfies the facts in line %.200s together",
                        analysis->wcet->function->name, text.data);
  wb_text_free(&text);
  return status;
}

/* ---- cases ---- */

/* Whether a block of the set runs. */
static bool set_runs(const struct wb_block_set *set, const struct wb_flow_system *system,
                     const int64_t *taken)
{
  bool runs = false;
  for (size_t b = 0; b < set->count; b++) {
    int64_t count = set->blocks[b] == system->starts[0].node;
    for (size_t e = 0; e < system->edge_count; e++)
      count += system->to[e] == set->blocks[b] ? taken[e] : 0;
    runs |= count > 0;
  }
  return runs;
}

size_t wb_wcet_broken_fact(const struct wb_resolved_facts *facts, const bool *forbidden,
                           const struct wb_flow_system *system, const int64_t *taken)
{
  for (size_t x = 0; x < facts->exclusive_count; x++) {
    const struct wb_exclusive_fact *fact = &facts->exclusives[x];
    size_t running = 0;
    for (size_t s = fact->first_set; s < fact->first_set + fact->set_count; s++)
      running += (forbidden == NULL || !forbidden[s]) &&
                 (taken == NULL || set_runs(&facts->sets[s], system, taken));
    if (running > 1)
      return x;
  }
  return SIZE_MAX;
}

/* Each of the fact's places alone. */
static bool split_case(const struct wb_resolved_facts *facts, size_t exclusive,
                       const bool *forbidden, struct case_list *cases)
{
  const struct wb_exclusive_fact *fact = &facts->exclusives[exclusive];
  for (size_t chosen = 0; chosen < fact->set_count; chosen++) {
    if (forbidden[fact->first_set + chosen])
      continue;
    bool *other = wb_arena_array(&cases->arena, bool, facts->set_count);
    if (other == NULL)
      return false;
    cases->forbidden[cases->count++] = other;
    memcpy(other, forbidden, facts->set_count * sizeof *other);
    for (size_t s = 0; s < fact->set_count; s++)
      other[fact->first_set + s] |= s != chosen;
  }
  return true;
}

/* Solves a case: keeps it where it is the worst so far, or splits it by a fact that its worst path
 * breaks. */
static warpbound_status solve_case(const struct wb_wcet_analysis *analysis, const bool *forbidden,
                                   struct case_list *cases)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_flow_system system = {0};
  struct wb_ipet_result result = {0};
  bool first = wcet->cases++ == 0;
  warpbound_status status = build_system(analysis, &system);
  if (status != WARPBOUND_OK)
    return status;
  status = forbid_sets(analysis, forbidden, &system);
  if (status == WARPBOUND_OK)
    status = solve_system(analysis, &system, first && analysis->options->file != NULL, &result);
  if (status == WARPBOUND_OK && result.status == WB_IPET_INFEASIBLE && first)
    status = blame(analysis, &system);
  const char *name = wcet->function->name;
  if (status == WARPBOUND_OK && result.status == WB_IPET_TOO_LONG)
    status = wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                     "%.120s: no bound below 2^60 cycles was found: bounds of nested loops "
                     "multiply, or do not bound the path",
                     name);
  else if (status == WARPBOUND_OK && result.status == WB_IPET_UNBOUNDED)
    status = wb_fail(analysis->error, WARPBOUND_FACTS_MISSING,
                     "%.120s: the bounds given do not bound the path", name);
  else if (status == WARPBOUND_OK && result.status == WB_IPET_STOPPED)
    status = wb_fail(analysis->error, WARPBOUND_LIMIT,
                     "%.120s: a limit was reached before a bound was proven", name);
  if (status == WARPBOUND_OK && result.status == WB_IPET_SOLVED) {
    const size_t broken = wb_wcet_broken_fact(&wcet->facts, forbidden, &system, result.taken);
    if (broken != SIZE_MAX && wcet->cases + cases->count < MOST_CASES) {
      if (!split_case(&wcet->facts, broken, forbidden, cases))
        status = wb_out_of_memory(analysis->error);
    } else if (wcet->ipet.proof.price == NULL || result.proof.bound > wcet->ipet.proof.bound) {
      wb_flow_system_free(&wcet->system);
      wb_ipet_result_free(&wcet->ipet);
      wcet->system = system;
      wcet->ipet = result;
      return WARPBOUND_OK;
    }
  }
  wb_flow_system_free(&system);
  wb_ipet_result_free(&result);
  return status;
}

warpbound_status wb_wcet_solve(struct wb_wcet_analysis *analysis)
{
  const size_t sets = analysis->wcet->facts.set_count;
  struct case_list cases = {0};
  cases.forbidden = wb_arena_array(&cases.arena, bool *, MOST_CASES + sets);
  bool *none = wb_arena_array(&cases.arena, bool, sets);
  warpbound_status status = WARPBOUND_OK;
  if (cases.arena.failed)
    status = wb_out_of_memory(analysis->error);
  else
    cases.forbidden[cases.count++] = none;
  while (status == WARPBOUND_OK && cases.count > 0) {
    cases.count--;
    status = solve_case(analysis, cases.forbidden[cases.count], &cases);
  }
  wb_arena_free(&cases.arena);
  if (status == WARPBOUND_OK && analysis->wcet->ipet.proof.price == NULL)
    status =
        wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                "%.120s: no path satisfies the exclusive facts", analysis->wcet->function->name);
  return status;
}
