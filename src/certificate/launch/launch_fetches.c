#include "certificate/launch/launch_fetches.h"

#include "base/checked.h"

/* A sum under way, which stays unknown once it does not fit. */
static void add_times(uint64_t *sum, uint64_t count, uint64_t each)
{
  uint64_t product;
  if (count == 0 || each == 0 || *sum == WB_CHECK_FETCHES_UNKNOWN)
    return;
  if (each == WB_CHECK_FETCHES_UNKNOWN || !wb_multiply(count, each, &product) ||
      !wb_add(*sum, product, sum))
    *sum = WB_CHECK_FETCHES_UNKNOWN;
}

/* SMs that have blocks of the launch. */
static uint64_t busy_sms(const struct wb_launch_shape *shape)
{
  return shape->blocks < shape->sms ? shape->blocks : shape->sms;
}

/* How many caches of the level the chains can wait for together: that of a slot, where blocks wait,
 * and that of the last block; of rounds one chain more each, on any SM. found: a chain that comes
 * to an SM later starts where another block has ended, which left the thing in all caches there. */
static uint64_t caches_met(const struct wb_launch_shape *shape, enum wb_resource_level level,
                           uint64_t phases, uint64_t rounds, bool found)
{
  const bool queue = shape->blocks > (uint64_t)shape->sms * shape->resident_blocks;
  const bool two = queue && busy_sms(shape) > 1 && !found; /* the last block on another SM */
  const uint64_t sms = rounds < busy_sms(shape) ? rounds + 1 : busy_sms(shape);
  uint64_t last = shape->partitions; /* partitions that the last chain can be in */
  last = phases < last ? phases : last;
  last = shape->block_warps < last ? shape->block_warps : last;
  if (level == WB_LEVEL_GPU)
    return 1;
  if (rounds > 0 && found)
    return level == WB_LEVEL_SM ? 1 : last;
  if (rounds > 0 && level == WB_LEVEL_SM)
    return sms;
  if (rounds > 0) { /* all partitions, or those that the chains can be in */
    const uint64_t all = busy_sms(shape) * shape->partitions;
    return rounds < all / last ? (rounds + 1) * last : all;
  }
  if (level == WB_LEVEL_SM)
    return two ? 2 : 1;
  return !queue ? last : two ? (uint64_t)shape->partitions + last : shape->partitions;
}

/* How many caches of the level there are in an SM, or of the GPU's one that serves it. */
static uint64_t caches_of_sm(const struct wb_launch_shape *shape, enum wb_resource_level level)
{
  return level == WB_LEVEL_PARTITION ? shape->partitions : 1;
}

static uint64_t all_caches(const struct wb_launch_shape *shape, enum wb_resource_level level)
{
  uint64_t all = 0;
  if (level == WB_LEVEL_GPU)
    return 1;
  add_times(&all, busy_sms(shape), caches_of_sm(shape, level));
  return all;
}

/* Whether each block fetches them. */
static bool is_of_block(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch)
{
  return code->first.of_block && fetch->data != WB_FIRST_AS_BEFORE;
}

/* How many blocks begin on an SM, at least, between two fetches of a sector for one block, where
 * the first cache keeps the lines used last: lines of the blocks that reside, and of one less than
 * these, are no more than it keeps. 0: it does not keep those of the blocks that reside. */
static uint64_t patience_of(const struct wb_first_data *first, const struct wb_launch_shape *shape)
{
  const uint64_t held = first->retained / 128;
  uint64_t residents = shape->resident_blocks;
  uint64_t of_block = 0; /* lines */
  uint64_t blocks = 0;   /* whose lines are held together */
  for (size_t b = 0; b < first->count; b++)
    of_block = wb_plus(of_block, first->buffers[b].block_lines);
  if (residents > shape->blocks)
    residents = shape->blocks;
  if (of_block > 0)
    blocks = held / of_block;
  return blocks < residents ? 0 : blocks - residents + 1;
}

bool wb_check_launch_keeps_recent(const struct wb_check_launch_claim *claim)
{
  struct wb_launch_shape shape = claim->shape;
  bool enough = patience_of(&claim->code.first, &shape) >= 2;
  for (size_t r = 0; r < claim->other_resident_count; r++) {
    shape.resident_blocks = claim->other_residents[r];
    enough = enough && patience_of(&claim->code.first, &shape) >= 2;
  }
  return enough;
}

/* Adds to the cost of what each block fetches once what it makes others fetch again: each block
 * that begins is one of `patience` for all blocks beside it. */
static void add_again(const struct wb_launch_shape *shape, uint64_t patience, uint64_t *cost)
{
  const uint64_t residents =
      shape->resident_blocks < shape->blocks ? shape->resident_blocks : shape->blocks;
  const uint64_t once = *cost;
  uint64_t all = 0;
  add_times(&all, residents - 1, once);
  if (all == WB_CHECK_FETCHES_UNKNOWN)
    *cost = all;
  else
    add_times(cost, 1, all / patience + (all % patience > 0));
}

