/* Launches and steps of a frame: what is asked, checked and in cycles. */
#include "analysis/together/frame_steps.h"

#include "base/checked.h"
#include "launch/together/rooms.h"

#include <inttypes.h>
#include <string.h>

#define BILLION UINT64_C(1000000000)
#define MILLION UINT64_C(1000000)

/* Nanoseconds in cycles, rounded up; what does not fit is UINT64_MAX. */
static uint64_t cycles_of(const struct wb_frame *frame, uint64_t time)
{
  uint64_t cycles;
  return wb_multiply_divide_up(time, frame->clock, BILLION, &cycles) ? cycles : UINT64_MAX;
}

/* A period or deadline: rounded down, at least 1 where there is one. */
static uint64_t least_cycles_of(const struct wb_frame *frame, uint64_t time)
{
  uint64_t product;
  const uint64_t down = wb_multiply(time, frame->clock, &product)
                            ? product / BILLION
                            : wb_maximum(cycles_of(frame, time), 1) - 1;
  return wb_maximum(down, 1);
}

static warpbound_status take_launch(struct wb_frame_job *job, size_t number)
{
  struct wb_frame *frame = job->frame;
  const struct wb_frame_launch *launch = &job->question->launches[number];
  const struct wb_launch_analysis *analysis = launch->analysis;
  const struct wb_launch_analysis *first = job->question->launches[0].analysis;
  if (analysis->upper.cycles == 0 || analysis->maxima.terms.denominator == 0)
    return wb_fail(job->error, WARPBOUND_USAGE, "launch '%.100s' has no bound", launch->name);
  if (analysis->maxima.terms.kept || analysis->series || analysis->pair)
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "launch '%.100s': its bound rests on data that L2 keeps, which other launches "
                   "drive out, or on stages that are paid once; expected an analysis in company",
                   launch->name);
  if (strcmp(analysis->device->name, first->device->name) != 0 || analysis->clock != first->clock ||
      analysis->shape.partitions != first->shape.partitions ||
      analysis->shape.foreign_share != first->shape.foreign_share ||
      analysis->shape.foreign_burst != first->shape.foreign_burst ||
      (!job->question->options->own_sms && analysis->shape.sms != first->shape.sms))
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "launch '%.100s' is of another device, or of other numbers of it, than "
                   "'%.100s'",
                   launch->name, job->question->launches[0].name);
  frame->launches[number] = (struct wb_frame_launch){
      wb_arena_text(&frame->arena, launch->name, strlen(launch->name)), analysis};
  uint32_t *residents = wb_arena_array(&frame->arena, uint32_t, analysis->residencies.count);
  if (residents == NULL)
    return wb_out_of_memory(job->error);
  for (size_t r = 0; r < analysis->residencies.count; r++)
    residents[r] = analysis->residencies.items[r].occupancy.resident_blocks;
  frame->kernels[number] =
      (struct wb_together_kernel){.terms = &analysis->maxima.terms,
                                  .shape = &analysis->shape,
                                  .residents = residents,
                                  .resident_count = analysis->residencies.count};
  return WARPBOUND_OK;
}

/* The steps of the graph that it comes right after: those that are named, and the one before it of
 * its stream. */
