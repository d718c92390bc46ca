/* What sums, parts and formulas of bounds on launches are called in reports and certificates. */
#include "launch/bounds/launch_formula.h"

const char *wb_launch_sum_name(enum wb_launch_sum sum)
{
  static const char *const names[WB_SUM_COUNT] = {
      [WB_SUM_ALONE_OWN] = "A alone",
      [WB_SUM_ALONE_PARTITION] = "X alone",
      [WB_SUM_ALONE_OTHERS] = "Y alone",
      [WB_SUM_OWN] = "A",
      [WB_SUM_PARTITION] = "X",
      [WB_SUM_OTHERS] = "Y",
      [WB_SUM_UNITS] = "Z",
      [WB_SUM_PHASE_UNITS] = "Z1",
      [WB_SUM_GPU] = "g",
      [WB_SUM_TOTAL] = "total",
      [WB_SUM_BARRIERS] = "f - 1",
  };
  return names[sum];
}

const char *wb_launch_part_name(enum wb_launch_part part)
{
  static const char *const names[WB_PART_COUNT] = {
      [WB_PART_LAUNCH] = "launch overhead",
      [WB_PART_OWN] = "own latencies and stalls",
      [WB_PART_OWN_BLOCK] = "other warps of the block",
      [WB_PART_OTHER_BLOCKS] = "other blocks of the SM",
      [WB_PART_BARRIERS] = "changes of partition",
      [WB_PART_TAIL] = "last block",
      [WB_PART_GPU] = "shared by the GPU",
      [WB_PART_FOREIGN] = "foreign traffic",
      [WB_PART_FETCHES] = "fetches of kept data",
      [WB_PART_COLD] = "cold start",
      [WB_PART_FLOOR] = "fraction cut off",
  };
  return names[part];
}

const char *wb_launch_formula_name(enum wb_launch_formula formula)
{
  static const char *const names[WB_FORMULA_COUNT] = {
      [WB_FORMULA_BLOCK_ALONE] = "block alone",
      [WB_FORMULA_ONE_WAVE] = "one wave",
      [WB_FORMULA_ALL_WARPS] = "all warps",
      [WB_FORMULA_PAIRS] = "pairs",
      [WB_FORMULA_FULL_PARTITIONS] = "full partitions",
      [WB_FORMULA_ROUNDS] = "rounds",
      [WB_FORMULA_MEAN] = "mean of slots",
      [WB_FORMULA_TOTAL] = "total",
  };
  return names[formula];
}
