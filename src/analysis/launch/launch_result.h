/* The analysis of a whole launch: its options and its result. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_RESULT_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_RESULT_H

#include "analysis/launch/launch_maxima.h"
#include "analysis/paths/paths.h"
#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text.h"
#include "base/work_control.h"
#include "flow/accesses/access_offsets.h"
#include "flow/accesses/accesses.h"
#include "launch/bounds/launch_formula.h"
#include "launch/occupancy/occupancy.h"
#include "launch/simulation/launch_simulation.h"
#include "launch/timing/cold_start.h"
#include "launch/timing/warp_times.h"
#include "model/devices/device_timing.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The question. All borrowed. */
struct wb_launch_question {
  struct wb_wcet_options wcet; /* bounds of loops, facts; its launch has grid and block, which
                                  must be known */
  const struct wb_device_timing *device;   /* with what the user set */
  const warpbound_launch_options *options; /* all else */
};

/* The bound on a launch of which it is not known how many blocks reside on an SM. */
struct wb_launch_upper {
  struct wb_launch_bound bound;             /* the greatest */
  size_t worst;                             /* its residency, the first of several */
  uint64_t cycles[WB_CARVEOUT_LIMIT + 1];   /* of each residency */
  uint32_t resident[WB_CARVEOUT_LIMIT + 1]; /* blocks that reside on an SM then */
};

/* Whether all accesses lie in the buffers that the launch declares. */
struct wb_launch_buffers {
  struct wb_access_offset *offsets; /* by access */
  uint32_t outside;                 /* the first instruction that need not be in one */
  const char *why_outside;          /* for people; NULL: there is no such instruction */
  bool kept;                        /* the upper end rests on data that L2 keeps: timed.kept */
  uint64_t needed;          /* bytes of L2 that would keep all data of the launch; 0: not known */
  const char *why_not_kept; /* for people; NULL: they are */
  bool first_kept;          /* the upper end rests on data that first caches keep: timed.first */
  uint64_t *block_lines;    /* by buffer: lines that a block accesses at most, as addresses show;
                               UINT64_MAX: not known; NULL: not asked */
  uint64_t *launch_lines;   /* the same of all blocks together */
  uint64_t first_needed;    /* bytes of each that would keep all data of the launch; 0: not asked */
  const char *why_not_first; /* for people; NULL: they are, or nobody says that they keep any */
};

/* How the lower end is known. */
enum wb_launch_lower_method {
  WB_LOWER_CHAIN,     /* blocks one after the other in a slot, each at least one warp's own steps */
  WB_LOWER_RESOURCE,  /* the work of a resource over its servers */
  WB_LOWER_SIMULATION /* a run of the simulator */
};

/* What a smaller number would be worth. */
enum wb_sensitivity_kind { WB_SENSITIVE_LOOP, WB_SENSITIVE_VALUE };

struct wb_launch_sensitivity {
  enum wb_sensitivity_kind kind;
  size_t index;    /* of the loop of the WCET's forest, or of the device's value */
  uint64_t now;    /* the loop's bound of the warp, or the value */
  double per_unit; /* cycles of the upper end for each unit less */
  double tenth;    /* cycles of the upper end for 10 % less */
};

/* What may be done about a part of the upper end, for people. */
struct wb_launch_advice {
  uint32_t instruction; /* the first that it is about; UINT32_MAX: the launch */
  double cycles;        /* of the upper end that it is about; advices may share some */
  const char *words;
};

/* Something that a launch without a bound lacks. */
struct wb_missing_fact {
  const char *option; /* that gives it, with N for a number; or a line of a file of flow facts */
  const char *reason; /* for people */
  bool fact;          /* it is such a line */
};

/* The result. Owns all but code, function and the question's things; wb_launch_analysis_free.
 * Invariant: lower <= upper.cycles. */
