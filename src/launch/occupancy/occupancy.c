/* How many blocks of a kernel an SM holds. */
#include "launch/occupancy/occupancy.h"

#include "base/checked.h"

#include <inttypes.h>

#define LANES 32

/* What is being found. Numbers are of 64 bits, within which all products of 32 bits fit. */
struct occupancy_finder {
  const struct wb_device_timing *device;
  const struct wb_block_needs *needs;
  uint64_t warps;         /* of a block */
  uint64_t shared_memory; /* bytes of the SM */
  struct wb_occupancy *occupancy;
  warpbound_error *error;
};

static uint64_t rule(const struct occupancy_finder *finder, uint32_t value)
{
  return wb_device_number(finder->device, value);
}

static uint64_t round_up(uint64_t number, uint64_t unit)
{
  return wb_divide_up(number, unit) * unit;
}

struct wb_block_room wb_block_room_of(const struct wb_device_timing *device,
                                      const struct wb_block_needs *needs)
{
  const struct wb_residency_rules *rules = &device->residency;
  const uint64_t reserved = wb_device_number(device, rules->shared_reserved);
  const uint64_t asked = (uint64_t)needs->static_shared + needs->dynamic_shared;
  const uint64_t whole =
      needs->shared_includes_reserve ? wb_maximum(asked, reserved) : asked + reserved;
  return (struct wb_block_room){
      .warps = wb_divide_up(needs->threads, LANES),
      .warp_registers = round_up((uint64_t)needs->registers * LANES,
                                 wb_device_number(device, rules->register_unit)),
      .shared = round_up(whole, wb_device_number(device, rules->shared_unit)),
  };
}

static warpbound_status too_much(const struct occupancy_finder *finder, const char *what,
                                 uint64_t most, uint64_t found)
{
  return wb_fail(finder->error, WARPBOUND_INVALID_INPUT,
                 "a block does not fit on an SM of '%.60s': expected at most %" PRIu64
                 " %s, found %" PRIu64,
                 finder->device->name, most, what, found);
}

static void set_limit(const struct occupancy_finder *finder, enum wb_residency_limit limit,
                      uint64_t blocks)
{
  finder->occupancy->by_limit[limit] = (uint32_t)wb_minimum(blocks, UINT32_MAX);
}

static warpbound_status find_warps(struct occupancy_finder *finder)
{
  const struct wb_residency_rules *rules = &finder->device->residency;
  const uint64_t threads = finder->needs->threads;
  if (threads == 0)
    return wb_fail(finder->error, WARPBOUND_INVALID_INPUT,
                   "expected a block of at least one thread, found none");
  const uint64_t most = rule(finder, rules->max_threads_per_block);
  if (threads > most)
    return too_much(finder, "threads", most, threads);
  finder->warps = wb_divide_up(threads, LANES);
  finder->occupancy->warps = (uint32_t)finder->warps;
  const uint64_t resident = rule(finder, rules->max_warps);
  if (finder->warps > resident)
    return too_much(finder, "warps", resident, finder->warps);
  set_limit(finder, WB_LIMITED_BY_BLOCKS, rule(finder, rules->max_blocks));
  set_limit(finder, WB_LIMITED_BY_WARPS, resident / finder->warps);
  return WARPBOUND_OK;
}

/* The registers of a warp lie in one partition: what is left over in one serves no warp of another.
 */
static warpbound_status find_registers(struct occupancy_finder *finder)
{
  const struct wb_residency_rules *rules = &finder->device->residency;
  const uint64_t of_thread = finder->needs->registers;
  const uint64_t most = rule(finder, rules->registers_per_thread);
  if (of_thread > most)
    return too_much(finder, "registers of a thread", most, of_thread);
  if (of_thread == 0)
    return WARPBOUND_OK;
  const uint64_t partitions = rule(finder, finder->device->partitions);
  const uint64_t of_warp = wb_block_room_of(finder->device, finder->needs).warp_registers;
  const uint64_t of_block = of_warp * round_up(finder->warps, partitions);
  const uint64_t block_most = rule(finder, rules->registers_per_block);
  if (of_block > block_most)
    return too_much(finder, "registers of a block", block_most, of_block);
  const uint64_t of_partition = rule(finder, rules->registers) / partitions;
  const uint64_t blocks = partitions * (of_partition / of_warp) / finder->warps;
  if (blocks == 0)
    return too_much(finder, "registers of a partition", of_partition,
                    of_warp * wb_divide_up(finder->warps, partitions));
  set_limit(finder, WB_LIMITED_BY_REGISTERS, blocks);
  return WARPBOUND_OK;
}

