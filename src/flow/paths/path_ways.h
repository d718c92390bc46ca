/* The preferred way through each function that a kernel calls, from the called to the callers. */
#ifndef WB_FLOW_PATHS_PATH_WAYS_H
#define WB_FLOW_PATHS_PATH_WAYS_H

#include "flow/paths/kernel_path.h"
#include "flow/paths/path_graph.h"

/* What a way through a function is to come to: back to the caller, or to the end of the path. */
enum wb_path_goal { WB_PATH_GOAL_RETURN, WB_PATH_GOAL_END, WB_PATH_GOAL_COUNT };

/* The way to a goal. graph: the edges that lead there, none where there is no way; question and
 * path: about its flow graph, whose edges are those of `graph`. always: by block, every way goes
 * through it. */
struct wb_path_way {
  struct wb_path_graph graph;
  struct wb_path_flow flow;
  struct wb_loop_forest forest;
  struct wb_path_weight *weight;
  bool *jump;
  uint32_t *iterations;
  bool *always;
  struct wb_longest_path_question question;
  struct wb_longest_path path;
};

/* A function of the program. graph: its edges after the choices of `takes`; empty where it is not
 * called. done: by instruction, the path does it; onward: by instruction, the path goes on to the
 * next one behind it; ended: a return or exit that is conditional is done; jumped: by target. */
struct wb_path_function {
  const struct wb_function *function;
  struct wb_path_graph graph;
  struct wb_path_way way[WB_PATH_GOAL_COUNT];
  uint8_t state;
  bool *done;
  bool *onward;
  bool *ended;
  bool *jumped;
};

/* All functions, in the program's order. end: where the path is to end; used: by row of
 * options->loops, a loop is meant by it; wins: by no later row too; loops: whether any has the
 * common number. Owns its arrays, borrows the rest. */
struct wb_path_ways {
  const struct wb_program *program;
  const struct wb_function *kernel;
  const struct wb_path_options *options;
  struct wb_path_calls calls;
  struct wb_path_place end;
  struct wb_path_function *functions;
  bool *used;
  bool *wins;
  bool loops;
};

/* Finds the ways of the kernel and of all that it calls. Errors: as wb_kernel_path_walk's. */
warpbound_status wb_path_ways_find(const struct wb_program *program,
                                   const struct wb_function *kernel,
                                   const struct wb_path_options *options, struct wb_path_ways *ways,
                                   warpbound_error *error);
void wb_path_ways_free(struct wb_path_ways *ways);

/* The row of a function of the program. */
struct wb_path_function *wb_path_ways_of(const struct wb_path_ways *ways,
                                         const struct wb_function *function);

/* Whether there is a way to the goal. A function without instructions returns. */
bool wb_path_way_exists(const struct wb_path_function *row, enum wb_path_goal goal);

/* The weight of the way to a goal, which exists. */
struct wb_path_weight wb_path_way_weight(const struct wb_path_function *row,
                                         enum wb_path_goal goal);

/* The instruction of a function that a label or a line number means: the label's, or the first
 * of the line; UINT32_MAX where there is none. */
uint32_t wb_path_find_place(const struct wb_function *function, const char *place);
bool wb_path_is_number(const char *text);

/* The first label that marks an instruction (or the end), or NULL. Logarithmic. */
const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index);

#endif
