/* The domain "affine in the lane" against the meaning of micro-operations in 32 lanes: two random
 * ways from one begin join and go on together; each register, each pair of registers, and both
 * where a predicate is true or false, must hold what the walk says in all lanes of the group. A
 * failure is shrunk before it is shown.
 *   WARPBOUND_CROSS_RUNS programs (4000 without it), WARPBOUND_SEED */
#include "concrete_lanes.h"
#include "micro_programs.h"
#include "unit.h"
#include "values/lanes/lane_domain.h"
#include "values/lanes/lane_parts.h"
#include "values/lanes/lane_walk.h"

#include <inttypes.h>

#define DEFAULT_RUNS 4000

/* How the lanes' words of a register are drawn, and what of them is known. */
enum start { UNKNOWN, NUMBER, UNIFORM, KNOWN, AFFINE, START_COUNT };

struct trial {
  struct micro_program program;
  size_t one, both; /* steps before `one`: one way; before `both`: the other; then both */
  uint64_t ends;    /* bit i: a block ends after step i */
  uint32_t lanes;   /* of the group */
  uint32_t first[WB_LANES][MICRO_REGISTERS];
  uint32_t predicates; /* of the lanes, seed */
  uint8_t starts[MICRO_REGISTERS];
  uint8_t bits[MICRO_REGISTERS]; /* of AFFINE: known bits of lane 0 */
};

struct totals {
  size_t instructions, words, words_known, wides, wides_known, splits;
};

/* ---- random programs ---- */

static void draw_trial(uint64_t seed, struct trial *trial)
{
  struct wb_random random = {seed};
  *trial = (struct trial){.lanes = wb_random_below(&random, 3) == 0 ? 0 : UINT32_MAX};
  micro_draw(&random, 1 + (size_t)wb_random_below(&random, 10), &trial->program);
  trial->both = (size_t)wb_random_below(&random, trial->program.count + 1);
  trial->one = (size_t)wb_random_below(&random, trial->both + 1);
  trial->ends = wb_random_next(&random);
  trial->ends &= wb_random_next(&random);
  while (trial->lanes == 0)
    trial->lanes = (uint32_t)wb_random_next(&random);
  for (unsigned r = 0; r < MICRO_REGISTERS; r++) {
    static const uint32_t strides[] = {1, 2, 4, 12, 16, 0x100, 0x1000000};
    const uint32_t stride = strides[wb_random_below(&random, COUNT_OF(strides))];
    const uint32_t base = wb_random_below(&random, 2) == 0 ? (uint32_t)wb_random_next(&random)
                                                           : (uint32_t)wb_random_below(&random, 64);
    const bool modular = wb_random_below(&random, 3) == 0;
    trial->starts[r] = (uint8_t)wb_random_below(&random, START_COUNT);
    trial->bits[r] = (uint8_t)wb_random_below(&random, 33);
    for (uint32_t l = 0; l < WB_LANES; l++) {
      uint32_t *word = &trial->first[l][r];
      *word = base + stride * (modular ? l % 8 : l);
      if (trial->starts[r] == NUMBER || trial->starts[r] == UNIFORM)
        *word = base;
      else if (trial->starts[r] == UNKNOWN)
        *word = (uint32_t)wb_random_next(&random);
    }
  }
  trial->predicates = (uint32_t)wb_random_next(&random);
}

/* ---- what the walk says ---- */

static uint64_t low_bits(uint64_t number, unsigned bits)
{
  return bits >= 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

/* Whether lanes with these distances can be off by these numbers: one part of them, by order of
 * distance, by one number that is a multiple of 2^bits. */
static bool is_cut(const int64_t *distance, const uint64_t off[WB_LANES], uint32_t lanes,
                   unsigned bits)
{
  uint64_t by = 0;
  int64_t least[2] = {INT64_MAX, INT64_MAX};
  int64_t most[2] = {INT64_MIN, INT64_MIN};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if ((lanes >> l & 1) == 0)
      continue;
    if (off[l] != 0 && by != 0 && off[l] != by)
      return false;
    by = off[l] != 0 ? off[l] : by;
    least[off[l] != 0] = distance[l] < least[off[l] != 0] ? distance[l] : least[off[l] != 0];
    most[off[l] != 0] = distance[l] > most[off[l] != 0] ? distance[l] : most[off[l] != 0];
  }
  return by == 0 || (low_bits(by, bits) == 0 && (most[0] < least[1] || most[1] < least[0]));
}

