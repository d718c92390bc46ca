/* The theorem of launches together, worked out anew from the proofs of their sums. */
#include "certificate/frame/frame_claim.h"

#include "base/arena.h"
#include "base/checked.h"
#include "certificate/frame/frame_mixes.h"
#include "certificate/launch/launch_fetches.h"

#include <inttypes.h>
#include <string.h>

#define UNKNOWN UINT64_MAX

static uint64_t sum(uint64_t a, uint64_t b)
{
  uint64_t result;
  return wb_add(a, b, &result) ? result : UNKNOWN;
}

static uint64_t product(uint64_t a, uint64_t b)
{
  uint64_t result;
  return a == 0 || b == 0 ? 0 : wb_multiply(a, b, &result) ? result : UNKNOWN;
}

/* What is known of a launch, in 1 / denominator cycles of all. */
struct known {
  struct wb_check_launch_letters letters;
  uint64_t of[WB_CHECK_LAUNCH_SUM_COUNT]; /* the sums, in the parts of all */
  uint64_t scale;
  uint64_t x, w_x, o, own, again; /* X, w X, O, own, M of the kernel */
  uint64_t serial;
};

/* A step of the graph in question, or beside it; frames in flight are written out. */
struct item {
  const struct wb_check_frame_step *step;
  uint64_t gap;
  uint64_t times, late; /* times 0: of the graph */
  bool memory_alone;    /* a copy of which only the memory counts: nothing waits for engines */
};

struct checker {
  struct wb_arena arena;
  const struct wb_check_frame_claim *claim;
  const struct wb_check_frame_mix *mix;
  uint64_t denominator;
  uint64_t rest;       /* e */
  struct known *known; /* by launch */
  struct item *items;
  size_t count, room;
  bool *earlier; /* by item, by item: the first ends before the second is released */
  uint64_t *e;   /* by item: E */
  size_t first, end;
  uint64_t rho, most;
  bool in[WB_CHECK_FRAME_LAUNCHES]; /* launches of the piece that others may be beside */
  bool same_barriers;
  warpbound_error *error;
};

static const struct wb_launch_shape *shape_of(const struct checker *checker, uint32_t launch)
{
  return &checker->claim->launches[launch].shape;
}

static const struct known *known_of(const struct checker *checker, size_t item)
{
  return &checker->known[checker->items[item].step->launch];
}

static uint64_t in_parts(const struct checker *checker, uint64_t cycles)
{
  return product(cycles, checker->denominator);
}

/* ---- launches ---- */

