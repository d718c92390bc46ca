/* What is asked of clusters before a launch is bounded. */
#include "analysis/launch/launch_clusters.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdio.h>

/* The first architecture with clusters. */
#define FIRST_ARCHITECTURE 90
#define SIZE_TEXT 48

static bool is_given(const uint32_t size[3])
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

static const char *write_size(const uint32_t size[3], char text[SIZE_TEXT])
{
  snprintf(text, SIZE_TEXT, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, size[0], size[1], size[2]);
  return text;
}

/* Where the size of the clusters is said. */
static const char *origin_of(const struct wb_function *function)
{
  return is_given(function->cluster) ? "as its code says" : "--cluster";
}

static warpbound_status check_grid(const struct wb_launch_analysis *analysis,
                                   const uint32_t cluster[3], warpbound_error *error)
{
  char grid[SIZE_TEXT], size[SIZE_TEXT];
  for (int axis = 0; axis < 3; axis++) {
    if (analysis->grid[axis] % cluster[axis] != 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "grid: expected a multiple of the clusters of '%.100s' in each dimension, "
                     "%s blocks (%s), found %s",
                     analysis->function->name, write_size(cluster, size),
                     origin_of(analysis->function), write_size(analysis->grid, grid));
  }
  return WARPBOUND_OK;
}

warpbound_status wb_launch_clusters_check(const struct wb_launch_analysis *analysis,
                                          const uint32_t asked[3], warpbound_error *error)
{
  const struct wb_function *function = analysis->function;
  const bool in_code = is_given(function->cluster);
  const uint32_t *cluster = in_code ? function->cluster : asked;
  char first[SIZE_TEXT], second[SIZE_TEXT];
  if (in_code && is_given(asked) &&
      (function->cluster[0] != asked[0] || function->cluster[1] != asked[1] ||
       function->cluster[2] != asked[2]))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--cluster: expected %s blocks, which '%.100s' has in its code, found %s",
                   write_size(function->cluster, first), function->name, write_size(asked, second));
  if (!is_given(cluster))
    return WARPBOUND_OK;
  const warpbound_status status = check_grid(analysis, cluster, error);
  if (status != WARPBOUND_OK || (cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1))
    return status;
  return wb_fail(
      error, WARPBOUND_INVALID_INPUT,
      "%.100s: expected blocks that start one by one, found clusters of %s blocks (%s): "
      "they start together, so an SM may wait for a whole cluster though it has room, and "
      "no bound is known; expected a launch without clusters%s",
      function->name, write_size(cluster, first), origin_of(function),
      in_code ? ": without __cluster_dims__" : "");
}

warpbound_status wb_launch_clusters_settle(struct wb_launch_analysis *analysis,
                                           const uint32_t asked[3], warpbound_error *error)
{
  const struct wb_function *function = analysis->function;
  const uint32_t architecture = (uint32_t)wb_maximum(analysis->device->architecture, function->sm);
  if (is_given(function->cluster))
    return WARPBOUND_OK;
  if (function->clustered && !is_given(asked))
    return wb_fail(error, WARPBOUND_FACTS_MISSING,
                   "%.100s: its blocks start in clusters of a size that only the launch has: give "
                   "it with --cluster X,Y,Z (1: one by one)",
                   function->name);
  if (is_given(asked))
    wb_list_add(&analysis->assumptions, "blocks start one by one (--cluster 1)");
  else if (architecture >= FIRST_ARCHITECTURE)
    wb_list_add(&analysis->assumptions,
                "blocks start one by one: neither the code nor the launch "
                "(cudaLaunchAttributeClusterDimension) makes clusters of them");
  return WARPBOUND_OK;
}