/* Whether the lanes have, in some order, distances of the table from one number. */
static bool is_loose(const struct wb_lane_value *it, const int64_t *distance,
                     const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  const unsigned bits = it->wide ? 64 : 32;
  unsigned first = 0;
  while ((lanes >> first & 1) == 0)
    first++;
  for (unsigned base = 0; base < WB_LANES; base++) { /* the distance of the first lane */
    const uint64_t zero = numbers[first] - (uint64_t)distance[base];
    bool all = low_bits(zero ^ it->residue, it->bits) == 0;
    for (unsigned l = 0; l < WB_LANES && all; l++) {
      bool found = (lanes >> l & 1) == 0;
      for (unsigned d = 0; d < WB_LANES && !found; d++)
        found = low_bits(numbers[l] - zero - (uint64_t)distance[d], bits) == 0;
      all = found;
    }
    if (all)
      return true;
  }
  return false;
}

/* Whether the lanes have, in some order, distances of the table from one number, from some distance
 * on (or up to it) all off by one more. */
static bool is_cut_set(const struct wb_lane_value *it, const int64_t *distance,
                       const uint64_t numbers[WB_LANES], uint32_t lanes, uint64_t zero, uint64_t by)
{
  const unsigned bits = it->wide ? 64 : 32;
  const uint64_t unit = it->split && !it->cut ? UINT32_MAX : 0;
  if (low_bits(zero ^ it->residue, it->bits) != 0 || low_bits(by, it->bits) != 0 ||
      (by & unit) != 0)
    return false;
  for (unsigned place = 0; place < 2 * WB_LANES; place++) {
    uint32_t left = lanes;
    for (unsigned l = 0; l < WB_LANES; l++)
      for (unsigned d = 0; d < WB_LANES && (left >> l & 1) != 0; d++) {
        const bool off = (distance[d] >= distance[place / 2]) == (place % 2 == 0);
        if (low_bits(numbers[l] - zero - (off ? by : 0) - (uint64_t)distance[d], bits) == 0)
          left &= ~(UINT32_C(1) << l);
      }
    if (left == 0)
      return true;
  }
  return false;
}

/* The same for any number, and any that the others are off by. */
static bool is_some_cut_set(const struct wb_lane_value *it, const int64_t *distance,
                            const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  const unsigned bits = it->wide ? 64 : 32;
  unsigned first = 0;
  while ((lanes >> first & 1) == 0)
    first++;
  for (unsigned base = 0; base < WB_LANES; base++) {
    const uint64_t zero = numbers[first] - (uint64_t)distance[base];
    uint32_t others = 0; /* lanes without a distance from it */
    for (unsigned l = 0; l < WB_LANES; l++) {
      bool found = (lanes >> l & 1) == 0;
      for (unsigned d = 0; d < WB_LANES && !found; d++)
        found = low_bits(numbers[l] - zero - (uint64_t)distance[d], bits) == 0;
      others |= (uint32_t)!found << l;
    }
    unsigned other = 0;
    while (other < WB_LANES && (others >> other & 1) == 0)
      other++;
    for (unsigned d = 0; d < WB_LANES; d++) {
      const uint64_t by =
          other < WB_LANES ? low_bits(numbers[other] - zero - (uint64_t)distance[d], bits) : 0;
      if (is_cut_set(it, distance, numbers, lanes, zero, by))
        return true;
      if (by == 0)
        break;
    }
  }
  return false;
}

