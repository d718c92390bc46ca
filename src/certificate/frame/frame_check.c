/* Claims of bounds on launches together: their launches and steps, and whether the bound follows.
 */
#include "certificate/frame/frame_claim.h"

#include "base/arena.h"
#include "base/checked.h"
#include "certificate/frame/frame_bound.h"
#include "certificate/frame/frame_mixes.h"
#include "certificate/launch/launch_fetches.h"

#include <inttypes.h>
#include <string.h>

/* ---- launches ---- */

static bool is_used(const struct wb_timed_code *code, size_t resource)
{
  for (size_t u = 0; u < code->use_count; u++) {
    if (code->uses[u].resource == resource)
      return true;
  }
  for (size_t s = 0; s < code->stage_count; s++) {
    if (code->stages[s].resource == resource)
      return true;
  }
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count; s++) {
      if (code->cold[c].stages[s].resource == resource)
        return true;
    }
  }
  return false;
}

/* Whether all launches that use the resource, up to that one, know the same number of servers. */
static bool has_same_servers(const struct wb_frame_checker *checker, uint32_t l, size_t resource)
{
  const struct wb_timed_code *code = &checker->claim->launches[l].code;
  bool same = true;
  for (uint32_t k = 0; k < l && same; k++) {
    const struct wb_timed_code *other = &checker->claim->launches[k].code;
    same = other->resources[resource].servers == code->resources[resource].servers ||
           !is_used(code, resource) || !is_used(other, resource);
  }
  return same;
}

static warpbound_status read_launch(struct wb_frame_checker *checker, uint32_t l)
{
  const struct wb_check_launch_claim *claim = &checker->claim->launches[l];
  const struct wb_timed_code *first = &checker->claim->launches[0].code;
  struct wb_frame_known *known = &checker->known[l];
  warpbound_error cause = {0};
  const warpbound_status status = wb_check_launch_letters(claim, &known->letters, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail(checker->error, status, "launch %" PRIu32 ": %.400s", l + 1, cause.message);
  bool same = claim->code.resource_count == first->resource_count && claim->code.kept.count == 0 &&
              claim->code.first.count == 0;
  for (size_t r = 0; same && r < first->resource_count; r++) {
    const struct wb_resource *a = &first->resources[r];
    const struct wb_resource *b = &claim->code.resources[r];
    same = strcmp(a->name, b->name) == 0 && a->level == b->level && a->at_issue == b->at_issue &&
           a->place == 0 && b->place == 0 && has_same_servers(checker, l, r);
  }
  const struct wb_launch_shape *one = &checker->claim->launches[0].shape;
  same = same && claim->shape.partitions == one->partitions &&
         (checker->claim->own_sms || claim->shape.sms == one->sms) &&
         claim->shape.foreign_share == one->foreign_share &&
         claim->shape.foreign_burst == one->foreign_burst;
  if (!same)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "launch %" PRIu32 ": it is of other SMs, partitions or resources than the first "
                   "one, or of kept data, or of stages in series",
                   l + 1);
  checker->same_barriers |= known->letters.same_barriers;
  if (known->letters.phases > 1)
    checker->rest = wb_maximum(checker->rest, known->letters.longest_unit);
  checker->denominator = wb_frame_product(
      checker->denominator,
      known->letters.denominator /
          wb_greatest_common_divisor(checker->denominator, known->letters.denominator));
  return WARPBOUND_OK;
}

static void scale_launch(struct wb_frame_checker *checker, uint32_t l)
{
  struct wb_frame_known *known = &checker->known[l];
  const struct wb_launch_shape *shape = &checker->claim->launches[l].shape;
  uint64_t *of = known->of;
  known->scale = checker->denominator / known->letters.denominator;
  for (unsigned s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++)
    of[s] = wb_frame_product(known->letters.sum[s], known->scale);
  /* Whole paths are no chain of a block whose warps pass barriers at different places. */
  if (known->letters.as_many)
    of[WB_CHECK_LAUNCH_OWN] = WB_FRAME_UNKNOWN;
  const uint64_t near = wb_divide_up(shape->block_warps, shape->partitions);
  const uint64_t far = shape->block_warps - near;
  const uint64_t start = wb_frame_in_parts(checker, shape->block_start);
  known->x = of[WB_CHECK_LAUNCH_PARTITION];
  known->w_x = wb_frame_product(shape->block_warps, known->x);
  known->o = wb_frame_sum(wb_frame_product(near, known->x),
                          wb_frame_product(far, of[WB_CHECK_LAUNCH_OTHERS]));
  known->own = wb_frame_sum(wb_frame_sum(of[WB_CHECK_LAUNCH_OWN], start),
                            wb_frame_sum(wb_frame_product(near - 1, known->x),
                                         wb_frame_product(far, of[WB_CHECK_LAUNCH_OTHERS])));
  known->again =
      wb_frame_sum(wb_frame_product(near, of[WB_CHECK_LAUNCH_PHASE_UNITS]), checker->rest);
  const uint64_t each =
      wb_frame_sum(wb_frame_sum(start, wb_frame_in_parts(checker, shape->dispatch)),
                   wb_frame_product(shape->block_warps, of[WB_CHECK_LAUNCH_TOTAL]));
  known->serial = wb_frame_sum(
      wb_frame_sum(wb_frame_in_parts(checker, shape->overhead),
                   wb_frame_product(shape->blocks, each)),
      wb_frame_product(known->scale,
                       wb_check_launch_fetches_apart(&checker->claim->launches[l].code, shape,
                                                     known->letters.denominator)));
}

