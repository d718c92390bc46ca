/* Values of options that may be given several times: which speak of one place, and whether they
 * say the same of it. */
#ifndef WB_CLI_OPTIONS_VALUE_PLACES_H
#define WB_CLI_OPTIONS_VALUE_PLACES_H

/* What the values of an option look like. */
enum value_places {
  PLACES_NONE,   /* each value counts by itself */
  PLACES_NAMED,  /* NAME=VALUE; without a name a value of all */
  PLACES_TARGETS /* [KERNEL:]ADDRESS=A,B,C, a set of addresses */
};

enum value_match {
  VALUES_APART, /* of two places */
  VALUES_EQUAL, /* the same of one place */
  VALUES_DIFFER /* something else of one place */
};

/* How two values of such an option stand to each other. Numbers are compared as numbers, decimal or
 * hexadecimal after 0x. */
enum value_match values_compare(enum value_places places, const char *a, const char *b);

#endif
