/* A map from contents of the pools to values: the table that the checker of potentials keeps
 * states, successors and exits in. */
#ifndef WB_CERTIFICATE_POTENTIAL_CONTENT_MAP_H
#define WB_CERTIFICATE_POTENTIAL_CONTENT_MAP_H

#include "certificate/potential/potential_claim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The warps that the pools hold, and the instructions that these still need to the ends of their
 * runs. Pools beyond those in use hold 0. */
struct wb_check_content {
  /* By pool, cut off at K. */
  uint32_t warps[WB_CHECK_POTENTIAL_POOLS];
  /* By pool, cut off at B. */
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
};

/* An entry of the map. */
struct wb_check_content_value {
  struct wb_check_content content;
  int64_t value;
};

/* Invariant: the entries differ in their contents and stand in the order in which they were added;
 * slots is a hash table with linear probing, never more than half full, in which each entry has
 * one slot. Zero-initialise; free with wb_check_content_map_free. */
struct wb_check_content_map {
  /* The entries. */
  struct wb_check_content_value *list;
  size_t count;
  size_t capacity;
  /* Each an index into the list plus 1, or 0 for an empty slot. */
  uint32_t *slots;
  /* A power of 2, or 0. */
  size_t slot_count;
};

/* Entries of one map at most. */
#define WB_CHECK_CONTENT_MAP_LIMIT ((size_t)1 << 22)

enum wb_check_content_map_result {
  WB_CHECK_CONTENT_NEW,  /* the content was not in the map */
  WB_CHECK_CONTENT_OLD,  /* it was; its value is now the lesser of the two */
  WB_CHECK_CONTENT_FULL, /* WB_CHECK_CONTENT_MAP_LIMIT entries are there */
  WB_CHECK_CONTENT_NO_MEMORY
};

/* Adds an entry, or keeps the lesser value where the content is there already. Constant time on
 * average. */
enum wb_check_content_map_result
wb_check_content_map_add(struct wb_check_content_map *map,
                         const struct wb_check_content_value *entry);

/* The entry with that content, or NULL. Valid until the next addition. Constant time on average. */
const struct wb_check_content_value *
wb_check_content_map_find(const struct wb_check_content_map *map,
                          const struct wb_check_content *content);

/* Whether the invariant holds. Linear in entries and slots. For assertions and tests. */
bool wb_check_content_map_is_sound(const struct wb_check_content_map *map);

/* Makes the map empty and keeps its memory. Linear in the entries. */
void wb_check_content_map_clear(struct wb_check_content_map *map);
void wb_check_content_map_free(struct wb_check_content_map *map);

#endif
