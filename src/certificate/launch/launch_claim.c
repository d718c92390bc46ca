#include "certificate/launch/launch_claim.h"

const char *wb_check_launch_sum_name(enum wb_check_launch_sum sum)
{
  static const char *const names[] = {"alone-own", "alone-partition", "alone-others", "own",
                                      "partition", "others",          "units",        "phase-units",
                                      "gpu",       "total",           "barriers"};
  return names[sum];
}
