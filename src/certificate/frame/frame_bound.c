#include "certificate/frame/frame_bound.h"

#include "base/checked.h"
#include "certificate/frame/frame_mixes.h"
#include "certificate/launch/launch_fetches.h"

uint64_t wb_frame_sum(uint64_t a, uint64_t b)
{
  uint64_t result;
  return wb_add(a, b, &result) ? result : WB_FRAME_UNKNOWN;
}

uint64_t wb_frame_product(uint64_t a, uint64_t b)
{
  uint64_t result;
  return a == 0 || b == 0 ? 0 : wb_multiply(a, b, &result) ? result : WB_FRAME_UNKNOWN;
}

static const struct wb_launch_shape *shape_of(const struct wb_frame_checker *checker,
                                              uint32_t launch)
{
  return &checker->claim->launches[launch].shape;
}

static const struct wb_frame_known *known_of(const struct wb_frame_checker *checker, size_t item)
{
  return &checker->known[checker->items[item].step->launch];
}

uint64_t wb_frame_in_parts(const struct wb_frame_checker *checker, uint64_t cycles)
{
  return wb_frame_product(cycles, checker->denominator);
}

/* ---- relations ---- */

static bool may_meet(const struct wb_frame_checker *checker, size_t a, size_t b)
{
  return a != b && !checker->earlier[a * checker->room + b] &&
         !checker->earlier[b * checker->room + a];
}

static bool of_launch(const struct wb_frame_checker *checker, size_t item)
{
  return !checker->items[item].step->copy;
}

static bool in_graph(const struct wb_frame_checker *checker, size_t item)
{
  return checker->items[item].times == 0;
}

static uint64_t how_often(const struct wb_frame_checker *checker, size_t item)
{
  return in_graph(checker, item) ? 1 : checker->items[item].times;
}

static bool has_company(const struct wb_frame_checker *checker, size_t item)
{
  for (size_t o = 0; o < checker->count; o++) {
    if (of_launch(checker, o) && may_meet(checker, item, o))
      return true;
  }
  return false;
}

/* A launch that others may be beside, or that is itself beside the graph. */
static bool mixes(const struct wb_frame_checker *checker, size_t item)
{
  return of_launch(checker, item) && (has_company(checker, item) || !in_graph(checker, item));
}

static bool waits_for_engine(const struct wb_frame_checker *checker, size_t item)
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
static uint64_t alone_of(const struct wb_frame_checker *checker, uint32_t launch)
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

static uint64_t weight_of(const struct wb_frame_checker *checker, size_t item)
{
  const struct wb_check_frame_step *step = checker->items[item].step;
  const uint64_t gap = wb_frame_in_parts(checker, checker->items[item].gap);
  if (!in_graph(checker, item))
    return 0;
  if (step->copy)
    return waits_for_engine(checker, item)
               ? gap
               : wb_frame_sum(gap, wb_frame_in_parts(checker, step->cycles));
  if (mixes(checker, item))
    return wb_frame_sum(
        gap, wb_frame_sum(known_of(checker, item)->own,
                          wb_frame_in_parts(checker, shape_of(checker, step->launch)->overhead)));
  return wb_frame_sum(gap, wb_frame_in_parts(checker, alone_of(checker, step->launch)));
}

static uint64_t path_of_piece(const struct wb_frame_checker *checker, uint64_t *until)
{
  uint64_t longest = 0;
  for (size_t b = checker->first; b < checker->end; b++) {
    uint64_t before = 0;
    for (size_t a = checker->first; a < b; a++)
      before = checker->earlier[a * checker->room + b] ? wb_maximum(before, until[a]) : before;
    until[b] = wb_frame_sum(before, weight_of(checker, b));
    longest = wb_maximum(longest, until[b]);
  }
  return longest;
}

