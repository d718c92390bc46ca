#include "flow/loop_bounds/bound_hint.h"

#include "base/text.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>

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
  for (unsigned shift = 0; shift <= 12 && kind_of(value.origin) == WB_ORIGIN_BASES; shift += 12) {
    const uint32_t number = value.origin >> shift & 0xfff;
    if (number < WB_VALUE_COUNT)
      add_value(gaps, &entry->registers[number], role);
  }
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

/* Adds the unknown parts of the counter's step. */
static void add_step(struct gaps *gaps, const struct wb_integer_state *entry,
                     const struct wb_integer *next)
{
  const uint32_t of = next->origin;
  if (kind_of(of) != WB_ORIGIN_BASES) {
    add(gaps, of, "step");
    return;
  }
  for (unsigned shift = 0; shift <= 12; shift += 12) {
    const uint32_t number = of >> shift & 0xfff;
    if (number != gaps->counter && number < WB_VALUE_COUNT)
      add_value(gaps, &entry->registers[number], "step");
  }
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
  add_step(&gaps, entry, &summary->next[base]);
  return gaps;
}

/* Parts that no option says. */
static size_t beyond_options(const struct gaps *gaps)
{
  size_t count = 0;
  for (size_t i = 0; i < gaps->count; i++)
    count += kind_of(gaps->rows[i].origin) == WB_ORIGIN_INSTRUCTION;
  return count;
}

static void write_origin(struct wb_text *text, const struct wb_function *function,
                         const struct gap *gap)
{
  const uint32_t of = gap->origin & UINT32_C(0xffffff);
  const uint32_t bank = of >> 16 & 0x7f;
  const uint32_t offset = of & UINT16_MAX;
  switch (kind_of(gap->origin)) {
  case WB_ORIGIN_BLOCK:
    wb_text_string(text, "the block's size");
    break;
  case WB_ORIGIN_GRID:
    wb_text_string(text, "the grid's size");
    break;
  case WB_ORIGIN_INSTRUCTION:
    wb_text_format(text, "what %s at 0x%04" PRIx32 " writes", function->instructions[of].opcode,
                   function->instructions[of].address);
    break;
  default:
    wb_text_format(text, "c[0x%" PRIx32 "][0x%" PRIx32 "]", bank, offset);
  }
}

static void write_option(struct wb_text *text, const struct wb_function *function,
                         const struct gap *gap)
{
  const uint32_t of = gap->origin & UINT32_C(0x7fffff);
  const char *wide = (gap->origin & WB_ORIGIN_WIDE) != 0 ? "L" : "";
  uint32_t parameter;
  switch (kind_of(gap->origin)) {
  case WB_ORIGIN_BLOCK:
    wb_text_string(text, "--block X,Y,Z");
    break;
  case WB_ORIGIN_GRID:
    wb_text_string(text, "--grid X,Y,Z");
    break;
  default:
    if (wb_launch_parameter(function, of, &parameter))
      wb_text_format(text, "--param 0x%" PRIx32 "=N%s", parameter, wide);
    else
      wb_text_format(text, "--constant %" PRIu32 ":0x%" PRIx32 "=N%s", of >> 16, of & UINT16_MAX,
                     wide);
  }
}

static void write_gaps(struct wb_text *text, const struct wb_function *function,
                       const struct gaps *gaps)
{
  char name[8];
  size_t options = 0;
  wb_register_name(gaps->counter, name);
  wb_text_string(text, gaps->counter != WB_NO_REGISTER ? name : "a number");
  for (size_t i = 0; i < gaps->count; i++) {
    wb_text_format(text, "%s%s %s ",
                   i == 0                ? "'s "
                   : i + 1 < gaps->count ? ", its "
                                         : " and its ",
                   gaps->rows[i].role, i == 0 ? "comes from" : "from");
    write_origin(text, function, &gaps->rows[i]);
  }
  wb_text_format(text, " (comparison at 0x%04" PRIx32 "): ",
                 function->instructions[gaps->test->comparison.instruction].address);
  if (beyond_options(gaps) > 0) {
    wb_text_string(text, "a flow fact has to bound it");
    return;
  }
  for (size_t i = 0; i < gaps->count; i++) {
    wb_text_string(text, options++ == 0 ? "" : i + 1 < gaps->count ? ", " : " and ");
    write_option(text, function, &gaps->rows[i]);
  }
  wb_text_string(text, " may bound it");
}

/* Nothing that an option says would bound the loop. */
static void write_no_counter(struct wb_text *text, const struct wb_function *function,
                             const struct wb_loop_summary *summary)
{
  if (summary->test_count == 0)
    wb_text_string(text, "no comparison of integers that each iteration makes ends it");
  else
    wb_text_format(text,
                   "what is compared at 0x%04" PRIx32 " is not counted in a register: perhaps in "
                   "memory or in a part of one, as in code that is not optimised",
                   function->instructions[summary->tests[0].comparison.instruction].address);
  wb_text_string(text, ": a flow fact has to bound it");
}

bool wb_bound_hint(const struct wb_function *function, const struct wb_loop_summary *summary,
                   const struct wb_integer_state *entry, char **hint)
{
  struct gaps best = {0};
  struct wb_text text = {0};
  *hint = NULL;
  for (size_t t = 0; t < 2 * summary->test_count; t++) {
    const struct gaps gaps = find_gaps(summary, entry, &summary->tests[t / 2], t % 2 != 0);
    if (gaps.count > 0 && (best.count == 0 || beyond_options(&gaps) < beyond_options(&best)))
      best = gaps;
  }
  if (best.count > 0)
    write_gaps(&text, function, &best);
  else
    write_no_counter(&text, function, summary);
  *hint = wb_text_take(&text);
  return *hint != NULL;
}
