/* The handles of the public header for measured times and the WCET from them. */
#ifndef WB_ANALYSIS_HYBRID_HYBRID_HANDLE_H
#define WB_ANALYSIS_HYBRID_HYBRID_HANDLE_H

#include "analysis/code/module.h"
#include "analysis/hybrid/hybrid_result.h"
#include "formats/times/times_file.h"

/* Owns the times. */
struct warpbound_times {
  struct wb_times times;
};

/* Borrows module and times. */
struct warpbound_hybrid {
  const struct warpbound_module *module;
  struct wb_hybrid hybrid;
  bool bounded; /* the analysis came to its end */
};

#endif
