/* The common part of the commands on makespans: reading the question, having it answered for each
 * number of warps, printing the answer and writing its files. */
#ifndef WB_CLI_COMMANDS_MAKESPAN_JOB_H
#define WB_CLI_COMMANDS_MAKESPAN_JOB_H

#include "cli/options/options.h"

/* Runs makespan, simulate or ilp, by its bit, from its arguments to its output. */
warpbound_status makespan_job_run(struct arguments *arguments, unsigned command,
                                  warpbound_error *error);

#endif
