/* The claim that a frame's bounds hold, for the independent checker. */
#include "analysis/together/frame_result.h"
#include "formats/frame/frame_file.h"

#include <string.h>

/* A claim being made. */
struct making {
  const struct wb_frame *frame;
  struct wb_arena arena;
  struct wb_launch_claim_owner *owners; /* by launch */
  size_t owned;
  struct wb_check_launch_claim *launches;
  struct wb_check_frame_mix *mixes;
  struct wb_check_frame_step *steps;
};

static uint64_t *numbers_of(struct making *making, const uint64_t *from, size_t count)
{
  uint64_t *numbers = wb_arena_array(&making->arena, uint64_t, count);
  for (size_t n = 0; n < count && numbers != NULL; n++)
    numbers[n] = from[n];
  return numbers;
}

static void make_mix(struct making *making, const struct wb_mixes *mixes,
                     struct wb_check_frame_mix *to)
{
  uint64_t most[WB_TOGETHER_KERNELS];
  for (size_t k = 0; k < mixes->kernel_count; k++)
    most[k] = mixes->most[k];
  to->most = numbers_of(making, most, mixes->kernel_count);
  to->room_count = mixes->room_count;
  for (size_t r = 0; r < mixes->room_count; r++)
    to->rooms[r] = (struct wb_check_frame_room){
        .capacity = mixes->rooms[r].capacity,
        .size = numbers_of(making, mixes->rooms[r].size, mixes->kernel_count),
        .of_partition = mixes->rooms[r].of_partition};
}

/* Streams are numbers in a claim, in the order in which they come. */
static uint32_t stream_of(const struct wb_frame *frame, size_t number)
{
  const char *stream = frame->rows[number].stream;
  uint32_t streams = 0;
  for (size_t s = 0; s <= number && stream != NULL; s++) {
    const char *other = frame->rows[s].stream;
    bool known = other == NULL;
    for (size_t o = 0; o < s && !known; o++)
      known = frame->rows[o].stream != NULL && strcmp(frame->rows[o].stream, other) == 0;
    streams += known ? 0 : 1;
    if (other != NULL && strcmp(other, stream) == 0)
      break;
  }
  return stream != NULL ? streams : 0;
}

static void make_step(const struct wb_frame *frame, size_t number, struct wb_check_frame_step *to)
{
  const struct wb_frame_row *row = &frame->rows[number];
  const bool copy = row->kind != WARPBOUND_STEP_LAUNCH;
  *to = (struct wb_check_frame_step){.copy = copy,
                                     .launch = copy ? 0 : (uint32_t)row->launch,
                                     .gap = row->gap,
                                     .cycles = row->cycles,
                                     .memory = row->memory,
                                     .engine = copy ? (uint32_t)row->kind : 0,
                                     .after = row->after,
                                     .after_count = row->after_count,
                                     .stream = stream_of(frame, number),
                                     .beside = row->beside,
                                     .period = row->period,
                                     .response = row->response};
}

static warpbound_status make(struct making *making, struct wb_check_frame_claim *claim,
                             warpbound_error *error)
{
  const struct wb_frame *frame = making->frame;
  struct wb_arena *arena = &making->arena;
  making->owners = wb_arena_array(arena, struct wb_launch_claim_owner, frame->launch_count);
  making->launches = wb_arena_array(arena, struct wb_check_launch_claim, frame->launch_count);
  making->mixes = wb_arena_array(arena, struct wb_check_frame_mix, frame->size_count);
  making->steps = wb_arena_array(arena, struct wb_check_frame_step, frame->row_count);
  for (size_t l = 0; l < frame->launch_count && !arena->failed; l++) {
    const warpbound_status status =
        wb_launch_claim_make(frame->launches[l].analysis, &making->owners[l], error);
    if (status != WARPBOUND_OK)
      return status;
    making->owned++;
    making->launches[l] = making->owners[l].claim;
  }
  for (size_t m = 0; m < frame->size_count && !arena->failed; m++)
    make_mix(making, &frame->mixes[m], &making->mixes[m]);
  for (size_t s = 0; s < frame->row_count && !arena->failed; s++)
    make_step(frame, s, &making->steps[s]);
  *claim = (struct wb_check_frame_claim){.launches = making->launches,
                                         .launch_count = frame->launch_count,
                                         .mixes = making->mixes,
                                         .mix_count = frame->own_sms ? 0 : frame->size_count,
                                         .steps = making->steps,
                                         .step_count = frame->row_count,
                                         .own_sms = frame->own_sms,
                                         .period = frame->has_graph ? frame->period : 0,
                                         .in_flight = frame->has_graph ? frame->in_flight : 1,
                                         .cycles = frame->has_graph ? frame->bound.cycles : 0};
  return arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_frame_certificate(const struct wb_frame *frame, struct wb_text *text,
                                      warpbound_error *error)
{
  struct making making = {.frame = frame};
  struct wb_check_frame_claim claim;
  const warpbound_status status = make(&making, &claim, error);
  if (status == WARPBOUND_OK)
    wb_frame_file_write(&claim, frame->launches[0].analysis->device->name, &frame->assumptions,
                        text);
  for (size_t l = 0; l < making.owned; l++)
    wb_launch_claim_free(&making.owners[l]);
  wb_arena_free(&making.arena);
  return status;
}
