/* How many blocks an SM holds under each carve-out of shared memory. */
#include "launch/occupancy/residencies.h"

#include "base/checked.h"

#include <inttypes.h>

/* The largest of the device's carve-outs below a size; false where there is none. */
static bool next_below(const struct wb_device_timing *device, uint64_t size, uint64_t *below)
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
  } while (bytes > wanted && next_below(device, bytes, &bytes) && bytes >= wanted &&
           wb_occupancy_find(device, needs, bytes, &occupancy, NULL) == WARPBOUND_OK);
  return WARPBOUND_OK;
}
