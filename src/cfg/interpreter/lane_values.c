#include "cfg/interpreter/lane_values.h"

#include "base/random.h"

#include <string.h>

static uint64_t mix(uint64_t number)
{
  struct wb_random random = {number};
  return wb_random_next(&random);
}

bool wb_lane_values_uniform(unsigned reg)
{
  return reg >= WB_REGISTER_UNIFORM && reg < WB_REGISTER_BARRIER;
}

bool wb_lane_values_truth(unsigned reg)
{
  return (reg >= WB_REGISTER_PREDICATE && reg < WB_REGISTER_CONDITION_CODE) ||
         (reg >= WB_REGISTER_UNIFORM_PREDICATE && reg < WB_REGISTER_BARRIER);
}

/* Of 256: extreme ones among them, so that of 32 lanes none or all are often met. */
static uint32_t bias_of(const struct wb_lane_values *values, uint64_t place)
{
  static const uint8_t biases[] = {2, 8, 32, 96, 128, 192, 240, 252};
  if (values->bias > 0)
    return values->bias;
  return biases[mix(values->seed ^ mix(place)) % sizeof biases];
}

static uint32_t value_from(const struct wb_lane_values *values, unsigned reg, uint64_t hash,
                           uint64_t place)
{
  return wb_lane_values_truth(reg) ? (hash & 255) < bias_of(values, place) : (uint32_t)(hash >> 16);
}

/* The number that tells a lane from others where nothing makes them agree: the lane, or, since
 * such values may also be partly equal, only whether it is a certain one or beyond one. */
static uint64_t lane_class(uint64_t salt, uint32_t lane)
{
  const uint32_t chosen = (uint32_t)(salt >> 8) % WB_LANE_LIMIT;
  switch (salt % 4) {
  case 0:
    return lane == chosen;
  case 1:
    return lane < chosen;
  default:
    return lane;
  }
}

uint32_t wb_lane_values_get(const struct wb_lane_values *values, unsigned reg, uint32_t lane)
{
  if ((values->written[reg] >> lane & 1) != 0)
    return values->value[reg][lane];
  const uint64_t salt = mix(values->seed + reg);
  const uint64_t place = UINT64_MAX - reg;
  const uint64_t name = wb_lane_values_uniform(reg) ? 0 : lane_class(salt, lane);
  return value_from(values, reg, mix(salt ^ mix(name)), place);
}

void wb_lane_values_start(struct wb_lane_values *values, uint64_t seed, uint32_t bias)
{
  values->seed = mix(seed);
  values->bias = bias;
  values->own_uniform = false;
  memset(values->written, 0, sizeof values->written);
}

uint64_t wb_lane_values_hash(const struct wb_lane_values *values,
                             const struct wb_function *function, uint32_t instruction,
                             uint32_t lane, uint64_t salt)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  uint64_t hash = salt;
  for (uint32_t s = 0; s < at->read_count; s++) {
    const struct wb_register_span span = function->spans[at->first_read + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      hash = mix(hash ^ wb_lane_values_get(values, r, lane));
  }
  return hash;
}

uint32_t wb_lane_values_doing(const struct wb_lane_values *values,
                              const struct wb_function *function, uint32_t instruction,
                              uint32_t active, uint64_t salt)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  uint32_t doing = 0;
  if (at->never)
    return 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((active >> lane & 1) == 0)
      continue;
    bool does = at->guard == WB_NO_REGISTER ||
                (wb_lane_values_get(values, at->guard, lane) != 0) != at->guard_negated;
    if (does && (at->conditional_code || at->second_predicate)) {
      const uint64_t hash = wb_lane_values_hash(values, function, instruction, lane, salt);
      does = (hash & 255) < bias_of(values, instruction);
    }
    if (at->uniform)
      return does ? active : 0;
    doing |= (uint32_t)does << lane;
  }
  return doing;
}

void wb_lane_values_set(struct wb_lane_values *values, unsigned reg, uint32_t lanes,
                        uint32_t number)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) != 0)
      values->value[reg][lane] = number;
  }
  values->written[reg] |= lanes;
}

uint32_t wb_lane_values_named(const struct wb_lane_values *values, enum wb_value_name kind,
                              uint64_t name)
{
  return (uint32_t)(mix(mix(values->seed + (uint64_t)kind) ^ mix(name)) >> 16);
}

/* Writes one register, from the lanes' hashes. doing has lanes. */
static void write_register(struct wb_lane_values *values, unsigned reg, uint32_t instruction,
                           uint32_t active, uint32_t doing, const uint64_t *hashes)
{
  if (wb_lane_values_uniform(reg)) {
    uint32_t first = 0;
    while ((doing >> first & 1) == 0)
      first++;
    wb_lane_values_set(values, reg, values->own_uniform ? active : UINT32_MAX,
                       value_from(values, reg, mix(hashes[first] + reg), instruction));
    return;
  }
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((doing >> lane & 1) != 0)
      values->value[reg][lane] = value_from(values, reg, mix(hashes[lane] + reg), instruction);
  }
  values->written[reg] |= doing;
}

void wb_lane_values_write(struct wb_lane_values *values, const struct wb_function *function,
                          uint32_t instruction, uint32_t active, uint32_t doing, uint64_t salt)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool anything = at->unknown;
  uint64_t hashes[WB_LANE_LIMIT] = {0};
  if (doing == 0 || (!anything && at->write_count == 0))
    return;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (anything || at->agreement == WB_AGREES_NEVER)
      hashes[lane] = mix(salt ^ mix(lane_class(salt, lane)));
    else if (at->agreement == WB_AGREES_ALWAYS || at->agreement == WB_AGREES_BY_LANE)
      hashes[lane] = salt;
    else if ((doing >> lane & 1) != 0)
      hashes[lane] = wb_lane_values_hash(values, function, instruction, lane, salt);
  }
  if (anything) {
    const unsigned end = values->own_uniform ? WB_REGISTER_BARRIER : WB_REGISTER_COUNT;
    for (unsigned r = 0; r < end; r++)
      write_register(values, r, instruction, active, doing, hashes);
    return;
  }
  for (uint32_t s = 0; s < at->write_count; s++) {
    const struct wb_register_span span = function->spans[at->first_write + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      write_register(values, r, instruction, active, doing, hashes);
  }
}
