/* The graph of a function as the options leave it, before ways through it are sought. */
#ifndef WB_FLOW_PATHS_PATH_OPENING_H
#define WB_FLOW_PATHS_PATH_OPENING_H

#include "flow/paths/path_graph.h"
#include "flow/paths/path_types.h"

#include <stdbool.h>
#include <stdint.h>

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

/* A function of the code. graph: its edges after the choices of `takes`; empty where it is not
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

/* All functions, in the code's order. end: where the path is to end; used: by row of
 * options->loops, a loop is meant by it; wins: by no later row too; loops: whether any has the
 * common number. Owns its arrays, borrows the rest. */
struct wb_path_ways {
  const struct wb_code *code;
  const struct wb_function *kernel;
  const struct wb_path_options *options;
  struct wb_path_calls calls;
  struct wb_path_place end;
  struct wb_path_function *functions;
  bool *used;
  bool *wins;
  bool loops;
};

/* How far the ways of a function are known. */
enum wb_path_state { WB_PATH_NOT_SEEN, WB_PATH_UNDER_WAY, WB_PATH_FOUND };

/* Makes the graph of a function, as far as it matters to any goal, with the choices of `takes`.
 * Errors: WARPBOUND_USAGE (a take is about no conditional branch), WARPBOUND_FACTS_MISSING (a
 * branch to where a register points), WARPBOUND_INTERNAL. */
warpbound_status wb_path_ways_open(const struct wb_path_ways *ways, struct wb_path_function *row,
                                   warpbound_error *error);

/* The kinds of edges by which a way may come to the goal; optimistic of what is called. */
unsigned wb_path_ways_kinds(const struct wb_path_ways *ways, const struct wb_function *function,
                            enum wb_path_goal goal);

/* Fails at an instruction; detail may be NULL. */
warpbound_status wb_path_ways_fail(const struct wb_path_ways *ways, warpbound_status status,
                                   const struct wb_instruction *at, warpbound_error *error,
                                   const char *message, const char *detail);

/* ---- places of a function ---- */

/* The instruction of a function that a label or a line number means: the label's, or the first
 * of the line; UINT32_MAX where there is none. */
uint32_t wb_path_find_place(const struct wb_function *function, const char *place);
bool wb_path_is_number(const char *text);

/* The first label that marks an instruction (or the end), or NULL. Logarithmic. */
const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index);

/* The line that a number is; UINT32_MAX where there can be none. */
uint32_t wb_path_line(const char *text);

#endif
