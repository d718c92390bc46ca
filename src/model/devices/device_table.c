#include "model/devices/device_table.h"

#include "base/text/ascii.h"

#include <stdio.h>
#include <string.h>

/* PG: CUDA C++ Programming Guide, chapter Compute Capabilities (13.0; 4.2 for 2.x
 * and 3.x). WP: the architecture's white paper. OCC: cuda_occupancy.h of CUDA 13.0
 * (residency, partitions). "As drawn": read off the white paper's figure of the SM.
 *
 * From Volta on the SM has one load/store pipe for all partitions although the
 * white papers draw it inside them; where a chip has 2 to 4 double precision units
 * these are shared too (white papers: "not depicted").
 *
 * T: 32 over the cycles of the slowest dense product of one warp, of halves or integers: its
 * multiplications over those that the tensor cores of a partition do in a cycle, as the white
 * papers count them, with sums in single precision (half the rate on the chips of GeForce). 884 in
 * two or four steps on Volta: 4 cycles a step; 1688 on Turing: 16; 16816 on GA100: 8, on GA10x and
 * Ada: 32; on Hopper 4, but no more than 63 % of that rate was measured (arXiv 2402.13499): 8. */
#define FERMI_NOTE                                                                                 \
  "cycles of the scheduler clock, at which the cores run twice; one pool for both schedulers, as " \
  "in ECRTS 2012, although each warp belongs to one of them"
#define KEPLER_NOTE                                                                                \
  "one pool for all four schedulers, as in ETFA 2013, although each warp belongs to one of them; " \
  "integer multiplication and shifts run slower than C says; dual issue is not modelled"
#define MAXWELL_NOTE                                                                               \
  "dual issue is not modelled; shifts and comparisons run at half the rate that C says"
#define TENSOR_NOTE                                                                                \
  "T counts products of halves or integers of one warp; those of doubles and of warp groups take " \
  "longer"
#define INTEGER_NOTE                                                                               \
  "C counts the 16 lanes a partition that do integers; FP32 alone has twice as many; " TENSOR_NOTE
/* Of these no public page was at hand that counts the lanes of each type: the least of the
 * relatives stands for them. */
#define ASSUMED_NOTE                                                                               \
  "lanes of L, C, S, D and T are assumed, the fewest of sm_80 to sm_90: the chip may have more; "  \
  "check them, and write a file for --sm where they differ; " TENSOR_NOTE

/* Compute capability, architecture, a product. */
#define CHIP(major_, minor_, architecture_, example_)                                              \
  .name = "sm_" #major_ #minor_, .architecture = (architecture_), .example = (example_),           \
  .major = (major_), .minor = (minor_)
/* Partitions of the SM, issue slots of each. */
#define SCHEDULERS(partitions_, slots) .partitions = (partitions_), .issue_slots = (slots)
/* Lanes in the order L, C, S, D, T: of each partition, or of all together; the tensor cores of the
 * SM. */
#define EACH(lanes_)                                                                               \
  {                                                                                                \
    .lanes = (lanes_)                                                                              \
  }
#define ALL(lanes_)                                                                                \
  {                                                                                                \
    .lanes = (lanes_), .shared = true                                                              \
  }
#define LANES(l, c, s, d, t, cores) .units = {l, c, s, d, t}, .tensor_cores = (cores)
/* Most warps and blocks of an SM, and KiB of its shared memory. */
#define RESIDENCY(warps, blocks, memory)                                                           \
  .max_warps = (warps), .max_threads = 32 * (warps), .max_blocks = (blocks),                       \
  .shared_memory = (memory)