static warpbound_status read_launch(struct checker *checker, uint32_t l)
{
  const struct wb_check_launch_claim *claim = &checker->claim->launches[l];
  const struct wb_timed_code *first = &checker->claim->launches[0].code;
  struct known *known = &checker->known[l];
  warpbound_error cause = {0};
  const warpbound_status status = wb_check_launch_letters(claim, &known->letters, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail(checker->error, status, "launch %" PRIu32 ": %.400s", l + 1, cause.message);
  bool same = claim->code.resource_count == first->resource_count && claim->code.kept.count == 0;
  for (size_t r = 0; same && r < first->resource_count; r++) {
    const struct wb_resource *a = &first->resources[r];
    const struct wb_resource *b = &claim->code.resources[r];
    same = strcmp(a->name, b->name) == 0 && a->level == b->level && a->servers == b->servers &&
           a->at_issue == b->at_issue && a->place == 0 && b->place == 0;
  }
  const struct wb_launch_shape *one = shape_of(checker, 0);
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
  checker->denominator =
      product(checker->denominator,
              known->letters.denominator /
                  wb_greatest_common_divisor(checker->denominator, known->letters.denominator));
  return WARPBOUND_OK;
}

static void scale_launch(struct checker *checker, uint32_t l)
{
  struct known *known = &checker->known[l];
  const struct wb_launch_shape *shape = shape_of(checker, l);
  uint64_t *of = known->of;
  known->scale = checker->denominator / known->letters.denominator;
  for (unsigned s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++)
    of[s] = product(known->letters.sum[s], known->scale);
  const uint64_t near = wb_divide_up(shape->block_warps, shape->partitions);
  const uint64_t far = shape->block_warps - near;
  const uint64_t start = in_parts(checker, shape->block_start);
  known->x = of[WB_CHECK_LAUNCH_PARTITION];
  known->w_x = product(shape->block_warps, known->x);
  known->o = sum(product(near, known->x), product(far, of[WB_CHECK_LAUNCH_OTHERS]));
  known->own = sum(sum(of[WB_CHECK_LAUNCH_OWN], start),
                   sum(product(near - 1, known->x), product(far, of[WB_CHECK_LAUNCH_OTHERS])));
  known->again = sum(product(near, of[WB_CHECK_LAUNCH_PHASE_UNITS]), checker->rest);
  const uint64_t each = sum(sum(start, in_parts(checker, shape->dispatch)),
                            product(shape->block_warps, of[WB_CHECK_LAUNCH_TOTAL]));
  known->serial =
      sum(sum(in_parts(checker, shape->overhead), product(shape->blocks, each)),
          product(known->scale, wb_check_launch_fetches_apart(&checker->claim->launches[l].code,
                                                              shape, known->letters.denominator)));
}

static warpbound_status read_launches(struct checker *checker)
{
  checker->denominator = 1;
  for (uint32_t l = 0; l < checker->claim->launch_count; l++) {
    const warpbound_status status = read_launch(checker, l);
    if (status != WARPBOUND_OK)
      return status;
  }
  if (checker->denominator > UINT32_MAX)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
  checker->rest = in_parts(checker, checker->rest);
  for (uint32_t l = 0; l < checker->claim->launch_count; l++)
    scale_launch(checker, l);
  return WARPBOUND_OK;
}

/* ---- the question: items ---- */

static void add_item(struct checker *checker, struct item item)
{
  if (checker->count < checker->room)
    checker->items[checker->count++] = item;
}

/* Beside the question: how often it is under way in so many cycles, and released late. */
static void add_beside(struct checker *checker, const struct wb_check_frame_step *step,
                       uint64_t period, uint64_t response, uint64_t cycles)
{
  struct item item = {.step = step, .times = 1, .late = 1};
  if (period > 0) {
    item.times = sum(sum(cycles, response) / period, 1);
    item.late = sum(cycles / period, 1);
  }
  add_item(checker, item);
}

static bool is_of_stream(const struct wb_check_frame_step *step, uint32_t stream)
{
  return !step->beside && stream != 0 && step->stream == stream;
}

/* An order, and all that follows from it. */
static void order(struct checker *checker, size_t before, size_t after)
{
  for (size_t a = 0; a <= before; a++) {
    if (a == before || checker->earlier[a * checker->room + before])
      checker->earlier[a * checker->room + after] = true;
  }
}

/* The frames under way when one begins, that one last; then what is beside them. */
static void make_graph(struct checker *checker)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  size_t place[WB_CHECK_FRAME_STEPS] = {0};
  checker->count = 0;
  memset(checker->earlier, 0, checker->room * checker->room * sizeof *checker->earlier);
  for (uint32_t f = 0; f < claim->in_flight; f++) {
    const uint64_t over = product(claim->in_flight - 1 - f, claim->period);
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
      if (same > 0 && (!crosses || f > 0)) {
        order(checker, place[same - 1], item);
        ordered = true;
      }
      add_item(checker,
               (struct item){.step = step,
                             .gap = step->gap - (ordered ? 0 : wb_minimum(step->gap, over))});
      place[s] = item;
    }
  }
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    const uint64_t later = claim->period > 0 ? claim->cycles / claim->period : 0;
    if (step->beside)
      add_beside(checker, step, step->period, step->response, claim->cycles);
    else if (later > 0)
      add_item(checker, (struct item){.step = step, .times = later, .late = later});
  }
}

