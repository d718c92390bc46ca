/* Costs and maxima of a claimed bound on a launch, worked out anew. */
#include "certificate/launch/launch_claim.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/status.h"
#include "certificate/flow/flow_check.h"
#include "certificate/flow/paths_check.h"
#include "certificate/launch/launch_costs.h"
#include "certificate/launch/launch_fetches.h"
#include "certificate/launch/launch_stages.h"
#include "certificate/launch/launch_theorems.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

const char *wb_check_launch_sum_name(enum wb_check_launch_sum sum)
{
  static const char *const names[] = {"alone-own", "alone-partition", "alone-others", "own",
                                      "partition", "others",          "units",        "phase-units",
                                      "gpu",       "total",           "barriers",     "block",
                                      "one-path"};
  return names[sum];
}

/* ---- stretches between barriers ---- */

/* Checks a proof that no stretch of a path costs more than *bound, which is computed here: from its
 * begin or a barrier to the next barrier or its end. All barriers are of the whole warp. Stretches
 * are the executions of a system with a node more, the last, where they begin, with the last port:
 * an edge more, the last, leads from there to the path's begin; each edge that leaves a node with a
 * barrier leaves the new node instead, and ports of a node with a barrier need not be taken.
 * barrier: by node. local: by limit; NULL: of none. Limits with a price must hold of stretches: be
 * local, or have no negative factor (then the sum over a stretch is at most that over the path).
 * Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear. */
static warpbound_status bound_stretches(struct wb_arena *arena, const struct wb_flow_system *system,
                                        const bool *barrier, const bool *local,
                                        const struct wb_check_launch_maximum *proof, int64_t *bound,
                                        warpbound_error *error)
{
  struct wb_flow_system stretches = *system;
  const int64_t *price = proof->price;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *row = &system->limits[l];
    bool negative = false;
    for (size_t t = 0; t < row->term_count; t++)
      negative |= system->terms[row->first_term + t].factor < 0;
    if (price[l] != 0 && (local == NULL || !local[l]) && negative)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "limit %zu has a price, but need not hold of stretches between barriers", l);
  }
  stretches.node_count = system->node_count + 1;
  stretches.edge_count = system->edge_count + 1;
  stretches.port_count = system->port_count + 1;
  stretches.from = wb_arena_array(arena, uint32_t, stretches.edge_count);
  stretches.to = wb_arena_array(arena, uint32_t, stretches.edge_count);
  stretches.port = wb_arena_array(arena, uint32_t, stretches.edge_count);
  stretches.port_node = wb_arena_array(arena, uint32_t, stretches.port_count);
  stretches.ends = wb_arena_array(arena, bool, stretches.port_count);
  stretches.cycles = wb_arena_array(arena, int64_t, stretches.node_count);
  stretches.edge_cycles = wb_arena_array(arena, int64_t, stretches.edge_count);
  if (arena->failed)
    return wb_out_of_memory(error);
  /* Fills the arrays of the stretches. */
  const uint32_t begin = (uint32_t)system->node_count;
  const uint32_t begin_port = (uint32_t)system->port_count;
  for (size_t e = 0; e < system->edge_count; e++) {
    const bool begins = barrier[system->from[e]];
    stretches.from[e] = begins ? begin : system->from[e];
    stretches.port[e] = begins ? begin_port : system->port[e];
    stretches.to[e] = system->to[e];
    stretches.edge_cycles[e] = wb_flow_edge_cycles(system, e);
  }
  stretches.from[system->edge_count] = begin;
  stretches.port[system->edge_count] = begin_port;
  stretches.to[system->edge_count] = system->starts[0].node;
  for (uint32_t q = 0; q < begin_port; q++) {
    stretches.port_node[q] = system->port_node[q];
    stretches.ends[q] = system->ends[q] || barrier[system->port_node[q]];
  }
  stretches.port_node[begin_port] = begin;
  for (uint32_t v = 0; v < begin; v++)
    stretches.cycles[v] = system->cycles[v];
  stretches.starts[0] = (struct wb_flow_start){(uint32_t)system->node_count, 1};
  return wb_check_flow_bound(&stretches, proof->price, proof->potential, proof->scale, bound,
                             error);
}

