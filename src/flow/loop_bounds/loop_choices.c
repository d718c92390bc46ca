/* Recognises the loops: follows what is known of the predicates of one lane through the block.
 * doc/loop-bounds.md, Lemma 11, says why they end. */
#include "flow/loop_bounds/loop_choices.h"

#include "isa/lane_masks.h"
#include "isa/opcode.h"

#define PREDICATES 7

/* As bits: the numbers that a predicate may have. */
enum truth { NO = 1, YES = 2, EITHER = NO | YES };

/* What is known of a lane's predicates. */
struct lane {
  uint8_t is[PREDICATES]; /* enum truth */
  bool chosen;            /* the lane that the loop's instructions choose in this turn */
  uint16_t pending;       /* the register of the loop's guard */
};

/* The index of a lane's predicate; PREDICATES for any other register. */
static size_t index_of(uint32_t number)
{
  const bool is_one =
      number >= WB_REGISTER_PREDICATE && number < WB_REGISTER_PREDICATE + PREDICATES;
  return is_one ? number - WB_REGISTER_PREDICATE : PREDICATES;
}

static enum truth truth_of(const struct lane *lane, uint32_t number)
{
  const size_t index = index_of(number);
  if (number == WB_NO_REGISTER)
    return YES;
  return index < PREDICATES ? (enum truth)lane->is[index] : EITHER;
}

static bool writes(const struct wb_function *function, const struct wb_instruction *instruction,
                   uint32_t number)
{
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_write + s];
    if (number >= span.first && number < (uint32_t)span.first + span.count)
      return !instruction->never;
  }
  return false;
}

/* Whether the sources may have these values, bit s of them source s, together. */
static bool may_be(const struct lane *lane, const struct wb_combination *combination,
                   unsigned values)
{
  for (size_t s = 0; s < 3; s++) {
    const bool is_true = ((values >> s & 1) != 0) != combination->negated[s];
    if ((truth_of(lane, combination->sources[s]) & (is_true ? YES : NO)) == 0)
      return false;
    for (size_t other = 0; other < s; other++) {
      const bool also = ((values >> other & 1) != 0) != combination->negated[other];
      if (combination->sources[other] == combination->sources[s] && also != is_true)
        return false;
    }
  }
  return true;
}

static uint8_t result_of(const struct lane *lane, const struct wb_combination *combination,
                         size_t result)
{
  uint8_t is = 0;
  for (unsigned values = 0; values < 8; values++) {
    const unsigned row = (values & 1) << 2 | (values & 2) | (values >> 2 & 1);
    if (may_be(lane, combination, values))
      is |= (combination->tables[result] >> row & 1) != 0 ? YES : NO;
  }
  return is;
}

/* What is known after the lane has done the instruction, of which `lane` is what held before. */
static struct lane after_doing(const struct wb_function *function,
                               const struct wb_instruction *instruction, const struct lane *lane)
{
  struct lane after = *lane;
  struct wb_combination combination;
  uint16_t to;
  bool too;
  for (size_t p = 0; p < PREDICATES; p++) {
    if (writes(function, instruction, WB_REGISTER_PREDICATE + (uint32_t)p))
      after.is[p] = EITHER;
  }
  const bool chooses = lane->chosen && instruction->guard == lane->pending;
  if (chooses && wb_instruction_elects(function, instruction, &to) && index_of(to) < PREDICATES)
    after.is[index_of(to)] = YES;
  else if (chooses && wb_instruction_takes_number(function, instruction, &to, &too) &&
           index_of(to) < PREDICATES)
    after.is[index_of(to)] = too ? lane->is[index_of(to)] : NO;
  else if (wb_instruction_combines(function, instruction, &combination)) {
    for (size_t r = 0; r < 2; r++) {
      if (index_of(combination.to[r]) < PREDICATES)
        after.is[index_of(combination.to[r])] = result_of(lane, &combination, r);
    }
  }
  return after;
}

static void step(const struct wb_function *function, const struct wb_instruction *instruction,
                 struct lane *lane)
{
  const size_t guard = index_of(instruction->guard);
  const uint8_t done = instruction->guard_negated ? NO : YES;
  const uint8_t is = truth_of(lane, instruction->guard);
  /* Which lanes do what this guard says may differ from before: one chosen then need not be now. */
  lane->chosen = lane->chosen && !writes(function, instruction, lane->pending);
  if (instruction->never || (is & done) == 0)
    return;
  struct lane doing = *lane;
  if (guard < PREDICATES)
    doing.is[guard] = done;
  struct lane after = after_doing(function, instruction, &doing);
  for (size_t p = 0; p < PREDICATES && is != done; p++)
    after.is[p] |= lane->is[p]; /* the lane may skip it */
  *lane = after;
}

