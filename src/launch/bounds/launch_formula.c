#include "launch/bounds/launch_formula.h"

#include "base/checked.h"

/* Numbers below are at least 0, and UINT64_MAX stands for all that do not fit: it is never less
 * than the true number, so that a sum of such numbers is never too small. 0 times a number that
 * does not fit is 0. */

static uint64_t plus(uint64_t a, uint64_t b)
{
  uint64_t sum;
  return wb_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return wb_multiply(a, b, &product) ? product : UINT64_MAX;
}

/* A combination: how often each sum counts, and what counts in whole cycles. */
struct combination {
  uint64_t sum[WB_SUM_COUNT];
  uint64_t cycles;
};

/* A bound by one of the formulas, in its parts. */
struct candidate {
  enum wb_launch_formula formula;
  struct combination part[WB_PART_COUNT];
  uint64_t slot_blocks;
};

/* The launch, with the numbers that the theorems name. */
struct question {
  const struct wb_launch_terms *terms;
  const struct wb_launch_shape *shape;
  uint64_t warps;     /* w */
  uint64_t here;      /* w_P: most warps of a block in one partition */
  uint64_t elsewhere; /* w - w_P */
  uint64_t rest;      /* e, 0 without barriers */
};

static struct question ask(const struct wb_launch_terms *terms, const struct wb_launch_shape *shape)
{
  const uint64_t here = wb_divide_up(shape->block_warps, shape->partitions);
  return (struct question){.terms = terms,
                           .shape = shape,
                           .warps = shape->block_warps,
                           .here = here,
                           .elsewhere = shape->block_warps - here,
                           .rest = terms->phases > 1 ? terms->longest_unit : 0};
}

/* ---- combinations ---- */

/* The combination and `count` times another. */
static void include(struct combination *to, uint64_t count, const struct combination *of)
{
  for (size_t s = 0; s < WB_SUM_COUNT; s++)
    to->sum[s] = plus(to->sum[s], times(count, of->sum[s]));
  to->cycles = plus(to->cycles, times(count, of->cycles));
}

/* The value of a combination, over the terms' denominator. */
static uint64_t value_of(const struct question *question, const struct combination *combination)
{
  uint64_t value = times(combination->cycles, question->terms->denominator);
  for (size_t s = 0; s < WB_SUM_COUNT; s++)
    value = plus(value, times(combination->sum[s], question->terms->sum[s]));
  return value;
}

static uint64_t total_of(const struct question *question, const struct candidate *candidate)
{
  uint64_t total = 0;
  for (size_t p = 0; p < WB_PART_COUNT; p++)
    total = plus(total, value_of(question, &candidate->part[p]));
  return total;
}

/* ---- what the theorems name ---- */

/* A: a chain of a block, from the time that there is room for it. */
static struct combination chain(const struct question *question)
{
  struct combination result = {.cycles = question->shape->block_start};
  result.sum[WB_SUM_OWN] = 1;
  return result;
}

/* (w_P - 1) X + (w - w_P) Y: the other warps of the chain's block. */
static struct combination block_mates(const struct question *question)
{
  struct combination result = {0};
  result.sum[WB_SUM_PARTITION] = question->here - 1;
  result.sum[WB_SUM_OTHERS] = question->elsewhere;
  return result;
}

static struct combination own_block(const struct question *question)
{
  struct combination result = chain(question);
  const struct combination mates = block_mates(question);
  include(&result, 1, &mates);
  return result;
}

/* O = w_P X + (w - w_P) Y: interference of one co-resident block, met in one partition. */
static struct combination block_beside(const struct question *question)
{
  struct combination result = {0};
  result.sum[WB_SUM_PARTITION] = question->here;
  result.sum[WB_SUM_OTHERS] = question->elsewhere;
  return result;
}

/* w X: interference of one co-resident block, all of whose warps are met in the chain's partition.
 */
static struct combination all_warps(const struct question *question)
{
  struct combination result = {0};
  result.sum[WB_SUM_PARTITION] = question->warps;
  return result;
}

