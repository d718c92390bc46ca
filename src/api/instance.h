/* The handle of a makespan question. */
#ifndef WB_API_INSTANCE_H
#define WB_API_INSTANCE_H

#include "analysis/paths/paths.h"
#include "model/instance.h"

struct warpbound_instance {
  struct wb_instance instance; /* owned; of several paths that of the worst one of one warp */
  struct wb_paths *paths;      /* what warps may take in place of its string; NULL: nothing else */
};

#endif
