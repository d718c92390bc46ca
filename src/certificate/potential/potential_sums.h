/* A set of what the pools hold, each with the least sum of values that leads there:
 * what the checker of potentials computes with. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_SUMS_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_SUMS_H

#include "certificate/potential/potential_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warps and work in each pool; pools beyond those in use hold 0. */
struct wb_check_potential_content {
  uint32_t warps[WB_CHECK_POTENTIAL_POOLS];
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
};

struct wb_check_potential_sum {
  struct wb_check_potential_content content;
  int64_t value;
};

/* Invariant: list[0 .. count - 1] differ in their contents and stand in the order in
 * which these came; slots is a hash table of slot_count (a power of 2, or 0) entries,
 * each an index into list plus 1, or 0. Zero-initialise; free with
 * wb_check_potential_sums_free. */
struct wb_check_potential_sums {
  struct wb_check_potential_sum *list;
  size_t count;
  size_t capacity;
  uint32_t *slots;
  size_t slot_count;
};

/* Entries of one set at most. */
#define WB_CHECK_POTENTIAL_SUMS_LIMIT ((size_t)1 << 22)

enum wb_check_potential_sums_result {
  WB_CHECK_SUMS_NEW,  /* a content that was not in the set */
  WB_CHECK_SUMS_OLD,  /* it was; its value is now the lesser of the two */
  WB_CHECK_SUMS_FULL, /* WB_CHECK_POTENTIAL_SUMS_LIMIT */
  WB_CHECK_SUMS_NO_MEMORY
};

/* Adds a content, or keeps the lesser value where it is there already. */
enum wb_check_potential_sums_result
wb_check_potential_sums_add(struct wb_check_potential_sums *sums,
                            const struct wb_check_potential_sum *sum);

/* The entry with that content, or NULL. Valid until the next addition. */
const struct wb_check_potential_sum *
wb_check_potential_sums_find(const struct wb_check_potential_sums *sums,
                             const struct wb_check_potential_content *content);

/* Makes the set empty and keeps its memory. */
void wb_check_potential_sums_clear(struct wb_check_potential_sums *sums);
void wb_check_potential_sums_free(struct wb_check_potential_sums *sums);

#endif
