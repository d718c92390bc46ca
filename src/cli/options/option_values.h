/* Values of options: from texts to numbers, words and members of structs. */
#ifndef WB_CLI_OPTIONS_OPTION_VALUES_H
#define WB_CLI_OPTIONS_OPTION_VALUES_H

#include "base/text/nearest.h"
#include "cli/options/options.h"

/* The type of a member that an option's value goes to. */
enum value_type {
  VALUE_GIVEN,    /* bool: whether the option is there */
  VALUE_TEXT,     /* const char *, NULL where the option is absent; borrowed */
  VALUE_WORD,     /* an enumeration or bool: the value of a word of `words` */
  VALUE_WHOLE,    /* an unsigned type: a whole number, `least` to `most` */
  VALUE_BYTES,    /* an unsigned type: the same with K, M, G or T (powers of 1024) after it */
  VALUE_POSITIVE, /* double: a decimal number above 0 */
  VALUE_FRACTION, /* double: `low` to `high` */
  VALUE_SIZES     /* uint32_t[3]: X, X,Y or X,Y,Z; sizes that are left out are 1, as in a launch */
};

/* One member of a struct and the option that it is read from. */
struct option_member {
  enum option option;
  enum value_type type;
  size_t offset, size; /* OPTION_MEMBER */
  const struct wb_choice *words;
  uint64_t least, most;
  double low, high;
  const char *expected; /* of VALUE_BYTES and VALUE_POSITIVE: what messages expect */
};

/* Offset and size of a member, in a row of a table. */
#define OPTION_MEMBER(type, member)                                                                \
  .offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

/* Reads the options of a table into a struct, in the table's order. Members of VALUE_GIVEN and
 * VALUE_TEXT are always set; others keep what they have where the option is absent. Errors:
 * WARPBOUND_USAGE. */
warpbound_status option_members_read(const struct arguments *arguments,
                                     const struct option_member *members, size_t count, void *into,
                                     warpbound_error *error);

/* *value of an option's word; as it was where the option is absent. Errors: WARPBOUND_USAGE, which
 * lists the words and names the one that was likely meant. */
warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *words, int *value, warpbound_error *error);

/* Reads a whole number in decimal digits; false where the text is none, or out of range. */
bool whole_read(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* Reads a number in decimal, or in hexadecimal after 0x, of at most 20 digits and up to `most`.
 * Returns where it ends; NULL where there is none. */
const char *number_read(const char *at, uint64_t most, uint64_t *number);

#endif