/* In place of a number that does not fit, or that is not known. */
#define UNKNOWN WB_CHECK_LAUNCH_UNKNOWN

/* Most instructions of all nodes together: nodes may share them. */
#define INSTRUCTION_LIMIT (UINT64_C(1) << 28)

/* The check of one claim. */
struct checker {
  struct wb_arena arena; /* owns the arrays */
  const struct wb_check_launch_claim *claim;
  struct wb_check_path_phases phases;
  bool *barrier;    /* by node: it ends with one */
  bool barriers;    /* some path comes to one */
  bool hidden;      /* to one at which other groups of lanes of the warp may be elsewhere */
  bool as_many;     /* phases are not told apart, and sums are of whole paths */
  bool composite;   /* maxima are over paths that several warps share */
  uint64_t longest; /* longest service of a partition's resource taken at issue */
  struct wb_check_launch_chains chains;
  struct wb_check_launch_terms terms;
  int64_t *cost;      /* by node: of the sum under way */
  int64_t *part;      /* by node: of the phase under way */
  int64_t *edge_part; /* by edge: of the phase under way, in a sum of own steps */
  uint64_t own_times; /* how often the sum under way has the own steps of a warp */
  warpbound_error *error;
};

static warpbound_status too_large(const struct checker *checker)
{
  return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
}

/* ---- data that L2 keeps ---- */

/* Checks that they fit, and works out how long their fetches take (doc/launches/caches.md): each
 * sector is fetched once by each part of L2, unless all is there from the start, and each line that
 * comes may drive out one of four changed sectors. All of it is work of the memory's servers;
 * chains wait for the whole of the fetches that they do not pay for by access. */
static warpbound_status check_kept(struct checker *checker)
{
  const struct wb_timed_code *code = &checker->claim->code;
  const struct wb_kept_data *kept = &code->kept;
  struct wb_check_launch_terms *terms = &checker->terms;
  const struct wb_request_stage *fetch =
      NULL;           /* of an instruction, or of what first caches fetch */
  uint64_t all = 0;   /* lines of all data */
  uint64_t alone = 0; /* of those that are not paid for by access */
  terms->kept = kept->count > 0;
  terms->fetches = 0;
  for (size_t b = 0; b < kept->count; b++) {
    const uint64_t lines = kept->buffers[b].lines; /* that the launch accesses: given */
    if (lines < 1 || lines > (kept->buffers[b].bytes - 1 + 127) / 128 + 1)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "kept buffer %zu: its bytes have no %" PRIu64 " lines", b + 1, lines);
    all = wb_plus(all, lines);
    alone = wb_plus(alone, kept->buffers[b].by_sector ? lines : 0);
  }
  if (kept->count > 0 && wb_times(wb_times(all, 128), kept->copies) > kept->retained)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "the kept data have %" PRIu64 " lines in each of %" PRIu32
                   " parts of L2, more than the %" PRIu64 " bytes that keep them",
                   all, kept->copies, kept->retained);
  for (size_t s = 0; s < code->stage_count && fetch == NULL; s++)
    fetch = code->stages[s].buffer > 0 ? &code->stages[s] : NULL;
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count && fetch == NULL; s++)
      fetch = code->cold[c].stages[s].buffer > 0 ? &code->cold[c].stages[s] : NULL;
  }
  if (fetch == NULL || kept->warm)
    return WARPBOUND_OK;
  const uint64_t share = terms->denominator / code->resources[fetch->resource].servers;
  const uint64_t wait =
      fetch->delay * terms->denominator + fetch->service * (terms->denominator - share);
  terms->fetches =
      wb_plus(wb_times(wb_times(wb_times(8, kept->copies), all), fetch->service * share),
              wb_times(wb_times(wb_times(4, kept->copies), alone), wait));
  return WARPBOUND_OK;
}

/* ---- data that first caches keep ---- */

/* Checks that they fit, and that as many sectors are fetched, by each way of paying, as their lines
 * have (doc/launches/first-cache.md). What their fetches add is worked out with all others. */
