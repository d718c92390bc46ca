#include "analysis/paths/strings/path_strings.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/euler_walk.h"
#include "ipet/system/ipet_system.h"

#include <stdlib.h>
#include <string.h>

/* Steps of the enumeration: edges taken, and what looking at a whole path costs. */
#define STEP_LIMIT UINT64_C(4000000)
/* Most nodes of a path, and most pairs of a limit and a node. */
#define DEPTH_LIMIT 100000u
#define PAIR_LIMIT ((size_t)1 << 22)

#define NO_EDGE UINT32_MAX

/* ---- one path ---- */

static bool set_runs(const struct wb_path_source *source, size_t set, const int64_t *taken)
{
  const struct wb_block_set *blocks = &source->facts->sets[set];
  for (size_t b = 0; b < blocks->count; b++) {
    /* Edges between segments of a block do not lead to its first segment. */
    const struct wb_path_system *system = source->system;
    const uint32_t block = blocks->blocks[b];
    int64_t runs = system->block[system->flow.starts[0].node] == block;
    for (size_t e = 0; e < system->flow.edge_count; e++) {
      const uint32_t to = system->flow.to[e];
      if (system->block[to] == block && (to == 0 || system->block[to - 1] != block))
        runs += taken[e];
    }
    if (runs > 0)
      return true;
  }
  return false;
}

/* Whether counts are those of a path. WARPBOUND_CHECK_FAILED where they are not, or break an
 * exclusive fact, which no limit of the system says. */
static warpbound_status check_counts(const struct wb_path_source *source, const int64_t *taken,
                                     warpbound_error *error)
{
  int64_t cycles;
  const warpbound_status status =
      wb_check_flow_counts(&source->system->flow, taken, &cycles, error);
  for (size_t x = 0; x < source->facts->exclusive_count && status == WARPBOUND_OK; x++) {
    const struct wb_exclusive_fact *fact = &source->facts->exclusives[x];
    size_t running = 0;
    for (size_t s = 0; s < fact->set_count; s++)
      running += set_runs(source, fact->first_set + s, taken);
    if (running > 1)
      return WARPBOUND_CHECK_FAILED;
  }
  return status;
}

warpbound_status wb_path_walk(const struct wb_path_source *source, const int64_t *taken,
                              size_t longest, uint32_t **nodes, size_t *count,
                              warpbound_error *error)
{
  warpbound_error refusal = {0};
  *nodes = NULL;
  *count = 0;
  warpbound_status status = check_counts(source, taken, &refusal);
  if (status == WARPBOUND_OK)
    status = wb_euler_walk(&source->system->flow, taken, longest, nodes, count, &refusal);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &refusal) : WARPBOUND_OK;
}

/* Adds a path that was checked. *full: there is no room for it. */
static warpbound_status add_path(const struct wb_path_source *source, const uint32_t *nodes,
                                 size_t count, const char *why, struct wb_path_strings *strings,
                                 bool *full, warpbound_error *error)
{
  struct wb_kernel_string string = {0};
  warpbound_status status = WARPBOUND_OK;
  for (size_t n = 0; n < count && status == WARPBOUND_OK; n++) {
    const uint32_t last = source->system->last[nodes[n]];
    for (uint32_t i = source->system->first[nodes[n]]; i <= last && status == WARPBOUND_OK; i++)
      status =
          wb_kernel_string_append(&string, wb_instruction_unit(&source->function->instructions[i]),
                                  1, WB_STRING_LIMIT, error);
  }
  *full = status == WARPBOUND_INVALID_INPUT; /* too long */
  if (status != WARPBOUND_OK) {
    wb_kernel_string_free(&string);
    return *full ? WARPBOUND_OK : status;
  }
  for (size_t s = 0; s < strings->count; s++) {
    struct wb_path_string *known = &strings->items[s];
    if (!wb_kernel_string_equal(&known->string, &string))
      continue;
    known->why = known->why != NULL ? known->why : why;
    wb_kernel_string_free(&string);
    return WARPBOUND_OK;
  }
  *full = strings->count == WB_PATH_STRING_LIMIT ||
          (strings->count > 0 && strings->letters + string.length > WB_PATH_LETTER_LIMIT);
  uint32_t *copy = *full ? NULL : wb_allocate(count, sizeof *copy);
  if (copy == NULL) {
    wb_kernel_string_free(&string);
    return *full ? WARPBOUND_OK : wb_out_of_memory(error);
  }
  memcpy(copy, nodes, count * sizeof *copy);
  strings->letters += string.length;
  strings->items[strings->count++] =
      (struct wb_path_string){.string = string, .nodes = copy, .node_count = count, .why = why};
  return WARPBOUND_OK;
}

