#include "flow/bound_hint.h"

#include "base/text.h"
#include "flow/launch_values.h"

#include <inttypes.h>

/* A part of a comparison that is not known: where it comes from, and what it is to the loop. */
struct gap {
  const struct wb_loop_test *test;
  uint16_t counter;
  uint32_t origin;
  const char *role;
};

static enum wb_origin_kind kind_of(uint32_t origin)
{
  return (enum wb_origin_kind)(origin >> 24);
}

/* What the user can say is named before what only a fact can. */
static bool is_launch_value(uint32_t origin)
{
  return origin != 0 && kind_of(origin) != WB_ORIGIN_INSTRUCTION;
}

static bool is_known(const struct wb_integer *value)
{
  return value->width < UINT32_MAX && !value->low_by_width && !value->high_by_width;
}

static void consider(struct gap *best, struct gap other)
{
  if (other.origin != 0 &&
      (best->origin == 0 || (is_launch_value(other.origin) && !is_launch_value(best->origin))))
    *best = other;
}

/* What a form is on entry. */
static struct wb_integer on_entry(const struct wb_integer_state *entry,
                                  const struct wb_integer *form)
{
  return form->base == WB_NO_REGISTER ? *form
                                      : wb_integer_substitute(form, &entry->registers[form->base]);
}

static uint32_t wide_origin(const struct wb_integer_state *entry, const struct wb_wide *form)
{
  if (!wb_wide_has_base(form))
    return wb_wide_is_anything(form) || form->high_by_width ? form->origin : 0;
  const struct wb_integer *low = &entry->registers[form->base_low];
  const struct wb_integer *high =
      form->base_high != WB_NO_REGISTER ? &entry->registers[form->base_high] : low;
  return is_known(low) ? (is_known(high) ? 0 : high->origin) : low->origin;
}

/* The parts of one side as counter, the other as limit. */
static void find_gaps(const struct wb_loop_summary *summary, const struct wb_integer_state *entry,
                      const struct wb_loop_test *test, bool mirrored, struct gap *best)
{
  const struct wb_comparison *row = &test->comparison;
  const struct wb_integer *tested = mirrored ? &row->right : &row->left;
  const struct wb_integer *limit = mirrored ? &row->left : &row->right;
  const struct wb_wide *wide_tested = mirrored ? &row->wide_right : &row->wide_left;
  const struct wb_wide *wide_limit = mirrored ? &row->wide_left : &row->wide_right;
  const uint16_t base = row->wide ? wide_tested->base_low : tested->base;
  if (base == WB_NO_REGISTER || summary->next[base].base != base ||
      wb_integer_is_register(&summary->next[base], base))
    return;
  const struct wb_integer ends = on_entry(entry, limit);
  const struct wb_integer start = on_entry(entry, tested);
  if (row->wide) {
    consider(best, (struct gap){test, base, wide_origin(entry, wide_limit), "is compared with"});
    consider(best, (struct gap){test, base, wide_origin(entry, wide_tested), "starts at"});
  } else {
    if (!is_known(&ends))
      consider(best, (struct gap){test, base, ends.origin, "is compared with"});
    if (!is_known(&start))
      consider(best, (struct gap){test, base, start.origin, "starts at"});
  }
  consider(best, (struct gap){test, base, summary->next[base].origin, "changes by"});
}

/* The step that is not known makes what a register is next anything. */
static void find_lost_step(const struct wb_loop_summary *summary, const struct wb_loop_test *test,
                           bool mirrored, struct gap *best)
{
  const struct wb_comparison *row = &test->comparison;
  const struct wb_integer *tested = mirrored ? &row->right : &row->left;
  if (row->wide || tested->base == WB_NO_REGISTER ||
      summary->next[tested->base].base != WB_NO_REGISTER)
    return;
  consider(best, (struct gap){test, tested->base, summary->next[tested->base].origin,
                              "becomes what comes from"});
}

static void write_origin(struct wb_text *text, const struct wb_machine_function *function,
                         const struct gap *gap)
{
  const uint32_t of = gap->origin & UINT32_C(0xffffff);
  const uint32_t bank = of >> 16;
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

static void write_remedy(struct wb_text *text, const struct gap *gap)
{
  const uint32_t of = gap->origin & UINT32_C(0xffffff);
  const uint32_t offset = of & UINT16_MAX;
  uint32_t parameter;
  switch (kind_of(gap->origin)) {
  case WB_ORIGIN_BLOCK:
    wb_text_string(text, "--block X,Y,Z may bound it");
    break;
  case WB_ORIGIN_GRID:
    wb_text_string(text, "--grid X,Y,Z may bound it");
    break;
  case WB_ORIGIN_INSTRUCTION:
    wb_text_string(text, "a flow fact has to bound it");
    break;
  default:
    if (wb_launch_parameter(of, &parameter))
      wb_text_format(text, "--param 0x%" PRIx32 "=N may bound it", parameter);
    else
      wb_text_format(text, "--constant %" PRIu32 ":0x%" PRIx32 "=N may bound it", of >> 16, offset);
  }
}

bool wb_bound_hint(const struct wb_machine_function *function,
                   const struct wb_loop_summary *summary, const struct wb_integer_state *entry,
                   char **hint)
{
  struct gap best = {0};
  char name[8];
  struct wb_text text = {0};
  *hint = NULL;
  for (size_t t = 0; t < 2 * summary->test_count; t++)
    find_gaps(summary, entry, &summary->tests[t / 2], t % 2 != 0, &best);
  for (size_t t = 0; t < 2 * summary->test_count && best.origin == 0; t++)
    find_lost_step(summary, &summary->tests[t / 2], t % 2 != 0, &best);
  if (best.origin == 0)
    return true;
  wb_register_name(best.counter, name);
  wb_text_format(&text, "%s %s ", name, best.role);
  write_origin(&text, function, &best);
  wb_text_format(&text, " (comparison at 0x%04" PRIx32 "): ",
                 function->instructions[best.test->comparison.instruction].address);
  write_remedy(&text, &best);
  *hint = wb_text_take(&text);
  return *hint != NULL;
}
