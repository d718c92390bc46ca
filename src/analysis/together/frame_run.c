/* The longest simulated run of launches together as a file. */
#include "analysis/together/frame_run.h"

#include "analysis/launch/launch_run_claim.h"
#include "formats/launch_run/launch_run_file.h"

/* Without a graph: the step that took longest from its release. */
static uint32_t longest_of(const struct wb_frame_company *company,
                           const struct wb_simulated_launch *launch)
{
  uint32_t longest = 0;
  uint64_t most = 0;
  for (size_t s = 0; s < company->step_count; s++) {
    if (launch->step_end[s] == UINT64_MAX || launch->step_end[s] - launch->step_asked[s] <= most)
      continue;
    most = launch->step_end[s] - launch->step_asked[s];
    longest = (uint32_t)s;
  }
  return longest;
}

static warpbound_status write_run(const struct wb_frame *frame, struct wb_frame_company *company,
                                  struct wb_text *text, warpbound_error *error)
{
  struct wb_simulated_launch launch;
  struct wb_launch_run_owner owner;
  uint64_t instructions;
  uint64_t *periods = wb_arena_array(&company->arena, uint64_t, WB_TOGETHER_STEPS);
  warpbound_status status = periods != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_frame_company_prepare(company, &frame->run, &instructions, error);
  if (status == WARPBOUND_OK)
    status = wb_frame_company_run(company, &frame->run, WB_LAUNCH_RUN_EVENTS, &launch, error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t s = 0; s < company->step_count; s++)
    periods[s] = frame->rows[company->row[s]].period;
  const struct wb_simulation_options options = {.cold = company->cold,
                                                .most_events = WB_LAUNCH_RUN_EVENTS};
  status = wb_launch_run_claim_make(
      &company->code, &company->shape, &company->graph, &options, &launch,
      frame->has_graph ? WB_CHECK_RUN_NO_STEP : longest_of(company, &launch), periods, company->row,
      &owner, error);
  if (status == WARPBOUND_OK) {
    status = wb_launch_run_file_write(&owner.run, frame->launches[0].analysis->device->name, text,
                                      error);
    wb_arena_free(&owner.arena);
  }
  wb_simulated_launch_free(&launch);
  return status;
}

warpbound_status wb_frame_run_write(const struct wb_frame *frame, struct wb_text *text,
                                    warpbound_error *error)
{
  struct wb_frame_company company;
  if (frame->simulated == 0)
    return wb_fail(error, WARPBOUND_FACTS_MISSING,
                   "no run of these launches together was simulated; expected --simulate with "
                   "more warp instructions");
  warpbound_status status = wb_frame_company_make(frame, &company, error);
  if (status != WARPBOUND_OK)
    return status;
  status = write_run(frame, &company, text, error);
  wb_frame_company_free(&company);
  return status;
}
