/* Random SASS listings with few paths, and the strings of these by construction: stretches, sides
 * of a branch, and loops. For tests. */
#ifndef TESTS_CROSS_RANDOM_PATHS_H
#define TESTS_CROSS_RANDOM_PATHS_H

#include "base/random.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATH_STRING_LIMIT 4u
#define PATH_LENGTH_LIMIT 20u

/* strings: over "LCSDNB", different from each other, each of at most PATH_LENGTH_LIMIT letters;
 * with a barrier in a loop they differ in their number of B. loop_bound: back edges that the loops
 * may take for each entry. apart: the sides of some branch have a barrier each, so that strings
 * with as many B may pass different ones. */
struct random_paths {
  struct wb_text listing;
  char strings[PATH_STRING_LIMIT][PATH_LENGTH_LIMIT + 1];
  size_t string_count;
  bool has_loop;
  bool apart;
  uint32_t loop_bound;
};

/* False where the draw has too many strings or too long ones: draw again. Free the listing with
 * wb_text_free either way. barriers: whether there may be any. */
bool random_paths_draw(struct wb_random *random, bool barriers, struct random_paths *paths);

#endif
