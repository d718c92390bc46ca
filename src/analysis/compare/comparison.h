/* The comparison of two results of launches: what grew, what shrank, and what of them made it. */
#ifndef WB_ANALYSIS_COMPARE_COMPARISON_H
#define WB_ANALYSIS_COMPARE_COMPARISON_H

#include "base/arena.h"
#include "base/status.h"
#include "formats/results/launch_results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A percentage is given in units of a hundredth: 5.25 % is 525. */
#define WB_PERCENT 100
/* No limit on growth. */
#define WB_ANY_GROWTH UINT64_MAX

/* Why the comparison of a launch fails where there is a limit on growth. */
enum wb_compare_failure {
  WB_COMPARE_PASSED,
  WB_COMPARE_GREW,     /* the upper end grew by more than the limit */
  WB_COMPARE_SLOWER,   /* it did not, in cycles, but in time: the clock is another one */
  WB_COMPARE_UNPROVEN, /* the upper end was proven and is an estimate */
  WB_COMPARE_MISSING   /* the new results do not have the launch */
};

/* A number that differs. */
struct wb_number_change {
  enum wb_result_group group;
  const char *key;      /* borrowed of the results */
  bool had, has;        /* whether the old, the new result has it */
  double before, after; /* 0 where it has not */
};

/* One launch in both results. */
struct wb_launch_change {
  const char *name;                              /* borrowed */
  const struct wb_launch_result *before, *after; /* NULL: not there; not both */
  enum wb_compare_failure failure;
  struct wb_number_change *numbers; /* by group; of a group the greatest change first */
  size_t number_count;
  const char **gone, **new; /* assumptions that only the old, only the new result has */
  size_t gone_count, new_count;
};

/* Owns all but what is borrowed of the results. */
struct wb_result_comparison {
  struct wb_launch_change *launches; /* in the order of the old results, then new ones */
  size_t count, failures;
  struct wb_arena arena;
};

/* The handle of the public header: a comparison with what it compares. Owns all. */
struct warpbound_comparison {
  struct wb_launch_results before, after;
  const char *before_name, *after_name; /* of the files; in the comparison's arena */
  uint64_t limit;
  struct wb_result_comparison comparison;
  char *failure; /* the first one in words; "" where there is none */
};

/* Compares results, which must outlive the comparison. Launches of one name belong together, the
 * first with the first; the results of one launch alone and those of one launch do whatever their
 * names are, but for two lists. limit: the most that an upper end may grow, or WB_ANY_GROWTH:
 * nothing fails. n log n in the numbers of the results, and in the launches. Errors:
 * WARPBOUND_INTERNAL where memory is out, with nothing to free. */
warpbound_status wb_compare_results(const struct wb_launch_results *before,
                                    const struct wb_launch_results *after, uint64_t limit,
                                    struct wb_result_comparison *comparison,
                                    warpbound_error *error);
void wb_comparison_free(struct wb_result_comparison *comparison);

/* Whether `after` is more than `percent` (WB_PERCENT) above `before`: exactly. */
bool wb_grew_by_more(uint64_t before, uint64_t after, uint64_t percent);

#endif
