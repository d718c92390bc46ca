/* A hash table from pairs of numbers to numbers. */
#ifndef WB_CFG_SIMT_PAIR_MAP_H
#define WB_CFG_SIMT_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_PAIR_ABSENT UINT32_MAX

struct wb_pair_place {
  uint64_t first;  /* of the pair */
  uint64_t second; /* of the pair */
  uint32_t value;  /* the pair's value; WB_PAIR_ABSENT: the place is free */
};

/* Invariants: the capacity is 0 or a power of two, and more than the count. Zero-initialise. */
struct wb_pair_map {
  struct wb_pair_place *places; /* open addressing */
  size_t count;                 /* pairs */
  size_t capacity;              /* places */
};

/* The value of a pair, WB_PAIR_ABSENT where it has none. */
uint32_t wb_pair_map_find(const struct wb_pair_map *map, uint64_t first, uint64_t second);

/* Gives a pair that has none a value other than WB_PAIR_ABSENT. False where memory is out. */
bool wb_pair_map_add(struct wb_pair_map *map, uint64_t first, uint64_t second, uint32_t value);

void wb_pair_map_free(struct wb_pair_map *map);

#endif