struct wb_launch_analysis {
  struct wb_arena arena; /* owns the arrays that are in no part */
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_device_timing *device;
  uint32_t grid[3], block[3];
  struct wb_paths paths; /* paths.wcet has graph, loops, facts */
  struct wb_accesses accesses;
  struct wb_launch launch; /* with the declared buffers */
  struct wb_launch_buffers buffers;
  struct wb_block_needs needs;
  struct wb_residencies residencies; /* all that can be */
  struct wb_launch_upper uppers;     /* the upper ends of each of them */
  struct wb_occupancy occupancy;     /* of the residency with the greatest */
  uint32_t least_carveout;           /* as asked for */
  bool series;                       /* the upper end is by stages in series, */
  bool pair;                         /* or by a pair of the GPU's resources, and smaller than: */
  uint64_t upper_without_series;     /* without them; 0 where nobody asked for them */
  bool balanced;                     /* a block goes to an SM with the fewest */
  bool cold; /* nothing of the launch is in caches when it begins: what it fetches is in timed */
  struct wb_cold_start cold_start;
  struct wb_timed_code timed;
  bool
      *value_used; /* by value of the device: it was read on the way to the bracket and its times */
  uint64_t clock;  /* Hz of the SMs */
  bool *interleaved; /* by node of paths.system: other groups of lanes may run in between */
  bool *common;      /* by instruction: each warp comes to it before it ends */
  bool *ends;        /* by node of paths.system: lanes may end after it */
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  struct wb_launch_shape shape;       /* of the residency with the greatest upper end */
  struct wb_launch_bound upper;       /* of the launch: the greatest of all residencies */
  struct wb_launch_bound block_alone; /* of one block alone */
  warpbound_kind upper_kind;          /* WARPBOUND_UPPER; an estimate where that has reasons: */
  struct wb_estimate upper_estimate;
  uint64_t lower;            /* cycles */
  warpbound_kind lower_kind; /* WARPBOUND_LOWER; an estimate where that has reasons: */
  struct wb_estimate lower_estimate;
  enum wb_launch_lower_method lower_method;
  uint64_t promised; /* cycles that some run takes at least whatever else runs meanwhile: chains of
                        a slot, or the work of a resource; 0: none is known */
  enum wb_launch_policy policy; /* of the longest simulated run, */
  uint64_t run_seed;            /* its seed, */
  uint64_t run_laggards;        /* which warps of each block lag behind, by bit, */
  bool run_early_starts;        /* whether blocks start while they wait for the dispatcher, */
  uint32_t run_shorter_delays;  /* and by how many sixteenths delays before resources of the GPU
                                   are shorter than the most */
  uint64_t simulated;           /* the longest simulated run; 0: none */
  uint64_t simulate;            /* most warp instructions of all simulated runs */
  uint64_t shortest_run; /* the fewest warp instructions that a simulated run has; 0: no path is
                            known that can be simulated */
  uint32_t *run_path;    /* the instructions of the path that all warps of the longest simulated run
                            take; where none was, of a path that is known; NULL: of none */
  size_t run_length;
  struct wb_simulated_launch worst_run; /* that run again with its events, if asked for */
  double
      *instruction_cycles; /* by instruction: its cycles on the paths of the upper end, in the parts
                              of the bound in which it counts, times how often they count */
  struct wb_launch_sensitivity *sensitivity; /* the most valuable first */
  size_t sensitivity_count;
  struct wb_launch_advice *advice; /* that of most cycles first; the arena owns all */
  size_t advice_count;
  struct wb_missing_fact *missing; /* of a launch that lacks facts; the arena owns all */
  size_t missing_count;
  struct wb_list assumptions; /* all of them; first those of values, then those of the machine */
  size_t value_assumptions, machine_assumptions; /* how many */
  double seconds;
};

/* The pipeline. *analysis must not be moved afterwards: parts point to others. On WARPBOUND_OK, on
 * WARPBOUND_FACTS_MISSING (with paths.wcet as of wb_wcet_analyse, and all that is missing) and on
 * WARPBOUND_LIMIT with an upper end (the bracket is valid, less was simulated) the caller frees
 * *analysis; else it is empty. Errors: those of the steps; WARPBOUND_FACTS_MISSING also where
 * registers or shared memory of the kernel or the sizes of the launch are not known. */
warpbound_status wb_launch_analyse(const struct wb_code *code, const struct wb_function *function,
                                   const struct wb_launch_question *question,
                                   const struct wb_control *control,
                                   struct wb_launch_analysis *analysis, warpbound_error *error);
void wb_launch_analysis_free(struct wb_launch_analysis *analysis);

/* Instructions whose addresses are based on a declared buffer, and those of them that are shown to
 * lie in it. */
struct wb_buffer_use {
  size_t accesses, within;
};
struct wb_buffer_use wb_launch_buffer_use(const struct wb_launch_analysis *analysis, size_t buffer);

/* Whether all that passes the L2, but instructions and constants, lies in the declared buffers:
 * "shown"; "assumed", where addresses are based on them; "unknown". */
const char *wb_launch_buffers_verdict(const struct wb_launch_analysis *analysis);

/* How many lines of a buffer the launch accesses at most, by its bytes and, where that was asked,
 * by addresses; at least 1. */
uint64_t wb_launch_lines_used(const struct wb_launch_analysis *analysis, size_t buffer);
/* How many lines of a buffer a block accesses at most, by all that is known; at least 1. */
uint64_t wb_block_lines_used(const struct wb_launch_analysis *analysis, size_t buffer);
/* Whether that number is the one that is said of the buffer, and less than addresses show. */
bool wb_block_lines_are_said(const struct wb_launch_analysis *analysis, size_t buffer);

/* The most aligned granules of so many bytes (sectors, lines, pages) that the declared buffers
 * touch. Whether there are some, and all that passes the L2 but instructions and constants lies in
 * them. */
bool wb_launch_buffers_granules(const struct wb_launch_analysis *analysis, uint64_t bytes,
                                uint64_t *count);

/* The code of a launch as it runs where all that caches keep is there: that of the analysis, or one
 * that *hits owns. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_launch_running_code(const struct wb_launch_analysis *analysis,
                                        struct wb_timed_code *hits,
                                        const struct wb_timed_code **code, warpbound_error *error);

/* Writes the longest simulated run, for the checker of runs. Errors: WARPBOUND_FACTS_MISSING where
 * none was simulated, WARPBOUND_LIMIT where it has too many events, WARPBOUND_INTERNAL. The caller
 * checks text->failed. */
warpbound_status wb_launch_run_write(const struct wb_launch_analysis *analysis,
                                     struct wb_text *text, warpbound_error *error);

/* The claim that the launch takes at most analysis->upper.cycles. Errors: WARPBOUND_INTERNAL
 * (memory), with nothing to free. */
warpbound_status wb_launch_claim_make(const struct wb_launch_analysis *analysis,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error);

#endif