/* E of each launch of the graph in the piece. */
static void find_beside(struct wb_frame_checker *checker)
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
      const struct wb_frame_known *other = &checker->known[j];
      const uint64_t changes = known_of(checker, i)->letters.phases - 1;
      const uint64_t rests = wb_frame_product(other->letters.phases - 1, checker->rest);
      cost[j] = wb_minimum(other->w_x, wb_frame_sum(wb_frame_sum(other->o, rests),
                                                    wb_frame_product(changes, other->again)));
    }
    checker->e[i] =
        wb_check_frame_costliest(checker->mix, launches, in, checker->items[i].step->launch, cost);
  }
}

/* rho kappa of a launch, with or without pairs. */
static uint64_t kappa_of(const struct wb_frame_checker *checker, size_t launch, bool pairs,
                         uint64_t again)
{
  const struct wb_frame_known *known = &checker->known[launch];
  const uint64_t phases = known->letters.phases;
  const uint64_t met =
      pairs ? wb_frame_sum(known->o, wb_frame_product(phases - 1, checker->rest)) : known->w_x;
  uint64_t own = wb_frame_sum(known->own, checker->most > checker->rho ? known->x : 0);
  if (pairs)
    own = wb_frame_sum(own, wb_frame_product(checker->most - 1, wb_frame_product(phases, again)));
  if (met == WB_FRAME_UNKNOWN || own == WB_FRAME_UNKNOWN)
    return WB_FRAME_UNKNOWN;
  return wb_frame_sum(wb_frame_product(checker->rho, met), own > met ? own - met : 0);
}

/* What blocks cost that are there when an item is released. */
static uint64_t there_of(const struct wb_frame_checker *checker, size_t item, const uint64_t *kappa)
{
  bool in[WB_CHECK_FRAME_LAUNCHES] = {false};
  uint64_t cost[WB_CHECK_FRAME_LAUNCHES];
  for (size_t l = 0; l < checker->claim->launch_count; l++)
    cost[l] =
        kappa[l] == WB_FRAME_UNKNOWN ? WB_FRAME_UNKNOWN : wb_divide_up(kappa[l], checker->rho);
  for (size_t o = checker->first; o < checker->end; o++) {
    if (of_launch(checker, o) &&
        (may_meet(checker, item, o) || (o == item && !in_graph(checker, o))))
      in[checker->items[o].step->launch] = true;
  }
  return wb_check_frame_costliest(checker->mix, checker->claim->launch_count, in,
                                  checker->claim->launch_count, cost);
}

static uint64_t worst_beside(const struct wb_frame_checker *checker, size_t item)
{
  uint64_t worst = in_graph(checker, item) ? checker->e[item] : 0;
  for (size_t o = checker->first; o < checker->end; o++) {
    if (of_launch(checker, o) && in_graph(checker, o) && may_meet(checker, item, o))
      worst = wb_maximum(worst, checker->e[o]);
  }
  return worst;
}

static bool comes_after_some(const struct wb_frame_checker *checker, size_t item, bool launches)
{
  for (size_t o = checker->first; o < item; o++) {
    if (checker->earlier[o * checker->room + item] && (!launches || of_launch(checker, o)))
      return true;
  }
  return false;
}

/* E and F of all releases of the piece. */
static uint64_t releases_of(const struct wb_frame_checker *checker, const uint64_t *kappa)
{
  uint64_t total = 0;
  uint64_t at_begin = 0;
  uint64_t spared = WB_FRAME_UNKNOWN; /* F of the first of all */
  bool together = true;
  bool early = false; /* more beside the graph than is late: some may wait at the begin */
  for (size_t i = checker->first; i < checker->end; i++) {
    const struct wb_frame_item *item = &checker->items[i];
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
    total = wb_frame_sum(
        total, wb_frame_product(graph ? 1 : checker->items[i].late, wb_frame_sum(beside, there)));
  }
  if (!together && !early && spared != WB_FRAME_UNKNOWN && total != WB_FRAME_UNKNOWN)
    total -= spared;
  return wb_frame_sum(total, at_begin);
}

