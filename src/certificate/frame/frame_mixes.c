#include "certificate/frame/frame_mixes.h"

#include "base/checked.h"

#define MOST_MIXES (1U << 21)

uint64_t wb_check_frame_fewest(const struct wb_check_frame_mix *mix, size_t launches,
                               const bool *in)
{
  uint64_t fewest = UINT64_MAX;
  for (size_t l = 0; l < launches; l++) {
    if (!in[l])
      continue;
    fewest = wb_minimum(fewest, mix->most[l]);
    /* It lacks room once others have taken more than what it leaves. */
    for (size_t r = 0; r < mix->room_count; r++) {
      const struct wb_check_frame_room *room = &mix->rooms[r];
      uint64_t largest = 0;
      for (size_t o = 0; o < launches; o++)
        largest = in[o] ? wb_maximum(largest, room->size[o]) : largest;
      if (room->size[l] > 0)
        fewest = wb_minimum(fewest, wb_divide_up(room->capacity - room->size[l] + 1, largest));
    }
  }
  return wb_maximum(fewest, 1);
}

static bool fits(const struct wb_check_frame_mix *mix, size_t launches, const uint64_t *count)
{
  for (size_t r = 0; r < mix->room_count; r++) {
    uint64_t left = mix->rooms[r].capacity;
    for (size_t l = 0; l < launches && !mix->rooms[r].of_partition; l++) {
      const uint64_t size = mix->rooms[r].size[l];
      if (size > 0 && count[l] > left / size)
        return false;
      left -= count[l] * size;
    }
  }
  return true;
}

static uint64_t add(uint64_t a, uint64_t b)
{
  uint64_t sum;
  return wb_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
  uint64_t product;
  return wb_multiply(a, b, &product) ? product : UINT64_MAX;
}

static uint64_t cost_of(size_t launches, const uint64_t *count, size_t beside, const uint64_t *cost)
{
  uint64_t sum = 0;
  for (size_t l = 0; l < launches; l++)
    sum = add(sum, multiply(count[l] - (l == beside ? 1 : 0), cost[l]));
  return sum;
}

/* Each room alone, all that is left of it at the highest price. */
static uint64_t by_price(const struct wb_check_frame_mix *mix, size_t launches, const bool *in,
                         size_t beside, const uint64_t *cost)
{
  uint64_t least = UINT64_MAX;
  for (size_t r = 0; r < mix->room_count; r++) {
    const struct wb_check_frame_room *room = &mix->rooms[r];
    uint64_t price = 0;
    uint64_t free = 0;
    for (size_t l = 0; l < launches; l++) {
      if (in[l] && room->size[l] > 0)
        price = wb_maximum(price, wb_divide_up(cost[l], room->size[l]));
      else if (in[l])
        free = add(free, multiply(mix->most[l] - (l == beside ? 1 : 0), cost[l]));
    }
    const uint64_t left = room->capacity - (beside < launches ? room->size[beside] : 0);
    if (!room->of_partition)
      least = wb_minimum(least, add(free, multiply(left, price)));
  }
  return least;
}

/* Counts through all mixes as an odometer does. */
uint64_t wb_check_frame_costliest(const struct wb_check_frame_mix *mix, size_t launches,
                                  const bool *in, size_t beside, const uint64_t *cost)
{
  uint64_t count[WB_CHECK_FRAME_LAUNCHES] = {0};
  uint64_t most = 0;
  if (beside < launches)
    count[beside] = 1;
  for (uint32_t tried = 0; tried < MOST_MIXES; tried++) {
    size_t l = 0;
    most = wb_maximum(most, cost_of(launches, count, beside, cost));
    for (; l < launches; l++) {
      const uint64_t least = l == beside ? 1 : 0;
      count[l]++;
      if (in[l] && count[l] <= mix->most[l] && fits(mix, launches, count))
        break;
      count[l] = least;
    }
    if (l == launches)
      return most;
  }
  return by_price(mix, launches, in, beside, cost);
}
