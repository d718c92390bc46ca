/* How often the counts of computations are reached, by what the computations have. */
#ifndef WB_TESTS_CROSS_ACCESSES_ADDRESS_SHARES_H
#define WB_TESTS_CROSS_ACCESSES_ADDRESS_SHARES_H

#include "address_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one program. */
struct address_setting {
  unsigned form; /* of address_forms */
  bool known;    /* the parameters are */
  bool aligned;  /* the pointers are declared to be */
  bool whole;    /* warps have 32 lanes */
};

struct address_share {
  size_t checked, reached;
};

struct address_shares {
  struct address_share all, by_form[ADDRESS_FORMS], by_known[2], by_aligned[2], by_whole[2];
  struct address_share by_step[STEP_KINDS]; /* of those that have such a step */
  struct address_share by_count[MOST_STEPS + 1], by_space[SPACES], by_guard[GUARDS], by_bytes[17];
};

void add_to_shares(struct address_shares *shares, const struct address_setting *setting,
                   const struct computation *it, bool reached);
void print_shares(const struct address_shares *shares);

/* Whether at least so many of a hundred are reached. */
bool share_is_at_least(const struct address_share *share, unsigned percent);

#endif
