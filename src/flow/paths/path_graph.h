/* The choice of a path through a kernel: its options, the blocks of a function and the edges
 * between them. */
#ifndef WB_FLOW_PATHS_PATH_GRAPH_H
#define WB_FLOW_PATHS_PATH_GRAPH_H

#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/graph/loops.h"
#include "flow/paths/longest_path.h"
#include "model/code.h"
#include "model/estimate.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the choice of a path, and the path ---- */

/* The user's assumption about a function without a body, or about indirect calls:
 * `--assume-call NAME=STRING`. */
struct wb_call_assumption {
  const char *name; /* "indirect" for indirect calls */
  struct wb_kernel_string string;
};

/* How often the body of one loop is done. */
struct wb_loop_iterations {
  const char *place; /* a label or the number of a line; means the innermost loop that holds it */
  uint32_t iterations;
};

/* All borrowed. */
struct wb_path_options {
  enum wb_path_order order;
  uint32_t iterations; /* of each loop's body; 0: not said, and a loop is then an error */
  const struct wb_loop_iterations *loops; /* of single loops; later rows win */
  size_t loop_count;
  /* A label of the kernel: the path ends before its instruction; the number of a line of the
   * listing: the path ends after the instruction there; the first time that the path comes there.
   * NULL: the path ends with the kernel. */
  const char *through;
  /* Numbers of lines, whose conditional branch, return or exit the path does, and labels that it
   * goes through. */
  const char *const *takes;
  size_t take_count;
  const struct wb_call_assumption *calls;
  size_t call_count;
};

/* A way that a branch, return or exit on the path could go and the path never does. Borrows from
 * the code. */
struct wb_path_arm {
  const struct wb_instruction *branch;
  const char *label; /* of the instruction that it leads to, or NULL */
  uint32_t line;     /* of that instruction; 0: the end of the function */
  bool falls;        /* to the next instruction */
};

/* A path of a kernel. Owns all but the instructions. */
struct wb_kernel_path {
  struct wb_kernel_string string;
  const struct wb_instruction **steps; /* in order; assumed calls are in the string alone */
  size_t step_count;
  size_t step_capacity;
  struct wb_estimate estimate; /* why nothing that rests on the string is proven of the kernel */
  /* The instructions of the path, each once, that can become several machine instructions. */
  const struct wb_instruction **several;
  size_t several_count;
  size_t several_capacity;
  struct wb_path_arm *arms; /* what the path leaves out */
  size_t arm_count;
  size_t arm_capacity;
  struct wb_list assumptions;
};

/* ---- places and calls ---- */

/* Whether the text consists of decimal digits: a line number. */
bool wb_path_is_number(const char *text);

/* The line of a number; UINT32_MAX where it is 0 or too large. */
uint32_t wb_path_line(const char *text);

/* The instruction at a label, or the first one of a line; UINT32_MAX where there is none. Linear.
 */
uint32_t wb_path_find_place(const struct wb_function *function, const char *place);

/* The first label at an instruction, or at the end of the function; NULL where there is none.
 * Logarithmic. */
const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index);

/* The effect of a call. It is not known where function and assumed are NULL and runtime and
 * ends_thread are false. Borrows all. */
struct wb_path_call {
  const struct wb_function *function;       /* the body that it runs, or NULL */
  const struct wb_call_assumption *assumed; /* where there is no body: the user's, or NULL */
  bool runtime;                             /* a function of the CUDA runtime */
  bool ends_thread;                         /* it does not return */
  bool stops; /* a function of the runtime that stops the kernel with an error, and of which the
                 user says nothing */
};

/* The functions of code by name. Borrows all. */
struct wb_path_calls {
  const struct wb_code *code;
  const struct wb_call_assumption *assumptions;
  size_t assumption_count;
  const struct wb_function **functions; /* sorted by name, defined ones first */
};

/* False: memory is out. Time: n log n. */
bool wb_path_calls_make(const struct wb_code *code, const struct wb_call_assumption *assumptions,
                        size_t assumption_count, struct wb_arena *arena,
                        struct wb_path_calls *calls);

/* The effect of a direct or indirect call. Logarithmic in the functions, linear in the
 * assumptions. */
struct wb_path_call wb_path_calls_find(const struct wb_path_calls *calls,
                                       const struct wb_instruction *instruction);