/* Whether the lanes of each period are off by one number, for some place of the periods. */
static bool is_periodic(const struct wb_lane_value *it, const int64_t *distance,
                        const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  const int64_t period = (int64_t)it->period;
  const int64_t step = (int64_t)it->step;
  for (unsigned place = 0; place <= WB_LANES; place++) {
    /* Between the places where a lane's period begins all starts are alike. */
    const int64_t begin = place < WB_LANES ? ((-distance[place]) % period + period) % period : 0;
    int64_t start = begin + (((int64_t)it->start - begin) % step + step) % step;
    bool alike = true;
    start = start < period ? start : (int64_t)it->start % step;
    for (unsigned a = 0; a < WB_LANES && alike; a++)
      for (unsigned b = 0; b < a && alike && (lanes >> a & 1) != 0; b++) {
        const int64_t in_a = start + distance[a];
        const int64_t in_b = start + distance[b];
        const bool same = (in_a - (in_a % period + period) % period) ==
                          (in_b - (in_b % period + period) % period);
        alike = (lanes >> b & 1) == 0 || !same ||
                low_bits(numbers[a] - numbers[b] - (uint64_t)(distance[a] - distance[b]),
                         it->wide ? 64 : 32) == 0;
      }
    if (alike)
      return true;
  }
  return false;
}

/* Whether the lanes that are off can be parted from the others at a number that is the edge. */
static bool has_edge(const struct wb_lane_value *it, const int64_t *distance,
                     const uint64_t off[WB_LANES], uint32_t lanes, uint64_t lane0)
{
  for (unsigned way = 0; way < 2; way++) { /* those that are off are below, or above */
    int64_t below = INT64_MIN;
    int64_t above = INT64_MAX;
    for (unsigned l = 0; l < WB_LANES; l++) {
      if ((lanes >> l & 1) == 0)
        continue;
      if ((off[l] != 0) == (way == 0))
        below = distance[l] > below ? distance[l] : below;
      else
        above = distance[l] < above ? distance[l] : above;
    }
    const uint64_t next = (uint64_t)below + 1;
    if (below == INT64_MIN || above == INT64_MAX ||
        (below < above &&
         low_bits(it->edge - lane0 - next, it->edge_bits) <= (uint64_t)(above - below - 1)))
      return true;
  }
  return false;
}

/* Whether the numbers, which are clamped, are so from one that is `unclamped` in lane 0. */
static bool is_clamped_from(const struct wb_lane_value *it, const int64_t *distance,
                            const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  unsigned least = 0;
  unsigned most = 0;
  while ((lanes >> least & 1) == 0)
    least = most = least + 1;
  for (unsigned l = 0; l < WB_LANES; l++) {
    if ((lanes >> l & 1) == 0)
      continue;
    least = distance[l] < distance[least] ? l : least;
    most = distance[l] > distance[most] ? l : most;
  }
  const uint64_t width = low_bits(numbers[most] - numbers[least], it->wide ? 64 : 32);
  bool at_ends = true;
  int64_t low = INT64_MIN; /* the greatest distance of the lower end, the least of the upper one */
  int64_t high = INT64_MAX;
  for (unsigned k = 0; k < WB_LANES; k++) {
    if ((lanes >> k & 1) == 0)
      continue;
    const int64_t place = (int64_t)low_bits(numbers[k] - numbers[least], it->wide ? 64 : 32);
    bool from =
        low_bits(numbers[k] - (uint64_t)distance[k] - it->unclamped, it->unclamped_bits) == 0;
    for (unsigned l = 0; l < WB_LANES && from; l++) { /* the lane k is kept */
      const int64_t at = place + distance[l] - distance[k];
      const uint64_t kept = at < 0 ? 0 : (uint64_t)at > width ? width : (uint64_t)at;
      from = (lanes >> l & 1) == 0 ||
             low_bits(numbers[l] - numbers[least] - kept, it->wide ? 64 : 32) == 0;
    }
    if (from)
      return true;
    at_ends = at_ends && (place == 0 || (uint64_t)place == width);
    if (place == 0)
      low = distance[k] > low ? distance[k] : low;
    else
      high = distance[k] < high ? distance[k] : high;
  }
  /* None is kept. */
  const uint64_t first = numbers[least] + width - (uint64_t)high;
  return at_ends && (width == 0 || ((int64_t)width <= high - low &&
                                    low_bits(it->unclamped - first, it->unclamped_bits) <=
                                        (uint64_t)(high - low) - width));
}