static warpbound_status find_shared_memory(struct occupancy_finder *finder)
{
  const struct wb_residency_rules *rules = &finder->device->residency;
  const struct wb_block_needs *needs = finder->needs;
  const uint64_t reserved = rule(finder, rules->shared_reserved);
  const uint64_t asked = (uint64_t)needs->static_shared + needs->dynamic_shared;
  const uint64_t whole =
      needs->shared_includes_reserve ? wb_maximum(asked, reserved) : asked + reserved;
  const uint64_t of_block = rule(finder, rules->shared_per_block);
  if (whole - reserved > of_block)
    return too_much(finder, "bytes of shared memory", of_block, whole - reserved);
  const uint64_t taken = wb_block_room_of(finder->device, needs).shared;
  const uint64_t of_sm = finder->shared_memory;
  if (taken > of_sm)
    return too_much(finder, "bytes of shared memory, with what the system reserves", of_sm, taken);
  if (taken > 0)
    set_limit(finder, WB_LIMITED_BY_SHARED_MEMORY, of_sm / taken);
  return WARPBOUND_OK;
}

warpbound_status wb_occupancy_find(const struct wb_device_timing *device,
                                   const struct wb_block_needs *needs, uint64_t shared_memory,
                                   struct wb_occupancy *occupancy, warpbound_error *error)
{
  struct occupancy_finder finder = {device, needs, 0, shared_memory, occupancy, error};
  for (unsigned l = 0; l < WB_RESIDENCY_LIMIT_COUNT; l++)
    occupancy->by_limit[l] = UINT32_MAX;
  warpbound_status status = find_warps(&finder);
  if (status == WARPBOUND_OK)
    status = find_registers(&finder);
  if (status == WARPBOUND_OK)
    status = find_shared_memory(&finder);
  if (status != WARPBOUND_OK)
    return status;
  const uint64_t barriers = rule(&finder, device->residency.barriers);
  if (needs->barriers > barriers)
    return too_much(&finder, "named barriers", barriers, needs->barriers);
  if (needs->barriers > 0)
    set_limit(&finder, WB_LIMITED_BY_BARRIERS, barriers / needs->barriers);
  occupancy->limit = WB_LIMITED_BY_BLOCKS;
  for (unsigned l = 1; l < WB_RESIDENCY_LIMIT_COUNT; l++) {
    if (occupancy->by_limit[l] < occupancy->by_limit[occupancy->limit])
      occupancy->limit = (enum wb_residency_limit)l;
  }
  occupancy->resident_blocks = occupancy->by_limit[occupancy->limit];
  return WARPBOUND_OK;
}

static const char *const limit_names[] = {
    [WB_LIMITED_BY_BLOCKS] = "blocks",       [WB_LIMITED_BY_WARPS] = "warps",
    [WB_LIMITED_BY_REGISTERS] = "registers", [WB_LIMITED_BY_SHARED_MEMORY] = "shared memory",
    [WB_LIMITED_BY_BARRIERS] = "barriers",
};

const char *wb_residency_limit_name(enum wb_residency_limit limit)
{
  return limit_names[limit];
}

/* ---- residencies ---- */

bool wb_carveout_below(const struct wb_device_timing *device, uint64_t size, uint64_t *below)
{
  const struct wb_residency_rules *rules = &device->residency;
  bool found = false;
  for (size_t c = 0; c < rules->carveout_count; c++) {
    const uint64_t bytes = wb_device_number(device, rules->carveouts[c]);
    if (bytes < size && (!found || bytes > *below)) {
      *below = bytes;
      found = true;
    }
  }
  return found;
}

/* From the largest carve-out down: what holds no block any more ends it. */
warpbound_status wb_residencies_find(const struct wb_device_timing *device,
                                     const struct wb_block_needs *needs, uint32_t least,
                                     struct wb_residencies *residencies, warpbound_error *error)
{
  const uint64_t largest = wb_device_number(device, device->residency.shared_memory);
  const uint64_t wanted = least == WB_LARGEST_CARVEOUT ? largest : least;
  struct wb_occupancy occupancy;
  uint64_t bytes = largest;
  residencies->count = 0;
  if (wanted > largest)
    return wb_fail(error, WARPBOUND_USAGE,
                   "the carve-out of shared memory: expected at most %" PRIu64
                   " bytes, all that an SM of '%.60s' has, found %" PRIu64,
                   largest, device->name, wanted);
  warpbound_status status = wb_occupancy_find(device, needs, largest, &occupancy, error);
  if (status != WARPBOUND_OK)
    return status;
  do {
    /* The next smaller carve-out, on which an SM holds as many blocks or fewer. */
    struct wb_residency *last =
        residencies->count > 0 ? &residencies->items[residencies->count - 1] : NULL;
    if (last != NULL && last->occupancy.resident_blocks == occupancy.resident_blocks)
      last->least = (uint32_t)bytes;
    else
      residencies->items[residencies->count++] = (struct wb_residency){
          .least = (uint32_t)bytes, .most = (uint32_t)bytes, .occupancy = occupancy};
  } while (bytes > wanted && wb_carveout_below(device, bytes, &bytes) && bytes >= wanted &&
           wb_occupancy_find(device, needs, bytes, &occupancy, NULL) == WARPBOUND_OK);
  return WARPBOUND_OK;
}
