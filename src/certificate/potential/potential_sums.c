#include "certificate/potential/potential_sums.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(const struct wb_check_potential_content *content)
{
  uint64_t mixed = 0;
  for (unsigned p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    mixed ^= ((uint64_t)content->work[p] << 32) | content->warps[p];
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
  }
  return mixed;
}

/* The slot that holds the content, or the empty one where it belongs. The table is
 * never full. */
static size_t slot_of(const struct wb_check_potential_sums *sums,
                      const struct wb_check_potential_content *content)
{
  size_t slot = (size_t)hash(content) & (sums->slot_count - 1);
  while (sums->slots[slot] != 0 &&
         memcmp(&sums->list[sums->slots[slot] - 1].content, content, sizeof *content) != 0)
    slot = (slot + 1) & (sums->slot_count - 1);
  return slot;
}

/* Doubles the table once it is half full. */
static bool make_room(struct wb_check_potential_sums *sums)
{
  if (!wb_grow(sums->list, &sums->capacity, sums->count + 1))
    return false;
  if (2 * (sums->count + 1) <= sums->slot_count)
    return true;
  size_t wanted = sums->slot_count > 0 ? 2 * sums->slot_count : 16;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  free(sums->slots);
  sums->slots = slots;
  sums->slot_count = wanted;
  for (size_t i = 0; i < sums->count; i++)
    slots[slot_of(sums, &sums->list[i].content)] = (uint32_t)(i + 1);
  return true;
}

enum wb_check_potential_sums_result
wb_check_potential_sums_add(struct wb_check_potential_sums *sums,
                            const struct wb_check_potential_sum *sum)
{
  if (!make_room(sums))
    return WB_CHECK_SUMS_NO_MEMORY;
  size_t slot = slot_of(sums, &sum->content);
  if (sums->slots[slot] != 0) {
    struct wb_check_potential_sum *old = &sums->list[sums->slots[slot] - 1];
    if (sum->value < old->value)
      old->value = sum->value;
    return WB_CHECK_SUMS_OLD;
  }
  if (sums->count == WB_CHECK_POTENTIAL_SUMS_LIMIT)
    return WB_CHECK_SUMS_FULL;
  sums->list[sums->count++] = *sum;
  sums->slots[slot] = (uint32_t)sums->count;
  return WB_CHECK_SUMS_NEW;
}

const struct wb_check_potential_sum *
wb_check_potential_sums_find(const struct wb_check_potential_sums *sums,
                             const struct wb_check_potential_content *content)
{
  if (sums->count == 0)
    return NULL;
  uint32_t found = sums->slots[slot_of(sums, content)];
  return found != 0 ? &sums->list[found - 1] : NULL;
}

/* From the newest entry to the oldest: no chain of slots leads over an entry newer
 * than the one it leads to. A wide table with few entries costs little that way. */
void wb_check_potential_sums_clear(struct wb_check_potential_sums *sums)
{
  for (; sums->count > 0; sums->count--)
    sums->slots[slot_of(sums, &sums->list[sums->count - 1].content)] = 0;
}

void wb_check_potential_sums_free(struct wb_check_potential_sums *sums)
{
  free(sums->list);
  free(sums->slots);
  *sums = (struct wb_check_potential_sums){0};
}