static warpbound_status check_first(const struct checker *checker)
{
  const struct wb_timed_code *code = &checker->claim->code;
  const struct wb_first_data *first = &code->first;
  uint64_t lines[3] = {0}; /* by way of paying */
  uint64_t fetched[3] = {0};
  for (size_t b = 0; b < first->count; b++) {
    uint64_t *of_way = &lines[first->buffers[b].paid];
    *of_way = wb_plus(*of_way, first->of_block ? first->buffers[b].block_lines
                                               : (first->buffers[b].bytes - 1 + 127) / 128 + 1);
  }
  for (size_t c = 0; c < code->cold_count; c++)
    fetched[code->cold[c].data] = wb_plus(fetched[code->cold[c].data], code->cold[c].count);
  const uint64_t of_one = wb_plus(wb_plus(lines[0], lines[1]), lines[2]);
  bool alone = checker->claim->shape.resident_blocks == 1; /* blocks are, on their SMs */
  for (size_t r = 0; r < checker->claim->other_resident_count; r++)
    alone = alone && checker->claim->other_residents[r] == 1;
  const uint64_t blocks =
      first->of_block && !alone && !first->recent ? checker->claim->shape.blocks : 1;
  const uint64_t all = wb_times(of_one, blocks);
  if (first->recent && !wb_check_launch_keeps_recent(checker->claim))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "%" PRIu64 " bytes of lines used last are not those of one block more than "
                   "reside on an SM",
                   first->retained);
  if (first->count > 0 && wb_times(all, 128) > first->retained)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "the data of first caches have %" PRIu64 " lines, more than the %" PRIu64
                   " bytes that keep them",
                   all, first->retained);
  for (size_t way = WB_FIRST_BY_SECTOR; way <= WB_FIRST_BY_ACCESS; way++) {
    if (wb_times(lines[way], 4) > fetched[way])
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "first caches fetch %" PRIu64 " sectors of %" PRIu64 " lines", fetched[way],
                     lines[way]);
  }
  return WARPBOUND_OK;
}

/* ---- the form ---- */

static warpbound_status check_node(struct checker *checker, size_t node, uint64_t *instructions)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const uint32_t first = claim->first[node];
  const uint32_t last = claim->last[node];
  if (first > last)
    return WARPBOUND_OK;
  if (last >= claim->code.instruction_count)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "node %zu: there is no instruction %" PRIu32, node, last);
  *instructions += (uint64_t)last - first + 1;
  if (*instructions > INSTRUCTION_LIMIT)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "the nodes have more than %" PRIu64 " instructions together", INSTRUCTION_LIMIT);
  for (uint64_t i = first; i < last; i++) {
    if (claim->code.instructions[i].barrier)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "node %zu: a barrier is not its last instruction", node);
  }
  checker->barrier[node] = claim->code.instructions[last].barrier;
  return WARPBOUND_OK;
}

static warpbound_status check_form(struct checker *checker)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const struct wb_launch_shape *shape = &claim->shape;
  uint64_t instructions = 0;
  if (shape->blocks < 1 || shape->block_warps < 1 || shape->sms < 1 || shape->partitions < 1 ||
      shape->resident_blocks < 1)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an empty launch");
  if (shape->foreign_share >= WB_FOREIGN_WHOLE)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "others hold all of the memory");
  for (size_t r = 0; r < claim->other_resident_count; r++) {
    if (claim->other_residents[r] < 1)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an SM that holds no block");
  }
  for (size_t e = 0; e < claim->system.edge_count && claim->advance != NULL; e++) {
    if (claim->advance[e] > INT64_MAX)
      return too_large(checker);
  }
  const char *broken = wb_timed_code_check(&claim->code);
  if (broken == NULL)
    broken = wb_check_launch_contradiction(claim);
  if (broken != NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "%s", broken);
  warpbound_status status = wb_check_system_form(&claim->system, checker->error);
  for (size_t v = 0; v < claim->system.node_count && status == WARPBOUND_OK; v++)
    status = check_node(checker, v, &instructions);
  if (status != WARPBOUND_OK)
    return status;
  /* The least common multiple of all servers. */
  const struct wb_timed_code *code = &checker->claim->code;
  uint64_t *denominator = &checker->terms.denominator;
  *denominator = 1;
  for (size_t r = 0; r < code->resource_count; r++) {
    const uint64_t servers = code->resources[r].servers;
    *denominator *= servers / wb_greatest_common_divisor(servers, *denominator);
    if (*denominator > WB_SHARE_LIMIT)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "the least common multiple of the servers is above %" PRIu32, WB_SHARE_LIMIT);
  }
  status = check_kept(checker);
  return status == WARPBOUND_OK ? check_first(checker) : status;
}

