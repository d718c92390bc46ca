/* The reasons of loop bounds, and hints at what would bound a loop. */
#include "flow/loop_bounds/loop_summary.h"

#include "base/text.h"
#include "isa/integer_results.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>

/* ---- the reason of a bound ---- */

/* "4", "-1", "0 to 31", "any number". */
static void write_range(struct wb_text *text, bool known, int64_t low, int64_t high)
{
  if (!known)
    wb_text_string(text, "any number");
  else if (low == high)
    wb_text_format(text, "%" PRId64, low);
  else
    wb_text_format(text, "%" PRId64 " to %" PRId64, low, high);
}

static void write_value(struct wb_text *text, const struct wb_integer *value, bool as_signed)
{
  int64_t low = 0;
  int64_t high = 0;
  const bool known = wb_integer_interval(value, as_signed, &low, &high);
  write_range(text, known && value->width < UINT32_MAX, low, high);
}

static void write_wide_value(struct wb_text *text, const struct wb_wide *value, bool as_signed)
{
  struct wb_integer_end low = {0, false};
  struct wb_integer_end high = {0, false};
  const bool known = wb_wide_ends(value, as_signed, &low, &high);
  write_range(text, known, low.number, high.number);
}

/* "R4"; of a word of the stack "[stack-0x8]". */
static void write_name(struct wb_text *text, const struct wb_stack_slots *slots, uint16_t number)
{
  char name[8];
  if (number >= WB_VALUE_SLOTS && number < WB_VALUE_SLOTS + slots->count) {
    const uint32_t place = slots->places[number - WB_VALUE_SLOTS];
    const bool below = place > INT32_MAX;
    wb_text_format(text, "[stack%s0x%" PRIx32 "]", below ? "-" : "+", below ? 0 - place : place);
    return;
  }
  wb_register_name(number, name);
  wb_text_string(text, name);
}

/* "R4", "R4 + 1", "R4 >> 1". */
static void write_form(struct wb_text *text, const struct wb_stack_slots *slots,
                       const struct wb_integer *form, uint16_t base)
{
  struct wb_integer offset = *form;
  offset.base = WB_NO_REGISTER;
  write_name(text, slots, base);
  if (form->shift > 0)
    wb_text_format(text, " %s %u", form->shape == WB_SHIFTED_LEFT ? "<<" : ">>", form->shift);
  if (offset.low == 0 && offset.width == 0)
    return;
  if (offset.width == 0 && offset.low > INT32_MAX) {
    wb_text_format(text, " - %" PRIu32, -offset.low);
    return;
  }
  wb_text_string(text, offset.width == 0 ? " + " : " + (");
  write_value(text, &offset, true);
  wb_text_string(text, offset.width == 0 ? "" : ")");
}

/* "R7 - R16 + 4". */
static void write_sum(struct wb_text *text, const struct wb_stack_slots *slots,
                      const struct wb_loop_sum *sum)
{
  for (size_t t = 0; t < sum->count; t++) {
    const bool negated = sum->factors[t] > INT32_MAX;
    const uint32_t times = negated ? 0 - sum->factors[t] : sum->factors[t];
    if (t > 0 || negated)
      wb_text_string(text, t == 0 ? "-" : negated ? " - " : " + ");
    if (times != 1)
      wb_text_format(text, "%" PRIu32 " * ", times);
    write_name(text, slots, sum->registers[t]);
  }
  if (sum->number > INT32_MAX)
    wb_text_format(text, " - %" PRIu32, 0 - sum->number);
  else if (sum->number != 0)
    wb_text_format(text, " + %" PRIu32, sum->number);
}

/* "R0 starts at 0, grows by 1 and the loop ends at R0 + 1 >= 16"; of a sum of registers "R7 - R16
 * starts at -64 to -4, grows by 4 and the loop ends at R7 - R16 == 0"; the step may be "shrinks by
 * 1 to 4" or "becomes R4 << 1", and where ends tell far less, ", which is 3 to 4 more than it at
 * the start" follows. */
