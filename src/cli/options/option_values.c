#include "cli/options/option_values.h"

#include "formats/samples/sample_value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *words, int *value, warpbound_error *error)
{
  char prefix[64];
  snprintf(prefix, sizeof prefix, "--%s: ", option_rows[option].name);
  return arguments->value[option] != NULL
             ? wb_choice_read(words, prefix, arguments->value[option], value, error)
             : WARPBOUND_OK;
}

const char *number_read(const char *at, uint64_t most, uint64_t *number)
{
  const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char *digits = hexadecimal ? at + 2 : at;
  const size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  if (length == 0 || length > 20)
    return NULL;
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return errno == 0 && *number <= most ? digits + length : NULL;
}

/* A whole number with one of the suffixes, powers of 1024, or none. */
static bool read_scaled(const char *text, const char *suffixes, uint64_t least, uint64_t most,
                        uint64_t *number)
{
  errno = 0;
  char *end;
  const unsigned long long digits = strtoull(text, &end, 10);
  const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
  const unsigned shift = suffix != NULL ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
  *number = (uint64_t)digits << shift;
  return *text >= '0' && *text <= '9' && end[suffix != NULL] == '\0' && errno == 0 &&
         digits <= (UINT64_MAX >> shift) && *number >= least && *number <= most;
}

bool whole_read(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
  return read_scaled(text, "", least, most, number);
}

static bool read_sizes(const char *at, uint32_t size[3])
{
  size[0] = size[1] = size[2] = 1;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t number = 0;
    at = number_read(at, INT32_MAX, &number);
    size[axis] = (uint32_t)number;
    if (at == NULL || number == 0 || (*at != '\0' && *at != ','))
      return false;
    if (*at++ == '\0')
      return true;
  }
  return false;
}

/* Stores a number in a member of a bool, an enumeration or an unsigned type. */
static void store(const struct option_member *member, uint64_t number, void *at)
{
  const uint32_t narrow = (uint32_t)number;
  const bool truth = number != 0;
  _Static_assert(sizeof(bool) == 1 && sizeof(enum option) == sizeof narrow, "sizes of members");
  memcpy(at,
         member->size == sizeof truth    ? (const void *)&truth
         : member->size == sizeof narrow ? (const void *)&narrow
                                         : (const void *)&number,
         member->size);
}

/* Reads the value of an option that is there. */
static warpbound_status read_value(const struct option_member *member, const char *text, void *at,
                                   warpbound_error *error)
{
  const char *name = option_rows[member->option].name;
  const size_t length = strlen(text);
  uint64_t number = 0;
  double real = 0;
  char *end;
  switch (member->type) {
  case VALUE_WHOLE:
    if (!whole_read(text, member->least, member->most, &number))
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", found '%.60s'",
                     name, member->least, member->most, text);
    store(member, number, at);
    return WARPBOUND_OK;
  case VALUE_BYTES:
    if (!read_scaled(text, "KMGT", member->least, member->most, &number))
      break;
    store(member, number, at);
    return WARPBOUND_OK;
  case VALUE_POSITIVE:
    /* strtod reads hexadecimal, signs and names as well. */
    real = strtod(text, &end);
    if (!(text[strspn(text, "0123456789.eE+-")] == '\0' && *text != '+' && *text != '-' &&
          end != text && *end == '\0' && isfinite(real) && real > 0))
      break;
    memcpy(at, &real, sizeof real);
    return WARPBOUND_OK;
  case VALUE_FRACTION:
    if (length == 0 || wb_number_read(text, length, &real) != length || real < member->low ||
        real > member->high)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a number from %g to %g, found '%.60s'",
                     name, member->low, member->high, text);
    memcpy(at, &real, sizeof real);
    return WARPBOUND_OK;
  default:
    return read_sizes(text, at)
               ? WARPBOUND_OK
               : wb_fail(error, WARPBOUND_USAGE,
                         "--%s: expected X, X,Y or X,Y,Z above 0 and below 2^31, found '%.60s'",
                         name, text);
  }
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected %s, found '%.60s'", name, member->expected,
                 text);
}

warpbound_status option_members_read(const struct arguments *arguments,
                                     const struct option_member *members, size_t count, void *into,
                                     warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t m = 0; m < count && status == WARPBOUND_OK; m++) {
    const struct option_member *member = &members[m];
    const char *text = arguments->value[member->option];
    void *at = (char *)into + member->offset;
    int word = 0;
    if (member->type == VALUE_TEXT) {
      memcpy(at, &text, sizeof text);
    } else if (member->type == VALUE_GIVEN) {
      store(member, text != NULL, at);
    } else if (text != NULL && member->type == VALUE_WORD) {
      status = word_read(arguments, member->option, member->words, &word, error);
      store(member, (uint64_t)word, at);
    } else if (text != NULL) {
      status = read_value(member, text, at, error);
    }
  }
  return status;
}
