/* The preferred paths of a kernel and of all functions that it calls, callees first. */
#ifndef WB_FLOW_PATHS_FUNCTION_PATHS_H
#define WB_FLOW_PATHS_FUNCTION_PATHS_H

#include "flow/paths/path_graph.h"

#include <stdbool.h>
#include <stdint.h>

/* The goal of a path through a function. */
enum wb_path_goal {
  WB_PATH_GOAL_RETURN, /* back to the caller */
  WB_PATH_GOAL_END,    /* the end of the kernel's path */
  WB_PATH_GOAL_COUNT
};

/* The preferred path of a function to a goal. Invariant: question and path are about `flow`, whose
 * edges are those of `graph`; the graph has no edge where there is no path, and the rest is then
 * empty. Owns its forest. */
struct wb_goal_path {
  struct wb_path_graph graph; /* the edges that lead to the goal */
  struct wb_flow_graph flow;
  struct wb_loop_forest forest;  /* of flow */
  struct wb_path_weight *weight; /* by edge: of its block, with the functions that it calls */
  bool *jump;                    /* by block: it only jumps */
  uint32_t *iterations;          /* by loop: how often its body is done */
  bool *always;                  /* by block: every path to the goal goes through it */
  struct wb_longest_path_question question;
  struct wb_longest_path path;
};

/* How far the paths of a function are known. */
enum wb_path_state {
  WB_PATH_NOT_SEEN,
  WB_PATH_UNDER_WAY, /* its callees are being analysed: a call of it is recursion */
  WB_PATH_FOUND
};

/* A function of the code. The arrays by instruction and by target are filled in by the walk. */
struct wb_path_function {
  const struct wb_function *function;
  struct wb_path_graph graph; /* its edges after the choices of `takes`; empty where it is not
                                 called */
  struct wb_goal_path goal_path[WB_PATH_GOAL_COUNT];
  uint8_t state;   /* enum wb_path_state */
  bool *executed;  /* by instruction: the path executes it */
  bool *continued; /* by instruction: the path goes on to the next instruction */
  bool *ended;     /* by instruction: the path takes the conditional return or exit */
  bool *jumped;    /* by target: the path jumps to it */
};

/* All functions. Owns its arena and the forests, borrows the rest. */
struct wb_function_paths {
  const struct wb_code *code;
  const struct wb_function *kernel;
  const struct wb_path_options *options;
  struct wb_path_calls calls;
  struct wb_path_place end;           /* where the path is to end */
  struct wb_path_function *functions; /* in the code's order */
  bool *loop_option_used;             /* by row of options->loops: it is about some loop */
  bool *loop_option_wins;             /* by row: of some loop it is the last row */
  bool stops; /* paths may end in a call that stops the kernel, for none ends otherwise */
  bool common_iterations; /* some loop takes the number that is common to all */
  struct wb_arena arena;
};

/* Finds the paths. Errors: as wb_kernel_path_walk's; *paths is to be freed also then. */
warpbound_status wb_function_paths_find(const struct wb_code *code,
                                        const struct wb_function *kernel,
                                        const struct wb_path_options *options,
                                        struct wb_function_paths *paths, warpbound_error *error);
void wb_function_paths_free(struct wb_function_paths *paths);

/* The row of a function of the code. */
struct wb_path_function *wb_function_paths_of(const struct wb_function_paths *paths,
                                              const struct wb_function *function);

/* Whether there is a path to the goal. A function without instructions returns. */
bool wb_goal_path_exists(const struct wb_path_function *row, enum wb_path_goal goal);

#endif
