/* The handles of the public header for parsed inputs: modules, kernels and annotations. */
#ifndef WB_ANALYSIS_CODE_MODULE_H
#define WB_ANALYSIS_CODE_MODULE_H

#include "base/list.h"
#include "flow/costs.h"
#include "flow/loop_bounds/loop_bounds.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/sources/signatures.h"
#include "model/code.h"
#include "model/flow_facts.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of a module, as its accessors show it. */
struct wb_module_function {
  const char *name; /* in the code's pool; "" for a string */
  char *demangled;  /* owned; NULL where the name is not mangled */
  size_t index;     /* in the code */
  size_t instruction_count;
  uint32_t sm; /* 52 for sm_52; 0: not known */
  bool kernel;
};

/* Invariant: of string and code the one of the form is filled, the other is zero. Owns all of it.
 */
struct warpbound_module {
  warpbound_input_form form;
  struct wb_kernel_string string;
  struct wb_code code;
  struct wb_module_function *functions; /* those with instructions */
  size_t function_count;
  struct wb_list assumptions; /* of the options that it was read with */
};

/* Invariant: function < module->function_count. Borrows the module. */
struct warpbound_kernel {
  const struct warpbound_module *module;
  size_t function;
};

/* The function of machine code; the module is of that form. */
static inline const struct wb_function *
wb_machine_function_of(const struct warpbound_kernel *kernel)
{
  const struct warpbound_module *module = kernel->module;
  return &module->code.functions[module->functions[kernel->function].index];
}

/* What is known of a module's kernels beyond their code. Borrows the module, owns the rest. */
struct warpbound_annotations {
  const struct warpbound_module *module; /* of machine code */
  struct wb_flow_facts facts;            /* name NULL: none were given */
  struct wb_costs costs;
  struct wb_kernel_facts assumed; /* of loads; names are in those of facts */
  struct wb_launch launch;        /* points to the parameters, names and constants */
  struct wb_parameter_value *parameters;
  struct wb_constant_value *constants;
  struct wb_signatures signatures; /* of kernels in the sources */
  struct wb_parameter_name *names; /* the launch's, to be changed */
  size_t name_capacity;
  struct wb_source_bounds *sources; /* by file of the code; NULL: none were given */
  size_t source_count;
  struct wb_list notes; /* what yielded to something else */
};

#endif
