#include "values/lanes/lane_domain.h"

#include "values/lanes/lane_operations.h"

static bool has_register(const struct wb_function *function, uint32_t first, uint32_t count,
                         unsigned number)
{
  for (uint32_t s = 0; s < count; s++)
    if (number >= function->spans[first + s].first &&
        number < (unsigned)function->spans[first + s].first + function->spans[first + s].count)
      return true;
  return false;
}

static bool reads_are_uniform(struct wb_lane_walk *walk, const struct wb_instruction *instruction)
{
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = walk->function->spans[instruction->first_read + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (r != instruction->guard &&
          !wb_lanes_are_uniform(walk->values, wb_lane_term_value(walk, wb_lane_walk_read(walk, r))))
        return false;
  }
  return true;
}

/* By the rule of the opcode. */
static uint32_t generic_result(struct wb_lane_walk *walk, const struct wb_instruction *instruction)
{
  switch (instruction->agreement) {
  case WB_AGREES_ALWAYS:
    return WB_LANES_UNIFORM;
  case WB_AGREES_BY_SOURCES:
  case WB_AGREES_BY_MEMORY:
    return reads_are_uniform(walk, instruction) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
  default:
    return WB_LANES_UNKNOWN;
  }
}

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  wb_lane_walk_look(walk, instruction);
  walk->generic = generic_result(walk, instruction);
  if (walk->guard == walk->layout.count)
    return;
  walk->guard_of = walk->slots[walk->guard];
  walk->together = wb_lanes_are_uniform(walk->values, walk->state->values[walk->guard]);
  walk->guard_stays = !has_register(function, instruction->first_write, instruction->write_count,
                                    instruction->guard);
}

static bool has_result(const struct wb_micro_code *code, unsigned number)
{
  for (size_t w = 0; w < code->write_count; w++)
    if (code->writes[w].number == number ||
        (code->writes[w].wide && code->writes[w].number + 1U == number))
      return true;
  return false;
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  struct wb_lane_walk *walk = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_write + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (!has_result(code, r))
        wb_lane_walk_write(walk, r, wb_lane_term_plain(walk, walk->generic));
  }
}

/* What is not known of a word is known by the rule of the opcode. */
static void write_word(struct wb_lane_walk *walk, unsigned number, uint32_t term)
{
  if (wb_lane_term_value(walk, term) == WB_LANES_UNKNOWN && walk->generic != WB_LANES_UNKNOWN) {
    struct wb_lane_term better = walk->terms[term];
    if (better.form == WB_LANE_ENTRY)
      better = (struct wb_lane_term){.form = WB_LANE_PLAIN};
    better.value = walk->generic;
    term = wb_lane_term_add(walk, &better);
  }
  wb_lane_walk_write(walk, number, term);
}

static void write_result(void *context, const struct wb_micro_code *code,
                         const struct wb_micro_write *write)
{
  struct wb_lane_walk *walk = context;
  struct wb_lane_result *result = &walk->results[write->result];
  (void)code;
  if (write->wide)
    wb_lane_make_words(walk, result);
  write_word(walk, write->number, result->term);
  if (write->wide)
    write_word(walk, write->number + 1U, result->upper);
}

static void forget_all(void *context)
{
  wb_lane_walk_forget_all(context);
}

const struct wb_domain wb_lane_domain = {
    .name = "lanes",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = wb_lane_copy,
            [WB_MICRO_ADD] = wb_lane_add,
            [WB_MICRO_MULTIPLY] = wb_lane_multiply,
            [WB_MICRO_MULTIPLY_UPPER] = wb_lane_multiply_upper,
            [WB_MICRO_SHIFT_LEFT] = wb_lane_shift,
            [WB_MICRO_SHIFT_RIGHT] = wb_lane_shift,
            [WB_MICRO_FUNNEL_LEFT] = wb_lane_funnel_shift,
            [WB_MICRO_FUNNEL_RIGHT] = wb_lane_funnel_shift,
            [WB_MICRO_LOOKUP] = wb_lane_lookup,
            [WB_MICRO_PERMUTE] = wb_lane_permute,
            [WB_MICRO_EXTRACT] = wb_lane_extract,
            [WB_MICRO_SELECT] = wb_lane_select,
            [WB_MICRO_MINIMUM] = wb_lane_extreme,
            [WB_MICRO_MAXIMUM] = wb_lane_extreme,
            [WB_MICRO_ABSOLUTE] = wb_lane_some_function,
            [WB_MICRO_COUNT_ONES] = wb_lane_some_function,
            [WB_MICRO_LEADING_ONE] = wb_lane_some_function,
            [WB_MICRO_REVERSE] = wb_lane_some_function,
            [WB_MICRO_CARRY] = wb_lane_carry,
            [WB_MICRO_COMPARE] = wb_lane_some_function,
            [WB_MICRO_COMPARE_UPPER] = wb_lane_some_function,
            [WB_MICRO_COMPARE_BY_CARRY] = wb_lane_some_function,
            [WB_MICRO_COMPARE_WIDE] = wb_lane_some_function,
            [WB_MICRO_COMBINE] = wb_lane_some_function,
            [WB_MICRO_IS_NOT_ZERO] = wb_lane_some_function,
            [WB_MICRO_WIDE_COPY] = wb_lane_copy_wide,
            [WB_MICRO_WIDE_ADD] = wb_lane_add_wide,
            [WB_MICRO_WIDE_MULTIPLY] = wb_lane_multiply_wide,
            [WB_MICRO_WIDE_SELECT] = wb_lane_select_wide,
            [WB_MICRO_WIDE_EXTEND] = wb_lane_extend,
            [WB_MICRO_SOME_LANE] = wb_lane_some_lane,
            [WB_MICRO_FUNCTION] = wb_lane_some_function,
        },
    .unknown = wb_lane_unknown,
    .forget_writes = forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};
