/* The lower ends of launches together: runs of the simulator with all of them
 * (doc/launches/launch-simulation.md, "Launches together"). */
#include "analysis/together/frame_run.h"

#include "base/checked.h"
#include "base/random.h"

/* Most runs; and rules of a seed for the dispatch: where blocks go, and whose come first. */
#define MOST_RUNS 96
#define SEED_RULES 54

/* ---- what runs ---- */

static warpbound_status join_codes(struct wb_frame_company *company, warpbound_error *error)
{
  const struct wb_frame *frame = company->frame;
  const struct wb_timed_code *codes[WB_TOGETHER_KERNELS];
  struct wb_timed_code *hits =
      wb_arena_array(&company->arena, struct wb_timed_code, frame->launch_count);
  warpbound_status status = hits != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  size_t made = 0;
  for (; made < frame->launch_count && status == WARPBOUND_OK; made++) {
    hits[made] = (struct wb_timed_code){0};
    status =
        wb_launch_running_code(frame->launches[made].analysis, &hits[made], &codes[made], error);
  }
  if (status == WARPBOUND_OK)
    status = wb_timed_code_join(codes, frame->launch_count, &company->code, company->first, error);
  for (size_t l = 0; hits != NULL && l < made; l++)
    wb_timed_code_free(&hits[l]);
  return status;
}

/* The path of each launch, all of whose warps take it. */
static warpbound_status take_kernels(struct wb_frame_company *company, warpbound_error *error)
{
  const struct wb_frame *frame = company->frame;
  uint32_t sms = 0;
  for (size_t l = 0; l < frame->launch_count; l++) {
    const struct wb_launch_analysis *analysis = frame->launches[l].analysis;
    uint32_t *steps = wb_arena_array(&company->arena, uint32_t, analysis->run_length);
    if (steps == NULL)
      return wb_out_of_memory(error);
    for (size_t i = 0; i < analysis->run_length; i++)
      steps[i] = analysis->run_path[i] + (uint32_t)company->first[l];
    company->paths[l] = (struct wb_warp_path){steps, analysis->run_length};
    company->kernels[l] = (struct wb_simulated_kernel){.blocks = analysis->shape.blocks,
                                                       .block_warps = analysis->shape.block_warps,
                                                       .paths = &company->paths[l],
                                                       .path_count = 1};
    company->cold |= analysis->cold;
    if (!frame->own_sms)
      continue;
    company->kernels[l].first_sm = sms;
    company->kernels[l].sms = analysis->shape.sms;
    sms += analysis->shape.sms;
  }
  company->shape = *frame->kernels[0].shape;
  company->shape.sms = frame->own_sms ? sms : company->shape.sms;
  return WARPBOUND_OK;
}

warpbound_status wb_frame_company_make(const struct wb_frame *frame,
                                       struct wb_frame_company *company, warpbound_error *error)
{
  *company = (struct wb_frame_company){.frame = frame};
  warpbound_status status = join_codes(company, error);
  if (status == WARPBOUND_OK)
    status = take_kernels(company, error);
  company->steps = wb_arena_array(&company->arena, struct wb_simulated_step, WB_TOGETHER_STEPS);
  company->row = wb_arena_array(&company->arena, size_t, WB_TOGETHER_STEPS);
  if (status == WARPBOUND_OK && company->arena.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_frame_company_free(company);
  return status;
}

void wb_frame_company_free(struct wb_frame_company *company)
{
  wb_timed_code_free(&company->code);
  wb_arena_free(&company->arena);
  *company = (struct wb_frame_company){0};
}

/* ---- one run ---- */

static void add_step(struct wb_frame_company *company, size_t row, struct wb_simulated_step step)
{
  if (company->step_count == WB_TOGETHER_STEPS)
    return;
  company->row[company->step_count] = row;
  company->steps[company->step_count++] = step;
}

/* Until when launches beside others are released. */
static uint64_t horizon_of(const struct wb_frame *frame, uint64_t begin)
{
  uint64_t longest = frame->has_graph ? frame->bound.cycles : 0;
  for (size_t s = 0; s < frame->row_count && !frame->has_graph; s++)
    longest = wb_maximum(longest, frame->rows[s].response);
  return wb_plus(begin, longest);
}

/* A launch beside others, as often as its period allows. Without a graph it is a step that comes
 * after nothing. */
static void add_beside(struct wb_frame_company *company, size_t number, uint64_t at, uint64_t until)
{
  const struct wb_frame_row *row = &company->frame->rows[number];
  const bool beside = company->frame->has_graph;
  do {
    add_step(company, number,
             (struct wb_simulated_step){.kind = WB_STEP_LAUNCH,
                                        .kernel = (uint32_t)row->launch,
                                        .gap = beside ? 0 : at,
                                        .beside = beside,
                                        .at = at});
    at = wb_plus(at, row->period);
  } while (row->period > 0 && at < until && company->step_count < WB_TOGETHER_STEPS);
}

/* The steps of a run. Those of the graph first, with the numbers of their rows among its own. */
static void make_steps(struct wb_frame_company *company, const struct wb_frame_run *run,
                       uint32_t *place)
{
  const struct wb_frame *frame = company->frame;
  const uint64_t until = horizon_of(frame, run->begin);
  struct wb_random random = {run->at};
  company->step_count = 0;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (row->beside)
      continue;
    uint32_t *after = &place[frame->row_count + company->order_count];
    place[s] = (uint32_t)company->step_count;
    for (size_t a = 0; a < row->after_count; a++)
      after[a] = place[row->after[a]];
    company->order_count += row->after_count;
    const bool copy = row->kind != WARPBOUND_STEP_LAUNCH;
    add_step(company, s,
             (struct wb_simulated_step){.kind = copy ? WB_STEP_COPY : WB_STEP_LAUNCH,
                                        .kernel = (uint32_t)row->launch,
                                        .engine = copy ? (uint32_t)row->kind : 0,
                                        .gap = row->gap,
                                        .cycles = row->cycles,
                                        .memory = row->memory,
                                        .after = after,
                                        .after_count = row->after_count});
  }
  for (size_t s = 0; s < frame->row_count; s++) {
    const uint64_t drawn = wb_random_below(&random, wb_plus(until - run->begin, run->begin) + 1);
    if (frame->rows[s].beside)
      add_beside(company, s, run->at == 0 ? run->begin : drawn, until);
  }
}

