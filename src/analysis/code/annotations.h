/* The handle of the public header for what is known of a module's kernels beyond their code. */
#ifndef WB_ANALYSIS_CODE_ANNOTATIONS_H
#define WB_ANALYSIS_CODE_ANNOTATIONS_H

#include "analysis/code/module.h"
#include "base/list.h"
#include "flow/costs.h"
#include "flow/loop_bounds/loop_bounds.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "model/flow_facts.h"

#include <stddef.h>

/* Borrows the module, owns the rest. */
struct warpbound_annotations {
  const struct warpbound_module *module; /* of machine code */
  struct wb_flow_facts facts;            /* name NULL: none were given */
  struct wb_costs costs;
  struct wb_launch launch; /* points to the parameters and constants */
  struct wb_parameter_value *parameters;
  struct wb_constant_value *constants;
  struct wb_source_bounds *sources; /* by file of the code; NULL: none were given */
  size_t source_count;
  struct wb_list notes; /* what yielded to something else */
};

#endif