/* ---- barriers ---- */

/* The number of the claim's proof, or the number of its proofs. */
static size_t find_maximum(const struct checker *checker, enum wb_check_launch_sum sum,
                           uint32_t phase)
{
  size_t m = 0;
  while (m < checker->claim->maximum_count &&
         (checker->claim->maxima[m].sum != sum || checker->claim->maxima[m].phase != phase))
    m++;
  return m;
}

/* Collects barriers and units of a reachable node. */
static void collect_node(struct checker *checker, size_t node)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const struct wb_timed_code *code = &claim->code;
  if (checker->barrier[node]) {
    checker->barriers = true;
    checker->hidden |= claim->interleaved != NULL && claim->interleaved[node];
  }
  for (uint64_t i = claim->first[node]; i <= claim->last[node]; i++) {
    for (size_t u = 0; u < code->instructions[i].use_count; u++) {
      const struct wb_issue_use *use = &code->uses[code->instructions[i].first_use + u];
      if (code->resources[use->resource].level == WB_LEVEL_PARTITION)
        checker->longest = wb_maximum(checker->longest, use->service);
    }
  }
}

/* ---- maxima ---- */

static bool is_own(enum wb_check_launch_sum sum)
{
  return sum == WB_CHECK_LAUNCH_OWN || sum == WB_CHECK_LAUNCH_ALONE_OWN;
}

/* Sets the costs of a phase's nodes, and of the edges that lead to them; *costs: whether there are
 * any. False where one does not fit. */
static bool take_phase(struct checker *checker, uint32_t phase, bool *costs)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  *costs = false;
  for (size_t v = 0; v < claim->system.node_count; v++) {
    const bool in = checker->phases.phase[v] != WB_CHECK_PATH_UNSEEN &&
                    (phase >= WB_CHECK_LAUNCH_STRETCH || checker->phases.phase[v] == phase);
    checker->part[v] = in ? checker->cost[v] : 0;
    *costs |= checker->part[v] > 0;
  }
  for (size_t e = 0; e < claim->system.edge_count; e++) {
    const size_t v = claim->system.to[e];
    const bool in = checker->phases.phase[v] != WB_CHECK_PATH_UNSEEN &&
                    (phase >= WB_CHECK_LAUNCH_STRETCH || checker->phases.phase[v] == phase);
    uint64_t paid = 0;
    if (in && claim->advance != NULL &&
        (!wb_multiply(claim->advance[e], checker->own_times, &paid) || paid > INT64_MAX))
      return false;
    checker->edge_part[e] = (int64_t)paid;
    *costs |= paid > 0;
  }
  return true;
}

/* The maximum over paths of the costs of a phase, by the claim's proof. Without one it is 0 where
 * all costs are, and unknown else. */
static warpbound_status prove(struct checker *checker, enum wb_check_launch_sum sum, uint32_t phase,
                              uint64_t *maximum)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const size_t number = find_maximum(checker, sum, phase);
  struct wb_flow_system system = claim->system;
  bool costs;
  if (!take_phase(checker, phase, &costs))
    return too_large(checker);
  *maximum = costs ? UNKNOWN : 0;
  if (number == claim->maximum_count || !costs)
    return WARPBOUND_OK;
  const struct wb_check_launch_maximum *proof = &claim->maxima[number];
  warpbound_error cause;
  int64_t bound = 0;
  system.cycles = checker->part;
  system.edge_cycles = checker->edge_part;
  warpbound_status status = phase == WB_CHECK_LAUNCH_STRETCH
                                ? bound_stretches(&checker->arena, &system, checker->barrier,
                                                  claim->local, proof, &bound, &cause)
                                : wb_check_flow_bound(&system, proof->price, proof->potential,
                                                      proof->scale, &bound, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail(checker->error, status, "maximum of %s: %s", wb_check_launch_sum_name(sum),
                   cause.message);
  if (bound < 0)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "maximum of %s: it is below 0: there is no path", wb_check_launch_sum_name(sum));
  *maximum = (uint64_t)bound;
  return WARPBOUND_OK;
}