static void make_beside(struct checker *checker, size_t question)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  const struct wb_check_frame_step *asked = &claim->steps[question];
  checker->count = 0;
  memset(checker->earlier, 0, checker->room * checker->room * sizeof *checker->earlier);
  add_item(checker, (struct item){.step = asked});
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    if (s != question && step->beside)
      add_beside(checker, step, step->period, step->response, asked->response);
    if (step->beside)
      continue;
    add_beside(checker, step, claim->period, claim->cycles, asked->response);
    checker->items[checker->count - 1].memory_alone = step->copy;
  }
}

/* ---- relations ---- */

static bool may_meet(const struct checker *checker, size_t a, size_t b)
{
  return a != b && !checker->earlier[a * checker->room + b] &&
         !checker->earlier[b * checker->room + a];
}

static bool of_launch(const struct checker *checker, size_t item)
{
  return !checker->items[item].step->copy;
}

static bool in_graph(const struct checker *checker, size_t item)
{
  return checker->items[item].times == 0;
}

static uint64_t how_often(const struct checker *checker, size_t item)
{
  return in_graph(checker, item) ? 1 : checker->items[item].times;
}

static bool has_company(const struct checker *checker, size_t item)
{
  for (size_t o = 0; o < checker->count; o++) {
    if (of_launch(checker, o) && may_meet(checker, item, o))
      return true;
  }
  return false;
}

/* A launch that others may be beside, or that is itself beside the graph. */
static bool mixes(const struct checker *checker, size_t item)
{
  return of_launch(checker, item) && (has_company(checker, item) || !in_graph(checker, item));
}

static bool waits_for_engine(const struct checker *checker, size_t item)
{
  for (size_t o = 0; o < checker->count; o++) {
    const struct wb_check_frame_step *other = checker->items[o].step;
    if (other->copy && other->engine == checker->items[item].step->engine &&
        (may_meet(checker, item, o) || (o == item && !in_graph(checker, item))))
      return true;
  }
  return false;
}

/* ---- a piece ---- */

/* Of a launch alone, the most of all numbers of its blocks that may reside on an SM. */
static uint64_t alone_of(const struct checker *checker, uint32_t launch)
{
  const struct wb_check_launch_claim *claim = &checker->claim->launches[launch];
  uint64_t most = 0;
  for (size_t r = 0; r <= claim->other_resident_count; r++) {
    const uint32_t resident = r == 0 ? claim->shape.resident_blocks : claim->other_residents[r - 1];
    most =
        wb_maximum(most, wb_check_launch_alone(claim, &checker->known[launch].letters, resident));
  }
  return most;
}

static uint64_t weight_of(const struct checker *checker, size_t item)
{
  const struct wb_check_frame_step *step = checker->items[item].step;
  const uint64_t gap = in_parts(checker, checker->items[item].gap);
  if (!in_graph(checker, item))
    return 0;
  if (step->copy)
    return waits_for_engine(checker, item) ? gap : sum(gap, in_parts(checker, step->cycles));
  if (mixes(checker, item))
    return sum(gap, sum(known_of(checker, item)->own,
                        in_parts(checker, shape_of(checker, step->launch)->overhead)));
  return sum(gap, in_parts(checker, alone_of(checker, step->launch)));
}

static uint64_t path_of_piece(const struct checker *checker, uint64_t *until)
{
  uint64_t longest = 0;
  for (size_t b = checker->first; b < checker->end; b++) {
    uint64_t before = 0;
    for (size_t a = checker->first; a < b; a++)
      before = checker->earlier[a * checker->room + b] ? wb_maximum(before, until[a]) : before;
    until[b] = sum(before, weight_of(checker, b));
    longest = wb_maximum(longest, until[b]);
  }
  return longest;
}