/* M = w_P Z1 + e: one phase of a co-resident block, met again in another partition. */
static struct combination met_again(const struct question *question)
{
  const bool phases = question->terms->phases > 1;
  struct combination result = {.cycles = question->rest};
  result.sum[phases ? WB_SUM_PHASE_UNITS : WB_SUM_UNITS] = question->here;
  return result;
}

/* O+ = min(w X, O + (f - 1) (M + e)): interference of one co-resident block with a whole chain. */
static struct combination met_all_the_way(const struct question *question)
{
  const uint64_t changes = question->terms->phases - 1;
  const struct combination wide = all_warps(question);
  const struct combination again = met_again(question);
  struct combination narrow = block_beside(question);
  include(&narrow, changes, &again);
  narrow.cycles = plus(narrow.cycles, times(changes, question->rest));
  return value_of(question, &narrow) <= value_of(question, &wide) ? narrow : wide;
}

/* ---- formulas ---- */

/* What every formula has: the launch's overhead, and the dispatcher, which serves a block at a
 * time. */
static struct candidate begin(const struct question *question, enum wb_launch_formula formula)
{
  struct candidate result = {.formula = formula};
  result.part[WB_PART_LAUNCH].cycles = question->shape->overhead;
  result.part[WB_PART_GPU].cycles = times(question->shape->blocks, question->shape->dispatch);
  return result;
}

/* B w g: each request to the GPU's resources once. */
static void include_gpu(const struct question *question, struct candidate *candidate)
{
  struct combination warp = {0};
  warp.sum[WB_SUM_GPU] = 1;
  include(&candidate->part[WB_PART_GPU], times(question->shape->blocks, question->warps), &warp);
}

/* Theorem 1: A + (w_P - 1) X + (w - w_P) Y, with the sums of one block alone. */
static struct candidate by_block_alone(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_BLOCK_ALONE);
  struct combination *mates = &result.part[WB_PART_OWN_BLOCK];
  result.part[WB_PART_OWN].sum[WB_SUM_ALONE_OWN] = 1;
  result.part[WB_PART_OWN].cycles = question->shape->block_start;
  mates->sum[WB_SUM_ALONE_PARTITION] = question->here - 1;
  mates->sum[WB_SUM_ALONE_OTHERS] = question->elsewhere;
  return result;
}

/* Every step and every service of every warp, one after the other. */
static struct candidate by_total(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_TOTAL);
  struct combination block = {.cycles = question->shape->block_start};
  block.sum[WB_SUM_TOTAL] = question->warps;
  include(&result.part[WB_PART_OWN], question->shape->blocks, &block);
  return result;
}

/* B <= m R: own + (min(R, B) - 1) O+ + B w g. */
static struct candidate by_one_wave(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_ONE_WAVE);
  const struct combination first = chain(question);
  const struct combination mates = block_mates(question);
  const struct combination beside = met_all_the_way(question);
  const uint64_t residents = wb_minimum(question->shape->resident_blocks, question->shape->blocks);
  include(&result.part[WB_PART_OWN], 1, &first);
  include(&result.part[WB_PART_OWN_BLOCK], 1, &mates);
  include(&result.part[WB_PART_OTHER_BLOCKS], residents - 1, &beside);
  include_gpu(question, &result);
  return result;
}

/* What the formulas of several waves have in common: own + (R - 1) O+ + B w g, and h own. */
static struct candidate begin_waves(const struct question *question, enum wb_launch_formula formula,
                                    uint64_t slot_blocks)
{
  struct candidate result = begin(question, formula);
  const struct combination first = chain(question);
  const struct combination mates = block_mates(question);
  const struct combination own = own_block(question);
  const struct combination beside = met_all_the_way(question);
  result.slot_blocks = slot_blocks;
  include(&result.part[WB_PART_OWN], slot_blocks, &first);
  include(&result.part[WB_PART_OWN_BLOCK], slot_blocks, &mates);
  include(&result.part[WB_PART_TAIL], 1, &own);
  include(&result.part[WB_PART_TAIL], question->shape->resident_blocks - 1, &beside);
  include_gpu(question, &result);
  return result;
}

