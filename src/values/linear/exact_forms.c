#include "values/linear/exact_forms.h"

#define WORD ((uint64_t)1 << 32)

struct wb_exact wb_exact_number(uint64_t number)
{
  return (struct wb_exact){.number = number};
}

struct wb_exact wb_exact_symbol(uint16_t symbol)
{
  return (struct wb_exact){.count = 1, .terms = {{symbol, 1}}};
}

bool wb_exact_add(const struct wb_exact *left, const struct wb_exact *right, uint64_t factor,
                  struct wb_exact *sum)
{
  struct wb_exact result = {.number = left->number + factor * right->number};
  size_t l = 0;
  size_t r = 0;
  while (l < left->count || r < right->count) {
    const bool from_left =
        r == right->count || (l < left->count && left->terms[l].symbol <= right->terms[r].symbol);
    const uint16_t symbol = from_left ? left->terms[l].symbol : right->terms[r].symbol;
    uint64_t total = 0;
    if (from_left)
      total += left->terms[l++].factor;
    if (r < right->count && right->terms[r].symbol == symbol)
      total += factor * right->terms[r++].factor;
    if (total == 0)
      continue;
    if (result.count == WB_EXACT_TERMS)
      return false;
    result.terms[result.count++] = (struct wb_exact_term){symbol, total};
  }
  *sum = result;
  return true;
}

bool wb_exact_equal(const struct wb_exact *left, const struct wb_exact *right)
{
  struct wb_exact difference;
  return wb_exact_add(left, right, UINT64_MAX, &difference) && difference.count == 0 &&
         difference.number == 0;
}

uint64_t wb_exact_factor(const struct wb_exact *form, uint16_t symbol)
{
  for (size_t t = 0; t < form->count; t++) {
    if (form->terms[t].symbol == symbol)
      return form->terms[t].factor;
  }
  return 0;
}

/* Puts the words of a lower part and of an upper symbol together, as the number `whole`. */
static void unite(const struct wb_exact_part *lower, uint16_t upper, const struct wb_exact *whole,
                  struct wb_exact *form)
{
  const uint64_t factor = wb_exact_factor(form, lower->symbol);
  const struct wb_exact low = wb_exact_symbol(lower->symbol);
  const struct wb_exact high = wb_exact_symbol(upper);
  struct wb_exact rest;
  if (factor == 0 || wb_exact_factor(form, upper) != factor * WORD || factor * WORD == 0)
    return;
  if (wb_exact_add(form, &low, 0 - factor, &rest) &&
      wb_exact_add(&rest, &high, 0 - factor * WORD, &rest) &&
      wb_exact_add(&rest, whole, factor, &rest))
    *form = rest;
}

void wb_exact_unite(const struct wb_exact_part *parts, size_t count, struct wb_exact *form)
{
  for (size_t p = count; p-- > 0;) {
    if (!parts[p].is_lower)
      continue;
    if (parts[p].places == 0) {
      unite(&parts[p], parts[p].mate, &parts[p].of, form);
      continue;
    }
    for (size_t q = 0; q < count; q++) {
      if (parts[q].is_lower || parts[q].places != parts[p].places ||
          !wb_exact_equal(&parts[q].of, &parts[p].upper))
        continue;
      const struct wb_exact whole = wb_exact_symbol(parts[p].whole[parts[q].as_signed]);
      unite(&parts[p], parts[q].symbol, &whole, form);
    }
  }
}

bool wb_exact_pair(const struct wb_exact_part *parts, size_t count, const struct wb_exact *low,
                   const struct wb_exact *high, struct wb_exact *number)
{
  if (!wb_exact_add(low, high, WORD, number))
    return false;
  wb_exact_unite(parts, count, number);
  return true;
}