/* Warp instructions of a run, at most. */
static uint64_t length_of(const struct wb_frame_company *company)
{
  uint64_t length = 0;
  for (size_t s = 0; s < company->step_count; s++) {
    const struct wb_simulated_step *step = &company->steps[s];
    const struct wb_simulated_kernel *kernel = &company->kernels[step->kernel];
    if (step->kind == WB_STEP_LAUNCH)
      length = wb_plus(
          length, wb_times(wb_times(kernel->blocks, kernel->block_warps), kernel->paths[0].length));
  }
  return length;
}

warpbound_status wb_frame_company_prepare(struct wb_frame_company *company,
                                          const struct wb_frame_run *run, uint64_t *instructions,
                                          warpbound_error *error)
{
  const struct wb_frame *frame = company->frame;
  size_t orders = frame->row_count;
  for (size_t s = 0; s < frame->row_count; s++)
    orders += frame->rows[s].after_count;
  if (company->place == NULL)
    company->place = wb_arena_array(&company->arena, uint32_t, orders);
  if (company->place == NULL)
    return wb_out_of_memory(error);
  company->order_count = 0;
  make_steps(company, run, company->place);
  company->graph = (struct wb_simulated_graph){
      .kernels = company->kernels,
      .mixes = &frame->mixes[run->mix],
      .steps = company->steps,
      .step_count = company->step_count,
      .begin = run->begin,
      .memory = (uint8_t)frame->launches[0].analysis->device->memory,
  };
  *instructions = length_of(company);
  return WARPBOUND_OK;
}

warpbound_status wb_frame_company_run(const struct wb_frame_company *company,
                                      const struct wb_frame_run *run, size_t events,
                                      struct wb_simulated_launch *launch, warpbound_error *error)
{
  const struct wb_simulation_options options = {
      .policy = run->policy,
      .seed = run->seed,
      .laggards = run->laggards,
      .cold = company->cold,
      .balanced = company->frame->launches[0].analysis->balanced,
      .early_starts = wb_launch_policy_convoys(run->policy) && run->seed % 2 == 0,
      .most_events = events,
      .events_of_run = true,
  };
  return wb_graph_simulate(&company->code, &company->shape, &company->graph, &options, NULL, launch,
                           error);
}

/* ---- the search for long runs ---- */

struct search {
  struct wb_frame *frame;
  struct wb_frame_company company;
  uint64_t left; /* warp instructions that may be simulated */
  warpbound_error *error;
};

