/* Names of the integer program's columns and rows. */
#include "analysis/wcet/wcet_context.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* "0148", or "0148_c2" in context 2: a block by its first address. */
static void name_block(const struct wb_wcet *wcet, uint32_t block, struct wb_text *text)
{
  wb_text_format(text, "%04" PRIx32, wb_wcet_block_start(wcet, block)->address);
  if (wcet->graph->blocks[block].context > 0)
    wb_text_format(text, "_c%" PRIu32, wcet->graph->blocks[block].context);
}

static char *node_name(const struct wb_wcet *wcet, uint32_t block)
{
  struct wb_text text = {0};
  name_block(wcet, block, &text);
  return wb_text_take(&text);
}

static char *edge_name(const struct wb_wcet *wcet, const struct wb_warp_edge *edge)
{
  static const char *const kinds[] = {"fall", "branch", "call", "return", "wake"};
  struct wb_text text = {0};
  name_block(wcet, edge->from, &text);
  wb_text_string(&text, "_");
  name_block(wcet, edge->to, &text);
  wb_text_format(&text, "_%s", kinds[edge->kind]);
  return wb_text_take(&text);
}

static char *limit_name(const struct wb_wcet *wcet, const struct wb_flow_limit *limit)
{
  struct wb_text text = {0};
  if (limit->origin >= WB_IPET_ORIGIN_ENTRY) {
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
  } else if (limit->origin >= wcet->forest.loop_count) {
    wb_text_format(&text, "related_loop_%" PRIu32, limit->origin);
  } else {
    wb_text_format(&text, "loop_%" PRIu32 "_at_", limit->origin);
    name_block(wcet, wcet->forest.loops[limit->origin].header, &text);
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
    ok = (names->ports[v] = node_name(wcet, v)) != NULL;
  for (size_t e = 0; ok && e < system->edge_count; e++)
    ok = (names->edges[e] = edge_name(wcet, &wcet->graph->edges[e])) != NULL;
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
