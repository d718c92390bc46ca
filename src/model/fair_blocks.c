#include "model/fair_blocks.h"

#include <stdlib.h>

void wb_fair_stretch(const struct wb_fair_blocks *blocks, size_t length, size_t position,
                     size_t *from, size_t *to)
{
  size_t repetition = wb_fair_repetition(blocks, position);
  size_t before = blocks->count > 0 ? blocks->first - 1 : length;
  *from = repetition > 0 ? before + (repetition - 1) * blocks->length : 0;
  *to = repetition == 0 ? before : repetition > blocks->count ? length : *from + blocks->length;
}

/* A number of 1 or more at *text, which moves past it. */
static bool take_number(const char **text, size_t *number)
{
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  unsigned long long value = strtoull(*text, &end, 10);
  *text = end;
  *number = (size_t)value;
  return value >= 1 && value <= WB_STRING_LIMIT;
}

static bool take_comma(const char **text)
{
  return *(*text)++ == ',';
}

warpbound_status wb_fair_blocks_parse(const char *text, struct wb_fair_blocks *blocks,
                                      warpbound_error *error)
{
  const char *at = text;
  bool read = take_number(&at, &blocks->first) && take_comma(&at) &&
              take_number(&at, &blocks->length) && take_comma(&at) &&
              take_number(&at, &blocks->count);
  if (read && *at == '\0')
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--fair-blocks: expected FIRST,LENGTH,COUNT, each from 1 to %zu, found '%.60s'",
                 WB_STRING_LIMIT, text);
}

static warpbound_status check_letters(const struct wb_fair_blocks *blocks, const uint8_t *types,
                                      warpbound_error *error)
{
  for (size_t i = blocks->length; i < blocks->length * blocks->count; i++) {
    size_t at = blocks->first - 1 + i;
    size_t before = at - blocks->length;
    if (types[at] != types[before])
      return wb_fail(error, WARPBOUND_USAGE,
                     "--fair-blocks: expected %zu times the same %zu instructions, found %c as "
                     "instruction %zu and %c as instruction %zu",
                     blocks->count, blocks->length, wb_unit_letter((enum wb_unit)types[before]),
                     before + 1, wb_unit_letter((enum wb_unit)types[at]), at + 1);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_fair_blocks_check(const struct wb_fair_blocks *blocks,
                                      const struct wb_kernel_string *string, warpbound_error *error)
{
  size_t before = blocks->first - 1;
  if (blocks->first < 1 || blocks->length < 1 || blocks->count < 1 || before >= string->length ||
      blocks->count > (string->length - before) / blocks->length)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fair-blocks: expected %zu times %zu instructions from instruction %zu on "
                   "within the string, which has %zu",
                   blocks->count, blocks->length, blocks->first, string->length);
  uint8_t *types = wb_kernel_string_expand(string);
  warpbound_status status =
      types != NULL ? check_letters(blocks, types, error) : wb_out_of_memory(error);
  free(types);
  return status;
}

warpbound_status wb_fair_blocks_repeat(const struct wb_fair_blocks *blocks,
                                       const struct wb_kernel_string *string,
                                       const size_t times[WB_UNIT_COUNT],
                                       struct wb_fair_blocks *repeated, warpbound_error *error)
{
  uint8_t *types = wb_kernel_string_expand(string);
  if (types == NULL)
    return wb_out_of_memory(error);
  *repeated = (struct wb_fair_blocks){.first = 1, .count = blocks->count};
  size_t at = 0;
  for (; at < blocks->first - 1; at++)
    repeated->first += times[types[at]];
  for (; at < blocks->first - 1 + blocks->length; at++)
    repeated->length += times[types[at]];
  free(types);
  return WARPBOUND_OK;
}
