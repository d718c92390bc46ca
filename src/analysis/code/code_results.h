/* The handles of the public header for what analyses of a kernel's code find. */
#ifndef WB_ANALYSIS_CODE_CODE_RESULTS_H
#define WB_ANALYSIS_CODE_CODE_RESULTS_H

#include "analysis/code/module.h"
#include "analysis/launch/launch_result.h"
#include "analysis/paths/paths.h"
#include "analysis/wcet/control_flow.h"
#include "analysis/wcet/wcet.h"
#include "base/list.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "flow/paths/kernel_path.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The control flow of a function and the options that it was analysed with. Borrows the module's
 * code. */
struct warpbound_control_flow {
  struct wb_control_flow flow;
  struct wb_simt_options options;
};

/* The WCET of one warp. Where facts are missing, wcet has loops and facts, but no proof. */
struct warpbound_wcet {
  const struct warpbound_module *module; /* borrowed */
  struct wb_wcet wcet;
  struct wb_simt_options options;
  const struct warpbound_annotations *annotations; /* borrowed; NULL: none */
};

/* The analysis of a launch. Where facts are missing, analysis has loops and facts, but no bound. */
struct warpbound_launch {
  const struct warpbound_module *module; /* borrowed */
  struct wb_launch_analysis analysis;    /* must not be moved */
  struct wb_simt_options options;
  const struct warpbound_annotations *annotations; /* borrowed; NULL: none */
};

/* The paths of a kernel and the string of the one that is shown. */
struct warpbound_paths {
  const struct warpbound_module *module; /* borrowed */
  size_t function;                       /* of the module */
  struct wb_kernel_string string;
  char *text;                  /* the string with counts */
  struct wb_kernel_path path;  /* of PTX: the path that was walked */
  struct wb_paths machine;     /* of machine code: all paths, and the worst one of one warp */
  struct wb_simt_options simt; /* of machine code: the analysis of its control flow */
  struct wb_estimate estimate; /* why string and paths are no more than that */
  struct wb_list assumptions;  /* that the string rests on */
};

/* A step of a trace. */
struct wb_trace_step {
  uint32_t instruction; /* index in the function */
  uint32_t next;        /* the one that runs after it; UINT32_MAX: none */
  uint32_t active;      /* mask of lanes that are at the instruction */
  uint32_t doing;       /* those of them that do it */
  uint32_t next_active; /* mask of lanes that are at the next one */
  uint32_t depth;       /* entries of the activation stack before the step */
  uint32_t matched;     /* the instruction at which the lanes of a pop wait; else UINT32_MAX */
  bool split;           /* some active lanes did a control instruction, and some did not */
  bool reactivated;     /* lanes that waited run next */
  uint64_t group;       /* from sm_70 on: the number of the group that does it; else 0, as are the
                         * next ones */
  uint64_t scope;       /* that the step makes; 0: none */
  uint32_t unbound; /* mask of lanes that wait in no scope, for their register is bound to none */
  uint32_t result_count; /* groups that the step makes */
  size_t first_result;   /* into the trace's results */
};

/* A run of the interpreter. Owns steps and results. */
struct warpbound_trace {
  const struct wb_code *code; /* borrowed */
  const struct wb_function *function;
  uint64_t seed;
  uint32_t lanes;
  struct wb_trace_step *steps;
  size_t step_count;
  size_t step_capacity;
  uint64_t splits;
  uint64_t reactivations;
  uint32_t deepest; /* most entries of the activation stack */
  bool ended;       /* all lanes came to their end */

  /* From sm_70 on. */
  bool groups;                     /* the steps are of groups of lanes */
  struct wb_group_run_options how; /* what was asked; without visitor */
  struct wb_group_run run;         /* how it ended */
  struct wb_group_result *results; /* of all steps */
  size_t result_count;             /* results */
  size_t result_capacity;          /* room for results */
  uint64_t releases;               /* groups that were let go after they had waited */
  uint64_t most_groups;            /* at one time */
};

#endif