/* E of each launch of the graph in the piece. */
static void find_beside(struct checker *checker)
{
  const size_t launches = checker->claim->launch_count;
  for (size_t i = checker->first; i < checker->end; i++) {
    bool in[WB_CHECK_FRAME_LAUNCHES] = {false};
    uint64_t cost[WB_CHECK_FRAME_LAUNCHES];
    if (!mixes(checker, i) || !in_graph(checker, i))
      continue;
    in[checker->items[i].step->launch] = true;
    for (size_t o = 0; o < checker->count; o++) {
      if (of_launch(checker, o) && may_meet(checker, i, o))
        in[checker->items[o].step->launch] = true;
    }
    for (size_t j = 0; j < launches; j++) {
      const struct known *other = &checker->known[j];
      const uint64_t changes = known_of(checker, i)->letters.phases - 1;
      const uint64_t rests = product(other->letters.phases - 1, checker->rest);
      cost[j] = wb_minimum(other->w_x, sum(sum(other->o, rests), product(changes, other->again)));
    }
    checker->e[i] =
        wb_check_frame_costliest(checker->mix, launches, in, checker->items[i].step->launch, cost);
  }
}

/* rho kappa of a launch, with or without pairs. */
static uint64_t kappa_of(const struct checker *checker, size_t launch, bool pairs, uint64_t again)
{
  const struct known *known = &checker->known[launch];
  const uint64_t phases = known->letters.phases;
  const uint64_t met = pairs ? sum(known->o, product(phases - 1, checker->rest)) : known->w_x;
  uint64_t own = sum(known->own, checker->most > checker->rho ? known->x : 0);
  if (pairs)
    own = sum(own, product(checker->most - 1, product(phases, again)));
  if (met == UNKNOWN || own == UNKNOWN)
    return UNKNOWN;
  return sum(product(checker->rho, met), own > met ? own - met : 0);
}

/* What blocks cost that are there when an item is released. */
static uint64_t there_of(const struct checker *checker, size_t item, const uint64_t *kappa)
{
  bool in[WB_CHECK_FRAME_LAUNCHES] = {false};
  uint64_t cost[WB_CHECK_FRAME_LAUNCHES];
  for (size_t l = 0; l < checker->claim->launch_count; l++)
    cost[l] = kappa[l] == UNKNOWN ? UNKNOWN : wb_divide_up(kappa[l], checker->rho);
  for (size_t o = checker->first; o < checker->end; o++) {
    if (of_launch(checker, o) &&
        (may_meet(checker, item, o) || (o == item && !in_graph(checker, o))))
      in[checker->items[o].step->launch] = true;
  }
  return wb_check_frame_costliest(checker->mix, checker->claim->launch_count, in,
                                  checker->claim->launch_count, cost);
}

static uint64_t worst_beside(const struct checker *checker, size_t item)
{
  uint64_t worst = in_graph(checker, item) ? checker->e[item] : 0;
  for (size_t o = checker->first; o < checker->end; o++) {
    if (of_launch(checker, o) && in_graph(checker, o) && may_meet(checker, item, o))
      worst = wb_maximum(worst, checker->e[o]);
  }
  return worst;
}

static bool comes_after_some(const struct checker *checker, size_t item, bool launches)
{
  for (size_t o = checker->first; o < item; o++) {
    if (checker->earlier[o * checker->room + item] && (!launches || of_launch(checker, o)))
      return true;
  }
  return false;
}

/* E and F of all releases of the piece. */
static uint64_t releases_of(const struct checker *checker, const uint64_t *kappa)
{
  uint64_t total = 0;
  uint64_t at_begin = 0;
  uint64_t spared = UNKNOWN; /* F of the first of all */
  bool together = true;
  bool early = false; /* more beside the graph than is late: some may wait at the begin */
  for (size_t i = checker->first; i < checker->end; i++) {
    const struct item *item = &checker->items[i];
    early |= of_launch(checker, i) && item->times > item->late;
    if (mixes(checker, i) && in_graph(checker, i) && !comes_after_some(checker, i, true))
      together &= !comes_after_some(checker, i, false) && item->gap == 0 &&
                  shape_of(checker, item->step->launch)->overhead == 0;
  }
  for (size_t i = checker->first; i < checker->end; i++) {
    const bool graph = in_graph(checker, i);
    if (!mixes(checker, i))
      continue;
    const bool first = graph && !comes_after_some(checker, i, true);
    const uint64_t beside = worst_beside(checker, i);
    if (first && together) {
      at_begin = wb_maximum(at_begin, beside);
      continue;
    }
    const uint64_t there = there_of(checker, i, kappa);
    spared = first ? wb_minimum(spared, there) : spared;
    total = sum(total, product(graph ? 1 : checker->items[i].late, sum(beside, there)));
  }
  if (!together && !early && spared != UNKNOWN && total != UNKNOWN)
    total -= spared;
  return sum(total, at_begin);
}

