#include "flow/accesses/access_counts.h"

#include "values/lanes/lane_parts.h"

#include <stdbool.h>
#include <stddef.h>

#define BANKS 32

/* Units of 2^places bytes. */
enum { WORD = 2, SECTOR = 5, LINE = 7 };

/* The addresses of lanes that belong together: of lane l first + distance[l], where first is
 * `residue` modulo 2^bits. */
struct group {
  const int64_t *distance;
  uint64_t residue;
  unsigned bits;
  uint32_t lanes;
  unsigned bytes;
  bool any_lane; /* which lane has which address is not known */
};

/* ---- units ---- */

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

static bool is_there(const struct group *group, unsigned lane)
{
  return (group->lanes >> lane & 1) != 0;
}

static uint32_t units_from(const struct group *group, uint64_t first, unsigned places)
{
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(group, l))
      continue;
    const uint64_t address = first + (uint64_t)group->distance[l];
    add_number(&units, address >> places);
    add_number(&units, (address + group->bytes - 1) >> places);
  }
  return (uint32_t)units.count;
}

/* Units of local memory, where words of the lanes lie side by side. */
static uint32_t local_units_from(const struct group *group, uint64_t first, unsigned places)
{
  const uint64_t lanes_of_unit = (UINT64_C(1) << places) / 4;
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(group, l))
      continue;
    const uint64_t address = first + (uint64_t)group->distance[l];
    for (uint64_t word = address / 4; word <= (address + group->bytes - 1) / 4; word++)
      add_number(&units, word * (WB_LANES / lanes_of_unit) + l / lanes_of_unit);
  }
  return (uint32_t)units.count;
}

/* The parts in which lanes of that many bytes go over the banks. */
static unsigned pass_parts(unsigned bytes)
{
  return bytes <= 4 ? 1 : bytes / 4;
}

/* The passes over 32 banks of 4 bytes: in a pass a bank gives one word. The lanes of 8 bytes go in
 * two parts of 16 lanes, those of 16 bytes in four of 8: passes of the parts are added. Turning all
 * words to the next bank changes nothing: the place within 16 bytes is all that counts. */
static uint32_t passes_from(const struct group *group, uint64_t first, unsigned places)
{
  const unsigned parts = pass_parts(group->bytes);
  const unsigned size = group->any_lane ? WB_LANES : WB_LANES / parts; /* lanes of a part */
  uint32_t sum = 0;
  (void)places;
  for (unsigned p = 0; p < parts; p++) {
    struct numbers words = {.count = 0};
    uint32_t of_bank[BANKS] = {0};
    uint32_t most = 0;
    const unsigned begin = group->any_lane ? 0 : p * size;
    for (unsigned l = begin; l < begin + size; l++) {
      if (!is_there(group, l))
        continue;
      const uint64_t address = first + (uint64_t)group->distance[l];
      for (uint64_t word = address / 4; word <= (address + group->bytes - 1) / 4; word++)
        add_number(&words, word);
    }
    for (size_t i = 0; i < words.count; i++) {
      const uint32_t found = ++of_bank[words.items[i] % BANKS];
      most = found > most ? found : most;
    }
    sum += most;
  }
  return sum;
}

typedef uint32_t count_from(const struct group *group, uint64_t first, unsigned places);

/* A middle of the 64 bits, from which distances lead to no end of them. */
#define MIDDLE (UINT64_C(1) << 63)

/* The most that `count` finds for any first address whose lowest bits fit the known ones and, since
 * each address is a multiple of what it accesses, the aligned ones. */
static uint32_t most_of(const struct group *group, unsigned places, count_from *count)
{
  const unsigned known = group->bits < places ? group->bits : places;
  const uint64_t mask = (UINT64_C(1) << known) - 1;
  uint32_t most = 0;
  bool aligned = true; /* all lanes' addresses are apart by multiples of what they access */
  if (group->lanes == 0)
    return 0;
  for (unsigned l = 0; l < WB_LANES; l++)
    aligned = aligned && (group->distance[l] & (group->bytes - 1)) == 0;
  /* Where no first address is aligned, the access cannot be done; then all are counted. */
  for (unsigned attempt = 0; attempt < 2 && most == 0; attempt++, aligned = false)
    for (uint64_t first = 0; first < UINT64_C(1) << places; first++) {
      if (((first ^ group->residue) & mask) != 0 || (aligned && (first & (group->bytes - 1)) != 0))
        continue;
      const uint32_t found = count(group, MIDDLE + first, places);
      most = found > most ? found : most;
    }
  return most;
}

