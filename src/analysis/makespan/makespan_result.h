/* The result of a makespan analysis: bounds, bracket, schedules and proofs. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_RESULT_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_RESULT_H

#include "base/arena.h"
#include "base/list.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/ilp/integer_program.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "makespan/potential/potential_proof.h"
#include "model/instance.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_named_bound {
  warpbound_bound bound; /* its strings are static */
  uint32_t y;            /* of the tractable bound: the warps that it was computed from; else 0 */
};

/* In the order in which they were found. */
struct wb_bound_list {
  struct wb_named_bound *items;
  size_t count;
  size_t capacity;
  bool failed; /* sticky: one was lost for want of memory */
};

struct wb_search_cost {
  uint64_t states;       /* decided, over all searches */
  uint64_t peak_states;  /* of the largest table */
  uint64_t memory_bytes; /* of the largest table */
  double seconds;        /* of the whole analysis */
};

/* The paths that warps may take, where they are several. */
struct wb_path_summary {
  bool several;
  bool all;          /* all strings of paths are known */
  bool mixed;        /* the lower end is of warps that take several paths */
  size_t strings;    /* different ones that are known */
  const char *shown; /* the path that the instance is made of; static. The lower end is of it
                        unless `mixed` */
};

struct wb_path_certificate;

/* Invariants: lower.cycles <= T(W) <= upper.cycles, where the kinds of the ends say so;
 * exact: they are equal and proven. witness is of one partition, whole_witness of the whole SM; at
 * most one of them is a schedule (issue_cycle is not NULL), and it may be shorter than `lower`
 * where that is known without a schedule. Where the bracket is the sum of those of phases, the
 * witness, potential and cut are theirs. Owns all but the instance. */
struct warpbound_result {
  const struct wb_instance *instance; /* borrowed; must outlive the result */
  struct wb_instance *owned_instance; /* NULL, or `instance`, which is then the result's own */
  struct wb_bound_list bounds;        /* proven ones and estimates */
  struct wb_bound_list published;     /* formulas of the literature */
  warpbound_bound lower;
  warpbound_bound upper;
  bool exact;
  struct wb_schedule witness; /* the longest schedule found, checked */
  struct wb_schedule whole_witness;
  const char *witness_method; /* the name of what found it; static */
  struct wb_phase *phases;    /* distinct phases between barriers, in the order of their
                                 first; NULL where the bracket is not their sum */
  size_t phase_count;
  struct wb_potential_proof potential; /* the best one; its cycles are 0 where there is none */
  struct wb_potential_line line;       /* a bound of every W, where a table asked for it (known);
                                          of the warps of a partition where there are several */
  uint32_t *cut;                       /* lengths of pieces of the string, whose run abstraction
                                          proves cut_cycles; NULL for none */
  size_t cut_count;
  uint64_t cut_cycles; /* the least that such a cut proves */
  struct wb_search_cost search;
  struct wb_integer_result integer; /* the integer program, where one was asked for */
  struct wb_list assumptions;       /* of the result beyond the instance's own */
  struct wb_list notes;             /* each step that was left out, with the reason */
  enum wb_stop stop;                /* why the work ended early */
  bool simulated;                   /* warpbound_options.policies_only */
  const struct wb_policy *policy;   /* wb_analysis_options.policy */
  bool annealed;
  struct wb_annealing_result annealing;    /* the runs of annealing, where it was done */
  struct wb_path_summary paths;            /* of a kernel of machine code */
  struct wb_path_certificate *certificate; /* of a bound over all paths; borrows the wb_paths that
                                              it was made of; NULL where the upper end is none */
};

/* A distinct phase between barriers. Owns all. */
struct wb_phase {
  struct wb_kernel_string kernel; /* before normalisation; the barrier that ends it is an N */
  uint64_t times;                 /* the phases of the whole string that are this one */
  size_t tail; /* where no cap can bind: the N at its end, one cycle each, that each warp issues
                  right after the rest; instance and result are about the string without them */
  struct wb_instance instance;
  struct warpbound_result result;
};

/* Frees what the result owns and leaves it empty. */
void wb_result_clear(struct warpbound_result *result);

/* The ends of a phase's bracket in cycles, its tail included; false where one does not fit into 64
 * bits. */
bool wb_phase_ends(const struct wb_phase *phase, uint64_t *lower, uint64_t *upper);

/* Frees the phases of a result that is about more than their string. */
void wb_result_drop_phases(struct warpbound_result *result);

/* The cycles of the witness, of one partition or of the whole SM; 0 where there is none. */
uint64_t wb_result_witness(const struct warpbound_result *result);

/* The certificate of a bound over all paths: a claim for the independent checker. */

/* The flow system and the proofs that the claim names are borrowed from the analysis of the
 * paths. */
struct wb_path_certificate {
  struct wb_check_paths_claim claim;
  struct wb_arena arena; /* owns letters and maxima */
};

#endif