/* Paths of which the maximum of a sum is needed, where they are not told apart by phases. What a
 * warp does at the GPU's resources, and how many barriers it passes, is a matter of its own path.
 */
static uint32_t kind_of_paths(const struct checker *checker, enum wb_check_launch_sum sum)
{
  const size_t none = checker->claim->maximum_count;
  if (sum == WB_CHECK_LAUNCH_TOTAL || sum == WB_CHECK_LAUNCH_GPU ||
      sum == WB_CHECK_LAUNCH_BARRIERS || checker->as_many ||
      (!checker->barriers && find_maximum(checker, sum, WB_CHECK_LAUNCH_ALL_PHASES) < none))
    return WB_CHECK_LAUNCH_ALL_PHASES;
  if (sum == WB_CHECK_LAUNCH_PHASE_UNITS &&
      find_maximum(checker, sum, WB_CHECK_LAUNCH_STRETCH) < none)
    return WB_CHECK_LAUNCH_STRETCH;
  return WB_CHECK_LAUNCH_COMPOSITE;
}

static warpbound_status find_sum(struct checker *checker, enum wb_check_launch_sum sum)
{
  uint64_t *maximum = &checker->terms.sum[sum];
  const uint32_t kind = kind_of_paths(checker, sum);
  checker->own_times = is_own(sum);
  /* The costs of the nodes. */
  for (size_t v = 0; v < checker->claim->system.node_count; v++) {
    if (is_own(sum) && checker->chains.cycles[v] > INT64_MAX)
      return too_large(checker);
    checker->cost[v] = is_own(sum) ? (int64_t)checker->chains.cycles[v] : 0;
  }
  warpbound_status status =
      wb_check_launch_costs_add(checker->claim, sum, checker->barriers, checker->terms.denominator,
                                checker->cost, checker->error);
  if (status != WARPBOUND_OK)
    return status;
  if (kind == WB_CHECK_LAUNCH_ALL_PHASES || checker->composite || !checker->barriers) {
    status = prove(checker, sum, kind, maximum);
    /* A chain may begin with a warp that ends before the first barrier. Its path is a stretch, and
     * one of a single phase that several warps share. */
    if (status == WARPBOUND_OK && kind == WB_CHECK_LAUNCH_COMPOSITE && checker->barriers &&
        checker->claim->early_ends && sum != WB_CHECK_LAUNCH_PHASE_UNITS) {
      uint64_t early = 0;
      status = prove(checker, sum, WB_CHECK_LAUNCH_STRETCH, &early);
      if (status == WARPBOUND_OK && *maximum != UNKNOWN &&
          !wb_add(*maximum, wb_minimum(early, *maximum), maximum))
        return too_large(checker);
    }
  } else {
    /* The maximum over paths: the sum over the phases, or of PHASE_UNITS the largest of them. */
    status = WARPBOUND_OK;
    *maximum = 0;
    for (uint32_t phase = 0; phase < checker->phases.count && status == WARPBOUND_OK; phase++) {
      uint64_t of_phase = 0;
      status = prove(checker, sum, phase, &of_phase);
      if (sum == WB_CHECK_LAUNCH_PHASE_UNITS)
        *maximum = wb_maximum(*maximum, of_phase);
      else if (of_phase == UNKNOWN || *maximum == UNKNOWN)
        *maximum = UNKNOWN;
      else if (!wb_add(*maximum, of_phase, maximum))
        return too_large(checker);
    }
  }
  /* The end of the last warp of the chain, and of those that ended before a barrier. What is of
   * whole paths has that of each. */
  const uint64_t early_count =
      checker->composite ? 1 : (checker->as_many ? 0 : checker->phases.early_count);
  const uint64_t ends = 1 + (checker->claim->early_ends && checker->barriers ? early_count : 0);
  uint64_t after = 0;
  if (status == WARPBOUND_OK && is_own(sum) && *maximum != UNKNOWN &&
      (!wb_multiply(checker->chains.end, ends, &after) || !wb_add(*maximum, after, maximum)))
    status = too_large(checker);
  return status;
}

