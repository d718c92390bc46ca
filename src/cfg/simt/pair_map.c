#include "cfg/simt/pair_map.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

#define FIRST_CAPACITY ((size_t)64)

static struct wb_pair_place *place_of(const struct wb_pair_map *map, uint64_t first,
                                      uint64_t second)
{
  size_t at = (size_t)wb_hash_word(wb_hash_word(0, second), first) & (map->capacity - 1);
  while (map->places[at].value != WB_PAIR_ABSENT &&
         (map->places[at].first != first || map->places[at].second != second))
    at = (at + 1) & (map->capacity - 1);
  return &map->places[at];
}

uint32_t wb_pair_map_find(const struct wb_pair_map *map, uint64_t first, uint64_t second)
{
  return map->capacity == 0 ? WB_PAIR_ABSENT : place_of(map, first, second)->value;
}

static bool grow(struct wb_pair_map *map)
{
  struct wb_pair_map grown = {.count = map->count};
  grown.capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2;
  grown.places = wb_allocate(grown.capacity, sizeof *grown.places);
  if (grown.places == NULL)
    return false;
  for (size_t i = 0; i < grown.capacity; i++)
    grown.places[i].value = WB_PAIR_ABSENT;
  for (size_t i = 0; i < map->capacity; i++) {
    const struct wb_pair_place *old = &map->places[i];
    if (old->value != WB_PAIR_ABSENT)
      *place_of(&grown, old->first, old->second) = *old;
  }
  free(map->places);
  *map = grown;
  return true;
}

bool wb_pair_map_add(struct wb_pair_map *map, uint64_t first, uint64_t second, uint32_t value)
{
  if (map->count * 2 >= map->capacity && !grow(map))
    return false;
  *place_of(map, first, second) = (struct wb_pair_place){first, second, value};
  map->count++;
  return true;
}

void wb_pair_map_free(struct wb_pair_map *map)
{
  free(map->places);
  *map = (struct wb_pair_map){0};
}