warpbound_status wb_path_strings_add(const struct wb_path_source *source, const int64_t *taken,
                                     const char *why, struct wb_path_strings *strings,
                                     warpbound_error *error)
{
  uint32_t *nodes;
  size_t count;
  bool full;
  warpbound_status status = wb_path_walk(source, taken, WB_STRING_LIMIT, &nodes, &count, error);
  if (status == WARPBOUND_OK && nodes != NULL)
    status = add_path(source, nodes, count, why, strings, &full, error);
  free(nodes);
  return status;
}

/* ---- all paths ---- */

/* Where a walk stands: at a node, which it came to by an edge; the next edge to try. */
struct place {
  uint32_t node;
  uint32_t by;
  size_t next; /* in leaving.item */
};

struct listing {
  struct wb_arena arena; /* owns the arrays */
  const struct wb_path_source *source;
  const struct wb_flow_system *flow;
  struct wb_path_strings *strings;
  struct wb_buckets leaving; /* edges by the node that they leave */
  struct wb_flow_edge_terms terms;
  bool *may_fall;       /* by limit and node: from there an edge lowers the limit's sum */
  int64_t *sum;         /* by limit */
  int64_t *taken;       /* by edge */
  struct place *places; /* the walk under way */
  uint32_t *nodes;      /* scratch: its nodes */
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

/* Goes on to a node, and adds the path where it may end there. */
static warpbound_status arrive(struct listing *listing, uint32_t node, uint32_t by)
{
  listing->places[listing->depth++] =
      (struct place){.node = node, .by = by, .next = listing->leaving.first[node]};
  if (!listing->flow->ends[node])
    return WARPBOUND_OK;
  bool full = false;
  warpbound_error refusal;
  warpbound_status status = check_counts(listing->source, listing->taken, &refusal);
  listing->steps += listing->flow->edge_count + listing->flow->term_count + listing->depth;
  if (status != WARPBOUND_OK)
    return status == WARPBOUND_INTERNAL ? wb_fail_with(listing->error, &refusal) : WARPBOUND_OK;
  for (size_t d = 0; d < listing->depth; d++)
    listing->nodes[d] = listing->places[d].node;
  status = add_path(listing->source, listing->nodes, listing->depth, NULL, listing->strings, &full,
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

warpbound_status wb_path_strings_list(const struct wb_path_source *source,
                                      struct wb_path_strings *strings, warpbound_error *error)
{
  const struct wb_flow_system *flow = &source->system->flow;
  struct listing listing = {
      .source = source, .flow = flow, .strings = strings, .complete = true, .error = error};
  struct wb_arena *arena = &listing.arena;
  /* Sums stay far from the ends of 64 bits, however a walk of at most DEPTH_LIMIT edges goes. */
  bool moderate = true;
  for (size_t t = 0; t < flow->term_count; t++)
    moderate &= wb_magnitude(flow->terms[t].factor) <= (UINT64_C(1) << 62) / DEPTH_LIMIT;
  strings->all = false;
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
    strings->all = marked && listing.complete && strings->count > 0;
  }
  wb_arena_free(arena);
  return status;
}

void wb_path_strings_free(struct wb_path_strings *strings)
{
  for (size_t s = 0; s < strings->count; s++) {
    wb_kernel_string_free(&strings->items[s].string);
    free(strings->items[s].nodes);
  }
  *strings = (struct wb_path_strings){0};
}
