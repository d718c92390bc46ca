/* Strings of unit types of a kernel's paths: of one execution by its counts, and of all paths. */
#include "analysis/paths/paths.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/euler_walk.h"
#include "ipet/system/ipet_system.h"
#include "model/kernel_string.h"

#include <stdlib.h>
#include <string.h>

/* Steps of the enumeration: edges taken, and what looking at a whole path costs. */
#define STEP_LIMIT UINT64_C(4000000)
/* Most nodes of a path, and most pairs of a limit and a node. */
#define DEPTH_LIMIT 100000u
#define PAIR_LIMIT ((size_t)1 << 22)

#define NO_EDGE UINT32_MAX

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

warpbound_status wb_paths_list_strings(struct wb_paths *paths, warpbound_error *error)
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