/* What a run shows of the graph, whose bound the caller compares, and of launches beside it. */
static warpbound_status take_run(struct search *search, const struct wb_frame_run *run,
                                 const struct wb_simulated_launch *launch)
{
  struct wb_frame *frame = search->frame;
  uint64_t longest = frame->has_graph ? launch->cycles : 0;
  bool wrong = false;
  for (size_t s = 0; s < search->company.step_count; s++) {
    struct wb_frame_row *row = &frame->rows[search->company.row[s]];
    if (!row->beside || launch->step_end[s] == UINT64_MAX)
      continue;
    const uint64_t taken = launch->step_end[s] - launch->step_asked[s];
    row->response_lower = wb_maximum(row->response_lower, taken);
    wrong |= taken > row->response;
    longest = frame->has_graph ? longest : wb_maximum(longest, taken);
  }
  if (longest > frame->simulated) {
    frame->simulated = longest;
    frame->run = *run;
  }
  return wrong ? wb_fail(search->error, WARPBOUND_INTERNAL,
                         "a run of the launches is longer than their bound: please report this "
                         "frame")
               : WARPBOUND_OK;
}

/* Runs it if what is left of the instructions allows; more: whether it did. */
static warpbound_status try_run(struct search *search, const struct wb_frame_run *run, bool *more)
{
  struct wb_simulated_launch launch = {0};
  uint64_t length;
  warpbound_status status = wb_frame_company_prepare(&search->company, run, &length, search->error);
  *more = status == WARPBOUND_OK && length <= search->left;
  if (!*more)
    return status;
  search->left -= length;
  status = wb_frame_company_run(&search->company, run, 0, &launch, search->error);
  if (status == WARPBOUND_OK && launch.ended)
    status = take_run(search, run, &launch);
  wb_simulated_launch_free(&launch);
  return status;
}

/* Another run near the longest one. */
static struct wb_frame_run next_run(const struct wb_frame *frame, struct wb_random *random)
{
  struct wb_frame_run run = frame->run;
  const uint64_t what = wb_random_below(random, 4);
  if (what == 0) {
    run.policy = WB_LAUNCH_LAGGING;
    run.laggards ^= UINT64_C(1) << wb_random_below(random, 64);
  } else if (what == 1) {
    run.seed = wb_random_below(random, SEED_RULES);
  } else if (what == 2) {
    run.policy = (enum wb_launch_policy)wb_random_below(random, WB_LAUNCH_POLICY_COUNT);
  } else {
    const uint64_t longest = horizon_of(frame, 0);
    run.begin = frame->has_graph ? wb_random_below(random, longest / 2 + 1) : 0;
    run.at = wb_random_below(random, 3) == 0 ? 0 : wb_random_next(random);
  }
  return run;
}

/* Each policy with each size of the shared memory, then runs near the longest. */
static warpbound_status search_runs(struct search *search)
{
  const struct wb_frame *frame = search->frame;
  struct wb_random random = {1};
  warpbound_status status = WARPBOUND_OK;
  bool more = true;
  for (size_t m = 0; m < frame->size_count && more; m++) {
    for (unsigned p = 0; p < WB_LAUNCH_POLICY_COUNT && status == WARPBOUND_OK && more; p++) {
      const struct wb_frame_run run = {
          .policy = (enum wb_launch_policy)p, .seed = 1, .laggards = 1, .mix = m};
      status = try_run(search, &run, &more);
    }
  }
  for (size_t r = 0; r < MOST_RUNS && status == WARPBOUND_OK && more && frame->simulated > 0; r++) {
    const struct wb_frame_run run = next_run(frame, &random);
    status = try_run(search, &run, &more);
  }
  return status;
}

/* What of a launch beside others is known without runs of all: its run alone, with a size of shared
 * memory that SMs can have. */
static void take_alone(struct wb_frame *frame)
{
  for (size_t s = 0; s < frame->row_count; s++) {
    struct wb_frame_row *row = &frame->rows[s];
    const struct wb_launch_analysis *analysis = frame->launches[row->launch].analysis;
    for (size_t m = 0; m < frame->size_count && row->beside; m++) {
      if (frame->mixes[m].most[row->launch] == analysis->shape.resident_blocks)
        row->response_lower = analysis->lower;
    }
  }
}

warpbound_status wb_frame_simulate(struct wb_frame_job *job)
{
  struct search search = {.frame = job->frame, .error = job->error};
  bool known = true;
  take_alone(job->frame);
  for (size_t l = 0; l < job->frame->launch_count; l++) {
    const struct wb_launch_analysis *analysis = job->frame->launches[l].analysis;
    known = known && analysis->run_length > 0;
    search.left = wb_plus(search.left, analysis->simulate);
  }
  if (!known || search.left == 0)
    return WARPBOUND_OK;
  warpbound_error none = {0};
  if (wb_frame_company_make(job->frame, &search.company, &none) != WARPBOUND_OK)
    return none.status == WARPBOUND_INTERNAL ? wb_fail_with(job->error, &none) : WARPBOUND_OK;
  const warpbound_status status = search_runs(&search);
  wb_frame_company_free(&search.company);
  return status;
}
