#include "flow/accesses/access_addresses.h"

#include <string.h>

/* The end of the operand that begins at text: its comma, or the text's end; brackets hold none. */
static const char *end_of_operand(const char *text)
{
  return text + strcspn(text, ",");
}

bool wb_address_find(const char *operands, size_t number, struct wb_address_text *address)
{
  for (const char *at = operands; *at != '\0';) {
    const char *end = end_of_operand(at);
    const char *open = NULL;
    for (const char *c = at; c < end; c++)
      open = *c == '[' ? c + 1 : open;
    const char *close = open != NULL ? memchr(open, ']', (size_t)(end - open)) : NULL;
    if (close != NULL && number-- == 0) {
      *address = (struct wb_address_text){open, (size_t)(close - open)};
      return true;
    }
    at = *end == ',' ? end + 1 : end;
  }
  return false;
}

/* One part between the plus signs. */
struct part {
  const char *text;
  size_t length;
};

static bool takes(struct part *part, const char *suffix)
{
  const size_t length = strlen(suffix);
  if (part->length <= length || memcmp(part->text + part->length - length, suffix, length) != 0)
    return false;
  part->length -= length;
  return true;
}

/* Reads a part by the operands' reader. */
static bool read_part(const struct part *part, struct wb_text_operand *operand)
{
  char text[32];
  struct wb_text_operand operands[WB_TEXT_LIMIT];
  if (part->length >= sizeof text)
    return false;
  memcpy(text, part->text, part->length);
  text[part->length] = '\0';
  if (wb_operands_read(text, operands) != 1)
    return false;
  *operand = operands[0];
  return true;
}

static uint32_t add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool wide)
{
  return wide ? wb_lanes_wide_add(values, a, b) : wb_lanes_add(values, a, b);
}

/* A register of an address: R2, R2.64, R2.U32, R2.X4, UR4. */
static uint32_t register_value(const struct wb_lane_operation *operation, struct part part,
                               bool wide, uint16_t *number)
{
  static const struct {
    const char *suffix;
    unsigned places;
  } scales[] = {{".X4", 2}, {".X8", 3}, {".X16", 4}};
  struct wb_lane_walk *walk = operation->walk;
  struct wb_text_operand operand;
  unsigned places = 0;
  takes(&part, ".reuse");
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    if (takes(&part, scales[s].suffix))
      places = scales[s].places;
  const bool of_32_bits = takes(&part, ".U32");
  takes(&part, ".64");
  if (!read_part(&part, &operand) || operand.kind != WB_TEXT_REGISTER || operand.negated ||
      operand.complemented || operand.half)
    return WB_LANES_UNKNOWN;
  if (operand.number == WB_NO_REGISTER)
    return wide ? wb_lanes_wide_number(walk->values, 0) : wb_lanes_number(walk->values, 0);
  if (operand.number < WB_REGISTER_PREDICATE)
    *number = (uint16_t)operand.number;
  const uint16_t slot = wb_lane_slot(&walk->layout, operand.number);
  if (!wide)
    return wb_lanes_shift_left(walk->values, wb_lane_register(operation, slot), places);
  const uint32_t value =
      of_32_bits
          ? wb_lanes_extend(walk->values, wb_lane_register(operation, slot), false)
          : wb_lane_registers(operation, slot, wb_lane_slot(&walk->layout, operand.number + 1));
  return places > 0 ? wb_lanes_wide_shift_left(walk->values, value, places) : value;
}

static uint32_t part_value(const struct wb_lane_operation *operation, struct part part, bool wide,
                           uint16_t *number)
{
  struct wb_lane_value_pool *values = operation->walk->values;
  struct wb_text_operand operand;
  if (!read_part(&part, &operand) || operand.kind != WB_TEXT_NUMBER)
    return register_value(operation, part, wide, number);
  /* Offsets are numbers of at most 32 bits with a sign. */
  return wide ? wb_lanes_wide_number(values, (uint64_t)(int64_t)(int32_t)operand.number)
              : wb_lanes_number(values, operand.number);
}

uint32_t wb_address_value(const struct wb_lane_operation *operation,
                          const struct wb_address_text *address, bool wide,
                          uint16_t *reason_register)
{
  struct wb_lane_value_pool *values = operation->walk->values;
  uint32_t sum = wide ? wb_lanes_wide_number(values, 0) : wb_lanes_number(values, 0);
  const char *end = address->text + address->length;
  *reason_register = WB_NO_REGISTER;
  for (const char *at = address->text; at < end;) {
    const char *plus = memchr(at, '+', (size_t)(end - at));
    const char *stop = plus != NULL ? plus : end;
    struct part part = {at, (size_t)(stop - at)};
    while (part.length > 0 && *part.text == ' ')
      part = (struct part){part.text + 1, part.length - 1};
    while (part.length > 0 && part.text[part.length - 1] == ' ')
      part.length--;
    sum = add(values, sum, part_value(operation, part, wide, reason_register), wide);
    at = plus != NULL ? plus + 1 : end;
  }
  return sum;
}