static void write_word(struct wb_text *text, const struct wb_loop_count *count, const char *ends)
{
  const struct wb_counter *counter = &count->counter;
  const struct wb_word_counter *word = &counter->word;
  const uint16_t base = count->base;
  struct wb_integer by = word->next;
  int64_t low = 0;
  int64_t high = 0;
  by.base = WB_NO_REGISTER;
  const bool known = wb_integer_interval(&by, true, &low, &high);
  if (count->sum != NULL)
    write_sum(text, count->slots, count->sum);
  else
    write_form(text, count->slots, &(struct wb_integer){.base = base}, base);
  wb_text_string(text, " starts at ");
  write_value(text, &word->start, counter->as_signed);
  if (word->next.shift > 0 || !known) {
    wb_text_string(text, ", becomes ");
    write_form(text, count->slots, &word->next, base);
  } else {
    wb_text_string(text, low > 0 ? ", grows by " : ", shrinks by ");
    if (low <= 0)
      by = wb_integer_range(-high, -low);
    write_value(text, &by, true);
  }
  wb_text_string(text, " and the loop ends at ");
  if (count->sum != NULL)
    write_sum(text, count->slots, count->sum);
  else
    write_form(text, count->slots, &word->tested, base);
  wb_text_format(text, " %s ", ends);
  write_value(text, &word->limit, counter->as_signed);
  const struct wb_integer first = wb_integer_substitute(&word->tested, &word->start);
  const struct wb_integer apart = wb_integer_subtract(&word->limit, &first);
  if (word->way.width >= apart.width / 2)
    return;
  wb_text_string(text, ", which is ");
  write_value(text, &word->way, true);
  wb_text_string(text, " more than it at the start");
}

/* "R3:R2 + 1": the upper register first. */
static void write_wide_form(struct wb_text *text, const struct wb_stack_slots *slots,
                            const struct wb_wide *form)
{
  write_name(text, slots, form->base_high);
  wb_text_string(text, ":");
  write_name(text, slots, form->base_low);
  if (form->low == 0 && form->width == 0)
    return;
  struct wb_wide offset = *form;
  offset.base_low = offset.base_high = WB_NO_REGISTER;
  if (form->width == 0 && form->low > (uint64_t)INT64_MAX) {
    wb_text_format(text, " - %" PRIu64, 0 - form->low);
    return;
  }
  wb_text_string(text, form->width == 0 ? " + " : " + (");
  write_wide_value(text, &offset, true);
  wb_text_string(text, form->width == 0 ? "" : ")");
}

/* The same of a counter of 64 bits. */
static void write_wide(struct wb_text *text, const struct wb_loop_count *count, const char *ends)
{
  const struct wb_counter *counter = &count->counter;
  struct wb_wide by = counter->pair.next;
  struct wb_wide itself = {.base_low = by.base_low, .base_high = by.base_high};
  struct wb_integer_end low = {0, false};
  struct wb_integer_end high = {0, false};
  by.base_low = by.base_high = WB_NO_REGISTER;
  (void)wb_wide_ends(&by, true, &low, &high); /* as the bound was found, they are in order */
  write_wide_form(text, count->slots, &itself);
  wb_text_string(text, " starts at ");
  write_wide_value(text, &counter->pair.start, counter->as_signed);
  wb_text_string(text, low.number > 0 ? ", grows by " : ", shrinks by ");
  write_range(text, true, low.number > 0 ? low.number : -high.number,
              low.number > 0 ? high.number : -low.number);
  wb_text_string(text, " and the loop ends at ");
  write_wide_form(text, count->slots, &counter->pair.tested);
  wb_text_format(text, " %s ", ends);
  write_wide_value(text, &counter->pair.limit, counter->as_signed);
}

char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count)
{
  static const char *const ends[] = {
      [WB_RELATION_LESS] = ">=",    [WB_RELATION_EQUAL] = "!=",   [WB_RELATION_AT_MOST] = ">",
      [WB_RELATION_GREATER] = "<=", [WB_RELATION_UNEQUAL] = "==", [WB_RELATION_AT_LEAST] = "<",
  };
  const char *end = ends[count->counter.relation];
  const uint32_t compares = count->test->comparison.instruction;
  struct wb_text text = {0};
  if (count->counter.wide)
    write_wide(&text, count, end);
  else
    write_word(&text, count, end);
  wb_text_format(
      &text,
      " (compared at 0x%04" PRIx32 ", left at 0x%04" PRIx32 "): at most %" PRIu64 " back edge%s",
      function->instructions[compares].address, function->instructions[count->test->leaves].address,
      count->bound.most, count->bound.most == 1 ? "" : "s");
  return wb_text_take(&text);
}

/* ---- hints ---- */

/* An unknown part of a test. */
struct gap {
  uint32_t origin;  /* WB_ORIGIN: where its value comes from */
  const char *role; /* in the loop: "limit", "start", "step", "value"; static */
};

#define GAP_LIMIT 3

/* The unknown parts of a test, each origin once. */
struct gaps {
  const struct wb_loop_test *test;
  uint16_t counter; /* a register at the header; WB_NO_REGISTER: the test has no counter */
  size_t count;
  struct gap rows[GAP_LIMIT];
};

static enum wb_origin_kind kind_of(uint32_t origin)
{
  return (enum wb_origin_kind)(origin >> 24);
}

