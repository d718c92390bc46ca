/* Operations on the bits of lane values. */
#include "values/lanes/lane_values.h"

#include "values/lookup_table.h"

/* What is known of the bits of an operand. */
struct operand_bits {
  uint32_t numbers[WB_LANES]; /* by lane: its known bits */
  uint32_t known;             /* the bits that are known in each lane */
  uint32_t shared;            /* bits that are not known but the same in all lanes */
};

static uint32_t mask_below(unsigned bits)
{
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

/* The bits that no number up to `most` has. */
static uint32_t bits_beyond(uint64_t most)
{
  unsigned bits = 0;
  while (bits < 32 && most >> bits != 0)
    bits++;
  return ~mask_below(bits);
}

static struct operand_bits bits_of(const struct wb_lane_value_pool *values, uint32_t operand)
{
  struct operand_bits bits = {.known = 0};
  const struct wb_lane_value *word = &values->values[operand];
  if (operand == WB_LANES_UNKNOWN || word->wide)
    return bits;
  const struct wb_lane_shape *shape = &values->shapes[word->shape];
  const uint32_t low = mask_below(word->bits);
  const uint32_t zeros = bits_beyond(word->most);
  bool same = true; /* the bits above the low ones */
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t sum = (int64_t)word->residue + shape->distance[l];
    bits.numbers[l] = (uint32_t)((uint64_t)sum & low & ~zeros);
    same = same && sum >= 0 && sum <= (int64_t)low;
  }
  bits.known = low | zeros;
  bits.shared = same || word->shape == 0 ? ~bits.known : 0;
  return bits;
}

/* The function of one bit in one lane: its table with the known bits in place; false where it
 * depends on a bit that is another one in each lane. */
static bool function_at(const struct operand_bits operands[3], uint8_t table, unsigned lane,
                        uint32_t bit, uint8_t *function)
{
  for (unsigned o = 0; o < 3; o++)
    if ((operands[o].known & bit) != 0)
      table = wb_lookup_fixed(table, o, (operands[o].numbers[lane] & bit) != 0);
  for (unsigned o = 0; o < 3; o++)
    if (((operands[o].known | operands[o].shared) & bit) == 0 && wb_lookup_depends(table, o))
      return false;
  *function = table;
  return true;
}

/* One bit of the result: known in each lane, or the same in all. False where it is neither. */
static bool find_bit(const struct operand_bits operands[3], uint8_t table, unsigned lanes,
                     uint32_t bit, struct operand_bits *result)
{
  uint8_t first = 0;
  bool known = true;
  bool same = true;
  for (unsigned l = 0; l < lanes; l++) {
    uint8_t function;
    if (!function_at(operands, table, l, bit, &function))
      return false;
    first = l == 0 ? function : first;
    same = same && function == first;
    known = known && (function == WB_LOOKUP_FALSE || function == WB_LOOKUP_TRUE);
    if (function == WB_LOOKUP_TRUE)
      result->numbers[l] |= bit;
  }
  if (known)
    result->known |= bit;
  else if (same)
    result->shared |= bit;
  return known || same;
}

uint32_t wb_lanes_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
                         uint8_t table)
{
  struct operand_bits bits[3];
  struct operand_bits result = {.known = 0};
  bool uniform = true;
  for (unsigned o = 0; o < 3; o++) {
    bits[o] = bits_of(values, operands[o]);
    uniform =
        uniform && (wb_lanes_are_uniform(values, operands[o]) || !wb_lookup_depends(table, o));
  }
  const unsigned lanes = uniform ? 1 : WB_LANES;
  for (unsigned b = 0; b < 32; b++)
    if (!find_bit(bits, table, lanes, UINT32_C(1) << b, &result))
      return WB_LANES_UNKNOWN;
  unsigned low = 0; /* the lowest bits that are known */
  while (low < 32 && (result.known >> low & 1) != 0)
    low++;
  int64_t distances[WB_LANES] = {0};
  uint32_t most = 0;
  for (unsigned l = 0; l < lanes; l++) {
    distances[l] = (int64_t)result.numbers[l] - (int64_t)result.numbers[0];
    most |= result.numbers[l];
  }
  return wb_lanes_shaped(values, distances, (uint8_t)low, result.numbers[0], most | result.shared);
}
