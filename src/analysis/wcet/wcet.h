/* The WCET of one warp that runs alone: from machine code by the warp-level graph, loop bounds and
 * IPET to a proven bound and a worst path. */
#ifndef WB_ANALYSIS_WCET_WCET_H
#define WB_ANALYSIS_WCET_WCET_H

#include "analysis/wcet/control_flow.h"
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/work_control.h"
#include "cfg/graph/loops.h"
#include "cfg/simt_analysis.h"
#include "flow/costs.h"
#include "flow/loop_bounds/loop_bounds.h"
#include "flow/loop_bounds/loop_losses.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "ipet/facts/fact_resolution.h"
#include "ipet/solve/ipet_solve.h"
#include "linear/model_writer.h"
#include "model/code.h"
#include "model/estimate.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_wcet;

/* What changes the flow system of an analysis before it is solved: its costs, more nodes, edges and
 * limits. Nodes and edges of the graph (and of its lanes) keep their numbers, and what enters or
 * leaves a block still does so. Called for each case that is solved. */
struct wb_wcet_refinement {
  void *context;
  warpbound_status (*refine)(void *context, const struct wb_wcet *wcet,
                             struct wb_flow_system *system, warpbound_error *error);
  const char *limits; /* what its limits are, for messages: "the counts ..."; NULL: it has none */
};

/* The options of the analysis. Zero-initialise, but for default_bound. All borrowed. */
struct wb_wcet_options {
  struct wb_simt_options simt;
  const struct wb_source_bounds *sources; /* by file of the code: the loop bounds in its comments;
                                             NULL: none */
  const struct wb_flow_facts *facts;      /* the user's; NULL: none */
  bool move_facts; /* facts that were written for other code are moved by their source lines, for a
                      new file; the analysis ends there (WARPBOUND_FACTS_MISSING) */
  const struct wb_kernel_facts *assumed; /* of options: facts of loads and of calls; NULL: none */
  const struct wb_launch *launch;        /* for the bounds that the code shows; NULL: not known */
  bool no_found_bounds;                  /* leaves the bounds out that the code shows */
  bool loops_alone;       /* the analysis ends with the loops and their bounds: there is no proof */
  uint64_t default_bound; /* for loops without a bound: back edges of the warp for each entry;
                             makes the result an estimate. UINT64_MAX: such loops are errors */
  uint64_t spin_bound;    /* for loops that do nothing but wait and have no other bound: back
                             edges of a thread for each entry, an assumption; 0: none */
  const struct wb_costs *costs; /* NULL: one cycle an instruction */
  bool free_reactivations;      /* leaves the limits on reactivations out, as WCET 2023 does (an
                                   ablation):      loops are those of all edges, and need the default
                                   bound */
  const char *file;             /* the integer program is written there; NULL: nowhere */
  enum wb_linear_format format; /* of that file */
  const char *command;          /* a solver's (linear/solver.h); NULL: the built-in ones */
  enum wb_ipet_effort effort;   /* for a worst path; the bound does not depend on it */
  const struct wb_wcet_refinement *refinement; /* NULL: none */
  warpbound_barriers barriers; /* what is known of those of the warps of a block; of launches */
  bool counts_barriers; /* `launch` has all warps that barriers wait for: a barrier that names the
                           count of the block's threads is one of the whole block */
  bool no_template;     /* who asks cannot write a file of facts: messages then name who can */
};

/* The source of a loop bound. */
enum wb_bound_source {
  WB_BOUND_UNKNOWN,
  WB_BOUND_DEFAULT, /* --default-loop-bound */
  WB_BOUND_FACT,    /* a flow fact */
  WB_BOUND_SPIN,    /* --spin-bound */
  WB_BOUND_COMMENT, /* a comment or pragma in the source */
  WB_BOUND_FOUND    /* the code itself (flow/loop_bounds/loop_bounds.h) */
};

/* A loop of the forest. Owns its texts. */
struct wb_wcet_loop {
  enum wb_bound_source source;
  uint64_t bound;      /* back edges for each entry: of a thread, or of the warp where per_warp */
  uint64_t warp_bound; /* back edges of the warp for each entry */
  bool per_warp;
  uint64_t thread_bound; /* the least that is known of a thread's back edges; UINT64_MAX: none */
  bool balanced;         /* a bound of threads is one of the warp (wb_simt_loop_balanced) */
  uint64_t shown;        /* the bound of threads that the code shows, other than width_bound;
                            UINT64_MAX: none */
  uint64_t least;        /* back edges that the code shows every thread to take at least that enters
                            the loop and leaves it; 0: not known */
  uint64_t step_least, step_most; /* as in struct wb_found_bound */
  uint32_t fact_line;             /* of the fact that gives the bound, in its file; 0: none does */
  uint64_t sum; /* back edges of a thread for each entry of the loop right around this one, where
                   the code shows fewer than both bounds allow together; UINT64_MAX: none */
  bool sum_of_warp;         /* that is a bound of the warp too (wcet_sums.c) */
  bool retries;             /* the bound is by the writes of the launch: it tries `swap` again */
  uint32_t swap;            /* the instruction, where it does */
  char *reason;             /* of a bound that the code shows, for people; or NULL */
  uint64_t width_bound;     /* a bound of threads that rests on the width of a register alone, which
                               only counts where another bound is larger; UINT64_MAX: none */
  char *width_reason;       /* of that bound, or NULL */
  char *hint;               /* of a loop that the code does not bound: what would, or NULL */
  struct wb_loop_loss loss; /* of such a loop */
  char *fact;               /* of such a loop: the cheapest option or fact that may bound it, with N
                               for what is to be given, or NULL */
};

