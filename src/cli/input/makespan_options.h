/* The options of the commands on makespans. */
#ifndef WB_CLI_INPUT_MAKESPAN_OPTIONS_H
#define WB_CLI_INPUT_MAKESPAN_OPTIONS_H

#include "cli/options/options.h"
#include "cli/output/outputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The question beside the kernel and the SM. Zero-initialise; not to be copied once read. */
struct makespan_options {
  struct limits limits; /* with the method and what belongs to methods */
  uint32_t first_warps; /* the range of --warps */
  uint32_t last_warps;
  bool is_table;     /* a range was given, be it of one number */
  uint32_t blocks;   /* 1 unless given; divides a number of the range */
  size_t fair_first; /* --fair-blocks */
  size_t fair_length;
  size_t fair_count; /* 0: none was given */
};

/* Reads them; `command` is makespan, simulate or ilp. Borrows texts of the arguments. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (a file has what is wrong). */
warpbound_status makespan_options_read(const struct arguments *arguments, unsigned command,
                                       struct makespan_options *options, warpbound_error *error);

#endif
