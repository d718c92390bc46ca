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

/* Makes an instance of a string, or where `paths` is not NULL of paths, of which `string` is the
 * worst one of one warp. origin: what the making of the string assumed;
 * estimate: why it is no more than one; both may be NULL. Copies all but the paths.
 * Errors: those of wb_instance_make. */
warpbound_status wb_instance_handle_make(const struct wb_kernel_string *string,
                                         const struct wb_list *origin,
                                         const struct wb_estimate *estimate, struct wb_paths *paths,
                                         const warpbound_sm *sm, uint32_t warps, uint32_t blocks,
                                         warpbound_instance **instance, warpbound_error *error);

#endif
