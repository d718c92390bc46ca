/* How many blocks an SM holds: values worked out by hand from the rules of cuda_occupancy.h. Left
 * out: modes with partitioned caches. */
#include "formats/device/device_file.h"
#include "launch/occupancy/occupancy.h"
#include "unit.h"

struct worked {
  const char *device;
  struct wb_block_needs needs;
  uint32_t blocks;
  enum wb_residency_limit limit;
};

/* threads, registers, static and dynamic shared memory, barriers, whether it has the reserve. */
static const struct worked rows[] = {
    /* sm_87: 48 warps, 16 blocks; 164 KiB, 1 KiB reserved; 16 barriers. 6 blocks of 8 warps. */
    {"orin-agx", {256, 32, 0, 0, 1, false}, 6, WB_LIMITED_BY_WARPS},
    /* 64 * 32 = 2048 registers: 8 warps a partition, 32 of the SM. */
    {"orin-agx", {256, 64, 0, 0, 1, false}, 4, WB_LIMITED_BY_REGISTERS},
    /* 37 * 32 = 1184, rounded up 1280: 12 a partition, 48 of the SM, as many as warps allow. */
    {"orin-agx", {256, 37, 0, 0, 1, false}, 6, WB_LIMITED_BY_WARPS},
    /* 41 * 32 = 1312, rounded up 1536: 10 a partition (16384 / 1536 = 10.7), 40 of the SM. */
    {"orin-agx", {256, 41, 0, 0, 1, false}, 5, WB_LIMITED_BY_REGISTERS},
    /* 255 * 32 = 8160, rounded up 8192: 2 a partition, 8 of the SM; two blocks of 3. */
    {"orin-agx", {96, 255, 0, 0, 1, false}, 2, WB_LIMITED_BY_REGISTERS},
    /* 48 KiB + 1 KiB = 50176 bytes of 167936. */
    {"orin-agx", {128, 16, 49152, 0, 1, false}, 3, WB_LIMITED_BY_SHARED_MEMORY},
    {"orin-agx", {128, 16, 0, 49152, 1, false}, 3, WB_LIMITED_BY_SHARED_MEMORY},
    /* The same where the binary's number has the reserve already. */
    {"orin-agx", {128, 16, 50176, 0, 1, true}, 3, WB_LIMITED_BY_SHARED_MEMORY},
    /* 163 KiB + 1 KiB: just one. */
    {"orin-agx", {128, 16, 0, 166912, 1, false}, 1, WB_LIMITED_BY_SHARED_MEMORY},
    /* 20001 + 1024 = 21025, rounded up to 21120: 7 of 167936. */
    {"orin-agx", {64, 16, 20001, 0, 1, false}, 7, WB_LIMITED_BY_SHARED_MEMORY},
    /* Blocks of one warp, no registers known. */
    {"orin-agx", {1, 0, 0, 0, 0, false}, 16, WB_LIMITED_BY_BLOCKS},
    /* 16 named barriers: two a block halve what fits. */
    {"orin-agx", {32, 16, 0, 0, 2, false}, 8, WB_LIMITED_BY_BARRIERS},
    {"orin-agx", {32, 16, 0, 0, 16, false}, 1, WB_LIMITED_BY_BARRIERS},
    /* sm_61: 64 warps, 32 blocks, 96 KiB without a reserve, 64 barriers. */
    {"gtx-1080", {256, 32, 0, 0, 1, false}, 8, WB_LIMITED_BY_WARPS},
    {"gtx-1080", {256, 32, 49152, 0, 1, false}, 2, WB_LIMITED_BY_SHARED_MEMORY},
    {"gtx-1080", {32, 16, 0, 0, 2, false}, 32, WB_LIMITED_BY_BLOCKS},
    {"gtx-1080", {1024, 64, 0, 0, 1, false}, 1, WB_LIMITED_BY_REGISTERS},
};

static uint64_t largest_of(const struct wb_device_timing *device)
{
  return wb_device_number(device, device->residency.shared_memory);
}

TEST(worked_values)
{
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    assert_ok(wb_device_timing_bundled(rows[i].device, &device, NULL));
    struct wb_occupancy found;
    warpbound_error error = {0};
    if (wb_occupancy_find(&device, &rows[i].needs, largest_of(&device), &found, &error) !=
        WARPBOUND_OK)
      fail_msg("row %zu: %s", i, error.message);
    if (found.resident_blocks != rows[i].blocks || found.limit != rows[i].limit)
      fail_msg("row %zu: expected %u by %s, found %u by %s", i, rows[i].blocks,
               wb_residency_limit_name(rows[i].limit), found.resident_blocks,
               wb_residency_limit_name(found.limit));
  }
}

struct refused {
  struct wb_block_needs needs;
  const char *part;
};

