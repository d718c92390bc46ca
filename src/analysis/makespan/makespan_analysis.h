/* The pipeline from an instance to its bracket, and the result object that every
 * writer prints. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H

#include "analysis/makespan/known.h"
#include "base/control.h"
#include "base/list.h"
#include "base/status.h"
#include "makespan/annealing/annealing.h"
#include "makespan/ilp/integer_analysis.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "makespan/potential/potential.h"
#include "model/instance.h"
#include "sm/machine/sm_schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bound with the strings that it points to owned by nobody (static), and for the
 * tractable bound the y that it was computed from (else 0). */
struct wb_named_bound {
  warpbound_bound bound;
  uint32_t y;
};

struct wb_bound_list {
  struct wb_named_bound *items;
  size_t count;
  size_t capacity;
};

/* What the searches cost. */
struct wb_search_cost {
  uint64_t states;       /* decided, over all searches */
  uint64_t peak_states;  /* of the largest table */
  uint64_t memory_bytes; /* of the largest table */
  double seconds;        /* of the whole analysis */
};

/* The paths that warps may take, where they are several. strings: how many different ones are
 * known; all: there are no others. shown: which of them the instance is made of, and the lower end
 * is a schedule of, unless `mixed`: then its warps take several; static. */
struct wb_path_summary {
  bool several;
  bool all;
  bool mixed;
  size_t strings;
  const char *shown;
};

struct wb_path_certificate;

/* bounds: proven ones in the order in which they were found; published: formulas of
 * the literature. lower <= T(W) <= upper always holds of the two ends.
 * witness: the longest schedule found (of one partition), checked; witness_method
 * names its maker; witness.issue_cycle is NULL where there is none. It may be
 * shorter than `lower` where that is known without a schedule.
 * whole_witness: the same for the whole SM (instance->whole), where the question is about it: it is
 * then the witness, and `witness` is empty; its issue_cycle is NULL where there is none.
 * phases: the distinct phases between barriers, in the order of their first, where the bracket is
 * the sum of theirs (then `witness`, potential and cut are theirs, not its); else NULL.
 * potential: the best potential found, whose cycles are `upper` or more; its `cycles` is 0
 * where there is none.
 * line: of a table over several numbers of warps, which asks for it once (known): what is proven of
 * every W, the warps of a partition where there are several.
 * cut[0 .. cut_count-1]: lengths of pieces of the string whose run abstraction alone proves
 * cut_cycles, the least such number; NULL where there is none.
 * integer: the integer program, where one was asked for (its schedule is the witness then).
 * assumptions: what the result rests on beyond the instance's own.
 * notes: what was left out and why. stop: why the work ended early, if it did.
 * simulated, policy: as asked of the analysis (simulate_only). annealed: whether
 * annealing was done; annealing: its runs (their witness is offered like any other).
 * paths: of a kernel of machine code. certificate: of a bound over all paths (it borrows the
 * wb_paths that it was made of), NULL where the upper end is none.
 * instance is borrowed and must outlive the result, unless it is owned_instance. */
struct warpbound_result {
  const struct wb_instance *instance;
  struct wb_instance *owned_instance;
  struct wb_bound_list bounds;
  struct wb_bound_list published;
  warpbound_bound lower;
  warpbound_bound upper;
  bool exact;
  struct wb_schedule witness;
  struct wb_sm_schedule whole_witness;
  const char *witness_method;
  struct wb_phase *phases;
  size_t phase_count;
  struct wb_potential_proof potential;
  struct wb_potential_line line;
  uint32_t *cut;
  size_t cut_count;
  uint64_t cut_cycles;
  struct wb_search_cost search;
  struct wb_integer_result integer;
  struct wb_list assumptions;
  struct wb_list notes;
  enum wb_stop stop;
  bool simulated;
  const struct wb_policy *policy;
  bool annealed;
  struct wb_annealing_result annealing;
  struct wb_path_summary paths;
  struct wb_path_certificate *certificate;
};

/* A distinct phase between barriers. kernel: its string before normalisation, the barrier that ends
 * it read as N; times: how often the whole string has it. tail: where no cap can bind, the N at its
 * end, which each warp issues right after what is before them: instance and result are about the
 * string without them, and the phase takes `tail` cycles more. Owns all. */
struct wb_phase {
  struct wb_kernel_string kernel;
  uint64_t times;
  size_t tail;
  struct wb_instance instance;
  struct warpbound_result result;
};

/* certify: look for a certificate of the upper end where no search has left one.
 * known: what earlier analyses of the same string and configuration found, for fewer and
 * more warps; this one asks it and adds to it (NULL: none), down to `fewest` warps.
 * simulate_only: policies alone make the lower end (no search, no templates), and
 * whatever they cost is spent; policy: the one, or NULL for each of them.
 * annealing: for the method `anneal`; its guide_memory is set by the analysis.
 * anneal_closed: anneal even where the bracket is closed before, for its convergence.
 * fewer_warps: look for the exact T(y) of fewer warps, for the literature's formulas, even where
 * the bracket is closed without a search. integer: for the method `ilp`, where the integer program
 * takes the place of the searches. */
struct wb_analysis_options {
  warpbound_options limits;
  bool simulate_only;
  const struct wb_policy *policy;
  struct wb_integer_options integer;
  bool certify;
  struct wb_known *known;
  uint32_t fewest;
  struct wb_annealing_options annealing;
  bool anneal_closed;
  bool fewer_warps;
};

/* Runs the pipeline. WARPBOUND_OK and WARPBOUND_LIMIT leave a valid bracket in
 * *result, to be freed with wb_result_clear; after any other status it is empty.
 * WARPBOUND_LIMIT: the bracket is open and a limit that the user set, the method
 * `exact`, or an interruption is why.
 * Errors: WARPBOUND_INVALID_INPUT (a bound does not fit in 64 bits; a solver's answer cannot
 * be read), WARPBOUND_USAGE (the horizon; a file or a solver command that does not work),
 * WARPBOUND_CHECK_FAILED (a solver's answer is refuted), WARPBOUND_INTERNAL (memory; a schedule of
 * ours that the checker refuses). */
warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error);
void wb_result_clear(struct warpbound_result *result);

/* The ends of a phase's bracket, its tail included; false where one does not fit into 64 bits. */
bool wb_phase_ends(const struct wb_phase *phase, uint64_t *lower, uint64_t *upper);

/* Forgets the phases of a result that is about more than their string. */
void wb_result_drop_phases(struct warpbound_result *result);

/* Cycles of the witness, whether of one partition or of the whole SM; 0 where there is none. */
uint64_t wb_result_witness(const struct warpbound_result *result);

#endif
