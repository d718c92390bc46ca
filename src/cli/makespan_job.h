/* What the commands on makespans share: reading the question, analysing it for each number
 * of warps, printing the answer and writing its files. */
#ifndef WB_CLI_MAKESPAN_JOB_H
#define WB_CLI_MAKESPAN_JOB_H

#include "analysis.h"
#include "cli/options.h"

/* Adds what a command asks of the analysis beyond what all share. */
typedef warpbound_status makespan_setup(const struct arguments *arguments,
                                        struct wb_analysis_options *options,
                                        warpbound_error *error);

/* Runs a command from its arguments to its output; setup may be NULL. */
warpbound_status makespan_job_run(struct arguments *arguments, unsigned command,
                                  makespan_setup *setup, warpbound_error *error);

#endif
