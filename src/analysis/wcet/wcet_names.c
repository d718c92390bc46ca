/* Names of the integer program's columns and rows. */
#include "analysis/wcet/wcet_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "ipet/system/ipet_system.h"

#include <inttypes.h>
#include <stdlib.h>

/* "0148", or "0148_c2" in context 2: a block by its first address. */
static void name_block(const struct wb_wcet *wcet, uint32_t block, struct wb_text *text)
{
  wb_text_format(text, "%04" PRIx32, wb_wcet_block_start(wcet, block)->address);
  if (wcet->graph->blocks[block].context > 0)
    wb_text_format(text, "_c%" PRIu32, wcet->graph->blocks[block].context);
}

/* How often the graph stands in a system: once more for lanes where several groups run. */
static size_t layers(const struct wb_wcet *wcet)
{
  return wb_group_system_needed(wcet->graph) ? 2 : 1;
}

/* "added_3": a node or edge that is not the graph's (struct wb_wcet_refinement). */
static char *added_name(size_t number)
{
  struct wb_text text = {0};
  wb_text_format(&text, "added_%zu", number + 1);
  return wb_text_take(&text);
}

/* "0148"; where several groups of lanes run, "0148_lanes" for those, and "0148_3" for the third
 * port of its groups. */
static char *port_name(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                       uint32_t port)
{
  const uint32_t blocks = (uint32_t)wcet->graph->block_count;
  const uint32_t node = system->port_node[port];
  struct wb_text text = {0};
  uint32_t before = 0;
  if (node >= layers(wcet) * blocks)
    return added_name(node - layers(wcet) * blocks);
  while (before < port && system->port_node[port - before - 1] == node)
    before++;
  name_block(wcet, node % blocks, &text);
  if (node >= blocks)
    wb_text_string(&text, "_lanes");
  else if (before > 0)
    wb_text_format(&text, "_%" PRIu32, before + 1);
  return wb_text_take(&text);
}

static void name_edge(const struct wb_wcet *wcet, const struct wb_warp_edge *edge,
                      struct wb_text *text)
{
  static const char *const kinds[] = {"fall", "branch", "call", "return", "wake"};
  name_block(wcet, edge->from, text);
  wb_text_string(text, "_");
  name_block(wcet, edge->to, text);
  wb_text_format(text, "_%s", kinds[edge->kind]);
}

static char *edge_name(const struct wb_wcet *wcet, size_t edge)
{
  const size_t edges = wcet->graph->edge_count;
  struct wb_text text = {0};
  if (edge >= layers(wcet) * edges)
    return added_name(edge - layers(wcet) * edges);
  name_edge(wcet, &wcet->graph->edges[edge % edges], &text);
  if (edge >= edges)
    wb_text_string(&text, "_lanes");
  return wb_text_take(&text);
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

static char *limit_name(const struct wb_wcet *wcet, const struct wb_flow_limit *limit)
{
  struct wb_text text = {0};
  if (limit->origin >= WB_IPET_ORIGIN_ABOVE) {
    /* The limits that tie groups to their lanes. */
    const uint32_t origin = limit->origin;
    if (origin >= WB_IPET_ORIGIN_FULL) {
      wb_text_string(&text, "full_");
      name_block(wcet, origin - WB_IPET_ORIGIN_FULL, &text);
    } else if (origin >= WB_IPET_ORIGIN_BELOW) {
      wb_text_string(&text, "full_");
      name_edge(wcet, &wcet->graph->edges[origin - WB_IPET_ORIGIN_BELOW], &text);
    } else {
      wb_text_string(&text, "some_");
      name_edge(wcet, &wcet->graph->edges[origin - WB_IPET_ORIGIN_ABOVE], &text);
    }
  } else if (limit->origin >= WB_IPET_ORIGIN_ENTRY) {
    wb_text_format(&text, "wake_%" PRIu32, limit->origin - WB_IPET_ORIGIN_ENTRY);
  } else if (limit->origin >= WB_IPET_ORIGIN_FACT) {
    wb_text_format(&text, "fact_%" PRIu32, limit->origin - WB_IPET_ORIGIN_FACT);
  } else if (limit->origin >= WB_IPET_ORIGIN_CASE) {
    wb_text_format(&text, "never_%" PRIu32, limit->origin - WB_IPET_ORIGIN_CASE);
  } else if (limit->origin >= WB_IPET_ORIGIN_LANES) {
    wb_text_string(&text, "lanes_");
    name_block(wcet, limit->origin - WB_IPET_ORIGIN_LANES, &text);
  } else if (limit->origin >= WB_IPET_ORIGIN_SIDES) {
    wb_text_string(&text, "sides_");
    name_block(wcet, limit->origin - WB_IPET_ORIGIN_SIDES, &text);
  } else if (limit->origin >= WB_IPET_ORIGIN_THREADS) {
    name_loop(wcet, limit->origin - WB_IPET_ORIGIN_THREADS, &text);
    wb_text_string(&text, "_lanes");
  } else if (limit->origin >= WB_IPET_ORIGIN_MEETING) {
    wb_text_string(&text, "meet_");
    name_edge(wcet, &wcet->graph->edges[limit->origin - WB_IPET_ORIGIN_MEETING], &text);
  } else {
    name_loop(wcet, limit->origin, &text);
  }
  return wb_text_take(&text);
}

warpbound_status wb_wcet_names_make(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                                    struct wb_wcet_names *names, warpbound_error *error)
{
  *names = (struct wb_wcet_names){.ports = wb_allocate(system->port_count, sizeof(char *)),
                                  .edges = wb_allocate(system->edge_count, sizeof(char *)),
                                  .limits = wb_allocate(system->limit_count, sizeof(char *))};
  bool ok = names->ports != NULL && names->edges != NULL && names->limits != NULL;
  for (uint32_t v = 0; ok && v < system->port_count; v++)
    ok = (names->ports[v] = port_name(wcet, system, v)) != NULL;
  for (size_t e = 0; ok && e < system->edge_count; e++)
    ok = (names->edges[e] = edge_name(wcet, e)) != NULL;
  for (size_t l = 0; ok && l < system->limit_count; l++)
    ok = (names->limits[l] = limit_name(wcet, &system->limits[l])) != NULL;
  return ok ? WARPBOUND_OK : wb_out_of_memory(error);
}

static void free_all(char **items, size_t count)
{
  for (size_t i = 0; items != NULL && i < count; i++)
    free(items[i]);
  free(items);
}

void wb_wcet_names_free(struct wb_wcet_names *names, const struct wb_flow_system *system)
{
  free_all(names->ports, system->port_count);
  free_all(names->edges, system->edge_count);
  free_all(names->limits, system->limit_count);
}