/* Whether the numbers are in the order of their distances, and no farther apart, once turned so
 * that the first one is 0; with equal low bits. */
static bool is_clamped(const struct wb_lane_value *it, const int64_t *distance,
                       const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  const unsigned bits = it->wide ? 64 : 32;
  for (unsigned a = 0; a < WB_LANES; a++)
    for (unsigned b = 0; b < WB_LANES; b++) {
      if ((lanes >> a & lanes >> b & 1) == 0)
        continue;
      const uint64_t by = numbers[b] - numbers[a];
      const int64_t apart = bits == 64 ? (int64_t)by : (int64_t)(int32_t)(uint32_t)by;
      const int64_t most = distance[b] - distance[a];
      if (low_bits((uint64_t)(apart - most), it->bits < bits ? it->bits : bits) != 0 ||
          (!it->split && most >= 0 && (apart < 0 || apart > most)) ||
          (it->ordered && most >= 0 &&
           (int32_t)(uint32_t)numbers[b] < (int32_t)(uint32_t)numbers[a]) ||
          (it->level && most >= 0 && numbers[b] < numbers[a]))
        return false;
    }
  return it->split || is_clamped_from(it, distance, numbers, lanes);
}

/* Of a value of one part. */
static bool part_describes(const struct wb_lane_value_pool *values, uint32_t value,
                           const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  const struct wb_lane_value *it = &values->values[value];
  const int64_t *distance = values->shapes[it->shape].distance;
  uint64_t off[WB_LANES];
  unsigned first = 0;
  if (value == WB_LANES_UNKNOWN || lanes == 0)
    return true;
  for (unsigned l = 0; l < WB_LANES; l++)
    if ((lanes >> l & 1) != 0 &&
        (numbers[l] > it->most || (it->ranged && ((int32_t)(uint32_t)numbers[l] < it->low ||
                                                  (int32_t)(uint32_t)numbers[l] > it->high))))
      return false;
  if (it->loose && (it->period != 0 || it->clamps > 0))
    return true; /* of these only the counts are compared */
  if (it->loose && (it->split || it->cut))
    return is_some_cut_set(it, distance, numbers, lanes);
  if (it->period != 0 && !it->split && it->clamps == 0)
    return is_periodic(it, distance, numbers, lanes);
  if (it->period != 0)
    return true;
  if (it->loose)
    return is_loose(it, distance, numbers, lanes);
  if (it->clamps > 0)
    return is_clamped(it, distance, numbers, lanes);
  while ((lanes >> first & 1) == 0)
    first++;
  const uint64_t lane0 = numbers[first] - (uint64_t)distance[first];
  const unsigned bits = it->split && first > 0 && it->bits > 32 ? 32 : it->bits;
  for (unsigned l = 0; l < WB_LANES; l++) {
    off[l] = low_bits(numbers[l] - lane0 - (uint64_t)distance[l], it->wide ? 64 : 32);
    if ((lanes >> l & 1) != 0 && off[l] != 0 && !it->split && !it->cut)
      return false;
  }
  return low_bits(lane0, bits) == low_bits(it->residue, bits) &&
         (it->cut || has_edge(it, distance, off, lanes, lane0)) &&
         ((it->cut && it->split) || is_cut(distance, off, lanes,
                                           it->cut    ? it->bits
                                           : it->wide ? 32
                                                      : 0));
}

