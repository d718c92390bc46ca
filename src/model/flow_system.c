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