/* A sum of several, each so often, over whole paths, so that all limits count, and with the end of
 * a warp. It stays unknown where the claim has no proof. */
static warpbound_status find_together(struct checker *checker, enum wb_check_launch_sum sum,
                                      const uint64_t times[WB_CHECK_LAUNCH_SUM_COUNT])
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const size_t nodes = claim->system.node_count;
  uint64_t *maximum = &checker->terms.sum[sum];
  uint64_t end;
  if (find_maximum(checker, sum, WB_CHECK_LAUNCH_ALL_PHASES) == claim->maximum_count)
    return WARPBOUND_OK;
  int64_t *one = wb_arena_array(&checker->arena, int64_t, nodes);
  if (one == NULL)
    return wb_out_of_memory(checker->error);
  for (size_t v = 0; v < nodes; v++)
    checker->cost[v] = 0;
  checker->own_times = 0;
  for (unsigned s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++) {
    const bool own = is_own((enum wb_check_launch_sum)s);
    if (times[s] == 0)
      continue;
    if (own && !wb_add(checker->own_times, times[s], &checker->own_times))
      return too_large(checker);
    for (size_t v = 0; v < nodes; v++) {
      if (checker->chains.cycles[v] > INT64_MAX)
        return too_large(checker);
      one[v] = own ? (int64_t)checker->chains.cycles[v] : 0;
    }
    const warpbound_status status =
        wb_check_launch_costs_add(claim, (enum wb_check_launch_sum)s, checker->barriers,
                                  checker->terms.denominator, one, checker->error);
    if (status != WARPBOUND_OK)
      return status;
    for (size_t v = 0; v < nodes; v++) {
      uint64_t all;
      if (!wb_multiply((uint64_t)one[v], times[s], &all) ||
          !wb_add(all, (uint64_t)checker->cost[v], &all) || all > INT64_MAX)
        return too_large(checker);
      checker->cost[v] = (int64_t)all;
    }
  }
  const warpbound_status status = prove(checker, sum, WB_CHECK_LAUNCH_ALL_PHASES, maximum);
  if (status == WARPBOUND_OK && *maximum != UNKNOWN &&
      (!wb_multiply(checker->chains.end, checker->own_times, &end) ||
       !wb_add(*maximum, end, maximum)))
    return too_large(checker);
  return status;
}

/* What is known where all warps of a block, or of the launch, take one path. */
static warpbound_status find_one_path(struct checker *checker)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const uint64_t w = claim->shape.block_warps;
  const uint64_t here = wb_divide_up(w, claim->shape.partitions);
  const uint64_t block[WB_CHECK_LAUNCH_SUM_COUNT] = {[WB_CHECK_LAUNCH_OWN] = 1,
                                                     [WB_CHECK_LAUNCH_PARTITION] = here - 1,
                                                     [WB_CHECK_LAUNCH_OTHERS] = w - here};
  warpbound_status status = WARPBOUND_OK;
  if (claim->same_path)
    status = find_together(checker, WB_CHECK_LAUNCH_BLOCK, block);
  if (status == WARPBOUND_OK && claim->launch_path) {
    status = find_together(checker, WB_CHECK_LAUNCH_ONE_PATH, claim->launch_times);
    checker->terms.one_path = claim->launch_times;
  }
  return status;
}

