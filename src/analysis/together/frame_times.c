/* The times of a frame and of what repeats beside it, which are bounds for each other: the least
 * fixed point, from below (doc/launches/together.md, "Again and again" and "Several frames"). */
#include "analysis/together/frame_steps.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

/* Rounds until nothing grows any more. */
#define MOST_ROUNDS 1000

/* The question of one round. */
struct asking {
  struct wb_frame_job *job;
  struct wb_together_step *steps;
  uint32_t *orders; /* all that steps come after, of all of them */
  size_t order_count;
  size_t count;
  bool too_many;
};

static bool is_copy(const struct wb_frame_row *row)
{
  return row->kind != WARPBOUND_STEP_LAUNCH;
}

static struct wb_together_step step_of(const struct wb_frame_row *row)
{
  return (struct wb_together_step){.kind = is_copy(row) ? WB_STEP_COPY : WB_STEP_LAUNCH,
                                   .kernel = (uint32_t)row->launch,
                                   .gap = row->gap,
                                   .cycles = row->cycles,
                                   .memory = row->memory,
                                   .engine = is_copy(row) ? (uint32_t)row->kind : 0};
}

static struct wb_together_step *add(struct asking *asking, struct wb_together_step step)
{
  if (asking->count == WB_TOGETHER_STEPS) {
    asking->too_many = true;
    return &asking->steps[0];
  }
  asking->steps[asking->count] = step;
  return &asking->steps[asking->count++];
}

/* So many of them may be under way in [0, time), and so many be released after 0. */
static void add_beside(struct asking *asking, const struct wb_frame_row *row, uint64_t under_way,
                       uint64_t late)
{
  struct wb_together_step step = step_of(row);
  step.times = under_way;
  step.late = wb_minimum(late, under_way);
  step.gap = 0;
  if (under_way > 0)
    (void)add(asking, step);
}

static void add_repeated(struct asking *asking, const struct wb_frame_row *row, uint64_t period,
                         uint64_t response, uint64_t time)
{
  const uint64_t window = wb_plus(time, response);
  if (period == 0)
    add_beside(asking, row, 1, 1);
  else
    add_beside(asking, row, window / period + 1, time / period + 1);
}

/* A step of the frames beside a launch: of each frame that is under way in [0, time) it may be
 * released at any time, so of all of them after 0, also of those that began before. */
static void add_of_frames(struct asking *asking, const struct wb_frame_row *row, uint64_t time)
{
  const struct wb_frame *frame = asking->job->frame;
  const uint64_t frames =
      frame->period == 0 ? 1 : wb_plus(time, frame->bound.cycles) / frame->period + 1;
  add_beside(asking, row, frames, frames);
}

/* ---- the graph ---- */

/* The last step of the stream in the frame. */
static size_t last_of_stream(const struct wb_frame *frame, const char *stream)
{
  size_t last = frame->row_count;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (!row->beside && row->stream != NULL && strcmp(row->stream, stream) == 0)
      last = s;
  }
  return last;
}

static bool is_first_of_stream(const struct wb_frame *frame, size_t number)
{
  const char *stream = frame->rows[number].stream;
  for (size_t s = 0; s < number && stream != NULL; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (!row->beside && row->stream != NULL && strcmp(row->stream, stream) == 0)
      return false;
  }
  return stream != NULL;
}

/* One frame, which began `earlier` cycles ago at least; before: by row, its step of the frame
 * before; NULL: none. place: by row, set. */
static void add_frame(struct asking *asking, uint64_t earlier, const uint32_t *before,
                      uint32_t *place)
{
  const struct wb_frame *frame = asking->job->frame;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (row->beside)
      continue;
    place[s] = (uint32_t)asking->count;
    struct wb_together_step *step = add(asking, step_of(row));
    step->after = &asking->orders[asking->order_count];
    for (size_t a = 0; a < row->after_count; a++)
      asking->orders[asking->order_count++] = place[row->after[a]];
    const bool follows = is_first_of_stream(frame, s); /* the frame before, whichever is asked */
    if (before != NULL && follows)
      asking->orders[asking->order_count++] = before[last_of_stream(frame, row->stream)];
    step->after_count = (size_t)(&asking->orders[asking->order_count] - step->after);
    /* Of a gap that begins with the frame so much is over; one behind a stream's last step of a
     * frame before may just begin. */
    if (step->after_count == 0 && !follows)
      step->gap -= wb_minimum(step->gap, earlier);
    if (asking->too_many)
      return;
  }
}

