/* `warpbound makespan`, `warpbound simulate` and `warpbound ilp`. */
#include "cli/commands/commands.h"

#include "cli/commands/makespan_job.h"

warpbound_status command_makespan(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_MAKESPAN, error);
}

warpbound_status command_simulate(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_SIMULATE, error);
}

warpbound_status command_ilp(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_ILP, error);
}