static warpbound_status read_launches(struct wb_frame_checker *checker)
{
  checker->denominator = 1;
  for (uint32_t l = 0; l < checker->claim->launch_count; l++) {
    const warpbound_status status = read_launch(checker, l);
    if (status != WARPBOUND_OK)
      return status;
  }
  if (checker->denominator > UINT32_MAX)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
  checker->rest = wb_frame_in_parts(checker, checker->rest);
  for (uint32_t l = 0; l < checker->claim->launch_count; l++)
    scale_launch(checker, l);
  return WARPBOUND_OK;
}

/* ---- the question: items ---- */

static void add_item(struct wb_frame_checker *checker, struct wb_frame_item item)
{
  if (checker->count < checker->room)
    checker->items[checker->count++] = item;
}

/* Beside the question: how often it is under way in so many cycles, and released late. */
static void add_beside(struct wb_frame_checker *checker, const struct wb_check_frame_step *step,
                       uint64_t period, uint64_t response, uint64_t cycles)
{
  struct wb_frame_item item = {.step = step, .times = 1, .late = 1};
  if (period > 0) {
    item.times = wb_frame_sum(wb_frame_sum(cycles, response) / period, 1);
    item.late = wb_frame_sum(cycles / period, 1);
  }
  add_item(checker, item);
}

static bool is_of_stream(const struct wb_check_frame_step *step, uint32_t stream)
{
  return !step->beside && stream != 0 && step->stream == stream;
}

/* An order, and all that follows from it. */
static void order(struct wb_frame_checker *checker, size_t before, size_t after)
{
  for (size_t a = 0; a <= before; a++) {
    if (a == before || checker->earlier[a * checker->room + before])
      checker->earlier[a * checker->room + after] = true;
  }
}

/* The frames under way when one begins, that one last; then what is beside them. */
static void make_graph(struct wb_frame_checker *checker)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  size_t place[WB_CHECK_FRAME_STEPS] = {0};
  checker->count = 0;
  memset(checker->earlier, 0, checker->room * checker->room * sizeof *checker->earlier);
  for (uint32_t f = 0; f < claim->in_flight; f++) {
    const uint64_t over = wb_frame_product(claim->in_flight - 1 - f, claim->period);
    for (size_t s = 0; s < claim->step_count; s++) {
      const struct wb_check_frame_step *step = &claim->steps[s];
      if (step->beside)
        continue;
      const size_t item = checker->count;
      size_t same = s; /* the step of its stream before it, of this frame or the last one */
      while (same > 0 && !is_of_stream(&claim->steps[same - 1], step->stream))
        same--;
      const bool crosses = same == 0;
      if (crosses)
        for (same = claim->step_count;
             same > 0 && !is_of_stream(&claim->steps[same - 1], step->stream);)
          same--;
      bool ordered = step->after_count > 0;
      for (size_t a = 0; a < step->after_count; a++)
        order(checker, place[step->after[a]], item);
      if (same > 0 && (!crosses || f > 0))
        order(checker, place[same - 1], item);
      ordered |= same > 0; /* behind a step of a frame that is over: its gap may just begin */
      add_item(checker,
               (struct wb_frame_item){
                   .step = step, .gap = step->gap - (ordered ? 0 : wb_minimum(step->gap, over))});
      place[s] = item;
    }
  }
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    const uint64_t later = claim->period > 0 ? claim->cycles / claim->period : 0;
    if (step->beside)
      add_beside(checker, step, step->period, step->response, claim->cycles);
    else if (later > 0)
      add_item(checker, (struct wb_frame_item){.step = step, .times = later, .late = later});
  }
}

static void make_beside(struct wb_frame_checker *checker, size_t question)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  const struct wb_check_frame_step *asked = &claim->steps[question];
  checker->count = 0;
  memset(checker->earlier, 0, checker->room * checker->room * sizeof *checker->earlier);
  add_item(checker, (struct wb_frame_item){.step = asked});
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    if (s != question && step->beside)
      add_beside(checker, step, step->period, step->response, asked->response);
    if (step->beside)
      continue;
    add_beside(checker, step, claim->period, claim->cycles, asked->response);
    struct wb_frame_item *added = &checker->items[checker->count - 1];
    added->late = added->times; /* of a frame that began before, too */
    added->memory_alone = step->copy;
  }
}

