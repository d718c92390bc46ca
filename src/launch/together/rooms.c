/* The rooms of an SM, and what blocks of kernels take of them. */
#include "launch/together/rooms.h"

#include "base/checked.h"

/* The rooms, by their number. */
enum {
  OF_BLOCKS,
  OF_WARPS,
  OF_REGISTERS,
  OF_SHARED,
  OF_BARRIERS,
  WARPS_NEAR,
  REGISTERS_NEAR,
  COUNT
};

static void add_kernel(const struct wb_device_timing *device, const struct wb_block_needs *needs,
                       size_t kernel, struct wb_mixes *mixes)
{
  const struct wb_block_room sizes = wb_block_room_of(device, needs);
  const uint64_t here = wb_divide_up(sizes.warps, wb_device_number(device, device->partitions));
  const uint64_t taken[COUNT] = {
      [OF_BLOCKS] = 1,
      [OF_WARPS] = sizes.warps,
      [OF_REGISTERS] = sizes.warps * sizes.warp_registers,
      [OF_SHARED] = sizes.shared,
      [OF_BARRIERS] = needs->barriers,
      [WARPS_NEAR] = here,
      [REGISTERS_NEAR] = here * sizes.warp_registers,
  };
  for (size_t r = 0; r < COUNT; r++)
    mixes->rooms[r].size[kernel] = wb_minimum(taken[r], mixes->rooms[r].capacity);
}

warpbound_status wb_rooms_find(const struct wb_device_timing *device,
                               const struct wb_block_needs *const *needs, size_t count,
                               uint64_t shared_memory, struct wb_mixes *mixes,
                               warpbound_error *error)
{
  const struct wb_residency_rules *rules = &device->residency;
  const uint64_t partitions = wb_device_number(device, device->partitions);
  const uint64_t warps = wb_device_number(device, rules->max_warps);
  const uint64_t registers = wb_device_number(device, rules->registers);
  const uint64_t capacity[COUNT] = {
      [OF_BLOCKS] = wb_device_number(device, rules->max_blocks),
      [OF_WARPS] = warps,
      [OF_REGISTERS] = registers,
      [OF_SHARED] = shared_memory,
      [OF_BARRIERS] = wb_device_number(device, rules->barriers),
      [WARPS_NEAR] = warps / partitions,
      [REGISTERS_NEAR] = registers / partitions,
  };
  *mixes = (struct wb_mixes){.kernel_count = count, .room_count = COUNT};
  for (size_t r = 0; r < COUNT; r++)
    mixes->rooms[r] = (struct wb_room){.capacity = capacity[r], .of_partition = r >= WARPS_NEAR};
  for (size_t k = 0; k < count; k++) {
    struct wb_occupancy occupancy;
    const warpbound_status status =
        wb_occupancy_find(device, needs[k], shared_memory, &occupancy, error);
    if (status != WARPBOUND_OK)
      return status;
    mixes->most[k] = occupancy.resident_blocks;
    add_kernel(device, needs[k], k, mixes);
  }
  return WARPBOUND_OK;
}