/* What a launch fetches once: at the mean SM and at the SMs of the path. */
static uint64_t fetches_of(const struct checker *checker, size_t item)
{
  const struct wb_check_launch_claim *claim =
      &checker->claim->launches[checker->items[item].step->launch];
  const struct wb_launch_shape *shape = &claim->shape;
  const uint64_t denominator = known_of(checker, item)->letters.denominator;
  uint64_t visits = 1;
  uint64_t total = 0;
  for (size_t o = checker->first; o < checker->end; o++)
    visits += of_launch(checker, o) && in_graph(checker, o) && may_meet(checker, item, o);
  visits = wb_minimum(visits, shape->sms) + 1;
  for (size_t c = 0; c < claim->code.cold_count; c++) {
    const struct wb_cold_fetch *fetch = &claim->code.cold[c];
    const uint64_t here = fetch->level == WB_LEVEL_PARTITION ? shape->partitions : 1;
    const uint64_t waiting = fetch->level == WB_LEVEL_GPU ? 1 : 2 * here;
    const uint64_t everywhere = fetch->level == WB_LEVEL_GPU ? 1 : product(here, shape->sms);
    uint64_t each = 0;
    for (size_t s = 0; s < fetch->stage_count; s++) {
      const struct wb_request_stage *stage = &fetch->stages[s];
      const struct wb_resource *resource = &claim->code.resources[stage->resource];
      const uint64_t share = denominator / resource->servers;
      const uint64_t work = product((uint64_t)stage->requests * stage->service, share);
      each = sum(each, product(waiting, stage->delay * denominator +
                                            stage->service * (denominator - share)));
      each = sum(each, product(resource->level == WB_LEVEL_GPU ? everywhere : product(visits, here),
                               work));
    }
    total = sum(total, product(fetch->count, each));
  }
  return product(total, known_of(checker, item)->scale);
}

/* The piece by one way to charge blocks of other slots: what it has beside its path and copies. */
static uint64_t company_of(const struct checker *checker, bool pairs)
{
  uint64_t kappa[WB_CHECK_FRAME_LAUNCHES];
  uint64_t blocks = 0;
  uint64_t least = UNKNOWN;
  uint64_t rest = 0;
  uint64_t again = 0;
  uint64_t sms = 1;
  for (size_t l = 0; l < checker->claim->launch_count; l++)
    again = checker->in[l] ? wb_maximum(again, checker->known[l].again) : again;
  for (size_t l = 0; l < checker->claim->launch_count; l++)
    kappa[l] = kappa_of(checker, l, pairs, again);
  for (size_t i = checker->first; i < checker->end; i++) {
    if (!mixes(checker, i))
      continue;
    const uint32_t l = checker->items[i].step->launch;
    const struct wb_launch_shape *shape = shape_of(checker, l);
    const uint64_t often = how_often(checker, i);
    const uint64_t gpu =
        sum(in_parts(checker, shape->dispatch),
            product(shape->block_warps, checker->known[l].of[WB_CHECK_LAUNCH_GPU]));
    blocks = sum(blocks, product(product(often, shape->blocks), kappa[l]));
    least = wb_minimum(least, kappa[l]);
    rest = sum(rest, product(product(often, shape->blocks), gpu));
    rest = sum(rest, product(often, fetches_of(checker, i)));
    sms = shape->sms;
  }
  if (blocks == UNKNOWN)
    return UNKNOWN;
  blocks = wb_divide_up(blocks - least, wb_maximum(1, product(sms, checker->rho)));
  return sum(sum(blocks, rest), releases_of(checker, kappa));
}