/* All maxima of the theorems. */
static warpbound_status find_sums(struct checker *checker)
{
  static const enum wb_check_launch_sum sums[] = {
      WB_CHECK_LAUNCH_ALONE_OWN, WB_CHECK_LAUNCH_ALONE_PARTITION, WB_CHECK_LAUNCH_ALONE_OTHERS,
      WB_CHECK_LAUNCH_OWN,       WB_CHECK_LAUNCH_PARTITION,       WB_CHECK_LAUNCH_OTHERS,
      WB_CHECK_LAUNCH_GPU,       WB_CHECK_LAUNCH_PHASE_UNITS,
  };
  struct wb_check_launch_terms *terms = &checker->terms;
  warpbound_status status =
      wb_check_launch_chains_make(&checker->arena, checker->claim, &checker->phases,
                                  terms->denominator, &checker->chains, checker->error);
  if (status == WARPBOUND_OK && checker->composite) {
    /* Checks that the proofs over paths that several warps share pay only for limits that such
     * paths keep. */
    const struct wb_check_launch_claim *claim = checker->claim;
    bool *priced = wb_arena_array(&checker->arena, bool, claim->system.limit_count);
    if (priced == NULL)
      return wb_out_of_memory(checker->error);
    for (size_t m = 0; m < claim->maximum_count; m++) {
      for (size_t l = 0; l < claim->system.limit_count; l++)
        priced[l] = priced[l] || (claim->maxima[m].phase == WB_CHECK_LAUNCH_COMPOSITE &&
                                  claim->maxima[m].price[l] != 0);
    }
    const struct wb_check_path_limits limits = {.local = claim->local,
                                                .common = claim->common,
                                                .interleaved = claim->interleaved,
                                                .priced = priced};
    status = wb_check_path_composites(&checker->arena, &checker->phases, &limits, checker->error);
  }
  for (size_t s = 0; s < sizeof sums / sizeof *sums && status == WARPBOUND_OK; s++)
    status = find_sum(checker, sums[s]);
  if (status == WARPBOUND_OK)
    status = find_one_path(checker);
  terms->after = checker->chains.end - wb_minimum(checker->chains.stay, checker->chains.end);
  if (status != WARPBOUND_OK || !(checker->composite || checker->as_many))
    return status;
  status = find_sum(checker, WB_CHECK_LAUNCH_BARRIERS);
  const uint64_t most = terms->sum[WB_CHECK_LAUNCH_BARRIERS];
  if (most == UNKNOWN)
    terms->sum[WB_CHECK_LAUNCH_OWN] = terms->sum[WB_CHECK_LAUNCH_ALONE_OWN] = most;
  else
    terms->phases = wb_maximum(most / terms->denominator, 1) + 1;
  /* Of groups a chain passes each barrier of each warp of the block once at most. */
  if (most != UNKNOWN && checker->as_many && checker->claim->groups)
    terms->phases = wb_plus(1, wb_times(terms->phases - 1, checker->claim->shape.block_warps));
  return status;
}

/* ---- the claim ---- */

/* All sums that the claim's proofs show. */
static warpbound_status find_terms(struct checker *checker)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const struct wb_flow_system *system = &claim->system;
  warpbound_status status = check_form(checker);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_check_path_graph graph = {.system = system,
                                            .barrier = checker->barrier,
                                            .final = wb_flow_system_is_walk(system) ? system->ends
                                                                                    : claim->ends,
                                            .early_ends = claim->early_ends};
  status = wb_check_path_phases_make(&checker->arena, &graph, &checker->phases, checker->error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t v = 0; v < system->node_count; v++) {
    if (checker->phases.phase[v] != WB_CHECK_PATH_UNSEEN)
      collect_node(checker, v);
  }
  checker->as_many = claim->as_many && checker->barriers && !checker->hidden;
  checker->terms.as_many = checker->as_many;
  checker->composite =
      checker->barriers && !checker->as_many &&
      (checker->phases.count < 2 || find_maximum(checker, WB_CHECK_LAUNCH_OWN,
                                                 WB_CHECK_LAUNCH_COMPOSITE) < claim->maximum_count);
  checker->terms.phases = checker->barriers ? checker->phases.count : 1;
  checker->terms.longest_unit = checker->longest > 0 ? checker->longest - 1 : 0;
  checker->terms.change = wb_check_stages_of(&claim->code).change;
  checker->terms.partition_warps = claim->partition_warps;
  for (size_t s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++)
    checker->terms.sum[s] = UNKNOWN;
  if (!checker->barriers || !checker->hidden)
    status = find_sums(checker);
  else
    checker->terms.phases = 1;
  return status == WARPBOUND_OK ? find_sum(checker, WB_CHECK_LAUNCH_TOTAL) : status;
}

