#include "values/bits/single_bits.h"

#include "values/domain.h"

#include <stddef.h>

bool wb_bit_is_known(uint8_t bit)
{
  return bit == WB_BIT_ZERO || bit == WB_BIT_ONE;
}

uint8_t wb_bit_inverted(uint8_t bit)
{
  return bit == WB_BIT_ANY ? bit : bit ^ 1;
}

static bool are_opposite(uint8_t a, uint8_t b)
{
  return a != WB_BIT_ANY && a == wb_bit_inverted(b);
}

uint8_t wb_bit_joined(uint8_t a, uint8_t b)
{
  return a == b ? a : WB_BIT_ANY;
}

uint8_t wb_bit_and(uint8_t a, uint8_t b)
{
  if (a == WB_BIT_ZERO || b == WB_BIT_ZERO || are_opposite(a, b))
    return WB_BIT_ZERO;
  if (a == WB_BIT_ONE)
    return b;
  return b == WB_BIT_ONE ? a : wb_bit_joined(a, b);
}

uint8_t wb_bit_or(uint8_t a, uint8_t b)
{
  return wb_bit_inverted(wb_bit_and(wb_bit_inverted(a), wb_bit_inverted(b)));
}

uint8_t wb_bit_differs(uint8_t a, uint8_t b)
{
  if (wb_bit_is_known(a))
    return a == WB_BIT_ONE ? wb_bit_inverted(b) : b;
  if (wb_bit_is_known(b))
    return b == WB_BIT_ONE ? wb_bit_inverted(a) : a;
  if (a == WB_BIT_ANY || (a ^ b) > 1)
    return WB_BIT_ANY;
  return a == b ? WB_BIT_ZERO : WB_BIT_ONE;
}

/* Two that are equal or opposite come first. */
uint8_t wb_bit_parity(uint8_t a, uint8_t b, uint8_t c)
{
  const uint8_t pairs[3][3] = {{a, b, c}, {a, c, b}, {b, c, a}};
  for (size_t i = 0; i < 3; i++) {
    const uint8_t two = wb_bit_differs(pairs[i][0], pairs[i][1]);
    const uint8_t all = wb_bit_differs(two, pairs[i][2]);
    if (all != WB_BIT_ANY)
      return all;
  }
  return WB_BIT_ANY;
}

uint8_t wb_bit_majority(uint8_t a, uint8_t b, uint8_t c)
{
  const uint8_t orders[3][3] = {{a, b, c}, {a, c, b}, {b, c, a}};
  for (size_t i = 0; i < 3; i++) {
    const uint8_t *of = orders[i];
    if (of[0] == of[1] && of[0] != WB_BIT_ANY)
      return of[0];
    if (are_opposite(of[0], of[1]))
      return of[2];
  }
  for (size_t i = 0; i < 3; i++) {
    const uint8_t *of = orders[i];
    if (wb_bit_is_known(of[2]))
      return of[2] == WB_BIT_ZERO ? wb_bit_and(of[0], of[1]) : wb_bit_or(of[0], of[1]);
  }
  return WB_BIT_ANY;
}

/* The table with variable `other` in place of `of`, or inverted. */
static uint8_t with_variable(uint8_t table, unsigned of, unsigned other, bool opposite)
{
  uint8_t found = 0;
  for (unsigned entry = 0; entry < 8; entry++) {
    const bool value = ((entry & 4U >> other) != 0) != opposite;
    const unsigned from = value ? entry | 4U >> of : entry & ~(4U >> of);
    found |= (uint8_t)((table >> from & 1) << entry);
  }
  return found;
}

uint8_t wb_bit_looked_up(uint8_t table, const uint8_t bits[3])
{
  uint8_t found = WB_BIT_ANY;
  unsigned left = 0;
  for (unsigned v = 0; v < 3; v++) {
    if (wb_bit_is_known(bits[v]))
      table = wb_lookup_fixed(table, v, bits[v] == WB_BIT_ONE);
    for (unsigned w = 0; w < v; w++) {
      if (bits[v] >= WB_BIT_OF_NUMBER && bits[v] >> 1 == bits[w] >> 1)
        table = with_variable(table, v, w, bits[v] != bits[w]);
    }
  }
  for (unsigned v = 0; v < 3; v++) {
    if (!wb_lookup_depends(table, v))
      continue;
    left++;
    found = table == wb_lookup_variable(v) ? bits[v] : wb_bit_inverted(bits[v]);
  }
  if (left == 0)
    return table == WB_LOOKUP_FALSE ? WB_BIT_ZERO : WB_BIT_ONE;
  return left == 1 ? found : WB_BIT_ANY;
}
