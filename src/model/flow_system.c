#include "model/flow_system.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

warpbound_status wb_flow_system_make(struct wb_flow_system *system, size_t node_count,
                                     size_t edge_count, size_t port_count, warpbound_error *error)
{
  struct wb_arena arena = {0};
  *system = (struct wb_flow_system){
      .node_count = node_count,
      .edge_count = edge_count,
      .port_count = port_count,
      .from = wb_arena_array(&arena, uint32_t, edge_count),
      .to = wb_arena_array(&arena, uint32_t, edge_count),
      .port = wb_arena_array(&arena, uint32_t, edge_count),
      .cycles = wb_arena_array(&arena, int64_t, node_count),
      .port_node = wb_arena_array(&arena, uint32_t, port_count),
      .ends = wb_arena_array(&arena, bool, port_count),
      .last_term = wb_arena_array(&arena, size_t, edge_count),
      .start_count = 1,
  };
  system->arena = arena;
  if (!arena.failed)
    return WARPBOUND_OK;
  wb_flow_system_free(system);
  return wb_out_of_memory(error);
}

/* A copy with room for more elements; an array that is empty may be NULL. */
static void *extended(struct wb_arena *arena, const void *array, size_t count, size_t more,
                      size_t size)
{
  void *longer = wb_arena_allocate(arena, count + more, size);
  if (longer != NULL && count > 0)
    memcpy(longer, array, count * size);
  return longer;
}

bool wb_flow_system_extend(struct wb_flow_system *system, size_t nodes, size_t edges, size_t ports)
{
  struct wb_arena *arena = &system->arena;
  const size_t edge_count = system->edge_count;
  system->from = extended(arena, system->from, edge_count, edges, sizeof *system->from);
  system->to = extended(arena, system->to, edge_count, edges, sizeof *system->to);
  system->port = extended(arena, system->port, edge_count, edges, sizeof *system->port);
  system->last_term =
      extended(arena, system->last_term, edge_count, edges, sizeof *system->last_term);
  system->cycles =
      extended(arena, system->cycles, system->node_count, nodes, sizeof *system->cycles);
  system->port_node =
      extended(arena, system->port_node, system->port_count, ports, sizeof *system->port_node);
  system->ends = extended(arena, system->ends, system->port_count, ports, sizeof *system->ends);
  return !arena->failed;
}

void wb_flow_system_walk(struct wb_flow_system *system, uint32_t start)
{
  for (uint32_t v = 0; v < system->node_count; v++)
    system->port_node[v] = v;
  for (size_t e = 0; e < system->edge_count; e++)
    system->port[e] = system->from[e];
  system->starts[0] = (struct wb_flow_start){.node = start, .runs = 1};
  system->start_count = 1;
}

bool wb_flow_system_is_walk(const struct wb_flow_system *system)
{
  bool walk = system->port_count == system->node_count && system->start_count == 1 &&
              system->starts[0].runs == 1;
  for (size_t v = 0; v < system->node_count && walk; v++)
    walk = system->port_node[v] == v;
  for (size_t e = 0; e < system->edge_count && walk; e++)
    walk = system->port[e] == system->from[e];
  return walk;
}

int64_t wb_flow_start_runs(const struct wb_flow_system *system, uint32_t node)
{
  int64_t runs = 0;
  for (size_t s = 0; s < system->start_count; s++)
    runs += system->starts[s].node == node ? system->starts[s].runs : 0;
  return runs;
}

void wb_flow_limit_add(struct wb_flow_system *system, int64_t constant, uint32_t origin)
{
  if (!wb_grow(system->limits, &system->limit_capacity, system->limit_count + 1)) {
    system->failed = true;
    return;
  }
  system->limits[system->limit_count++] = (struct wb_flow_limit){
      .first_term = system->term_count, .constant = constant, .origin = origin};
}

bool wb_flow_term_add(struct wb_flow_system *system, uint32_t edge, int64_t factor)
{
  if (system->failed || factor == 0)
    return true;
  struct wb_flow_limit *limit = &system->limits[system->limit_count - 1];
  size_t last = system->last_term[edge];
  if (last > limit->first_term) {
    int64_t *sum = &system->terms[last - 1].factor;
    return wb_add_signed(*sum, factor, sum);
  }
  if (!wb_grow(system->terms, &system->term_capacity, system->term_count + 1)) {
    system->failed = true;
    return true;
  }
  system->terms[system->term_count++] = (struct wb_flow_term){.edge = edge, .factor = factor};
  system->last_term[edge] = system->term_count;
  limit->term_count++;
  return true;
}

void wb_flow_limit_drop(struct wb_flow_system *system, size_t limit)
{
  system->limits[limit].term_count = 0;
  system->limits[limit].constant = 0;
}

bool wb_flow_edge_terms_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_flow_edge_terms *terms)
{
  uint32_t *edge = wb_arena_array(arena, uint32_t, system->term_count);
  terms->limit = wb_arena_array(arena, uint32_t, system->term_count);
  if (edge == NULL || terms->limit == NULL)
    return false;
  for (size_t t = 0; t < system->term_count; t++)
    edge[t] = UINT32_MAX; /* of limits that were dropped */
  for (uint32_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    for (size_t t = limit->first_term; t < limit->first_term + limit->term_count; t++) {
      edge[t] = system->terms[t].edge;
      terms->limit[t] = l;
    }
  }
  return wb_buckets_make(arena, edge, system->term_count, system->edge_count, &terms->of);
}

void wb_flow_system_free(struct wb_flow_system *system)
{
  wb_arena_free(&system->arena);
  free(system->limits);
  free(system->terms);
  *system = (struct wb_flow_system){0};
}

/* seen: by edge, the last limit with a term of it, plus 1; zero at first. */
static bool limits_are_valid(const struct wb_flow_system *system, size_t *seen)
{
  size_t end = 0;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    if (limit->first_term < end || limit->first_term > system->term_count ||
        limit->term_count > system->term_count - limit->first_term)
      return false;
    end = limit->first_term + limit->term_count;
    for (size_t t = limit->first_term; t < end; t++) {
      const uint32_t edge = system->terms[t].edge;
      if (edge >= system->edge_count || (seen != NULL && seen[edge] == l + 1))
        return false;
      if (seen != NULL)
        seen[edge] = l + 1;
    }
  }
  return true;
}

bool wb_flow_system_is_valid(const struct wb_flow_system *system)
{
  if (system->start_count < 1 || system->start_count > WB_FLOW_STARTS)
    return false;
  for (size_t s = 0; s < system->start_count; s++) {
    if (system->starts[s].node >= system->node_count || system->starts[s].runs < 0 ||
        system->starts[s].runs > INT64_C(1) << 32)
      return false;
  }
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->port_node[q] >= system->node_count ||
        (q > 0 && system->port_node[q] < system->port_node[q - 1]))
      return false;
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (system->cycles[v] < 0)
      return false;
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t port = system->port[e];
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count ||
        wb_flow_edge_cycles(system, e) < 0)
      return false;
    if (port != WB_FLOW_NO_PORT &&
        (port >= system->port_count || system->port_node[port] != system->from[e]))
      return false;
  }
  size_t *seen = wb_allocate(system->edge_count, sizeof *seen);
  const bool valid = limits_are_valid(system, seen);
  free(seen);
  return valid;
}