/* Whether the lanes can be dealt to the parts: each lane to the first part that has room for it,
 * or a later one. Recursion as deep as there are lanes. */
static bool deal(const struct wb_lane_value_pool *values, const struct wb_lane_part *parts,
                 size_t count, const uint64_t numbers[WB_LANES], uint32_t left,
                 uint32_t dealt[WB_LANES], unsigned *budget)
{
  if (left == 0 || *budget == 0)
    return true;
  --*budget;
  unsigned lane = 0;
  while ((left >> lane & 1) == 0)
    lane++;
  const uint32_t bit = UINT32_C(1) << lane;
  for (size_t p = 0; p < count; p++) {
    if ((parts[p].mask & bit) == 0 ||
        !part_describes(values, parts[p].value, numbers, dealt[p] | bit))
      continue;
    dealt[p] |= bit;
    if (deal(values, parts, count, numbers, left & ~bit, dealt, budget))
      return true;
    dealt[p] &= ~bit;
  }
  return false;
}

static bool describes(const struct wb_lane_value_pool *values, uint32_t value,
                      const uint64_t numbers[WB_LANES], uint32_t lanes)
{
  struct wb_lane_part parts[WB_LANES];
  uint32_t dealt[WB_LANES] = {0};
  unsigned budget = 2000; /* where that is not enough, nothing is found wrong */
  const size_t count = wb_lanes_parts(values, value, parts);
  return deal(values, parts, count, numbers, lanes, dealt, &budget);
}

/* NULL, or what does not hold of the lanes of which walk->guard is true or false. */
static const char *check_words(struct wb_lane_walk *walk, const struct wb_concrete *warp,
                               uint32_t group, struct totals *totals)
{
  uint32_t terms[MICRO_REGISTERS];
  uint64_t numbers[WB_LANES];
  for (unsigned r = 0; r < MICRO_REGISTERS; r++) {
    terms[r] = wb_lane_walk_read(walk, r);
    for (unsigned l = 0; l < WB_LANES; l++)
      numbers[l] = warp->lanes[l].words[r];
    const uint32_t value = wb_lane_term_value(walk, terms[r]);
    totals->words++;
    totals->words_known += value != WB_LANES_UNKNOWN;
    if (!describes(walk->values, value, numbers, group))
      return "a register";
  }
  for (unsigned low = 0; low < MICRO_REGISTERS; low++)
    for (unsigned high = 0; high < MICRO_REGISTERS; high++) {
      for (unsigned l = 0; l < WB_LANES; l++)
        numbers[l] = warp->lanes[l].words[low] | (uint64_t)warp->lanes[l].words[high] << 32;
      const uint32_t value = wb_lane_terms_wide(walk, terms[low], terms[high]);
      totals->wides++;
      totals->wides_known += value != WB_LANES_UNKNOWN;
      totals->splits += value != WB_LANES_UNKNOWN && walk->values->values[value].split;
      if (!describes(walk->values, value, numbers, group))
        return "a number of 64 bits";
    }
  return NULL;
}

static const char *check(struct wb_lane_walk *walk, const struct wb_concrete *warp, uint32_t group,
                         struct totals *totals)
{
  struct wb_instruction reader = {.guard = WB_NO_REGISTER};
  wb_lane_walk_look(walk, &reader);
  const char *wrong = check_words(walk, warp, group, totals);
  for (unsigned p = 0; p < 2 * MICRO_PREDICATES && wrong == NULL; p++) {
    uint32_t part = 0;
    uint64_t numbers[WB_LANES];
    reader.guard = (uint16_t)(WB_REGISTER_PREDICATE + p / 2);
    reader.guard_negated = p % 2 == 1;
    for (unsigned l = 0; l < WB_LANES; l++) {
      numbers[l] = warp->lanes[l].words[reader.guard];
      part |= (uint32_t)(numbers[l] != p % 2) << l;
    }
    if (!describes(walk->values, walk->state->values[wb_lane_slot(&walk->layout, reader.guard)],
                   numbers, group))
      return "a predicate";
    wb_lane_walk_look(walk, &reader);
    wrong = check_words(walk, warp, group & part, totals);
  }
  return wrong;
}

