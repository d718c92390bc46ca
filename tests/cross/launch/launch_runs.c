#include "launch_runs.h"

#include "random_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define EVENTS ((size_t)1 << 16)

void launch_run(const struct tiny_launch *launch, const struct run_choice *choice,
                struct wb_simulated_launch *run)
{
  uint32_t steps[TINY_PATHS][TINY_LENGTH];
  struct wb_warp_path paths[TINY_PATHS];
  for (size_t p = 0; p < launch->path_count; p++) {
    for (uint32_t i = 0; i < launch->paths[p].length; i++)
      steps[p][i] = launch->paths[p].step[i];
    paths[p] = (struct wb_warp_path){steps[p], launch->paths[p].length};
  }
  const struct wb_simulation_options options = {.policy = choice->policy,
                                                .seed = choice->seed,
                                                .paths = paths,
                                                .path_count = launch->path_count,
                                                .shorter = choice->shorter,
                                                .most_events = choice->events ? EVENTS : 0};
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error;
  if (wb_launch_simulate(&launch->code, &launch->shape, &options, &control, run, &error) ==
          WARPBOUND_OK &&
      run->ended)
    return;
  struct wb_text text = {0};
  tiny_launch_print(launch, &text);
  fail_msg("%s, seed %llu: the simulator fails: %s\n%s", wb_launch_policy_name(choice->policy),
           (unsigned long long)choice->seed, run->ended ? error.message : "not ended", text.data);
}
