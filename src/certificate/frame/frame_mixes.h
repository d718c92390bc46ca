/* For the checker of bounds on launches together: the mixes of blocks on an SM, one after the
 * other. */
#ifndef WB_CERTIFICATE_FRAME_FRAME_MIXES_H
#define WB_CERTIFICATE_FRAME_FRAME_MIXES_H

#include "certificate/frame/frame_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* Fewer blocks than this leave room for a block of any launch of `in`. */
uint64_t wb_check_frame_fewest(const struct wb_check_frame_mix *mix, size_t launches,
                               const bool *in);

/* The most that a mix of blocks of launches of `in` costs, beside a block of `beside` (launches:
 * beside none): exact up to 2^21 mixes, else no less. UINT64_MAX where it does not fit. */
uint64_t wb_check_frame_costliest(const struct wb_check_frame_mix *mix, size_t launches,
                                  const bool *in, size_t beside, const uint64_t *cost);

#endif
