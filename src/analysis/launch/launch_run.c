/* The longest simulated run of a launch as a file. */
#include "analysis/launch/launch_result.h"
#include "analysis/launch/launch_run_claim.h"
#include "formats/launch_run/launch_run_file.h"
#include "launch/timing/shorter_delays.h"
#include "launch/timing/timed_hits.h"

warpbound_status wb_launch_running_code(const struct wb_launch_analysis *analysis,
                                        struct wb_timed_code *hits,
                                        const struct wb_timed_code **code, warpbound_error *error)
{
  *code = &analysis->timed;
  if (analysis->timed.kept.count == 0 && analysis->timed.first.count == 0 && !analysis->cold)
    return WARPBOUND_OK;
  if (!wb_timed_code_of_hits(&analysis->timed, analysis->cold_start.pages_kept, hits))
    return wb_out_of_memory(error);
  *code = hits;
  return WARPBOUND_OK;
}

static warpbound_status write_run(const struct wb_launch_analysis *analysis,
                                  const struct wb_timed_code *code, struct wb_text *text,
                                  warpbound_error *error)
{
  const struct wb_warp_path path = {analysis->run_path, analysis->run_length};
  const struct wb_simulation_options options = {
      .policy = analysis->policy,
      .seed = analysis->run_seed,
      .laggards = analysis->run_laggards,
      .paths = &path,
      .path_count = 1,
      .cold = true,
      .balanced = analysis->balanced,
      .early_starts = analysis->run_early_starts,
      .most_events = WB_LAUNCH_RUN_EVENTS,
      .events_of_run = true,
  };
  struct wb_simulated_launch launch;
  struct wb_launch_run_owner owner;
  warpbound_status status =
      wb_launch_simulate(code, &analysis->shape, &options, NULL, &launch, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_launch_run_claim_make(code, &analysis->shape, NULL, &options, &launch,
                                    WB_CHECK_RUN_NO_STEP, NULL, NULL, &owner, error);
  if (status == WARPBOUND_OK) {
    status = wb_launch_run_file_write(&owner.run, analysis->device->name, text, error);
    wb_arena_free(&owner.arena);
  }
  wb_simulated_launch_free(&launch);
  return status;
}

warpbound_status wb_launch_run_write(const struct wb_launch_analysis *analysis,
                                     struct wb_text *text, warpbound_error *error)
{
  struct wb_timed_code hits = {0};
  struct wb_timed_code sooner = {0};
  const struct wb_timed_code *code;
  if (analysis->simulated == 0 || analysis->run_length == 0)
    return wb_fail(error, WARPBOUND_FACTS_MISSING,
                   "no run of this launch was simulated; expected --simulate with more warp "
                   "instructions, or a path that is known");
  if (analysis->pair)
    return wb_fail(error, WARPBOUND_FACTS_MISSING,
                   "files of runs have no sectors that go on by themselves: without --queues "
                   "memory there is one");
  warpbound_status status = wb_launch_running_code(analysis, &hits, &code, error);
  if (status == WARPBOUND_OK && analysis->run_shorter_delays > 0) {
    if (!wb_timed_code_shorten_delays(code, analysis->run_shorter_delays, &sooner))
      status = wb_out_of_memory(error);
    code = &sooner;
  }
  if (status == WARPBOUND_OK)
    status = write_run(analysis, code, text, error);
  wb_timed_code_free(&sooner);
  wb_timed_code_free(&hits);
  return status;
}
