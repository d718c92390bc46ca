/* The pipeline of the analysis of launches together. */
#include "analysis/together/frame_steps.h"

#include "base/checked.h"

/* What a launch of the graph takes at least in some run, with a size of the shared memory of SMs:
 * what is promised whatever else runs, or, where no other launch can run beside it, the longest run
 * that was found. 0 where that is of another number of resident blocks. */
static uint64_t least_of(const struct wb_frame_job *job, const struct wb_frame_row *row,
                         size_t size)
{
  const struct wb_frame *frame = job->frame;
  const struct wb_launch_analysis *analysis = frame->launches[row->launch].analysis;
  if (row->kind != WARPBOUND_STEP_LAUNCH)
    return row->cycles;
  if (job->mixes[size].most[row->launch] != analysis->shape.resident_blocks)
    return 0;
  return frame->bound.least_full == 0 && frame->in_flight == 1 ? analysis->lower
                                                               : analysis->promised;
}

/* Some run takes the longest path at least; with one of the sizes. */
static warpbound_status find_lower(struct wb_frame_job *job)
{
  struct wb_frame *frame = job->frame;
  uint64_t *to = wb_arena_array(&frame->arena, uint64_t, frame->row_count);
  if (to == NULL)
    return wb_out_of_memory(job->error);
  for (size_t m = 0; m < job->size_count; m++) {
    for (size_t s = 0; s < frame->row_count; s++) {
      const struct wb_frame_row *row = &frame->rows[s];
      uint64_t begin = 0;
      for (size_t a = 0; a < row->after_count; a++)
        begin = wb_maximum(begin, to[row->after[a]]);
      if (!wb_add(begin, row->gap, &to[s]) || !wb_add(to[s], least_of(job, row, m), &to[s]))
        to[s] = UINT64_MAX;
      frame->lower = row->beside ? frame->lower : wb_maximum(frame->lower, to[s]);
    }
  }
  frame->lower = wb_maximum(frame->lower, frame->simulated);
  if (frame->lower > frame->bound.cycles)
    return wb_fail(job->error, WARPBOUND_INTERNAL,
                   "a run of the frame is longer than its bound: please report this frame");
  return WARPBOUND_OK;
}

warpbound_status wb_frame_analyse(const struct wb_frame_question *question, struct wb_frame *frame,
                                  warpbound_error *error)
{
  struct wb_frame_job job = {.question = question, .frame = frame, .error = error};
  *frame = (struct wb_frame){0};
  warpbound_status status = wb_frame_input(&job);
  if (status == WARPBOUND_OK)
    status = wb_frame_sizes(&job);
  if (status == WARPBOUND_OK)
    status = wb_frame_times(&job);
  if (status == WARPBOUND_OK)
    status = wb_frame_simulate(&job);
  if (status == WARPBOUND_OK && frame->has_graph)
    status = find_lower(&job);
  if (status == WARPBOUND_OK)
    status = wb_frame_assume(&job);
  if (status != WARPBOUND_OK)
    wb_frame_free(frame);
  return status;
}

void wb_frame_free(struct wb_frame *frame)
{
  wb_list_free(&frame->assumptions);
  wb_estimate_free(&frame->estimate);
  wb_estimate_free(&frame->lower_estimate);
  wb_arena_free(&frame->arena);
  *frame = (struct wb_frame){0};
}