/* The frame in question is the last of those that may be under way when it begins; later ones begin
 * while it is. */
static void ask_graph(struct asking *asking, uint32_t in_flight, uint32_t *place)
{
  const struct wb_frame *frame = asking->job->frame;
  const uint64_t time = frame->bound.cycles;
  uint32_t before[WB_TOGETHER_STEPS] = {0};
  asking->count = asking->order_count = 0;
  for (uint32_t f = 0; f < in_flight && !asking->too_many; f++) {
    add_frame(asking, wb_times(in_flight - 1 - f, frame->period), f > 0 ? before : NULL, place);
    memcpy(before, place, sizeof before);
  }
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (row->beside)
      add_repeated(asking, row, row->period, row->response, time);
    else if (frame->period > 0)
      add_beside(asking, row, time / frame->period, time / frame->period);
  }
}

/* A launch beside the graph is the question: all others are beside it. */
static void ask_beside(struct asking *asking, size_t number)
{
  const struct wb_frame *frame = asking->job->frame;
  const uint64_t time = frame->rows[number].response;
  asking->count = asking->order_count = 0;
  (void)add(asking, step_of(&frame->rows[number]));
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    struct wb_frame_row copy = *row;
    copy.cycles = 0; /* no launch waits for an engine, but for the memory that copies hold */
    if (s != number && row->beside)
      add_repeated(asking, row, row->period, row->response, time);
    else if (s != number && (row->kind == WARPBOUND_STEP_LAUNCH || row->memory > 0))
      add_of_frames(asking, &copy, time);
  }
}

static warpbound_status evaluate(struct asking *asking, struct wb_together_bound *bound)
{
  struct wb_frame_job *job = asking->job;
  const struct wb_launch_shape *shape = job->frame->kernels[0].shape;
  if (asking->too_many)
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "expected at most %d steps of all frames that are in flight", WB_TOGETHER_STEPS);
  const struct wb_together_question question = {.kernels = job->frame->kernels,
                                                .mixes = job->mixes,
                                                .mix_count = job->size_count,
                                                .steps = asking->steps,
                                                .step_count = asking->count,
                                                .foreign_share = shape->foreign_share,
                                                .foreign_burst = shape->foreign_burst};
  return wb_together_evaluate(&question, bound, job->error);
}

/* ---- own SMs ---- */

static warpbound_status evaluate_apart(struct wb_frame_job *job, size_t number, uint64_t *cycles)
{
  struct wb_frame *frame = job->frame;
  const struct wb_frame_row *row = &frame->rows[number];
  const struct wb_launch_analysis *analysis = frame->launches[row->launch].analysis;
  struct wb_together_kernel kernels[WB_TOGETHER_KERNELS];
  uint64_t times[WB_TOGETHER_KERNELS] = {0};
  struct wb_launch_shape shape = analysis->shape;
  memcpy(kernels, frame->kernels, frame->launch_count * sizeof *kernels);
  kernels[row->launch].shape = &shape;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *other = &frame->rows[s];
    times[other->launch] =
        other->period == 0 ? 1 : wb_plus(row->response, other->response) / other->period + 1;
  }
  *cycles = 0;
  for (size_t r = 0; r < analysis->residencies.count; r++) {
    struct wb_apart_bound bound;
    shape.resident_blocks = analysis->residencies.items[r].occupancy.resident_blocks;
    const warpbound_status status =
        wb_apart_evaluate(kernels, frame->launch_count, row->launch, times, shape.foreign_share,
                          shape.foreign_burst, &bound, job->error);
    if (status != WARPBOUND_OK)
      return status;
    *cycles = wb_maximum(*cycles, bound.cycles);
  }
  return WARPBOUND_OK;
}

/* ---- rounds ---- */