static uint64_t copies_of(const struct checker *checker)
{
  uint64_t cycles = 0;
  for (size_t i = checker->first; i < checker->end; i++) {
    const struct wb_check_frame_step *step = checker->items[i].step;
    uint64_t each = 0;
    if (!step->copy)
      continue;
    if (waits_for_engine(checker, i) && !checker->items[i].memory_alone)
      each = step->cycles;
    if (has_company(checker, i))
      each = sum(each, step->memory);
    cycles = sum(cycles, product(how_often(checker, i), each));
  }
  return in_parts(checker, cycles);
}

static uint64_t serial_of(const struct checker *checker)
{
  uint64_t total = 0;
  for (size_t i = checker->first; i < checker->end; i++) {
    const struct wb_check_frame_step *step = checker->items[i].step;
    const uint64_t cycles = checker->items[i].memory_alone ? 0 : step->cycles;
    const uint64_t own = step->copy ? in_parts(checker, cycles) : known_of(checker, i)->serial;
    total = sum(total,
                product(how_often(checker, i), sum(in_parts(checker, checker->items[i].gap), own)));
  }
  return total;
}

static uint64_t bound_piece(struct checker *checker, uint64_t *until)
{
  const size_t launches = checker->claim->launch_count;
  uint64_t ones[WB_CHECK_FRAME_LAUNCHES];
  bool several = false;
  for (size_t l = 0; l < launches; l++) {
    checker->in[l] = false;
    ones[l] = 1;
  }
  for (size_t i = checker->first; i < checker->end; i++) {
    if (mixes(checker, i))
      several = checker->in[checker->items[i].step->launch] = true;
  }
  uint64_t total = sum(path_of_piece(checker, until), copies_of(checker));
  if (several) {
    checker->rho = wb_check_frame_fewest(checker->mix, launches, checker->in);
    checker->most = wb_check_frame_costliest(checker->mix, launches, checker->in, launches, ones);
    find_beside(checker);
    total = sum(total, wb_minimum(company_of(checker, false), company_of(checker, true)));
  }
  return wb_minimum(total, serial_of(checker));
}

/* Whether all items from `at` on come after all before it. */
static bool is_cut(const struct checker *checker, size_t at)
{
  for (size_t a = checker->first; a < at; a++) {
    for (size_t b = at; b < checker->count; b++) {
      if (!checker->earlier[a * checker->room + b])
        return false;
    }
  }
  return true;
}

/* With what others hold of the memory: T (1 - u) is at most T0 + b. */
static uint64_t with_foreign(const struct checker *checker, uint64_t total)
{
  const struct wb_launch_shape *shape = shape_of(checker, 0);
  const uint64_t rest = WB_FOREIGN_WHOLE - shape->foreign_share;
  const uint64_t known = sum(total, in_parts(checker, shape->foreign_burst));
  if (known == UNKNOWN)
    return UNKNOWN;
  return sum(product(known / rest, WB_FOREIGN_WHOLE), known % rest * WB_FOREIGN_WHOLE / rest);
}

/* The question of the items, each piece with the worst size of shared memory. */
static uint64_t bound_items(struct checker *checker)
{
  uint64_t total = 0;
  uint64_t *until = wb_arena_array(&checker->arena, uint64_t, checker->room);
  if (until == NULL)
    return UNKNOWN;
  for (checker->first = 0; checker->first < checker->count; checker->first = checker->end) {
    uint64_t worst = 0;
    checker->end = checker->first + 1;
    while (checker->end < checker->count && !is_cut(checker, checker->end))
      checker->end++;
    for (size_t m = 0; m < checker->claim->mix_count; m++) {
      checker->mix = &checker->claim->mixes[m];
      worst = wb_maximum(worst, bound_piece(checker, until));
    }
    total = sum(total, worst);
  }
  total = with_foreign(checker, total);
  return total == UNKNOWN ? UNKNOWN : total / checker->denominator;
}

