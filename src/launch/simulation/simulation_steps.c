/* What comes after what in a simulated run: the steps of a graph, and launches beside it. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

/* The one launch of a run without a graph. */
static bool make_one(struct wb_launch_machine *machine, uint64_t *budget)
{
  const struct wb_launch_shape *const shape = machine->shape;
  const struct wb_simulation_options *const options = machine->options;
  machine->member_count = 1;
  machine->members = wb_launch_take(machine, budget, 1, sizeof *machine->members);
  if (machine->failed)
    return false;
  machine->members[0] = (struct wb_launch_member){.blocks = shape->blocks,
                                                  .block_warps = shape->block_warps,
                                                  .paths = options->paths,
                                                  .path_count = options->path_count,
                                                  .released = true};
  machine->block_count = shape->blocks;
  machine->stride = shape->block_warps;
  return true;
}

bool wb_launch_make_steps(struct wb_launch_machine *machine, uint64_t *budget)
{
  const struct wb_simulated_graph *const graph = machine->graph;
  if (graph == NULL)
    return make_one(machine, budget);
  const size_t count = graph->step_count;
  machine->member_count = (uint32_t)count;
  machine->members = wb_launch_take(machine, budget, count, sizeof *machine->members);
  machine->steps = wb_launch_take(machine, budget, count, sizeof *machine->steps);
  machine->copies = wb_launch_take(machine, budget, count, sizeof *machine->copies);
  for (size_t s = 0; s < count && !machine->failed; s++) {
    const struct wb_simulated_step *const step = &graph->steps[s];
    machine->steps[s] = (struct wb_launch_step){
        .waits = step->after_count, .asked = UINT64_MAX, .begin = UINT64_MAX, .end = UINT64_MAX};
    machine->steps_left += !step->beside;
    machine->members[s].first_block = machine->block_count;
    if (step->memory > 0 && graph->memory < machine->code->resource_count)
      machine->copies[s] = (struct wb_request_stage){
          .resource = graph->memory,
          .requests =
              (uint16_t)wb_minimum(machine->code->resources[graph->memory].servers, UINT16_MAX),
          .service = (uint32_t)wb_minimum(step->memory, WB_TIME_LIMIT)};
    if (step->kind != WB_STEP_LAUNCH)
      continue;
    const struct wb_simulated_kernel *const kernel = &graph->kernels[step->kernel];
    machine->members[s] = (struct wb_launch_member){.blocks = kernel->blocks,
                                                    .block_warps = kernel->block_warps,
                                                    .kernel = step->kernel,
                                                    .first_sm = kernel->first_sm,
                                                    .sms = kernel->sms,
                                                    .paths = kernel->paths,
                                                    .path_count = kernel->path_count,
                                                    .first_block = machine->block_count};
    machine->overflow |= !wb_add(machine->block_count, kernel->blocks, &machine->block_count);
    machine->stride = (uint32_t)wb_maximum(machine->stride, kernel->block_warps);
  }
  return !machine->failed;
}

/* Something happens to the step at `time`, in this cycle or later. */
static void wake_at(struct wb_launch_machine *machine, uint32_t step, enum wb_step_wake what,
                    uint64_t time)
{
  wb_time_wheel_push(&machine->wheel, wb_maximum(time, machine->wheel.now), WB_WAKE_STEP, step,
                     (uint16_t)what);
}

/* All that the step comes after has ended by `time`. */
static void ask_after(struct wb_launch_machine *machine, uint32_t step, uint64_t time)
{
  uint64_t asked;
  machine->overflow |= !wb_add(time, machine->graph->steps[step].gap, &asked);
  if (!machine->overflow)
    wake_at(machine, step, WB_STEP_ASKED, asked);
}

void wb_launch_begin_steps(struct wb_launch_machine *machine)
{
  const struct wb_simulated_graph *const graph = machine->graph;
  for (uint32_t s = 0; graph != NULL && s < graph->step_count; s++) {
    const struct wb_simulated_step *const step = &graph->steps[s];
    if (step->beside)
      wake_at(machine, s, WB_STEP_ASKED, step->at);
    else if (step->after_count == 0)
      ask_after(machine, s, graph->begin);
  }
}

/* An engine serves one copy at a time, and takes the next one that waits. */
static void serve_copies(struct wb_launch_machine *machine, uint32_t engine)
{
  const struct wb_simulated_graph *const graph = machine->graph;
  const bool last_first = machine->options->seed % 2 != 0;
  if (machine->engine_until[engine] > machine->wheel.now)
    return;
  for (uint32_t i = 0; i < graph->step_count; i++) {
    const uint32_t s = last_first ? (uint32_t)graph->step_count - 1 - i : i;
    const struct wb_simulated_step *const step = &graph->steps[s];
    struct wb_launch_step *const state = &machine->steps[s];
    if (step->kind != WB_STEP_COPY || step->engine != engine || state->asked == UINT64_MAX ||
        state->begin != UINT64_MAX)
      continue;
    state->begin = machine->wheel.now;
    machine->engine_until[engine] = machine->wheel.now + step->cycles;
    wb_launch_start_copy(machine, s);
    wake_at(machine, s, WB_STEP_OVER, machine->engine_until[engine]);
    return;
  }
}

static void ask(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_simulated_step *const step = &machine->graph->steps[number];
  struct wb_launch_step *const state = &machine->steps[number];
  if (step->beside && machine->steps_left == 0)
    return;
  state->asked = machine->wheel.now;
  if (step->kind == WB_STEP_LAUNCH) {
    wake_at(machine, number, WB_STEP_BEGINS, machine->wheel.now + machine->shape->overhead);
  } else if (step->kind == WB_STEP_COPY) {
    serve_copies(machine, step->engine);
  } else {
    state->begin = machine->wheel.now;
    wake_at(machine, number, WB_STEP_OVER, machine->wheel.now + step->cycles);
  }
}

/* The step ends; those that come after it may be asked for. */
static void end_step(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_simulated_graph *const graph = machine->graph;
  machine->steps[number].end = machine->wheel.now;
  machine->steps_left -= !graph->steps[number].beside;
  if (graph->steps[number].kind == WB_STEP_COPY)
    serve_copies(machine, graph->steps[number].engine);
  for (uint32_t s = number + 1; s < graph->step_count; s++) {
    for (size_t a = 0; a < graph->steps[s].after_count; a++) {
      if (graph->steps[s].after[a] == number && --machine->steps[s].waits == 0)
        ask_after(machine, s, machine->wheel.now);
    }
  }
}

void wb_launch_step_wakes(struct wb_launch_machine *machine, uint32_t step, enum wb_step_wake what)
{
  switch (what) {
  case WB_STEP_ASKED:
    ask(machine, step);
    break;
  case WB_STEP_BEGINS:
    machine->steps[step].begin = machine->wheel.now;
    machine->members[step].released = true;
    machine->left = true;
    break;
  case WB_STEP_OVER:
    end_step(machine, step);
    break;
  }
}

void wb_launch_try_end(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_launch_member *const member = &machine->members[number];
  if (machine->graph != NULL && member->ended_blocks == member->blocks && member->flights == 0)
    wake_at(machine, number, WB_STEP_OVER, member->end);
}