static const struct wb_device devices[] = {
    {CHIP(2, 0, "Fermi", "GF100 (Tesla C2050)"), SCHEDULERS(1, 2),
     LANES(EACH(16), EACH(64), EACH(8), EACH(32), EACH(0), 0), RESIDENCY(48, 8, 48),
     .source = "WP Fermi, Third Generation SM; PG 4.2, F.4.1; WP GTX 680 (rates per clock)",
     .note = FERMI_NOTE},
    {CHIP(3, 0, "Kepler", "GK104 (GTX 680)"), SCHEDULERS(1, 4),
     LANES(EACH(32), EACH(160), EACH(32), EACH(8), EACH(0), 0), RESIDENCY(64, 16, 48),
     .source = "WP GTX 680; PG 4.2, F.5.1; PG 10, 5.4.1 (integer add 160)", .note = KEPLER_NOTE},
    {CHIP(3, 5, "Kepler", "GK110 (Tesla K40)"), SCHEDULERS(1, 4),
     LANES(EACH(32), EACH(160), EACH(32), EACH(64), EACH(0), 0), RESIDENCY(64, 16, 48),
     .source = "WP GK110, SMX; PG 10, 5.4.1 (integer add 160); OCC", .note = KEPLER_NOTE},
    {CHIP(5, 0, "Maxwell", "GM107 (GTX 750 Ti)"), SCHEDULERS(4, 1),
     LANES(EACH(8), EACH(32), EACH(8), ALL(4), EACH(0), 0), RESIDENCY(64, 32, 64),
     .source = "PG 13, 5.x; Maxwell Tuning Guide 1.4.1; WP GTX 980, as drawn; OCC",
     .note = MAXWELL_NOTE},
    {CHIP(5, 2, "Maxwell", "GM204 (GTX 980)"), SCHEDULERS(4, 1),
     LANES(EACH(8), EACH(32), EACH(8), ALL(4), EACH(0), 0), RESIDENCY(64, 32, 96),
     .source = "WP GTX 980, p. 8 and figure 3; PG 13, 5.x; Maxwell Tuning Guide 1.4.1; OCC",
     .note = MAXWELL_NOTE},
    {CHIP(5, 3, "Maxwell", "GM20B (Jetson TX1, Nano)"), SCHEDULERS(4, 1),
     LANES(EACH(8), EACH(32), EACH(8), ALL(4), EACH(0), 0), RESIDENCY(64, 32, 64),
     .source = "PG 13, 5.x; load/store units as on 5.2; OCC", .note = MAXWELL_NOTE},
    {CHIP(6, 0, "Pascal", "GP100 (Tesla P100)"), SCHEDULERS(2, 1),
     LANES(EACH(8), EACH(32), EACH(8), EACH(16), EACH(0), 0), RESIDENCY(64, 32, 64),
     .source = "WP Tesla P100, table 1 and as drawn; PG 13, 6.x; OCC", .note = MAXWELL_NOTE},
    {CHIP(6, 1, "Pascal", "GP104 (GTX 1080)"), SCHEDULERS(4, 1),
     LANES(EACH(8), EACH(32), EACH(8), ALL(4), EACH(0), 0), RESIDENCY(64, 32, 96),
     .source = "PG 13, 6.x; Pascal Tuning Guide; load/store units as on 5.2; OCC",
     .note = MAXWELL_NOTE},
    {CHIP(6, 2, "Pascal", "GP10B (Jetson TX2)"), SCHEDULERS(4, 1),
     LANES(EACH(8), EACH(32), EACH(8), ALL(4), EACH(0), 0), RESIDENCY(64, 32, 64),
     .source = "PG 13, 6.x; load/store units as on 5.2; OCC", .note = MAXWELL_NOTE},
    {CHIP(7, 0, "Volta", "GV100 (Tesla V100)"), SCHEDULERS(4, 1),
     LANES(ALL(32), EACH(16), EACH(4), EACH(8), EACH(8), 8), RESIDENCY(64, 32, 96),
     .source = "WP V100, figure 5 and chapter on tensor cores; PG 13, 7.x; OCC"},
    {CHIP(7, 2, "Volta", "GV11B (Jetson AGX Xavier)"), SCHEDULERS(4, 1),
     LANES(ALL(32), EACH(16), EACH(4), ALL(2), EACH(8), 8), RESIDENCY(64, 32, 96),
     .source = "PG 13, 7.x; OCC",
     .note = "double precision as measured (2); the guide's table says 32; tensor cores as on 7.0"},
    {CHIP(7, 5, "Turing", "TU102 (RTX 2080 Ti)"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(2), 8), RESIDENCY(32, 16, 64),
     .source = "WP Turing, figure 4, note on FP64 and its rates of tensor cores; PG 13, 7.x; OCC"},
    {CHIP(8, 0, "Ampere", "GA100 (A100)"), SCHEDULERS(4, 1),
     LANES(ALL(32), EACH(16), EACH(4), EACH(8), EACH(4), 4), RESIDENCY(64, 32, 164),
     .source = "WP A100, figure 7 and its rates of tensor cores; PG 13, 8.x; OCC",
     .note = TENSOR_NOTE},
    {CHIP(8, 6, "Ampere", "GA102 (RTX 3080)"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 16, 100),
     .source = "WP GA102, figures 2 and 3 and its rates of tensor cores; PG 13, 8.x; OCC",
     .note = INTEGER_NOTE},
    {CHIP(8, 7, "Ampere", "GA10B (Jetson AGX Orin)"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 16, 164),
     .source = "PG 13, 8.x; load/store units and tensor cores as on 8.6; OCC",
     .note = INTEGER_NOTE},
    {CHIP(8, 9, "Ada", "AD102 (RTX 4090)"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 24, 100),
     .source = "WP Ada, figure 5, note on FP64 and its rates of tensor cores; PG 13, 8.x; OCC",
     .note = INTEGER_NOTE},
    {CHIP(9, 0, "Hopper", "GH100 (H100)"), SCHEDULERS(4, 1),
     LANES(ALL(32), EACH(16), EACH(4), EACH(16), EACH(4), 4), RESIDENCY(64, 32, 228),
     .source = "WP H100, figure 7 and its rates of tensor cores; PG 13, 9.0; OCC",
     .note = INTEGER_NOTE},
    {CHIP(10, 0, "Blackwell", "B200"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(64, 32, 228),
     .source = "PG 13, 10.x and OCC (residency, partitions); units assumed", .note = ASSUMED_NOTE},
    {CHIP(10, 3, "Blackwell", "B300"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(64, 32, 228),
     .source = "PG 13, 10.x and OCC (residency, partitions); units assumed", .note = ASSUMED_NOTE},
    {CHIP(11, 0, "Blackwell", "Jetson Thor"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 24, 228),
     .source = "PG 13, 11.0 and OCC (residency, partitions); units assumed", .note = ASSUMED_NOTE},
    {CHIP(12, 0, "Blackwell", "GB202 (RTX 5090)"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 24, 100),
     .source = "PG 13, 12.x and OCC (residency, partitions); units assumed", .note = ASSUMED_NOTE},
    {CHIP(12, 1, "Blackwell", "DGX Spark"), SCHEDULERS(4, 1),
     LANES(ALL(16), EACH(16), EACH(4), ALL(2), EACH(1), 4), RESIDENCY(48, 24, 100),
     .source = "PG 13, 12.x and OCC (residency, partitions); units assumed", .note = ASSUMED_NOTE},
};

const struct wb_device *wb_device_rows(size_t *count)
{
  *count = sizeof devices / sizeof devices[0];
  return devices;
}

const struct wb_device *wb_device_find(const char *name)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  for (size_t i = 0; i < count; i++) {
    char capability[16];
    snprintf(capability, sizeof capability, "%d.%d", rows[i].major, rows[i].minor);
    if (wb_same_ignoring_case(rows[i].name, name) || strcmp(capability, name) == 0)
      return &rows[i];
  }
  for (size_t i = 0; i < count; i++) {
    if (wb_same_ignoring_case(rows[i].architecture, name))
      return &rows[i];
  }
  for (size_t i = 0; i < count && name[0] != '\0'; i++) {
    if (wb_has_word(rows[i].example, name))
      return &rows[i];
  }
  return NULL;
}

const char *wb_device_hint(const char *name, char buffer[WB_HINT_SIZE])
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t i = 0; i < count; i++) {
    wb_nearest_offer(&nearest, rows[i].name);
    wb_nearest_offer(&nearest, rows[i].architecture);
  }
  return wb_nearest_hint(&nearest, "", buffer);
}

void wb_device_configuration(const struct wb_device *device, struct wb_sm_configuration *sm)
{
  wb_sm_configuration_start(sm, device->name);
  sm->partitions = device->partitions;
  sm->issue_slots = device->issue_slots;
  sm->max_warps = device->max_warps;
  sm->source = device->source;
  sm->note = device->note;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    wb_unit_capacity_set(&sm->unit[u], device->units[u].lanes, WB_WARP_SIZE);
    sm->unit[u].shared = device->units[u].shared;
  }
}

bool wb_architecture_runs(uint32_t architecture, uint32_t sm)
{
  /* The Tegra rows: binary compatibility between them and the desktop is not supported. */
  static const uint32_t tegra[] = {32, 53, 62, 72, 87, 101, 110};
  bool compatible = sm / 10 == architecture / 10 && sm % 10 <= architecture % 10;
  for (size_t i = 0; i < sizeof tegra / sizeof *tegra; i++)
    compatible = compatible && tegra[i] != sm && tegra[i] != architecture;
  return sm == architecture || compatible;
}

bool wb_device_runs(const struct wb_device *device, uint32_t sm)
{
  return wb_architecture_runs(10u * device->major + device->minor, sm);
}
