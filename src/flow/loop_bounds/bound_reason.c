#include "flow/loop_bounds/bound_reason.h"

#include "base/text.h"

#include <inttypes.h>

/* "4", "-1", "0 to 31", "any number". */
static void write_value(struct wb_text *text, const struct wb_integer *value, bool as_signed)
{
  int64_t low;
  int64_t high;
  if (!wb_integer_interval(value, as_signed, &low, &high) || value->width == UINT32_MAX)
    wb_text_string(text, "any number");
  else if (low == high)
    wb_text_format(text, "%" PRId64, low);
  else
    wb_text_format(text, "%" PRId64 " to %" PRId64, low, high);
}

/* "R4", "R4 + 1", "R4 >> 1". */
static void write_form(struct wb_text *text, const struct wb_integer *form, uint16_t base)
{
  char name[8];
  struct wb_integer offset = *form;
  offset.base = WB_NO_REGISTER;
  wb_register_name(base, name);
  wb_text_string(text, name);
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

/* "grows by 1", "shrinks by 1 to 4", "becomes R4 << 1". */
static void write_step(struct wb_text *text, const struct wb_counter *counter, uint16_t base)
{
  struct wb_integer by = counter->next;
  int64_t low;
  int64_t high;
  by.base = WB_NO_REGISTER;
  if (counter->next.shift > 0 || !wb_integer_interval(&by, true, &low, &high)) {
    wb_text_string(text, "becomes ");
    write_form(text, &counter->next, base);
    return;
  }
  wb_text_string(text, low > 0 ? "grows by " : "shrinks by ");
  if (low <= 0)
    by = wb_integer_range(-high, -low);
  write_value(text, &by, true);
}

/* "R0 starts at 0, grows by 1 and the loop ends at R0 + 1 >= 16". */
static void write_word(struct wb_text *text, const struct wb_counter *counter, uint16_t base,
                       const char *ends)
{
  write_form(text, &(struct wb_integer){.base = base}, base);
  wb_text_string(text, " starts at ");
  write_value(text, &counter->start, counter->as_signed);
  wb_text_string(text, ", ");
  write_step(text, counter, base);
  wb_text_string(text, " and the loop ends at ");
  write_form(text, &counter->tested, base);
  wb_text_format(text, " %s ", ends);
  write_value(text, &counter->limit, counter->as_signed);
}

static void write_range(struct wb_text *text, int64_t low, int64_t high)
{
  wb_text_format(text, "%" PRId64, low);
  if (low != high)
    wb_text_format(text, " to %" PRId64, high);
}

static void write_wide_value(struct wb_text *text, const struct wb_wide *value, bool as_signed)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (wb_wide_ends(value, as_signed, &low, &high))
    write_range(text, low.number, high.number);
  else
    wb_text_string(text, "any number");
}

/* "R3:R2 + 1": the upper register first. */
static void write_wide_form(struct wb_text *text, const struct wb_wide *form)
{
  char low[8];
  char high[8];
  wb_register_name(form->base_low, low);
  wb_register_name(form->base_high, high);
  wb_text_format(text, "%s:%s", high, low);
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
static void write_wide(struct wb_text *text, const struct wb_wide_counter *counter,
                       const char *ends)
{
  struct wb_wide by = counter->next;
  struct wb_wide itself = {.base_low = by.base_low, .base_high = by.base_high};
  struct wb_integer_end low = {0, false};
  struct wb_integer_end high = {0, false};
  by.base_low = by.base_high = WB_NO_REGISTER;
  (void)wb_wide_ends(&by, true, &low, &high); /* as the bound was found, they are in order */
  write_wide_form(text, &itself);
  wb_text_string(text, " starts at ");
  write_wide_value(text, &counter->start, counter->as_signed);
  wb_text_string(text, low.number > 0 ? ", grows by " : ", shrinks by ");
  write_range(text, low.number > 0 ? low.number : -high.number,
              low.number > 0 ? high.number : -low.number);
  wb_text_string(text, " and the loop ends at ");
  write_wide_form(text, &counter->tested);
  wb_text_format(text, " %s ", ends);
  write_wide_value(text, &counter->limit, counter->as_signed);
}

char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count)
{
  static const char *const ends[] = {
      [WB_RELATION_LESS] = ">=",    [WB_RELATION_EQUAL] = "!=",   [WB_RELATION_AT_MOST] = ">",
      [WB_RELATION_GREATER] = "<=", [WB_RELATION_UNEQUAL] = "==", [WB_RELATION_AT_LEAST] = "<",
  };
  const bool wide = count->test->comparison.wide;
  const uint32_t compares = count->test->comparison.instruction;
  struct wb_text text = {0};
  if (wide)
    write_wide(&text, &count->wide, ends[count->wide.relation]);
  else
    write_word(&text, &count->counter, count->base, ends[count->counter.relation]);
  wb_text_format(
      &text,
      " (compared at 0x%04" PRIx32 ", left at 0x%04" PRIx32 "): at most %" PRIu64 " back edge%s",
      function->instructions[compares].address, function->instructions[count->test->leaves].address,
      count->bound.most, count->bound.most == 1 ? "" : "s");
  return wb_text_take(&text);
}