static warpbound_status ask_row(struct asking *asking, size_t number, bool *grew)
{
  struct wb_frame_job *job = asking->job;
  struct wb_frame_row *row = &job->frame->rows[number];
  struct wb_together_bound bound = {.cycles = 0};
  uint64_t cycles = 0;
  warpbound_status status = WARPBOUND_OK;
  if (job->frame->own_sms) {
    status = evaluate_apart(job, number, &cycles);
  } else {
    ask_beside(asking, number);
    status = evaluate(asking, &bound);
    cycles = bound.cycles;
  }
  if (status != WARPBOUND_OK)
    return status;
  *grew |= cycles > row->response;
  row->response = wb_maximum(row->response, cycles);
  if (row->period > 0 && row->response > row->period)
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "launch '%.100s' beside the others may take %" PRIu64
                   " cycles, more than its period of %" PRIu64 ": it would meet itself",
                   row->name, row->response, row->period);
  return WARPBOUND_OK;
}

static warpbound_status ask_frame(struct asking *asking, uint32_t *place, bool *grew)
{
  struct wb_frame_job *job = asking->job;
  struct wb_frame *frame = job->frame;
  struct wb_together_bound *bound = wb_arena_array(&frame->arena, struct wb_together_bound, 1);
  if (bound == NULL)
    return wb_out_of_memory(job->error);
  uint64_t flights = 1;
  if (frame->period > 0)
    flights = wb_maximum(1, wb_divide_up(frame->bound.cycles, frame->period));
  if (flights > frame->most_in_flight)
    return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                   "the frame may take %" PRIu64 " cycles: in its period of %" PRIu64
                   " it would begin %" PRIu64 " times, more than the %" PRIu32
                   " that may be in flight",
                   frame->bound.cycles, frame->period, flights, frame->most_in_flight);
  frame->in_flight = (uint32_t)flights;
  ask_graph(asking, frame->in_flight, place);
  const warpbound_status status = evaluate(asking, bound);
  if (status != WARPBOUND_OK)
    return status;
  *grew |= bound->cycles > frame->bound.cycles;
  const uint64_t before = frame->bound.cycles;
  if (bound->cycles >= before) {
    frame->bound = *bound;
    frame->shared_memory = job->sizes[bound->mix];
  }
  return WARPBOUND_OK;
}

/* What the bound says of the steps of the last frame. */
static void take_rows(struct wb_frame *frame, const uint32_t *place)
{
  for (size_t s = 0; s < frame->row_count; s++) {
    struct wb_frame_row *row = &frame->rows[s];
    if (row->beside)
      continue;
    const uint32_t step = place[s];
    row->weight = frame->bound.weight[step];
    row->slack = frame->bound.slack[step];
    row->critical = frame->bound.critical[step];
    row->piece = frame->bound.piece[step];
    for (size_t a = 0; a < row->after_count; a++) {
      const struct wb_frame_row *before = &frame->rows[row->after[a]];
      row->begin = wb_maximum(row->begin, wb_plus(before->begin, before->weight));
    }
  }
}

warpbound_status wb_frame_times(struct wb_frame_job *job)
{
  struct wb_frame *frame = job->frame;
  struct asking asking = {.job = job};
  uint32_t place[WB_TOGETHER_STEPS] = {0};
  bool grew = true;
  size_t most = WB_TOGETHER_STEPS;
  for (size_t s = 0; s < frame->row_count; s++)
    most += (frame->rows[s].after_count + 1) * WB_TOGETHER_STEPS;
  asking.steps = wb_arena_array(&frame->arena, struct wb_together_step, WB_TOGETHER_STEPS);
  asking.orders = wb_arena_array(&frame->arena, uint32_t, most);
  if (frame->arena.failed)
    return wb_out_of_memory(job->error);
  frame->in_flight = 1;
  for (unsigned round = 0; grew; round++) {
    warpbound_status status = WARPBOUND_OK;
    grew = false;
    if (round == MOST_ROUNDS)
      return wb_fail(job->error, WARPBOUND_INVALID_INPUT,
                     "the times of what repeats still grow after %d rounds", MOST_ROUNDS);
    for (size_t s = 0; s < frame->row_count && status == WARPBOUND_OK; s++) {
      if (frame->rows[s].beside)
        status = ask_row(&asking, s, &grew);
    }
    if (status == WARPBOUND_OK && frame->has_graph)
      status = ask_frame(&asking, place, &grew);
    if (status != WARPBOUND_OK)
      return status;
  }
  take_rows(frame, place);
  return WARPBOUND_OK;
}