/* ---- parts ---- */

uint32_t wb_lane_count(uint32_t mask)
{
  uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1)
    count++;
  return count;
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* What is counted, and what a lane alone takes at most. */
struct counting {
  count_from *count;
  unsigned places;
  uint32_t alone;
  bool banks;
  bool by_lane; /* the unit depends on the lane too */
};

static int64_t floor_of(int64_t number, int64_t unit)
{
  return number >= 0 ? number / unit : -((unit - 1 - number) / unit);
}

/* What the periods take that begin where a first number `start` is. */
static uint32_t count_places(const struct group *group, const struct counting *counting,
                             uint64_t start, uint64_t length)
{
  uint32_t left = group->lanes;
  uint32_t sum = 0;
  for (unsigned l = 0; l < WB_LANES; l++) {
    if ((left >> l & 1) == 0)
      continue;
    const int64_t period = floor_of((int64_t)start + group->distance[l], (int64_t)length);
    struct group of_period = *group;
    of_period.lanes = 0;
    for (unsigned o = l; o < WB_LANES; o++)
      if ((left >> o & 1) != 0 &&
          floor_of((int64_t)start + group->distance[o], (int64_t)length) == period)
        of_period.lanes |= UINT32_C(1) << o;
    left &= ~of_period.lanes;
    sum += most_of(&of_period, counting->places, counting->count);
  }
  return sum;
}

/* The most for any place of the periods, where the lanes of each stand anywhere. Which lanes are in
 * one period changes only where a lane comes to the beginning of one. */
static uint32_t count_periods(const struct group *group, const struct counting *counting,
                              const struct wb_lane_value *it)
{
  const uint64_t first = it->start % it->step;
  uint32_t most = count_places(group, counting, first, it->period);
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t beyond = group->distance[l] % (int64_t)it->period;
    const uint64_t change = beyond <= 0 ? (uint64_t)-beyond : it->period - (uint64_t)beyond;
    const uint64_t steps = change > first ? (change - first - 1) / it->step + 1 : 0;
    const uint64_t start = first + steps * it->step; /* the first one from there on */
    if (steps == 0 || start >= it->period || !is_there(group, l))
      continue;
    const uint32_t sum = count_places(group, counting, start, it->period);
    most = sum > most ? sum : most;
  }
  return most;
}

/* Whether lanes on both sides of a split may have addresses in one unit. */
static bool divides_unit(const struct wb_lane_value *it, unsigned places)
{
  return it->edge_bits < places || (it->edge & ((UINT32_C(1) << places) - 1)) != 0;
}

/* The lanes of one part: of a cut one, the most for any place of the cut, where the lanes on both
 * sides stand anywhere. */
static uint32_t count_part(const struct wb_lane_addresses *addresses,
                           const struct counting *counting, const struct wb_lane_value *it,
                           uint32_t lanes)
{
  const struct wb_lane_shape *shape = &addresses->values->shapes[it->shape];
  const bool clamped = it->clamps > 0 && it->unclamped_bits > it->bits;
  struct group group = {.distance = shape->distance,
                        .residue = clamped ? it->unclamped : it->residue,
                        .bits = clamped ? it->unclamped_bits : it->bits,
                        .lanes = it->loose ? UINT32_MAX : lanes,
                        .bytes = addresses->bytes,
                        .any_lane = it->loose};
  if (it->loose && counting->by_lane)
    return counting->alone * wb_lane_count(lanes);
  uint32_t most = most_of(&group, counting->places, counting->count);
  for (unsigned l = 0; it->cut && it->period == 0 && l < WB_LANES; l++) {
    struct group before = group;
    struct group after = group;
    for (unsigned other = 0; other < WB_LANES; other++) {
      const uint32_t bit = UINT32_C(1) << other;
      if (shape->distance[other] < shape->distance[l])
        after.lanes &= ~bit;
      else
        before.lanes &= ~bit;
    }
    const uint32_t found = most_of(&before, counting->places, counting->count) +
                           most_of(&after, counting->places, counting->count);
    most = found > most ? found : most;
  }
  if (it->period != 0)
    most = count_periods(&group, counting, it);
  /* Numbers in order keep their sectors where those beyond a bound become the bound: the first one
   * beyond it gives way. Banks do not follow the order. */
  if (counting->banks)
    most += (lanes == UINT32_MAX ? it->strays : it->clamps) * pass_parts(addresses->bytes);
  else if (!counting->by_lane) /* lanes with one word of local memory have one distance */
    most += it->split == WB_SPLIT_OWN && divides_unit(it, counting->places);
  return least(most, counting->alone * wb_lane_count(lanes));
}