static bool needs_same_barriers(const struct checker *checker)
{
  return checker->barriers && (checker->composite || checker->hidden);
}

static warpbound_status check(struct checker *checker, struct wb_check_launch_verdict *verdict)
{
  const struct wb_check_launch_claim *claim = checker->claim;
  const warpbound_status status = find_terms(checker);
  if (status != WARPBOUND_OK)
    return status;
  /* The most of what the theorems give for each number of blocks that an SM may hold. */
  struct wb_launch_shape shape = claim->shape;
  uint64_t cycles = wb_check_launch_theorems(&checker->terms, &shape, &claim->code);
  for (size_t r = 0; r < claim->other_resident_count; r++) {
    shape.resident_blocks = claim->other_residents[r];
    cycles = wb_maximum(cycles, wb_check_launch_theorems(&checker->terms, &shape, &claim->code));
  }
  if (cycles == UNKNOWN)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "no formula has proofs of all maxima that it needs, and a bound that fits");
  if (cycles > claim->cycles)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "%" PRIu64 " cycles are proven, %" PRIu64 " are claimed", cycles, claim->cycles);
  *verdict = (struct wb_check_launch_verdict){.cycles = cycles,
                                              .same_barriers = needs_same_barriers(checker)};
  return WARPBOUND_OK;
}

static warpbound_status allocate(struct checker *checker)
{
  const size_t nodes = checker->claim->system.node_count;
  checker->barrier = wb_arena_array(&checker->arena, bool, nodes);
  checker->cost = wb_arena_array(&checker->arena, int64_t, nodes);
  checker->part = wb_arena_array(&checker->arena, int64_t, nodes);
  checker->edge_part = wb_arena_array(&checker->arena, int64_t, checker->claim->system.edge_count);
  return checker->arena.failed ? wb_out_of_memory(checker->error) : WARPBOUND_OK;
}

warpbound_status wb_check_launch(const struct wb_check_launch_claim *claim,
                                 struct wb_check_launch_verdict *verdict, warpbound_error *error)
{
  struct checker checker = {.claim = claim, .error = error};
  warpbound_status status = allocate(&checker);
  if (status == WARPBOUND_OK)
    status = check(&checker, verdict);
  wb_arena_free(&checker.arena);
  return status;
}

/* ---- the sums alone ---- */

warpbound_status wb_check_launch_letters(const struct wb_check_launch_claim *claim,
                                         struct wb_check_launch_letters *letters,
                                         warpbound_error *error)
{
  struct checker checker = {.claim = claim, .error = error};
  warpbound_status status = allocate(&checker);
  if (status == WARPBOUND_OK)
    status = find_terms(&checker);
  if (status == WARPBOUND_OK) {
    *letters = (struct wb_check_launch_letters){.denominator = checker.terms.denominator,
                                                .phases = checker.terms.phases,
                                                .longest_unit = checker.terms.longest_unit,
                                                .after = checker.terms.after,
                                                .as_many = checker.terms.as_many,
                                                .same_barriers = needs_same_barriers(&checker)};
    for (size_t s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++)
      letters->sum[s] = checker.terms.sum[s];
    if (!checker.barriers)
      letters->longest_unit = 0;
  }
  wb_arena_free(&checker.arena);
  return status;
}

uint64_t wb_check_launch_alone(const struct wb_check_launch_claim *claim,
                               const struct wb_check_launch_letters *letters, uint32_t resident)
{
  struct wb_check_launch_terms terms = {.denominator = letters->denominator,
                                        .phases = letters->phases,
                                        .longest_unit = letters->longest_unit,
                                        .after = letters->after,
                                        .as_many = letters->as_many,
                                        .partition_warps = claim->partition_warps,
                                        .one_path =
                                            claim->launch_path ? claim->launch_times : NULL};
  struct wb_launch_shape shape = claim->shape;
  shape.resident_blocks = resident;
  shape.foreign_share = shape.foreign_burst = 0;
  for (size_t s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++)
    terms.sum[s] = letters->sum[s];
  return wb_check_launch_theorems(&terms, &shape, &claim->code);
}