/* What a launch fetches once: at the mean SM and at the SMs of the path. */
static uint64_t fetches_of(const struct wb_frame_checker *checker, size_t item)
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
    const uint64_t everywhere =
        fetch->level == WB_LEVEL_GPU ? 1 : wb_frame_product(here, shape->sms);
    uint64_t each = 0;
    for (size_t s = 0; s < fetch->stage_count; s++) {
      const struct wb_request_stage *stage = &fetch->stages[s];
      const struct wb_resource *resource = &claim->code.resources[stage->resource];
      const uint64_t share = denominator / resource->servers;
      const uint64_t work = wb_frame_product((uint64_t)stage->requests * stage->service, share);
      each =
          wb_frame_sum(each, wb_frame_product(waiting, stage->delay * denominator +
                                                           stage->service * (denominator - share)));
      each = wb_frame_sum(each, wb_frame_product(resource->level == WB_LEVEL_GPU
                                                     ? everywhere
                                                     : wb_frame_product(visits, here),
                                                 work));
    }
    total = wb_frame_sum(total, wb_frame_product(fetch->count, each));
  }
  return wb_frame_product(total, known_of(checker, item)->scale);
}

/* The piece by one way to charge blocks of other slots: what it has beside its path and copies. */
static uint64_t company_of(const struct wb_frame_checker *checker, bool pairs)
{
  uint64_t kappa[WB_CHECK_FRAME_LAUNCHES];
  uint64_t blocks = 0;
  uint64_t least = WB_FRAME_UNKNOWN;
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
    const uint64_t gpu = wb_frame_sum(
        wb_frame_in_parts(checker, shape->dispatch),
        wb_frame_product(shape->block_warps, checker->known[l].of[WB_CHECK_LAUNCH_GPU]));
    blocks =
        wb_frame_sum(blocks, wb_frame_product(wb_frame_product(often, shape->blocks), kappa[l]));
    least = wb_minimum(least, kappa[l]);
    rest = wb_frame_sum(rest, wb_frame_product(wb_frame_product(often, shape->blocks), gpu));
    rest = wb_frame_sum(rest, wb_frame_product(often, fetches_of(checker, i)));
    sms = shape->sms;
  }
  if (blocks == WB_FRAME_UNKNOWN)
    return WB_FRAME_UNKNOWN;
  blocks = wb_divide_up(blocks - least, wb_maximum(1, wb_frame_product(sms, checker->rho)));
  return wb_frame_sum(wb_frame_sum(blocks, rest), releases_of(checker, kappa));
}

static uint64_t copies_of(const struct wb_frame_checker *checker)
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
      each = wb_frame_sum(each, step->memory);
    cycles = wb_frame_sum(cycles, wb_frame_product(how_often(checker, i), each));
  }
  return wb_frame_in_parts(checker, cycles);
}

static uint64_t serial_of(const struct wb_frame_checker *checker)
{
  uint64_t total = 0;
  for (size_t i = checker->first; i < checker->end; i++) {
    const struct wb_check_frame_step *step = checker->items[i].step;
    const uint64_t cycles = checker->items[i].memory_alone ? 0 : step->cycles;
    const uint64_t own =
        step->copy ? wb_frame_in_parts(checker, cycles) : known_of(checker, i)->serial;
    total = wb_frame_sum(
        total,
        wb_frame_product(how_often(checker, i),
                         wb_frame_sum(wb_frame_in_parts(checker, checker->items[i].gap), own)));
  }
  return total;
}

static uint64_t bound_piece(struct wb_frame_checker *checker, uint64_t *until)
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
  uint64_t total = wb_frame_sum(path_of_piece(checker, until), copies_of(checker));
  if (several) {
    checker->rho = wb_check_frame_fewest(checker->mix, launches, checker->in);
    checker->most = wb_check_frame_costliest(checker->mix, launches, checker->in, launches, ones);
    find_beside(checker);
    total = wb_frame_sum(total, wb_minimum(company_of(checker, false), company_of(checker, true)));
  }
  return wb_minimum(total, serial_of(checker));
}