/* ---- own SMs ---- */

static uint64_t bound_apart(struct checker *checker, size_t question)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  const struct wb_check_frame_step *asked = &claim->steps[question];
  const uint64_t alone = alone_of(checker, asked->launch);
  uint64_t others = 0;
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    const struct known *known = &checker->known[step->launch];
    const struct wb_launch_shape *shape = shape_of(checker, step->launch);
    const struct wb_timed_code *code = &claim->launches[step->launch].code;
    const uint64_t times =
        step->period == 0 ? 1 : sum(sum(asked->response, step->response) / step->period, 1);
    if (s == question)
      continue;
    uint64_t gpu =
        product(shape->blocks, sum(in_parts(checker, shape->dispatch),
                                   product(shape->block_warps, known->of[WB_CHECK_LAUNCH_GPU])));
    for (size_t c = 0; c < code->cold_count; c++) {
      const struct wb_cold_fetch *fetch = &code->cold[c];
      const uint64_t caches =
          fetch->level == WB_LEVEL_GPU
              ? 1
              : product(wb_minimum(shape->sms, shape->blocks),
                        fetch->level == WB_LEVEL_PARTITION ? shape->partitions : 1);
      for (size_t g = 0; g < fetch->stage_count; g++) {
        const struct wb_request_stage *stage = &fetch->stages[g];
        if (code->resources[stage->resource].level == WB_LEVEL_GPU)
          gpu = sum(gpu, product(product(caches, fetch->count),
                                 product((uint64_t)stage->requests * stage->service,
                                         checker->denominator /
                                             code->resources[stage->resource].servers)));
      }
    }
    others = sum(others, product(times, gpu));
  }
  const uint64_t total = with_foreign(checker, sum(in_parts(checker, alone), others));
  return total == UNKNOWN ? UNKNOWN : total / checker->denominator;
}

/* ---- the claim ---- */

static warpbound_status refuse(const struct checker *checker, const char *what, uint64_t proven,
                               uint64_t claimed)
{
  if (proven == UNKNOWN)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "%s: no bound that fits is proven",
                   what);
  return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                 "%s: %" PRIu64 " cycles are proven, %" PRIu64 " are claimed", what, proven,
                 claimed);
}

static warpbound_status check_beside(struct checker *checker, size_t s)
{
  const struct wb_check_frame_step *step = &checker->claim->steps[s];
  char what[48] = "a launch beside";
  uint64_t proven;
  if (checker->claim->own_sms) {
    proven = bound_apart(checker, s);
  } else {
    make_beside(checker, s);
    proven = bound_items(checker);
  }
  if (proven > step->response)
    return refuse(checker, what, proven, step->response);
  if (step->period > 0 && step->response > step->period)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "step %zu: its bound is above its period", s + 1);
  return WARPBOUND_OK;
}

static warpbound_status check_graph(struct checker *checker, uint64_t *cycles)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  make_graph(checker);
  *cycles = bound_items(checker);
  if (*cycles > claim->cycles)
    return refuse(checker, "the frame", *cycles, claim->cycles);
  if (claim->period > 0 && claim->cycles > product(claim->period, claim->in_flight))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "more frames can be under way than the claim says");
  return WARPBOUND_OK;
}

static warpbound_status check_form(const struct checker *checker, size_t *graph)
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

static warpbound_status check(struct checker *checker, struct wb_check_frame_verdict *verdict)
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
  checker->known = wb_arena_array(&checker->arena, struct known, claim->launch_count);
  checker->items = wb_arena_array(&checker->arena, struct item, checker->room);
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
  struct checker checker = {.claim = claim, .error = error};
  const warpbound_status status = check(&checker, verdict);
  wb_arena_free(&checker.arena);
  return status;
}