/* ---- programs ---- */

struct run {
  const struct trial *trial;
  struct micro_listing listing;
  struct wb_lane_value_pool values;
  struct wb_lane_walk walk;
  struct wb_lane_state start, begin, now, joined;
  struct totals *totals;
};

/* The walk begins a block with run->begin. */
static void begin(struct run *run, const struct wb_lane_state *state)
{
  wb_lane_state_copy(&run->walk.layout, state, &run->begin);
  wb_lane_state_copy(&run->walk.layout, state, &run->now);
  wb_lane_walk_begin(&run->walk, &run->begin, &run->now);
}

/* Instructions first .. end - 1 in the walk and in one or two warps. */
static const char *go(struct run *run, size_t first, size_t end, struct wb_concrete *warp,
                      struct wb_concrete *other)
{
  const struct trial *trial = run->trial;
  for (size_t i = first; i < end; i++) {
    const struct micro_step *step = &trial->program.steps[i];
    wb_domain_apply(&wb_lane_domain, &run->walk, &run->listing.function, (uint32_t)i, &step->code);
    wb_domain_apply(&wb_concrete_domain, warp, &run->listing.function, (uint32_t)i, &step->code);
    run->totals->instructions++;
    if ((trial->ends >> i & 1) != 0) {
      wb_lane_walk_end(&run->walk);
      begin(run, &run->now);
    }
    if (other != NULL)
      wb_domain_apply(&wb_concrete_domain, other, &run->listing.function, (uint32_t)i, &step->code);
    if (i + 1 < end && i % 3 != trial->predicates % 3)
      continue; /* what is wrong there stays wrong in most programs */
    const char *wrong = check(&run->walk, warp, trial->lanes, run->totals);
    if (wrong == NULL && other != NULL)
      wrong = check(&run->walk, other, trial->lanes, run->totals);
    if (wrong != NULL)
      return wrong;
  }
  wb_lane_walk_end(&run->walk);
  return NULL;
}

static const char *run_all(struct run *run)
{
  const struct trial *trial = run->trial;
  static struct wb_concrete one; /* large */
  static struct wb_concrete other;
  one = (struct wb_concrete){.running = trial->lanes, .random = {trial->predicates}};
  for (unsigned l = 0; l < WB_LANES; l++) {
    memcpy(one.lanes[l].words, trial->first[l], sizeof trial->first[l]);
    for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++)
      one.lanes[l].words[p] = (uint32_t)wb_random_below(&one.random, 2);
  }
  other = one;
  wb_lane_state_forget_all(&run->walk.layout, &run->start);
  for (unsigned r = 0; r < MICRO_REGISTERS; r++) {
    uint32_t numbers[WB_LANES];
    int64_t distances[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++) {
      numbers[l] = trial->first[l][r];
      distances[l] = (int64_t)(int32_t)(numbers[l] - numbers[0]);
    }
    uint32_t *value = &run->start.values[r];
    if (trial->starts[r] == UNIFORM)
      *value = WB_LANES_UNIFORM;
    else if (trial->starts[r] == AFFINE)
      *value = wb_lanes_shaped(&run->values, distances, trial->bits[r], numbers[0], UINT32_MAX);
    else if (trial->starts[r] != UNKNOWN)
      *value = wb_lanes_known(&run->values, numbers);
  }
  begin(run, &run->start);
  const char *wrong = go(run, 0, trial->one, &one, NULL);
  wb_lane_state_copy(&run->walk.layout, &run->now, &run->joined);
  begin(run, &run->start);
  if (wrong == NULL)
    wrong = go(run, trial->one, trial->both, &other, NULL);
  wb_lane_state_join(&run->walk.layout, &run->values, &run->joined, &run->now,
                     (trial->ends >> 63) != 0);
  begin(run, &run->joined);
  return wrong != NULL ? wrong : go(run, trial->both, trial->program.count, &one, &other);
}

