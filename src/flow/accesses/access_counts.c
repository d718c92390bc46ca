#include "flow/accesses/access_counts.h"

#include <stdbool.h>
#include <stddef.h>

#define BANKS 32

/* A set of few numbers, ascending. */
struct numbers {
  uint64_t items[WB_LANES * 9];
  size_t count;
};

static void add_number(struct numbers *set, uint64_t number)
{
  size_t place = set->count;
  while (place > 0 && set->items[place - 1] > number)
    place--;
  if (place > 0 && set->items[place - 1] == number)
    return;
  for (size_t i = set->count++; i > place; i--)
    set->items[i] = set->items[i - 1];
  set->items[place] = number;
}

static bool is_there(const struct wb_lane_addresses *addresses, unsigned lane)
{
  return (addresses->lanes >> lane & 1) != 0;
}

/* Whether all lanes' addresses are apart by multiples of what they access. */
static bool are_aligned(const struct wb_lane_addresses *addresses)
{
  for (unsigned l = 0; l < WB_LANES; l++)
    if ((addresses->distance[l] & (addresses->bytes - 1)) != 0)
      return false;
  return true;
}

/* ---- units ---- */

static uint32_t units_from(const struct wb_lane_addresses *addresses, uint64_t first,
                           unsigned places)
{
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(addresses, l))
      continue;
    const uint64_t address = first + (uint64_t)addresses->distance[l];
    add_number(&units, address >> places);
    add_number(&units, (address + addresses->bytes - 1) >> places);
  }
  return (uint32_t)units.count;
}

/* A middle of the 64 bits, from which distances lead to no end of them. */
#define MIDDLE (UINT64_C(1) << 63)

static uint32_t most_of(const struct wb_lane_addresses *addresses, unsigned places,
                        uint32_t (*count)(const struct wb_lane_addresses *addresses, uint64_t first,
                                          unsigned places))
{
  uint32_t most = 0;
  bool aligned = are_aligned(addresses);
  /* Where no first address is aligned, the access cannot be done; then all are counted. */
  for (unsigned attempt = 0; attempt < 2 && most == 0; attempt++, aligned = false)
    for (uint64_t first = 0; first < UINT64_C(1) << places; first++) {
      /* By its known bits lane 0's address cannot end in `first` or, with `aligned`, since each is
       * a multiple of what it accesses. */
      const unsigned known = addresses->bits < places ? addresses->bits : places;
      const uint64_t mask = (UINT64_C(1) << known) - 1;
      if (((first ^ addresses->residue) & mask) != 0 ||
          (aligned && (first & (addresses->bytes - 1)) != 0))
        continue;
      const uint32_t found = count(addresses, MIDDLE + first, places);
      most = found > most ? found : most;
    }
  return most;
}

uint32_t wb_count_units(const struct wb_lane_addresses *addresses, unsigned places)
{
  return most_of(addresses, places, units_from);
}

/* ---- banks ---- */

/* The passes of lanes begin .. end - 1. */
static uint32_t passes_of(const struct wb_lane_addresses *addresses, uint64_t first, unsigned begin,
                          unsigned end)
{
  struct numbers words = {.count = 0};
  uint32_t of_bank[BANKS] = {0};
  uint32_t most = 0;
  for (unsigned l = begin; l < end; l++) {
    if (!is_there(addresses, l))
      continue;
    const uint64_t address = first + (uint64_t)addresses->distance[l];
    for (uint64_t word = address / 4; word <= (address + addresses->bytes - 1) / 4; word++)
      add_number(&words, word);
  }
  for (size_t i = 0; i < words.count; i++) {
    const uint32_t found = ++of_bank[words.items[i] % BANKS];
    most = found > most ? found : most;
  }
  return most;
}

static uint32_t passes_from(const struct wb_lane_addresses *addresses, uint64_t first,
                            unsigned places)
{
  const unsigned parts = addresses->bytes <= 4 ? 1 : addresses->bytes / 4;
  uint32_t sum = 0;
  (void)places;
  for (unsigned p = 0; p < parts; p++)
    sum += passes_of(addresses, first, p * WB_LANES / parts, (p + 1) * WB_LANES / parts);
  return sum;
}

uint32_t wb_count_passes(const struct wb_lane_addresses *addresses)
{
  /* Turning all words to the next bank changes nothing: the place within 16 bytes is all. */
  return most_of(addresses, 4, passes_from);
}

/* ---- one address ---- */

uint32_t wb_count_at_one(const struct wb_lane_addresses *addresses)
{
  uint32_t most = 0;
  for (unsigned l = 0; l < WB_LANES; l++) {
    uint32_t equal = 0;
    for (unsigned other = 0; other < WB_LANES && is_there(addresses, l); other++)
      equal += is_there(addresses, other) && addresses->distance[other] == addresses->distance[l];
    most = equal > most ? equal : most;
  }
  return most;
}

/* ---- local memory ---- */

static uint32_t local_units_from(const struct wb_lane_addresses *addresses, uint64_t first,
                                 unsigned places)
{
  const uint64_t lanes_of_unit = (UINT64_C(1) << places) / 4;
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(addresses, l))
      continue;
    const uint64_t address = first + (uint64_t)addresses->distance[l];
    for (uint64_t word = address / 4; word <= (address + addresses->bytes - 1) / 4; word++)
      add_number(&units, word * (WB_LANES / lanes_of_unit) + l / lanes_of_unit);
  }
  return (uint32_t)units.count;
}

uint32_t wb_count_local_units(const struct wb_lane_addresses *addresses, unsigned places)
{
  return most_of(addresses, places, local_units_from);
}
