/* What the commands on makespans share: reading the question, analysing it for each number
 * of warps, printing the answer and writing its files. */
#ifndef WB_CLI_COMMANDS_MAKESPAN_JOB_H
#define WB_CLI_COMMANDS_MAKESPAN_JOB_H

#include "analysis/makespan/makespan_analysis.h"
#include "cli/options/options.h"

/* Adds what a command asks of the analysis beyond what all share. */
typedef warpbound_status makespan_setup(const struct arguments *arguments,
                                        struct wb_analysis_options *options,
                                        warpbound_error *error);

/* Runs a command from its arguments to its output. */
warpbound_status makespan_job_run(struct arguments *arguments, unsigned command,
                                  makespan_setup *setup, warpbound_error *error);

/* The options of the integer program, as far as the command knows them; sets the method. */
warpbound_status integer_options_read(const struct arguments *arguments,
                                      struct wb_analysis_options *options, warpbound_error *error);

#endif