/* NULL, or what is not as the walk says. */
static const char *run_trial(const struct trial *trial, struct totals *totals)
{
  static struct run run;
  run = (struct run){.trial = trial, .totals = totals};
  micro_describe(&trial->program, &run.listing);
  assert_true(wb_lane_value_pool_start(&run.values));
  assert_true(wb_lane_walk_make(&run.listing.function, NULL, &run.values, &run.walk));
  assert_true(wb_lane_state_make(&run.walk.layout, &run.start));
  assert_true(wb_lane_state_make(&run.walk.layout, &run.begin));
  assert_true(wb_lane_state_make(&run.walk.layout, &run.now));
  assert_true(wb_lane_state_make(&run.walk.layout, &run.joined));
  const char *wrong = run_all(&run);
  wb_lane_state_free(&run.start);
  wb_lane_state_free(&run.begin);
  wb_lane_state_free(&run.now);
  wb_lane_state_free(&run.joined);
  wb_lane_walk_free(&run.walk);
  wb_lane_value_pool_free(&run.values);
  return wrong;
}

/* ---- failures ---- */

/* Leaves out what stands in micro_leave_out, or that a block ends after step i. */
static bool leave_out(struct trial *trial, size_t i, unsigned what)
{
  const uint64_t ends = trial->ends;
  const uint64_t below = (UINT64_C(1) << i) - 1;
  if (what == MICRO_PARTS) {
    trial->ends &= ~(UINT64_C(1) << i);
    return trial->ends != ends;
  }
  if (what == 0) {
    trial->one -= i < trial->one;
    trial->both -= i < trial->both;
    trial->ends = (ends & below) | (ends >> 1 & ~below);
  }
  return micro_leave_out(&trial->program, i, what);
}

/* Leaves out something that the failure does not need. */
static bool shrink(struct trial *trial)
{
  struct totals totals = {0};
  for (size_t i = trial->program.count; i-- > 0;)
    for (unsigned what = 0; what <= MICRO_PARTS; what++) {
      struct trial less = *trial;
      if (leave_out(&less, i, what) && run_trial(&less, &totals) != NULL) {
        *trial = less;
        return true;
      }
    }
  return false;
}

static void show(struct trial *trial, uint64_t seed)
{
  struct totals totals = {0};
  while (shrink(trial)) {
  }
  for (unsigned r = 0; r < MICRO_REGISTERS; r++)
    fprintf(stderr, "  R%u = 0x%" PRIx32 ", 0x%" PRIx32 " ... (start %u, %u bits)\n", r,
            trial->first[0][r], trial->first[1][r], trial->starts[r], trial->bits[r]);
  for (size_t i = 0; i < trial->program.count; i++) {
    if (i == trial->one || i == trial->both)
      fprintf(stderr, i == trial->both ? "  joined:\n" : "  or:\n");
    micro_print(&trial->program.steps[i]);
    if ((trial->ends >> i & 1) != 0)
      fprintf(stderr, "  a block ends\n");
  }
  fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: %s is not as the walk says", seed,
           run_trial(trial, &totals));
}

TEST(lanes_are_as_described)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    static struct trial trial;
    draw_trial(seed + n, &trial);
    if (run_trial(&trial, &totals) != NULL)
      show(&trial, seed + n);
  }
  printf("# %zu instructions, %zu of %zu words known, %zu of %zu numbers of 64 bits, %zu split\n",
         totals.instructions, totals.words_known, totals.words, totals.wides_known, totals.wides,
         totals.splits);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.words_known * 3 > totals.words);
    assert_true(totals.wides_known * 20 > totals.wides);
    assert_true(totals.splits > runs / 10);
  }
}