/* N: most blocks that some SM starts before the last block of all starts. */
static uint64_t blocks_before(const struct question *question)
{
  return (question->shape->blocks - 1) / question->shape->sms;
}

/* h: floor(N / R) where the sum does not fall when h grows, else ceil(N / R). */
static uint64_t slot_blocks_of(const struct question *question, bool falls)
{
  const uint64_t before = blocks_before(question);
  const uint32_t slots = question->shape->resident_blocks;
  return falls ? wb_divide_up(before, slots) : before / slots;
}

/* S1 = h own + (N - h) w X. */
static struct candidate by_all_warps(const struct question *question)
{
  const struct combination own = own_block(question);
  const struct combination wide = all_warps(question);
  const bool falls = value_of(question, &own) < value_of(question, &wide);
  const uint64_t slot_blocks = slot_blocks_of(question, falls);
  struct candidate result = begin_waves(question, WB_FORMULA_ALL_WARPS, slot_blocks);
  include(&result.part[WB_PART_OTHER_BLOCKS], blocks_before(question) - slot_blocks, &wide);
  return result;
}

/* S2 = h own + (N - h) (O + (f - 1) e) + (R - 1) (f h - 1) M. */
static struct candidate by_pairs(const struct question *question)
{
  /* S2 falls when h grows by 1 where own + (R - 1) f M is less than O + (f - 1) e. */
  const uint64_t slots = question->shape->resident_blocks;
  const struct combination again = met_again(question);
  const struct combination beside = block_beside(question);
  struct combination more = own_block(question);
  struct combination less = beside;
  include(&more, times(slots - 1, question->terms->phases), &again);
  less.cycles = plus(less.cycles, times(question->terms->phases - 1, question->rest));
  const bool falls = value_of(question, &more) < value_of(question, &less);
  const uint64_t slot_blocks = slot_blocks_of(question, falls);
  const uint64_t others = blocks_before(question) - slot_blocks;
  const uint64_t pieces = times(question->terms->phases, slot_blocks);
  struct candidate result = begin_waves(question, WB_FORMULA_PAIRS, slot_blocks);
  struct combination *barriers = &result.part[WB_PART_BARRIERS];
  include(&result.part[WB_PART_OTHER_BLOCKS], others, &beside);
  include(barriers, times(slots - 1, pieces - 1), &again);
  barriers->cycles =
      plus(barriers->cycles, times(times(others, question->terms->phases - 1), question->rest));
  return result;
}

/* ---- results ---- */

static warpbound_status take_least(const struct question *question, const struct candidate *items,
                                   size_t count, struct wb_launch_bound *bound,
                                   warpbound_error *error)
{
  size_t best = 0;
  if (count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "a bound on the launch: expected the sums of some formula");
  for (size_t c = 1; c < count; c++) {
    if (total_of(question, &items[c]) < total_of(question, &items[best]))
      best = c;
  }
  if (total_of(question, &items[best]) > INT64_MAX)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the bound on the launch does not fit into 64 bits");
  const uint64_t total = total_of(question, &items[best]);
  const uint64_t wave =
      wb_maximum(1, times(question->shape->sms, question->shape->resident_blocks));
  *bound = (struct wb_launch_bound){.cycles = total / question->terms->denominator,
                                    .formula = items[best].formula,
                                    .waves = wb_divide_up(question->shape->blocks, wave),
                                    .slot_blocks = items[best].slot_blocks};
  for (size_t p = 0; p < WB_PART_COUNT; p++) {
    bound->part[p] = (int64_t)value_of(question, &items[best].part[p]);
    for (size_t s = 0; s < WB_SUM_COUNT; s++)
      bound->times[s] = plus(bound->times[s], items[best].part[p].sum[s]);
  }
  bound->part[WB_PART_FLOOR] = -(int64_t)(total % question->terms->denominator);
  return WARPBOUND_OK;
}

