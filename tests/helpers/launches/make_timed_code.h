/* Timed code and its flow, made by hand for tests. */
#ifndef TESTS_HELPERS_LAUNCHES_MAKE_TIMED_CODE_H
#define TESTS_HELPERS_LAUNCHES_MAKE_TIMED_CODE_H

#include "launch/timing/warp_times.h"
#include "model/timed_code.h"

#include <stddef.h>
#include <stdint.h>

#define NO_RESOURCE UINT8_MAX

/* A request's stage: a resource, how many requests, delay and service. */
struct made_stage {
  uint8_t resource;
  uint16_t requests;
  uint32_t delay, service;
};

/* An instruction by hand; scoreboards and masks as in struct wb_timed_instruction, but numbered
 * from 1, so that 0 means none. */
struct made_instruction {
  uint32_t stall;
  uint32_t slot; /* service of resource 0, the issue slot; 0: one cycle */
  uint8_t unit;  /* a second resource that is taken at issue, where unit_service is not 0 */
  uint32_t unit_service;
  uint8_t write, read; /* scoreboards that it sets */
  uint8_t wait_mask;   /* bit b: waits for scoreboard b + 1 */
  uint8_t counted;     /* waits for it as DEPBAR does */
  uint8_t counted_left;
  uint32_t latency, read_latency;
  uint8_t read_stages;
  struct made_stage stages[4]; /* those with a service */
  bool barrier, fence;
};

/* Adds a resource; its index. */
uint8_t timed_resource(struct wb_timed_code *code, enum wb_resource_level level, uint32_t servers,
                       bool at_issue);
/* Adds an instruction; its index. */
uint32_t timed_instruction(struct wb_timed_code *code, struct made_instruction made);
/* Adds a row of them, `count` times. */
void timed_instructions(struct wb_timed_code *code, struct made_instruction made, size_t count);

/* A graph with room for its arrays. */
#define MADE_NODES 64
#define MADE_EDGES 256
struct made_graph {
  struct wb_timing_graph graph;
  uint32_t first[MADE_NODES], last[MADE_NODES];
  bool interleaved[MADE_NODES], ends[MADE_NODES];
  uint32_t from[MADE_EDGES], to[MADE_EDGES];
  uint32_t start;
};

/* Begins a graph that starts at node 0 and that no node ends yet. */
void made_graph_begin(struct made_graph *made);
/* Adds a node of instructions first .. last; its number. */
uint32_t made_graph_node(struct made_graph *made, uint32_t first, uint32_t last);
void made_graph_edge(struct made_graph *made, uint32_t from, uint32_t to);

#endif