struct wb_check_launch_block_fetches
wb_check_launch_fetches_of_block(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape, uint64_t denominator)
{
  struct wb_check_launch_block_fetches all = {0};
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    for (size_t s = 0; s < fetch->stage_count && is_of_block(code, fetch); s++) {
      const struct wb_request_stage *stage = &fetch->stages[s];
      const struct wb_resource *resource = &code->resources[stage->resource];
      const uint64_t share = denominator / resource->servers;
      uint64_t steps = stage->delay * denominator + stage->service * (denominator - share);
      const uint64_t whole = (stage->delay + (uint64_t)stage->requests * stage->service);
      add_times(&all.apart, fetch->count, whole * denominator);
      if (stage->buffer > 0) /* in L2, or fetched there: with the kept data */
        steps = wb_maximum(code->kept.buffers[stage->buffer - 1].by_sector ? 0 : steps,
                           stage->hit * denominator);
      else
        add_times(resource->level == WB_LEVEL_GPU ? &all.gpu : &all.sm, fetch->count,
                  (uint64_t)stage->requests * stage->service * share);
      add_times(&all.steps, fetch->data == WB_FIRST_BY_ACCESS ? 0 : fetch->count, steps);
    }
  }
  if (!code->first.recent)
    return all;
  all.patience = patience_of(&code->first, shape);
  if (all.patience < 2) { /* even beside the last block others may be fetched again */
    all.steps = all.sm = all.gpu = all.apart = all.steps_again = WB_CHECK_FETCHES_UNKNOWN;
    return all;
  }
  all.steps_again = all.steps == WB_CHECK_FETCHES_UNKNOWN
                        ? all.steps
                        : all.steps / all.patience + (all.steps % all.patience > 0);
  add_again(shape, all.patience, &all.sm);
  add_again(shape, all.patience, &all.gpu);
  add_again(shape, all.patience, &all.apart);
  return all;
}

/* What one line, or page, adds to a bound. */
static uint64_t cost_of_one(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch,
                            const struct wb_launch_shape *shape, uint64_t phases, uint64_t rounds,
                            bool found, uint64_t denominator)
{
  const uint64_t met = caches_met(shape, fetch->level, phases, rounds, found);
  uint64_t each = 0;
  for (size_t s = 0; s < fetch->stage_count; s++) {
    const struct wb_request_stage *stage = &fetch->stages[s];
    const struct wb_resource *resource = &code->resources[stage->resource];
    const uint64_t share = denominator / resource->servers;
    uint64_t sms_met = caches_met(shape, WB_LEVEL_SM, phases, rounds, found);
    uint64_t work = 0; /* of all of its requests, of one cache */
    /* A chain waits for delay and service, but for the share of what serves. */
    uint64_t steps = stage->delay * denominator + stage->service * (denominator - share);
    if (stage->buffer == 0)
      add_times(&work, (uint64_t)stage->requests * stage->service, share);
    else /* L2 has it, or fetches it, once in the launch: the work of that is with the kept data */
      steps = wb_maximum(code->kept.buffers[stage->buffer - 1].by_sector ? 0 : steps,
                         stage->hit * denominator);
    /* Accesses that pay for a fetch each have the steps among their own times. */
    if (fetch->data != WB_FIRST_BY_ACCESS)
      add_times(&each, met, steps);
    /* Others' requests hold it up: at the SMs where it is, or at the GPU. */
    if (resource->level == WB_LEVEL_GPU)
      add_times(&each, all_caches(shape, fetch->level), work);
    for (; resource->level != WB_LEVEL_GPU && sms_met > 0; sms_met--)
      add_times(&each, caches_of_sm(shape, fetch->level), work);
  }
  return each;
}

uint64_t wb_check_launch_fetches(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape, uint64_t phases,
                                 uint64_t denominator, uint64_t rounds)
{
  uint64_t sum = 0;
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    if (is_of_block(code, fetch))
      continue;
    /* A block of fewer warps leaves partitions without. */
    const bool everywhere =
        fetch->level != WB_LEVEL_PARTITION || shape->block_warps >= shape->partitions;
    const uint64_t found = everywhere ? fetch->by_all_warps : 0;
    add_times(&sum, found, cost_of_one(code, fetch, shape, phases, rounds, true, denominator));
    add_times(&sum, fetch->count - found,
              cost_of_one(code, fetch, shape, phases, rounds, false, denominator));
  }
  return sum;
}

uint64_t wb_check_launch_fetches_apart(const struct wb_timed_code *code,
                                       const struct wb_launch_shape *shape, uint64_t denominator)
{
  uint64_t sum = 0;
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    if (is_of_block(code, fetch))
      continue;
    uint64_t cycles = 0;
    uint64_t each = 0;
    for (size_t s = 0; s < fetch->stage_count; s++)
      cycles +=
          fetch->stages[s].delay + (uint64_t)fetch->stages[s].requests * fetch->stages[s].service;
    add_times(&each, cycles, denominator);
    uint64_t of_all = 0;
    add_times(&of_all, all_caches(shape, fetch->level), each);
    add_times(&sum, fetch->count, of_all);
  }
  return sum;
}
