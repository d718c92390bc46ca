/* Where in the declared buffers of a launch its accesses lie, as far as the addresses of single
 * threads show (doc/launches/caches.md). */
#ifndef WB_FLOW_ACCESSES_ACCESS_OFFSETS_H
#define WB_FLOW_ACCESSES_ACCESS_OFFSETS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/accesses/accesses.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of an access, in all contexts and by all threads that come to it. */
struct wb_access_offset {
  bool reached;        /* some thread may come to it */
  bool known;          /* each address is that pointer and an offset from least to most */
  uint32_t buffer;     /* of the launch's */
  int64_t least, most; /* bytes of the first byte that is accessed */
};

/* Fills one for each access, by its index. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_access_offsets_find(const struct wb_warp_graph *graph,
                                        const struct wb_loop_forest *forest,
                                        const struct wb_launch *launch,
                                        const struct wb_accesses *accesses,
                                        struct wb_access_offset *offsets, warpbound_error *error);

#endif
