/* The handle of a makespan question. */
#ifndef WB_API_INSTANCE_H
#define WB_API_INSTANCE_H

#include "analysis/paths/paths.h"
#include "model/instance.h"

/* `instance` is whole where there are no paths, or all have one string. Of several strings it has
 * the SM, the warps, the blocks and whether it is an estimate, and nothing else: its string is for
 * the analysis to choose. */
struct warpbound_instance {
  struct wb_instance instance; /* owned */
  struct wb_paths *paths;      /* that warps may take; borrowed; NULL: the string is given */
};

#endif