static void add(struct gaps *gaps, uint32_t origin, const char *role)
{
  for (size_t i = 0; i < gaps->count; i++) {
    if (gaps->rows[i].origin == origin)
      return;
  }
  if (origin != 0 && kind_of(origin) != WB_ORIGIN_BASES && gaps->count < GAP_LIMIT)
    gaps->rows[gaps->count++] = (struct gap){origin, role};
}

static void add_value(struct gaps *gaps, const struct wb_integer *value, const char *role)
{
  if (value->width == UINT32_MAX || value->low_by_width || value->high_by_width)
    add(gaps, value->origin, role);
}

/* Adds the two registers of a sum, where the origin is one, but for the counter. */
static void add_bases(struct gaps *gaps, const struct wb_integer_state *entry, uint32_t origin,
                      uint16_t counter, const char *role)
{
  for (unsigned shift = 0; shift <= 12 && kind_of(origin) == WB_ORIGIN_BASES; shift += 12) {
    const uint32_t number = origin >> shift & 0xfff;
    if (number != counter && number < WB_VALUE_COUNT)
      add_value(gaps, &entry->registers[number], role);
  }
}

static void add_form(struct gaps *gaps, const struct wb_integer_state *entry,
                     const struct wb_integer *form, const char *role)
{
  const struct wb_integer value = form->base == WB_NO_REGISTER
                                      ? *form
                                      : wb_integer_substitute(form, &entry->registers[form->base]);
  add_value(gaps, &value, role);
}

static void add_wide(struct gaps *gaps, const struct wb_integer_state *entry,
                     const struct wb_wide *form, const char *role)
{
  struct wb_wide value = *form;
  if (wb_wide_has_base(form) && form->base_high != WB_NO_REGISTER)
    value = wb_pairs_value(&entry->pairs, entry->registers, form->base_low, form->base_high);
  else if (wb_wide_has_base(form))
    add_value(gaps, &entry->registers[form->base_low], role);
  if (!wb_wide_is_top(&value) && !value.high_by_width)
    return;
  add(gaps, value.origin, role);
  add_bases(gaps, entry, value.origin, WB_NO_REGISTER, role);
}

/* The counter of one side: its base; where the side is a sum of two registers, the one that the
 * loop changes. */
static uint16_t counter_of(const struct wb_loop_summary *summary, uint16_t base, uint32_t origin)
{
  if (base != WB_NO_REGISTER || kind_of(origin) != WB_ORIGIN_BASES)
    return base;
  for (unsigned shift = 0; shift <= 12; shift += 12) {
    const uint16_t number = (uint16_t)(origin >> shift & 0xfff);
    if (number < WB_VALUE_COUNT && !wb_integer_is_register(&summary->next[number], number))
      return number;
  }
  return WB_NO_REGISTER;
}

/* The unknown parts of the test with one side as counter and the other as limit; none where that
 * side is no counter. */
static struct gaps find_gaps(const struct wb_loop_summary *summary,
                             const struct wb_integer_state *entry, const struct wb_loop_test *test,
                             bool mirrored)
{
  const struct wb_comparison *row = &test->comparison;
  const struct wb_integer *tested = mirrored ? &row->right : &row->left;
  const struct wb_integer *limit = mirrored ? &row->left : &row->right;
  const struct wb_wide *wide_tested = mirrored ? &row->wide_right : &row->wide_left;
  const struct wb_wide *wide_limit = mirrored ? &row->wide_left : &row->wide_right;
  const uint16_t base = row->wide ? counter_of(summary, wide_tested->base_low, wide_tested->origin)
                                  : counter_of(summary, tested->base, tested->origin);
  struct gaps gaps = {.test = test, .counter = base};
  if (base == WB_NO_REGISTER) {
    if (!row->wide && !mirrored && tested->width == UINT32_MAX && tested->origin != 0) {
      add_form(&gaps, entry, limit, "limit");
      add(&gaps, tested->origin, "value");
    }
    return gaps;
  }
  if (wb_integer_is_register(&summary->next[base], base))
    return gaps;
  if (row->wide) {
    add_wide(&gaps, entry, wide_limit, "limit");
    if (wb_wide_has_base(wide_tested))
      add_wide(&gaps, entry, wide_tested, "start");
    else
      add_value(&gaps, &entry->registers[base], "start");
  } else {
    add_form(&gaps, entry, limit, "limit");
    add_value(&gaps, &entry->registers[base], "start");
  }
  add(&gaps, summary->next[base].origin, "step");
  add_bases(&gaps, entry, summary->next[base].origin, base, "step");
  return gaps;
}

/* Parts that no option says: results of instructions, but for loads and integers of which the code
 * tells no range. */