/* Whether all items from `at` on come after all before it. */
static bool is_cut(const struct wb_frame_checker *checker, size_t at)
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
static uint64_t with_foreign(const struct wb_frame_checker *checker, uint64_t total)
{
  const struct wb_launch_shape *shape = shape_of(checker, 0);
  const uint64_t rest = WB_FOREIGN_WHOLE - shape->foreign_share;
  const uint64_t known = wb_frame_sum(total, wb_frame_in_parts(checker, shape->foreign_burst));
  if (known == WB_FRAME_UNKNOWN)
    return WB_FRAME_UNKNOWN;
  return wb_frame_sum(wb_frame_product(known / rest, WB_FOREIGN_WHOLE),
                      known % rest * WB_FOREIGN_WHOLE / rest);
}

/* The question of the items, each piece with the worst size of shared memory. */
uint64_t wb_frame_bound_items(struct wb_frame_checker *checker)
{
  uint64_t total = 0;
  uint64_t *until = wb_arena_array(&checker->arena, uint64_t, checker->room);
  if (until == NULL)
    return WB_FRAME_UNKNOWN;
  for (checker->first = 0; checker->first < checker->count; checker->first = checker->end) {
    uint64_t worst = 0;
    checker->end = checker->first + 1;
    while (checker->end < checker->count && !is_cut(checker, checker->end))
      checker->end++;
    for (size_t m = 0; m < checker->claim->mix_count; m++) {
      checker->mix = &checker->claim->mixes[m];
      worst = wb_maximum(worst, bound_piece(checker, until));
    }
    total = wb_frame_sum(total, worst);
  }
  total = with_foreign(checker, total);
  return total == WB_FRAME_UNKNOWN ? WB_FRAME_UNKNOWN : total / checker->denominator;
}

/* ---- own SMs ---- */

uint64_t wb_frame_bound_apart(struct wb_frame_checker *checker, size_t question)
{
  const struct wb_check_frame_claim *claim = checker->claim;
  const struct wb_check_frame_step *asked = &claim->steps[question];
  const uint64_t alone = alone_of(checker, asked->launch);
  uint64_t others = 0;
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    const struct wb_frame_known *known = &checker->known[step->launch];
    const struct wb_launch_shape *shape = shape_of(checker, step->launch);
    const struct wb_timed_code *code = &claim->launches[step->launch].code;
    const uint64_t times =
        step->period == 0
            ? 1
            : wb_frame_sum(wb_frame_sum(asked->response, step->response) / step->period, 1);
    if (s == question)
      continue;
    uint64_t gpu = wb_frame_product(
        shape->blocks,
        wb_frame_sum(wb_frame_in_parts(checker, shape->dispatch),
                     wb_frame_product(shape->block_warps, known->of[WB_CHECK_LAUNCH_GPU])));
    for (size_t c = 0; c < code->cold_count; c++) {
      const struct wb_cold_fetch *fetch = &code->cold[c];
      const uint64_t caches =
          fetch->level == WB_LEVEL_GPU
              ? 1
              : wb_frame_product(wb_minimum(shape->sms, shape->blocks),
                                 fetch->level == WB_LEVEL_PARTITION ? shape->partitions : 1);
      for (size_t g = 0; g < fetch->stage_count; g++) {
        const struct wb_request_stage *stage = &fetch->stages[g];
        if (code->resources[stage->resource].level == WB_LEVEL_GPU)
          gpu = wb_frame_sum(
              gpu,
              wb_frame_product(wb_frame_product(caches, fetch->count),
                               wb_frame_product((uint64_t)stage->requests * stage->service,
                                                checker->denominator /
                                                    code->resources[stage->resource].servers)));
      }
    }
    others = wb_frame_sum(others, wb_frame_product(times, gpu));
  }
  const uint64_t total =
      with_foreign(checker, wb_frame_sum(wb_frame_in_parts(checker, alone), others));
  return total == WB_FRAME_UNKNOWN ? WB_FRAME_UNKNOWN : total / checker->denominator;
}
