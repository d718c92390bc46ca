/* The flow system of a warp whose lanes run in several groups (doc/group-flow.md): two layers over
 * one graph. Nodes 0 .. blocks - 1 and edges 0 .. edges - 1 count groups: how often a group runs
 * the block and takes the edge. Nodes and edges from there on, in the same order, count lanes. */
#ifndef WB_IPET_SYSTEM_GROUP_SYSTEM_H
#define WB_IPET_SYSTEM_GROUP_SYSTEM_H

#include "ipet/system/system_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether lanes can run in several groups. Where no edge is taken beside another one of its block
 * there is one group at a time, and the system is the walk of it. */
bool wb_group_system_needed(const struct wb_warp_graph *graph);

/* Ports of the system: for each block one for all its shared edges, one for each edge that is taken
 * whatever others are, and one for its lanes. */
size_t wb_group_system_ports(const struct wb_warp_graph *graph);

/* Fills nodes, edges, ports and starts of a system of that size, all zero. The builder's lists and
 * scratch are made. */
void wb_group_system_fill(struct wb_system_builder *builder);

/* The edge of the lanes that belongs to an edge of the graph. */
uint32_t wb_group_lane_edge(const struct wb_warp_graph *graph, uint32_t edge);

#endif