static uint32_t count_all(const struct wb_lane_addresses *addresses,
                          const struct counting *counting)
{
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(addresses->values, addresses->value, parts);
  uint32_t sum = 0;
  bool split = false;
  for (size_t p = 0; p < count; p++) {
    const uint32_t lanes = parts[p].mask & addresses->lanes;
    if (lanes == 0)
      continue;
    const struct wb_lane_value *it = &addresses->values->values[parts[p].value];
    split = split || (it->split == WB_SPLIT_SHARED && divides_unit(it, counting->places));
    sum += parts[p].value == WB_LANES_UNKNOWN ? counting->alone * wb_lane_count(lanes)
                                              : count_part(addresses, counting, it, lanes);
  }
  const uint32_t most = counting->alone * wb_lane_count(addresses->lanes);
  /* All parts that are split at one place take the same two units there. */
  sum += split && !counting->banks && !counting->by_lane;
  return sum < most ? sum : most;
}

/* ---- counts ---- */

uint32_t wb_count_sectors(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {.count = units_from, .places = SECTOR, .alone = 1};
  return count_all(addresses, &counting);
}

uint32_t wb_count_lines(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {.count = units_from, .places = LINE, .alone = 1};
  return count_all(addresses, &counting);
}

uint32_t wb_count_words(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {
      .count = units_from, .places = WORD, .alone = (addresses->bytes + 3) / 4};
  return count_all(addresses, &counting);
}

uint32_t wb_count_local_sectors(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {.count = local_units_from,
                                    .places = SECTOR,
                                    .alone = (addresses->bytes + 3) / 4,
                                    .by_lane = true};
  return count_all(addresses, &counting);
}

uint32_t wb_count_local_lines(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {.count = local_units_from,
                                    .places = LINE,
                                    .alone = (addresses->bytes + 3) / 4,
                                    .by_lane = true};
  return count_all(addresses, &counting);
}

uint32_t wb_count_passes(const struct wb_lane_addresses *addresses)
{
  const struct counting counting = {.count = passes_from, .places = 4, .alone = 1, .banks = true};
  return count_all(addresses, &counting);
}

uint32_t wb_count_at_one(const struct wb_lane_addresses *addresses)
{
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(addresses->values, addresses->value, parts);
  uint32_t sum = 0;
  for (size_t p = 0; p < count; p++) {
    const uint32_t lanes = parts[p].mask & addresses->lanes;
    const struct wb_lane_value *it = &addresses->values->values[parts[p].value];
    const int64_t *distance = addresses->values->shapes[it->shape].distance;
    uint32_t most = 0;
    if (parts[p].value == WB_LANES_UNKNOWN || it->loose || it->clamps > 0)
      most = wb_lane_count(lanes);
    for (unsigned l = 0; l < WB_LANES && most < wb_lane_count(lanes); l++) {
      uint32_t equal = 0;
      for (unsigned other = 0; other < WB_LANES && (lanes >> l & 1) != 0; other++)
        equal += (lanes >> other & 1) != 0 && distance[other] == distance[l];
      most = equal > most ? equal : most;
    }
    sum += it->cut && it->period != 0 ? wb_lane_count(lanes)
           : it->cut                  ? least(2 * most, wb_lane_count(lanes))
                                      : most;
  }
  return least(sum, wb_lane_count(addresses->lanes));
}