/* Owns all but the code and the function: wb_wcet_free. */
struct wb_wcet {
  struct wb_arena arena; /* owns the arrays that are in no part */
  const struct wb_code *code;
  const struct wb_function *function; /* with those linked behind it that it calls */
  struct wb_control_flow flow;
  const struct wb_warp_graph *graph; /* of flow */
  struct wb_loop_forest forest;      /* of graph */
  struct wb_wcet_loop *loops;        /* by loop of the forest */
  int64_t *assumed_calls;    /* by instruction: cycles that the code outside takes that it calls, as
                                somebody assumes; -1: nothing is assumed */
  int64_t *cycles;           /* by instruction */
  int64_t *block_cycles;     /* by block of the graph */
  int64_t *runs;             /* by block: executions on the worst path; NULL: no path was found */
  int64_t *instruction_runs; /* by instruction, over all contexts; NULL: no path was found */
  struct wb_resolved_facts facts;
  /* What the code shows of runs of blocks: that those to which no thread comes never run, and how
   * often swaps of loops run that try again. Room for two more than there are loops. */
  struct wb_ipet_fact *shown;
  size_t shown_count;
  bool *unchanged; /* by instruction: nothing writes what it loads, as somebody says; NULL:
                      nothing is said */
  bool *absent;    /* by instruction: lanes end here that come to a call that no thread
                      makes: its block never runs */
  bool *never;     /* by instruction: calls of the function that no thread makes; NULL: none that
                      is taken to fail */
  bool *fails;     /* by instruction: those of them that end the launch with an error, of which
                      nobody says anything: it is taken that none is made; NULL: none */
  bool *idle;      /* by instruction: no thread does it; NULL: not looked for */
  struct wb_instruction *copied; /* of the function, where its barriers may change; or NULL */
  bool counted_barriers; /* barriers of the block are among those that name a count of threads,
                            which warps that have ended do not leave */
  struct wb_flow_system system; /* of the worst of the cases that exclusive facts make */
  struct wb_ipet_result ipet;   /* of that case */
  size_t columns, rows;         /* of its integer program */
  size_t cases;                 /* solved, each with a proof of its own */
  struct wb_list assumptions;
  struct wb_estimate estimate; /* why the bound is not one of all executions: a loop bound was a
                                  default, or code that is called was not counted */
};

/* The kind of the bound: WARPBOUND_UPPER, or WARPBOUND_ESTIMATE where wcet->estimate has
 * reasons. */
warpbound_kind wb_wcet_bound_kind(const struct wb_wcet *wcet);

/* The first instruction of a block. */
const struct wb_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block);

/* The instruction whose source line names a loop best: the one that takes its first back edge, or
 * the first of the header where that one has no line. */
const struct wb_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop);

/* Room for the text of wb_wcet_write_loop. */
#define WB_WCET_PLACE_SIZE 200

/* "0x0100, kernel.cu:11", for messages: a loop by its address and line; or the address alone. */
void wb_wcet_write_loop(const struct wb_wcet *wcet, size_t index, char text[WB_WCET_PLACE_SIZE]);

/* The instructions of a worst path in order, as indices; the caller frees them.
 * Errors: WARPBOUND_LIMIT where it has more than `longest`, WARPBOUND_FACTS_MISSING where no
 * path is known, WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_path(const struct wb_wcet *wcet, size_t longest, uint32_t **instructions,
                              size_t *count, warpbound_error *error);

/* An exclusive fact that counts of the WCET's system break; SIZE_MAX for none. forbidden: by set,
 * it cannot run; NULL: each can. taken: by edge; NULL: all sets may run. */
size_t wb_wcet_broken_fact(const struct wb_resolved_facts *facts, const bool *forbidden,
                           const struct wb_flow_system *system, const int64_t *taken);

void wb_wcet_free(struct wb_wcet *wcet);

/* The function with those in sections of their own that it calls, linked behind it, but for calls
 * whose cycles somebody assumes. Errors: as of wb_function_link. */
warpbound_status wb_wcet_link(const struct wb_code *code, const struct wb_function *function,
                              const struct wb_wcet_options *options, struct wb_arena *arena,
                              const struct wb_function **linked, warpbound_error *error);

/* Analyses one function, with those that it calls: linked already, or linked here. On WARPBOUND_OK
 * the proof is in wcet->ipet.proof. On WARPBOUND_FACTS_MISSING (loops whose source is
 * WB_BOUND_UNKNOWN, the error names the first; facts that were moved) loops and facts are filled
 * in. In both cases the caller frees *wcet. Errors: those of the steps. */
warpbound_status wb_wcet_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error);

/* Whether the search for a path that reaches the bound came to its end. Errors: WARPBOUND_LIMIT
 * where the time limit or an interruption ended it; the bound holds. */
warpbound_status wb_wcet_check_end(const struct wb_wcet *wcet, warpbound_error *error);

#endif