TEST(blocks_that_do_not_fit)
{
  static const struct refused refusals[] = {
      {{0, 16, 0, 0, 1, false}, "at least one thread"},
      {{1025, 16, 0, 0, 1, false}, "at most 1024 threads, found 1025"},
      {{32, 256, 0, 0, 1, false}, "at most 255 registers of a thread, found 256"},
      {{1024, 65, 0, 0, 1, false}, "at most 65536 registers of a block, found 73728"},
      {{32, 16, 0, 166913, 1, false}, "at most 166912 bytes of shared memory, found 166913"},
      {{32, 16, UINT32_MAX, UINT32_MAX, 1, false}, "found 8589934590"},
      {{32, 16, 0, 0, 17, false}, "at most 16 named barriers, found 17"},
  };
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  assert_ok(wb_device_timing_bundled("orin-agx", &device, NULL));
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    struct wb_occupancy found;
    warpbound_error error = {0};
    assert_invalid(
        wb_occupancy_find(&device, &refusals[i].needs, largest_of(&device), &found, &error));
    if (strstr(error.message, refusals[i].part) == NULL)
      fail_msg("row %zu: expected '%s' in '%s'", i, refusals[i].part, error.message);
  }
  /* Limits that the user makes small: no registers left in a partition. */
  assert_ok(wb_device_timing_set(&device, "residency.registers=4096", NULL));
  struct wb_occupancy found;
  const struct wb_block_needs wide = {32, 64, 0, 0, 1, false};
  assert_invalid(wb_occupancy_find(&device, &wide, largest_of(&device), &found, NULL));
}

struct carved {
  const char *device;
  const char *set; /* a change of the device, or NULL */
  struct wb_block_needs needs;
  uint32_t least;
  size_t count;
  struct {
    uint32_t least, most, blocks;
  } rows[6];
};

static const struct carved carved[] = {
    /* 48 KiB + 1 KiB = 50176 bytes: 64 KiB holds one block, 100 KiB two; 132, 164 KiB two, three.
     */
    {"orin-agx",
     NULL,
     {128, 16, 49152, 0, 1, false},
     0,
     3,
     {{167936, 167936, 3}, {102400, 135168, 2}, {65536, 65536, 1}}},
    {"orin-agx",
     NULL,
     {128, 16, 49152, 0, 1, false},
     WB_LARGEST_CARVEOUT,
     1,
     {{167936, 167936, 3}}},
    {"orin-agx",
     NULL,
     {128, 16, 49152, 0, 1, false},
     65537,
     2,
     {{167936, 167936, 3}, {102400, 135168, 2}}},
    /* No shared memory but the reserve of 1 KiB: 8 of 8 KiB; 0 bytes hold no block. */
    {"orin-agx", NULL, {32, 16, 0, 0, 1, false}, 0, 2, {{16384, 167936, 16}, {8192, 8192, 8}}},
    /* What the user says that an SM has is the largest. */
    {"orin-agx",
     "residency.shared_memory=65536",
     {32, 16, 0, 0, 1, false},
     0,
     2,
     {{16384, 65536, 16}, {8192, 8192, 8}}},
    /* Without a reserve blocks without shared memory fit with 0 bytes of it. */
    {"xavier", NULL, {32, 16, 0, 0, 1, false}, 0, 1, {{0, 98304, 32}}},
    {"t4", NULL, {32, 16, 16384, 0, 1, false}, 0, 2, {{65536, 65536, 4}, {32768, 32768, 2}}},
    {"gtx-1080", NULL, {256, 32, 49152, 0, 1, false}, 0, 1, {{98304, 98304, 2}}},
};

TEST(carve_outs)
{
  for (size_t i = 0; i < COUNT_OF(carved); i++) {
    const struct carved *row = &carved[i];
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    struct wb_residencies found;
    assert_ok(wb_device_timing_bundled(row->device, &device, NULL));
    if (row->set != NULL)
      assert_ok(wb_device_timing_set(&device, row->set, NULL));
    assert_ok(wb_residencies_find(&device, &row->needs, row->least, &found, NULL));
    bool same = found.count == row->count;
    for (size_t r = 0; r < found.count && same; r++)
      same = found.items[r].least == row->rows[r].least &&
             found.items[r].most == row->rows[r].most &&
             found.items[r].occupancy.resident_blocks == row->rows[r].blocks;
    if (!same)
      fail_msg("row %zu: found %zu, the first %u to %u with %u blocks", i, found.count,
               found.items[0].least, found.items[0].most, found.items[0].occupancy.resident_blocks);
  }
}

TEST(carve_outs_that_are_not_there)
{
  static const struct wb_block_needs needs = {128, 16, 49152, 0, 1, false};
  static const struct wb_block_needs wide = {128, 16, 0, 200000, 1, false};
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  struct wb_residencies found;
  warpbound_error error = {0};
  assert_ok(wb_device_timing_bundled("orin-agx", &device, NULL));
  assert_ok(wb_residencies_find(&device, &needs, 167936, &found, NULL));
  assert_misuse(wb_residencies_find(&device, &needs, 167937, &found, &error));
  assert_non_null(strstr(error.message, "at most 167936 bytes"));
  assert_invalid(wb_residencies_find(&device, &wide, 0, &found, &error));
  /* A file that names none: all of it, whatever the block needs. */
  device.residency.carveout_count = 0;
  assert_ok(wb_residencies_find(&device, &needs, 0, &found, NULL));
  assert_int_equal(found.count, 1);
  assert_int_equal(found.items[0].least, 167936);
}
