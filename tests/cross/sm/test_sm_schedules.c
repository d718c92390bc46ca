/* Schedules of whole SMs as files: what a scheduler that throws dice does is accepted before and
 * after, and refused once it is another.
 *   WARPBOUND_CROSS_RUNS  ten times the instances (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/makespan/makespan_steps.h"
#include "both_checkers.h"
#include "formats/makespan/makespan_files.h"
#include "sm_trial.h"
#include "unit.h"
#include "warpbound.h"

static bool survives_its_file(struct sm_trial *trial)
{
  /* A schedule of the trial's instance, thrown from its seed. */
  struct wb_random random = {trial->seed};
  uint32_t string_of[SM_WARP_LIMIT];
  uint32_t cycles[SM_WARP_LIMIT][SM_LENGTH_LIMIT];
  struct wb_schedule schedule;
  sm_instance_random_strings(trial->instance, &random, string_of);
  assert_ok(wb_schedule_start_strings(&schedule, &trial->problem, string_of, NULL));
  schedule.makespan = sm_instance_random_schedule(trial->instance, string_of, &random, cycles);
  for (uint32_t w = 0; w < schedule.warps; w++)
    memcpy(schedule.issue_cycle + schedule.first[w], cycles[w],
           (schedule.first[w + 1] - schedule.first[w]) * sizeof cycles[w][0]);

  struct wb_text text = {0};
  warpbound_error error = {0};
  warpbound_verdict *verdict = NULL;
  wb_sm_schedule_file_write(&trial->problem, &schedule, &text);
  assert_false(text.failed);
  bool holds = wb_judge_whole_schedule(&trial->problem, &schedule, &error) == WARPBOUND_OK &&
               warpbound_verify("schedule", text.data, text.length, NULL, &verdict, &error) ==
                   WARPBOUND_OK &&
               warpbound_verdict_cycles(verdict) == schedule.makespan;
  warpbound_verdict_free(verdict);
  schedule.makespan++;
  bool refused =
      wb_judge_whole_schedule(&trial->problem, &schedule, NULL) == WARPBOUND_CHECK_FAILED;
  schedule.makespan--;
  schedule.issue_cycle[0]--;
  refused = refused &&
            wb_judge_whole_schedule(&trial->problem, &schedule, NULL) == WARPBOUND_CHECK_FAILED;
  wb_text_free(&text);
  wb_schedule_free(&schedule);
  if (!refused)
    return sm_refute(trial, "another makespan, or another first cycle, is accepted");
  return holds || sm_refute(trial, "%.200s", error.message);
}

TEST(schedules_survive_their_files)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10;
  sm_trial_run_many(sm_instance_random, survives_its_file, runs, NULL);
  sm_trial_run_many(sm_instance_random_plain, survives_its_file, runs, NULL);
}
