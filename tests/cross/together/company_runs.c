/* Simulated runs of tiny launches of several kernels. */
#include "analysis/launch/launch_run_claim.h"
#include "certificate/launch_run/launch_run_check.h"
#include "launch/simulation/joined_code.h"
#include "launch/simulation/launch_simulation.h"
#include "launches/small_launch.h"
#include "tiny_company.h"
#include "unit.h"

#include <inttypes.h>

#define EVENTS ((size_t)1 << 16)
#define CHECK_EVERY 4 /* runs */

/* The timing of a kernel's code. Resources have the order in which the words of the model have
 * them. */
static void make_code(const struct company *company, const struct company_kernel *kernel,
                      struct wb_timed_code *code)
{
  *code = (struct wb_timed_code){0};
  const uint8_t slot = small_resource(code, "slot", WB_LEVEL_PARTITION, 1, true);
  const uint8_t path = small_resource(code, "path", WB_LEVEL_SM, company->sm_servers, false);
  const uint8_t memory = small_resource(code, "memory", WB_LEVEL_GPU, company->gpu_servers, false);
  uint8_t awaited = 0;
  for (uint8_t i = 0; i < kernel->length; i++) {
    const struct company_instruction *at = &kernel->code[i];
    struct wb_timed_instruction *to = small_instruction(code, at->stall);
    to->barrier = at->barrier;
    to->wait_mask = awaited;
    if (at->level != COMPANY_NO_REQUEST && at->awaited) {
      to->write_scoreboard = i;
      awaited |= (uint8_t)(1U << i);
    }
    small_use(code, slot, at->hold);
    if (at->level != COMPANY_NO_REQUEST)
      small_stage(code, at->level == COMPANY_OF_SM ? path : memory, 1, at->delay, at->service);
  }
}

struct company_code {
  struct wb_timed_code own[COMPANY_KERNELS], joined;
  uint32_t steps[COMPANY_KERNELS][COMPANY_LENGTH];
  struct wb_warp_path paths[COMPANY_KERNELS];
  struct wb_simulated_kernel kernels[COMPANY_KERNELS];
  struct wb_simulated_step step[COMPANY_STEPS];
};

static void make_kernels(const struct company *company, struct company_code *code)
{
  const struct wb_timed_code *codes[COMPANY_KERNELS];
  size_t first[COMPANY_KERNELS];
  for (uint8_t k = 0; k < company->kernel_count; k++) {
    make_code(company, &company->kernels[k], &code->own[k]);
    codes[k] = &code->own[k];
  }
  assert_ok(wb_timed_code_join(codes, company->kernel_count, &code->joined, first, NULL));
  for (uint8_t k = 0; k < company->kernel_count; k++) {
    const struct company_kernel *kernel = &company->kernels[k];
    for (uint32_t i = 0; i < kernel->length; i++)
      code->steps[k][i] = (uint32_t)first[k] + i;
    code->paths[k] = (struct wb_warp_path){code->steps[k], kernel->length};
    code->kernels[k] =
        (struct wb_simulated_kernel){kernel->blocks, kernel->warps, &code->paths[k], 1};
  }
}

/* Of the same run, with one time of a step or block changed for the worse. */
static void expect_refused(struct wb_launch_run_owner *owner, uint64_t seed)
{
  struct wb_check_run_step *steps = (struct wb_check_run_step *)owner->graph.steps;
  uint64_t *placed = (uint64_t *)owner->run.placed;
  for (size_t s = 0; s < owner->graph.step_count; s++) {
    const bool launch = steps[s].kind == WB_CHECK_RUN_LAUNCH;
    uint64_t *const times[] = {&steps[s].begin, &steps[s].end, &steps[s].asked, &steps[s].gap,
                               &steps[s].cycles};
    /* A copy that waits may have been asked for later; when a launch beside the graph was, and
     * what it does not have, nothing says. */
    const bool counts[] = {true, true, launch || steps[s].kind == WB_CHECK_RUN_WAIT,
                           !steps[s].beside, !launch};
    for (size_t t = 0; t < COUNT_OF(times); t++) {
      ++*times[t];
      if (counts[t] && wb_check_launch_run(&owner->run, NULL) != WARPBOUND_CHECK_FAILED)
        fail_msg("run %" PRIu64 ": step %zu: the checker says OK to a wrong time %zu", seed, s, t);
      --*times[t];
    }
  }
  for (size_t b = 0; b < owner->run.shape.blocks; b++) {
    placed[b]++;
    if (wb_check_launch_run(&owner->run, NULL) != WARPBOUND_CHECK_FAILED)
      fail_msg("run %" PRIu64 ": the checker says OK to a block that comes late", seed);
    placed[b]--;
  }
}

