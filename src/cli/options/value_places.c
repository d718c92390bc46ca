/* Values of options that may be given several times. */
#include "cli/options/value_places.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A part of a text. */
struct part {
  const char *text;
  size_t length;
};

static bool read_number(struct part part, uint64_t *number)
{
  const bool hexadecimal = part.length > 2 && part.text[0] == '0' && (part.text[1] | 32) == 'x';
  const char *digits = part.text + (hexadecimal ? 2 : 0);
  const char *known = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  const size_t length = strspn(digits, known);
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return length > 0 && digits + length == part.text + part.length && errno == 0;
}

static bool are_same(struct part a, struct part b)
{
  uint64_t first;
  uint64_t second;
  if (a.length == b.length && memcmp(a.text, b.text, a.length) == 0)
    return true;
  return read_number(a, &first) && read_number(b, &second) && first == second;
}

/* Splits a text at its first '='; the place of a text without one is empty. */
static void split(const char *text, struct part *place, struct part *value)
{
  const char *equals = strchr(text, '=');
  *place = (struct part){text, equals != NULL ? (size_t)(equals - text) : 0};
  value->text = equals != NULL ? equals + 1 : text;
  value->length = strlen(value->text);
}

/* ---- sets of addresses ---- */

/* Splits the next number off a list with commas; false at its end. */
static bool next_item(struct part *list, struct part *item)
{
  if (list->text == NULL)
    return false;
  const char *comma = memchr(list->text, ',', list->length);
  *item = (struct part){list->text, comma != NULL ? (size_t)(comma - list->text) : list->length};
  list->length -= comma != NULL ? item->length + 1 : list->length;
  list->text = comma != NULL ? comma + 1 : NULL;
  return true;
}

/* Whether the first list has no item that the second has not. */
static bool is_within(struct part list, struct part other)
{
  struct part item;
  bool within = true;
  while (within && next_item(&list, &item)) {
    struct part rest = other;
    struct part candidate;
    within = false;
    while (!within && next_item(&rest, &candidate))
      within = are_same(item, candidate);
  }
  return within;
}

/* Splits KERNEL:ADDRESS at its last ':'. */
static struct part split_kernel(struct part *place)
{
  for (size_t i = place->length; i > 0; i--) {
    if (place->text[i - 1] != ':')
      continue;
    const struct part kernel = {place->text, i - 1};
    *place = (struct part){place->text + i, place->length - i};
    return kernel;
  }
  return (struct part){place->text, 0};
}

enum value_match values_compare(enum value_places places, const char *a, const char *b)
{
  struct part first;
  struct part second;
  struct part value;
  struct part other;
  if (places == PLACES_NONE)
    return VALUES_APART;
  split(a, &first, &value);
  split(b, &second, &other);
  /* A value that names no kernel is of all. */
  if (places == PLACES_TARGETS) {
    const struct part kernel = split_kernel(&first);
    const struct part with = split_kernel(&second);
    if (kernel.length > 0 && with.length > 0 && !are_same(kernel, with))
      return VALUES_APART;
  }
  if (!are_same(first, second))
    return VALUES_APART;
  const bool same = places == PLACES_TARGETS ? is_within(value, other) && is_within(other, value)
                                             : are_same(value, other);
  return same ? VALUES_EQUAL : VALUES_DIFFER;
}