static warpbound_status check(const struct wb_launch_terms *terms,
                              const struct wb_launch_shape *shape, warpbound_error *error)
{
  const bool complete = shape->blocks > 0 && shape->block_warps > 0 && shape->sms > 0 &&
                        shape->partitions > 0 && shape->resident_blocks > 0 &&
                        terms->denominator > 0 && terms->phases > 0;
  return complete ? WARPBOUND_OK
                  : wb_fail(error, WARPBOUND_INVALID_INPUT,
                            "a launch: expected blocks, warps, SMs, partitions, resident blocks "
                            "and phases, each at least 1");
}

warpbound_status wb_launch_bound_evaluate(const struct wb_launch_terms *terms,
                                          const struct wb_launch_shape *shape,
                                          struct wb_launch_bound *bound, warpbound_error *error)
{
  warpbound_status status = check(terms, shape, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct question question = ask(terms, shape);
  struct candidate items[3];
  size_t count = 0;
  if (terms->barriers_known && shape->blocks <= times(shape->sms, shape->resident_blocks)) {
    items[count++] = by_one_wave(&question);
    if (shape->blocks == 1 && terms->sum[WB_SUM_ALONE_OWN] > 0)
      items[count++] = by_block_alone(&question);
  } else if (terms->barriers_known) {
    items[count++] = by_pairs(&question);
    items[count++] = by_all_warps(&question);
  }
  if (terms->sum[WB_SUM_TOTAL] > 0)
    items[count++] = by_total(&question);
  return take_least(&question, items, count, bound, error);
}

warpbound_status wb_block_bound_evaluate(const struct wb_launch_terms *terms,
                                         const struct wb_launch_shape *shape,
                                         struct wb_launch_bound *bound, warpbound_error *error)
{
  warpbound_status status = check(terms, shape, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_launch_shape one = *shape;
  one.blocks = 1;
  one.overhead = 0;
  one.dispatch = 0;
  const struct question question = ask(terms, &one);
  struct candidate items[2];
  size_t count = 0;
  if (terms->barriers_known && terms->sum[WB_SUM_ALONE_OWN] > 0)
    items[count++] = by_block_alone(&question);
  if (terms->sum[WB_SUM_TOTAL] > 0)
    items[count++] = by_total(&question);
  return take_least(&question, items, count, bound, error);
}

/* ---- names ---- */

const char *wb_launch_sum_name(enum wb_launch_sum sum)
{
  static const char *const names[WB_SUM_COUNT] = {
      [WB_SUM_ALONE_OWN] = "A alone",
      [WB_SUM_ALONE_PARTITION] = "X alone",
      [WB_SUM_ALONE_OTHERS] = "Y alone",
      [WB_SUM_OWN] = "A",
      [WB_SUM_PARTITION] = "X",
      [WB_SUM_OTHERS] = "Y",
      [WB_SUM_UNITS] = "Z",
      [WB_SUM_PHASE_UNITS] = "Z1",
      [WB_SUM_GPU] = "g",
      [WB_SUM_TOTAL] = "total",
      [WB_SUM_BARRIERS] = "f - 1",
  };
  return names[sum];
}

const char *wb_launch_part_name(enum wb_launch_part part)
{
  static const char *const names[WB_PART_COUNT] = {
      [WB_PART_LAUNCH] = "launch overhead",
      [WB_PART_OWN] = "own latencies and stalls",
      [WB_PART_OWN_BLOCK] = "other warps of the block",
      [WB_PART_OTHER_BLOCKS] = "other blocks of the SM",
      [WB_PART_BARRIERS] = "changes of partition",
      [WB_PART_TAIL] = "last block",
      [WB_PART_GPU] = "shared by the GPU",
      [WB_PART_FLOOR] = "fraction cut off",
  };
  return names[part];
}

const char *wb_launch_formula_name(enum wb_launch_formula formula)
{
  static const char *const names[WB_FORMULA_COUNT] = {
      [WB_FORMULA_BLOCK_ALONE] = "block alone",
      [WB_FORMULA_ONE_WAVE] = "one wave",
      [WB_FORMULA_ALL_WARPS] = "all warps",
      [WB_FORMULA_PAIRS] = "pairs",
      [WB_FORMULA_TOTAL] = "total",
  };
  return names[formula];
}