/* The independent checker accepts the run, and not the same run said to take another time. */
static void check_run(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                      const struct wb_simulated_graph *graph,
                      const struct wb_simulation_options *options,
                      const struct wb_simulated_launch *run, uint64_t seed)
{
  struct wb_launch_run_owner owner;
  warpbound_error error = {0};
  assert_ok(wb_launch_run_claim_make(code, shape, graph, options, run, WB_CHECK_RUN_NO_STEP, NULL,
                                     NULL, &owner, NULL));
  if (owner.run.event_count == 0) {
    wb_arena_free(&owner.arena);
    return;
  }
  if (wb_check_launch_run(&owner.run, &error) != WARPBOUND_OK)
    fail_msg("run %" PRIu64 ": the checker refuses it: %s", seed, error.message);
  owner.run.cycles++;
  assert_int_equal(wb_check_launch_run(&owner.run, NULL), WARPBOUND_CHECK_FAILED);
  owner.run.cycles--;
  expect_refused(&owner, seed);
  wb_arena_free(&owner.arena);
}

uint64_t company_run(const struct company *company, const struct company_question *question,
                     uint64_t seed, bool *convoy)
{
  struct company_code code = {0};
  struct wb_random random = {seed};
  struct wb_simulated_launch run;
  warpbound_error error = {0};
  make_kernels(company, &code);
  const uint64_t begin = company->early ? wb_random_below(&random, 6) : 0;
  for (uint8_t s = 0; s < company->step_count; s++) {
    const struct company_step *from = &company->steps[s];
    code.step[s] = (struct wb_simulated_step){.kind = from->kind,
                                              .kernel = from->kernel,
                                              .engine = from->engine,
                                              .gap = from->gap,
                                              .cycles = from->cycles,
                                              .memory = from->memory,
                                              .after = question->after[s],
                                              .after_count = question->steps[s].after_count,
                                              .beside = from->beside,
                                              .at = begin};
    if (from->late)
      code.step[s].at = begin + wb_random_below(&random, 12);
    else if (company->early)
      code.step[s].at = wb_random_below(&random, begin + 1);
  }
  const struct wb_launch_shape shape = {
      .sms = company->sms, .partitions = company->partitions, .dispatch = company->dispatch};
  const struct wb_simulated_graph graph = {.kernels = code.kernels,
                                           .mixes = &question->mixes,
                                           .steps = code.step,
                                           .step_count = company->step_count,
                                           .begin = begin,
                                           .memory = 2};
  const struct wb_simulation_options options = {
      .policy = (enum wb_launch_policy)wb_random_below(&random, WB_LAUNCH_POLICY_COUNT),
      .seed = wb_random_next(&random),
      .laggards = wb_random_below(&random, 8),
      .most_events = seed % CHECK_EVERY == 0 ? EVENTS : 0,
      .events_of_run = true};
  *convoy = wb_launch_policy_convoys(options.policy);
  if (wb_graph_simulate(&code.joined, &shape, &graph, &options, NULL, &run, &error) !=
          WARPBOUND_OK ||
      !run.ended)
    fail_msg("seed %" PRIu64 ": the simulator fails: %s", seed, error.message);
  const uint64_t cycles = run.cycles;
  if (options.most_events > 0)
    check_run(&code.joined, &shape, &graph, &options, &run, seed);
  wb_simulated_launch_free(&run);
  for (uint8_t k = 0; k < company->kernel_count; k++)
    wb_timed_code_free(&code.own[k]);
  wb_timed_code_free(&code.joined);
  return cycles;
}
