#include "certificate/potential/content_map.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The slot that holds the content, or the empty one where it belongs. The table is
 * never full. */
static size_t slot_of(const struct wb_check_content_map *map,
                      const struct wb_check_content *content)
{
  uint64_t mixed = 0;
  for (unsigned p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    mixed ^= ((uint64_t)content->work[p] << 32) | content->warps[p];
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
  }
  size_t slot = (size_t)mixed & (map->slot_count - 1);
  while (map->slots[slot] != 0 &&
         memcmp(&map->list[map->slots[slot] - 1].content, content, sizeof *content) != 0)
    slot = (slot + 1) & (map->slot_count - 1);
  return slot;
}

/* Doubles the table once it is half full. */
static bool make_room(struct wb_check_content_map *map)
{
  if (!wb_grow(map->list, &map->capacity, map->count + 1))
    return false;
  if (2 * (map->count + 1) <= map->slot_count)
    return true;
  size_t wanted = map->slot_count > 0 ? 2 * map->slot_count : 16;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  free(map->slots);
  map->slots = slots;
  map->slot_count = wanted;
  for (size_t i = 0; i < map->count; i++)
    slots[slot_of(map, &map->list[i].content)] = (uint32_t)(i + 1);
  return true;
}

enum wb_check_content_map_result
wb_check_content_map_add(struct wb_check_content_map *map,
                         const struct wb_check_content_value *entry)
{
  if (!make_room(map))
    return WB_CHECK_CONTENT_NO_MEMORY;
  size_t slot = slot_of(map, &entry->content);
  if (map->slots[slot] != 0) {
    struct wb_check_content_value *old = &map->list[map->slots[slot] - 1];
    if (entry->value < old->value)
      old->value = entry->value;
    return WB_CHECK_CONTENT_OLD;
  }
  if (map->count == WB_CHECK_CONTENT_MAP_LIMIT)
    return WB_CHECK_CONTENT_FULL;
  map->list[map->count++] = *entry;
  map->slots[slot] = (uint32_t)map->count;
  return WB_CHECK_CONTENT_NEW;
}

const struct wb_check_content_value *
wb_check_content_map_find(const struct wb_check_content_map *map,
                          const struct wb_check_content *content)
{
  if (map->count == 0)
    return NULL;
  uint32_t found = map->slots[slot_of(map, content)];
  return found != 0 ? &map->list[found - 1] : NULL;
}

bool wb_check_content_map_is_sound(const struct wb_check_content_map *map)
{
  size_t used = 0;
  if (2 * map->count > map->slot_count || (map->slot_count & (map->slot_count - 1)) != 0)
    return map->count == 0 && map->slot_count == 0;
  for (size_t slot = 0; slot < map->slot_count; slot++)
    used += map->slots[slot] != 0;
  bool sound = used == map->count;
  for (size_t i = 0; sound && i < map->count; i++)
    sound = map->slots[slot_of(map, &map->list[i].content)] == i + 1;
  return sound;
}

/* From the newest entry to the oldest: no chain of slots leads over an entry newer
 * than the one it leads to. A wide table with few entries costs little that way. */
void wb_check_content_map_clear(struct wb_check_content_map *map)
{
  for (; map->count > 0; map->count--)
    map->slots[slot_of(map, &map->list[map->count - 1].content)] = 0;
}

void wb_check_content_map_free(struct wb_check_content_map *map)
{
  free(map->list);
  free(map->slots);
  *map = (struct wb_check_content_map){0};
}
