/* Registers that are another one and a known number at all visits of a loop's header
 * (doc/loop-bounds.md, Lemma 23). */
#include "flow/loop_bounds/loop_summary.h"

#include "values/interval/interval_domain.h"

/* The one number that x less y is in state *entry; false where that is not known. */
static bool find_distance(struct wb_terms *terms, struct wb_integer_state *entry, uint16_t x,
                          uint16_t y, uint32_t *distance)
{
  struct wb_integer difference = wb_integer_subtract(&entry->registers[x], &entry->registers[y]);
  if (!wb_integer_is_exact(&difference) &&
      (!wb_difference_find(entry, x, y, &difference) || !wb_integer_is_exact(&difference))) {
    const uint32_t sum = wb_terms_add(terms, wb_interval_register_sum(terms, entry, x),
                                      wb_interval_register_sum(terms, entry, y), UINT32_MAX, 0);
    difference = wb_terms_value(terms, &entry->facts, sum);
  }
  *distance = difference.low;
  return wb_integer_is_exact(&difference);
}

/* Whether the form is a register plus one number. */
static bool is_one_sum(const struct wb_integer *form)
{
  return form->base != WB_NO_REGISTER && wb_form_is_sum(form) && form->width == 0;
}

void wb_loop_followers_put(struct wb_loop_summary *summary, struct wb_terms *terms,
                           struct wb_integer_state *entry, struct wb_loop_followers *followers)
{
  followers->count = 0;
  for (uint16_t r = 0; r < WB_VALUE_COUNT && followers->count < WB_FOLLOWER_LIMIT; r++) {
    const struct wb_integer form = summary->next[r];
    uint32_t distance;
    if (!is_one_sum(&form) || form.base == r)
      continue;
    const struct wb_integer *other = &summary->next[form.base];
    if (!is_one_sum(other) || other->base != form.base ||
        !find_distance(terms, entry, r, form.base, &distance) || form.low != distance + other->low)
      continue;
    followers->registers[followers->count] = r;
    followers->forms[followers->count++] = form;
    summary->next[r].base = r;
    summary->next[r].low = other->low;
  }
}

void wb_loop_followers_take_back(struct wb_loop_summary *summary,
                                 const struct wb_loop_followers *followers)
{
  for (size_t f = 0; f < followers->count; f++)
    summary->next[followers->registers[f]] = followers->forms[f];
}