/* Whether a lane's guard is false in front of instruction `end` where in front of instruction
 * `first` it is `is`, and nothing else is known. chosen: the lane is chosen by what follows. */
static bool is_false_at(const struct wb_function *function, uint32_t first, uint32_t end,
                        uint16_t pending, enum truth is, bool chosen)
{
  struct lane lane = {.chosen = chosen, .pending = pending};
  for (size_t p = 0; p < PREDICATES; p++)
    lane.is[p] = EITHER;
  lane.is[index_of(pending)] = is;
  for (uint32_t i = first; i < end; i++)
    step(function, &function->instructions[i], &lane);
  return truth_of(&lane, pending) == NO;
}

/* Whether the branch goes back to the begin of its block for all lanes that do it if its guard is
 * true for one. */
static bool goes_back_for_any(const struct wb_function *function, const struct wb_warp_block *block)
{
  static const enum wb_modifier any[] = {WB_MODIFIER_U, WB_MODIFIER_ANY};
  const struct wb_instruction *last = &function->instructions[block->last];
  return last->transfer == WB_TRANSFER_BRANCH && wb_instruction_has_just(last, any, 2) &&
         index_of(last->guard) < PREDICATES && !last->guard_negated && !last->second_predicate &&
         !last->conditional_code && !last->never && last->target_count == 1 &&
         function->targets[last->first_target] == block->first;
}

/* The instructions of a block by which a lane is chosen among those of which the guard of its last
 * one is true. */
struct choosing {
  uint32_t first;     /* the first of them; that last one where there is none */
  uint32_t elections; /* by ELECT */
  uint32_t numbers;   /* by the number that a lane has */
};

/* False where lanes may part in the block, or none is chosen. */
static bool find_choosing(const struct wb_function *function, const struct wb_warp_block *block,
                          uint16_t pending, struct choosing *choosing)
{
  *choosing = (struct choosing){.first = block->last};
  for (uint32_t i = block->first; i < block->last; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    uint16_t to;
    bool too;
    if (instruction->transfer != WB_TRANSFER_NEXT || instruction->unknown ||
        instruction->conditional_code)
      return false;
    const bool guarded = instruction->guard == pending && !instruction->guard_negated;
    const bool elects = guarded && wb_instruction_elects(function, instruction, &to);
    const bool takes = guarded && wb_instruction_takes_number(function, instruction, &to, &too);
    choosing->elections += elects;
    choosing->numbers += takes;
    if (choosing->first == block->last && (elects || takes))
      choosing->first = i;
  }
  return choosing->first < block->last;
}

bool wb_loop_chooses_lanes(const struct wb_thread_flow *flow, uint32_t header, size_t block_count,
                           struct wb_lane_choices *choices)
{
  static const struct wb_lane_choices elected = {
      31, "each turn elects a lane that was not yet: at most 31",
      "ELECT makes its predicate true for one of the lanes that do it, and BRA.U.ANY goes where "
      "its "
      "guard is true for any"};
  static const char numbers_differ[] =
      "R2UR with a predicate takes the number of one of the lanes that do it, of the same one "
      "where "
      "the same lanes do it, and its predicate is false for lanes with that number; BRA.U.ANY goes "
      "where its guard is true for any";
  static const struct wb_lane_choices served = {
      31, "each turn serves the number of a lane that was not yet: at most 31", numbers_differ};
  static const struct wb_lane_choices joined = {
      62, "each turn serves the numbers of a lane that was not yet, or a lane joins: at most 62",
      numbers_differ};
  const struct wb_function *function = flow->graph->function;
  const struct wb_warp_block *block = &flow->graph->blocks[header];
  struct choosing choosing;
  if (block_count != 1 || !goes_back_for_any(function, block))
    return false;
  const uint16_t pending = function->instructions[block->last].guard;
  /* Another election may choose another lane. */
  if (!find_choosing(function, block, pending, &choosing) || choosing.elections > 1 ||
      (choosing.elections > 0 && choosing.numbers > 0) ||
      !is_false_at(function, block->first, choosing.first, pending, NO, false) ||
      !is_false_at(function, choosing.first, block->last, pending, NO, false) ||
      !is_false_at(function, choosing.first, block->last, pending, YES, true))
    return false;
  if (choosing.elections > 0)
    *choices = elected;
  else
    *choices = choosing.numbers > 1 ? joined : served;
  return true;
}