/* ---- the claim ---- */

static warpbound_status refuse(const struct wb_frame_checker *checker, const char *what,
                               uint64_t proven, uint64_t claimed)
{
  if (proven == WB_FRAME_UNKNOWN)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "%s: no bound that fits is proven",
                   what);
  return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                 "%s: %" PRIu64 " cycles are proven, %" PRIu64 " are claimed", what, proven,
                 claimed);
}

static warpbound_status check_beside(struct wb_frame_checker *checker, size_t s)
{
  const struct wb_check_frame_step *step = &checker->claim->steps[s];
  char what[48] = "a launch beside";
  uint64_t proven;
  if (checker->claim->own_sms) {
    proven = wb_frame_bound_apart(checker, s);
  } else {
    make_beside(checker, s);
    proven = wb_frame_bound_items(checker);
  }
  if (proven > step->response)
    return refuse(checker, what, proven, step->response);
  if (step->period > 0 && step->response > step->period)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "step %zu: its bound is above its period", s + 1);
  return WARPBOUND_OK;
}

static warpbound_status check_graph(struct wb_frame_checker *checker, uint64_t *cycles)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  make_graph(checker);
  *cycles = wb_frame_bound_items(checker);
  if (*cycles > claim->cycles)
    return refuse(checker, "the frame", *cycles, claim->cycles);
  if (claim->period > 0 && claim->cycles > wb_frame_product(claim->period, claim->in_flight))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "more frames can be under way than the claim says");
  return WARPBOUND_OK;
}

static warpbound_status check_form(const struct wb_frame_checker *checker, size_t *graph)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  bool used[WB_CHECK_FRAME_LAUNCHES] = {false};
  const char *wrong = NULL;
  *graph = 0;
  for (size_t s = 0; s < claim->step_count && wrong == NULL; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    *graph += !step->beside;
    if (!step->copy && step->launch >= claim->launch_count)
      wrong = "it is of no launch";
    else if (step->beside && (step->copy || step->after_count > 0 || step->stream != 0))
      wrong = "beside the frame are launches without order";
    else if (claim->own_sms && (!step->beside || used[step->launch]))
      wrong = "on SMs of their own are launches beside each other, each once";
    for (size_t a = 0; a < step->after_count && wrong == NULL; a++) {
      if (step->after[a] >= s || claim->steps[step->after[a]].beside)
        wrong = "it comes after steps of the frame before it";
    }
    if (wrong != NULL)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "step %zu: %s", s + 1, wrong);
    used[step->copy ? 0 : step->launch] |= !step->copy;
  }
  for (size_t m = 0; m < claim->mix_count; m++) {
    const struct wb_check_frame_mix *mix = &claim->mixes[m];
    bool good = mix->room_count > 0;
    for (size_t l = 0; l < claim->launch_count; l++) {
      good = good && mix->most[l] > 0;
      for (size_t r = 0; r < mix->room_count && good; r++)
        good = mix->rooms[r].size[l] <= mix->rooms[r].capacity;
    }
    if (!good)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "mix %zu: a block of some launch does not fit on an SM", m + 1);
  }
  return claim->own_sms || claim->mix_count > 0
             ? WARPBOUND_OK
             : wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "there are no mixes");
}

static warpbound_status check(struct wb_frame_checker *checker,
                              struct wb_check_frame_verdict *verdict)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  size_t graph;
  uint64_t cycles = 0;
  warpbound_status status = check_form(checker, &graph);
  if (status != WARPBOUND_OK)
    return status;
  checker->room = graph * claim->in_flight + claim->step_count;
  if (checker->room > WB_CHECK_FRAME_STEPS)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "there are more than %d steps in flight",
                   WB_CHECK_FRAME_STEPS);
  checker->known = wb_arena_array(&checker->arena, struct wb_frame_known, claim->launch_count);
  checker->items = wb_arena_array(&checker->arena, struct wb_frame_item, checker->room);
  checker->earlier = wb_arena_array(&checker->arena, bool, checker->room * checker->room);
  checker->e = wb_arena_array(&checker->arena, uint64_t, checker->room);
  if (checker->arena.failed)
    return wb_out_of_memory(checker->error);
  status = read_launches(checker);
  for (size_t s = 0; s < claim->step_count && status == WARPBOUND_OK; s++) {
    if (claim->steps[s].beside)
      status = check_beside(checker, s);
  }
  if (status == WARPBOUND_OK && graph > 0)
    status = check_graph(checker, &cycles);
  *verdict = (struct wb_check_frame_verdict){cycles, checker->same_barriers};
  return status;
}

warpbound_status wb_check_frame(const struct wb_check_frame_claim *claim,
                                struct wb_check_frame_verdict *verdict, warpbound_error *error)
{
  struct wb_frame_checker checker = {.claim = claim, .error = error};
  const warpbound_status status = check(&checker, verdict);
  wb_arena_free(&checker.arena);
  return status;
}