static warpbound_status take_order(struct wb_frame_job *job, size_t number)
{
  const warpbound_step *step = &job->question->steps[number];
  struct wb_frame_row *row = &job->frame->rows[number];
  row->after = wb_arena_array(&job->frame->arena, uint32_t, step->after_count + 1);
  if (row->after == NULL)
    return wb_out_of_memory(job->error);
  for (size_t a = 0; a < step->after_count; a++) {
    if (step->after[a] >= number || job->question->steps[step->after[a]].beside)
      return wb_fail(job->error, WARPBOUND_USAGE,
                     "step '%.100s': expected to come after steps of the frame before it",
                     step->name);
    row->after[row->after_count++] = (uint32_t)step->after[a];
  }
  for (size_t s = number; s-- > 0 && step->stream != NULL;) {
    const warpbound_step *other = &job->question->steps[s];
    if (!other->beside && other->stream != NULL && strcmp(other->stream, step->stream) == 0) {
      row->after[row->after_count++] = (uint32_t)s;
      break;
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status check_step(const struct wb_frame_job *job, const warpbound_step *step)
{
  const bool launch = step->kind == WARPBOUND_STEP_LAUNCH;
  const bool copy = !launch && step->kind != WARPBOUND_STEP_HOST;
  const char *wrong = NULL;
  if (step->name == NULL || (int)step->kind < 0 || step->kind > WARPBOUND_STEP_HOST)
    return wb_fail(job->error, WARPBOUND_USAGE, "a step: expected a name and a kind");
  if (launch && step->launch >= job->question->launch_count)
    wrong = "one of the launches";
  else if (step->beside && (!launch || step->after_count > 0 || step->stream != NULL))
    wrong = "a launch alone beside the frame, without streams and order";
  else if (step->period_ns > 0 && !step->beside)
    wrong = "a period of the frame, or of launches beside it";
  else if (copy && (step->bytes > 0) != (step->rate > 0))
    wrong = "bytes and their rate";
  else if (step->memory_share > MILLION || (!copy && step->memory_share > 0))
    wrong = "a share of the memory of a copy, of at most 1000000 millionths";
  else if (job->question->options->own_sms && !step->beside)
    wrong = "launches beside each other, on SMs of their own";
  for (const warpbound_step *other = job->question->steps;
       wrong == NULL && other < step && job->question->options->own_sms; other++)
    wrong = other->launch == step->launch ? "each launch once, on SMs of its own" : NULL;
  return wrong == NULL ? WARPBOUND_OK
                       : wb_fail(job->error, WARPBOUND_USAGE, "step '%.100s': expected %s",
                                 step->name, wrong);
}

static warpbound_status take_step(struct wb_frame_job *job, size_t number)
{
  struct wb_frame *frame = job->frame;
  const warpbound_step *step = &job->question->steps[number];
  struct wb_frame_row *row = &frame->rows[number];
  uint64_t bytes = 0;
  uint64_t memory = 0;
  warpbound_status status = check_step(job, step);
  if (status != WARPBOUND_OK)
    return status;
  if (step->rate > 0 && !wb_multiply_divide_up(step->bytes, frame->clock, step->rate, &bytes))
    bytes = UINT64_MAX;
  uint64_t cycles = cycles_of(frame, step->time_ns);
  const uint64_t gap = cycles_of(frame, step->gap_ns);
  if (cycles == UINT64_MAX || !wb_add(cycles, bytes, &cycles) || gap == UINT64_MAX ||
      !wb_multiply_divide_up(cycles, step->memory_share, MILLION, &memory))
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "step '%.100s': its time does not fit into 64 bits", step->name);
  *row = (struct wb_frame_row){
      .name = wb_arena_text(&frame->arena, step->name, strlen(step->name)),
      .stream = step->stream != NULL
                    ? wb_arena_text(&frame->arena, step->stream, strlen(step->stream))
                    : NULL,
      .kind = step->kind,
      .launch = step->launch,
      .beside = step->beside,
      .gap = gap,
      .cycles = step->kind == WARPBOUND_STEP_LAUNCH ? 0 : cycles,
      .memory = memory,
      .period = step->period_ns > 0 ? least_cycles_of(frame, step->period_ns) : 0,
  };
  frame->has_graph |= !step->beside;
  return take_order(job, number);
}

warpbound_status wb_frame_input(struct wb_frame_job *job)
{
  const struct wb_frame_question *question = job->question;
  const warpbound_frame_options *options = question->options;
  struct wb_frame *frame = job->frame;
  warpbound_status status = WARPBOUND_OK;
  if (question->launch_count == 0 || question->launch_count > WB_TOGETHER_KERNELS ||
      question->step_count == 0 || question->step_count > WB_TOGETHER_STEPS)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "expected 1 to %d launches and 1 to %d steps, found %zu and %zu",
                   WB_TOGETHER_KERNELS, WB_TOGETHER_STEPS, question->launch_count,
                   question->step_count);
  frame->launch_count = question->launch_count;
  frame->row_count = question->step_count;
  frame->launches = wb_arena_array(&frame->arena, struct wb_frame_launch, frame->launch_count);
  frame->kernels = wb_arena_array(&frame->arena, struct wb_together_kernel, frame->launch_count);
  frame->rows = wb_arena_array(&frame->arena, struct wb_frame_row, frame->row_count);
  if (frame->arena.failed)
    return wb_out_of_memory(job->error);
  for (size_t l = 0; l < frame->launch_count && status == WARPBOUND_OK; l++)
    status = take_launch(job, l);
  if (status != WARPBOUND_OK)
    return status;
  frame->own_sms = options->own_sms;
  frame->clock = question->launches[0].analysis->clock;
  frame->period = options->period_ns > 0 ? least_cycles_of(frame, options->period_ns) : 0;
  frame->deadline = options->deadline_ns > 0 ? least_cycles_of(frame, options->deadline_ns) : 0;
  frame->most_in_flight = options->in_flight > 0 ? options->in_flight : 1;
  for (size_t s = 0; s < frame->row_count && status == WARPBOUND_OK; s++)
    status = take_step(job, s);
  return status == WARPBOUND_OK && frame->arena.failed ? wb_out_of_memory(job->error) : status;
}

/* ---- sizes of shared memory ---- */

/* From the largest size down, as long as it holds a block of each kernel and is what some launch
 * asks for at least: which of them SMs have while several are under way nothing says. */
warpbound_status wb_frame_sizes(struct wb_frame_job *job)
{
  struct wb_frame *frame = job->frame;
  const struct wb_device_timing *device = frame->launches[0].analysis->device;
  const struct wb_block_needs **needs =
      wb_arena_array(&frame->arena, const struct wb_block_needs *, frame->launch_count);
  const uint64_t largest = wb_device_number(device, device->residency.shared_memory);
  uint64_t least = largest;
  job->mixes = wb_arena_array(&frame->arena, struct wb_mixes, WB_CARVEOUT_LIMIT + 1);
  job->sizes = wb_arena_array(&frame->arena, uint64_t, WB_CARVEOUT_LIMIT + 1);
  if (frame->arena.failed)
    return wb_out_of_memory(job->error);
  for (size_t l = 0; l < frame->launch_count; l++) {
    const struct wb_launch_analysis *analysis = frame->launches[l].analysis;
    needs[l] = &analysis->needs;
    least = wb_minimum(least, analysis->least_carveout == WB_LARGEST_CARVEOUT
                                  ? largest
                                  : analysis->least_carveout);
  }
  uint64_t bytes = largest;
  warpbound_error none = {0};
  while (wb_rooms_find(device, needs, frame->launch_count, bytes, &job->mixes[job->size_count],
                       job->size_count == 0 ? job->error : &none) == WARPBOUND_OK) {
    job->sizes[job->size_count++] = bytes;
    if (!wb_carveout_below(device, bytes, &bytes) || bytes < least ||
        job->size_count > WB_CARVEOUT_LIMIT)
      break;
  }
  frame->mixes = job->mixes;
  frame->size_count = job->size_count;
  return job->size_count > 0 ? WARPBOUND_OK : job->error->status;
}
