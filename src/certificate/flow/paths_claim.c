#include "certificate/flow/paths_claim.h"

const char *wb_check_path_quantity_name(enum wb_check_path_quantity quantity)
{
  static const char *const names[] = {"letters", "weights", "outside", "shared", "spare", "type"};
  return names[quantity];
}

const char *wb_check_paths_bound_name(enum wb_check_paths_bound bound)
{
  static const char *const names[] = {"total", "serial", "joint", "spare", "types"};
  return names[bound];
}