/* ---- graphs ---- */

/* The kind of an edge, as bits of sets. All but the first end the path through the function. */
enum wb_path_edge_kind {
  WB_PATH_ON = 1 << 0,      /* to another block */
  WB_PATH_RETURN = 1 << 1,  /* the function returns */
  WB_PATH_EXIT = 1 << 2,    /* the thread ends */
  WB_PATH_PLACE = 1 << 3,   /* the path comes to the place where it is to end */
  WB_PATH_CALLEE = 1 << 4,  /* the path ends in the function that the block calls */
  WB_PATH_UNKNOWN = 1 << 5, /* to an address in a register */
  WB_PATH_STOP = 1 << 6     /* the kernel is stopped, as an assertion fails */
};

/* The place where a path is to end: at most one of both. */
struct wb_path_place {
  uint32_t index; /* before this instruction of the function; UINT32_MAX: no */
  uint32_t line;  /* after the instructions of this line; 0: no */
};

/* Consecutive instructions; only the last one can transfer control. */
struct wb_path_block {
  uint32_t first; /* index of the first instruction */
  uint32_t count; /* instructions, at least 1 */
};

struct wb_path_edge {
  uint32_t from;   /* block */
  uint32_t to;     /* block; the graph's block_count for an end */
  uint32_t target; /* of a branch that jumps: index into the function's targets; else UINT32_MAX */
  uint8_t kind;    /* enum wb_path_edge_kind */
  bool taken;      /* the conditional branch, return or exit is taken */
};

/* Invariant: the blocks partition the instructions of the function in their order, the first is the
 * entry; edges are in the order of their origins, and an edge goes to a block exactly where its
 * kind is WB_PATH_ON (wb_path_graph_is_valid). Borrows all. */
struct wb_path_graph {
  const struct wb_function *function;
  struct wb_path_block *blocks;
  uint32_t block_count;
  struct wb_path_edge *edges; /* of one block: the one that falls through first */
  size_t edge_count;
};

/* Makes the graph of a function with instructions. The path ends at `place`: no edge leads on from
 * there. Linear. False: memory is out. */
bool wb_path_graph_make(const struct wb_function *function, const struct wb_path_calls *calls,
                        struct wb_path_place place, struct wb_arena *arena,
                        struct wb_path_graph *graph);

/* Whether the invariant of struct wb_path_graph holds. Linear. */
bool wb_path_graph_is_valid(const struct wb_path_graph *graph);

/* Whether the function has an instruction at the place's line, or the place's label. */
bool wb_path_graph_has(const struct wb_function *function, struct wb_path_place place);

/* The block that holds an instruction. Logarithmic. */
uint32_t wb_path_graph_block(const struct wb_path_graph *graph, uint32_t instruction);

/* The last instruction of a block. */
const struct wb_instruction *wb_path_graph_last(const struct wb_path_graph *graph, uint32_t block);

/* Whether the block only jumps to its one successor. */
bool wb_path_graph_jumps(const struct wb_path_graph *graph, uint32_t block);

/* Makes the edges of the graph a flow graph; the end is one more node. False: memory is out. */
bool wb_path_flow_make(const struct wb_path_graph *graph, struct wb_arena *arena,
                       struct wb_flow_graph *flow);

/* ---- removal of edges that the wanted paths do not take ---- */

/* Removes the edges whose kind is not in `kinds`, then those on no path from the entry to an end;
 * none is left where there is no path. Linear. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_prune(struct wb_path_graph *graph, unsigned kinds,
                                     warpbound_error *error);

/* Removes the edges by which a path would pass by the block: within the function, and in each pass
 * of the loops that hold the block. An edge that leaves such a loop before the block stays where it
 * is of the loop's test at the head, or where no other edge leaves the loop. Needs a block that an
 * edge reaches, or the entry. Edges on no path may be left: prune again. Errors:
 * WARPBOUND_FACTS_MISSING (the graph is irreducible), WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_require(struct wb_path_graph *graph, uint32_t block,
                                       const char *file, warpbound_error *error);

/* Errors: WARPBOUND_FACTS_MISSING where a loop of the graph's forest has several entries. */
warpbound_status wb_path_graph_reducible(const struct wb_path_graph *graph,
                                         const struct wb_loop_forest *forest, const char *file,
                                         warpbound_error *error);

#endif