static size_t beyond_options(const struct wb_function *function, const struct gaps *gaps)
{
  size_t count = 0;
  for (size_t i = 0; i < gaps->count; i++) {
    const struct wb_instruction *it =
        &function->instructions[gaps->rows[i].origin & UINT32_C(0xffffff)];
    struct wb_integer_result result;
    count += kind_of(gaps->rows[i].origin) == WB_ORIGIN_INSTRUCTION &&
             !(wb_instruction_loads(it) && wb_access_bytes(it) <= 8) &&
             !wb_instruction_gives_integer(function, it, &result);
  }
  return count;
}

static void write_option(struct wb_text *text, const struct wb_launch *launch,
                         const struct wb_function *function, const struct gap *gap)
{
  char option[WB_LAUNCH_OPTION_SIZE];
  const uint32_t of = gap->origin & UINT32_C(0xffffff);
  switch (kind_of(gap->origin)) {
  case WB_ORIGIN_BLOCK:
    wb_text_string(text, "--block X,Y,Z");
    break;
  case WB_ORIGIN_GRID:
    wb_text_string(text, "--grid X,Y,Z");
    break;
  case WB_ORIGIN_INSTRUCTION:
    wb_text_format(text, "--assume-%s 0x%04" PRIx32 "=0..N",
                   wb_instruction_loads(&function->instructions[of]) ? "load" : "value",
                   function->instructions[of].address);
    break;
  default:
    wb_launch_option(launch, function, gap->origin & UINT32_C(0x7fffff),
                     (gap->origin & WB_ORIGIN_WIDE) != 0, option);
    wb_text_string(text, option);
  }
}

static void write_gaps(struct wb_text *text, const struct wb_launch *launch,
                       const struct wb_function *function, const struct wb_stack_slots *slots,
                       const struct gaps *gaps)
{
  size_t options = 0;
  if (gaps->counter != WB_NO_REGISTER)
    write_name(text, slots, gaps->counter);
  else
    wb_text_string(text, "a number");
  for (size_t i = 0; i < gaps->count; i++) {
    wb_text_format(text, "%s%s %s ",
                   i == 0                ? "'s "
                   : i + 1 < gaps->count ? ", its "
                                         : " and its ",
                   gaps->rows[i].role, i == 0 ? "comes from" : "from");
    const uint32_t of = gaps->rows[i].origin & UINT32_C(0xffffff);
    const uint32_t bank = of >> 16 & 0x7f;
    const uint32_t offset = of & UINT16_MAX;
    switch (kind_of(gaps->rows[i].origin)) {
    case WB_ORIGIN_BLOCK:
      wb_text_string(text, "the block's size");
      break;
    case WB_ORIGIN_GRID:
      wb_text_string(text, "the grid's size");
      break;
    case WB_ORIGIN_INSTRUCTION:
      wb_text_format(text, "what %s at 0x%04" PRIx32 " writes", function->instructions[of].opcode,
                     function->instructions[of].address);
      if (function->instructions[of].source_line > 0)
        wb_text_format(text, " (line %" PRIu32 ")", function->instructions[of].source_line);
      break;
    default:
      wb_text_format(text, "c[0x%" PRIx32 "][0x%" PRIx32 "]", bank, offset);
    }
  }
  wb_text_format(text, " (comparison at 0x%04" PRIx32 "): ",
                 function->instructions[gaps->test->comparison.instruction].address);
  if (beyond_options(function, gaps) > 0) {
    wb_text_string(text, "a flow fact has to bound it");
    return;
  }
  for (size_t i = 0; i < gaps->count; i++) {
    wb_text_string(text, options++ == 0 ? "" : i + 1 < gaps->count ? ", " : " and ");
    write_option(text, launch, function, &gaps->rows[i]);
  }
  wb_text_string(text, " may bound it");
}

bool wb_bound_hint(const struct wb_launch *launch, const struct wb_function *function,
                   const struct wb_stack_slots *slots, const struct wb_loop_summary *summary,
                   const struct wb_integer_state *entry, char **hint)
{
  struct gaps best = {0};
  struct wb_text text = {0};
  for (size_t t = 0; t < 2 * summary->test_count; t++) {
    const struct gaps gaps = find_gaps(summary, entry, &summary->tests[t / 2], t % 2 != 0);
    if (gaps.count > 0 &&
        (best.count == 0 || beyond_options(function, &gaps) < beyond_options(function, &best)))
      best = gaps;
  }
  *hint = NULL;
  if (best.count == 0 || best.counter == WB_NO_REGISTER)
    return true;
  write_gaps(&text, launch, function, slots, &best);
  *hint = wb_text_take(&text);
  return *hint != NULL;
}
