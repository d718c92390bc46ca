#include "model/flow_system.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

warpbound_status wb_flow_system_make(struct wb_flow_system *system, size_t node_count,
                                     size_t edge_count, warpbound_error *error)
{
  *system = (struct wb_flow_system){
      .node_count = node_count,
      .edge_count = edge_count,
      .from = wb_allocate(edge_count, sizeof *system->from),
      .to = wb_allocate(edge_count, sizeof *system->to),
      .cycles = wb_allocate(node_count, sizeof *system->cycles),
      .ends = wb_allocate(node_count, sizeof *system->ends),
      .last_term = wb_allocate(edge_count, sizeof *system->last_term),
  };
  if (system->from != NULL && system->to != NULL && system->cycles != NULL &&
      system->ends != NULL && system->last_term != NULL)
    return WARPBOUND_OK;
  wb_flow_system_free(system);
  return wb_out_of_memory(error);
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

void wb_flow_system_free(struct wb_flow_system *system)
{
  free(system->from);
  free(system->to);
  free(system->cycles);
  free(system->ends);
  free(system->last_term);
  free(system->limits);
  free(system->terms);
  *system = (struct wb_flow_system){0};
}

static bool graph_is_valid(const struct wb_flow_system *system)
{
  if (system->start >= system->node_count)
    return false;
  for (size_t v = 0; v < system->node_count; v++) {
    if (system->cycles[v] < 0)
      return false;
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count)
      return false;
  }
  return true;
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
  if (!graph_is_valid(system))
    return false;
  size_t *seen = wb_allocate(system->edge_count, sizeof *seen);
  const bool valid = limits_are_valid(system, seen);
  free(seen);
  return valid;
}
